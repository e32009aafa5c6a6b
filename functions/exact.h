/* Sums of integers, as servers compute them. */
#ifndef MT_EXACT_H
#define MT_EXACT_H

#include "engine/pipe.h"

/* Rewrites stages for a server: {$toLong: {$add: …}}, and the same with $subtract and $multiply,
 * fails below the range of bigint, as in process. Servers continue such sums in doubles. The
 * double of a sum up to 1,024 below the range is the smallest bigint itself. Returns new stages
 * in arena a, or `stages`. */
bson_t *mt_exact_longs (MtArena *a, bson_t *stages);

#endif
