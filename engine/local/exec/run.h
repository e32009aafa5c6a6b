/* Runs pipelines, and the sub-pipelines of their stages. */
#ifndef MT_RUN_H
#define MT_RUN_H

#include "engine/local/expr/core.h"

/* The last node of each pipeline: adds a row to the output, which the cursor reads (output.c). */
MtFlow mt_output_push (const MtExecNode *n, MtWork *w);
/* Returns the index of the first blocking node after index `at`. If there is none, returns the
 * index of the output. */
int mt_sink_after (const MtExec *x, int at);
extern const MtCursorVt mt_exec_cursor_vt;
/* Runs the pipeline for a short time. Returns false with main->err set on failure. */
bool mt_exec_advance (MtExec *x);
/* Compiles a pipeline, and opens a cursor on it. For mt_exec_open, and for stages with
 * sub-pipelines. args->stages must be set. scope: the variables of the enclosing pipelines; NULL:
 * none. now: the value of NOW; NULL: the current time. */
bool mt_exec_open_with (const MtExecArgs *args, const MtExecScope *scope, const MtVal *now,
                        MtCursor **out, MtError *err);
/* Pushes up to `docs` documents of the source's blocks through the chain of nodes. *done is set
 * if there are no more documents. */
MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done);
/* For fewer bytes than this, several threads are not worthwhile. */
#define MT_PARALLEL_BYTES (2u << 20)
/* Runs the nodes up to `sink`, the first blocking node, over all blocks of the source, on `threads`
 * threads. */
MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads);
/* The arguments for a sub-pipeline. Members that are NULL take the value of the enclosing pipeline,
 * or mean "none". */
typedef struct MtSubArgs {
   /* name of the collection to read; NULL: the input is `next`, or the pipeline begins with
    * documents of its own */
   const char *collection;
   MtNextDoc next; /* function that supplies the input documents, called with next_ctx */
   void *next_ctx;
   MtVal pipeline;            /* an array of stages; borrowed during the call */
   const MtExecScope *scope;  /* variables of the enclosing pipelines, for $lookup */
   const MtExecGiven *given;  /* variables whose values come from outside */
   const MtExecTable *tables; /* temporary collections, which are lists of documents */
} MtSubArgs;

/* Opens a cursor on a sub-pipeline of the pipeline x. The caller closes *out. */
bool mt_sub_open (const MtExec *x, const MtSubArgs *args, MtCursor **out, MtError *err);
/* Opens a cursor on a sub-pipeline of x over a server's collection. The server runs the stages
 * `remote`, and the local executor the stages `pipeline` on their result. If `remote` is missing,
 * the executor runs all stages. */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err);
/* Like mt_sub_open_split, but the cursor may be used after x was closed, until the statement
 * ends. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err);
/* Restarts a cursor of mt_sub_open, with the current values of its variables. If the input is
 * `next`, the caller also restarts its documents. */
void mt_sub_rewind (MtCursor *cursor);
/* Returns whether the cursor's next document is already in memory. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Adds the work of a cursor to the statistics of node n, like mt_sub_count, and closes the
 * cursor. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* ---- statistics for EXPLAIN ANALYZE (stats.c) ---- */

/* Stores the statistics of a cursor in *out, for EXPLAIN ANALYZE. *out borrows from the cursor. */
void mt_exec_stats (MtCursor *c, MtRunStats *out);
/* Adds the work of a cursor since it was opened or rewound to the statistics of node n: the
 * documents and bytes read, and if want_stats is set, the statistics of the cursor's stages. */
void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* If want_stats is set, adds the statistics of the cursor's stages to those of node n. */
void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);

/* The maximum number of a sub-pipeline's rows that a node pushes in one call of its function
 * `pump`. */
#define MT_PUMP_ROWS 1000

#endif
