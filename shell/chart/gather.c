/* Adds rows to a chart: converts values to doubles, and finds the series to which they belong. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"
#include "types/datetime.h"
#include "types/numeric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger values are treated as infinite, so that the sum and the difference of two values stay
 * finite. */
#define LARGEST 1e300

static double time_value (MtVal v)
{
   if (mt_ts_is_finite (v.i))
      return (double) v.i + v.len / 1000.0;
   return v.i > 0 ? INFINITY : -INFINITY;
}

static double interval_ms (MtVal v)
{
   MtInterval iv = mt_v_to_interval (v);
   return ((double) iv.months * 30 + iv.days) * (double) MT_DAY_MS + (double) iv.us / 1000;
}

bool mt_chart_number (MtType t, MtVal v, double *out)
{
   if (mt_is_nullish (v))
      return false;
   if (v.type == MT_DATE)
      *out = time_value (v);
   else if (t.id == MT_T_INTERVAL && v.type == MT_DOC)
      *out = interval_ms (v);
   else if (t.id == MT_T_TIME && mt_is_number (v))
      *out = mt_num_to_double (mt_num_of (v)) / 1000;
   else if (v.type == MT_DOUBLE)
      *out = v.d;
   else if (v.type == MT_INT32 || v.type == MT_INT64)
      *out = (double) v.i;
   else
      *out = mt_num_to_double (mt_num_of (v));
   if (!(fabs (*out) < LARGEST))
      *out = INFINITY;
   return true;
}

/* ---- series ---- */

MtChartSeries *mt_chart_series (MtChart *c, MtStr name, MtError *err)
{
   for (size_t i = c->series_count; i-- > 0;)
      if (mt_str_is (name, c->series[i].name))
         return &c->series[i];
   if (c->series_count == MT_CHART_SERIES) {
      mt_error (err, MT_E_LIMIT, "\\chart: more than %d series", MT_CHART_SERIES);
      mt_error_hint (err, "Filter or group the query, name another column with by=, or draw "
                          "\\chart heat.");
      return NULL;
   }
   MtChartSeries *s = &c->series[c->series_count++];
   s->name = mt_strndup (c->arena, name.p, name.n);
   return s;
}

MtChartSeries *mt_chart_series_of (MtChart *c, size_t i, const MtStr *texts, MtError *err)
{
   const MtRoles *r = &c->roles;
   MtStr name = mt_str (c->columns[r->y[i]].name);
   if (r->by == MT_NO_COLUMN)
      return mt_chart_series (c, name, err);
   MtStr by = mt_chart_name (texts[r->by]);
   if (r->y_count == 1)
      return mt_chart_series (c, by, err);
   MtBuf both = {0};
   mt_buf_printf (&both, "%.*s, %s", (int) by.n, by.p, name.p);
   MtChartSeries *s = mt_chart_series (c, (MtStr) {both.p, both.n}, err);
   mt_buf_free (&both);
   return s;
}

/* ---- rows ---- */

bool mt_chart_place (MtChart *c, size_t column, const MtVal *values, double *out)
{
   if (!mt_chart_number (c->columns[column].type, values[column], out)) {
      c->without_x++;
      return false;
   }
   c->infinite += !isfinite (*out);
   return isfinite (*out);
}

/* Sets *x to the row's position on the horizontal axis. Returns false if it has none (NULL). */
static bool read_x (MtChart *c, const MtVal *values, double *x)
{
   *x = (double) c->rows;
   return c->roles.x == MT_NO_COLUMN || mt_chart_place (c, c->roles.x, values, x);
}

static bool add_points (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err)
{
   MtPoint p;
   if (!read_x (c, values, &p.x))
      return true;
   for (size_t i = 0; i < c->roles.y_count; i++) {
      size_t column = c->roles.y[i];
      MtChartSeries *s = mt_chart_series_of (c, i, texts, err);
      if (!s)
         return false;
      bool has = mt_chart_number (c->columns[column].type, values[column], &p.y);
      bool infinite = has && !isfinite (p.y), low = has && c->y.log && p.y <= 0;
      c->without_y += !has;
      c->infinite += infinite;
      c->not_positive += low && !infinite;
      if (!has || infinite || low)
         p.y = NAN;
      mt_points_add (c, s, p);
   }
   return true;
}

static bool add_to_hist (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err)
{
   double v;
   (void) texts;
   (void) err;
   if (read_x (c, values, &v))
      mt_hist_add (c, v);
   return true;
}

bool mt_chart_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err)
{
   c->rows++;
   if (c->kind == MT_CHART_HIST)
      return add_to_hist (c, values, texts, err);
   if (c->kind == MT_CHART_HEAT)
      return mt_cells_add (c, values, texts, err);
   if (mt_chart_has_rows (c))
      return mt_bars_add (c, values, texts, err);
   return add_points (c, values, texts, err);
}

void mt_chart_finish (MtChart *c)
{
   if (c->kind == MT_CHART_HIST)
      mt_hist_finish (c);
   else if (mt_chart_has_rows (c))
      mt_bars_finish (c);
   else if (c->kind != MT_CHART_HEAT)
      mt_points_finish (c);
}

uint64_t mt_chart_row_count (const MtChart *c) { return c->rows; }

bool mt_chart_has_data (const MtChart *c)
{
   if (c->kind == MT_CHART_HEAT)
      return c->heat.cells != NULL;
   if (mt_chart_has_rows (c))
      return c->bar_count > 0;
   for (size_t i = 0; i < c->series_count; i++)
      for (size_t k = 0; k < c->series[i].n; k++)
         if (!isnan (c->series[i].points[k].y))
            return true;
   return false;
}

/* ---- notes about values that are not drawn ---- */

static void note (MtBuf *out, uint64_t n, const char *what, const char *whats)
{
   if (n)
      mt_buf_printf (out, "(%" PRIu64 " %s)\n", n, n == 1 ? what : whats);
}

void mt_chart_notes (const MtChart *c, MtBuf *out)
{
   note (out, c->without_x, "row is not drawn, because a value is NULL",
         "rows are not drawn, because a value is NULL");
   note (out, c->infinite, "infinite value is not drawn", "infinite values are not drawn");
   note (out, c->not_positive, "value is not drawn, it is not above 0",
         "values are not drawn, they are not above 0");
   note (out, c->bars_left_out, "more row is not drawn; add LIMIT or GROUP BY",
         "more rows are not drawn; add LIMIT or GROUP BY");
}

void mt_chart_free (MtChart *c)
{
   if (!c)
      return;
   free (c->heat.cells);
   free (c->hist.counts);
   for (size_t i = 0; i < c->series_count; i++) {
      free (c->series[i].points);
      free (c->series[i].spans);
      free (c->series[i].bits);
   }
   mt_arena_free (c->arena);
   free (c);
}
