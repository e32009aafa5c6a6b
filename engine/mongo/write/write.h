/* Sending what a step writes, and remembering how to undo it. */
#ifndef MT_MONGO_WRITE_H
#define MT_MONGO_WRITE_H

#include "engine/mongo/conn/conn.h"

/* ---- ids.c ---- */

/* The next step makes _ids under another prefix. */
void mt_mongo_forget_prefix (MtMongo *m);
/* Makes the _id of a document that the step inserts. */
void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid);
/* The same; a rollback deletes the document. */
void mt_mongo_new_id (MtMongo *m, const char *collection, bson_oid_t *oid);

/* ---- undo_list.c ---- */

typedef enum MtUndoKind {
   MT_UNDO_OID_RANGE, /* delete the documents whose ObjectIds are from `from` to `to` */
   MT_UNDO_IDS,       /* delete the _ids in `doc` */
   MT_UNDO_RESTORE,   /* put `doc` back */
   /* `doc` is a list of {old, doc, fields, was, is}. If `doc`, or nothing, is still stored, put
    * `old` back; else add the difference of `was` and `is`. */
   MT_UNDO_SAME,
   /* `doc` is a list of {id, u, slots}: subtract the amounts, and remove fresh fields and slots. */
   MT_UNDO_INCREMENT,
   /* `doc` is a list of {id, first}: remove those documents that have nothing but `first` and
    * zeros. After all others. */
   MT_UNDO_MADE,
   MT_UNDO_NEWER,  /* `doc` is a list of {now, was}: replace `now` by `was`, or delete it */
   MT_UNDO_CREATE, /* drop the collection */
   MT_UNDO_RENAME, /* `doc` is {to: …}: the collection of that name gets this name back */
   MT_UNDO_INDEX,  /* `doc` is {name: …}: drop the index */
   MT_UNDO_STEP    /* marks where a step of a transaction in pieces begins */
} MtUndoKind;

struct MtUndo {
   MtUndoKind kind;
   MtUndo *next;
   char *name; /* of the collection; "" for MT_UNDO_STEP */
   bson_oid_t from, to;
   bson_t *doc;
   uint32_t count; /* of _ids in doc */
   bool fresh;     /* no other client can have these _ids */
};

/* Whether writes have to be remembered, so that they can be undone. */
bool mt_mongo_keeps (const MtMongo *m);
/* Documents of this collection may stay after a rollback. */
void mt_mongo_leave (MtMongo *m, const char *name);
/* Adds an entry, which is the list's. */
MtUndo *mt_undo_add (MtMongo *m, MtUndoKind kind, const char *name);
/* A text in the entry's doc; "": there is none. Borrowed. */
const char *mt_undo_text (const MtUndo *u, const char *field);
/* 54000: a transaction in pieces changes too much. Returns false. */
bool mt_undo_too_much (MtError *err);
/* The step inserted a document with an _id that mt_mongo_next_id made. */
void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid);
/* The step inserted a document with this _id. fresh: no other client can have it. */
void mt_mongo_remember_id (MtMongo *m, const char *name, MtVal id, bool fresh);
/* The step replaces or deletes `old`, which is consumed. */
void mt_mongo_remember_old (MtMongo *m, const char *name, bson_t *old);
/* The same for the document with this _id, which is read first. 54000 */
bool mt_mongo_remember_stored (MtMongo *m, const char *name, MtVal id, MtError *err);
/* An increment of the step created a document with the fields `first`. */
void mt_mongo_remember_made (MtMongo *m, const char *collection, MtVal id, MtVal first);
/* The list to which an entry of this kind is added. NULL: there is too much, and the collection
 * counts as left over. */
bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name);
void mt_mongo_forget_undo (MtMongo *m);

/* Whether the step made a collection, or this one. Earlier steps of a transaction in pieces
 * count. */
bool mt_undo_makes_collections (const MtMongo *m);
bool mt_mongo_made_in_step (const MtMongo *m, const char *name);
/* Others took the step for dead, so collections that it made may be theirs now: only documents that
 * can't be theirs are undone there. */
void mt_undo_disown (MtMongo *m);
/* Cuts off what the last step did. Returns the rest, which the caller puts back. */
MtUndo *mt_undo_cut_step (MtMongo *m);
void mt_undo_remove_marks (MtMongo *m);

/* A collection that waits to be dropped has another name now. */
void mt_drops_rename (MtMongo *m, const char *name, const char *now);
/* Forgets the collections that wait to be dropped, but for the first `kept`. */
void mt_drops_forget (MtMongo *m, size_t kept);

void mt_mongo_write_fini (MtMongo *m);

/* ---- txn.c ---- */

