/* Undoes the writes that a step (the batch of writes from begin to commit or rollback) has sent to
 * a server, one by one. */
#ifndef MT_MONGO_UNDO_H
#define MT_MONGO_UNDO_H

#include "engine/mongo/write/write.h"

/* ---- undo.c ---- */

/* Undoes all elements of m->undo, the list of the step's writes. Collections that can't be restored
 * are added to m->leftover, for an error message. If `connected` is false, undoes nothing, because
 * there is no connection. */
void mt_mongo_undo_all (MtMongo *m, bool connected);

/* ---- collections.c: at once ---- */

/* Drops a collection at once. A missing collection is no error. */
bool mt_mongo_drop_now (MtMongo *m, const char *name, MtError *err);
bool mt_mongo_rename_now (MtMongo *m, const char *name, const char *to, MtError *err);
bool mt_mongo_drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err);

/* ---- same.c ---- */

/* Adds to a filter the condition that a document equals `doc`, and has no other fields of the list
 * `fields`. Fails with 0A000 if the name of a field can't be used as a path. */
bool mt_mongo_same_as (const bson_t *doc, const char *const *fields, size_t field_count,
                       bson_t *filter, MtError *err);
/* Replaces the document that matches the filter by `doc`; if `doc` is NULL, deletes it. *replaced
 * is false if no document matches. */
bool mt_mongo_replace_where (MtMongo *m, const char *collection, const bson_t *filter,
                             const bson_t *doc, bool *replaced, MtError *err);
/* Inserts a document. *inserted is false if its _id exists; that is no error. */
bool mt_mongo_insert_new (MtMongo *m, const char *collection, const bson_t *doc, bool *inserted,
                          MtError *err);
bool mt_mongo_put_same_back (MtMongo *m, const MtUndo *u);

/* ---- increments.c, made.c ---- */

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u);
/* Adds the increments `was` to a document, and subtracts the increments `is`, in one update. */
bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is);
void mt_mongo_unmake (MtMongo *m, const MtUndo *u);

/* ---- behind.c ---- */

/* Undoes m's step (the writes since its begin) in a background job, to which m->undo is moved, and
 * the connection, too, if no cursor is open. Returns when the job has ended. After a cancel,
 * returns soon while the job goes on; then m->leftover names the collections that may not be
 * restored yet. */
void mt_mongo_undo (MtMongo *m);
/* Deletes the documents that have heartbeats (mt_engine_beat) in a background job. After a cancel,
 * returns soon while the job goes on. */
void mt_mongo_retire (MtEngine *e);
/* Waits for the background job that undoes an earlier step (a batch of writes). Fails with 57014 if
 * the statement is cancelled. */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err);
void mt_mongo_free (MtMongo *m); /* no step must be open */

#endif
