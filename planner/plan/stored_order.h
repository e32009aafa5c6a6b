/* ORDER BY on the stored values of columns, before stages compute values from them, so that an
 * index can return the rows in order. */
#ifndef MT_STORED_ORDER_H
#define MT_STORED_ORDER_H

#include "planner/plan/plan_int.h"

/* Returns q with its ORDER BY keys marked as never NULL and never NaN, if WHERE or the column's
 * storage guarantees it. Such keys need no sort rank. Returns q itself if nothing changes. In arena
 * a. */
const MtQuery *mt_narrow_sort (MtArena *a, const MtQuery *q, const MtEmit *emit,
                               const MtPipe *pipe);

/* Returns a $sort on stored fields that sorts the rows as q's ORDER BY. NULL: q has no LIMIT, an
 * index can't be used after the stages of pipe, or MongoDB sorts the stored values differently. q
 * is from mt_narrow_sort. In arena a. */
const bson_t *mt_stored_sort (MtArena *a, const MtQuery *q, const MtEmit *emit, const MtPipe *pipe);

#endif
