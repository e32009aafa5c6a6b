/* The presets of USING as rows: help, completion and the reference are made from them. */
#ifndef MT_PRESET_H
#define MT_PRESET_H

#include "layouts/table.h"

#define MT_PRESET_PLAIN "rows" /* where nobody says which */

typedef struct MtPresetOptionRow {
   const char *name;
   const char
      *type; /* "name", "columns", "boolean", "integer", or the words allowed, separated by "|" */
   const char *otherwise; /* the default, as WITH would say it */
   const char *summary;
} MtPresetOptionRow;

typedef struct MtPresetBuild MtPresetBuild; /* what a build function works on: presets.c */

typedef struct MtPresetRow {
   const char *name;
   const char *summary;
   const MtPresetOptionRow *options; /* ended by a row without a name; those that all presets have
                                        are in mt_preset_common_options */
   bool (*build) (MtPresetBuild *b); /* adds the descriptor as JSON to the build's buffer */
   const char *example;
   const char *const *lacks; /* of the common options those that it refuses, or that say nothing of
                                it; ended by NULL */
} MtPresetRow;

/* Whether an option of all presets is one of this preset's, too. */
bool mt_preset_has (const MtPresetRow *row, const MtPresetOptionRow *common);

/* What WITH said, after a column got another name: only in options that name columns. preset: any
 * name; in arena a. */
const char *mt_preset_renamed (MtArena *a, const MtTable *t, const char *preset,
                               const char *options, int column, const char *to);

/* Ended by a row without a name. */
const MtPresetRow *mt_preset_rows (void);
const MtPresetOptionRow *mt_preset_common_options (void);

#endif
