/* Draws bars with names, and heat maps, into a file. */
#include "shell/chart/picture_int.h"

#include <math.h>
#include <string.h>

/* ---- bars ---- */

/* The height of a bar, and of the space between two names, in multiples of the font size. */
#define BAR 1.5
#define SPACE 0.7

double mt_drawing_bars_height (const MtChartDrawing *d)
{
   double lines = 2.6 + (d->c->options->title ? 2 : 0) + (d->c->series_count > 1 ? 2 : 0);
   return (lines + (double) d->c->bar_count * (BAR * (double) d->c->series_count + SPACE)) * d->em;
}

/* Sets d->left and d->right, the ends of the bars, so that there is space for names and values. */
static void place_bars (MtChartDrawing *d)
{
   const MtChart *c = d->c;
   double names = 0, values = 0, most = d->width / 3;
   for (size_t i = 0; i < c->bar_count; i++) {
      names = fmax (names, mt_drawing_width (d, c->bars[i].name));
      for (size_t k = 0; k < c->series_count; k++)
         if (c->bars[i].values[k].text)
            values = fmax (values, mt_drawing_width (d, c->bars[i].values[k].text));
   }
   d->left = fmin (names, most) + 2 * d->em;
   d->right = d->width - fmin (values, most) - 2 * d->em;
}

static void draw_bar (MtChartDrawing *d, double y, double height, const MtBarValue *value,
                      size_t series)
{
   const MtScale *s = &d->c->y;
   double width = d->right - d->left, zero = mt_scale_base (s), end = zero;
   if (!isnan (value->v)) {
      double place = mt_scale_place (s, value->v);
      double from = fmin (zero, place) * width, to = fmax (zero, place) * width;
      if (to - from < 1 && value->v != 0)
         to = from + 1; /* a bar that is not 0 can be seen */
      d->by->rectangle (d->to, (double[]) {d->left + from, y, to - from, height},
                        mt_drawing_color (d, series));
      end = fmax (zero, place);
   }
   if (value->text)
      mt_drawing_text (d,
                       &(MtPictureText) {.x = d->left + end * width + 0.5 * d->em,
                                         .y = y + height / 2,
                                         .widest = d->width / 3,
                                         .color = d->theme->text},
                       value->text);
}

void mt_drawing_bars (MtChartDrawing *d)
{
   const MtChart *c = d->c;
   place_bars (d);
   double each = (d->bottom - d->top) / (double) c->bar_count;
   double gap = each * SPACE / (BAR * (double) c->series_count + SPACE);
   double height = (each - gap) / (double) c->series_count;
   double zero = mt_scale_base (&c->y);
   for (size_t i = 0; i < c->bar_count; i++) {
      double y = d->top + each * (double) i + gap / 2;
      mt_drawing_text (d,
                       &(MtPictureText) {.x = d->left - 0.7 * d->em,
                                         .y = y + (each - gap) / 2,
                                         .anchor = 1,
                                         .widest = d->width / 3,
                                         .color = d->theme->text},
                       c->bars[i].name);
      for (size_t k = 0; k < c->series_count; k++)
         draw_bar (d, y + height * (double) k, height * 0.92, &c->bars[i].values[k], k);
   }
   double x = round (d->left + zero * (d->right - d->left)) + 0.5;
   mt_drawing_line (d, (double[]) {x, d->top, x, d->bottom}, 1, d->theme->muted);
}

/* ---- heat ---- */

/* Returns the colour for a share from 0 to 1, from dark to bright (the viridis map of
 * matplotlib). */
