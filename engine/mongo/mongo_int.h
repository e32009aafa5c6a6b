/* The engine on a server, through libmongoc. Private to engine/mongo, the only folder that includes
 * it. */
#ifndef MT_MONGO_INT_H
#define MT_MONGO_INT_H

#include "engine/implement.h"

#include "base/str.h"

#include <mongoc/mongoc.h>

enum { MT_SILENCE_MS = 30000 };        /* of a server that cleans up behind the prompt */
enum { MT_CONNECT_TIMEOUT_MS = 5000 }; /* unless the URI says connectTimeoutMS */

/* What the sockets of one connection share (mongo_stream.c). */
typedef struct MtLink {
   const MtCancel *cancel; /* borrowed, or NULL */
   bool masked;            /* cleaning up: only an insisting user ends it */
   int64_t limit_ms;       /* on CLOCK_MONOTONIC: given up then; 0: none */
   const atomic_bool
      *alone;  /* once set, given up when nothing comes for MT_SILENCE_MS; NULL: never set */
   bool asked; /* the server was asked to stop this statement */
   int64_t give_up_ms; /* when asked: how long to wait for it */
   bool given_up;      /* nothing goes over this connection any more */
   uint64_t canceled; /* 1 + the statement (MtCancel.statement) whose cancelling gave it up; 0: none
                         did */
   bool connected;    /* it was, once */
   mongoc_host_list_t host; /* that was written to last */
   char why[512]; /* the last attempt to connect, or a socket since, failed; "": none did */
   void (*on_cancel) (void *ctx); /* asks the server to stop; NULL: can't be asked */
   void *ctx;
} MtLink;

/* One connection: replaced by another when it was lost, destroyed with its last cursor. */
typedef struct MtConn {
   unsigned refs;
   MtLink link;
   mongoc_client_t *client;
   mongoc_database_t *db;
   mongoc_client_session_t *session;       /* NULL: the server has none */
   mongoc_client_session_t *write_session; /* of transactions: cursors that were open before go on
                                              beside it; NULL: none yet */
   bool txn_able;                          /* has transactions */
   bool router;                            /* of a sharded cluster (mongos) */
   bool write_comments;                    /* takes `comment` with writes */
   bool update_pipelines;                  /* a pipeline can be an update */
} MtConn;

/* How an open step is written (mongo_txn.c). */
typedef enum MtMongoStep {
   MT_STEP_PLAIN,     /* seen as it comes, and undone in pieces */
   MT_STEP_UNDECIDED, /* nothing was sent yet */
   MT_STEP_TRANSACTION
} MtMongoStep;

/* What a server does with a collection's own collation (mongo_collation.c). */
typedef enum MtCollating {
   MT_COLLATING_UNKNOWN,    /* it wasn't asked yet */
   MT_COLLATING_OVERRIDDEN, /* compares by it, or by bytes where a command says so */
   MT_COLLATING_IGNORED,    /* compares by bytes in any case */
   MT_COLLATING_BOUND       /* can't be told otherwise */
} MtCollating;

enum { MT_SHORT_SHAPES = 256 };

/* Names of collections that were dropped in a transaction in pieces, and whose name another has
 * taken in it. */
#define MT_MONGO_DROPPED "_mtsql_dropped_"

#define MT_TXN_BYTES ((size_t) 16 << 20)

/* Documents on their way to one collection. */
typedef struct MtMongoBatch {
   struct MtMongoBatch *next;
   char *name;
   bool increments; /* mongo_inc.c */
   mongoc_collection_t *coll;
   MtBuf docs; /* inserts: one behind the other */
   size_t count, bytes;
   bool fresh;  /* nobody else can have the _ids of those waiting */
   bson_t *ids; /* of the documents waiting, null where the step gave them; increments: what is
                   added (mongo_inc.c). NULL: nothing is waiting */
} MtMongoBatch;

