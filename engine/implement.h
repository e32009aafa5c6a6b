/* What an implementation of the engine interface fills in: two tables of functions, one for
 * engines, one for cursors.
 *
 * engine.c checks what is common to all (read-only targets, sizes, the state of a step) and
 * dispatches; local/local.c and mongo/mongo.c implement. Both structs are the first member of the
 * implementation's own. */
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

/* Each as the function of the same name in engine.h. */
typedef struct MtEngineVt {
   void (*close) (MtEngine *e);
   const MtError *(*warning) (const MtEngine *e); /* NULL: never any */
   bool (*aggregate) (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err);
   bool (*collections) (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err);
   bool (*has_collection) (MtEngine *e, const char *name, bool *has, MtError *err);
   bool (*collated) (const MtEngine *e, const char *name); /* NULL: none is */
   bool (*stats) (MtEngine *e, const char *collection, MtCollStats *out, MtError *err);
   bool (*has_documents) (MtEngine *e, const char *collection, bool *has,
                          MtError *err); /* NULL: its statistics tell */
   bool (*indexes) (MtEngine *e, const char *collection, bson_t *list,
                    MtError *err); /* NULL: that on _id; appends to the list */
   bool (*begin) (MtEngine *e, MtError *err);
   bool (*commit) (MtEngine *e, MtError *err);
   void (*rollback) (MtEngine *e);
   /* Places in a transaction (0: before all of it); NULL: there are none, and a step that fails
    * undoes all. */
   bool (*mark) (MtEngine *e, size_t *mark, MtError *err);
   void (*return_to) (MtEngine *e, size_t mark);
   void (*unmark) (MtEngine *e, size_t mark);
   void (*own_collection) (MtEngine *e, const char *name); /* NULL: a rollback undoes all */
   void (*pieces) (
      MtEngine *e); /* what steps do is kept to be undone from now on; NULL: caps.pieces is false */
   bool (*pieces_commit) (MtEngine *e, MtError *err);
   void (*pieces_rollback) (MtEngine *e); /* of all steps since; later ones are kept again */
   bool (*see) (MtEngine *e,
                MtError *err); /* reading sees what was written so far; NULL: it does anyway */
   bool (*freeze) (MtEngine *e, bool freeze,
                   MtError *err); /* one snapshot for all reading; NULL: there is no such thing */
   bool (*txn_begin) (
      MtEngine *e,
      MtError *err); /* after `begin`: the step will be a transaction; NULL: it is one */
   const char *(*leftover) (const MtEngine *e); /* NULL: a rollback leaves nothing */
   void (*beat) (MtEngine *e, const char *collection, const char *path,
                 const bson_t *ids);              /* NULL: who dies takes his locks with him */
   void (*retire) (MtEngine *e);                  /* NULL where `beat` is */
   bool (*failed_late) (const MtEngine *e);       /* NULL: never */
   bool (*sent) (MtEngine *e, MtError *err);      /* NULL: nothing is ever on its way */
   bool (*reconnect) (MtEngine *e, MtError *err); /* NULL: there is no connection */
   bool (*create_collection) (MtEngine *e, const char *name, MtError *err);
   bool (*shard) (MtEngine *e, const char *collection, const bson_t *key,
                  MtError *err); /* NULL: caps.router is false */
   bool (*create_timeseries) (MtEngine *e, const char *name, const MtTimeseries *t,
                              MtError *err); /* these three NULL: there is no such thing */
   bool (*timeseries) (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                       MtError *err);
   bool (*beside_txn) (MtEngine *e, MtError *err);
   /* NULL: as create_collection and create_index, which a rollback undoes. */
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
   /* NULL: found, compared and replaced one by one, where a step has no others beside it */
   bool (*keep_newer) (MtEngine *e, const char *collection, const bson_t *const *docs, size_t count,
                       const MtNewer *by, MtNewerCounts *counts, MtError *err);
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
   MtArena *arena; /* the engine's life; owned */
   MtCaps caps;
   const MtCancel *cancel;     /* borrowed, or NULL */
   const MtProgress *progress; /* borrowed, or NULL */
   size_t work_mem;            /* never 0 */
   int64_t lock_timeout_ms;
   unsigned threads; /* never 0 */
   const MtOpRow *const
      *ops; /* tables registered with mt_engine_register_ops, newest first; in the engine's arena */
   size_t op_tables;
   const MtOpIndex *op_index; /* of them; NULL: there are none */
   bool in_step;              /* between begin and commit or rollback */
   bool own_step;             /* the step is a single call's */
   bool in_txn;               /* steps are parts of one that begins with the first of them */
   bool in_pieces; /* a transaction's steps are committed one by one, and undone together; in_txn is
                      false */
   bool txn_open;  /* it has begun */
   bool txn_lost;  /* the engine has undone all of it: only the end is left */
   size_t step_mark;     /* where the open step of a transaction began */
   bson_context_t *oids; /* mt_engine_new_id; NULL: none was needed yet */
   uint64_t made_before; /* documents that increments of steps before it made */
   MtEngine *temporary;  /* what has the temporary collections; owned; NULL: there are none */
   MtEngine *target;     /* of the engine that is one's `temporary`; borrowed; NULL: it is none */
   bool aimed;           /* steps are the temporary store's */
};

/* The two implementations. Options are complete (no zero for "default"). */
bool mt_local_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);
bool mt_mongo_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err);

/* Fills the common part of a new engine that the implementation allocated (zeroed). */
void mt_engine_init (MtEngine *e, const MtEngineVt *vt, const MtEngineOptions *options);
/* Releases the common part: the last thing that vt->close does before freeing `e`. */
void mt_engine_fini (MtEngine *e);

/* ---- engine_temporary.c ---- */

/* The engine that has a collection. */
MtEngine *mt_engine_of (MtEngine *e, const char *collection);
/* What is set of an engine is so of its temporary store. */
void mt_engine_set_alike (MtEngine *e);

/* Adds the temporary collections to a list of the target's, sorted. */
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
