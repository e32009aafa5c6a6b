/* What the files of layouts/ share: units of time, encodings, checks. Private. */
#ifndef MT_LAYOUT_INT_H
#define MT_LAYOUT_INT_H

#include "types/datetime.h"
#include "layouts/stored.h"

/* ---- time ---- */

/* The start (UTC) of the unit around ms; weeks begin on Monday; MT_UNIT_EPOCH gives 0. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* The start of the unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Whole units of a length that is always the same, towards the past. */
int64_t mt_unit_div (int64_t ms, MtUnit u);
/* Whole units since the start of `of`, without base. */
int64_t mt_utc_month (int64_t ms); /* 0 to 11 */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return unit == MT_UNIT_MONTH ? mt_utc_month (ms)
                                : mt_unit_div (ms - mt_utc_floor (ms, of), unit);
}

/* ---- descriptors ---- */

/* "stores[0].root.sub" of a node, added to out. */
void mt_node_path (size_t store, const MtNode *n, MtBuf *out);
/* What a parsed descriptor must fulfil beyond its grammar (check.c). */
bool mt_layout_check (const MtTable *t, const MtLayout *l, MtBlame *blame);
/* The binding of the time at that path, which may be an end of the range, too; NULL: there is
 * none. */
const MtBinding *mt_bound_time (const MtTable *t, const MtNode *n, const char *path);
/* 42P17, and where. */
bool mt_layout_invalid (MtBlame *b, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 3, 4)));
/* Whether a name can be a collection's; 42P17. */
bool mt_collection_name_ok (MtBlame *b, const char *path, const char *name);

/* What is known of a column that only a descriptor names. */
typedef enum MtSketchFact {
   MT_SK_TIME = 1, /* its values are times */
   MT_SK_NO_TIME = 2,
   MT_SK_MEASURE = 4,
   MT_SK_BOUND = 8
} MtSketchFact;

/* The table of a descriptor without a table: its columns are those that are named, of type
 * unknown. */
typedef struct MtSketch {
   MtTable table;   /* its columns have room for MT_MAX_COLUMNS and the time */
   unsigned *facts; /* by column */
} MtSketch;

/* Whether a column of a sketch may be the table's time. */
bool mt_sketch_may_be_time (const MtTable *t, int column);

/* Whether a store's documents can be sharded by a field (NULL: can't); *why when not, for a
 * descriptor's error. */
bool mt_can_shard (const MtStoreDesc *s, const char *at, const char **why);

static inline bool mt_id_is_auto (const MtStoreDesc *s) { return s->id_count == 0; }

#define MT_FLUSH_LEVELS 50000

/* The word of each MtEncodingKind; ended by NULL. */
extern const char *const mt_encoding_words[];

#endif
