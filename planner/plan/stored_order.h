/* ORDER BY by the stored values of columns, before any stage computes a value from them. An index
 * can then give the rows in order. */
#ifndef MT_STORED_ORDER_H
#define MT_STORED_ORDER_H

#include "planner/plan/plan_int.h"

/* Returns q with the keys of its ORDER BY marked as never NULL and never NaN, if WHERE or the
 * stored column says so. Such keys need no rank. Returns q itself if nothing changes. In arena a. */
const MtQuery *mt_narrow_sort (MtArena *a, const MtQuery *q, const MtEmit *emit,
                               const MtPipe *pipe);

/* Returns the $sort by stored fields that gives the order of q. NULL: q has no LIMIT, pipe has
 * stages that no index can serve, or MongoDB orders the stored values otherwise. q is from
 * mt_narrow_sort. In arena a. */
const bson_t *mt_stored_sort (MtArena *a, const MtQuery *q, const MtEmit *emit, const MtPipe *pipe);

#endif
