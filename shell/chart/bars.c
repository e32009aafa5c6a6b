/* Bars labelled with names: one for each row, or, with a column for the series, one for each name
 * and series. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static MtBar *last_named (MtChart *c, MtStr name)
{
   for (size_t i = c->bar_count; i-- > 0;)
      if (mt_str_is (name, c->bars[i].name))
         return &c->bars[i];
   return NULL;
}

/* Returns the bar for a row with this name. If a column names the series, rows with the same name
 * share a group of bars; otherwise each row gets a new bar. NULL: there are too many bars. */
static MtBar *bar_of (MtChart *c, MtStr name)
{
   MtBar *b = c->roles.by == MT_NO_COLUMN ? NULL : last_named (c, name);
   if (b)
      return b;
   if (c->bar_count == MT_CHART_BARS) {
      c->bars_left_out++;
      return NULL;
   }
   MT_GROW_IN (c->arena, c->bars, c->bar_count, c->bar_cap, 16);
   b = &c->bars[c->bar_count++];
   *b = (MtBar) {.name = mt_strndup (c->arena, name.p, name.n),
                 .values = MT_NEW_N (c->arena, MtBarValue, MT_CHART_SERIES)};
   for (size_t i = 0; i < MT_CHART_SERIES; i++)
      b->values[i].v = NAN;
   return b;
}

static MtStr name_of (MtChart *c, const MtStr *texts)
{
   size_t x = c->roles.x;
   if (x == MT_NO_COLUMN)
      return mt_str (mt_printf (c->arena, "%llu", (unsigned long long) c->rows));
   return mt_chart_name (texts[x]);
}

/* Returns the text printed beside a bar: the value as PostgreSQL prints it, but long fractions are
 * rounded. */
static char *value_text (MtChart *c, MtStr text, double v)
{
   enum { LONG = 12 };
   if (text.n > LONG && isfinite (v) && memchr (text.p, '.', text.n) && fabs (v) < 1e6)
      return mt_printf (c->arena, "%.6g", v);
   return mt_strndup (c->arena, text.p ? text.p : "", text.n);
}

/* Stores the value of one column in *out, and the text that is printed beside its bar. */
static void set_value (MtChart *c, MtBarValue *out, size_t column, const MtVal *values,
                       const MtStr *texts)
{
   double v;
   if (!mt_chart_number (c->columns[column].type, values[column], &v)) {
      c->without_y++;
      out->text = mt_strdup (c->arena, "NULL");
      return;
   }
   out->text = value_text (c, texts[column], v);
   if (!isfinite (v))
      c->infinite++;
   else if (c->y.log && v <= 0)
      c->not_positive++;
   else
      out->v = v;
}

bool mt_bars_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err)
{
   MtStr name = name_of (c, texts);
   MtBar *b = bar_of (c, name);
   for (size_t i = 0; b && i < c->roles.y_count; i++) {
      size_t column = c->roles.y[i];
      MtChartSeries *s = mt_chart_series_of (c, i, texts, err);
      if (!s)
         return false;
      MtBarValue *value = &b->values[s - c->series];
      if (value->text) {
         mt_error (err, MT_E_CARDINALITY, "\\chart bar: two rows for bar \"%s\", series \"%s\"",
                   b->name, s->name);
         return mt_error_hint (err, "Group the query by both columns.");
      }
      set_value (c, value, column, values, texts);
   }
   return true;
}

void mt_bars_finish (MtChart *c)
{
   double lo = INFINITY, hi = -INFINITY;
   for (size_t i = 0; i < c->bar_count; i++) {
      for (size_t k = 0; k < c->series_count; k++) {
         double v = c->bars[i].values[k].v;
         lo = isnan (v) ? lo : fmin (lo, v);
         hi = isnan (v) ? hi : fmax (hi, v);
      }
   }
   if (!isfinite (lo))
      lo = hi = 0;
   c->y.lo = c->y.log ? lo / 2 : fmin (lo, 0);
   c->y.hi = fmax (hi, c->y.lo);
   if (c->y.log && lo <= 0)
      c->y.lo = 1;
   if (c->y.hi <= c->y.lo)
      c->y.hi = c->y.lo + 1;
}
