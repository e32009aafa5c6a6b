/* Undoing what a step has sent. */
#ifndef MT_MONGO_UNDO_H
#define MT_MONGO_UNDO_H

#include "engine/mongo/write/write.h"

/* ---- undo.c ---- */

/* Undoes all of m->undo. m->leftover names the collections of what can't be undone. connected
 * false: nothing can. */
void mt_mongo_undo_all (MtMongo *m, bool connected);

/* ---- collections.c: at once ---- */

bool mt_mongo_drop_now (MtMongo *m, const char *name, MtError *err); /* a missing one is no error */
bool mt_mongo_rename_now (MtMongo *m, const char *name, const char *to, MtError *err);
bool mt_mongo_drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err);

/* ---- same.c ---- */

/* Adds to a filter that a document is still `doc`, and has none of the other fields. 0A000 for
 * names of fields that can't be paths. */
bool mt_mongo_same_as (const bson_t *doc, const char *const *fields, size_t field_count,
                       bson_t *filter, MtError *err);
/* Replaces the document that the filter describes by `doc`; NULL: deletes it. *replaced false:
 * there is none. */
bool mt_mongo_replace_where (MtMongo *m, const char *collection, const bson_t *filter,
                             const bson_t *doc, bool *replaced, MtError *err);
/* *inserted false: there is a document of its _id. */
bool mt_mongo_insert_new (MtMongo *m, const char *collection, const bson_t *doc, bool *inserted,
                          MtError *err);
bool mt_mongo_put_same_back (MtMongo *m, const MtUndo *u);

/* ---- increments.c, made.c ---- */

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u);
/* Adds `was` to a document, and subtracts `is`. */
bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is);
void mt_mongo_unmake (MtMongo *m, const MtUndo *u);

/* ---- behind.c ---- */

/* Undoes m's step in a job, which takes over m->undo, and the connection if no cursor is open.
 * Returns when the job is over, or soon after a cancel. Then the collections count as left over,
 * and the job goes on. */
void mt_mongo_undo (MtMongo *m);
/* Removes the documents that give signs of life, in the same way. */
void mt_mongo_retire (MtEngine *e);
/* Waits until an earlier step is undone. 57014 */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err);
void mt_mongo_free (MtMongo *m); /* no step is open */

#endif
