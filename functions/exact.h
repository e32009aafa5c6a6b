/* Overflow checks for bigint arithmetic on servers. */
#ifndef MT_EXACT_H
#define MT_EXACT_H

#include "engine/pipe.h"

/* Rewrites {$toLong: {$add: …}}, and the same with $subtract and $multiply, so that servers raise
 * an error for results below the range of bigint, too. Without this they would round results up to
 * 1,024 below the range to the smallest bigint. Returns new stages in arena a, or `stages`
 * itself. */
bson_t *mt_exact_longs (MtArena *a, bson_t *stages);

#endif
