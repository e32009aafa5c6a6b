/* The functions of the engine for MongoDB servers; private to engine/mongo. A function without a
 * comment implements the engine function of the same name: mt_mongo_insert is mt_engine_insert, and
 * so on. */
#ifndef MT_MONGO_INT_H
#define MT_MONGO_INT_H

#include "engine/mongo/undo/undo.h"

/* ---- ready.c ---- */

/* Makes m->conn usable; call it before each use. Waits for the sending thread, and for the job that
 * undoes an earlier step. Connects again if the connection was lost. Fails with 08001 if the server
 * can't be reached, and with 57014 if cancelled. If a step (begin to commit) is open, a lost
 * connection fails with 08006, and the step must be rolled back. */
bool mt_mongo_ready (MtMongo *m, MtError *err);
/* Like mt_mongo_ready, for a caller that only adds documents to a batch and needs no connection
 * yet. */
bool mt_mongo_can_gather (MtMongo *m, MtError *err);

/* ---- cursor.c ---- */

bool mt_mongo_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
/* Runs a pipeline, and returns its first document, which the caller owns. Returns NULL if there is
 * none, or if *err is set. */
bson_t *mt_mongo_run_for_one (MtMongo *m, const char *collection, const bson_t *pipeline,
                              MtError *err);

/* ---- beside.c ---- */

/* The request for an extra document of another collection, which the command of a pipeline returns
 * as well (beside.c). */
typedef struct MtBesideDoc {
   bool learns;       /* the caller wants the document, and the server can return it */
   uint64_t shape;    /* hash of the pipeline without its constants */
   bool wanted;       /* the pipeline contains the stage that returns the document */
   const char *field; /* name of the only field of the document in which it is returned; borrowed */
   bson_t *found;     /* the document; NULL: not returned, or not yet */
} MtBesideDoc;

void mt_beside_init (MtMongo *m, MtBesideDoc *b, const MtAggregateArgs *args);
/* Called when the cursor of a pipeline is freed: remembers whether a pipeline of this shape
 * returned few documents. `ended`: the cursor was read to its end. */
void mt_beside_learn (MtMongo *m, const MtBesideDoc *b, bool ended, uint64_t documents);
/* Appends the stage that returns the extra document to the pipeline. */
void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted, bson_t *pipeline);
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc);
void mt_beside_take (MtBesideDoc *b, const bson_t *doc);
void mt_beside_fini (MtBesideDoc *b);

/* ---- collation.c ---- */

/* Sets *has to whether the collection exists. The same command also reads which collections have a
 * collation, for mt_mongo_is_collated. */
bool mt_mongo_look_up (MtMongo *m, const char *name, bool *has, MtError *err);
bool mt_mongo_is_collated (const MtEngine *e, const char *collection);
/* If the collection has a collation, adds the option to compare texts as bytes to the command
 * `opts`. Fails with 0A000 if the server can't compare them as bytes. */
bool mt_mongo_append_collation (MtMongo *m, const char *collection, bson_t *opts, MtError *err);
/* Checks that documents of the collection may be changed. Fails with 0A000 if it has a collation,
 * because the server could then find "A" for the _id "a". */
bool mt_mongo_may_change (MtMongo *m, const char *collection, MtError *err);
bool mt_mongo_may_insert (MtMongo *m, const char *collection, MtVal id, MtError *err);

/* ---- probe.c ---- */

/* Tests which stages and operators the server lacks, and sets caps.lacking. */
void mt_mongo_probe (MtMongo *m);

/* ---- step.c ---- */

bool mt_mongo_begin (MtEngine *e, MtError *err);
bool mt_mongo_commit (MtEngine *e, MtError *err);
void mt_mongo_rollback (MtEngine *e);
/* Implement mt_engine_txn_in_pieces: a transaction whose steps are committed on the server one by
 * one, and a rollback undoes them all. */
void mt_mongo_pieces (MtEngine *e);
bool mt_mongo_pieces_commit (MtEngine *e, MtError *err);
void mt_mongo_pieces_rollback (MtEngine *e);
const char *mt_mongo_leftover (const MtEngine *e);

/* ---- define.c ---- */

bool mt_mongo_create (MtEngine *e, const char *name, MtError *err);
/* Creates a collection with these options (NULL: none). If the server refuses, *error has the
 * server's error, and *err is not set. */
bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err);
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);
void mt_mongo_own (MtEngine *e, const char *name);
bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err);
/* If the collection is to be dropped at the commit, drops or renames it now. Call it before writing
 * to a collection of this name. */
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

/* Finds a document by its _id, compared as bytes. *doc is NULL if there is none; otherwise the
 * caller owns it. */
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
