/* Prints heat maps on the terminal: shaded cells, and a line with the legend of the shades. */
#include "shell/chart/screen_int.h"
#include "shell/format/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROWS = 64, WIDEST_CELL = 8, MOST_LABELS = 12 };

static int width_of (const char *text) { return mt_text_width (text, strlen (text)); }

/* Draws a cell that is `width` columns wide. share: from 0 (lowest mean) to 1 (highest mean). */
static void shade (MtScreen *s, int x, int y, int width, double share)
{
   int levels = s->to->colors ? MT_HEAT_COLORS : s->chars->shade_count;
   int level = (int) fmin (floor (share * levels), levels - 1);
   const char *text = s->to->colors ? s->chars->full : s->chars->shades[level];
   for (int i = 0; i < width; i++)
      mt_screen_text (&s->v, x + i, y, text, s->to->colors ? (uint8_t) (MT_COLOR_HEAT + level) : 0);
}

/* Returns the width in columns of the widest number among the labels of the rows. */
static int number_width (const MtScale *y)
{
   int most = 0;
   for (int i = 0; i <= MOST_LABELS; i++) {
      char text[32];
      mt_scale_label (y, y->lo + (y->hi - y->lo) * i / MOST_LABELS, text);
      most = width_of (text) > most ? width_of (text) : most;
   }
   return most;
}

static int label_width (const MtScreen *s)
{
   const MtCellAxis *y = &s->c->heat.y;
   int most = (int) mt_layout_label_width (&s->c->y, &mt_screen_metrics);
   for (size_t i = 0; i < y->n; i++)
      most = width_of (y->names[i]) > most ? width_of (y->names[i]) : most;
   if (!y->n && s->c->y.kind != MT_AXIS_TIME)
      most = number_width (&s->c->y);
   return most < s->to->columns / 3 ? most : s->to->columns / 3;
}

/* ---- labels ---- */

static void label_row (MtScreen *s, int row, const char *text)
{
   mt_screen_text (&s->v, s->left - 1 - width_of (text), s->top + row, text, 0);
}

/* Labels the rows: with their names, at the ticks of a time axis, or with numbers at every row or
 * every few rows. */
static void label_rows (MtScreen *s, const MtCellView *view)
{
   const MtCellAxis *y = &s->c->heat.y;
   const MtScale *scale = &s->c->y;
   int last = s->plot_height - 1, every = ((int) view->n + MOST_LABELS - 1) / MOST_LABELS;
   for (size_t i = 0; i < y->n; i++)
      mt_screen_clipped (s, 0, s->top + (int) i, y->names[i], s->left - 1);
   for (size_t i = 0; !y->n && scale->kind == MT_AXIS_TIME && i < scale->n; i++) {
      int row = (int) floor ((scale->ticks[i].at - scale->lo) / view->step + 1e-6);
      if (row <= last)
         label_row (s, last - row, scale->ticks[i].label);
   }
   for (int i = 0; !y->n && scale->kind != MT_AXIS_TIME && i <= last; i += every) {
      char text[32];
      mt_scale_label (scale, view->lo + i * view->step, text);
      label_row (s, last - i, text);
   }
}

/* Writes the names below the columns of the heat map. Leaves out names that would touch the
 * previous one. */
static void label_columns (MtScreen *s, int cell)
{
   const MtCellAxis *x = &s->c->heat.x;
   int end = 0;
   for (size_t i = 0; i < x->n; i++) {
      int from = s->left + (int) i * cell, room = i + 1 < x->n ? cell - 1 : s->v.width - from;
      if (from < end)
         continue;
      int w = width_of (x->names[i]);
      bool alone = w > room && room < 4;
      mt_screen_clipped (s, from, s->top + s->plot_height, x->names[i], alone ? w : room);
      end = from + (alone ? w + 1 : room);
   }
}

static void explain (MtScreen *s, int y)
{
   MtHeatLegend l = mt_heat_legend (s->c);
   int x = s->left;
   mt_screen_text (&s->v, x, y, l.name, 0);
   x += width_of (l.name) + 2;
   mt_screen_text (&s->v, x, y, l.low, 0);
   x += width_of (l.low) + 1;
   int levels = s->to->colors ? MT_HEAT_COLORS : s->chars->shade_count;
   for (int i = 0; i < levels; i++)
      shade (s, x + 2 * i, y, 2, (i + 0.5) / levels);
   mt_screen_text (&s->v, x + 2 * levels + 1, y, l.high, 0);
}

/* ---- cells ---- */

static void draw_cells (MtScreen *s, const MtCellView *x, const MtCellView *y, const double *means)
{
   bool down = s->c->roles.y_names; /* names are read downward, values rise */
   int cell = s->plot_width / (int) x->n;
   for (size_t k = 0; k < y->n; k++)
      for (size_t i = 0; i < x->n; i++) {
         double v = means[k * x->n + i];
         int line = s->top + (int) (down ? k : y->n - 1 - k);
         if (!isnan (v))
            shade (s, s->left + (int) i * cell, line, cell, mt_heat_share (&s->c->heat, v));
      }
}

void mt_screen_heat (MtScreen *s, int header, int lines)
{
   MtChart *c = s->c;
   MtCellView x, y;
   double *means;
   int room = lines - header - 5 > LEAST_ROWS ? lines - header - 5 : LEAST_ROWS;
   int columns = s->to->columns, widest = WIDEST_CELL;
   for (size_t i = 0; i < c->heat.x.n; i++)
      widest = width_of (c->heat.x.names[i]) < widest ? widest : width_of (c->heat.x.names[i]) + 1;
   mt_cells_view (c, (size_t) columns, (size_t) room, &x, &y, &means);
   mt_layout_y_ticks (&c->y, (double) y.n, 1);
   s->left = label_width (s) + 1;
   columns = columns - s->left > 1 ? columns - s->left : 1;
   mt_cells_view (c, (size_t) columns, (size_t) room, &x, &y, &means);
   int cell = columns / (int) x.n < widest ? columns / (int) x.n : widest;
   s->plot_width = (cell > 0 ? cell : 1) * (int) x.n;
   s->plot_height = (int) y.n;
   s->top = header;
   mt_canvas_begin (&s->v, c->arena, s->to->columns, header + s->plot_height + 6, MT_DOTS_MARKS);
   draw_cells (s, &x, &y, means);
   label_rows (s, &y);
   int below = header + s->plot_height;
   if (c->roles.x_names) {
      label_columns (s, s->plot_width / (int) x.n);
   } else {
      mt_screen_fit_x (s);
      below = mt_screen_x_axis (s);
   }
   explain (s, below + 2);
}
