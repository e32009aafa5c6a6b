/* For an implementation of the engine: two tables of functions, one for engines, one for cursors.
 * Both structs are the first member of the implementation's own.
 *
 * engine.c does the checks that all engines share (read-only targets, sizes, steps), and calls
 * these functions. local/local.c and mongo/mongo.c implement them. */
#ifndef MT_ENGINE_IMPLEMENT_H
#define MT_ENGINE_IMPLEMENT_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"

/* ---- cursors ---- */

typedef struct MtCursorVt {
   bool (*next) (MtCursor *c, const bson_t **doc, MtError *err); /* as mt_cursor_next */
   void (*stats) (MtCursor *c, MtRunStats *out);                 /* NULL: nothing is counted */
   void (*free) (MtCursor *c);                                   /* frees the cursor itself too */
   bool (*beside) (MtCursor *c, bool *known, const bson_t **doc,
                   MtError *err); /* NULL: never known */
} MtCursorVt;

struct MtCursor {
   const MtCursorVt *vt;
};

/* ---- engines ---- */

/* Each function is the one of the same name in engine.h and the headers that it includes. */
typedef struct MtEngineVt {
   void (*close) (MtEngine *e);
   const MtError *(*warning) (const MtEngine *e); /* NULL: never any */
   bool (*aggregate) (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
   bool (*collections) (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);
   bool (*has_collection) (MtEngine *e, const char *name, bool *has, MtError *err);
   bool (*collated) (const MtEngine *e, const char *name); /* NULL: none is */
   bool (*stats) (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
   bool (*has_documents) (MtEngine *e, const char *collection, bool *has,
                          MtError *err); /* NULL: by `stats` */
   bool (*indexes) (MtEngine *e, const char *collection, bson_t *list,
                    MtError *err); /* appends to the list; NULL: there is only the one on _id */
   bool (*begin) (MtEngine *e, MtError *err);
   bool (*commit) (MtEngine *e, MtError *err);
   void (*rollback) (MtEngine *e);
   /* Savepoints; mark 0 is before all steps. NULL: there are none, and a step that fails undoes the
    * whole transaction. */
   bool (*mark) (MtEngine *e, size_t *mark, MtError *err);
   void (*return_to) (MtEngine *e, size_t mark);
   void (*unmark) (MtEngine *e, size_t mark);
   void (*own_collection) (MtEngine *e, const char *name); /* NULL: a rollback undoes all */
   void (*pieces) (
      MtEngine *e); /* remembers from now on how to undo steps; NULL: caps.pieces is false */
   bool (*pieces_commit) (MtEngine *e, MtError *err);
   void (*pieces_rollback) (MtEngine *e);   /* of all steps since `pieces` */
   bool (*see) (MtEngine *e, MtError *err); /* NULL: reads see the open step's writes anyway */
   bool (*freeze) (MtEngine *e, bool freeze, MtError *err); /* NULL: there are no snapshots */
   bool (*txn_begin) (
      MtEngine *e, MtError *err); /* after `begin`: makes the step a transaction; NULL: it is one */
   const char *(*leftover) (const MtEngine *e); /* NULL: a rollback leaves nothing */
   void (*beat) (MtEngine *e, const char *collection, const char *path,
                 const bson_t *ids);              /* NULL: locks end with the process */
   void (*retire) (MtEngine *e);                  /* NULL if `beat` is NULL */
   bool (*failed_late) (const MtEngine *e);       /* NULL: never */
   bool (*sent) (MtEngine *e, MtError *err);      /* NULL: all calls send at once */
   bool (*reconnect) (MtEngine *e, MtError *err); /* NULL: there is no connection */
   bool (*create_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*shard) (MtEngine *e, const char *collection, const bson_t *key,
                  MtError *err); /* NULL: caps.router is false */
   bool (*create_timeseries) (MtEngine *e, const char *name, const MtTimeseries *t,
                              MtError *err); /* NULL for all three: there are no such collections */
   bool (*timeseries) (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                       MtError *err);
   bool (*beside_txn) (MtEngine *e, MtError *err);
   /* NULL: create_collection and create_index are used. */
   bool (*ensure_collection) (MtEngine *e, const char *name, const char *const *paths, size_t count,
                              bool unique, MtError *err);
   bool (*drop_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*insert) (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                   MtError *err);
   bool (*replace) (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
   /* NULL: caps.increments is false */
   bool (*increment) (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                      MtError *err);
   bool (*incremented) (MtEngine *e, uint64_t *made, MtError *err);
   bool (*adjust) (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                   MtError *err); /* NULL: caps.adjusts is false */
   /* NULL: documents are found, compared and replaced one by one. */
   bool (*keep_newer) (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);
   void (*set_delay) (MtEngine *e,
                      int64_t ms); /* NULL: commits are as durable as the server makes them */
   bool (*sync) (MtEngine *e, MtError *err);    /* NULL: as set_delay */
   bool (*only_increments) (const MtEngine *e); /* NULL: not known */
   bool (*find_id) (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                    MtError *err);
   bool (*delete_id) (MtEngine *e, const char *collection, MtVal id, bool *deleted, MtError *err);
   bool (*delete_apart) (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                         MtError *err); /* NULL: as delete_id */
   bool (*create_index) (MtEngine *e, const char *collection, const char *const *paths,
                         size_t count, MtError *err);
   bool (*create_unique_index) (MtEngine *e, const char *collection, const char *const *paths,
                                size_t count,
                                MtError *err); /* NULL: caps.unique_indexes is false */
   bool (*insert_absent) (MtEngine *e, const char *collection, const bson_t *const *docs,
                          size_t count, bool *refused, MtError *err);
   bool (*replace_same) (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);
   bool (*expire) (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                   bool *does, MtError *err); /* NULL: never */
   bool (*delete_matching) (MtEngine *e, const char *collection, const bson_t *filter,
                            uint64_t *deleted, MtError *err); /* NULL: one by one */
   bool (*drop_index) (MtEngine *e, const char *collection, const char *const *paths, size_t count,
                       MtError *err); /* NULL: nothing to do */
} MtEngineVt;

struct MtEngine {
   const MtEngineVt *vt;
   MtArena *arena; /* for the engine's life; owned */
   MtCaps caps;
   const MtCancel *cancel;     /* borrowed, or NULL */
   const MtProgress *progress; /* borrowed, or NULL */
   size_t work_mem;            /* never 0 */
   int64_t lock_timeout_ms;
   unsigned threads; /* never 0 */
   const MtOpRow *const
      *ops; /* tables of mt_engine_register_ops, the newest first; in the engine's arena */
   size_t op_tables;
   const MtOpIndex *op_index; /* of them; NULL: there are none */
   bool in_step;              /* between begin and commit or rollback */
   bool own_step;             /* the step consists of one call */
   bool in_txn;               /* in a transaction, which begins with its first step */
   bool in_pieces;            /* in a transaction in pieces; in_txn is false */
   bool txn_open;             /* the transaction has begun */
   bool txn_lost;             /* the transaction is undone, and waits for its end */
   size_t step_mark;          /* the savepoint at the beginning of the open step */
   bson_context_t *oids;      /* for mt_engine_new_id; NULL: not needed yet */
   uint64_t made_before; /* documents that increments of the transaction's earlier steps created */
   MtEngine *temporary;  /* has the temporary collections; owned; NULL: there are none */
   /* of a temporary store: its target; borrowed; NULL: this is no temporary store */
   MtEngine *target;
   bool aimed; /* steps go to the temporary store */
};

/* Opens a target. Options have no 0 that stands for a default. */
bool mt_local_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);
bool mt_mongo_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);

/* Initializes the common part of a new engine, which is zeroed. */
void mt_engine_init (MtEngine *e, const MtEngineVt *vt, const MtEngineOptions *options);
/* Frees the common part. vt->close calls it last, before it frees `e`. */
void mt_engine_fini (MtEngine *e);

/* ---- engine_temporary.c ---- */

/* The engine that has a collection: e, or its temporary store. */
MtEngine *mt_engine_of (MtEngine *e, const char *collection);
/* Copies the engine's settings to its temporary store. */
void mt_engine_set_alike (MtEngine *e);

/* Adds the temporary collections to a sorted list. */
bool mt_add_temporary (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);

/* MtExecArgs.remote; ctx is the engine. */
bool mt_engine_remote (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                       MtError *err);

/* ---- engine_txn.c: a step within a transaction ---- */

bool mt_txn_step_begin (MtEngine *e, MtError *err);
bool mt_txn_step_commit (MtEngine *e, MtError *err);
void mt_txn_step_rollback (MtEngine *e);

#define MT_DEFAULT_WORK_MEM ((size_t) 256 << 20)

#endif
