/* The presets of CREATE TABLE … USING, as rows of a table in C. A preset makes a layout's
 * descriptor from options. Help, completion and the reference are made from these rows. */
#ifndef MT_PRESET_H
#define MT_PRESET_H

#include "layouts/table.h"

#define MT_PRESET_PLAIN "rows" /* the preset that is used if a statement names none */

/* An option that a statement gives in WITH. */
typedef struct MtPresetOption {
   const char *name;
   const char *value; /* the option's value as text */
   MtSpan span;
} MtPresetOption;

typedef struct MtPresetOptionRow {
   const char *name;
   /* The kind of value: "name", "columns", "calls" (of aggregates), "boolean", "integer", or the
    * allowed words, separated by "|". */
   const char *type;
   const char *otherwise; /* the default value, as it is written in WITH */
   const char *summary;
} MtPresetOptionRow;

typedef struct MtPresetBuild MtPresetBuild;

typedef struct MtPresetRow {
   const char *name;
   const char *summary;
   /* The preset's own options; the last row has no name. Options that all presets share are in
    * mt_preset_common_options. */
   const MtPresetOptionRow *options;
   bool (*build) (MtPresetBuild *b); /* appends a layout's descriptor to b's JSON */
   const char *example;
   /* Names of shared options that the preset rejects or ignores; the array ends with NULL. */
   const char *const *lacks;
} MtPresetRow;

/* Returns the rows of all presets; the last row has no name. */
const MtPresetRow *mt_preset_rows (void);
const MtPresetOptionRow *mt_preset_common_options (void);
/* Returns whether a preset allows the shared option `common`. */
bool mt_preset_has (const MtPresetRow *row, const MtPresetOptionRow *common);
/* Returns the names of all presets; the array ends with NULL. */
const char *const *mt_preset_names (void);
bool mt_is_preset (const char *name);

/* A statement's choice of a preset: USING preset WITH (options). */
typedef struct MtPresetUse {
   const char *preset; /* may be unknown; mt_preset_descriptor checks it */
   const MtPresetOption *options;
   size_t option_count;
   const char *collection; /* the collection to use if no option names one */
} MtPresetUse;

/* Appends to `out` the layout's descriptor that a preset makes for table t. 42704 if the preset is
 * unknown, 22023 if an option is unknown or has a bad value. */
bool mt_preset_descriptor (MtArena *a, const MtTable *t, const MtPresetUse *use, bson_t *out,
                           MtError *err);
/* Returns the text of a preset's options after column number `column` was renamed to `to`, in arena
 * a. Only options that name columns change. preset: may be an unknown name. */
const char *mt_preset_renamed (MtArena *a, const MtTable *t, const char *preset,
                               const char *options, int column, const char *to);

#endif
