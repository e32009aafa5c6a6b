/* Running pipelines, and pipelines within them. */
#ifndef MT_RUN_H
#define MT_RUN_H

#include "engine/local/expr/core.h"

MtFlow mt_output_push (const MtExecNode *n, MtWork *w);
/* Returns the index of the first blocking node behind index `at`, or of the output. */
int mt_sink_after (const MtExec *x, int at);
extern const MtCursorVt mt_exec_cursor_vt;
/* Opens a pipeline for mt_exec_open and for stages. args->stages must be set. `scope`: variables,
 * NULL: none. *now: the time of NOW; NULL: the current time. */
bool mt_exec_open_with (const MtExecArgs *args, const MtExecScope *scope, const MtVal *now,
                        MtCursor **out, MtError *err);
/* Pushes up to `docs` documents of the source's blocks. *done: there are no more. */
MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done);
/* Runs the chain up to the first blocking node over all blocks, on several threads. */
MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads);
/* A pipeline within another one. Members that are NULL: as in the outer pipeline, or none. */
typedef struct MtSubArgs {
   const char *collection; /* NULL: the documents of `next`, or the pipeline's own */
   MtNextDoc next;         /* supplies the documents, with next_ctx */
   void *next_ctx;
   MtVal pipeline;            /* an array; borrowed during the call */
   const MtExecScope *scope;  /* variables, for $lookup */
   const MtExecGiven *given;  /* variables with values from outside */
   const MtExecTable *tables; /* collections that are lists */
} MtSubArgs;

/* Opens a pipeline within x's. */
bool mt_sub_open (const MtExec *x, const MtSubArgs *args, MtCursor **out, MtError *err);
/* Like mt_sub_open, over the documents of the collection's own server, which runs the stages
 * `remote` first. `remote` missing: like mt_sub_open. */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err);
/* Like mt_sub_open_split, for as long as the statement runs: x may end before. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err);
/* Restarts the pipeline with the current values of its variables. `next` must restart, too. */
void mt_sub_rewind (MtCursor *cursor);
/* Returns whether the next document is already in memory. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Counts the cursor's work as mt_sub_count does, and closes it. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* ---- what was done (stats.c), for EXPLAIN ANALYZE ---- */

/* Gets the figures of a cursor. *out borrows from the cursor. */
void mt_exec_stats (MtCursor *c, MtRunStats *out);
/* Counts the work of a cursor since it was opened or rewound: documents and bytes read, and with
 * want_stats also the figures of its stages, as a part of node n. */
void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* Adds the figures of the cursor's stages to node n, with want_stats only. */
void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);

/* The most rows of a pipeline of its own that a node hands on in one call. */
#define MT_PUMP_ROWS 1000

#endif
