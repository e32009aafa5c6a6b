/* Running pipelines with all stages. */
#ifndef MT_STAGE_H
#define MT_STAGE_H

#include "engine/local/expr/args.h"

/* Compiles a pipeline into a cursor. The pipeline begins to run at the first mt_cursor_next. The
 * caller frees *out by mt_cursor_free. Fails with 0A000 for an unknown stage or operator, with
 * 22023 for bad arguments, and with 54000 for too many or too deeply nested stages. */
bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err);

/* Returns a cursor of one document, which explains the pipeline of `run` (args->explain). It owns
 * `run`, which counts (want_stats). */
MtCursor *mt_explain_new (MtCursor *run, const MtAggregateArgs *args);

#endif
