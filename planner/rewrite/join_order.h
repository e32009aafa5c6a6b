/* In which order inner joins are made. */
#ifndef MT_JOIN_ORDER_H
#define MT_JOIN_ORDER_H

#include "query/query.h"

/* Where sides of inner joins would be paired with each other before a condition links them, though
 * another order links each with one before: true, *out is that order, place[c] the number there of
 * column c of rel, and *conditions (over rel, *count of them) with those of the joins are over
 * *out's columns. False: nothing is changed. In arena a. */
bool mt_join_order (MtArena *a, const MtRel *rel, MtX ***conditions, int *count, MtRel **out,
                    int *place);

#endif
