/* A grid over a range of values whose limits are not known before the last row. */
#include "shell/chart/chart_int.h"

#include <math.h>

void mt_grid_begin (MtGrid *g, size_t n, double lo, double hi)
{
   double step = (hi - lo) / (double) (n - 1), least = fmax (fabs (lo), fabs (hi)) * 1e-15;
   if (!(step > least))
      step = least > 0 ? least : 1e-9;
   *g = (MtGrid) {.lo = lo, .step = step, .n = n};
}

bool mt_grid_has (const MtGrid *g, double v, bool *up)
{
   *up = v >= g->lo;
   return *up && (v - g->lo) / g->step < (double) g->n;
}

void mt_grid_double (MtGrid *g, bool up)
{
   if (!up)
      g->lo -= g->step * (double) g->n;
   g->step *= 2;
}

size_t mt_grid_cell (const MtGrid *g, double v)
{
   size_t i = (size_t) ((v - g->lo) / g->step);
   return i < g->n ? i : g->n - 1;
}
