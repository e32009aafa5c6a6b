/* For an implementation of the engine: two tables of functions, one for engines, one for cursors.
 * The implementation's own structs begin with MtEngine or MtCursor.
 *
 * engine.c does the checks that all engines share (read-only targets, sizes, steps), and then calls
 * the functions of these tables. local/local.c and mongo/mongo.c implement them. */
#ifndef MT_ENGINE_IMPLEMENT_H
#define MT_ENGINE_IMPLEMENT_H

#include "engine/engine.h"
#include "engine/local/expr/op.h"

/* ---- cursors ---- */

typedef struct MtCursorVt {
   bool (*next) (MtCursor *c, const bson_t **doc, MtError *err); /* as mt_cursor_next */
   /* as mt_cursor_row; NULL: rows are made of the documents of `next` */
   bool (*row) (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
   void (*stats) (MtCursor *c, MtRunStats *out); /* NULL: the cursor counts nothing */
   void (*free) (MtCursor *c);                   /* frees the cursor itself too */
   bool (*beside) (MtCursor *c, bool *known, const bson_t **doc,
                   MtError *err); /* NULL: never known */
} MtCursorVt;

struct MtCursor {
   const MtCursorVt *vt;
};

/* Reads a row as mt_cursor_row does, from the next document. */
bool mt_row_of_next (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err);
/* Returns the number of a column by the name of its field: 12 for "c12". SIZE_MAX: the name has
 * another form. */
size_t mt_row_column (MtStr name);

/* ---- engines ---- */

/* Each member implements the function of that name (mt_engine_NAME) in engine.h and the headers
 * that engine.h includes. */
typedef struct MtEngineVt {
   void (*close) (MtEngine *e);
   const MtError *(*warning) (const MtEngine *e); /* NULL: opening never warns */
   bool (*aggregate) (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
   bool (*collections) (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);
   bool (*has_collection) (MtEngine *e, const char *name, bool *has, MtError *err);
   const char *(*text_file) (MtEngine *e, const char *name); /* NULL: there are no text files */
   bool (*collated) (const MtEngine *e, const char *name); /* NULL: no collection has a collation */
   bool (*stats) (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
   /* NULL: the engine has no blocks that it skips. */
   bool (*opened) (MtEngine *e, const char *collection, const bson_t *pipeline,
                   MtOpenedBlocks *out);
   /* NULL: the engine has no files. */
   uint64_t (*disk_bytes) (MtEngine *e, const char *collection);
   /* NULL: the engine has no columns. */
   bool (*keeps_columns) (MtEngine *e, const char *collection, const char *const *fields,
                          size_t count);
   bool (*has_documents) (MtEngine *e, const char *collection, bool *has,
                          MtError *err); /* NULL: by `stats` */
   bool (*indexes) (MtEngine *e, const char *collection, bson_t *list,
                    MtError *err); /* appends to the list; NULL: the only index is the one on _id */
   bool (*begin) (MtEngine *e, MtError *err);
   bool (*commit) (MtEngine *e, MtError *err);
   void (*rollback) (MtEngine *e);
   /* Makes a savepoint; mark 0 is before all steps. NULL: the engine has no savepoints, so a step
    * that fails undoes the whole transaction. */
   bool (*mark) (MtEngine *e, size_t *mark, MtError *err);
   void (*return_to) (MtEngine *e, size_t mark);
   void (*unmark) (MtEngine *e, size_t mark);
   /* NULL: every rollback drops the collections that the step created. */
   void (*own_collection) (MtEngine *e, const char *name);
   void (*pieces) (
      MtEngine *e); /* from now on, steps are undone one by one; NULL: caps.pieces is false */
   bool (*pieces_commit) (MtEngine *e, MtError *err);
   void (*pieces_rollback) (MtEngine *e);   /* undoes all steps since `pieces` was called */
   bool (*see) (MtEngine *e, MtError *err); /* NULL: reads always see the open step's writes */
   bool (*freeze) (MtEngine *e, bool freeze, MtError *err); /* NULL: the engine has no snapshots */
   /* After `begin`: makes the step a transaction; NULL: every step is a transaction. */
   bool (*txn_begin) (MtEngine *e, MtError *err);
   const char *(*leftover) (const MtEngine *e); /* NULL: a rollback always undoes everything */
   void (*beat) (MtEngine *e, const char *collection, const char *path,
                 const bson_t *ids);              /* NULL: locks end with the process */
   void (*retire) (MtEngine *e);                  /* NULL if `beat` is NULL */
   bool (*failed_late) (const MtEngine *e);       /* NULL: no error is late */
   bool (*sent) (MtEngine *e, MtError *err);      /* NULL: other threads send no batches */
   bool (*reconnect) (MtEngine *e, MtError *err); /* NULL: there is no connection */
   bool (*create_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*shard) (MtEngine *e, const char *collection, const bson_t *key,
                  MtError *err); /* The member is NULL if caps.router is false. */
   /* These three NULL: the engine has no time-series collections. */
   bool (*create_timeseries) (MtEngine *e, const char *name, const MtTimeseries *t, MtError *err);
   bool (*timeseries) (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                       MtError *err);
   bool (*beside_txn) (MtEngine *e, MtError *err);
   /* NULL: engine.c calls create_collection and create_index instead. */
   bool (*ensure_collection) (MtEngine *e, const char *name, const char *const *paths, size_t count,
                              MtError *err);
   bool (*drop_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*insert) (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                   MtError *err);
   bool (*replace) (MtEngine *e, const char *collection, const bson_t *doc, MtError *err);
   /* NULL: caps.increments is false. */
   bool (*increment) (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                      MtError *err);
   bool (*incremented) (MtEngine *e, uint64_t *made, MtError *err);
   bool (*adjust) (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a, bool *found,
                   MtError *err); /* NULL: caps.adjusts is false */
   /* NULL: engine.c finds, compares and replaces documents one by one. */
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
   /* These two NULL: caps.unique_indexes is false. */
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
   /* If this engine is a temporary store: the engine that owns it. Else NULL. Borrowed. */
   MtEngine *target;
   bool aimed; /* steps go to the temporary store */
};

/* Opens a target, in process or on a server. In `options`, all defaults are already filled in. */
bool mt_local_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);
bool mt_mongo_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);

/* Initializes the common part of a new engine, whose bytes are all 0. */
void mt_engine_init (MtEngine *e, const MtEngineVt *vt, const MtEngineOptions *options);
/* Frees the common part of an engine. vt->close calls this function last, before it frees `e`. */
void mt_engine_fini (MtEngine *e);

/* ---- engine_temporary.c ---- */

/* Returns the engine that has a collection: e, or e's temporary store. */
MtEngine *mt_engine_of (MtEngine *e, const char *collection);
/* Copies the engine's settings to its temporary store. */
void mt_engine_set_alike (MtEngine *e);

/* Adds the names of the temporary collections to a sorted list of names, in arena a. */
bool mt_add_temporary (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);

/* Runs a part of a local pipeline on the server. It is the callback MtExecArgs.remote; ctx is the
 * engine. */
bool mt_engine_remote (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                       MtError *err);

/* ---- engine_txn.c: a step within a transaction ---- */

bool mt_txn_step_begin (MtEngine *e, MtError *err);
bool mt_txn_step_commit (MtEngine *e, MtError *err);
void mt_txn_step_rollback (MtEngine *e);

#define MT_DEFAULT_WORK_MEM ((size_t) 256 << 20)

#endif