typedef enum MtUndoKind {
   MT_UNDO_OID_RANGE, /* delete what has an ObjectId from `from` to `to` */
   MT_UNDO_IDS,       /* delete the _ids in `doc` */
   MT_UNDO_RESTORE,   /* put `doc` back */
   MT_UNDO_SAME, /* `doc` is a list of {old, doc, fields}: put `old`, if any, back where `doc`, or
                    nothing, still is what is there; else `was` and `is` (MtMongoInc) say how */
   MT_UNDO_INCREMENT, /* take away the amounts in `doc`, a list of {id, amounts, first, fresh,
                         slots}, and what is fresh or in slots */
   MT_UNDO_MADE, /* of a list of {id, first} those that increments made, and are nothing but `first`
                    and zeros, go: behind all others */
   MT_UNDO_NEWER,  /* what is `now` becomes what `was`, or goes: a list of {now, was} */
   MT_UNDO_CREATE, /* drop the collection */
   MT_UNDO_RENAME, /* `doc` is {to: …}: what has that name gets its own back */
   MT_UNDO_INDEX,  /* `doc` is {name: …}: drop that index */
   MT_UNDO_STEP    /* a step of several that are undone together begins; names no collection */
} MtUndoKind;

/* What a rollback has to do, newest first. */
typedef struct MtUndo {
   MtUndoKind kind;
   struct MtUndo *next;
   char *name; /* of the collection */
   bson_oid_t from, to;
   bson_t *doc;
   uint32_t count; /* of _ids in doc */
   bool fresh;     /* nobody else can have these _ids */
} MtUndo;

typedef struct MtBeat MtBeat;     /* mongo_beat.c */
typedef struct MtBehind MtBehind; /* mongo_behind.c */
typedef struct MtSender MtSender; /* mongo_sender.c */

typedef struct MtMongo {
   MtEngine base;
   mongoc_uri_t *uri; /* with the password and our defaults */
   MtConn *conn;      /* NULL: lost, and not made again yet */
   bool lost;         /* conn is of no more use */
   bool committing;   /* the step's transaction: whether it came to be isn't known if the answer is
                         lost */
   bool undoing;      /* the engine does nothing else (mongo_behind.c): its links are masked */
   const atomic_bool *alone; /* of its links */
   bool beside;      /* what is read now isn't part of the transaction: servers refuse it there */
   char comment[80]; /* of all that the connection runs: names us, and it */
   uint64_t unreachable_in; /* 1 + the statement (MtCancel.statement) that was cancelled and
                               couldn't connect again: its clean-up doesn't try once more */
   bson_t *lost_sessions; /* an array: of a connection that was lost, and not replaced since; NULL:
                             none */
   MtBehind *stops;       /* who asks the server to stop, or did; NULL: nobody */
   MtBehind *undoes;      /* who undoes an earlier step, or did; NULL: nobody */
   char beside_field[32]; /* of MtBesideDoc */
   uint64_t short_shapes[MT_SHORT_SHAPES]; /* of pipelines that gave few documents, each at its
                                              place by its rest */
   MtMongoStep step;
   size_t step_bytes; /* inserted in it */
   MtMongoBatch *batches;
   MtSender *sender;   /* NULL: none yet */
   bool late;          /* a batch failed that was sent when the last of its documents came */
   uint64_t made;      /* documents that increments of the step made */
   bool only_adds;     /* its transaction did nothing but add, so that it can be done again: */
   MtMongoBatch *sent; /* by these, in their order */
   uint64_t made_before_txn;
   MtUndo *undo;
   size_t undo_bytes;
   MtBuf leftover; /* names of collections in which documents may stay after a rollback */
   char **drops;   /* names of collections to drop at commit */
   size_t drop_count;
   size_t drops_before; /* so many of them are of earlier steps, which are undone together with this
                           one */
   bool undo_full;      /* there was too much to undo to remember all */
   uint8_t oid_prefix[9]; /* of the _ids given in this step: the time and five random bytes; made
                             for the first of them */
   uint32_t oid_next;     /* the last three; more than they hold: a prefix is made first */
   MtBeat *beat;          /* NULL: nothing was to be kept alive so far */
   bool beat_gone; /* what is kept alive was gone in this step, or may have been, and came to be
                      again */
   MtBuf collated; /* names of collections with a collation of their own, each ending in 0 */
   bool knows_collations; /* which those are */
   bool rereads;          /* its cursors may give documents twice: see mongo_cursor.c */
   MtCollating collating;
} MtMongo;

/* ---- mongo_error.c ---- */

/* Sets *err from the driver's error and returns false. writing: a connection lost leaves the
 * outcome open (08007). A statement that was to end has ended by that, whatever the driver says
 * (57014). */
bool mt_mongo_error (MtMongo *m, const bson_error_t *e, bool writing, MtError *err);

/* Whether the server's error may be about what it was asked to do, rather than about what it met:
 * it doesn't know it, or doesn't let us. */
bool mt_mongo_refused_form (const bson_error_t *e);

