/* Overflow checks for bigint arithmetic on servers. */
#ifndef MT_EXACT_H
#define MT_EXACT_H

#include "engine/pipe.h"

/* Rewrites {$toLong: {$add: …}}, and likewise $subtract and $multiply, so that a result below the
 * bigint range is an error on servers too. Servers would round a result up to 1,024 below the range
 * to the smallest bigint. Returns new stages in arena a, or `stages`. */
bson_t *mt_exact_longs (MtArena *a, bson_t *stages);

#endif
