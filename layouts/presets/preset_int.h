/* Private to layouts/presets: the state of building a descriptor, and helper functions of the
 * presets. */
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
   const char *time_encoding; /* "date", "epoch_s", "epoch_ms", or a format such as "%Y-%m-%d" */
   int64_t preallocate; /* one write in this many creates the next period's document; 0: none */
   MtBuf json;          /* the descriptor as JSON, so far */
   MtError *err;
};

/* ---- options (options.c) ---- */

/* Returns the option of that name; NULL: the statement does not have it. */
const MtPresetOption *mt_preset_option (const MtPresetBuild *b, const char *name);
/* Sets error 22023 for the value of option o, and returns false. what: a sentence that states the
 * allowed values. */
bool mt_preset_bad_value (MtPresetBuild *b, const MtPresetOption *o, const char *what);
/* Reads a boolean option. *out keeps its value if the option is not given. */
bool mt_preset_bool (MtPresetBuild *b, const char *name, bool *out);
/* Reads an option whose value is one of two words. *out_second is set to whether it is the second;
 * it keeps its value if the option is not given. */
bool mt_preset_either (MtPresetBuild *b, const char *name, const char *first, const char *second,
                       bool *out_second);
/* Reads an option that is a list of column names, separated by commas. *out is set to the columns'
 * indexes, in the build's arena. */
bool mt_preset_any_columns (MtPresetBuild *b, const char *name, int **out, size_t *count);
/* Like mt_preset_any_columns, but allows only dimensions and the time, not measures. Without the
 * option, the columns are all dimensions. */
bool mt_preset_key (MtPresetBuild *b, const char *name, int **out, size_t *count);
/* Returns the next item of a list separated by commas, without surrounding blanks, in arena a. *p
 * is moved to the rest of the list. */
const char *mt_preset_next_word (MtArena *a, const char **p);
/* A column in an option's list, or the time truncated to a unit. */
typedef struct MtPresetKey {
   int column;
   MtUnit unit; /* MT_UNIT_MS: the column's value is not truncated */
} MtPresetKey;

/* Like mt_preset_any_columns, but allows dimensions, the time and units of time, from minute to
 * year, not measures. If a column has the name of a unit, the name means the column. */
bool mt_preset_keys (MtPresetBuild *b, const char *name, MtPresetKey **out, size_t *count);
/* Returns whether the time is stored as text. */
bool mt_preset_time_is_text (const MtPresetBuild *b);
/* Returns the encoding of the time as JSON for the descriptor, in arena b->a. */
const char *mt_preset_time (const MtPresetBuild *b);
/* Reads the options that all presets share. */
bool mt_preset_read_common (MtPresetBuild *b);
bool mt_preset_need_time (MtPresetBuild *b);

/* ---- the descriptor's JSON (options.c) ---- */

/* Appends text to the descriptor's JSON as it is. */
void mt_preset_raw (MtPresetBuild *b, const char *s);
/* Appends text to the descriptor's JSON as a string, quoted and escaped. */
void mt_preset_str (MtPresetBuild *b, const char *s);
/* Returns a string as JSON, in arena b->a. */
const char *mt_preset_quoted (const MtPresetBuild *b, const char *s);
/* Appends to the descriptor the fields that name a store's collection and its partitions. */
void mt_preset_collection (MtPresetBuild *b, const char *name);
/* Appends the beginning of the descriptor, up to the first store's collection. The caller appends
 * the rest, and the closing "}]}". keeps: the descriptor's "keeps". */
void mt_preset_begin (MtPresetBuild *b, const char *keeps);

/* ---- what a level stores of its records (keep.c) ---- */

enum { MT_KEEP_SUM = 1, MT_KEEP_MIN = 2, MT_KEEP_MAX = 4, MT_KEEP_COUNT = 8 };

/* An aggregate state that is stored: the aggregate call, and the field of the state in a cell
 * (array or map element). */
typedef struct MtKeptCall {
   const char *call, *at;
   bool plain; /* the aggregate gives no state itself, such as stddev */
} MtKeptCall;

typedef struct MtKeep {
   /* for each column: which of its sum, min, max and count are stored, as MT_KEEP_ bits */
   unsigned *numbers;
   MtKeptCall *states;
   size_t state_count, state_cap;
} MtKeep;

/* Reads the option `keep`. If it is not given, *out is empty. */
bool mt_preset_keep (MtPresetBuild *b, MtKeep *out);
/* The prefixes of the names of a measure's fields. */
typedef struct MtKeptNames {
   const char *sum, *min, *max, *count;
} MtKeptNames;

/* Appends the paths of the pre-aggregates of a measure that are stored; `kept` has their MT_KEEP_
 * bits: "sum": "sum_v", "max": "max_v". A path is a prefix from `names` and the measure's field,
 * with `_` for each dot. */
void mt_preset_kept_paths (MtPresetBuild *b, unsigned kept, const MtKeptNames *names,
                           const char *field);
/* Appends the stored aggregate states, if any, to the descriptor's "agg". */
void mt_preset_kept_states (MtPresetBuild *b, const MtKeep *k);

/* ---- roll-ups (rollup.c) ---- */

bool mt_preset_rollup (MtPresetBuild *b);
extern const MtPresetOptionRow mt_preset_rollup_options[];

/* ---- one document per counter and day (counters.c) ---- */

bool mt_preset_daily_metrics (MtPresetBuild *b);
bool mt_preset_mms (MtPresetBuild *b);
extern const MtPresetOptionRow mt_preset_daily_metrics_options[], mt_preset_mms_options[];

#endif
