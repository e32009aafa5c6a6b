/* Private to layouts/presets: the state of making a descriptor, and helpers of the presets. */
#ifndef MT_PRESET_INT_H
#define MT_PRESET_INT_H

#include "layouts/presets/preset.h"

struct MtPresetBuild {
   MtArena *a;
   const MtTable *t;
   const MtPresetRow *row;
   const MtPresetOption *options;
   size_t option_count;
   const char *collection;
   const char *time_encoding; /* "date", "epoch_s", "epoch_ms" */
   int64_t preallocate;       /* one write in so many creates a document ahead; 0: none */
   MtBuf json;                /* the descriptor */
   MtError *err;
};

/* ---- options (options.c) ---- */

/* Returns the option of that name; NULL: it is not given. */
const MtPresetOption *mt_preset_option (const MtPresetBuild *b, const char *name);
/* 22023 for an option's value; false. what: a sentence on the values that are allowed. */
bool mt_preset_bad_value (MtPresetBuild *b, const MtPresetOption *o, const char *what);
/* Reads an option; *out keeps its value if the option is not given. */
bool mt_preset_bool (MtPresetBuild *b, const char *name, bool *out);
/* Reads an option that is one of two words. *out_second keeps its value if it is not given. */
bool mt_preset_either (MtPresetBuild *b, const char *name, const char *first, const char *second,
                       bool *out_second);
/* Reads a list of columns, separated by commas. *out is in the build's arena. */
bool mt_preset_any_columns (MtPresetBuild *b, const char *name, int **out, size_t *count);
/* Like mt_preset_any_columns, for dimensions and the time only. */
bool mt_preset_columns (MtPresetBuild *b, const char *name, int **out, size_t *count);
/* Reads the options of all presets. */
bool mt_preset_read_common (MtPresetBuild *b);
bool mt_preset_need_time (MtPresetBuild *b);

/* ---- the descriptor's JSON (options.c) ---- */

/* Appends text as it is. */
void mt_preset_raw (MtPresetBuild *b, const char *s);
/* Appends text as a JSON string. */
void mt_preset_str (MtPresetBuild *b, const char *s);
/* Appends the fields of a store's collection and its partitions. */
void mt_preset_collection (MtPresetBuild *b, const char *name);
/* Appends everything up to the first store's collection. The caller ends it with "}]}". */
void mt_preset_begin (MtPresetBuild *b, const char *keeps);

/* ---- one document per counter and day (counters.c) ---- */

bool mt_preset_daily_metrics (MtPresetBuild *b);
bool mt_preset_mms (MtPresetBuild *b);
extern const MtPresetOptionRow mt_preset_daily_metrics_options[], mt_preset_mms_options[];

#endif
