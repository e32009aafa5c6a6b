/* Connections to a server: commands, batches, answers and errors. */
#ifndef MT_MONGO_CONN_H
#define MT_MONGO_CONN_H

#include "base/bson.h"
#include "engine/mongo/conn/state.h"

/* ---- error.c ---- */

/* Sets *err from the driver's error, and returns false. 57014 if the statement is cancelled.
 * writing: 08007 if the connection is lost, because the write's outcome is unknown. */
bool mt_mongo_error (MtMongo *m, const bson_error_t *e, bool writing, MtError *err);

/* Returns the SQLSTATE of a server's error: by its code, or by its message if the code is too
 * general. */
const char *mt_mongo_state (uint32_t code, const char *message);
/* Returns whether the server refused the command itself, because it is unknown or not permitted. */
bool mt_mongo_refused_form (const bson_error_t *e);
/* Returns whether a server's error code means that a unique index already has the key. */
bool mt_mongo_is_duplicate (int64_t code);
/* Returns whether an error means that an operation gave way: it met another client's write, so the
 * server stopped it without any change. */
bool mt_mongo_gave_way (uint32_t code, const char *message);
/* Returns whether an error means that a transaction gave way: it met another client's write, so the
 * server ended it. */
bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e);

/* ---- reply.c ---- */

/* Iterates over the errors of single operations in the answer to a bulk write, in order. Borrowed
 * from the answer. */
typedef struct MtWriteErrors {
   bson_iter_t list;
   bool any;            /* the answer has at least one error */
   bool here;           /* `list` is at an error that was not read yet */
   int64_t code;        /* the server's error code; 0: none */
   uint64_t index;      /* index of the failed operation in the bulk; UINT64_MAX: not known */
   const char *message; /* the server's message; "": none */
} MtWriteErrors;

MtWriteErrors mt_mongo_write_errors (const bson_t *reply);
/* Reads the next error into code, index and message. False: there are no more errors. */
bool mt_mongo_next_write_error (MtWriteErrors *w);
/* Calls fn with the index of each of the `count` upserts that created a document. */
void mt_mongo_each_upserted (const bson_t *reply, size_t count,
                             void (*fn) (void *ctx, size_t index), void *ctx);
/* Returns a number in an answer; 0 if the answer does not have that field. */
int64_t mt_mongo_reply_number (const bson_t *reply, const char *field);

/* Deletes the one document that a filter with an _id finds. opts may be NULL. *deleted: it was there.
 * False: *error says what failed. */
bool mt_mongo_delete_one (mongoc_collection_t *coll, const bson_t *filter, const bson_t *opts,
                          bool *deleted, bson_error_t *error);

/* Waits a moment before an operation is sent again that met another client's write. False: it was
 * sent too often (40001), or the statement is cancelled (57014). */
bool mt_mongo_wait_turn (MtMongo *m, int tries, MtError *err);
/* Returns whether to send an operation again, because it met another client's write. Waits a moment
 * first. False in a transaction, which the server has ended then. */
bool mt_mongo_send_again (MtMongo *m, const bson_error_t *e, int *tries);

/* ---- connect.c ---- */

/* Parses a server's URI and adds default options. *out is owned by the caller. 08001 for a bad URI,
 * 28P01 for a missing password, 0A000 for an unsupported option. */
bool mt_mongo_uri (const char *target, const MtEngineOptions *o, mongoc_uri_t **out, MtError *err);
/* Makes m->conn usable; connects again if the connection was lost. 08001 if the server can't be
 * reached. Within a step, a lost connection is 08006, and the step can only be rolled back. */
bool mt_mongo_connected (MtMongo *m, MtError *err);
/* Keeps the current statement, which was cancelled, from connecting again. */
void mt_mongo_set_unreachable (MtMongo *m);

void mt_conn_ref (MtConn *c);
void mt_conn_unref (MtConn *c); /* NULL is allowed */
/* Begin and end a clean-up on the server, which may go on after a cancel, for at most limit_ms. */
void mt_conn_cleanup_begin (MtConn *c, int64_t limit_ms);
void mt_conn_cleanup_end (MtConn *c);

/* ---- stop.c ---- */

/* Starts a background job that asks the server to stop the current statement. It is the callback
 * MtLink.on_cancel; ctx is the MtMongo. */
void mt_mongo_ask_to_stop (void *ctx);
/* Waits for the job of mt_mongo_ask_to_stop, before the connection is used again. If the job takes
 * too long, gives up the connection. */
void mt_mongo_meet_stop (MtMongo *m);
/* Appends the ids of the connection's server sessions to an empty array. c may be NULL. */
void mt_mongo_list_sessions (const MtConn *c, bson_t *list);
/* Kills sessions on the server. False: the server can't do so, or the list is empty. */
bool mt_mongo_kill_sessions (mongoc_client_t *client, const bson_t *sessions);

/* ---- beat.c ---- */

void mt_mongo_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the documents that give signs of life (mt_engine_beat). Adds the number of documents
 * found to *found. False: *found is less than the number of listed documents. */
bool mt_mongo_beat_retire (MtMongo *m, unsigned *found);
/* Returns whether all documents that give signs of life (mt_engine_beat) were stored during the
 * whole step, and still are. */
bool mt_mongo_beats_stand (MtMongo *m);
void mt_mongo_beat_fini (MtMongo *m);

/* ---- command.c ---- */

/* Initializes a command's options with the session, and with the step's transaction if there is
 * one. */
void mt_mongo_opts (MtMongo *m, bson_t *opts);
/* Initializes a command's options with the session, outside of any transaction. */
void mt_mongo_plain_opts (MtMongo *m, bson_t *opts);
/* Adds the connection's comment (`comment` of a command) to a bulk write, if the server accepts
 * comments there. */
void mt_mongo_comment_bulk (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* Makes a bulk write part of the step's transaction, if there is one, else of the session. */
void mt_mongo_bulk_session (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* Returns a new bulk write, whose operations the server may run in any order. Owned by the
 * caller. */
mongoc_bulk_operation_t *mt_mongo_unordered (mongoc_collection_t *coll);
/* Finds a document by its _id. more: further fields of the command; NULL: none. *doc NULL: no
 * document has that _id. The caller owns *doc. */
bool mt_mongo_find_with (MtMongo *m, const char *collection, MtVal id, const bson_t *more,
                         bson_t **doc, MtError *err);

/* ---- batch.c ---- */

/* Returns the batch of documents that wait to be sent to a collection; makes an empty one if there
 * is none. Borrowed until the connection is lost. */
MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments);
bool mt_mongo_batch_full (const MtMongoBatch *b);
void mt_batch_clear (MtMongoBatch *b); /* empties the batch */
/* Empties all batches, and the list of batches that were sent in the transaction. */
void mt_mongo_discard (MtMongo *m);
void mt_mongo_forget_sent (MtMongo *m);
/* Frees all batches, with the writes that wait in them. Call it before the connection is closed,
 * because each batch has a handle (mongoc_collection_t) of the connection. */
void mt_mongo_forget_handles (MtMongo *m);

#endif
