/* Sending a step's writes to a server, and recording how a rollback undoes the writes. */
#ifndef MT_MONGO_WRITE_H
#define MT_MONGO_WRITE_H

#include "engine/mongo/conn/conn.h"

/* ---- ids.c ---- */

/* Makes the next step use another prefix for new ObjectIds. */
void mt_mongo_forget_prefix (MtMongo *m);
/* Makes the _id of a document that the step inserts. */
void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid);
/* Makes the _id of a document that the step inserts, and records that a rollback deletes the
 * document. */
void mt_mongo_new_id (MtMongo *m, const char *collection, bson_oid_t *oid);

/* ---- undo_list.c ---- */

typedef enum MtUndoKind {
   MT_UNDO_OID_RANGE, /* delete the documents with ObjectIds from `from` to `to` */
   MT_UNDO_IDS,       /* delete the documents whose _ids are in `doc` */
   MT_UNDO_RESTORE,   /* store `doc` again, which was replaced or deleted */
   /* `doc` is a list of {old, doc, fields, was, is}. If the stored document is still `doc`, or was
    * deleted, store `old` again. If others have changed it, add `was` - `is`. */
   MT_UNDO_SAME,
   /* `doc` is a list of {id, u, slots}: subtract the increments' amounts, and remove the fields and
    * array elements that they set. */
   MT_UNDO_INCREMENT,
   /* `doc` is a list of {id, first}: remove documents that increments created, if they now have
    * only `first` and zeros. Undone after all other entries. */
   MT_UNDO_MADE,
   MT_UNDO_NEWER,  /* `doc` is a list of {now, was}: replace `now` by `was`, or delete it */
   MT_UNDO_CREATE, /* drop the collection */
   MT_UNDO_RENAME, /* `doc` is {to: …}: the collection of that name gets this name back */
   MT_UNDO_INDEX,  /* `doc` is {name: …}: drop the index */
   MT_UNDO_STEP    /* marks the beginning of a step, if each step is committed by itself */
} MtUndoKind;

struct MtUndo {
   MtUndoKind kind;
   MtUndo *next;
   char *name; /* name of the collection; "" for MT_UNDO_STEP */
   bson_oid_t from, to;
   bson_t *doc;
   uint32_t count; /* number of _ids in `doc` */
   bool fresh;     /* no other client can have these _ids */
};

/* Returns whether the step must record its writes, because a rollback has to undo them one by
 * one. */
bool mt_mongo_keeps (const MtMongo *m);
/* Adds a collection to m->leftover: a rollback may leave documents of the step in it. */
void mt_mongo_leave (MtMongo *m, const char *name);
/* Adds an entry to the undo list, which owns the entry. */
MtUndo *mt_undo_add (MtMongo *m, MtUndoKind kind, const char *name);
/* Returns a text field of the entry's `doc`; "" if there is none. Borrowed. */
const char *mt_undo_text (const MtUndo *u, const char *field);
/* Sets error 54000, because a transaction has too many writes to undo, and returns false. */
bool mt_undo_too_much (MtError *err);
/* Records that the step inserted a document with an _id made by mt_mongo_next_id. */
void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid);
/* Records that the step inserted a document with this _id. fresh: no other client can have the same
 * _id. */
void mt_mongo_remember_id (MtMongo *m, const char *name, MtVal id, bool fresh);
/* Records that the step replaces or deletes the document `old`. Takes ownership of `old`. */
void mt_mongo_remember_old (MtMongo *m, const char *name, bson_t *old);
/* Reads the stored document with this _id, and records that the step replaces or deletes the
 * document. 54000 if there is too much to undo. */
bool mt_mongo_remember_stored (MtMongo *m, const char *name, MtVal id, MtError *err);
/* Records that an increment of the step created a document with the fields `first`. */
void mt_mongo_remember_made (MtMongo *m, const char *collection, MtVal id, MtVal first);
/* Returns the list (MtUndo.doc) to which an entry of this kind is appended. NULL: there is too much
 * to undo, and the collection is in m->leftover. */
bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name);
void mt_mongo_forget_undo (MtMongo *m);

/* Returns whether the engine's open step (begin … commit) created a collection. If each step of a
 * transaction is committed by itself, the transaction's earlier steps count, too. */
bool mt_undo_makes_collections (const MtMongo *m);
/* Like mt_undo_makes_collections, but only for the collection `name`. */
bool mt_mongo_made_in_step (const MtMongo *m, const char *name);
/* Changes the undo list after other clients took this step for dead. They may use collections that
 * the step created. So a rollback deletes only documents there that can't be theirs. */
void mt_undo_disown (MtMongo *m);
/* Limits m->undo to the entries of the last step. Returns the earlier entries, which the caller
 * must put back. */
MtUndo *mt_undo_cut_step (MtMongo *m);
void mt_undo_remove_marks (MtMongo *m);

/* Records a new name of a collection that waits to be dropped at the commit. */
void mt_drops_rename (MtMongo *m, const char *name, const char *now);
/* Keeps only the first `kept` of the collections that wait to be dropped at the commit. */
void mt_drops_forget (MtMongo *m, size_t kept);

void mt_mongo_write_fini (MtMongo *m);

/* ---- txn.c ---- */

void mt_txn_begin_step (MtMongo *m);
/* Makes the step, which has just begun, a transaction block of several statements. 0A000 if the
 * server has no transactions. */
