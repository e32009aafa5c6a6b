/* Series of points (time, value), which aggregates reduce to fewer points. */
#ifndef MT_SERIES_H
#define MT_SERIES_H

#include "query/function.h"

/* Points in the order of time. Times are finite milliseconds since 1970, and values are finite. */
typedef struct MtPoints {
   int64_t *ms;
   double *v;
   size_t n;
} MtPoints;

/* Makes room for n points in arena a; the points are not set. Fails with 53200. */
bool mt_points_new (MtArena *a, size_t n, MtPoints *out, MtError *err);

/* Reduce the points p to about n points, in ev->arena. p has at least one point, and n is at least
 * 2. */
bool mt_points_lttb (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out);
bool mt_points_asap (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out);

#endif
