/* The presets of USING, as rows. Help, completion and the reference are made from them. Each preset
 * makes a descriptor from options. */
#ifndef MT_PRESET_H
#define MT_PRESET_H

#include "layouts/table.h"

#define MT_PRESET_PLAIN "rows" /* the default */

/* An option in WITH. */
typedef struct MtPresetOption {
   const char *name;
   const char *value; /* text */
   MtSpan span;
} MtPresetOption;

typedef struct MtPresetOptionRow {
   const char *name;
   /* "name", "columns", "boolean", "integer", or the allowed words, separated by "|". */
   const char *type;
   const char *otherwise; /* the default, in the form of WITH */
   const char *summary;
} MtPresetOptionRow;

typedef struct MtPresetBuild MtPresetBuild;

typedef struct MtPresetRow {
   const char *name;
   const char *summary;
   /* Ended by a row without a name. Options of all presets are in mt_preset_common_options. */
   const MtPresetOptionRow *options;
   bool (*build) (MtPresetBuild *b); /* appends the descriptor's JSON to the build's buffer */
   const char *example;
   /* The common options that the preset refuses or ignores; ended by NULL. */
   const char *const *lacks;
} MtPresetRow;

/* Ended by a row without a name. */
const MtPresetRow *mt_preset_rows (void);
const MtPresetOptionRow *mt_preset_common_options (void);
/* Returns whether a preset has one of the common options. */
bool mt_preset_has (const MtPresetRow *row, const MtPresetOptionRow *common);
/* Returns the names of the presets, ended by NULL. */
const char *const *mt_preset_names (void);
bool mt_is_preset (const char *name);

/* Appends the descriptor that a preset makes for table t to `out`. collection_default: the
 * collection if no option names one. 42704 for an unknown preset, 22023 for an unknown option or a
 * bad value. */
bool mt_preset_descriptor (MtArena *a, const MtTable *t, const char *preset,
                           const MtPresetOption *options, size_t option_count,
                           const char *collection_default, bson_t *out, MtError *err);
/* Returns the text of WITH after a column was renamed, in arena a. Only options that name columns
 * change. preset: any name. */
const char *mt_preset_renamed (MtArena *a, const MtTable *t, const char *preset,
                               const char *options, int column, const char *to);

#endif
