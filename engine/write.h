/* Writes documents. A call outside of a step (begin to commit, engine/steps.h) is a step of its
 * own. */
#ifndef MT_ENGINE_WRITE_H
#define MT_ENGINE_WRITE_H

#include "engine/types.h"

/* Inserts a document, together with others in a batch. If it has no _id, a generated ObjectId
 * becomes its first field. With `check_ids`, fails with 23505 if the _id exists; otherwise the
 * caller guarantees that it is new. Fails with 54000 for a document over 16 MiB. Errors can come
 * from later calls. */
bool mt_engine_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                       MtError *err);
/* Generates a unique ObjectId. The ids of one engine ascend, except once in 16 million ids. */
void mt_engine_new_id (MtEngine *e, bson_oid_t *out);
/* Replaces the document that has the _id of `doc`; inserts `doc` if there is none. */
bool mt_engine_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_engine_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                          MtError *err);
/* Like mt_engine_delete_id. But in a transaction whose steps are committed one by one
 * (mt_engine_txn_in_pieces), a rollback does not restore the document, if this call is a step of
 * its own. */
bool mt_engine_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                             MtError *err);
/* Deletes all documents that match the filter; *deleted is their number. On a server a rollback
 * can't undo this. So use it only for documents that nobody reads any more. */
bool mt_engine_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                                uint64_t *deleted, MtError *err);

/* ---- increments ---- */

/* The changes of mt_engine_increment to a document. Paths are field names joined by dots. */
typedef struct MtIncrement {
   const bson_t *amounts; /* {path: number, …}: numbers that are added to fields */
   const bson_t *first;   /* {path: value, …}: set only if the document is created */
   /* {path: value, …}: fields to set, which must be missing or null before. NULL or empty: none.
    * Only with caps.fresh_fields. */
   const bson_t *fresh;
   /* {path: [value or null, …], …}: elements of arrays to set, which must be missing or null
    * before; null leaves an element unchanged. Missing arrays are created, short ones are extended
    * with nulls. NULL or empty: none. Only with caps.fresh_slots. */
   const bson_t *slots;
} MtIncrement;

/* Applies increments to the document with this _id, which is created if needed. If a field of
 * `fresh` or an element of `slots` already has a value, the document stays unchanged, and the call
 * fails with 23505. Increments are sent in batches, in any order, so errors can come as late as
 * mt_engine_incremented. Fails with 42804 for a field that is not a number. On a server, 08007
 * after a lost reply: some increments may be missing. Only with caps.increments. */
bool mt_engine_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                          MtError *err);
/* Sends all waiting increments. *made is the number of documents that increments have created in
 * the step. */
bool mt_engine_incremented (MtEngine *e, uint64_t *made, MtError *err);

/* ---- numbers that several clients keep in one document ---- */

typedef struct MtAdjust {
   const bson_t *also; /* {path: value or condition, …}: conditions on the document; NULL: none */
   /* Each is {path: value, …}; NULL or empty: none. `add` adds to numbers, `set` sets fields.
    * `lower` stores the minimum of the old and the new value, `raise` the maximum. */
   const bson_t *add, *lower, *raise, *set;
   /* further fields of a document that must be created; NULL: a missing document is not created */
   const bson_t *first;
   bool within; /* the change is part of the step's transaction, if it has one */
   bool undone; /* a rollback of the step puts the document back */
   /* if not NULL, gets the changed document, allocated in arena `a`; NULL if it was not found. Not
    * with `then`, `within` or `undone`. */
   bson_t **after;
   MtArena *a;
   /* only in the second change (`then`): *came is set if that change created its document, which
    * has heartbeats (mt_engine_beat) */
   bool *came;
   /* a second document, and its change `then`, which the same command makes even if the first
    * document is not found. `then` needs `first`, and must not have `also`. Not with `within`.
    * `then` NULL: no second document */
   MtVal then_id;
   const struct MtAdjust *then;
} MtAdjust;

/* Changes the document with this _id at once. Unless a->within or a->undone is set, the change is
 * made outside of the step's transaction, and a rollback does not undo it. *found is true if the
 * document exists (or was created) and meets the conditions a->also. Only with caps.adjusts. */
bool mt_engine_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a,
                       bool *found, MtError *err);

/* ---- the newest document of an _id ---- */

/* The fields that decide which of two documents is newer: at the first path whose values differ,
 * the greater value is newer. Missing and null are least; NaN is the greatest number; strings and
 * binary values compare by bytes. */
typedef struct MtNewer {
   const char *const *paths;
   size_t count;
} MtNewer;

/* Compares two documents by these fields. Returns > 0 if a is newer than b, < 0 if b is newer, and
 * 0 if neither is. */
int mt_newer_compare (MtVal a, MtVal b, const MtNewer *by);

typedef struct MtNewerCounts {
   uint64_t made; /* documents that were created */
   double bytes;  /* growth of all documents together */
} MtNewerCounts;

/* Documents to store in one collection; their _ids must differ. */
typedef struct MtNewerDocs {
   const char *collection;
   const bson_t *const *docs;
   size_t count;
   const MtNewer *by;
} MtNewerDocs;

/* Stores each document, unless a stored document with its _id is at least as new. If another client
 * changes a stored document meanwhile, the documents are compared again. On a server the writes are
 * outside of the step's transaction. But in a transaction block they are inside, and another
 * client's change fails with 40001. Adds to *counts. */
bool mt_engine_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);

/* ---- writes that other writers can refuse; only with caps.unique_indexes ---- */

/* Inserts documents without _ids, except those whose key already exists in a unique index: for them
 * refused[i] is set. If two clients insert the same key at the same time, one of them is refused.
 * Fails with 0A000 in a transaction. */
bool mt_engine_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                              size_t count, bool *refused, MtError *err);

typedef struct MtReplaceSame {
   const char *collection;
   const bson_t *old; /* NULL: doc is inserted, unless its _id exists */
   const bson_t *doc; /* has the same _id as `old`; NULL: `old` is deleted */
   /* all top-level fields that such documents can have; those that `old` lacks must be missing in
    * the stored document, too */
   const char *const *fields;
   size_t field_count;
   /* `old` and `doc` as increments of a common document, if other clients increment it as well. If
    * another client has changed `doc`, a rollback then adds the difference `was` - `is`. NULL: in
    * that case a rollback can't undo the change */
   const MtIncrement *was, *is;
} MtReplaceSame;

/* Replaces the document r->old by r->doc, if the stored document still equals r->old. *replaced is
 * false if another client has changed it. Fails with 0A000 in a transaction, or if the name of a
 * field can't be used as a path. */
bool mt_engine_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);

#endif