bool mt_txn_block (MtEngine *e, MtError *err);
/* Checks that collections and indexes may be created now. 0A000 in a transaction block. */
bool mt_txn_no_definition (const MtMongo *m, MtError *err);
/* Checks that a change of the collection can be undone. 0A000 if the transaction's steps commit one
 * by one, and none of them created the collection. */
bool mt_txn_undoable (const MtMongo *m, const char *collection, MtError *err);
/* Makes an undecided step (MT_STEP_UNDECIDED) a transaction. Sends nothing yet. */
bool mt_txn_enter (MtMongo *m, MtError *err);
/* Aborts the step's transaction, and begins another one for the step. */
bool mt_txn_restart (MtMongo *m, MtError *err);
/* Commits the transaction, without a retry. *conflict: the commit failed because of another
 * client's write, so the transaction can be repeated. */
bool mt_txn_commit_once (MtMongo *m, bool *conflict, MtError *err);
void mt_txn_abort (MtMongo *m);

/* ---- places.c ---- */

/* A view of one document's increments, which a batch stores as {id, u: {$inc, $set, $setOnInsert},
 * slots}. All values are borrowed. */
typedef struct MtMongoInc {
   MtVal all, id;
   MtVal update;                       /* the update to send, if `slots` is empty */
   MtVal amounts, fresh, first, slots; /* as in MtIncrement; empty documents: none */
} MtMongoInc;

MtMongoInc mt_mongo_inc (MtVal kept); /* kept MT_MISSING: no increments */
static inline bool mt_has_fields (MtVal doc) { return doc.len > 5; } /* an empty document's size */

/* Receives a place that must not have a value yet: a field of MtIncrement.fresh, or (slot) an array
 * element of MtIncrement.slots. False stops the iteration. */
typedef bool (*MtPlaceFn) (void *ctx, const char *path, MtVal v, bool slot);
bool mt_mongo_each_place (const MtMongoInc *op, MtPlaceFn fn, void *ctx);
/* Adds the condition to a filter that none of the increment's fresh fields and slots has a value
 * yet. */
void mt_mongo_filter_places (MtBson *filter, const MtMongoInc *op);
/* Appends the stages of an update pipeline that sets the increment's array elements (slots). */
void mt_mongo_slots_pipeline (MtBson *update, const MtMongoInc *op);
/* Reads the stored document to find out why an increment changed nothing. 23505 if a fresh field or
 * slot has a value, 22003 if a number would overflow. True: the increment may be sent again. */
bool mt_mongo_look_at_places (MtMongo *m, const char *collection, const MtMongoInc *op,
                              MtError *err);

/* ---- increment.c ---- */

/* Checks that a rollback could undo the increments. 0A000 if an amount, such as infinity, has no
 * opposite. */
bool mt_increment_has_opposite (const char *collection, const bson_t *amounts, MtError *err);
/* Appends one document's increments to a batch, in the form that MtMongoInc reads. The update in it
 * is finished, so that the server need not wait for it later. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what);
/* Add an increment's update, or the update that undoes it, to a bulk write. */
bool mt_increment_add (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e);
bool mt_increment_add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op);

/* ---- send_inserts.c, send_increments.c ---- */

/* Send a batch outside of a transaction. Operations that meet another client's write are sent
 * again. */
bool mt_mongo_send_inserts (MtMongo *m, const MtMongoBatch *b, MtError *err);
bool mt_mongo_send_increments (MtMongo *m, const MtMongoBatch *b, MtError *err);
/* Send a batch in a transaction, without a retry. *conflict: the server ended the transaction
 * because of another client's write. */
bool mt_mongo_insert_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);
bool mt_mongo_increment_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);

/* ---- send.c ---- */

/* Sends a batch, and empties it. */
bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err);
/* Repeats a transaction that has only added, after the server ended it because of another client's
 * write. commit: also commits the transaction. False: *err has the last error. */
bool mt_mongo_replay (MtMongo *m, bool commit, MtError *err);

/* ---- sender.c ---- */

/* Waits until the sending thread has sent its batch. False: that batch failed. */
bool mt_mongo_settle (MtMongo *m, MtError *err);
/* Returns whether the sending thread has a batch. If so, only the thread may use the connection,
 * until mt_mongo_settle. */
bool mt_mongo_is_sending (const MtMongo *m);
/* Clears the sending thread's error of the last step. The thread must be idle. */
void mt_mongo_forget_outcome (MtMongo *m);
void mt_mongo_stop_sending (MtMongo *m);
bool mt_mongo_failed_late (const MtEngine *e);
bool mt_mongo_sent (MtEngine *e, MtError *err);
/* Called after a document was added to a batch. If the batch is full enough, sends it, or gives it
 * to the sending thread. */
bool mt_mongo_gathered (MtMongo *m, MtMongoBatch *b, MtError *err);

/* ---- flush.c ---- */

/* Sends all waiting batches. */
bool mt_mongo_flush (MtMongo *m, MtError *err);
/* Decides that an undecided step uses no transaction (MT_STEP_PLAIN), and sends all waiting
 * batches. */
bool mt_txn_plain (MtMongo *m, MtError *err);
/* Counts inserted bytes, and decides whether the step can be one transaction. *wait: nothing need
 * be sent yet. 54000 if a transaction block inserts too much. */
bool mt_txn_gathered (MtMongo *m, size_t bytes, bool *wait, MtError *err);
bool mt_txn_commit (MtMongo *m, MtError *err);

#endif
