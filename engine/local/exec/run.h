/* Runs pipelines, and the pipelines that stages run within a pipeline. */
#ifndef MT_RUN_H
#define MT_RUN_H

#include "engine/local/expr/core.h"

/* Pushes a row to the output, which the cursor reads (output.c). */
MtFlow mt_output_push (const MtExecNode *n, MtWork *w);
/* Returns the index of the first blocking node behind index `at`, or of the output if there is
 * none. */
int mt_sink_after (const MtExec *x, int at);
extern const MtCursorVt mt_exec_cursor_vt;
/* Continues the pipeline for a short time. Returns false with main->err set on failure. */
bool mt_exec_advance (MtExec *x);
/* Compiles a pipeline into a cursor, for mt_exec_open and for stages. args->stages must be set.
 * `scope`: variables of the enclosing pipelines; NULL: none. *now: the time of NOW; NULL: the
 * current time. */
bool mt_exec_open_with (const MtExecArgs *args, const MtExecScope *scope, const MtVal *now,
                        MtCursor **out, MtError *err);
/* Pushes up to `docs` documents of the source's blocks through the chain of nodes. *done is set
 * if there are no more documents. */
MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done);
/* Threads are not worthwhile for less than this. */
#define MT_PARALLEL_BYTES (2u << 20)
/* Runs the nodes up to `sink`, the first blocking node, over all blocks of the source, on
 * several threads. */
MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads);
/* The arguments for a pipeline within another pipeline. If a member is NULL, the outer
 * pipeline's value is used, or none. */
typedef struct MtSubArgs {
   /* name of the collection; NULL: the input is `next`, or the pipeline begins with documents of
    * its own */
   const char *collection;
   MtNextDoc next; /* function that supplies the input documents, called with next_ctx */
   void *next_ctx;
   MtVal pipeline;            /* an array of stages; borrowed during the call */
   const MtExecScope *scope;  /* variables of the enclosing pipelines, for $lookup */
   const MtExecGiven *given;  /* variables whose values come from outside */
   const MtExecTable *tables; /* temporary collections, which are lists of documents */
} MtSubArgs;

/* Opens a cursor on a pipeline within the pipeline x. The caller closes *out. */
bool mt_sub_open (const MtExec *x, const MtSubArgs *args, MtCursor **out, MtError *err);
/* Opens a cursor on a pipeline within x over a collection of a server. The server runs the
 * stages `remote` first, and the executor then runs `pipeline`. `remote` missing: the executor
 * runs all stages. */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err);
/* Does what mt_sub_open_split does, but the cursor may outlive x: it lasts until the statement
 * ends. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err);
/* Restarts a cursor of mt_sub_open with the current values of its variables. The caller also
 * restarts the documents of `next`. */
void mt_sub_rewind (MtCursor *cursor);
/* Returns whether the cursor's next document is already in memory. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Counts the work of a cursor like mt_sub_count, and closes the cursor. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* ---- what was done (stats.c), for EXPLAIN ANALYZE ---- */

/* Gets the statistics of a cursor for EXPLAIN ANALYZE. *out borrows from the cursor. */
void mt_exec_stats (MtCursor *c, MtRunStats *out);
/* Adds the work of a cursor, since it was opened or rewound, to node n: the documents and bytes
 * read, and with want_stats also the statistics of its stages. */
void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* Adds the statistics of the cursor's stages to node n. Does nothing without want_stats. */
void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);

/* The most rows from a pipeline within the pipeline that a node pushes in one call of `pump`. */
#define MT_PUMP_ROWS 1000

#endif
