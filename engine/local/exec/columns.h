/* Reads the rows of a block from its columns instead of its documents, and tests the conditions of
 * the first $match on the columns. */
#ifndef MT_COLUMN_SCAN_H
#define MT_COLUMN_SCAN_H

#include "engine/local/expr/core.h"

/* Returns whether the pipeline needs only top-level fields of the source's documents, so that
 * blocks may be read from their columns. */
bool mt_columns_suffice (const MtExec *x);
/* Begins to read the block that w->reader reads. *yes is set if the block has all needed columns,
 * else the documents must be read. Fails with XX001 if a column is damaged. */
bool mt_columns_open (MtWork *w, bool *yes);
/* Pushes up to `most` rows of the block to the first nodes, or more to a $group that takes columns.
 * *over is set behind the last row. */
MtFlow mt_columns_push (MtWork *w, size_t most, bool *over);

#endif
