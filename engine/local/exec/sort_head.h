/* Heads of rows: the first bits of the sort keys as one number. Most comparisons of a sort need
 * only the heads. */
#ifndef MT_SORT_HEAD_H
#define MT_SORT_HEAD_H

#include "base/value.h"

/* The most leading keys that can be tiny. */
#define MT_SORT_TINY_MOST 14u

/* Returns how many of the first `tiny` keys are tiny in this row: integers from -8 to 7. The ranks
 * of NULLs, which stand before a key, are such integers. */
uint32_t mt_sort_tiny (const MtVal *keys, uint32_t tiny);
/* Returns the head of a row. dirs: 1 or -1 for each of the `count` keys. The first `tiny` keys must
 * be tiny in all rows. Of two rows with different heads, the one with the smaller head comes first.
 * Rows with equal heads need a comparison of all keys. */
uint64_t mt_sort_head (const MtVal *keys, const int8_t *dirs, uint32_t count, uint32_t tiny);

#endif
