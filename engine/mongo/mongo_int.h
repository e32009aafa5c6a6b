/* The functions of the engine on a server. Private to engine/mongo. Those without a comment are
 * described in engine/engine.h: mt_mongo_insert is mt_engine_insert, and so on. */
#ifndef MT_MONGO_INT_H
#define MT_MONGO_INT_H

#include "engine/mongo/undo/undo.h"

/* ---- ready.c ---- */

/* Before each use of m->conn: waits for the sending thread and for an earlier step's undoing, and
 * connects again if the connection was lost. 08001, 57014; 08006 within a step, which is broken
 * then. */
bool mt_mongo_ready (MtMongo *m, MtError *err);
/* The same for a caller that only adds to a batch, and needs no connection yet. */
bool mt_mongo_can_gather (MtMongo *m, MtError *err);

/* ---- cursor.c ---- */

bool mt_mongo_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
/* The first document of a pipeline. NULL: there is none, or *err is set. Owned by the caller. */
bson_t *mt_mongo_run_for_one (MtMongo *m, const char *collection, const bson_t *pipeline,
                              MtError *err);

/* ---- beside.c ---- */

/* Another collection's document, which the same command may find. */
typedef struct MtBesideDoc {
   bool learns;       /* the caller wants it, and this server can return it */
   uint64_t shape;    /* a hash of the pipeline without its values */
   bool wanted;       /* the pipeline asks for it */
   const char *field; /* the first and only field of its document; the engine's */
   bson_t *found;     /* NULL: not returned (yet) */
} MtBesideDoc;

void mt_beside_init (MtMongo *m, MtBesideDoc *b, const MtAggregateArgs *args);
/* When the cursor is freed. ended: it was read to its end. */
void mt_beside_learn (MtMongo *m, const MtBesideDoc *b, bool ended, uint64_t documents);
/* Appends the stage that finds it. */
void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted, bson_t *pipeline);
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc);
void mt_beside_take (MtBesideDoc *b, const bson_t *doc);
void mt_beside_fini (MtBesideDoc *b);

/* ---- collation.c ---- */

/* Whether the collection is there. Lists the collections with a collation in the same command. */
bool mt_mongo_look_up (MtMongo *m, const char *name, bool *has, MtError *err);
bool mt_mongo_is_collated (const MtEngine *e, const char *collection);
/* Adds to a command's options that texts are compared as bytes, if the collection has other rules.
 * 0A000 if the server can't do so. */
bool mt_mongo_append_collation (MtMongo *m, const char *collection, bson_t *opts, MtError *err);
/* 0A000 if the server would take one document for another. */
bool mt_mongo_may_change (MtMongo *m, const char *collection, MtError *err);
bool mt_mongo_may_insert (MtMongo *m, const char *collection, MtVal id, MtError *err);

/* ---- probe.c ---- */

void mt_mongo_probe (MtMongo *m); /* fills caps.lacking */

/* ---- step.c ---- */

bool mt_mongo_begin (MtEngine *e, MtError *err);
bool mt_mongo_commit (MtEngine *e, MtError *err);
void mt_mongo_rollback (MtEngine *e);
/* Steps that are committed one by one, and undone together. */
void mt_mongo_pieces (MtEngine *e);
bool mt_mongo_pieces_commit (MtEngine *e, MtError *err);
void mt_mongo_pieces_rollback (MtEngine *e);
const char *mt_mongo_leftover (const MtEngine *e);

/* ---- define.c ---- */

bool mt_mongo_create (MtEngine *e, const char *name, MtError *err);
/* options NULL: none. If the server refuses, *error is set and *err isn't. */
bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err);
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);
void mt_mongo_own (MtEngine *e, const char *name);
bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err);
/* Before a collection is written to: if it waits to be dropped, it is dropped or renamed now. */
bool mt_mongo_drop_before_use (MtMongo *m, const char *name, MtError *err);
bool mt_mongo_ensure (MtEngine *e, const char *name, const char *const *paths, size_t count,
                      bool unique, MtError *err);
bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths,
                            size_t count, MtError *err);
bool mt_mongo_create_unique_index (MtEngine *e, const char *collection, const char *const *paths,
                                   size_t count, MtError *err);
bool mt_mongo_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                          size_t count, MtError *err);

/* ---- timeseries.c, expire.c ---- */

bool mt_mongo_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                 MtError *err);
bool mt_mongo_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                          MtError *err);
bool mt_mongo_beside_txn (MtEngine *e, MtError *err);
bool mt_mongo_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                      bool *does, MtError *err);
bool mt_mongo_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                               uint64_t *deleted, MtError *err);

/* ---- gather.c ---- */

bool mt_mongo_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                      MtError *err);
bool mt_mongo_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                         MtError *err);
bool mt_mongo_incremented (MtEngine *e, uint64_t *made, MtError *err);

/* ---- change.c ---- */

/* Finds a document by its _id, compared as bytes. *doc NULL: there is none. Owned by the caller. */
bool mt_mongo_find (MtMongo *m, const char *collection, MtVal id, bson_t **doc, MtError *err);
bool mt_mongo_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                       MtError *err);
bool mt_mongo_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_mongo_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                         MtError *err);
bool mt_mongo_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                            MtError *err);

/* ---- adjust.c, unique.c, newer.c ---- */

bool mt_mongo_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                      MtError *err);
bool mt_mongo_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                             size_t count, bool *refused, MtError *err);
bool mt_mongo_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);
bool mt_mongo_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);

#endif
