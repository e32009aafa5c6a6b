/* Running pipelines, and pipelines within them. */
#ifndef MT_RUN_H
#define MT_RUN_H

#include "engine/local/expr/core.h"

MtFlow mt_output_push (const MtExecNode *n, MtWork *w);
/* The index of the first blocking node behind index `at`, or of the output. */
int mt_sink_after (const MtExec *x, int at);
extern const MtCursorVt mt_exec_cursor_vt;
/* Opens a pipeline. args->stages are set; `scope` has variables, NULL: none; *now is the time of
 * NOW, NULL: the clock's. */
bool mt_exec_open_with (const MtExecArgs *args, const MtExecScope *scope, const MtVal *now,
                        MtCursor **out, MtError *err);
MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done);
/* Runs the chain up to the first sink over all blocks, on several threads. */
MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads);
/* A cursor of its own over documents that go through a pipeline: $facet, $lookup, $unionWith. */
bool mt_sub_open (const MtExec *x, const char *collection, MtNextDoc next, void *ctx,
                  const bson_t *pipeline, const MtExecScope *scope, MtCursor **out, MtError *err);
/* The same over the documents of the collection's own server, which runs the stages `remote` first
 * (missing: as above). */
bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err);
/* The same, for as long as the statement runs: x may end before. */
bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err);
/* The same over documents that `next` supplies (NULL: the pipeline makes its own), with these
 * variables instead of x's. */
bool mt_sub_open_given (const MtExec *x, const MtExecGiven *given, const char *collection,
                        MtNextDoc next, void *ctx, const bson_t *pipeline, MtCursor **out,
                        MtError *err);
/* Begins anew, with the variables' values as they are now; `next` has to begin anew, too. */
void mt_sub_rewind (MtCursor *cursor);
/* Whether its next document is made already. */
bool mt_sub_has_more (const MtCursor *cursor);
/* Closes it; what it read counts as read, and what it did as a part of node n. */
void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* The same over a collection, with these tables instead of the pipeline's own. */
bool mt_sub_open_tables (const MtExec *x, const MtExecTable *tables, const char *collection,
                         const bson_t *pipeline, MtCursor **out, MtError *err);

/* ---- what was done (stats.c), for EXPLAIN ANALYZE ---- */

void mt_exec_stats (MtCursor *c, MtRunStats *out); /* a cursor's; borrowed for its life */
/* What a cursor did since it was opened or rewound: it counts as read, and with want_stats as a
 * part of node n. */
void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);
/* With want_stats only: as a part of node n. */
void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor);

/* Rows of a pipeline of its own that a node hands on in one call. */
#define MT_PUMP_ROWS 1000

#endif
