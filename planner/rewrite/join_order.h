/* Reorders inner joins. */
#ifndef MT_JOIN_ORDER_H
#define MT_JOIN_ORDER_H

#include "query/query.h"

/* Reorders inner joins so that a condition links each table to an earlier one, which avoids cross
 * joins. Returns true if the order changes: *out is the new join, in which column place[c] is
 * column c of rel, and *conditions has all conditions of WHERE and of the joins over *out. False:
 * the order stays. In arena a. */
bool mt_join_order (MtArena *a, const MtRel *rel, MtX ***conditions, int *count, MtRel **out,
                    int *place);

#endif
