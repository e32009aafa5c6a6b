/* Pushdown: moves conditions and column selection into sub-selects and sides of joins. */
#ifndef MT_PUSH_H
#define MT_PUSH_H

#include "query/query.h"

/* Moves conditions of WHERE and ON into those sub-selects and join sides whose columns they use,
 * and removes unused columns there. Rewrites q and all nested blocks, in arena a. Call it once,
 * after constant folding. */
void mt_push_query (MtArena *a, MtQuery *q);

#endif
