#include "shell/chart/chart_int.h"

#include <math.h>
#include <string.h>

static double width_of (const MtMetrics *m, const char *text)
{
   return m->width (m->ctx, text, strlen (text));
}

double mt_layout_label_width (const MtScale *s, const MtMetrics *m)
{
   double most = 0;
   for (size_t i = 0; i < s->n; i++)
      most = fmax (most, width_of (m, s->ticks[i].label));
   return most;
}

/* ---- the horizontal axis ---- */

static bool labels_fit (const MtScale *s, const MtMetrics *m, double length)
{
   double end = -INFINITY;
   for (size_t i = 0; i < s->n; i++) {
      double half = width_of (m, s->ticks[i].label) / 2;
      double at = mt_scale_place (s, s->ticks[i].at) * length;
      if (at - half < end + m->gap)
         return false;
      end = at + half;
   }
   return true;
}

/* Clears the dates of ticks that would touch another date. A tick at the beginning of its date wins
 * over a tick within a date. */
static void thin_dates (MtScale *s, const MtMetrics *m, double length)
{
   MtTick *last = NULL;
   double end = -INFINITY;
   for (size_t i = 0; i < s->n; i++) {
      MtTick *t = &s->ticks[i];
      if (!*t->date)
         continue;
      double half = width_of (m, t->date) / 2, at = mt_scale_place (s, t->at) * length;
      if (at - half < end + m->gap) {
         if (!last || last->begins || !t->begins) {
            t->date[0] = 0;
            continue;
         }
         last->date[0] = 0;
      }
      last = t;
      end = at + half;
   }
}

/* Chooses the finest ticks whose labels fit. At least one tick remains if there is any. */
void mt_layout_x_ticks (MtScale *s, const MtMetrics *m, double length)
{
   for (int coarse = 0; coarse < MT_SCALE_STEPS; coarse++) {
      if (mt_scale_ticks (s, coarse) && (s->n < 2 || labels_fit (s, m, length)))
         break;
   }
   thin_dates (s, m, length);
}

/* ---- the vertical axis ---- */

static bool is_apart (const MtScale *s, double length, double distance)
{
   for (size_t i = 1; i < s->n; i++)
      if (fabs (mt_scale_place (s, s->ticks[i].at) - mt_scale_place (s, s->ticks[i - 1].at)) *
             length <
          distance)
         return false;
   return true;
}

void mt_layout_y_ticks (MtScale *s, double length, double distance)
{
   for (int coarse = 0; coarse < MT_SCALE_STEPS; coarse++)
      if (mt_scale_ticks (s, coarse) && (s->n < 2 || is_apart (s, length, distance)))
         return;
}

/* ---- the legend ---- */

int mt_layout_legend (const MtChart *c, const MtMetrics *m, double mark, double length,
                      MtLegendItem *items)
{
   double x = 0;
   int line = 0;
   if (c->series_count < 2)
      return 0;
   for (size_t i = 0; i < c->series_count; i++) {
      double width = mark + width_of (m, c->series[i].name);
      if (x > 0 && x + width > length) {
         x = 0;
         line++;
      }
      items[i] = (MtLegendItem) {x, line};
      x += width + m->gap;
   }
   return line + 1;
}
