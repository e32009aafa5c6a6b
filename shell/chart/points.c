/* Stores the points of lines, scatter charts, and columns on an axis of values. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines: the first, lowest, highest and last point of each cell of a grid ---- */

static void span_add (MtSpanOfPoints *s, MtPoint p)
{
   if (!s->used)
      *s = (MtSpanOfPoints) {p, p, p, p, true};
   if (p.x < s->first.x)
      s->first = p;
   if (p.x >= s->last.x)
      s->last = p;
   if (p.y < s->low.y)
      s->low = p;
   if (p.y > s->high.y)
      s->high = p;
}

/* Extends span a (the first, lowest, highest and last point of a cell) by the points of span b. */
static void span_join (MtSpanOfPoints *a, const MtSpanOfPoints *b)
{
   if (!b->used)
      return;
   span_add (a, b->first);
   span_add (a, b->low);
   span_add (a, b->high);
   span_add (a, b->last);
}

static void double_spans (MtChartSeries *s, bool up)
{
   MtSpanOfPoints *half = s->spans + (up ? 0 : MT_FINE / 2);
   MtSpanOfPoints *joined = mt_calloc ("chart", MT_FINE / 2, sizeof *joined);
   for (size_t i = 0; i < MT_FINE; i++)
      span_join (&joined[i / 2], &s->spans[i]);
   memset (s->spans, 0, MT_FINE * sizeof *s->spans);
   memcpy (half, joined, MT_FINE / 2 * sizeof *joined);
   free (joined);
   mt_grid_double (&s->grid, up);
}

static void add_to_spans (MtChartSeries *s, MtPoint p)
{
   bool up;
   if (isnan (p.y))
      return;
   while (!mt_grid_has (&s->grid, p.x, &up))
      double_spans (s, up);
   span_add (&s->spans[mt_grid_cell (&s->grid, p.x)], p);
}

/* ---- scatter: which cells of a grid have points ---- */

enum { BIT_WORDS = MT_FINE / 2 * (MT_FINE_Y / 64) };
/* scatter charts have a bitmap of MT_FINE / 2 columns with MT_FINE_Y bits each */

static void set_bit (uint64_t *bits, size_t x, size_t y)
{
   bits[x * (MT_FINE_Y / 64) + y / 64] |= UINT64_C (1) << y % 64;
}

static bool has_bit (const uint64_t *bits, size_t x, size_t y)
{
   return bits[x * (MT_FINE_Y / 64) + y / 64] >> y % 64 & 1;
}

static void double_bits (MtChartSeries *s, bool along_x, bool up)
{
   uint64_t *old = s->bits;
   size_t from_x = along_x && !up ? MT_FINE / 4 : 0, from_y = !along_x && !up ? MT_FINE_Y / 2 : 0;
   s->bits = mt_calloc ("chart", BIT_WORDS, sizeof *s->bits);
   for (size_t x = 0; x < MT_FINE / 2; x++)
      for (size_t y = 0; y < MT_FINE_Y; y++)
         if (has_bit (old, x, y))
            set_bit (s->bits, from_x + (along_x ? x / 2 : x), from_y + (along_x ? y : y / 2));
   free (old);
   mt_grid_double (along_x ? &s->grid : &s->grid_y, up);
}

static void add_to_bits (MtChartSeries *s, MtPoint p)
{
   bool up;
   if (isnan (p.y))
      return;
   while (!mt_grid_has (&s->grid, p.x, &up))
      double_bits (s, true, up);
   while (!mt_grid_has (&s->grid_y, p.y, &up))
      double_bits (s, false, up);
   set_bit (s->bits, mt_grid_cell (&s->grid, p.x), mt_grid_cell (&s->grid_y, p.y));
}

/* ---- points ---- */

static void push (MtChartSeries *s, MtPoint p)
{
   MT_GROW ("chart", s->points, s->n, s->cap, 64);
   s->points[s->n++] = p;
}

static void range_of (const MtChartSeries *s, MtPoint *lo, MtPoint *hi)
{
   *lo = (MtPoint) {INFINITY, INFINITY};
   *hi = (MtPoint) {-INFINITY, -INFINITY};
   for (size_t i = 0; i < s->n; i++) {
      MtPoint p = s->points[i];
      if (isnan (p.y))
         continue;
      *lo = (MtPoint) {fmin (lo->x, p.x), fmin (lo->y, p.y)};
      *hi = (MtPoint) {fmax (hi->x, p.x), fmax (hi->y, p.y)};
   }
}

/* Replaces the stored points of a series by a grid, because there are more than MT_RAW_POINTS. */
static void begin_grid (MtChart *c, MtChartSeries *s)
{
   MtPoint lo, hi;
   range_of (s, &lo, &hi);
   if (!isfinite (lo.x)) /* all points so far are NULL */
      lo = hi = (MtPoint) {s->points[0].x, 0};
   bool scatter = c->kind == MT_CHART_SCATTER;
   mt_grid_begin (&s->grid, scatter ? MT_FINE / 2 : MT_FINE, lo.x, hi.x);
   mt_grid_begin (&s->grid_y, MT_FINE_Y, lo.y, hi.y);
   if (scatter)
      s->bits = mt_calloc ("chart", BIT_WORDS, sizeof *s->bits);
   else
      s->spans = mt_calloc ("chart", MT_FINE, sizeof *s->spans);
   for (size_t i = 0; i < s->n; i++) {
      if (scatter)
         add_to_bits (s, s->points[i]);
      else
         add_to_spans (s, s->points[i]);
   }
   s->n = 0;
}

