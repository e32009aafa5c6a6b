/* Whole numbers as servers compute them. */
#ifndef MT_EXACT_H
#define MT_EXACT_H

#include "engine/pipe.h"

/* Stages for a server, in arena a, or `stages` itself: {$toLong: {$add: …}}, of $subtract and
 * $multiply too, fails below the range of bigint, as in process. There a server goes on in doubles,
 * of which the next to what is up to 1,024 below is the least bigint itself. */
bson_t *mt_exact_longs (MtArena *a, bson_t *stages);

#endif
