/* The functions of the engine for servers. Private to engine/mongo. A function without a comment
 * implements the engine's function of the same name: mt_mongo_insert is mt_engine_insert, and so
 * on. */
#ifndef MT_MONGO_INT_H
#define MT_MONGO_INT_H

#include "engine/mongo/undo/undo.h"

/* ---- ready.c ---- */

/* Prepares m->conn for use; call it before each use. Waits for the sending thread, and until an
 * earlier step is undone. Connects again if the connection was lost; 08001 if that fails, 57014 if
 * cancelled. Within a step, a lost connection is 08006, and the step can only be rolled back. */
bool mt_mongo_ready (MtMongo *m, MtError *err);
/* Like mt_mongo_ready, for a caller that only adds to a batch, and needs no connection yet. */
bool mt_mongo_can_gather (MtMongo *m, MtError *err);

/* ---- cursor.c ---- */

bool mt_mongo_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
/* Runs a pipeline, and returns its first document. NULL: there is none, or *err is set. Owned by
 * the caller. */
bson_t *mt_mongo_run_for_one (MtMongo *m, const char *collection, const bson_t *pipeline,
                              MtError *err);

/* ---- beside.c ---- */

/* An extra document of another collection, which the command that runs a pipeline can return, too
 * (beside.c). */
typedef struct MtBesideDoc {
   bool learns;       /* the caller wants the document, and the server can return it */
   uint64_t shape;    /* hash of the pipeline without its constants */
   bool wanted;       /* the pipeline contains the stage that returns the document */
   const char *field; /* name of the only field of the document in which it is returned; borrowed */
   bson_t *found;     /* the document; NULL: not returned, or not yet */
} MtBesideDoc;

void mt_beside_init (MtMongo *m, MtBesideDoc *b, const MtAggregateArgs *args);
/* Remembers whether the pipeline returned few documents. Called when its cursor is freed. ended:
 * the cursor was read to its end. */
void mt_beside_learn (MtMongo *m, const MtBesideDoc *b, bool ended, uint64_t documents);
/* Appends the stage that finds the extra document to the pipeline. */
void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted, bson_t *pipeline);
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc);
void mt_beside_take (MtBesideDoc *b, const bson_t *doc);
void mt_beside_fini (MtBesideDoc *b);

/* ---- collation.c ---- */

/* Sets *has to whether the collection exists. The same command lists the collections with a
 * collation. */
bool mt_mongo_look_up (MtMongo *m, const char *name, bool *has, MtError *err);
bool mt_mongo_is_collated (const MtEngine *e, const char *collection);
/* Adds the option to compare texts as bytes to a command, if the collection has a collation. 0A000
 * if the server can't compare as bytes. */
bool mt_mongo_append_collation (MtMongo *m, const char *collection, bson_t *opts, MtError *err);
/* Checks that documents of the collection can be changed. 0A000 if the collection has a collation,
 * because the server could then take "a" for "A". */
bool mt_mongo_may_change (MtMongo *m, const char *collection, MtError *err);
bool mt_mongo_may_insert (MtMongo *m, const char *collection, MtVal id, MtError *err);

/* ---- probe.c ---- */

/* Tests which stages and operators the server lacks: caps.lacking. */
void mt_mongo_probe (MtMongo *m);

/* ---- step.c ---- */

bool mt_mongo_begin (MtEngine *e, MtError *err);
bool mt_mongo_commit (MtEngine *e, MtError *err);
void mt_mongo_rollback (MtEngine *e);
/* The functions mt_mongo_pieces…: a transaction whose steps commit one by one, and are undone
 * together. */
void mt_mongo_pieces (MtEngine *e);
bool mt_mongo_pieces_commit (MtEngine *e, MtError *err);
void mt_mongo_pieces_rollback (MtEngine *e);
const char *mt_mongo_leftover (const MtEngine *e);

/* ---- define.c ---- */

bool mt_mongo_create (MtEngine *e, const char *name, MtError *err);
/* Creates a collection with these options (NULL: none). If the server refuses, *error is set, and
 * *err is not. */
bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err);
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);
void mt_mongo_own (MtEngine *e, const char *name);
bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err);
/* Drops or renames a collection now, if it waits to be dropped at the commit. Call it before the
 * collection is written to. */
bool mt_mongo_drop_before_use (MtMongo *m, const char *name, MtError *err);
bool mt_mongo_ensure (MtEngine *e, const char *name, const char *const *paths, size_t count,
                      MtError *err);
bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths,
                            size_t count, MtError *err);
bool mt_mongo_create_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                   MtError *err);
bool mt_mongo_drop_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                 MtError *err);
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

/* Finds a document by its _id, compared as bytes. *doc NULL: no document has that _id. The caller
 * owns *doc. */
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
