/* Largest triangle three buckets (Steinarsson: Downsampling Time Series for Visual Representation,
 * 2013, 4.2): reduces a series to n points. The first and the last point are kept. The points
 * between them are divided into n - 2 buckets whose sizes differ by at most one. From each bucket,
 * the point is kept that forms the largest triangle with the point kept before it and the average
 * of the next bucket. */
#include "functions/timeseries/series.h"

#include "base/cancel.h"

#include <math.h>

/* Returns the index of the first point of bucket i. The last point forms a bucket of its own,
 * number n - 2. */
static size_t bucket_start (const MtPoints *p, size_t n, size_t i)
{
   return i >= n - 2 ? p->n - 1 : i * (p->n - 2) / (n - 2) + 1;
}

static double time_after (const MtPoints *p, size_t a, size_t i)
{
   return (double) p->ms[i] - (double) p->ms[a];
}

/* Returns the index of the point of [from, to) that forms the largest triangle with point `a` and
 * the average of the points [to, end). */
static size_t largest (const MtPoints *p, size_t a, size_t from, size_t to, size_t end)
{
   double x = 0, y = 0, most = -1;
   size_t best = from;
   for (size_t i = to; i < end; i++) {
      x += time_after (p, a, i);
      y += p->v[i];
   }
   x /= (double) (end - to);
   y = y / (double) (end - to) - p->v[a];
   for (size_t i = from; i < to; i++) {
      double area = fabs (x * (p->v[i] - p->v[a]) - time_after (p, a, i) * y);
      if (area > most) {
         most = area;
         best = i;
      }
   }
   return best;
}

bool mt_points_lttb (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out)
{
   size_t last = 0;
   if (n >= p->n) {
      *out = *p;
      return true;
   }
   if (!mt_points_new (ev->arena, n, out, ev->err))
      return false;
   for (size_t i = 0; i < n; i++) {
      size_t to = i > 0 ? bucket_start (p, n, i) : 0;
      if (i == n - 1)
         last = p->n - 1;
      else if (i > 0)
         last = largest (p, last, bucket_start (p, n, i - 1), to,
                         i == n - 2 ? p->n : bucket_start (p, n, i + 1));
      out->ms[i] = p->ms[last];
      out->v[i] = p->v[last];
      if (!mt_cancel_check (ev->cancel, ev->err))
         return false;
   }
   return true;
}
