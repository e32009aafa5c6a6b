/* Creating, changing and dropping collections and indexes. */
#ifndef MT_ENGINE_COLLECTIONS_H
#define MT_ENGINE_COLLECTIONS_H

#include "engine/types.h"

/* Creates a collection. Fails with 42P07 if a collection with this name exists. */
bool mt_engine_create_collection (MtEngine *e, const char *name, MtError *err);
/* Creates the collection if it is missing, and an ascending index on the field paths `paths` if it
 * is missing (count 0: no index). On a server, a rollback keeps both, because other clients may
 * already use the collection. */
bool mt_engine_ensure_collection (MtEngine *e, const char *name, const char *const *paths,
                                  size_t count, MtError *err);
/* Makes a rollback of the open step drop this collection, which mt_engine_ensure_collection has
 * created in the step. (A step is the writes between mt_engine_begin and the commit.) */
void mt_engine_own_collection (MtEngine *e, const char *name);
/* Drops a collection. A missing collection is no error. */
bool mt_engine_drop_collection (MtEngine *e, const char *name, MtError *err);
/* Shards an empty collection by the key {path: 1 or "hashed", …}. Requires caps.router. */
bool mt_engine_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);

/* ---- time-series collections ---- */

/* The options of a time-series collection on a server. Clients see one document per record; the
 * server stores the documents packed in buckets. */
typedef struct MtTimeseries {
   const char *time, *meta; /* names of fields; meta NULL: no meta field */
   const char *granularity; /* "seconds", "minutes", "hours"; NULL: the server's default */
   int64_t expire_after_s;  /* age in seconds at which documents are deleted; -1: never */
} MtTimeseries;

/* Creates a time-series collection. Fails with 0A000 if the server does not support them. The local
 * engine creates an ordinary collection instead; it fails with 0A000 if documents should expire. */
bool mt_engine_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                  MtError *err);
/* Reads the options of a time-series collection into *out, in arena a. *out is NULL if the
 * collection is an ordinary one. */
bool mt_engine_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                           MtError *err);
/* Makes the open step write without a transaction, unless the transaction has already begun on the
 * server. Servers refuse writes to time-series collections in a transaction. Fails with 0A000 in a
 * transaction block. */
bool mt_engine_beside_transaction (MtEngine *e, MtError *err);

/* ---- indexes ---- */

/* Creates an ascending index on the field paths `paths`. The local engine has no indexes. Instead,
 * its store keeps the smallest and greatest value of these fields for each block of documents. */
bool mt_engine_create_index (MtEngine *e, const char *collection, const char *const *paths,
                             size_t count, MtError *err);
/* A unique index of a server. */
typedef struct MtUniqueIndex {
   const char *name; /* NULL: made of the paths */
   const char *const *paths;
   size_t count;
   const bson_t *filter; /* the documents that the index has; NULL: all */
   /* Another client may be creating the same index. Then the index may already exist, and a
    * rollback does not drop it. */
   bool may_exist;
} MtUniqueIndex;

/* Creates a unique index. Fails with 23505 if two documents have equal values. Missing values count
 * as equal. Requires caps.unique_indexes. */
bool mt_engine_create_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                    MtError *err);
/* Drops a unique index. Does nothing if it does not exist. Requires caps.unique_indexes. */
bool mt_engine_drop_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                  MtError *err);
/* Drops the index that mt_engine_create_index has created on these paths. Does nothing if it does
 * not exist. The local engine's store keeps its ranges of these fields. */
bool mt_engine_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                           size_t count, MtError *err);
/* Makes a server delete each document after_s seconds after the date at `path`, by a TTL index.
 * after_s < 0: the server no longer deletes documents. path NULL: uses the time field of a
 * time-series collection. *does: whether the server will delete documents; always false in the
 * local engine. A rollback does not undo this. */
bool mt_engine_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                       bool *does, MtError *err);

#endif
