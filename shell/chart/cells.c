/* Heat maps: the mean of a value, or the number of rows, in each cell of a grid with two axes. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = MT_CHART_CELLS };

static MtCell *cell (MtHeat *h, size_t x, size_t y) { return &h->cells[y * N + x]; }

static void join (MtCell *a, const MtCell *b)
{
   a->sum += b->sum;
   a->n += b->n;
}

/* Doubles the range of an axis, so that each cell is merged from two old ones. up: the range grows
 * upward, otherwise downward. */
static void double_axis (MtHeat *h, bool along_x, bool up)
{
   MtCell *old = h->cells;
   MtCellAxis *axis = along_x ? &h->x : &h->y;
   size_t from = up ? 0 : N / 2;
   double seen[N];
   memcpy (seen, axis->seen, sizeof seen);
   h->cells = mt_calloc ("chart", N * N, sizeof *h->cells);
   for (size_t y = 0; y < N; y++)
      for (size_t x = 0; x < N; x++)
         join (cell (h, along_x ? from + x / 2 : x, along_x ? y : from + y / 2), &old[y * N + x]);
   for (size_t i = 0; i < N; i++)
      axis->seen[i] = NAN;
   for (size_t i = N; i-- > 0;)
      if (!isnan (seen[i]))
         axis->seen[from + i / 2] = seen[i];
   free (old);
   mt_grid_double (&axis->grid, up);
}

static bool name_place (MtChart *c, MtCellAxis *axis, MtStr text, size_t *out, MtError *err)
{
   MtStr name = mt_chart_name (text);
   for (*out = 0; *out < axis->n; ++*out)
      if (mt_str_is (name, axis->names[*out]))
         return true;
   if (axis->n == N) {
      mt_error (err, MT_E_LIMIT, "\\chart heat: more than %d names on an axis", N);
      return mt_error_hint (err, "Filter or group the query.");
   }
   MT_GROW_IN (c->arena, axis->names, axis->n, axis->cap, 16);
   axis->names[axis->n++] = mt_strndup (c->arena, name.p, name.n);
   return true;
}

/* Returns the index of the cell for value v along an axis. The first value starts a grid that is as
 * fine as its type allows. The range of the grid is doubled as often as a later value requires. */
static size_t value_place (MtHeat *h, bool along_x, double v)
{
   MtCellAxis *axis = along_x ? &h->x : &h->y;
   bool up;
   if (!axis->grid.n)
      mt_grid_begin (&axis->grid, N, v, v);
   while (!mt_grid_has (&axis->grid, v, &up))
      double_axis (h, along_x, up);
   size_t i = mt_grid_cell (&axis->grid, v);
   if (isnan (axis->seen[i]) || v < axis->seen[i])
      axis->seen[i] = v;
   return i;
}

static void begin (MtChart *c)
{
   MtHeat *h = &c->heat;
   h->cells = mt_calloc ("chart", N * N, sizeof *h->cells);
   h->x.seen = MT_NEW_N (c->arena, double, N);
   h->y.seen = MT_NEW_N (c->arena, double, N);
   for (size_t i = 0; i < N; i++)
      h->x.seen[i] = h->y.seen[i] = NAN;
}

bool mt_cells_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err)
{
   const MtRoles *r = &c->roles;
   double x = 0, y = 0, v = 1;
   size_t i, k;
   if ((!r->x_names && !mt_chart_place (c, r->x, values, &x)) ||
       (!r->y_names && !mt_chart_place (c, r->y[0], values, &y)) ||
       (r->value != MT_NO_COLUMN && !mt_chart_place (c, r->value, values, &v)))
      return true;
   if (!c->heat.cells)
      begin (c);
   if (!r->x_names)
      i = value_place (&c->heat, true, x);
   else if (!name_place (c, &c->heat.x, texts[r->x], &i, err))
      return false;
   if (!r->y_names)
      k = value_place (&c->heat, false, y);
   else if (!name_place (c, &c->heat.y, texts[r->y[0]], &k, err))
      return false;
   join (cell (&c->heat, i, k), &(MtCell) {v, 1});
   return true;
}