/* What a bulk's answer says of those of its operations that failed, in their order. Borrowed from
 * the answer. */
typedef struct MtWriteErrors {
   bson_iter_t list;
   bool any;            /* one at least failed by itself */
   bool here;           /* list stands at one that wasn't told yet */
   int64_t code;        /* the server's; 0: it gave none */
   uint64_t index;      /* of the operation in its bulk; UINT64_MAX: not told */
   const char *message; /* "" when there is none */
} MtWriteErrors;
MtWriteErrors mt_mongo_write_errors (const bson_t *reply);
bool mt_mongo_next_write_error (
   MtWriteErrors *w); /* fills code, index and message; false: there are no more */
bool mt_mongo_is_duplicate (int64_t code); /* a unique index has the key */
/* The server gave up in favour of another client, and did nothing. DocumentDB notices that two wait
 * for each other where both insert the same key. */
bool mt_mongo_gave_way (uint32_t code, const char *message);
/* The same of a transaction, which is over as a whole. */
bool mt_mongo_conflict (const bson_t *reply, const bson_error_t *e);
/* Before what gave way is sent again: waits a moment. False when that was tried often enough
 * (40001), or the statement is to end. */
bool mt_mongo_wait_turn (MtMongo *m, int tries, MtError *err);
/* Whether what failed gave way, and is to be sent again now. Not of a part of a transaction, which
 * is over. */
bool mt_mongo_send_again (MtMongo *m, const bson_error_t *e, int *tries);
int64_t mt_mongo_reply_number (const bson_t *reply, const char *field); /* 0 where there is none */

/* ---- mongo_stream.c ---- */

/* False when the link's user has to stop waiting. */
bool mt_link_goes_on (MtLink *l);
/* A mongoc_stream_initiator_t; ctx is the MtLink. */
mongoc_stream_t *mt_link_stream (const mongoc_uri_t *uri, const mongoc_host_list_t *host, void *ctx,
                                 bson_error_t *error);

/* ---- mongo_frame.c ---- */

/* A stream that gives out only what is a message; it owns the one below. */
mongoc_stream_t *mt_link_frame (MtLink *l, mongoc_stream_t *below);
/* Whether a reply's field "cursor" says where further batches are, if there are any. The driver
 * aborts the process where it doesn't. */
bool mt_mongo_cursor_has_namespace (const bson_iter_t *cursor);

/* ---- mongo_connect.c ---- */

/* Before each use of m->conn: it is there, made again where it was lost. 08001; 08006 within a
 * step, which is broken then. */
bool mt_mongo_ready (MtMongo *m, MtError *err);
bool mt_mongo_can_gather (MtMongo *m,
                          MtError *err); /* the same, for what needs no connection yet */
void mt_mongo_set_unreachable (
   MtMongo *m); /* this statement, which was cancelled, connects no more */
void mt_conn_ref (MtConn *c);
void mt_conn_unref (MtConn *c); /* NULL is allowed */
/* Cleaning up on the server takes at most limit_ms until `end`, also after a cancel. */
void mt_conn_cleanup_begin (MtConn *c, int64_t limit_ms);
void mt_conn_cleanup_end (MtConn *c);
/* Parses and completes the URI. Owned by the caller. */
bool mt_mongo_uri (const char *target, const MtEngineOptions *o, mongoc_uri_t **out, MtError *err);
/* Options of any operation: initialized, with the session. In a transaction it is part of that. */
void mt_mongo_opts (MtMongo *m, bson_t *opts);
/* The same outside of any transaction. */
void mt_mongo_plain_opts (MtMongo *m, bson_t *opts);

/* ---- mongo_srv.c ---- */

/* Over that link. NULL: link->why has the reason, or waiting was ended. Owned by the caller. */
mongoc_client_t *mt_mongo_client (const mongoc_uri_t *uri, MtLink *l);
bool mt_srv_over (void); /* no look-up goes on that uses the driver */

/* ---- mongo_behind.c ---- */

void mt_behind_init (void); /* before all else here */
/* MtLink.on_cancel; ctx is the MtMongo. Returns at once: a thread asks. */
void mt_mongo_ask_to_stop (void *ctx);
/* A thread undoes m's step: it takes over m->undo, and the connection if no cursor is open. Returns
 * when that is done, or soon after the statement is to end: then the collections count as left
 * over, and the thread goes on. */
