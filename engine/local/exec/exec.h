/* The local executor: runs a pipeline over documents of local collections, and returns the results
 * as a cursor. */
#ifndef MT_EXEC_H
#define MT_EXEC_H

#include "engine/local/expr/args.h"

/* Takes a snapshot of a collection, which may be temporary. ctx: the local engine. The function has
 * the type MtResolveSource. */
bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err);

/* Estimates which blocks of the source a pipeline will read. Call it for a cursor of mt_exec_open,
 * before its first document. Returns false if the pipeline does not begin with $match, or if the
 * source has no blocks. */
bool mt_exec_opened (const MtCursor *cursor, MtOpenedBlocks *out);

#endif
