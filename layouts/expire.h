/* Retention: rows older than a table's expire_after are seen by nobody any more, in no layout, and their documents go, whole ones only
 * (docs/decisions/0008-retention.md). */
#ifndef MT_LAYOUT_EXPIRE_H
#define MT_LAYOUT_EXPIRE_H

#include "base/datetime.h"
#include "engine/engine.h"
#include "layouts/leaves.h"

#define MT_NEVER_EXPIRES INT64_MIN

typedef struct MtExpiry {
   bool ages;          /* rows older than `after` expire */
   MtInterval after;
   bool ended;         /* rows before `before_ms` are gone, whatever `after` says now */
   int64_t before_ms;
   MtUnit unit;        /* mt_expiry_unit; not stored */
} MtExpiry;

/* A positive interval of whole milliseconds: 22007, 22023. */
bool mt_expiry_read (const char *text, MtInterval *out, MtError *err);
const char *mt_expiry_text (MtArena *a, MtInterval after); /* 90 days */

/* The coarsest unit of time of the layouts' documents, partitions and cells: rows expire a unit at a time, so that no stored sum is of some that have and some that
 * haven't. 0A000 where units have no common edges, or a layout keeps no time. */
bool mt_expiry_unit (const MtTable *t, MtUnit *out, MtError *err);

/* Rows before this time have expired, as of now_ms; MT_NEVER_EXPIRES: none has. It is the start of a unit, or `before_ms`. */
int64_t mt_expiry_horizon (const MtTable *t, int64_t now_ms);
/* The start of the expiry's unit that ms is in. */
int64_t mt_expiry_floor (const MtExpiry *x, int64_t ms);

/* Whether a leaf is one of expired rows. */
bool mt_leaf_expired (const MtTable *t, const MtLeafWay *way, const MtLeaf *leaf, int64_t horizon);

/* ---- servers, which delete documents by a date in them ---- */

/* How a time-series collection of the table is made. */
MtTimeseries mt_expiry_series (const MtTable *t, const MtTimeseries *s);
/* Makes the server delete what has expired in a store's collection, or, where the table's rows don't expire, lets it leave off. *does: it says that it will. */
bool mt_expiry_tell (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const char *collection, bool *does, MtError *err);

#endif
