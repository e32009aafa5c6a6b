/* The order of inner joins. */
#ifndef MT_JOIN_ORDER_H
#define MT_JOIN_ORDER_H

#include "query/query.h"

/* Finds an order of inner joins in which, as far as possible, a condition links each side to an
 * earlier one. True: *out is the joins in that order, and column c of rel is column place[c] of
 * *out. *conditions (over rel, *count of them) is replaced by these and the joins' conditions,
 * over *out's columns. False: the written order is kept, and nothing is changed. In arena a. */
bool mt_join_order (MtArena *a, const MtRel *rel, MtX ***conditions, int *count, MtRel **out,
                    int *place);

#endif
