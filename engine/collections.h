/* Creating, changing and dropping collections and indexes. */
#ifndef MT_ENGINE_COLLECTIONS_H
#define MT_ENGINE_COLLECTIONS_H

#include "engine/types.h"

/* Creates a collection. 42P07 if a collection of that name exists. */
bool mt_engine_create_collection (MtEngine *e, const char *name, MtError *err);
/* Creates the collection, and an ascending index on `paths` (count 0: no index), if they are
 * missing. A rollback on a server keeps both, because other clients may use the collection by
 * then. */
bool mt_engine_ensure_collection (MtEngine *e, const char *name, const char *const *paths,
                                  size_t count, MtError *err);
/* Makes a rollback of the open step drop this collection, which mt_engine_ensure_collection has
 * created. */
void mt_engine_own_collection (MtEngine *e, const char *name);
/* Drops a collection. A missing collection is no error. */
bool mt_engine_drop_collection (MtEngine *e, const char *name, MtError *err);
/* Shards an empty collection by a key, {path: 1 or "hashed", …}. Only with caps.router. */
bool mt_engine_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);

/* ---- time-series collections ---- */

/* The options of a server's time-series collection. Clients see one document per record; the server
 * packs the documents into buckets. */
typedef struct MtTimeseries {
   const char *time, *meta; /* names of fields; meta NULL: no meta field */
   const char *granularity; /* "seconds", "minutes", "hours"; NULL: the server's default */
   int64_t expire_after_s;  /* age in seconds at which documents are deleted; -1: never */
} MtTimeseries;

/* Creates a time-series collection. 0A000 if the server has no time-series collections. The engine
 * in process creates an ordinary collection; 0A000 if documents should expire. */
bool mt_engine_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                  MtError *err);
/* Reads the options of a time-series collection, into arena `a`. *out NULL: the collection is an
 * ordinary one. */
bool mt_engine_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                           MtError *err);
/* Makes the open step write without a transaction, unless the transaction has begun already.
 * Servers refuse writes to time-series collections in a transaction. 0A000 in a transaction
 * block. */
bool mt_engine_beside_transaction (MtEngine *e, MtError *err);

/* ---- indexes ---- */

/* Creates an ascending index. A store in process has no indexes: it keeps the least and greatest
 * value of these fields for each block. */
bool mt_engine_create_index (MtEngine *e, const char *collection, const char *const *paths,
                             size_t count, MtError *err);
/* A unique index. */
typedef struct MtUniqueIndex {
   const char *name; /* NULL: made of the paths */
   const char *const *paths;
   size_t count;
   const bson_t *filter; /* the documents that the index has; NULL: all */
   /* Other clients may create the same index at this moment. A rollback keeps the index. */
   bool may_exist;
} MtUniqueIndex;

/* Creates a unique index. 23505 if two documents have equal values; missing values count as equal.
 * Only with caps.unique_indexes. */
bool mt_engine_create_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                    MtError *err);
/* Drops a unique index. A missing index is no error. Only with caps.unique_indexes. */
bool mt_engine_drop_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                  MtError *err);
/* Drops the index of mt_engine_create_index on these paths. A missing index is no error. A store in
 * process keeps its ranges of these fields. */
bool mt_engine_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                           size_t count, MtError *err);
/* Makes a server delete each document after_s seconds after the date at `path`, by a TTL index.
 * after_s < 0: stops these deletions. path NULL: uses the time of a time-series collection. *does:
 * the server will delete; always false in process. A rollback doesn't undo this change. */
bool mt_engine_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                       bool *does, MtError *err);

#endif
