/* The local executor: runs a pipeline over documents of local sources, and returns the results
 * as a cursor. */
#ifndef MT_EXEC_H
#define MT_EXEC_H

#include "engine/local/expr/args.h"

/* Takes a snapshot of a collection of the local engine `ctx`, temporary collections included. An
 * MtResolveSource function. */
bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err);

/* Computes *out for a cursor of mt_exec_open, before its first document. Returns false if its first
 * stages are no $match, or if it reads no blocks. */
bool mt_exec_opened (const MtCursor *cursor, MtOpenedBlocks *out);

#endif