void mt_txn_begin_step (MtMongo *m);
/* Makes the step, which has just begun, a transaction of several statements. 0A000 */
bool mt_txn_block (MtEngine *e, MtError *err);
/* 0A000 in a transaction of several statements: collections and indexes can't be made in it. */
bool mt_txn_no_definition (const MtMongo *m, MtError *err);
/* 0A000 in a transaction in pieces that did not make the collection: the change can't be undone. */
bool mt_txn_undoable (const MtMongo *m, const char *collection, MtError *err);
/* Makes an undecided step a transaction. Sends nothing. */
bool mt_txn_enter (MtMongo *m, MtError *err);
/* Ends the transaction without its changes, and begins another. */
bool mt_txn_restart (MtMongo *m, MtError *err);
/* *conflict: it failed, but can be repeated. */
bool mt_txn_commit_once (MtMongo *m, bool *conflict, MtError *err);
void mt_txn_abort (MtMongo *m);

/* ---- places.c ---- */

/* One document's increments, as a batch keeps them: {id, u: {$inc, $set, $setOnInsert}, slots}.
 * All values are borrowed. */
typedef struct MtMongoInc {
   MtVal all, id;
   MtVal update;                       /* the update to send, if there are no slots */
   MtVal amounts, fresh, first, slots; /* documents; empty: none */
} MtMongoInc;

MtMongoInc mt_mongo_inc (MtVal kept);                                /* missing: empty increments */
static inline bool mt_has_fields (MtVal doc) { return doc.len > 5; } /* an empty document's size */

/* Calls fn for each fresh field and slot. slot: the place is an element of an array. Stops, and
 * returns false, when fn does. */
typedef bool (*MtPlaceFn) (void *ctx, const char *path, MtVal v, bool slot);
bool mt_mongo_each_place (const MtMongoInc *op, MtPlaceFn fn, void *ctx);
/* Adds to a filter that none of the places has a value yet. */
void mt_mongo_filter_places (bson_t *filter, const MtMongoInc *op);
/* Appends the stages of the update that fills slots. */
void mt_mongo_slots_pipeline (bson_t *update, const MtMongoInc *op);
/* Reads why an update changed no document: 23505 or 22003 if the document says so. True: the update
 * may be sent again. */
bool mt_mongo_look_at_places (MtMongo *m, const char *collection, const MtMongoInc *op,
                              MtError *err);

/* ---- increment.c ---- */

/* 0A000: an amount has no opposite, so it could not be undone. */
bool mt_increment_has_opposite (const char *collection, const bson_t *amounts, MtError *err);
/* Appends the increments as MtMongoInc reads them. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what);
/* Adds the update, or its opposite, to a bulk. */
bool mt_increment_add (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e);
bool mt_increment_add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op);

/* ---- send_inserts.c, send_increments.c ---- */

/* Send a batch outside of a transaction. What gives way is sent again. */
bool mt_mongo_send_inserts (MtMongo *m, const MtMongoBatch *b, MtError *err);
bool mt_mongo_send_increments (MtMongo *m, const MtMongoBatch *b, MtError *err);
/* Send a batch in a transaction, once. *conflict: the transaction gave way. */
bool mt_mongo_insert_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);
bool mt_mongo_increment_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);

/* ---- send.c ---- */

/* Sends a batch, which is empty then. */
bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err);
/* Repeats a transaction that did nothing but add, and gave way. commit: ends it, too. False: *err
 * has the last error. */
bool mt_mongo_replay (MtMongo *m, bool commit, MtError *err);

/* ---- sender.c ---- */

/* Waits for the batch that the sending thread has. False: that batch failed. */
bool mt_mongo_settle (MtMongo *m, MtError *err);
/* Whether the sending thread has a batch. Until mt_mongo_settle, the connection is the thread's. */
bool mt_mongo_is_sending (const MtMongo *m);
/* Forgets whether the last step's batches failed. No batch is on its way. */
void mt_mongo_forget_outcome (MtMongo *m);
void mt_mongo_stop_sending (MtMongo *m);
bool mt_mongo_failed_late (const MtEngine *e);
bool mt_mongo_sent (MtEngine *e, MtError *err);
/* A document was added to the batch: sends the batch, or hands it to the thread, when it is time
 * to. */
bool mt_mongo_gathered (MtMongo *m, MtMongoBatch *b, MtError *err);

/* ---- flush.c ---- */

/* Sends all that waits. */
bool mt_mongo_flush (MtMongo *m, MtError *err);
/* Makes an undecided step plain, and sends what waits. */
bool mt_txn_plain (MtMongo *m, MtError *err);
/* Counts inserted bytes. *wait: nothing is to be sent yet. 54000 in a block. */
bool mt_txn_gathered (MtMongo *m, size_t bytes, bool *wait, MtError *err);
bool mt_txn_commit (MtMongo *m, MtError *err);

#endif
