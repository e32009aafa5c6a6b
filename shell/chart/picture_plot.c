/* Draws lines, points and columns into a file. */
#include "shell/chart/picture_int.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { MARKED_POINTS = 60 };

static double x_of (const MtChartDrawing *d, double v)
{
   return d->left + mt_scale_place (&d->c->x, v) * (d->right - d->left);
}

static double y_of (const MtChartDrawing *d, double v)
{
   return d->bottom - mt_scale_place (&d->c->y, v) * (d->bottom - d->top);
}

/* Draws the line through the points of a series from index `from` up to the next NULL. Returns the
 * index of this NULL, or the number of points. */
static size_t draw_stretch (MtChartDrawing *d, size_t series, size_t from, double *xy)
{
   const MtChartSeries *s = &d->c->series[series];
   size_t i = from;
   for (; i < s->n && !isnan (s->points[i].y); i++) {
      xy[2 * (i - from)] = x_of (d, s->points[i].x);
      xy[2 * (i - from) + 1] = y_of (d, s->points[i].y);
   }
   MtPictureStroke how = {0.14 * d->em, mt_drawing_color (d, series), (int) (series / 8)};
   if (i > from + 1)
      d->by->line (d->to, xy, i - from, &how);
   bool alone = i == from + 1;
   for (size_t k = from; k < i && (alone || s->n <= MARKED_POINTS); k++)
      d->by->mark (d->to, xy[2 * (k - from)], xy[2 * (k - from) + 1], 0.2 * d->em, MT_MARK_CIRCLE,
                   how.color);
   return i;
}

static void draw_line (MtChartDrawing *d, size_t series)
{
   const MtChartSeries *s = &d->c->series[series];
   double *xy = mt_calloc ("chart", 2 * s->n + 1, sizeof *xy);
   for (size_t i = 0; i < s->n;) {
      size_t end = draw_stretch (d, series, i, xy);
      i = end > i ? end : i + 1;
   }
   free (xy);
}

static void draw_points (MtChartDrawing *d, size_t series)
{
   const MtChartSeries *s = &d->c->series[series];
   double radius = (s->n > 2000 ? 0.1 : 0.28) * d->em;
   for (size_t i = 0; i < s->n; i++)
      if (!isnan (s->points[i].y))
         d->by->mark (d->to, x_of (d, s->points[i].x), y_of (d, s->points[i].y), radius,
                      (int) series % MT_PICTURE_MARKS, mt_drawing_color (d, series));
}

/* Draws the columns of a series. The columns of all series for the same x share one slot. */
static void draw_columns (MtChartDrawing *d, size_t series)
{
   const MtChart *c = d->c;
   const MtChartSeries *s = &c->series[series];
   double slot = (d->right - d->left) * c->slot / (c->x.hi - c->x.lo);
   double gap = c->kind == MT_CHART_HIST ? fmin (1, slot * 0.1) : slot * 0.2;
   double width = (slot - gap) / (double) c->series_count;
   double zero = c->y.log ? d->bottom : y_of (d, 0);
   for (size_t i = 0; i < s->n; i++) {
      if (isnan (s->points[i].y))
         continue;
      double x = x_of (d, s->points[i].x - c->slot * c->slot_left) + gap / 2 +
                 width * (double) series;
      double y = y_of (d, s->points[i].y), height = fabs (zero - y);
      if (height < 1 && s->points[i].y != 0)
         height = 1; /* a bar that is not 0 can be seen */
      d->by->rectangle (d->to,
                        (double[]) {x, s->points[i].y < 0 ? zero : zero - height,
                                    fmax (width > 4 ? width - 1 : width, 0.5), height},
                        mt_drawing_color (d, series));
   }
}

void mt_drawing_series (MtChartDrawing *d)
{
   for (size_t i = 0; i < d->c->series_count; i++) {
      if (mt_chart_has_columns (d->c))
         draw_columns (d, i);
      else if (d->c->kind == MT_CHART_SCATTER)
         draw_points (d, i);
      else
         draw_line (d, i);
   }
}