void mt_mongo_undo (MtMongo *m);
void mt_mongo_retire (MtEngine *e); /* in the same way: what is listed goes */
/* Before the connection is used again: who asked the server to stop is done with it, or the
 * connection is given up. */
void mt_mongo_meet_stop (MtMongo *m);
/* Waits until an earlier step is undone. 57014 */
bool mt_mongo_meet_undo (MtMongo *m, MtError *err);
void mt_behind_unref (MtBehind *b); /* NULL is allowed */
/* At the end of the process: waits a little for the threads, and ends them. False: one goes on, so
 * that what it uses must stay. */
bool mt_behind_end (void);
/* The sessions of a connection (NULL: none), appended to an array that is empty. */
void mt_mongo_list_sessions (const MtConn *c, bson_t *list);
bool mt_mongo_kill_sessions (mongoc_client_t *client,
                             const bson_t *sessions); /* false where that can't be done */

/* ---- mongo.c ---- */

void mt_mongo_free (MtMongo *m); /* no step is open */

bool mt_mongo_find (MtMongo *m, const char *collection, MtVal id, bson_t **doc,
                    MtError *err); /* owned by the caller; NULL: none */

/* The first document that a pipeline gives; NULL (with or without an error set) when there is none.
 * Owned by the caller. */
bson_t *mt_mongo_run_for_one (MtMongo *m, const char *collection, const bson_t *pipeline,
                              MtError *err);

/* ---- mongo_cursor.c ---- */

bool mt_mongo_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);

/* ---- mongo_beside.c ---- */

typedef struct MtBesideDoc {
   bool learns;       /* it was asked for, and can come some time: */
   uint64_t shape;    /* with pipelines like this, when they give few */
   bool wanted;       /* the pipeline has it behind its own documents */
   const char *field; /* that it is in, the first of its document; the engine's */
   bson_t *found;     /* NULL: it didn't come (yet) */
} MtBesideDoc;
void mt_beside_init (MtMongo *m, MtBesideDoc *b, const MtAggregateArgs *args);
/* When the cursor is done with, at its end or not. */
void mt_beside_learn (MtMongo *m, const MtBesideDoc *b, bool ended, uint64_t documents);
void mt_beside_append (const MtBesideDoc *b, const MtBeside *wanted,
                       bson_t *pipeline); /* behind the pipeline's own stages */
bool mt_beside_is (const MtBesideDoc *b, const bson_t *doc);
void mt_beside_take (MtBesideDoc *b, const bson_t *doc);
void mt_beside_fini (MtBesideDoc *b);

/* ---- mongo_probe.c ---- */

void mt_mongo_probe (MtMongo *m); /* fills caps.lacking */

/* ---- mongo_txn.c ---- */

void mt_txn_look (const MtMongo *m,
                  MtConn *c); /* what a new connection's server can do about writing */
void mt_txn_begin_step (MtMongo *m);
bool mt_txn_block (MtEngine *e,
                   MtError *err); /* the step that began is a transaction of several statements */
bool mt_txn_no_definition (
   const MtMongo *m,
   MtError *err); /* 0A000 in such a one: collections and indexes come and go outside of it */
/* 0A000 in one in pieces, unless it made the collection: what is done to that now can't be taken
 * back. */
bool mt_txn_undoable (const MtMongo *m, const char *collection, MtError *err);
bool mt_txn_plain (MtMongo *m,
                   MtError *err); /* an undecided step becomes plain: what waits is sent */
bool mt_txn_enter (
   MtMongo *m, MtError *err); /* an undecided step becomes a transaction; nothing is sent by that */
bool mt_txn_gathered (MtMongo *m, size_t bytes, bool *wait,
                      MtError *err); /* *wait: nothing is to be sent yet */
bool mt_txn_restart (MtMongo *m,
                     MtError *err); /* what the transaction did goes, and another begins */
bool mt_txn_commit (MtMongo *m, MtError *err);
bool mt_txn_commit_once (MtMongo *m, bool *conflict, MtError *err);
void mt_txn_abort (MtMongo *m);

/* ---- mongo_write.c ---- */

bool mt_mongo_flush (MtMongo *m, MtError *err); /* sends what is waiting */
void mt_mongo_write_fini (MtMongo *m);
void mt_mongo_forget_handles (MtMongo *m); /* what belongs to a connection; drops what waits */
void mt_mongo_forget_undo (MtMongo *m);
void mt_mongo_leave (MtMongo *m,
                     const char *name); /* documents of this collection may stay after a rollback */
