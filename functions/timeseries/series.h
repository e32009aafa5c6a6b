/* Series of points (time, value), and aggregates that reduce a series to fewer points. */
#ifndef MT_SERIES_H
#define MT_SERIES_H

#include "query/function.h"

/* Points sorted by time. Times are finite milliseconds since 1970, and values are finite. */
typedef struct MtPoints {
   int64_t *ms;
   double *v;
   size_t n;
} MtPoints;

/* Allocates n points in arena a, without setting them. Fails with 53200 if memory is exhausted. */
bool mt_points_new (MtArena *a, size_t n, MtPoints *out, MtError *err);

/* Reduce the points p to about n points *out, allocated in ev->arena. p must have at least one
 * point, and n must be at least 2. */
bool mt_points_lttb (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out);
bool mt_points_asap (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out);

#endif
