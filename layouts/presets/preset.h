/* The presets of USING, as rows of a table. Each preset makes a layout's descriptor from options.
 * Help, completion and the reference are made from the rows. */
#ifndef MT_PRESET_H
#define MT_PRESET_H

#include "layouts/table.h"

#define MT_PRESET_PLAIN "rows" /* the default */

/* An option that a statement gives in WITH. */
typedef struct MtPresetOption {
   const char *name;
   const char *value; /* the option's value as text */
   MtSpan span;
} MtPresetOption;

typedef struct MtPresetOptionRow {
   const char *name;
   /* The kind of value: "name", "columns", "calls" of aggregates, "boolean", "integer", or the
    * allowed words, separated by "|". */
   const char *type;
   const char *otherwise; /* the default value, as it is written in WITH */
   const char *summary;
} MtPresetOptionRow;

typedef struct MtPresetBuild MtPresetBuild;

typedef struct MtPresetRow {
   const char *name;
   const char *summary;
   /* The preset's own options; the last row has no name. mt_preset_common_options has the options
    * of all presets. */
   const MtPresetOptionRow *options;
   bool (*build) (MtPresetBuild *b); /* appends the descriptor's JSON to the build's buffer */
   const char *example;
   /* Names of common options that the preset refuses or ignores; the array ends with NULL. */
   const char *const *lacks;
} MtPresetRow;

/* Returns the rows of all presets; the last row has no name. */
const MtPresetRow *mt_preset_rows (void);
const MtPresetOptionRow *mt_preset_common_options (void);
/* Returns whether a preset has one of the common options. */
bool mt_preset_has (const MtPresetRow *row, const MtPresetOptionRow *common);
/* Returns the names of all presets; the array ends with NULL. */
const char *const *mt_preset_names (void);
bool mt_is_preset (const char *name);

/* A preset with its options: USING preset WITH (options). */
typedef struct MtPresetUse {
   const char *preset; /* may be an unknown name */
   const MtPresetOption *options;
   size_t option_count;
   const char *collection; /* the collection if no option names one */
} MtPresetUse;

/* Appends the descriptor that a preset makes for table t to `out`. 42704 for an unknown preset,
 * 22023 for an unknown option or a bad value. */
bool mt_preset_descriptor (MtArena *a, const MtTable *t, const MtPresetUse *use, bson_t *out,
                           MtError *err);
/* Returns the text of WITH after a column was renamed, in arena a. Only options that name columns
 * change. preset: may be an unknown name. */
const char *mt_preset_renamed (MtArena *a, const MtTable *t, const char *preset,
                               const char *options, int column, const char *to);

#endif