const char *mt_mongo_leftover (const MtEngine *e);
bool mt_mongo_begin (MtEngine *e, MtError *err);
bool mt_mongo_commit (MtEngine *e, MtError *err);
void mt_mongo_rollback (MtEngine *e);
void mt_mongo_undo_all (MtMongo *m,
                        bool connected); /* what can't be undone is named in m->leftover */
/* Steps that are committed one by one and undone together. */
void mt_mongo_pieces (MtEngine *e);
bool mt_mongo_pieces_commit (MtEngine *e, MtError *err);
void mt_mongo_pieces_rollback (MtEngine *e);
bool mt_mongo_keeps (const MtMongo *m); /* whether what is done now is remembered to be undone */
bool mt_mongo_made_in_step (
   const MtMongo *m, const char *name); /* or in one before that is undone together with it */
bool mt_mongo_create (MtEngine *e, const char *name, MtError *err);
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err);
/* options NULL: none. What the server refuses is in *error, and *err isn't set. */
bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err);
void mt_mongo_own (MtEngine *e, const char *name);
bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err);
bool mt_mongo_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                      MtError *err); /* mongo_insert.c */
void mt_mongo_remember_old (
   MtMongo *m, const char *name,
   bson_t *old); /* a document as it was before it was replaced or deleted; consumed */
void mt_mongo_remember_id (
   MtMongo *m, const char *name, MtVal id,
   bool fresh); /* of a document that the step inserted; fresh: nobody else can have it */
bool mt_mongo_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
bool mt_mongo_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                         MtError *err);
MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments);
void mt_mongo_comment_bulk (
   MtMongo *m, mongoc_bulk_operation_t *bulk); /* names us, where the server takes that */
bool mt_mongo_batch_full (const MtMongoBatch *b);
bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err);
bool mt_mongo_drop_before_use (MtMongo *m, const char *name, MtError *err);
/* The list to which what to undo is added; NULL: there is too much, and the collection is known to
 * have leftovers. */
bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name);
bool mt_mongo_ensure (MtEngine *e, const char *name, const char *const *paths, size_t count,
                      bool unique, MtError *err);
/* mongo_expire.c */
bool mt_mongo_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                      bool *does, MtError *err);
bool mt_mongo_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                               uint64_t *deleted, MtError *err);
bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths,
                            size_t count, MtError *err);
bool mt_mongo_create_unique_index (MtEngine *e, const char *collection, const char *const *paths,
                                   size_t count, MtError *err);
void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid); /* of a document that the step inserts */
void mt_mongo_new_id (MtMongo *m, const char *collection,
                      bson_oid_t *oid); /* the same, remembered for a rollback */
void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid);
bool mt_mongo_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                          size_t count, MtError *err);

/* ---- mongo_sender.c ---- */

/* Waits for what is on its way. False with its error: it failed. */
bool mt_mongo_settle (MtMongo *m, MtError *err);
bool mt_mongo_is_sending (
   const MtMongo *m); /* what isn't gathering belongs to another thread, until settled */
void mt_mongo_forget_outcome (MtMongo *m); /* of the last step; nothing is on its way */
void mt_mongo_stop_sending (MtMongo *m);
bool mt_mongo_failed_late (const MtEngine *e);
bool mt_mongo_sent (MtEngine *e,
                    MtError *err); /* false: a batch failed, and nobody has its error yet */
/* The batch has got another document: it is sent, or goes on its way, when it is time to. */
bool mt_mongo_gathered (MtMongo *m, MtMongoBatch *b, MtError *err);

/* ---- mongo_inc.c ---- */

bool mt_mongo_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                         MtError *err);
bool mt_mongo_incremented (MtEngine *e, uint64_t *made, MtError *err);
bool mt_mongo_send_increments (MtMongo *m, const MtMongoBatch *b,
                               MtError *err); /* outside of a transaction */
bool mt_mongo_increment_once (MtMongo *m, const MtMongoBatch *b, bool *conflict,
                              MtError *err); /* in one. *conflict: it gave way */
bool mt_mongo_take_back (MtMongo *m, const MtUndo *u);

/* ---- mongo_insert.c ---- */

bool mt_mongo_send_inserts (MtMongo *m, const MtMongoBatch *b, MtError *err); /* the same */
bool mt_mongo_insert_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err);

/* ---- mongo_replay.c ---- */

