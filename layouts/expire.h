/* Retention: rows older than a table's expire_after are seen by nobody any more, in no layout, and
 * their documents go, whole ones only (docs/decisions/0008-retention.md). A layout may lose its
 * rows earlier than others (docs/decisions/0010-retention-of-a-layout.md). */
#ifndef MT_LAYOUT_EXPIRE_H
#define MT_LAYOUT_EXPIRE_H

#include "types/datetime.h"
#include "engine/engine.h"
#include "layouts/leaves.h"

#define MT_NEVER_EXPIRES INT64_MIN

typedef struct MtExpiry {
   bool ages; /* rows older than `after` expire */
   MtInterval after;
   bool ended; /* rows before `before_ms` are gone, whatever `after` says now */
   int64_t before_ms;
   MtUnit unit; /* mt_expiry_unit; not stored */
} MtExpiry;

/* A positive interval of whole milliseconds: 22007, 22023. */
bool mt_expiry_read (const char *text, MtInterval *out, MtError *err);
const char *mt_expiry_text (MtArena *a, MtInterval after); /* 90 days */

/* The coarsest unit of time of the layouts' documents, partitions and cells: rows expire a unit at
 * a time, so that no stored sum is of some that have and some that haven't. 0A000 where units have
 * no common edges, or a layout keeps no time. */
bool mt_expiry_unit (const MtTable *t, MtUnit *out, MtError *err);

/* Whether rows expire at all, in any layout. */
bool mt_expires (const MtTable *t);
/* Rows before this time have expired in all layouts, as of now_ms; MT_NEVER_EXPIRES: none has. It
 * is the start of a unit, or `before_ms`. */
int64_t mt_expiry_horizon (const MtTable *t, int64_t now_ms);
/* Before which a layout has no rows any more: never earlier than the table's. Of all layouts, the
 * latest. */
int64_t mt_layout_horizon (const MtTable *t, const MtLayout *l, int64_t now_ms);
int64_t mt_latest_horizon (const MtTable *t, int64_t now_ms);
/* Of the layouts that keep records the one that keeps them longest; layout_count: there is none. */
size_t mt_longest_records (const MtTable *t, int64_t now_ms);
/* An expiry's own; NULL: MT_NEVER_EXPIRES. */
int64_t mt_expiry_own (const MtExpiry *x, int64_t now_ms);
/* The start of the expiry's unit that ms is in. */
int64_t mt_expiry_floor (const MtExpiry *x, int64_t ms);

/* Whether a leaf is one of expired rows. */
bool mt_leaf_expired (const MtTable *t, const MtLeafWay *way, const MtLeaf *leaf, int64_t horizon);

/* ---- servers, which delete documents by a date in them ---- */

/* Whether rows grow too old for a store, which is one of the table's. */
bool mt_expiry_ages (const MtTable *t, const MtStoreDesc *s);
/* Whether what a server is told for `next`, which has other expiries, lets it delete earlier from
 * some store than what it is told for t. */
bool mt_expiry_sooner (const MtTable *next, const MtTable *t);
/* How the store's time-series collection is made. */
MtTimeseries mt_expiry_series (const MtTable *t, const MtStoreDesc *s);
/* Makes the server delete what has expired in a store's collection, or, where rows don't expire,
 * lets it leave off. *does: it says that it will. */
bool mt_expiry_tell (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const char *collection,
                     bool *does, MtError *err);

#endif
