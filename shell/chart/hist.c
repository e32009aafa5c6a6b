/* Histograms. The counts are exact, although the intervals grow while rows are added: intervals
 * have round limits, and each larger interval consists of a whole number of smaller ones. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINE = 16384, DEFAULT_BINS = 20, FINEST = -300, DAY_STEP = 13 };

static bool is_number (const MtChart *c) { return c->x.kind == MT_AXIS_NUMBER; }

/* Returns the width of intervals of size `step`: a power of ten, or a row of mt_whole_steps_ms. */
static double width (const MtChart *c, int step)
{
   return is_number (c) ? pow (10, step) : mt_whole_steps_ms[step];
}

/* Returns how many intervals of size `step` make one interval of the next size. */
static int64_t ratio (const MtChart *c, int step)
{
   return is_number (c) ? 10 : (int64_t) (mt_whole_steps_ms[step + 1] / mt_whole_steps_ms[step]);
}

static bool is_last (const MtChart *c, int step)
{
   return !is_number (c) && mt_whole_steps_ms[step + 1] == 0;
}

/* Returns the smallest size of intervals that makes sense for the column's type. */
static int finest (const MtChart *c)
{
   MtTypeId type = c->columns[c->roles.x].type.id;
   if (!is_number (c))
      return type == MT_T_DATE ? DAY_STEP : 0;
   return mt_type_is_integer (type) ? 0 : FINEST;
}

/* Returns the number of the interval that contains v, counted from 0. A value that is almost equal
 * to a limit is in the upper interval. */
static int64_t interval_of (const MtChart *c, double v)
{
   int step = c->hist.step;
   double q = is_number (c) && step < 0 ? v * pow (10, -step) : v / width (c, step);
   double whole = round (q);
   return (int64_t) (fabs (q - whole) <= 1e-9 * fmax (1, fabs (q)) ? whole : floor (q));
}

/* ---- counting ---- */

static void coarsen (MtChart *c)
{
   MtHist *h = &c->hist;
   int64_t by = ratio (c, h->step), first = mt_floor_div (h->first, by);
   uint64_t *counts = mt_calloc ("chart", FINE, sizeof *counts);
   for (int64_t i = 0; i < h->n; i++)
      counts[mt_floor_div (h->first + i, by) - first] += h->counts[i];
   free (h->counts);
   h->counts = counts;
   h->n = h->n ? mt_floor_div (h->first + h->n - 1, by) - first + 1 : 0;
   h->first = first;
   h->step++;
}

/* Returns whether v is so far from 0 that the number of its interval would not be exact. */
static bool is_far (const MtChart *c, double v)
{
   return fabs (v) / width (c, c->hist.step) > 1e15;
}

/* Returns whether the counted intervals together with that of v are at most FINE. */
static bool has_room (const MtChart *c, double v)
{
   const MtHist *h = &c->hist;
   if (is_far (c, v))
      return false;
   int64_t i = interval_of (c, v), last = h->first + h->n - 1;
   return !h->n || (i > last ? i : last) - (i < h->first ? i : h->first) < FINE;
}

static void count (MtChart *c, double v)
{
   MtHist *h = &c->hist;
   while (!has_room (c, v))
      coarsen (c);
   int64_t i = interval_of (c, v);
   if (!h->n)
      h->first = i;
   if (i < h->first) {
      int64_t by = h->first - i;
      memmove (h->counts + by, h->counts, (size_t) h->n * sizeof *h->counts);
      memset (h->counts, 0, (size_t) by * sizeof *h->counts);
      h->n += by;
      h->first = i;
   }
   h->n = i - h->first + 1 > h->n ? i - h->first + 1 : h->n;
   h->counts[i - h->first]++;
}

/* Chooses the first size of intervals from the range of the stored values, and counts these
 * values. */
static void begin (MtChart *c, MtChartSeries *s)
{
   MtHist *h = &c->hist;
   double lo = INFINITY, hi = -INFINITY;
   for (size_t i = 0; i < s->n; i++) {
      lo = fmin (lo, s->points[i].x);
      hi = fmax (hi, s->points[i].x);
   }
   double size = fmax (fabs (lo), fabs (hi)), range = hi - lo;
   if (range == 0)
      range = size > 0 ? size / 10 : 1;
   h->step = finest (c);
   while (!is_last (c, h->step) && (range / width (c, h->step) > FINE / 2.0 || is_far (c, size)))
      h->step++;
   h->counts = mt_calloc ("chart", FINE, sizeof *h->counts);
   for (size_t i = 0; i < s->n; i++)
      count (c, s->points[i].x);
   s->n = 0;
}

/* Returns the time v (UTC) as local time in the chart's time zone, so that intervals of days begin
 * at midnight there. */
static double local (const MtChart *c, double v)
{
   return c->x.zone ? v + 1000.0 * mt_tz_offset (c->x.zone, (int64_t) v) : v;
}

void mt_hist_add (MtChart *c, double v)
{
   MtChartSeries *s = mt_chart_series (c, MT_STR ("rows"), NULL);
   v = local (c, v);
   if (!c->hist.counts && s->n == MT_RAW_POINTS)
      begin (c, s);
   if (c->hist.counts)
      count (c, v);
   else
      mt_points_add (c, s, (MtPoint) {v, 0});
}

/* ---- the intervals that are drawn ---- */

/* Returns how many fine intervals are drawn as one interval: the largest number that leaves at
 * least as many intervals as the user wants. */
static int64_t joined (const MtChart *c)
{
   static const int64_t digits[] = {1, 2, 5};
   const MtHist *h = &c->hist;
   int64_t least = c->options->bins ? c->options->bins : DEFAULT_BINS, by = 1, next = 1;
   int step = h->step;
   for (int i = 1; h->n / next >= least; i++) {
      by = next;
      if (is_number (c)) {
         next = digits[i % 3] * (int64_t) pow (10, i / 3);
      } else if (is_last (c, step)) {
         break;
      } else {
         next *= ratio (c, step++);
      }
   }
   return by;
}

void mt_hist_finish (MtChart *c)
{
   MtHist *h = &c->hist;
   if (!c->series_count)
      return;
   MtChartSeries *s = &c->series[0];
   if (!h->counts)
      begin (c, s);
   int64_t by = joined (c), first = mt_floor_div (h->first, by),
           last = mt_floor_div (h->first + h->n - 1, by);
   for (int64_t k = first; k <= last; k++) {
      uint64_t n = 0;
      for (int64_t i = k * by; i < (k + 1) * by; i++)
         if (i >= h->first && i < h->first + h->n)
            n += h->counts[i - h->first];
      double at = (double) (k * by) * width (c, h->step);
      if (c->x.zone)
         at = (double) mt_tz_to_utc (c->x.zone, (int64_t) at);
      mt_points_add (c, s, (MtPoint) {at, (double) n});
   }
   c->slot = (double) by * width (c, h->step);
   mt_points_finish (c);
}