bool mt_mongo_send_adding (MtMongo *m, MtMongoBatch *b,
                           MtError *err); /* in a transaction. What was sent is no longer in b */
/* A transaction that did nothing but add and gave way is done again; commit: and ended. False with
 * the last error in *err. */
bool mt_mongo_replay (MtMongo *m, bool commit, MtError *err);
void mt_mongo_forget_sent (MtMongo *m);

/* ---- mongo_slots.c: of one document's increments, as a batch keeps them ---- */

/* Read once of what is kept, {id, u: {$inc, $set, $setOnInsert}, slots}, and borrowed. */
typedef struct MtMongoInc {
   MtVal all, id;
   MtVal update;                       /* as it is sent, unless there are slots */
   MtVal amounts, fresh, first, slots; /* documents, empty where nothing is kept */
} MtMongoInc;
MtMongoInc mt_mongo_inc (MtVal kept); /* missing: of nothing */
/* mongo_inc.c: keeps them; adds what a document was, which is made where there is none, and takes
 * away what it became. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what);
bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is);

/* Calls fn for each place that is to have a value; slot: an element of an array. False when fn said
 * so. */
typedef bool (*MtPlaceFn) (void *ctx, const char *path, MtVal v, bool slot);
bool mt_mongo_each_place (const MtMongoInc *op, MtPlaceFn fn, void *ctx);
void mt_mongo_filter_places (bson_t *filter,
                             const MtMongoInc *op); /* adds that none of them has one yet */
void mt_mongo_slots_pipeline (bson_t *update, const MtMongoInc *op);
/* Why an update met no document that it could change: 23505 or 22003 where the document says so;
 * else it may be sent again. */
bool mt_mongo_look_at_places (MtMongo *m, const char *collection, const MtMongoInc *op,
                              MtError *err);

/* ---- mongo_made.c ---- */

void mt_mongo_remember_made (MtMongo *m, const char *collection, MtVal id, MtVal first);
void mt_mongo_unmake (MtMongo *m, const MtUndo *u);

/* ---- mongo_adjust.c ---- */

bool mt_mongo_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                      MtError *err);

/* ---- mongo_beat.c ---- */

void mt_mongo_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids);
/* Removes the documents that are listed, and adds to *found how many were there. False: some have
 * not been there yet, in this call and those before it that counted in the same *found. */
bool mt_mongo_beat_retire (MtMongo *m, unsigned *found);
bool mt_mongo_beats_stand (MtMongo *m); /* all that is listed is there, and was all the step long */
void mt_mongo_beat_fini (MtMongo *m);

/* ---- mongo_unique.c ---- */

bool mt_mongo_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                             size_t count, bool *refused, MtError *err);
bool mt_mongo_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);
bool mt_mongo_put_same_back (MtMongo *m, const MtUndo *u);
/* Adds to a filter what is true of a document while it is `doc`, and has none of the other fields.
 * 0A000 for names of fields that can't be said. */
bool mt_mongo_same_as (const bson_t *doc, const char *const *fields, size_t field_count,
                       bson_t *filter, MtError *err);

/* ---- mongo_collation.c ---- */

/* Whether the collection is there; learns which have a collation of their own by the same
 * command. */
bool mt_mongo_look_up (MtMongo *m, const char *name, bool *has, MtError *err);
bool mt_mongo_is_collated (
   const MtEngine *e,
   const char *collection); /* it has one that is overridden, so far as is known */
/* Adds to a command's options that texts are compared as bytes, where the collection has other
 * rules. 0A000 where the server doesn't do so. */
bool mt_mongo_append_collation (MtMongo *m, const char *collection, bson_t *opts, MtError *err);
/* 0A000 where the server would take one document for another. */
bool mt_mongo_may_change (MtMongo *m, const char *collection, MtError *err);
bool mt_mongo_may_insert (MtMongo *m, const char *collection, MtVal id, MtError *err);

/* ---- mongo_timeseries.c ---- */

bool mt_mongo_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                 MtError *err);
bool mt_mongo_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                          MtError *err);
bool mt_mongo_beside_txn (MtEngine *e, MtError *err);

/* ---- mongo_newer.c ---- */

bool mt_mongo_keep_newer (MtEngine *e, const char *collection, const bson_t *const *docs,
                          size_t count, const MtNewer *by, MtNewerCounts *counts, MtError *err);
bool mt_mongo_bring_back (MtMongo *m, const MtUndo *u);

#endif
