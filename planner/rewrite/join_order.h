/* Reorders inner joins. */
#ifndef MT_JOIN_ORDER_H
#define MT_JOIN_ORDER_H

#include "query/query.h"

/* Reorders inner joins so that a condition links each table to an earlier one, which avoids cross
 * joins. True: *out is the reordered joins, column c of rel is column place[c] of *out, and
 * *conditions has all WHERE and join conditions over *out. False: the written order stays. In
 * arena a. */
bool mt_join_order (MtArena *a, const MtRel *rel, MtX ***conditions, int *count, MtRel **out,
                    int *place);

#endif
