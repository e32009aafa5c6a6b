/* Moves conditions and the choice of columns to where the rows come from. */
#ifndef MT_PUSH_H
#define MT_PUSH_H

#include "query/query.h"

/* Moves conditions of WHERE and ON into the sub-selects and sides of joins to which they apply.
 * Makes tables of joins blocks that return only the columns in use. Does the same in all blocks
 * below. Called once for a query, after constant folding. In arena a. */
void mt_push_query (MtArena *a, MtQuery *q);

#endif
