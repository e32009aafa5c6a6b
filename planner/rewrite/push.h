/* Pushdown: moves conditions and column selection into sub-selects and sides of joins. */
#ifndef MT_PUSH_H
#define MT_PUSH_H

#include "query/query.h"

/* Moves conditions of WHERE and ON into the sub-selects and join sides that they restrict, and
 * drops unused columns there. Rewrites q and all nested blocks. Call it once, after constant
 * folding. In arena a. */
void mt_push_query (MtArena *a, MtQuery *q);

#endif
