/* For implementations of the engine: two tables of functions, one for engines and one for cursors.
 * The implementation's own structures have MtEngine or MtCursor as their first member.
 *
 * engine.c does the checks that all engines have in common (read-only targets, sizes, steps), and
 * then calls the functions of these tables. local/local.c and mongo/mongo.c implement them. */
#ifndef MT_ENGINE_IMPLEMENT_H
#define MT_ENGINE_IMPLEMENT_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"

/* ---- cursors ---- */

typedef struct MtCursorVt {
   bool (*next) (MtCursor *c, const bson_t **doc, MtError *err); /* as mt_cursor_next */
   /* like mt_cursor_row; NULL: rows are made from the documents that `next` returns */
   bool (*row) (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
   void (*stats) (MtCursor *c, MtRunStats *out); /* NULL: the cursor counts nothing */
   void (*free) (MtCursor *c);                   /* frees the cursor itself too */
   bool (*beside) (MtCursor *c, bool *known, const bson_t **doc,
                   MtError *err); /* NULL: never known */
} MtCursorVt;

struct MtCursor {
   const MtCursorVt *vt;
};

/* Implements mt_cursor_row by means of the cursor's next document: stores the fields c0, c1, … in
 * `values`. */
bool mt_row_of_next (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
/* Returns the column number that a field name stands for: 12 for "c12". SIZE_MAX: the name does not
 * have this form. */
size_t mt_row_column (MtStr name);

/* ---- engines ---- */

/* The functions of an engine. Each member implements the function mt_engine_NAME of engine.h and
 * the headers that it includes. Some members may be NULL. */
typedef struct MtEngineVt {
   void (*close) (MtEngine *e);
   const MtError *(*warning) (const MtEngine *e); /* NULL: opening never warns */
   bool (*aggregate) (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
   bool (*collections) (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);
   bool (*has_collection) (MtEngine *e, const char *name, bool *has, MtError *err);
   const char *(*text_file) (MtEngine *e, const char *name); /* NULL: there are no text files */
   bool (*collated) (const MtEngine *e, const char *name); /* NULL: no collection has a collation */
   bool (*stats) (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
   /* NULL: the engine can't skip blocks of documents. */
   bool (*opened) (MtEngine *e, const char *collection, const bson_t *pipeline,
                   MtOpenedBlocks *out);
   /* NULL: the engine has no files on disk. */
   uint64_t (*disk_bytes) (MtEngine *e, const char *collection);
   /* NULL: the engine does not store columns. */
   bool (*keeps_columns) (MtEngine *e, const char *collection, const char *const *fields,
                          size_t count);
   bool (*has_documents) (MtEngine *e, const char *collection, bool *has,
                          MtError *err); /* NULL: found out by `stats` */
   bool (*indexes) (MtEngine *e, const char *collection, bson_t *list,
                    MtError *err); /* appends to the list; NULL: the only index is the one on _id */
   bool (*begin) (MtEngine *e, MtError *err);
   bool (*commit) (MtEngine *e, MtError *err);
   void (*rollback) (MtEngine *e);
   /* Makes a savepoint, and stores its number in *mark. Number 0 is the state before all steps.
    * NULL: the engine has no savepoints, so a step that fails undoes the whole transaction. */
   bool (*mark) (MtEngine *e, size_t *mark, MtError *err);
   void (*return_to) (MtEngine *e, size_t mark);
   void (*unmark) (MtEngine *e, size_t mark);
   /* NULL: a rollback always drops the collections that the step created. */
   void (*own_collection) (MtEngine *e, const char *name);
   void (*pieces) (
      MtEngine *e); /* from now on each step is undone alone; NULL: caps.pieces is false */
   bool (*pieces_commit) (MtEngine *e, MtError *err);
   void (*pieces_rollback) (MtEngine *e);   /* undoes all steps since `pieces` was called */
   bool (*see) (MtEngine *e, MtError *err); /* NULL: reads always see the open step's writes */
   bool (*freeze) (MtEngine *e, bool freeze, MtError *err); /* NULL: there are no snapshots */
   /* Called after `begin`: makes the open step a transaction of several steps. NULL: each step can
    * be one. */
   bool (*txn_begin) (MtEngine *e, MtError *err);
   const char *(*leftover) (const MtEngine *e); /* NULL: a rollback always undoes everything */
   void (*beat) (MtEngine *e, const char *collection, const char *path,
                 const bson_t *ids);              /* NULL: locks end with the process */
   void (*retire) (MtEngine *e);                  /* NULL if `beat` is NULL */
   bool (*failed_late) (const MtEngine *e);       /* NULL: errors are never reported late */
   bool (*sent) (MtEngine *e, MtError *err);      /* NULL: other threads send no batches */
   bool (*reconnect) (MtEngine *e, MtError *err); /* NULL: there is no connection */
   bool (*create_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*shard) (MtEngine *e, const char *collection, const bson_t *key,
                  MtError *err); /* The member is NULL if caps.router is false. */
   /* These three are NULL if the engine has no time-series collections. */
   bool (*create_timeseries) (MtEngine *e, const char *name, const MtTimeseries *t, MtError *err);
   bool (*timeseries) (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                       MtError *err);
   bool (*beside_txn) (MtEngine *e, MtError *err);
   /* NULL: create_collection and create_index are called instead. */
   bool (*ensure_collection) (MtEngine *e, const char *name, const char *const *paths, size_t count,
                              MtError *err);
   bool (*drop_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*insert) (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                   MtError *err);
   bool (*replace) (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
   /* NULL if caps.increments is false. */
   bool (*increment) (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                      MtError *err);
   bool (*incremented) (MtEngine *e, uint64_t *made, MtError *err);
   bool (*adjust) (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                   MtError *err); /* NULL: caps.adjusts is false */
   /* NULL: engine.c reads, compares and replaces the documents one by one. */
   bool (*keep_newer) (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err);
   void (*set_delay) (MtEngine *e,
                      int64_t ms);           /* NULL: the server decides when commits are durable */
   bool (*sync) (MtEngine *e, MtError *err); /* NULL: the server decides when commits are durable */
   /* NULL: the server decides. */
   bool (*pack) (MtEngine *e, const char *const *collections, size_t count, MtError *err);
   /* NULL: always false, because the engine doesn't know. */
   bool (*only_increments) (const MtEngine *e);
   bool (*find_id) (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                    MtError *err);
   bool (*delete_id) (MtEngine *e, const char *collection, MtVal id, bool *deleted, MtError *err);
   bool (*delete_apart) (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                         MtError *err); /* NULL: engine.c calls delete_id */
   bool (*create_index) (MtEngine *e, const char *collection, const char *const *paths,
                         size_t count, MtError *err);
   /* These two are NULL if caps.unique_indexes is false. */
   bool (*create_unique_index) (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                MtError *err);
   bool (*drop_unique_index) (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                              MtError *err);
   bool (*insert_absent) (MtEngine *e, const char *collection, const bson_t *const *docs,
                          size_t count, bool *refused, MtError *err);
   bool (*replace_same) (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err);
   bool (*expire) (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                   bool *does, MtError *err); /* NULL: documents never expire */
   /* NULL: engine.c deletes the documents one by one. */
   bool (*delete_matching) (MtEngine *e, const char *collection, const bson_t *filter,
                            uint64_t *deleted, MtError *err);
   bool (*drop_index) (MtEngine *e, const char *collection, const char *const *paths, size_t count,
                       MtError *err); /* NULL: the engine has no indexes to drop */
} MtEngineVt;

struct MtEngine {
   const MtEngineVt *vt;
   MtArena *arena; /* for the engine's life; owned */
   MtCaps caps;
   const MtCancel *cancel;      /* borrowed, or NULL */
   const MtProgress *progress;  /* borrowed, or NULL */
   const MtDocStreams *streams; /* borrowed, or NULL */
   size_t work_mem;             /* in bytes; never 0 */
   int64_t lock_timeout_ms;
   unsigned threads; /* never 0 */
   MtReading reading;
   const MtOpRow *const
      *ops; /* tables of mt_engine_register_ops, the newest first; in the engine's arena */
   size_t op_tables;
   const MtOpIndex *op_index; /* index of the operators in `ops`; NULL: there are no operators */
   bool in_step;              /* a step is open: between begin and commit or rollback */
   bool own_step;             /* the step consists of one call */
   bool in_txn; /* since mt_engine_txn_begin; the first step begins the engine's own transaction */
   bool in_pieces;   /* since mt_engine_txn_in_pieces (steps commit one by one); in_txn is false */
   bool txn_open;    /* a first step has begun the engine's own transaction */
   bool txn_lost;    /* the transaction was undone after an error; its commit will fail */
   size_t step_mark; /* the savepoint at the beginning of the open step */
   bson_context_t *oids; /* for mt_engine_new_id; NULL: not needed yet */
   uint64_t made_before; /* documents that increments of the transaction's earlier steps created */
   MtEngine *temporary;  /* the store of the temporary collections; owned; NULL: none */
   /* If this engine is a temporary store, the engine to which it belongs; otherwise NULL.
    * Borrowed. */
   MtEngine *target;
   bool aimed; /* steps go to the temporary store */
};

/* Opens a target, either local or on a server. All defaults in `options` must already be filled
 * in. */
bool mt_local_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);
bool mt_mongo_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);

/* Initialises the common part of a new engine, which must be zeroed. */
void mt_engine_init (MtEngine *e, const MtEngineVt *vt, const MtEngineOptions *options);
/* Frees the common part of an engine. vt->close calls this function at its end, before it frees
 * `e`. */
void mt_engine_fini (MtEngine *e);

/* ---- engine_temporary.c ---- */

/* Returns the engine with a collection: e, or its temporary store if the name has the prefix
 * MT_TEMPORARY. */
MtEngine *mt_engine_of (MtEngine *e, const char *collection);
/* Copies the settings of the engine to its temporary store. */
void mt_engine_set_alike (MtEngine *e);

/* Adds the names of temporary collections to *names, a sorted list in arena a. */
bool mt_add_temporary (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);

/* Runs a pipeline on the engine ctx, a server, for stages of a local pipeline. It is the callback
 * MtExecArgs.remote. */
bool mt_engine_remote (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                       MtError *err);

/* ---- engine_txn.c: steps in a transaction ---- */

bool mt_txn_step_begin (MtEngine *e, MtError *err);
bool mt_txn_step_commit (MtEngine *e, MtError *err);
void mt_txn_step_rollback (MtEngine *e);

#define MT_DEFAULT_WORK_MEM ((size_t) 256 << 20)

#endif
