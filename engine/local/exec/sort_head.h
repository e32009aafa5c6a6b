/* Heads of rows: a 64-bit number made of the first bits of a row's sort keys. Most comparisons of
 * rows need to compare only their heads. */
#ifndef MT_SORT_HEAD_H
#define MT_SORT_HEAD_H

#include "base/value.h"

/* The maximum number of leading keys that can be tiny. */
#define MT_SORT_TINY_MOST 14u

/* Returns how many of the first `tiny` keys are tiny in this row: integers from -8 to 7. For
 * example, the rank of NULL, which SQL's sorting adds before a key, is tiny. */
uint32_t mt_sort_tiny (const MtVal *keys, uint32_t tiny);
/* Returns the head of a row. dirs: 1 (ascending) or -1 for each of the `count` keys. The first
 * `tiny` keys must be tiny in all rows. The row with the smaller head sorts first. If two heads are
 * equal, all keys must be compared. */
uint64_t mt_sort_head (const MtVal *keys, const int8_t *dirs, uint32_t count, uint32_t tiny);

#endif
