/* Sends the writes of a step (from begin to commit or rollback) to a server, and records how a
 * rollback undoes them. */
#ifndef MT_MONGO_WRITE_H
#define MT_MONGO_WRITE_H

#include "engine/mongo/conn/conn.h"

/* ---- ids.c ---- */

/* Makes the next step (batch of writes) generate its ObjectIds with another prefix. */
void mt_mongo_forget_prefix (MtMongo *m);
/* Sets *oid to a generated _id for a document that the step inserts. */
void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid);
/* Sets *oid to a generated _id, and records that a rollback deletes the document with it. */
void mt_mongo_new_id (MtMongo *m, const char *collection, bson_oid_t *oid);

/* ---- undo_list.c ---- */

typedef enum MtUndoKind {
   MT_UNDO_OID_RANGE, /* delete the documents with ObjectIds from `from` to `to` */
   MT_UNDO_IDS,       /* delete the documents whose _ids are in `doc` */
   MT_UNDO_RESTORE,   /* store `doc` again, which was replaced or deleted */
   /* `doc` is a list of {old, doc, fields, was, is}. If the stored document still equals `doc`, or
    * is gone, store `old` again. If others have changed it, add `was` - `is` to it. */
   MT_UNDO_SAME,
   /* `doc` is a list of {id, u, slots}: subtract the amounts of the increments, and remove the
    * fields and array elements that they set. */
   MT_UNDO_INCREMENT,
   /* `doc` is a list of {id, first}: remove documents that increments created, if they now have
    * only `first` and zeros. Undone after everything else. */
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

/* Returns whether the step (an uncommitted batch) must record its writes, because it is no
 * transaction on the server, and a rollback must undo them one by one. */
bool mt_mongo_keeps (const MtMongo *m);
/* Adds a collection to m->leftover, the list of collections in which a rollback may leave documents
 * of the step. */
void mt_mongo_leave (MtMongo *m, const char *name);
/* Adds an element to the undo list and returns it. The list owns it. */
MtUndo *mt_undo_add (MtMongo *m, MtUndoKind kind, const char *name);
/* Returns a text field of u->doc, borrowed; "" if there is none. */
const char *mt_undo_text (const MtUndo *u, const char *field);
/* Sets error 54000 (the transaction has too many writes to undo), and returns false. */
bool mt_undo_too_much (MtError *err);
/* Records that the step inserts a document with an _id from mt_mongo_next_id. */
void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid);
/* Records that the step inserted a document with this _id. `fresh`: no other client can have the
 * same _id. */
void mt_mongo_remember_id (MtMongo *m, const char *name, MtVal id, bool fresh);
/* Records that the step replaces or deletes the document `old`. Takes ownership of `old`. */
void mt_mongo_remember_old (MtMongo *m, const char *name, bson_t *old);
/* Reads the stored document with this _id, and records it, because the step replaces or deletes it.
 * Fails with 54000 if there is too much to undo. */
bool mt_mongo_remember_stored (MtMongo *m, const char *name, MtVal id, MtError *err);
/* Records that an increment of the step created a document with the fields `first`. */
void mt_mongo_remember_made (MtMongo *m, const char *collection, MtVal id, MtVal first);
/* Returns the list (MtUndo.doc) to which the caller appends what is to be undone. NULL: there is
 * too much to undo, and the collection was added to m->leftover (collections that a rollback may
 * not restore). */
bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name);
void mt_mongo_forget_undo (MtMongo *m);

/* Returns whether the open step (an uncommitted batch) has created a collection. In a transaction
 * whose steps are committed one by one, its earlier steps count, too. */
bool mt_undo_makes_collections (const MtMongo *m);
/* Returns whether the open step has created the collection `name`, as mt_undo_makes_collections
 * does for any collection. */
bool mt_mongo_made_in_step (const MtMongo *m, const char *name);
/* Called when other clients have declared this session dead. They may use collections that the step
 * created. So a rollback then deletes only documents there whose _ids no other client can have. */
void mt_undo_disown (MtMongo *m);
/* Splits m->undo: it keeps only the writes of the last step (batch of writes). Returns the rest of
 * the list, which the caller must append again. */
MtUndo *mt_undo_cut_step (MtMongo *m);
void mt_undo_remove_marks (MtMongo *m);

/* Records that a collection that is to be dropped at the commit was renamed to `now`. */
void mt_drops_rename (MtMongo *m, const char *name, const char *now);
/* Forgets all but the first `kept` collections that are to be dropped at the commit. */
void mt_drops_forget (MtMongo *m, size_t kept);

void mt_mongo_write_fini (MtMongo *m);

/* ---- txn.c ---- */

void mt_txn_begin_step (MtMongo *m);
/* Makes the step (batch of writes), which has just begun, a transaction block of several
 * statements. Fails with 0A000 if the server has no transactions. */
bool mt_txn_block (MtEngine *e, MtError *err);
/* Checks that collections and indexes may be created now. Fails with 0A000 in a transaction
 * block. */
bool mt_txn_no_definition (const MtMongo *m, MtError *err);
/* Checks that a change of the collection can be undone. Fails with 0A000 in a transaction whose
 * steps are committed one by one, unless one of them created the collection. */