static uint32_t shade (double share)
{
   static const uint32_t stops[] = {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
                                    0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
   double at = fmin (fmax (share, 0), 1) * 9;
   int i = at >= 9 ? 8 : (int) at;
   uint32_t out = 0;
   for (int shift = 16; shift >= 0; shift -= 8) {
      double a = stops[i] >> shift & 255, b = stops[i + 1] >> shift & 255;
      out |= (uint32_t) (a + (b - a) * (at - i) + 0.5) << shift;
   }
   return out;
}

/* Draws the legend of the shades: the name of the value, its lowest and its highest mean. */
static void explain (MtChartDrawing *d, double y)
{
   MtHeatLegend l = mt_heat_legend (d->c);
   double length = 10 * d->em, x = 1.2 * d->em;
   mt_drawing_label (d, x, y, 0, l.name);
   x += mt_drawing_width (d, l.name) + 1.2 * d->em;
   mt_drawing_label (d, x, y, 0, l.low);
   x += mt_drawing_width (d, l.low) + 0.6 * d->em;
   for (int i = 0; i < 50; i++)
      d->by->rectangle (
         d->to, (double[]) {x + length * i / 50, y - 0.4 * d->em, length / 50 + 0.5, 0.8 * d->em},
         shade ((i + 0.5) / 50));
   mt_drawing_label (d, x + length + 0.6 * d->em, y, 0, l.high);
}

static double row_label_width (const MtChartDrawing *d)
{
   const MtCellAxis *y = &d->c->heat.y;
   double most = mt_layout_label_width (&d->c->y, &d->metrics);
   for (size_t i = 0; i < y->n; i++)
      most = fmax (most, mt_drawing_width (d, y->names[i]));
   return fmin (most, d->width / 3);
}

static void label_rows (MtChartDrawing *d, const MtCellView *view)
{
   const MtCellAxis *y = &d->c->heat.y;
   double height = (d->bottom - d->top) / (double) view->n, x = d->left - 0.6 * d->em;
   size_t every = (size_t) ceil (1.2 * d->em / height);
   for (size_t i = 0; i < y->n; i += every)
      mt_drawing_text (d,
                       &(MtPictureText) {.x = x,
                                         .y = d->top + height * ((double) i + 0.5),
                                         .anchor = 1,
                                         .widest = d->width / 3,
                                         .color = d->theme->muted},
                       y->names[i]);
   for (size_t i = 0; !y->n && i < d->c->y.n; i++) {
      const MtTick *t = &d->c->y.ticks[i];
      mt_drawing_label (d, x, d->bottom - mt_scale_place (&d->c->y, t->at) * (d->bottom - d->top),
                        1, t->label);
   }
}

/* Writes the names below the columns of a heat map. Leaves out names that would touch the previous
 * one. */
static void label_columns (MtChartDrawing *d, double width)
{
   const MtCellAxis *x = &d->c->heat.x;
   double end = 0;
   for (size_t i = 0; i < x->n; i++) {
      double middle = d->left + width * ((double) i + 0.5);
      double half = fmin (mt_drawing_width (d, x->names[i]), fmax (width, 6 * d->em)) / 2;
      if (middle - half < end)
         continue;
      mt_drawing_text (d,
                       &(MtPictureText) {.x = middle,
                                         .y = d->bottom + 1.1 * d->em,
                                         .anchor = 0.5,
                                         .widest = 2 * half + 1,
                                         .color = d->theme->muted},
                       x->names[i]);
      end = middle + half + 0.5 * d->em;
   }
}

static void draw_cells (MtChartDrawing *d, const MtCellView *x, const MtCellView *y,
                        const double *means)
{
   double width = (d->right - d->left) / (double) x->n,
          height = (d->bottom - d->top) / (double) y->n;
   double gap = width > 8 && height > 8 ? 1 : 0;
   for (size_t k = 0; k < y->n; k++)
      for (size_t i = 0; i < x->n; i++) {
         double v = means[k * x->n + i];
         size_t row = d->c->roles.y_names ? k : y->n - 1 - k;
         double box[] = {d->left + width * (double) i, d->top + height * (double) row,
                         width - gap + (gap ? 0 : 0.5), height - gap + (gap ? 0 : 0.5)};
         if (!isnan (v))
            d->by->rectangle (d->to, box, shade (mt_heat_share (&d->c->heat, v)));
      }
}

void mt_drawing_heat (MtChartDrawing *d)
{
   MtChart *c = d->c;
   MtCellView x, y;
   double *means;
   double first_line = d->top + 0.2 * d->em;
   d->top += 1.6 * d->em;
   mt_cells_view (c, (size_t) (d->width / 2), (size_t) ((d->bottom - d->top) / 2), &x, &y, &means);
   mt_layout_y_ticks (&c->y, d->bottom - d->top - 4 * d->em, 1.4 * d->em);
   d->left = row_label_width (d) + 2 * d->em;
   d->right = d->width - 1.6 * d->em;
   if (c->roles.x_names)
      d->bottom -= 1.6 * d->em;
   else
      mt_drawing_fit_x (d);
   explain (d, first_line);
   draw_cells (d, &x, &y, means);
   label_rows (d, &y);
   if (c->roles.x_names)
      label_columns (d, (d->right - d->left) / (double) x.n);
   else
      mt_drawing_x_axis (d);
}
