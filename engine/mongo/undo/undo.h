/* Undoing the writes that a step has sent to a server, one by one. */
#ifndef MT_MONGO_UNDO_H
#define MT_MONGO_UNDO_H

#include "engine/mongo/write/write.h"

/* ---- undo.c ---- */

/* Undoes all entries of m->undo. Adds collections that can't be restored to m->leftover. connected
 * false: undoes nothing, because there is no connection. */
void mt_mongo_undo_all (MtMongo *m, bool connected);

/* ---- collections.c: at once ---- */

/* A missing collection is no error. */
bool mt_mongo_drop_now (MtMongo *m, const char *name, MtError *err);
bool mt_mongo_rename_now (MtMongo *m, const char *name, const char *to, MtError *err);
bool mt_mongo_drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err);

/* ---- same.c ---- */

/* Adds the condition to a filter that a document is still equal to `doc`, and has none of the other
 * fields in `fields`. 0A000 if a field's name can't be a path. */
bool mt_mongo_same_as (const bson_t *doc, const char *const *fields, size_t field_count,
                       bson_t *filter, MtError *err);
/* Replaces the document that matches the filter by `doc`; doc NULL: deletes the document. *replaced
 * false: no document matches. */
bool mt_mongo_replace_where (MtMongo *m, const char *collection, const bson_t *filter,
                             const bson_t *doc, bool *replaced, MtError *err);
/* Inserts a document, unless its _id exists. *inserted false: the _id exists. */
bool mt_mongo_insert_new (MtMongo *m, const char *collection, const bson_t *doc, bool *inserted,
                          MtError *err);
bool mt_mongo_put_same_back (MtMongo *m, const MtUndo *u);

/* ---- increments.c, made.c ---- */

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u);
/* Adds the increments `was` to a document, and subtracts the increments `is`. */
bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is);
void mt_mongo_unmake (MtMongo *m, const MtUndo *u);

/* ---- behind.c ---- */

/* Undoes m's step in a background job. The job takes over m->undo, and the connection if no cursor
 * is open. Returns when the job is over. After a cancel, returns soon, with the collections in
 * m->leftover, and the job goes on. */
void mt_mongo_undo (MtMongo *m);
/* Removes the documents that give signs of life (mt_engine_beat) in a background job. After a
 * cancel, returns soon, and the job goes on. */
void mt_mongo_retire (MtEngine *e);
/* Waits for the background job that undoes an earlier step. 57014 if cancelled. */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err);
void mt_mongo_free (MtMongo *m); /* no step must be open */

#endif
