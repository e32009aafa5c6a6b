/* Connections to a MongoDB server: connecting, commands, batches, replies and errors. */
#ifndef MT_MONGO_CONN_H
#define MT_MONGO_CONN_H

#include "base/bson.h"
#include "engine/mongo/conn/state.h"

/* ---- error.c ---- */

/* Sets *err from the driver's error e, and returns false. The SQLSTATE is 57014 if the statement
 * was cancelled. With `writing`, a lost connection is 08007, because it is unknown whether the
 * write was done. */
bool mt_mongo_error (MtMongo *m, const bson_error_t *e, bool writing, MtError *err);

/* Returns the SQLSTATE for a server's error code. If the code is too general, the message
 * decides. */
const char *mt_mongo_state (uint32_t code, const char *message);
/* Returns whether the server refused the command as such, because the command is unknown or not
 * permitted. */
bool mt_mongo_refused_form (const bson_error_t *e);
/* Returns whether a server's error code means that a unique index already contains the key. */
bool mt_mongo_is_duplicate (int64_t code);
/* Returns whether an error is a write conflict: the operation met another client's write, and the
 * server stopped it before it changed anything. */
bool mt_mongo_gave_way (uint32_t code, const char *message);
/* Returns whether an error is a write conflict that ended the transaction on the server. */
bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e);

/* ---- reply.c ---- */

/* Iterates over the errors of single operations in the reply to a bulk write, in order. Borrows the
 * reply. */
typedef struct MtWriteErrors {
   bson_iter_t list;
   bool any;            /* the answer has at least one error */
   bool here;           /* `list` is at an error that was not read yet */
   int64_t code;        /* the server's error code; 0: none */
   uint64_t index;      /* index of the failed operation in the bulk; UINT64_MAX: not known */
   const char *message; /* the server's message; "": none */
} MtWriteErrors;

MtWriteErrors mt_mongo_write_errors (const bson_t *reply);
/* Moves to the next error and sets code, index and message. Returns false if there are no more. */
bool mt_mongo_next_write_error (MtWriteErrors *w);
/* Calls `fn` with the index of each upsert that created a document, according to the reply. Ignores
 * indexes from `count` on. */
void mt_mongo_each_upserted (const bson_t *reply, size_t count,
                             void (*fn) (void *ctx, size_t index), void *ctx);
/* Returns the number in this field of a reply, or 0 if the reply has no such field. */
int64_t mt_mongo_reply_number (const bson_t *reply, const char *field);

/* Deletes the document that the filter finds by its _id. `opts` may be NULL. *deleted is true if it
 * existed. On failure returns false and sets *error. */
bool mt_mongo_delete_one (mongoc_collection_t *coll, const bson_t *filter, const bson_t *opts,
                          bool *deleted, bson_error_t *error);

/* Waits before an operation that met a write conflict is retried; `tries` is the number of tries so
 * far. Returns false after too many tries (40001), or if the statement is cancelled (57014). */
bool mt_mongo_wait_turn (MtMongo *m, int tries, MtError *err);
/* Returns whether to retry an operation, because e is a write conflict. Waits first, and counts in
 * *tries. Always false in a transaction, because a conflict has ended it. */
bool mt_mongo_send_again (MtMongo *m, const bson_error_t *e, int *tries);

/* ---- connect.c ---- */

/* Parses a server's URI and adds default options. The caller owns *out. Fails with 08001 for an
 * invalid URI, 28P01 for a missing password, and 0A000 for an unsupported option. */
bool mt_mongo_uri (const char *target, const MtEngineOptions *o, mongoc_uri_t **out, MtError *err);
/* Makes m->conn usable: connects if the connection was lost. Fails with 08001 if the server can't
 * be reached. If a step (begin to commit) is open, a lost connection fails with 08006, and the step
 * must be rolled back. */
bool mt_mongo_connected (MtMongo *m, MtError *err);
/* Prevents the current statement, which was cancelled, from connecting again. */
void mt_mongo_set_unreachable (MtMongo *m);

void mt_conn_ref (MtConn *c);
void mt_conn_unref (MtConn *c); /* NULL is allowed */
/* Begin and end a clean-up on the server. In between, a cancel does not interrupt commands for
 * limit_ms milliseconds. */
void mt_conn_cleanup_begin (MtConn *c, int64_t limit_ms);
void mt_conn_cleanup_end (MtConn *c);

/* ---- stop.c ---- */

/* Starts a background job that makes the server stop the current statement. It is the callback
 * MtLink.on_cancel; `ctx` is the MtMongo. */
void mt_mongo_ask_to_stop (void *ctx);
/* Waits until the job of mt_mongo_ask_to_stop ends, before the connection is used again. If the job
 * takes too long, gives up the connection, so that it must be replaced. */
void mt_mongo_meet_stop (MtMongo *m);
/* Appends the ids of the connection's server sessions to `list`, which must be empty. `c` may be
 * NULL. */
void mt_mongo_list_sessions (const MtConn *c, bson_t *list);
/* Kills the given sessions on the server. Returns false if the list is empty or the server can't do
 * it. */
bool mt_mongo_kill_sessions (mongoc_client_t *client, const bson_t *sessions);

/* ---- beat.c ---- */

void mt_mongo_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Deletes the documents that have heartbeats (mt_engine_beat), and adds the number of deleted ones
 * to *found. Returns false if *found is then less than the number of listed documents. */
bool mt_mongo_beat_retire (MtMongo *m, unsigned *found);
/* Returns whether all documents that have heartbeats (mt_engine_beat) existed during the whole step
 * (from its begin to now), and still do. */
bool mt_mongo_beats_stand (MtMongo *m);
void mt_mongo_beat_fini (MtMongo *m);

/* ---- command.c ---- */

/* Initializes `opts` as options of a command, with the session, and with the open step's
 * transaction on the server if there is one. */
void mt_mongo_opts (MtMongo *m, bson_t *opts);
/* Initializes `opts` as options of a command, with the session but outside of any transaction. */
void mt_mongo_plain_opts (MtMongo *m, bson_t *opts);
/* Sets the connection's comment as option `comment` of a bulk write, if the server accepts comments
 * there. */
void mt_mongo_comment_bulk (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* Makes a bulk write part of the open step's transaction on the server, or else of the session. */
void mt_mongo_bulk_session (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* Returns a new bulk write whose operations the server may execute in any order. The caller owns
 * it. */
mongoc_bulk_operation_t *mt_mongo_unordered (mongoc_collection_t *coll);
/* Finds a document by its _id. `more` has further fields of the find command, or is NULL. *doc is
 * NULL if there is no such document; otherwise the caller owns it. */
bool mt_mongo_find_with (MtMongo *m, const char *collection, MtVal id, const bson_t *more,
                         bson_t **doc, MtError *err);

/* ---- batch.c ---- */

/* Returns the batch of inserts, or with `increments` of increments, that wait to be sent to a
 * collection. Creates an empty one if there is none. Borrowed until the connection is lost. */
MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments);
bool mt_mongo_batch_full (const MtMongoBatch *b);
void mt_batch_clear (MtMongoBatch *b); /* empties the batch */
/* Empties all batches, and also the list of batches that were sent in the transaction. */
void mt_mongo_discard (MtMongo *m);
void mt_mongo_forget_sent (MtMongo *m);
/* Frees all batches with their unsent writes. Call it before the connection is closed, because each
 * batch has a handle (mongoc_collection_t) of the connection. */
void mt_mongo_forget_handles (MtMongo *m);

#endif
