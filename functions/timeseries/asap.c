/* ASAP smoothing (Rong, Bailis: ASAP: Prioritizing Attention via Time Series Smoothing, 2017). A
 * series is smoothed as much as possible, so that a chart shows its trend, while outliers remain
 * visible.
 *
 * First the points are averaged over spans of time of equal length, of which there are between n
 * and 2 n. A span without points gets a value on the line between its neighbours. Then a moving
 * average over w spans is taken. Among all w up to a tenth of the number of spans, the one with the
 * least roughness is chosen, among those whose kurtosis is not less than the kurtosis of the series
 * itself. Roughness is the standard deviation of the differences between successive values. (The
 * authors' search skips some w; here all are tried.) */
#include "functions/timeseries/series.h"

#include "base/cancel.h"
#include "types/numeric.h"

#include <math.h>

/* The width of the moving average is at most the number of spans divided by this. */
#define LEAST_AVERAGES 10
/* A standard deviation that is less than this fraction of the series' own is only a rounding
 * error. */
#define NO_DEVIATION 1e-9

/* The averages of n spans of time of equal length. */
typedef struct Spans {
   double *v;
   size_t n;
   size_t points; /* for a span, if points were evenly spaced */
   int64_t first, last;
   size_t count; /* of all points */
} Spans;

/* ---- spans ---- */

/* Returns the time from the first point to `ms`. It is unsigned, because dates in documents can be
 * so far apart that the difference needs 64 bits. */
static uint64_t length_until (const Spans *s, int64_t ms)
{
   return (uint64_t) ms - (uint64_t) s->first;
}

/* Returns the index of the span that contains the time `ms`. If points are evenly spaced, each span
 * has s->points of them. */
static size_t span_of (const Spans *s, int64_t ms)
{
   uint64_t length = length_until (s, s->last);
   if (length == 0)
      return 0;
   return (size_t) ((MtUint128) length_until (s, ms) * (s->count - 1) /
                    ((MtUint128) length * s->points));
}

/* Returns the time in the middle of the w spans from span i on. */
static int64_t middle (const Spans *s, size_t i, size_t w)
{
   MtUint128 length = length_until (s, s->last), steps = 2 * (i * s->points) + w * s->points - 1,
             all = 2 * (MtUint128) (s->count - 1);
   if (length == 0 || steps >= all)
      return s->last;
   return (int64_t) ((uint64_t) s->first + (uint64_t) ((2 * length * steps + all) / (2 * all)));
}

/* Fills spans without points (counts[i] is 0) by values on the line between their neighbours. */
static void fill_gaps (Spans *s, const uint32_t *counts)
{
   size_t before = 0;
   for (size_t i = 1; i < s->n; i++) {
      if (!counts[i])
         continue;
      for (size_t k = before + 1; k < i; k++)
         s->v[k] = s->v[before] +
                   (s->v[i] - s->v[before]) * (double) (k - before) / (double) (i - before);
      before = i;
   }
}

static bool cut (MtEval *ev, const MtPoints *p, size_t n, Spans *s)
{
   *s = (Spans) {.points = p->n / n > 1 ? p->n / n : 1,
                 .first = p->ms[0],
                 .last = p->ms[p->n - 1],
                 .count = p->n};
   s->n = span_of (s, s->last) + 1;
   uint32_t *counts = mt_try_alloc_n (ev->arena, s->n, sizeof *counts);
   s->v = mt_try_alloc_n (ev->arena, s->n, sizeof *s->v);
   if (!counts || !s->v)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < s->n; i++) {
      s->v[i] = 0;
      counts[i] = 0;
   }
   for (size_t i = 0; i < p->n; i++) {
      size_t k = span_of (s, p->ms[i]);
      s->v[k] += (p->v[i] - s->v[k]) / ++counts[k];
   }
   fill_gaps (s, counts);
   return true;
}

/* ---- the best width ---- */

typedef struct Quality {
   double deviation, kurtosis, roughness;
} Quality;

/* Returns the average of the w values from index i on. sums[k] is the sum of the first k values. */
static double average (const double *sums, size_t i, size_t w)
{
   return (sums[i + w] - sums[i]) / (double) w;
}

static Quality quality (const Spans *s, const double *sums, size_t w)
{
   size_t n = s->n - w + 1;
   double mean = 0, squares = 0, fourths = 0, change = 0, changes = 0;
   for (size_t i = 0; i < n; i++)
      mean += average (sums, i, w) / (double) n;
   for (size_t i = 0; i < n; i++) {
      double d = average (sums, i, w) - mean;
      squares += d * d;
      fourths += d * d * d * d;
   }
   for (size_t i = 0; i + 1 < n; i++)
      change += (s->v[i + w] - s->v[i]) / (double) w / (double) (n - 1);
   for (size_t i = 0; i + 1 < n; i++) {
      double d = (s->v[i + w] - s->v[i]) / (double) w - change;
      changes += d * d;
   }
   return (Quality) {.deviation = sqrt (squares / (double) n),
                     .kurtosis = (double) n * fourths / (squares * squares),
                     .roughness = n > 1 ? sqrt (changes / (double) (n - 1)) : 0};
}

static bool best_width (MtEval *ev, const Spans *s, const double *sums, size_t *out)
{
   Quality own = quality (s, sums, 1), best = own;
   *out = 1;
   for (size_t w = 2; w <= s->n / LEAST_AVERAGES; w++) {
      Quality q = quality (s, sums, w);
      if (!mt_cancel_check (ev->cancel, ev->err))
         return false;
      if (q.deviation > own.deviation * NO_DEVIATION && q.kurtosis >= own.kurtosis &&
          q.roughness < best.roughness) {
         best = q;
         *out = w;
      }
   }
   return true;
}

bool mt_points_asap (MtEval *ev, const MtPoints *p, size_t n, MtPoints *out)
{
   Spans s;
   size_t w;
   if (!cut (ev, p, n, &s))
      return false;
   double *sums = mt_try_alloc_n (ev->arena, s.n + 1, sizeof *sums), mean = 0;
   if (!sums)
      return mt_memory_check (ev->err);
   for (size_t i = 0; i < s.n; i++)
      mean += s.v[i] / (double) s.n;
   sums[0] = 0;
   for (size_t i = 0; i < s.n; i++)
      sums[i + 1] = sums[i] + (s.v[i] - mean);
   if (!best_width (ev, &s, sums, &w) || !mt_points_new (ev->arena, s.n - w + 1, out, ev->err))
      return false;
   for (size_t i = 0; i < out->n; i++) {
      out->ms[i] = middle (&s, i, w);
      out->v[i] = w == 1 ? s.v[i] : mean + average (sums, i, w);
   }
   return true;
}
