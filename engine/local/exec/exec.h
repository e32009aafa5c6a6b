/* The local executor: runs a pipeline over documents of local sources, and returns the results
 * as a cursor. */
#ifndef MT_EXEC_H
#define MT_EXEC_H

#include "engine/local/expr/args.h"

/* Takes a snapshot of a collection of the local engine `ctx`, temporary collections included. An
 * MtResolveSource function. */
bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err);

#endif
