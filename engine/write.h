/* Writing documents. A call outside of a step is a step of its own (engine/steps.h). */
#ifndef MT_ENGINE_WRITE_H
#define MT_ENGINE_WRITE_H

#include "engine/types.h"

/* Appends a document. The engine gathers documents into batches. A document without _id gets an
 * ObjectId as its first field. 23505 for an _id that exists, if check_ids; otherwise the caller
 * guarantees a fresh _id. 54000 for a document over 16 MiB. */
bool mt_engine_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                       MtError *err);
/* Makes an ObjectId that no other engine makes. Ids ascend, but for an overflow once in 16
 * million. */
void mt_engine_new_id (MtEngine *e, bson_oid_t *out);
/* Replaces the document with doc's _id, or inserts doc. */
bool mt_engine_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_engine_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                          MtError *err);
/* The same. If the call is a step of its own in a transaction in pieces, the document stays deleted
 * when the transaction is undone. */
bool mt_engine_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                             MtError *err);
/* Deletes all documents that match. On a server that happens at once, outside of the step, and
 * can't be undone: only for documents that nobody reads any more. */
bool mt_engine_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                                uint64_t *deleted, MtError *err);

/* ---- increments ---- */

/* Paths are names joined by dots. */
typedef struct MtIncrement {
   const bson_t *amounts; /* {path: number, …}: added to fields */
   const bson_t *first;   /* {path: value, …}: further fields of a document that is created */
   /* {path: value, …}: fields that have no value, or null, get these values. NULL or empty: none.
    * Only with caps.fresh_fields. */
   const bson_t *fresh;
   /* {path: [value or null, …], …}: the same for elements of arrays. Arrays are created, or
    * extended by nulls; null is no value. NULL or empty: none. Only with caps.fresh_slots. */
   const bson_t *slots;
} MtIncrement;

/* Adds to the document of that _id, which is created if it is missing. If a fresh field or slot has
 * a value, the document is not changed: 23505, at the latest from mt_engine_incremented. Increments
 * gather like inserts, and have no order among themselves. 42804 for a field that is no number. On
 * a server a lost answer leaves open which increments were applied (08007). Only with
 * caps.increments. */
bool mt_engine_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                          MtError *err);
/* Sends what waits. *made: the number of documents that increments created since begin. */
bool mt_engine_incremented (MtEngine *e, uint64_t *made, MtError *err);

/* ---- numbers that several clients keep in one document ---- */

typedef struct MtAdjust {
   const bson_t *also; /* {path: value or condition, …} that the document must meet; NULL: none */
   /* {path: value, …}; NULL or empty: none. lower: the lesser of both values, raise: the
    * greater. */
   const bson_t *add, *lower, *raise, *set;
   const bson_t *first; /* further fields of a document that is created; NULL: none is created */
   bool within;         /* the change is part of the step's transaction, if it has one */
   bool undone;         /* a rollback of the step puts the document back */
   /* For `then`: set if the document, which gives signs of life (mt_engine_beat), was created. */
   bool *came;
   /* The same command also changes another document of the collection, after this one, whether or
    * not this one is found. `then` has `first`, and no `also`. Not with `within`. NULL: none. */
   MtVal then_id;
   const struct MtAdjust *then;
} MtAdjust;

/* Changes the document of that _id at once. By default that is outside of transactions, and is not
 * undone. *found: the document exists and meets `also`. Only with caps.adjusts. */
bool mt_engine_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a,
                       bool *found, MtError *err);

/* ---- the newest document of an _id ---- */

/* The first path whose values differ decides; the document with the greater value is newer. Missing
 * and NULL are least, NaN is the greatest number, strings and binaries compare by their bytes. */
typedef struct MtNewer {
   const char *const *paths;
   size_t count;
} MtNewer;

/* < 0, 0 or > 0, as strcmp. */
int mt_newer_compare (MtVal a, MtVal b, const MtNewer *by);

typedef struct MtNewerCounts {
   uint64_t made; /* documents that were created */
   double bytes;  /* by which all documents grew */
} MtNewerCounts;

/* Documents of different _ids for one collection. */
typedef struct MtNewerDocs {
   const char *collection;
   const bson_t *const *docs;
   size_t count;
   const MtNewer *by;
} MtNewerDocs;

/* Stores each document, unless the stored document of its _id is at least as new. Safe with several
 * writers: what another writer changes meanwhile is compared again. On a server the writes are
 * outside of the step's transaction, except in a block, where another's change is 40001. Adds to
 * *counts. */
bool mt_engine_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);

/* ---- writes that other writers can refuse; only with caps.unique_indexes ---- */

/* Inserts documents that have no _id. refused[i]: a unique index has its key already; all others
 * are inserted. If two clients insert the same key, one of them is refused. 0A000 within a
 * transaction. */
bool mt_engine_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                              size_t count, bool *refused, MtError *err);

typedef struct MtReplaceSame {
   const char *collection;
   const bson_t *old;         /* NULL: doc is inserted, unless its _id exists */
   const bson_t *doc;         /* with old's _id; NULL: old is deleted */
   const char *const *fields; /* top-level fields that documents may have: those that `old` lacks
                               * must still be missing */
   size_t field_count;
   /* If other clients add to such documents: old and doc as increments that create them. A rollback
    * adds the difference to a document that isn't `doc` any more. NULL: such a document stays, and
    * is left over. */
   const MtIncrement *was, *is;
} MtReplaceSame;

/* Replaces `old` by `doc`. *replaced false: another client has changed `old`. 0A000 within a
 * transaction, or if a field's name can't be a path. */
bool mt_engine_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);

#endif
