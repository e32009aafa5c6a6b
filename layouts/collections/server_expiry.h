/* Retention by the server: TTL indexes, by which the server deletes documents when a date in them
 * is too old. */
#ifndef MT_SERVER_EXPIRY_H
#define MT_SERVER_EXPIRY_H

#include "engine/engine.h"
#include "layouts/expire.h"

/* Returns whether rows in store s of table t expire by age, by the retention of the table or of the
 * layout. */
bool mt_expiry_ages (const MtTable *t, const MtStoreDesc *s);
/* Compares two versions of one table's retention. Returns whether a server that applies `next` may
 * delete some documents earlier than a server that applies t. */
bool mt_expiry_sooner (const MtTable *next, const MtTable *t);
/* Returns the options for creating the time-series collection of store s. They include the expiry
 * time if rows expire. */
MtTimeseries mt_expiry_series (const MtTable *t, const MtStoreDesc *s);
/* Sets or removes the TTL index (or the expiry of a time-series collection) on `collection`, so
 * that the server deletes expired documents of store s. *does is set to whether the server deletes
 * them from now on. */
bool mt_expiry_tell (MtEngine *e, const MtTable *t, const MtStoreDesc *s, const char *collection,
                     bool *does, MtError *err);

#endif