void mt_points_add (MtChart *c, MtChartSeries *s, MtPoint p)
{
   if (!s->spans && !s->bits && s->n == MT_RAW_POINTS)
      begin_grid (c, s);
   if (s->spans)
      add_to_spans (s, p);
   else if (s->bits)
      add_to_bits (s, p);
   else
      push (s, p);
}

/* ---- after the last row ---- */

static int by_x (const void *a, const void *b)
{
   const MtPoint *p = a, *q = b;
   return (p->x > q->x) - (p->x < q->x);
}

static void points_of_spans (MtChartSeries *s)
{
   for (size_t i = 0; i < MT_FINE; i++) {
      const MtSpanOfPoints *span = &s->spans[i];
      if (!span->used)
         continue;
      bool rises = span->low.x <= span->high.x;
      push (s, span->first);
      push (s, rises ? span->low : span->high);
      push (s, rises ? span->high : span->low);
      push (s, span->last);
   }
}

static void points_of_bits (MtChartSeries *s)
{
   for (size_t x = 0; x < MT_FINE / 2; x++)
      for (size_t y = 0; y < MT_FINE_Y; y++)
         if (has_bit (s->bits, x, y))
            push (s, (MtPoint) {s->grid.lo + ((double) x + 0.5) * s->grid.step,
                                s->grid_y.lo + ((double) y + 0.5) * s->grid_y.step});
}

/* Sorts the points by x. Points with the same x must keep their order. This works because qsort of
 * glibc 2.36 is a merge sort. */
static void sort_points (MtChartSeries *s)
{
   bool sorted = true;
   for (size_t i = 1; i < s->n && sorted; i++)
      sorted = s->points[i - 1].x <= s->points[i].x;
   if (!sorted)
      qsort (s->points, s->n, sizeof *s->points, by_x);
}

/* Returns the smallest distance between two different values of x within a series of a chart of
 * columns. 0: no series has two values. */
static double smallest_gap (const MtChart *c)
{
   double gap = INFINITY;
   for (size_t i = 0; i < c->series_count; i++) {
      const MtChartSeries *s = &c->series[i];
      for (size_t k = 1; k < s->n; k++)
         if (s->points[k].x > s->points[k - 1].x)
            gap = fmin (gap, s->points[k].x - s->points[k - 1].x);
   }
   return isfinite (gap) ? gap : 0;
}

static void widen_empty (MtScale *s)
{
   if (s->hi > s->lo)
      return;
   double by = s->kind == MT_AXIS_TIME ? 3600000 : fabs (s->lo) / 2;
   if (s->log) {
      s->lo /= 2;
      s->hi *= 2;
   } else {
      s->lo -= by ? by : 1;
      s->hi += by ? by : 1;
   }
}

static void set_ranges (MtChart *c)
{
   c->x.lo = c->y.lo = INFINITY;
   c->x.hi = c->y.hi = -INFINITY;
   for (size_t i = 0; i < c->series_count; i++) {
      MtPoint lo, hi;
      range_of (&c->series[i], &lo, &hi);
      c->x.lo = fmin (c->x.lo, lo.x);
      c->x.hi = fmax (c->x.hi, hi.x);
      c->y.lo = fmin (c->y.lo, lo.y);
      c->y.hi = fmax (c->y.hi, hi.y);
   }
}

/* Extends the value axis to include 0: always for columns, for other charts if 0 is near the
 * values. */
static void include_zero (MtChart *c)
{
   MtScale *y = &c->y;
   if (y->log || y->kind == MT_AXIS_TIME)
      return;
   double range = y->hi - y->lo;
   if (mt_chart_has_columns (c) || (y->lo > 0 && y->lo < range))
      y->lo = fmin (y->lo, 0);
   if (mt_chart_has_columns (c) || (y->hi < 0 && -y->hi < range))
      y->hi = fmax (y->hi, 0);
}

void mt_points_finish (MtChart *c)
{
   for (size_t i = 0; i < c->series_count; i++) {
      MtChartSeries *s = &c->series[i];
      if (s->spans)
         points_of_spans (s);
      else if (s->bits)
         points_of_bits (s);
      sort_points (s);
   }
   set_ranges (c);
   if (!isfinite (c->x.lo))
      return;
   include_zero (c);
   if (mt_chart_has_columns (c)) {
      if (c->kind == MT_CHART_BAR) {
         c->slot = smallest_gap (c);
         c->slot_left = c->x.kind == MT_AXIS_TIME ? 0 : 0.5;
      }
      c->slot = c->slot > 0 ? c->slot : 1;
      c->x.lo -= c->slot * c->slot_left;
      c->x.hi += c->slot * (1 - c->slot_left);
   }
   c->x.least_ms = fmax (c->x.least_ms, fmin (c->slot, MT_DAY_MS));
   widen_empty (&c->x);
   widen_empty (&c->y);
}
