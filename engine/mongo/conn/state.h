/* The state of an engine whose target is a server. */
#ifndef MT_MONGO_STATE_H
#define MT_MONGO_STATE_H

#include "engine/implement.h"
#include "engine/mongo/net/job.h"
#include "engine/mongo/net/net.h"

#include "base/str.h"

/* One connection to a server. After a loss, a new MtConn replaces it. It is freed with its last
 * open cursor. */
typedef struct MtConn {
   unsigned refs;
   MtLink link;
   mongoc_client_t *client;
   mongoc_database_t *db;
   mongoc_client_session_t *session; /* NULL: the server has no sessions */
   /* The session for transactions, so that cursors opened earlier can go on in `session`. NULL: not
    * needed yet. */
   mongoc_client_session_t *write_session;
   bool txn_able;         /* the server has transactions */
   bool router;           /* the server is a router (mongos) */
   bool write_comments;   /* the server accepts `comment` in write commands */
   bool update_pipelines; /* the server accepts a pipeline as an update */
} MtConn;

/* Whether an open step is a transaction on the server (write/txn.c). */
typedef enum MtMongoStep {
   /* No transaction: others see each write at once; a rollback undoes them one by one. */
   MT_STEP_PLAIN,
   MT_STEP_UNDECIDED, /* nothing was sent yet; the step may still become either */
   MT_STEP_TRANSACTION
} MtMongoStep;

/* What a server does with a collection's own collation (collation.c). */
typedef enum MtCollating {
   MT_COLLATING_UNKNOWN,    /* the server was not tested yet */
   MT_COLLATING_OVERRIDDEN, /* a command can demand that texts are compared as bytes */
   MT_COLLATING_IGNORED,    /* the server ignores collations: texts are always compared as bytes */
   MT_COLLATING_BOUND       /* a command can't override the collation */
} MtCollating;

enum { MT_SHORT_SHAPES = 256 };

/* The beginning of a temporary name for a dropped collection. A collection is really dropped at the
 * commit. If its name is needed before, the collection is renamed to such a name. */
#define MT_MONGO_DROPPED "_mtsql_dropped_"

#define MT_TXN_BYTES ((size_t) 16 << 20) /* most bytes that one transaction may insert */

/* A batch: inserts or increments that wait to be sent to one collection. */
typedef struct MtMongoBatch {
   struct MtMongoBatch *next;
   char *name;
   bool increments; /* true: increments; false: inserts */
   mongoc_collection_t *coll;
   MtBuf docs; /* for inserts: the documents, one after another */
   size_t count, bytes;
   bool fresh; /* no other client can have the _ids of the waiting documents */
   /* An array, with an element for each waiting document. Inserts: the _id, or null if the step
    * made the _id. Increments: the increment (write/increment.c). NULL: the batch is empty. */
   bson_t *ids;
} MtMongoBatch;

typedef struct MtUndo MtUndo;     /* what a rollback has to undo: write/write.h */
typedef struct MtBeat MtBeat;     /* the thread that sends signs of life: conn/beat.c */
typedef struct MtSender MtSender; /* the thread that sends batches: write/sender.c */

typedef struct MtMongo {
   MtEngine base;

   /* ---- the connection ---- */
   mongoc_uri_t *uri; /* the server's URI, with the password and all default options */
   MtConn *conn;      /* NULL: the connection was lost, and there is no new one yet */
   bool lost;         /* `conn` was lost, and can't be used any more */
   /* This engine only undoes a step (undo/behind.c); the first cancel doesn't end it. */
   bool undoing;
   const atomic_bool *alone; /* the value of MtLink.alone for this engine's links */
   char comment[80];         /* `comment` of all commands of the connection */
   /* 1 + the number (MtCancel.statement) of a cancelled statement that couldn't connect again. The
    * clean-up of that statement doesn't try to connect once more. */
   uint64_t unreachable_in;
   /* Array of the session ids of a lost connection, until there is a new connection; or NULL. */
   bson_t *lost_sessions;
   MtUnanswered unanswered; /* sockets of lost connections whose writes may still arrive */
   MtJob *stops;  /* the last job that asked the server to stop (conn/stop.c); NULL: none */
   MtJob *undoes; /* the last job that undoes a step (undo/behind.c); NULL: none */
   MtBeat *beat;  /* the thread for signs of life; NULL: not needed yet */

   /* ---- reading ---- */
   bool beside; /* the next read is outside of the transaction, where servers refuse it */
   /* A pipeline's command can return an extra document of another collection (beside.c). The field
    * with this name holds the extra document. */
   char beside_field[32];
   /* Hash table of the shapes of pipelines that returned few documents (beside.c). */
   uint64_t short_shapes[MT_SHORT_SHAPES];
   MtBuf collated;        /* names of collections with their own collation, each ended by 0 */
   bool knows_collations; /* `collated` is complete */
   MtCollating collating;
   bool rereads; /* the server may return documents twice (cursor.c) */

   /* ---- the open step ---- */
   MtMongoStep step;
   bool committing;   /* commit was sent: if the answer is lost, the outcome is unknown */
   size_t step_bytes; /* bytes that the step has inserted */
   MtMongoBatch *batches;
   MtSender *sender; /* the thread that sends batches; NULL: not started yet */
   bool late;      /* the last error may be of an earlier call's document, because a batch failed */
   uint64_t made;  /* number of documents that the step's increments created */
   bool only_adds; /* the transaction has only added, so the batches in `sent` can repeat it */
   MtMongoBatch *sent;       /* the transaction's batches, in the order of sending */
   uint64_t made_before_txn; /* `made` when the transaction began */
   uint8_t oid_prefix[9]; /* first bytes of the step's new _ids: the time and five random bytes */
   /* Last three bytes of the next _id; if too great, a new prefix is made first. */
   uint32_t oid_next;
   bool beat_gone; /* a document that gives signs of life was gone during the step */

   /* ---- what is undone or dropped at its end ---- */
   MtUndo *undo; /* what a rollback has to undo, the newest first */
   size_t undo_bytes;
   bool undo_full; /* the undo list became too long, so a rollback is incomplete */
   MtBuf leftover; /* names of collections in which documents may stay after a rollback */
   char **drops;   /* names of collections to drop at commit */
   size_t drop_count;
   size_t drops_before; /* so many of `drops` are of earlier steps of the transaction */
} MtMongo;

#endif
