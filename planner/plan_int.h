/* What files that plan blocks share. */
#ifndef MT_PLAN_INT_H
#define MT_PLAN_INT_H

#include "planner/query.h"

/* Where NULL (and a number's NaN, greatest in PostgreSQL) must go beside MongoDB's order: a rank of `value`, an expression, to sort by
 * first; 0 for other values. NULL: no rank is needed. */
const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value);

/* In which direction it is sorted by: 1, or -1 where a rank can't be turned around. */
static inline int mt_rank_direction (const MtSortX *s) { return s->descending && s->expr->type.id != MT_T_INTERVAL && mt_type_order_has_rank (s->expr->type.id) ? -1 : 1; }

#endif
