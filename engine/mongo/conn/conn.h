/* Connections, commands, answers and errors. */
#ifndef MT_MONGO_CONN_H
#define MT_MONGO_CONN_H

#include "engine/mongo/conn/state.h"

/* ---- error.c ---- */

/* Sets *err from the driver's error, and returns false. writing: a lost connection leaves the
 * outcome unknown (08007). If the statement is cancelled, the error is 57014. */
bool mt_mongo_error (MtMongo *m, const bson_error_t *e, bool writing, MtError *err);

/* Whether the server refused the command itself: the command is unknown or not permitted. */
bool mt_mongo_refused_form (const bson_error_t *e);
/* Whether a server's error code means that a unique index has the key. */
bool mt_mongo_is_duplicate (int64_t code);
/* Whether the server gave up an operation in favour of another client, and did nothing. */
bool mt_mongo_gave_way (uint32_t code, const char *message);
/* Whether the server gave up a transaction in favour of another client. */
bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e);

/* ---- reply.c ---- */

/* The errors of single operations in a bulk's answer, in their order. Borrowed from the answer. */
typedef struct MtWriteErrors {
   bson_iter_t list;
   bool any;            /* there is one at least */
   bool here;           /* list stands at one that was not read yet */
   int64_t code;        /* the server's; 0: none */
   uint64_t index;      /* of the operation in its bulk; UINT64_MAX: not known */
   const char *message; /* "": none */
} MtWriteErrors;

MtWriteErrors mt_mongo_write_errors (const bson_t *reply);
/* Fills code, index and message with the next error. False: there are no more. */
bool mt_mongo_next_write_error (MtWriteErrors *w);
/* Calls fn with the index of each operation that created its document, below `count`. */
void mt_mongo_each_upserted (const bson_t *reply, size_t count,
                             void (*fn) (void *ctx, size_t index), void *ctx);
/* A number in an answer; 0: it has none. */
int64_t mt_mongo_reply_number (const bson_t *reply, const char *field);

/* Waits a moment before an operation that gave way is sent again. False: it was sent often enough
 * (40001), or the statement is cancelled. */
bool mt_mongo_wait_turn (MtMongo *m, int tries, MtError *err);
/* Whether an operation gave way, and is to be sent again now. Not for a part of a transaction,
 * which is over then. */
bool mt_mongo_send_again (MtMongo *m, const bson_error_t *e, int *tries);

/* ---- connect.c ---- */

/* Parses the URI and adds the defaults. Owned by the caller. 08001, 28P01, 0A000. */
bool mt_mongo_uri (const char *target, const MtEngineOptions *o, mongoc_uri_t **out, MtError *err);
/* Makes m->conn usable, and connects again if it was lost. 08001; 08006 within a step, which is
 * broken then. */
bool mt_mongo_connected (MtMongo *m, MtError *err);
/* The current statement, which was cancelled, does not connect again. */
void mt_mongo_set_unreachable (MtMongo *m);

void mt_conn_ref (MtConn *c);
void mt_conn_unref (MtConn *c); /* NULL is allowed */
/* Between these, a clean-up on the server takes limit_ms at most, also after a cancel. */
void mt_conn_cleanup_begin (MtConn *c, int64_t limit_ms);
void mt_conn_cleanup_end (MtConn *c);

/* ---- stop.c ---- */

/* Starts a job that asks the server to stop. MtLink.on_cancel; ctx is the MtMongo. */
void mt_mongo_ask_to_stop (void *ctx);
/* Waits for that job before the connection is used again, or gives up the connection. */
void mt_mongo_meet_stop (MtMongo *m);
/* Appends the ids of the connection's sessions to an empty array. c may be NULL. */
void mt_mongo_list_sessions (const MtConn *c, bson_t *list);
/* False: the server can't kill sessions, or there are none. */
bool mt_mongo_kill_sessions (mongoc_client_t *client, const bson_t *sessions);

/* ---- beat.c ---- */

void mt_mongo_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the listed documents, and adds the number of those that were there to *found. False:
 * *found is less than the number of listed documents. */
bool mt_mongo_beat_retire (MtMongo *m, unsigned *found);
/* Whether all listed documents are there, and were during the whole step. */
bool mt_mongo_beats_stand (MtMongo *m);
void mt_mongo_beat_fini (MtMongo *m);

/* ---- command.c ---- */

/* Initializes a command's options with the session. In a transaction the command is part of it. */
void mt_mongo_opts (MtMongo *m, bson_t *opts);
/* The same outside of any transaction. */
void mt_mongo_plain_opts (MtMongo *m, bson_t *opts);
/* Adds the connection's comment, if the server takes it with writes. */
void mt_mongo_comment_bulk (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* The bulk is part of the step's transaction, if there is one, else of the plain session. */
void mt_mongo_bulk_session (MtMongo *m, mongoc_bulk_operation_t *bulk);
/* A bulk whose operations the server may do in any order. Owned by the caller. */
mongoc_bulk_operation_t *mt_mongo_unordered (mongoc_collection_t *coll);
/* Finds a document by its _id. more: further fields of the command; NULL: none. *doc NULL: there is
 * none. Owned by the caller. */
bool mt_mongo_find_with (MtMongo *m, const char *collection, MtVal id, const bson_t *more,
                         bson_t **doc, MtError *err);

/* ---- batch.c ---- */

/* The batch of a collection; made if it is missing. Borrowed until the connection is lost. */
MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments);
bool mt_mongo_batch_full (const MtMongoBatch *b);
void mt_batch_clear (MtMongoBatch *b); /* its documents don't wait any more */
/* Forgets what waits, and what was sent. */
void mt_mongo_discard (MtMongo *m);
void mt_mongo_forget_sent (MtMongo *m);
/* Frees the batches, whose handles belong to the connection. */
void mt_mongo_forget_handles (MtMongo *m);

#endif
