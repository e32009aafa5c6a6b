/* The local executor: runs a pipeline over sources, as a cursor. */
#ifndef MT_EXEC_H
#define MT_EXEC_H

#include "engine/local/expr/args.h"

/* Resolves the collections of a local engine (ctx), temporary ones included. An MtResolveSource. */
bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err);

/* Compiles a pipeline. Nothing runs before the first mt_cursor_next. The caller owns *out
 * (mt_cursor_free). 0A000: unknown stage or operator; 22023: bad arguments; 54000: too many stages,
 * or too deep. */
bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err);

/* Returns a stage's row, for help and the reference. NULL behind the last one. */
const MtStageRow *mt_exec_stage_row (size_t index);

#endif