bool mt_txn_undoable (const MtMongo *m, const char *collection, MtError *err);
/* Makes the step (a batch of writes whose state is MT_STEP_UNDECIDED) a transaction on the server.
 * Sends nothing yet. */
bool mt_txn_enter (MtMongo *m, MtError *err);
/* Aborts the step's transaction, and begins a new one for the step. */
bool mt_txn_restart (MtMongo *m, MtError *err);
/* Commits the transaction, without a retry. *conflict is true if the commit failed because of
 * another client's write, so that the transaction can be repeated. */
bool mt_txn_commit_once (MtMongo *m, bool *conflict, MtError *err);
void mt_txn_abort (MtMongo *m);

/* ---- places.c ---- */

/* One document's increments, as views of the element {id, u: {$inc, $set, $setOnInsert}, slots} of
 * a batch. All values are borrowed. */
typedef struct MtMongoInc {
   MtVal all, id;
   MtVal update;                       /* the update to send, if `slots` is empty */
   MtVal amounts, fresh, first, slots; /* as in MtIncrement; empty documents: none */
} MtMongoInc;

MtMongoInc mt_mongo_inc (MtVal kept); /* kept MT_MISSING: no increments */
static inline bool mt_has_fields (MtVal doc) { return doc.len > 5; } /* an empty document's size */

/* Callback for a field (MtIncrement.fresh) or, with `slot`, an array element (MtIncrement.slots) at
 * `path` that an increment sets to v, and that must not have a value yet. Returning false stops the
 * iteration. */
typedef bool (*MtPlaceFn) (void *ctx, const char *path, MtVal v, bool slot);
bool mt_mongo_each_place (const MtMongoInc *op, MtPlaceFn fn, void *ctx);
/* Adds to a filter the condition that the fields and array elements that the increment sets have no
 * value yet. */
void mt_mongo_filter_places (MtBson *filter, const MtMongoInc *op);
/* Appends the stages of an update pipeline that sets the increment's array elements and adds its
 * amounts. */
void mt_mongo_slots_pipeline (MtBson *update, const MtMongoInc *op);
/* Called when an increment changed nothing: reads the stored document to find the reason. Fails
 * with 23505 if a field or array element to be set has a value, and with 22003 if a number would
 * overflow. Returns true if the increment may be sent again. */
bool mt_mongo_look_at_places (MtMongo *m, const char *collection, const MtMongoInc *op,
                              MtError *err);

/* ---- increment.c ---- */

/* Checks that a rollback could subtract the amounts again. Fails with 0A000 for an amount without
 * an opposite, such as infinity. */
bool mt_increment_has_opposite (const char *collection, const bson_t *amounts, MtError *err);
/* Appends one document's increments to a batch, as an element {id, u, slots} that MtMongoInc reads.
 * Its update document is built now, while the server is busy with the preceding batch. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what);
/* Add to a bulk write the update for an increment, or the update that undoes it. */
bool mt_increment_add (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e);
bool mt_increment_add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op);

/* ---- send_inserts.c, send_increments.c ---- */

/* Send a batch outside of a transaction. Operations that conflict with another client's write are
 * sent again. */
bool mt_mongo_send_inserts (MtMongo *m, const MtMongoBatch *b, MtError *err);
bool mt_mongo_send_increments (MtMongo *m, const MtMongoBatch *b, MtError *err);
/* Send a batch in a transaction, without a retry. *conflict is true if the server ended the
 * transaction because of another client's write. */
bool mt_mongo_insert_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);
bool mt_mongo_increment_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);

/* ---- send.c ---- */

/* Sends a batch, in the step's transaction if there is one, and empties it. */
bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err);
/* Repeats a transaction that has only inserted and incremented, because the server ended it after a
 * write conflict. With `commit`, also commits it. Returns false with the last error in *err. */
bool mt_mongo_replay (MtMongo *m, bool commit, MtError *err);

/* ---- sender.c ---- */

/* Waits until the sending thread has sent its batch. Returns false if that failed. */
bool mt_mongo_settle (MtMongo *m, MtError *err);
/* Returns whether the sending thread has a batch. If so, only the thread may use the connection
 * until mt_mongo_settle is called. */
bool mt_mongo_is_sending (const MtMongo *m);
/* Clears the error of the last step's batch. The sending thread must be idle. */
void mt_mongo_forget_outcome (MtMongo *m);
void mt_mongo_stop_sending (MtMongo *m);
bool mt_mongo_failed_late (const MtEngine *e);
bool mt_mongo_sent (MtEngine *e, MtError *err);
/* Called after a document was added to a batch. If the batch is full enough, sends it or passes it
 * to the sending thread. */
bool mt_mongo_gathered (MtMongo *m, MtMongoBatch *b, MtError *err);

/* ---- flush.c ---- */

/* Sends all waiting batches. */
bool mt_mongo_flush (MtMongo *m, MtError *err);
/* Makes an undecided step plain (no transaction on the server), and sends all waiting batches. */
bool mt_txn_plain (MtMongo *m, MtError *err);
/* Counts `bytes` inserted bytes, and decides whether the step can still become one transaction.
 * *wait is true if nothing has to be sent yet. Fails with 54000 if a transaction block inserts too
 * much. */
bool mt_txn_gathered (MtMongo *m, size_t bytes, bool *wait, MtError *err);
bool mt_txn_commit (MtMongo *m, MtError *err);

#endif
