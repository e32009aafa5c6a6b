/* The state of the engine on a server. */
#ifndef MT_MONGO_STATE_H
#define MT_MONGO_STATE_H

#include "engine/implement.h"
#include "engine/mongo/net/job.h"
#include "engine/mongo/net/net.h"

#include "base/str.h"

/* One connection. It is replaced when it is lost, and freed with its last cursor. */
typedef struct MtConn {
   unsigned refs;
   MtLink link;
   mongoc_client_t *client;
   mongoc_database_t *db;
   mongoc_client_session_t *session; /* NULL: the server has no sessions */
   /* For transactions, so that cursors that were open before go on beside them. NULL: none yet. */
   mongoc_client_session_t *write_session;
   bool txn_able;         /* the server has transactions */
   bool router;           /* the server is a router (mongos) */
   bool write_comments;   /* the server takes `comment` with writes */
   bool update_pipelines; /* the server takes a pipeline as an update */
} MtConn;

/* How an open step is written (write/txn.c). */
typedef enum MtMongoStep {
   MT_STEP_PLAIN,     /* others see each document as it arrives; undone in pieces */
   MT_STEP_UNDECIDED, /* nothing was sent yet */
   MT_STEP_TRANSACTION
} MtMongoStep;

/* What a server does with a collection's own collation (collation.c). */
typedef enum MtCollating {
   MT_COLLATING_UNKNOWN,    /* not tried yet */
   MT_COLLATING_OVERRIDDEN, /* a command can say that texts are compared as bytes */
   MT_COLLATING_IGNORED,    /* texts are always compared as bytes */
   MT_COLLATING_BOUND       /* texts are always compared by the collation */
} MtCollating;

enum { MT_SHORT_SHAPES = 256 };

/* A collection that a transaction in pieces has dropped gets a name that begins so, when another
 * takes its name. It is dropped at the end. */
#define MT_MONGO_DROPPED "_mtsql_dropped_"

#define MT_TXN_BYTES ((size_t) 16 << 20) /* that one transaction may insert */

/* Documents that wait to be sent to one collection. */
typedef struct MtMongoBatch {
   struct MtMongoBatch *next;
   char *name;
   bool increments; /* else inserts */
   mongoc_collection_t *coll;
   MtBuf docs; /* of inserts: one document behind the other */
   size_t count, bytes;
   bool fresh; /* no other client can have the _ids of the waiting documents */
   /* Inserts: the _ids of the waiting documents, null where the step made the _id. Increments: what
    * is added (write/increment.c). NULL: nothing waits. */
   bson_t *ids;
} MtMongoBatch;

typedef struct MtUndo MtUndo;     /* write/write.h */
typedef struct MtBeat MtBeat;     /* conn/beat.c */
typedef struct MtSender MtSender; /* write/sender.c */

typedef struct MtMongo {
   MtEngine base;

   /* ---- the connection ---- */
   mongoc_uri_t *uri;        /* with the password and the defaults */
   MtConn *conn;             /* NULL: lost, and not made again yet */
   bool lost;                /* conn can't be used any more */
   bool undoing;             /* this engine only undoes (undo/behind.c): its links are masked */
   const atomic_bool *alone; /* MtLink.alone of its links */
   char comment[80];         /* of all commands of the connection */
   /* 1 + the number of the statement (MtCancel.statement) that was cancelled and couldn't connect
    * again. Its clean-up doesn't try once more. */
   uint64_t unreachable_in;
   bson_t *lost_sessions; /* an array: of a lost connection that has no successor yet; or NULL */
   MtJob *stops;          /* asks the server to stop, or did (conn/stop.c); NULL: none */
   MtJob *undoes;         /* undoes an earlier step, or did (undo/behind.c); NULL: none */
   MtBeat *beat;          /* NULL: no document had to give signs of life yet */

   /* ---- reading ---- */
   bool beside;           /* reads outside of the transaction, because servers refuse it there */
   char beside_field[32]; /* the field of a document that is found beside a pipeline (beside.c) */
   uint64_t short_shapes[MT_SHORT_SHAPES]; /* pipelines that gave few documents, each at the place
                                            * that its hash says */
   MtBuf collated;        /* names of collections with their own collation, each ending in 0 */
   bool knows_collations; /* `collated` is complete */
   MtCollating collating;
   bool rereads; /* the server may return documents twice (cursor.c) */

   /* ---- the open step ---- */
   MtMongoStep step;
   bool committing;   /* the transaction's outcome isn't known if the answer is lost */
   size_t step_bytes; /* that it inserted */
   MtMongoBatch *batches;
   MtSender *sender;   /* NULL: none yet */
   bool late;          /* the batch that failed was sent when its last document came */
   uint64_t made;      /* documents that its increments created */
   bool only_adds;     /* the transaction did nothing but add, so it can be repeated from `sent` */
   MtMongoBatch *sent; /* in their order */
   uint64_t made_before_txn; /* `made` when the transaction began */
   uint8_t oid_prefix[9];    /* of the _ids that the step makes: the time and five random bytes */
   uint32_t oid_next;        /* their last three bytes; too great: a prefix is made first */
   bool beat_gone;           /* a document that gives signs of life was gone during the step */

   /* ---- what is undone or dropped at its end ---- */
   MtUndo *undo; /* the newest first */
   size_t undo_bytes;
   bool undo_full; /* there was too much to remember */
   MtBuf leftover; /* names of collections in which documents may stay after a rollback */
   char **drops;   /* names of collections to drop at commit */
   size_t drop_count;
   size_t drops_before; /* so many of them are of earlier steps of a transaction in pieces */
} MtMongo;

#endif
