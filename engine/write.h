/* Writing documents. A call outside of a step is a step of its own (engine/steps.h). */
#ifndef MT_ENGINE_WRITE_H
#define MT_ENGINE_WRITE_H

#include "engine/types.h"

/* Appends a document. The engine gathers documents into batches. A document without _id gets an
 * ObjectId as its first field. check_ids: 23505 if the _id exists. Without check_ids, the caller
 * guarantees a new _id. 54000 for a document over 16 MiB. */
bool mt_engine_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                       MtError *err);
/* Makes a unique ObjectId. Ids of one engine ascend, except for an overflow once in 16 million
 * ids. */
void mt_engine_new_id (MtEngine *e, bson_oid_t *out);
/* Replaces the document with doc's _id, or inserts doc. */
bool mt_engine_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_engine_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                          MtError *err);
/* Like mt_engine_delete_id. But if steps commit one by one (mt_engine_txn_in_pieces) and this call
 * is a step of its own, a rollback does not restore the document. */
bool mt_engine_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                             MtError *err);
/* Deletes all documents that match the filter. On a server, a rollback can't undo this deletion. So
 * use it only for documents that nobody reads any more. */
bool mt_engine_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                                uint64_t *deleted, MtError *err);

/* ---- increments ---- */

/* The changes that mt_engine_increment makes to a document. Paths are field names joined by
 * dots. */
typedef struct MtIncrement {
   const bson_t *amounts; /* {path: number, …}: numbers that are added to fields */
   const bson_t *first;   /* {path: value, …}: set only if the document is created */
   /* {path: value, …}: values for fields that must be missing or null before. NULL or empty: none.
    * Only with caps.fresh_fields. */
   const bson_t *fresh;
   /* {path: [value or null, …], …}: values for array elements that must be missing or null before.
    * null leaves an element alone. Arrays are created, or extended by nulls. NULL or empty: none.
    * Only with caps.fresh_slots. */
   const bson_t *slots;
} MtIncrement;

/* Applies increments to the document of that _id; creates a missing document. If a field of `fresh`
 * or an element of `slots` already has a value, the document stays unchanged: 23505, at the latest
 * from mt_engine_incremented. Increments are sent in batches, in any order. 42804 for a field that
 * is no number. On a server, 08007 after a lost answer: some increments may be missing. Only with
 * caps.increments. */
bool mt_engine_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                          MtError *err);
/* Sends all waiting increments. *made: the number of documents that increments created since the
 * step began. */
bool mt_engine_incremented (MtEngine *e, uint64_t *made, MtError *err);

/* ---- numbers that several clients keep in one document ---- */

typedef struct MtAdjust {
   const bson_t *also; /* {path: value or condition, …}: conditions on the document; NULL: none */
   /* Each is {path: value, …}; NULL or empty: none. `add` adds numbers, `set` replaces values.
    * `lower` stores the lesser of the old and the new value, `raise` the greater. */
   const bson_t *add, *lower, *raise, *set;
   /* fields set only if the document is created; NULL: a missing document is not created */
   const bson_t *first;
   bool within; /* the change is part of the step's transaction, if it has one */
   bool undone; /* a rollback of the step puts the document back */
   /* Gets the changed document, in arena `a`; NULL if !*found. Not with `then`, `within` or
    * `undone`. NULL: the document is not wanted. */
   bson_t **after;
   MtArena *a;
   /* In the second change (`then`): *came is set if its document was created. That document sends
    * signs of life (mt_engine_beat). */
   bool *came;
   /* The _id of a second document, which the same command changes by `then`, even if the first
    * document is not found. `then` needs `first`, and must not have `also`. Not with `within`.
    * `then` NULL: no second document. */
   MtVal then_id;
   const struct MtAdjust *then;
} MtAdjust;

/* Changes the document of that _id at once. By default, the change is outside of transactions, and
 * a rollback does not undo it. *found: the document exists and meets the conditions in `also`. Only
 * with caps.adjusts. */
bool mt_engine_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a,
                       bool *found, MtError *err);

/* ---- the newest document of an _id ---- */

/* The paths that decide which of two documents is newer. At the first path whose values differ, the
 * document with the greater value is newer. Missing and NULL are least; NaN is the greatest number;
 * strings and binaries compare by their bytes. */
typedef struct MtNewer {
   const char *const *paths;
   size_t count;
} MtNewer;

/* Compares two documents by the paths in `by`. Returns > 0 if a is newer than b, < 0 if b is newer,
 * else 0. */
int mt_newer_compare (MtVal a, MtVal b, const MtNewer *by);

typedef struct MtNewerCounts {
   uint64_t made; /* documents that were created */
   double bytes;  /* growth of all documents together */
} MtNewerCounts;

/* Documents of different _ids for one collection. */
typedef struct MtNewerDocs {
   const char *collection;
   const bson_t *const *docs;
   size_t count;
   const MtNewer *by;
} MtNewerDocs;

/* Stores each document, unless the stored document of its _id is at least as new. If another writer
 * changes a document meanwhile, the documents are compared again. On a server the writes are
 * outside of the step's transaction. In a transaction block they are inside, and another writer's
 * change gives 40001. Adds to *counts. */
bool mt_engine_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);

/* ---- writes that other writers can refuse; only with caps.unique_indexes ---- */

/* Inserts documents without an _id, except those whose key is already in a unique index.
 * refused[i]: document i was not inserted. If two clients insert the same key, one insert is
 * refused. 0A000 within a transaction. */
bool mt_engine_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                              size_t count, bool *refused, MtError *err);

typedef struct MtReplaceSame {
   const char *collection;
   const bson_t *old; /* NULL: doc is inserted, unless its _id exists */
   const bson_t *doc; /* has the same _id as `old`; NULL: `old` is deleted */
   /* All top-level fields that documents may have; fields that `old` lacks must still be
    * missing. */
   const char *const *fields;
   size_t field_count;
   /* `old` and `doc` in the form of increments, if other clients increment such documents. If
    * another client has changed `doc`, a rollback adds the difference of both. NULL: then a
    * rollback can't restore the document. */
   const MtIncrement *was, *is;
} MtReplaceSame;

/* Replaces the document `old` by `doc`, if the stored document is still equal to `old`. *replaced
 * false: another client has changed it. 0A000 within a transaction, or if a field's name can't be a
 * path. */
bool mt_engine_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);

#endif