/* ---- the cells that are drawn ---- */

/* Returns the smallest distance between two neighbouring values on an axis; 0: it has only one
 * value. *first and *last are the least and greatest value. */
static double smallest_gap (const MtCellAxis *axis, double *first, double *last)
{
   double gap = INFINITY;
   *first = *last = NAN;
   for (size_t i = 0; i < N; i++) {
      double v = axis->seen[i];
      if (isnan (v))
         continue;
      if (isnan (*first))
         *first = v;
      else
         gap = fmin (gap, v - *last);
      *last = v;
   }
   return isfinite (gap) ? gap : 0;
}

static MtCellView view (const MtCellAxis *axis, size_t most)
{
   double first, last;
   if (axis->n)
      return (MtCellView) {.n = axis->n, .step = 1};
   double gap = smallest_gap (axis, &first, &last);
   MtCellView v = {.n = 1, .lo = first, .step = gap > 0 ? gap : 1};
   if (gap > 0)
      v.n = (size_t) fmin (round ((last - first) / gap) + 1, 1e6);
   size_t each = (v.n + most - 1) / most; /* all cells join the same number of values */
   v.n = (v.n + each - 1) / each;
   v.step *= (double) each;
   return v;
}

/* Returns the index of the drawn cell that contains grid cell i of an axis. */
static size_t drawn (const MtCellView *v, const MtCellAxis *axis, size_t i)
{
   if (axis->n)
      return i;
   double at = (axis->seen[i] - v->lo) / v->step;
   size_t k = (size_t) (at + 1e-6);
   return k < v->n ? k : v->n - 1;
}

/* Sets the range of an axis. A time is at the left end of its cell, a number in the middle. */
static void set_range (MtScale *s, const MtCellView *v)
{
   double left = s->kind == MT_AXIS_TIME ? 0 : v->step / 2;
   s->least_ms = fmin (v->step, MT_DAY_MS);
   s->lo = v->lo - left;
   s->hi = s->lo + v->step * (double) v->n;
}

void mt_cells_view (MtChart *c, size_t most_x, size_t most_y, MtCellView *x, MtCellView *y,
                    double **means)
{
   MtHeat *h = &c->heat;
   *x = view (&h->x, most_x);
   *y = view (&h->y, most_y);
   MtCell *sums = MT_NEW_N (c->arena, MtCell, x->n * y->n);
   *means = MT_NEW_N (c->arena, double, x->n * y->n);
   for (size_t k = 0; k < N; k++)
      for (size_t i = 0; i < N; i++)
         if (cell (h, i, k)->n)
            join (&sums[drawn (y, &h->y, k) * x->n + drawn (x, &h->x, i)], cell (h, i, k));
   h->lo = INFINITY;
   h->hi = -INFINITY;
   bool counts = c->roles.value == MT_NO_COLUMN;
   for (size_t i = 0; i < x->n * y->n; i++) {
      double mean = counts ? sums[i].sum : sums[i].sum / sums[i].n;
      (*means)[i] = sums[i].n ? mean : NAN;
      h->lo = fmin (h->lo, (*means)[i]);
      h->hi = fmax (h->hi, (*means)[i]);
   }
   set_range (&c->x, x);
   set_range (&c->y, y);
}

double mt_heat_share (const MtHeat *h, double v)
{
   return h->hi > h->lo ? (v - h->lo) / (h->hi - h->lo) : 0.5;
}

MtHeatLegend mt_heat_legend (const MtChart *c)
{
   MtScale scale = {.lo = c->heat.lo, .hi = c->heat.hi};
   MtHeatLegend l = {.name = "rows"};
   if (c->roles.value != MT_NO_COLUMN) {
      l.name = c->columns[c->roles.value].name;
      scale.kind = mt_column_axis (c->columns[c->roles.value].type);
   }
   mt_scale_label (&scale, scale.lo, l.low);
   mt_scale_label (&scale, scale.hi, l.high);
   return l;
}
