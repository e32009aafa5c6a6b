/* Reads the blocks of a source in the order in which they may have the first rows of a $sort with a
 * limit. Skips the blocks that can't have such rows. */
#ifndef MT_FIRST_BLOCKS_H
#define MT_FIRST_BLOCKS_H

#include "engine/local/expr/core.h"

/* Chooses the order of blocks for the pipeline x, which begins to run in w. Returns NULL if no
 * stage keeps only first rows, or if the store has no ranges of the first sort key. The caller
 * frees the result. */
MtTop *mt_top_new (const MtExec *x, MtWork *w);
void mt_top_free (MtTop *t);
/* Returns the number of the block at position `at` of the order. */
size_t mt_top_block (const MtTop *t, size_t at);
/* Returns whether the blocks from position `at` of the order on have no needed row. */
bool mt_top_is_past (MtTop *t, size_t at);
/* Call it after worker w has read a block. Updates the last needed row by that of the worker. */
void mt_top_note (MtTop *t, MtWork *w);
/* Clears `passes` for those of the next n rows in the block's columns, from w->columns->base on,
 * that sort after the last needed row. `passes` has MT_COLUMN_CHUNK bytes. */
bool mt_top_pick (MtTop *t, MtWork *w, uint32_t n, uint8_t *passes);
/* Returns whether the blocks from position `at` of the order on that may have needed rows have at
 * least `bytes` bytes. */
bool mt_top_has_left (MtTop *t, size_t at, uint64_t bytes);

#endif
