/* Collections and indexes: made, changed and dropped. */
#ifndef MT_ENGINE_COLLECTIONS_H
#define MT_ENGINE_COLLECTIONS_H

#include "engine/types.h"

/* 42P07 if it exists. */
bool mt_engine_create_collection (MtEngine *e, const char *name, MtError *err);
/* Makes the collection, and an ascending index (count 0: none), if they are missing. On a server
 * both stay when the step is rolled back, because others may write there by then. */
bool mt_engine_ensure_collection (MtEngine *e, const char *name, const char *const *paths,
                                  size_t count, bool unique, MtError *err);
/* The open step's rollback drops this collection, which mt_engine_ensure_collection has made. */
void mt_engine_own_collection (MtEngine *e, const char *name);
/* A missing collection is no error. */
bool mt_engine_drop_collection (MtEngine *e, const char *name, MtError *err);
/* Shards an empty collection by a key, {path: 1 or "hashed", …}. Only with caps.router. */
bool mt_engine_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);

/* ---- time-series collections ---- */

/* A server's collection of documents of one record each, which the server packs into buckets. */
typedef struct MtTimeseries {
   const char *time, *meta; /* fields; meta NULL: none */
   const char *granularity; /* "seconds", "minutes", "hours"; NULL: the server's default */
   int64_t expire_after_s;  /* -1: never */
} MtTimeseries;

/* 0A000 if the server has no time-series collections. In process it is an ordinary collection, in
 * which nothing can expire (0A000). */
bool mt_engine_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                  MtError *err);
/* The collection's definition, in arena `a`. *out NULL: it is no time-series collection. */
bool mt_engine_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                           MtError *err);
/* Takes the rest of the open step out of its transaction, because servers refuse writes to
 * time-series collections in one. 0A000 in a block. */
bool mt_engine_beside_transaction (MtEngine *e, MtError *err);

/* ---- indexes ---- */

/* Makes an ascending index. A store keeps ranges of these fields for each block instead. */
bool mt_engine_create_index (MtEngine *e, const char *collection, const char *const *paths,
                             size_t count, MtError *err);
/* Makes an index that refuses documents with equal values: 23505. Missing values are equal, too.
 * Only with caps.unique_indexes. */
bool mt_engine_create_unique_index (MtEngine *e, const char *collection, const char *const *paths,
                                    size_t count, MtError *err);
/* Drops the index of mt_engine_create_index on these paths. A missing index is no error. A store's
 * ranges stay, because they cost next to nothing. */
bool mt_engine_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                           size_t count, MtError *err);
/* Lets a server delete each document after_s seconds after the date at `path` (< 0: no more), by an
 * index. path NULL: a time-series collection, by its time. *does: the server will do so; always
 * false in process. A rollback doesn't undo it. */
bool mt_engine_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                       bool *does, MtError *err);

#endif
