/* Compiles and runs aggregation pipelines in this process. */
#ifndef MT_STAGE_H
#define MT_STAGE_H

#include "engine/local/expr/args.h"

/* Compiles a pipeline into a cursor, without running it: the first mt_cursor_next starts it. The
 * caller frees *out by mt_cursor_free. Fails with 0A000 for an unknown stage or operator, with
 * 22023 for bad arguments, and with 54000 for too many or too deeply nested stages. */
bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err);

/* Returns a cursor with one document: the explanation of the pipeline whose cursor is `run`, at the
 * verbosity args->explain. The new cursor owns `run`, which must have been opened with
 * want_stats. */
MtCursor *mt_explain_new (MtCursor *run, const MtAggregateArgs *args);

#endif
