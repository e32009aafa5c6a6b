/* Retention: rows older than a table's expire_after are invisible, and their documents are deleted
 * as a whole (docs/decisions/0008-retention.md). A layout can have a shorter retention of its own
 * (docs/decisions/0010-retention-of-a-layout.md). */
#ifndef MT_LAYOUT_EXPIRE_H
#define MT_LAYOUT_EXPIRE_H

#include "types/datetime.h"
#include "layouts/leaves.h"

#define MT_NEVER_EXPIRES INT64_MIN

typedef struct MtExpiry {
   bool ages; /* rows expire by age: when they are older than `after` */
   MtInterval after;
   bool ended; /* rows before `before_ms` have expired for good, even if `after` was raised later */
   int64_t before_ms;
   MtUnit unit; /* rows expire a whole unit at a time; computed by mt_expiry_unit, not stored */
} MtExpiry;

/* Reads a positive interval of whole milliseconds. 22007 if the text is no interval, 22023 if the
 * interval is not allowed. */
bool mt_expiry_read (const char *text, MtInterval *out, MtError *err);
/* Returns an interval as text, such as "90 days", in arena a. */
const char *mt_expiry_text (MtArena *a, MtInterval after);

/* Computes the unit in which rows expire: the coarsest unit of time of the layouts' documents,
 * partitions and cells (a cell is one element of an array or map in a document). Rows expire a
 * whole unit at a time, so that a stored sum never mixes expired rows with others. 0A000 if the
 * boundaries of the units don't coincide, or a layout keeps no time. */
bool mt_expiry_unit (const MtTable *t, MtUnit *out, MtError *err);

/* Returns whether rows of the table expire in any layout. */
bool mt_expires (const MtTable *t);
/* Returns the table's horizon: the time before which rows have expired in all layouts, as of
 * now_ms. MT_NEVER_EXPIRES if no rows expire. */
int64_t mt_expiry_horizon (const MtTable *t, int64_t now_ms);
/* Returns a layout's horizon: the layout has no rows before this time. It is never before the
 * table's horizon. */
int64_t mt_layout_horizon (const MtTable *t, const MtLayout *l, int64_t now_ms);
/* Returns the latest horizon of all layouts. All layouts have the rows after this time. */
int64_t mt_latest_horizon (const MtTable *t, int64_t now_ms);
/* Returns the index of the layout that keeps records for the longest time. Returns layout_count if
 * all layouts keep only sums. */
size_t mt_longest_records (const MtTable *t, int64_t now_ms);
/* Returns the time before which rows have expired by retention x alone, as of now_ms.
 * MT_NEVER_EXPIRES if x is NULL. */
int64_t mt_expiry_own (const MtExpiry *x, int64_t now_ms);
/* Returns the start of the unit of time (such as the day) that contains ms. x has the unit in which
 * rows expire. */
int64_t mt_expiry_floor (const MtExpiry *x, int64_t ms);
/* Returns whether a leaf (a stored record or sum) has expired: its whole time is before
 * `horizon`. */
bool mt_leaf_expired (const MtTable *t, const MtLeafWay *way, const MtLeaf *leaf, int64_t horizon);

#endif
