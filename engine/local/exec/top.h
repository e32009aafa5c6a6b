/* Reads the blocks of a source in the order in which they can have the first rows of a $sort with a
 * limit, and skips the blocks that have none of them. */
#ifndef MT_FIRST_BLOCKS_H
#define MT_FIRST_BLOCKS_H

#include "engine/local/expr/core.h"

/* Plans the order of the blocks for the pipeline x, which begins to run in `w`. Returns NULL if no
 * stage keeps only first rows, or if the store has no ranges of the first sort key. The caller
 * frees the result. */
MtTop *mt_top_new (const MtExec *x, MtWork *w);
void mt_top_free (MtTop *t);
/* Returns the block at place `at` of the order. */
size_t mt_top_block (const MtTop *t, size_t at);
/* Returns whether the blocks from place `at` on have no row that is needed. */
bool mt_top_is_past (MtTop *t, size_t at);
/* Records how far the rows go that the worker keeps, after it has read a block. */
void mt_top_note (MtTop *t, MtWork *w);
/* Returns whether the blocks from place `at` on that may have needed rows hold at least `bytes`
 * bytes. */
bool mt_top_has_left (MtTop *t, size_t at, uint64_t bytes);

#endif
