/* The local executor: runs a pipeline over sources, as a cursor. */
#ifndef MT_EXEC_H
#define MT_EXEC_H

#include "engine/local/expr/args.h"

/* A local engine's collections (ctx is the engine), and the temporary ones beside them: an
 * MtResolveSource. */
bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err);

/* Compiles the pipeline; nothing runs before the first mt_cursor_next. *out is owned by the caller
 * (mt_cursor_free). 0A000: unknown stage or operator; 22023: bad arguments; 54000: too many stages,
 * too deep. */
bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err);

/* Stages and accumulators that exist, for help and the reference. */
const MtStageRow *mt_exec_stage_row (size_t index); /* NULL: no more */

#endif
