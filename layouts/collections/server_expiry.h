/* Retention by the server: the server deletes documents by a date in them (TTL indexes). */
#ifndef MT_SERVER_EXPIRY_H
#define MT_SERVER_EXPIRY_H

#include "engine/engine.h"
#include "layouts/expire.h"

/* Returns whether rows of a store of table t expire by age. */
bool mt_expiry_ages (const MtTable *t, const MtStoreDesc *s);
/* Returns whether a server may delete some documents earlier by the retention of `next` than by the
 * retention of t. Both are versions of one table. */
bool mt_expiry_sooner (const MtTable *next, const MtTable *t);
/* Returns the options for creating the store's time-series collection, with its retention. */
MtTimeseries mt_expiry_series (const MtTable *t, const MtStoreDesc *s);
/* Makes the server delete expired documents of a store's collection. If rows do not expire, stops
 * the deletion. *does: the server deletes from now on. */
bool mt_expiry_tell (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const char *collection,
                     bool *does, MtError *err);

#endif
