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
/* Opens a pipeline within x's, over a collection or the documents of `next`. $facet, $lookup and
 * $unionWith use it. */
bool mt_sub_open (const MtExec *x, const char *collection, MtNextDoc next, void *ctx,
                  const bson_t *pipeline, const MtExecScope *scope, MtCursor **out, MtError *err);
/* Like mt_sub_open, over the documents of the collection's own server, which runs the stages
 * `remote` first. `remote` missing: like mt_sub_open. */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err);
/* Like mt_sub_open_split, for as long as the statement runs: x may end before. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err);
/* Like mt_sub_open, with the variables `given` instead of x's. `next` NULL: the pipeline makes its
 * own documents. */
bool mt_sub_open_given (const MtExec *x, const MtExecGiven *given, const char *collection,
                        MtNextDoc next, void *ctx, const bson_t *pipeline, MtCursor **out,
                        MtError *err);
/* Restarts the pipeline with the current values of its variables. `next` must restart, too. */
void mt_sub_rewind (MtCursor *cursor);
/* Returns whether the next document is already in memory. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Counts the cursor's work as mt_sub_count does, and closes it. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* Like mt_sub_open, over a collection, with these tables instead of x's. */
bool mt_sub_open_tables (const MtExec *x, const MtExecTable *tables, const char *collection,
                         const bson_t *pipeline, MtCursor **out, MtError *err);

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
