/* Chooses the roles of the query's columns: the horizontal axis, the values, and the names of
 * series. */
#include "shell/chart/chart_int.h"
#include "base/memory.h"
#include "types/datetime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static MtColumnClass class_of_type (MtType t)
{
   if (mt_type_is_datetime (t.id))
      return MT_COLUMN_TIME;
   if (mt_type_is_number (t.id) || t.id == MT_T_INTERVAL || t.id == MT_T_TIME)
      return MT_COLUMN_NUMBER;
   return MT_COLUMN_TEXT;
}

MtAxisKind mt_column_axis (MtType t)
{
   if (mt_type_is_datetime (t.id))
      return MT_AXIS_TIME;
   return t.id == MT_T_INTERVAL || t.id == MT_T_TIME ? MT_AXIS_DURATION : MT_AXIS_NUMBER;
}

static MtColumnClass class_of (const MtChart *c, size_t i)
{
   return class_of_type (c->columns[i].type);
}

/* ---- columns that the options name ---- */

/* Finds a column by its number, counted from 1, or by its name, which may have capitals or double
 * quotes as in SQL. Sets *out to its index; option: the option's name for errors. */
static bool find (const MtChart *c, const char *option, MtStr arg, size_t *out, MtError *err)
{
   bool quoted = arg.n >= 2 && arg.p[0] == '"' && arg.p[arg.n - 1] == '"';
   MtStr name = quoted ? (MtStr) {arg.p + 1, arg.n - 2} : arg;
   for (size_t pass = 0; pass < 2; pass++) {
      for (size_t i = 0; i < c->column_count; i++) {
         MtStr have = mt_str (c->columns[i].name);
         if (pass && !quoted ? mt_str_ieq (have, name) : mt_str_eq (have, name)) {
            *out = i;
            return true;
         }
      }
   }
   char *text = mt_strndup (c->arena, name.p, name.n), *end;
   long number = strtol (text, &end, 10);
   *out = (size_t) number - 1;
   if (*text && !*end && number >= 1 && (size_t) number <= c->column_count)
      return true;
   MtNear near = {.name = text};
   for (size_t i = 0; i < c->column_count; i++)
      mt_near_try (&near, c->columns[i].name);
   mt_error (err, MT_E_UNDEFINED_COLUMN, "\\chart: the query has no column \"%s\" for %s", text,
             option);
   return near.found && mt_error_hint (err, "Perhaps you meant \"%s\".", near.found);
}

static bool named (MtChart *c, const char *option, const char *arg, size_t *out, MtError *err)
{
   return !arg || find (c, option, mt_str (arg), out, err);
}

static bool add_y (MtChart *c, size_t column, MtError *err)
{
   if (c->roles.y_count == MT_CHART_MAX_Y)
      return mt_error (err, MT_E_LIMIT, "\\chart: more than %d columns of values", MT_CHART_MAX_Y);
   c->roles.y[c->roles.y_count++] = column;
   return true;
}

static bool named_y (MtChart *c, MtError *err)
{
   for (const char *p = c->options->y; p && *p;) {
      size_t n = strcspn (p, ","), column;
      if (!find (c, "y", (MtStr) {p, n}, &column, err) || !add_y (c, column, err))
         return false;
      p += n + (p[n] == ',');
   }
   return true;
}

/* ---- columns chosen by type ---- */

static bool is_taken (const MtChart *c, size_t i)
{
   const MtRoles *r = &c->roles;
   bool taken = i == r->x || i == r->by || i == r->value;
   for (size_t k = 0; k < r->y_count; k++)
      taken |= i == r->y[k];
   return taken;
}

/* Returns the index of the first column of a class (number, time, text) that has no role yet;
 * MT_NO_COLUMN: there is none. */
static size_t next (const MtChart *c, MtColumnClass class)
{
   for (size_t i = 0; i < c->column_count; i++)
      if (class_of (c, i) == class && !is_taken (c, i))
         return i;
   return MT_NO_COLUMN;
}

static size_t count (const MtChart *c, MtColumnClass class)
{
   size_t n = 0;
   for (size_t i = 0; i < c->column_count; i++)
      n += class_of (c, i) == class && !is_taken (c, i);
   return n;
}

static MtChartKind choose_kind (const MtChart *c)
{
   size_t times = count (c, MT_COLUMN_TIME),
          numbers = count (c, MT_COLUMN_NUMBER) + c->roles.y_count;
   if (times && numbers)
      return MT_CHART_LINE;
   if (count (c, MT_COLUMN_TEXT))
      return MT_CHART_BAR;
   return times + numbers > 1 && numbers ? MT_CHART_SCATTER : MT_CHART_HIST;
}

/* Sets x to the first column of a class, for the first class in `order` for which there is a
 * column. A number is taken only if another number remains for the values. */
static void choose_x (MtChart *c, const MtColumnClass *order, size_t n)
{
   for (size_t i = 0; i < n && c->roles.x == MT_NO_COLUMN; i++) {
      bool enough = order[i] != MT_COLUMN_NUMBER ||
                    count (c, MT_COLUMN_NUMBER) + c->roles.y_count > 1;
      if (enough)
         c->roles.x = next (c, order[i]);
   }
}

static bool choose_y (MtChart *c, MtError *err)
{
   size_t column;
   while (!c->options->y && (column = next (c, MT_COLUMN_NUMBER)) != MT_NO_COLUMN)
      if (!add_y (c, column, err))
         return false;
   return true;
}

/* ---- the roles for each kind of chart ---- */

static bool no_number (const MtChart *c, MtError *err)
{
   mt_error (err, MT_E_DATATYPE_MISMATCH, "\\chart %s: the query has no column of numbers to draw",
             mt_chart_kinds[c->kind].name);
   return mt_error_hint (err, "Add a number, for example count(*) and GROUP BY.");
}

static bool is_number (const MtChart *c, const char *option, size_t column, MtError *err)
{
   return column == MT_NO_COLUMN || class_of (c, column) != MT_COLUMN_TEXT ||
          mt_error (err, MT_E_DATATYPE_MISMATCH,
                    "\\chart %s: %s must be a number or a time, but column \"%s\" is %s",
                    mt_chart_kinds[c->kind].name, option, c->columns[column].name,
                    mt_type_display (c->arena, c->columns[column].type));
}

static bool are_numbers (const MtChart *c, MtError *err)
{
   for (size_t i = 0; i < c->roles.y_count; i++) {
      size_t column = c->roles.y[i];
      if (class_of (c, column) != MT_COLUMN_NUMBER)
         return mt_error (err, MT_E_DATATYPE_MISMATCH,
                          "\\chart %s: y must be a number, but column \"%s\" is %s",
                          mt_chart_kinds[c->kind].name, c->columns[column].name,
                          mt_type_display (c->arena, c->columns[column].type));
   }
   return c->roles.y_count || no_number (c, err);
}

/* line, bar and scatter: finds x, the value columns, and a column that names the series */
static bool roles_of_series (MtChart *c, MtError *err)
{
   static const MtColumnClass by_time[] = {MT_COLUMN_TIME, MT_COLUMN_NUMBER},
                              by_name[] = {MT_COLUMN_TIME, MT_COLUMN_TEXT, MT_COLUMN_NUMBER};
   if (c->kind == MT_CHART_BAR)
      choose_x (c, by_name, 3);
   else
      choose_x (c, by_time, 2);
   if (!choose_y (c, err) || !are_numbers (c, err))
      return false;
   if (c->roles.by == MT_NO_COLUMN)
      c->roles.by = next (c, MT_COLUMN_TEXT);
   c->roles.x_names = c->kind == MT_CHART_BAR &&
                      (c->roles.x == MT_NO_COLUMN || class_of (c, c->roles.x) == MT_COLUMN_TEXT);
   return c->kind == MT_CHART_BAR || is_number (c, "x", c->roles.x, err);
}

/* hist: finds the one column whose values are counted along x */
static bool roles_of_hist (MtChart *c, MtError *err)
{
   if (c->roles.x == MT_NO_COLUMN)
      c->roles.x = c->roles.y_count ? c->roles.y[0] : next (c, MT_COLUMN_NUMBER);
   if (c->roles.x == MT_NO_COLUMN)
      c->roles.x = next (c, MT_COLUMN_TIME);
   c->roles.by = MT_NO_COLUMN;
   return c->roles.x == MT_NO_COLUMN ? no_number (c, err) : is_number (c, "x", c->roles.x, err);
}

/* heat: finds two axes and a value; without a value column, rows are counted */
static bool roles_of_heat (MtChart *c, MtError *err)
{
   static const MtColumnClass order_x[] = {MT_COLUMN_TIME, MT_COLUMN_TEXT, MT_COLUMN_NUMBER},
                              order_y[] = {MT_COLUMN_TEXT, MT_COLUMN_NUMBER, MT_COLUMN_TIME};
   for (size_t i = 0; i < 3 && c->roles.x == MT_NO_COLUMN; i++)
      c->roles.x = next (c, order_x[i]);
   for (size_t i = 0; i < 3 && !c->roles.y_count; i++)
      if (next (c, order_y[i]) != MT_NO_COLUMN)
         c->roles.y[c->roles.y_count++] = next (c, order_y[i]);
   if (!c->roles.y_count || c->roles.x == MT_NO_COLUMN) {
      mt_error (err, MT_E_DATATYPE_MISMATCH, "\\chart heat: the query has only one column");
      return mt_error_hint (err, "Select a column for each axis, and a number for the shade.");
   }
   if (c->roles.value == MT_NO_COLUMN)
      c->roles.value = next (c, MT_COLUMN_NUMBER);
   c->roles.x_names = class_of (c, c->roles.x) == MT_COLUMN_TEXT;
   c->roles.y_names = class_of (c, c->roles.y[0]) == MT_COLUMN_TEXT;
   c->roles.by = MT_NO_COLUMN;
   return is_number (c, "value", c->roles.value, err);
}

static bool choose (MtChart *c, MtError *err)
{
   static bool (*const ways[]) (MtChart *c, MtError *err) = {[MT_CHART_LINE] = roles_of_series,
                                                             [MT_CHART_BAR] = roles_of_series,
                                                             [MT_CHART_SCATTER] = roles_of_series,
                                                             [MT_CHART_HIST] = roles_of_hist,
                                                             [MT_CHART_HEAT] = roles_of_heat};
   const MtChartOptions *o = c->options;
   if (!named (c, "x", o->x, &c->roles.x, err) || !named (c, "by", o->by, &c->roles.by, err) ||
       !named (c, "value", o->value, &c->roles.value, err) || !named_y (c, err))
      return false;
   c->kind = o->kind == MT_CHART_AUTO ? choose_kind (c) : o->kind;
   return ways[c->kind](c, err);
}

/* ---- names of the axes ---- */

static const char *column_name (const MtChart *c, size_t column)
{
   return column == MT_NO_COLUMN ? "" : c->columns[column].name;
}

static void name_axes (MtChart *c, const MtZone *zone)
{
   const MtRoles *r = &c->roles;
   size_t y = r->y_count ? r->y[0] : MT_NO_COLUMN;
   c->x_name = column_name (c, r->x);
   c->y_name = r->y_count == 1 ? column_name (c, y) : "";
   if (c->kind == MT_CHART_HIST)
      c->y_name = "rows";
   if (r->x != MT_NO_COLUMN) {
      c->x.kind = mt_column_axis (c->columns[r->x].type);
      if (c->columns[r->x].type.id == MT_T_TIMESTAMPTZ && zone) {
         c->x.zone = zone;
         c->x_name = mt_printf (c->arena, "%s (%s)", c->x_name, mt_tz_name (zone));
      }
   }
   if (y != MT_NO_COLUMN && c->kind != MT_CHART_HIST) {
      c->y.kind = mt_column_axis (c->columns[y].type);
      c->y.zone = c->columns[y].type.id == MT_T_TIMESTAMPTZ ? zone : NULL;
   }
   if (r->x != MT_NO_COLUMN && c->columns[r->x].type.id == MT_T_DATE)
      c->x.least_ms = MT_DAY_MS;
   c->x.whole = r->x == MT_NO_COLUMN || mt_type_is_integer (c->columns[r->x].type.id);
   c->y.whole = c->kind == MT_CHART_HIST ||
                (y != MT_NO_COLUMN && mt_type_is_integer (c->columns[y].type.id));
   bool counts = c->kind == MT_CHART_HIST || c->kind == MT_CHART_HEAT;
   c->y.log = c->options->log && !counts;
}

MtChart *mt_chart_new (const MtChartOptions *o, const MtChartColumn *columns, size_t n,
                       const MtZone *zone, MtError *err)
{
   MtChart *c = mt_calloc ("chart", 1, sizeof *c);
   *c = (MtChart) {.options = o,
                   .columns = columns,
                   .column_count = n,
                   .arena = mt_arena_new ("chart", NULL),
                   .roles = {.x = MT_NO_COLUMN, .by = MT_NO_COLUMN, .value = MT_NO_COLUMN}};
   c->series = MT_NEW_N (c->arena, MtChartSeries, MT_CHART_SERIES);
   if (!choose (c, err)) {
      mt_chart_free (c);
      return NULL;
   }
   name_axes (c, zone);
   return c;
}

bool mt_chart_reads_text (const MtChart *c, size_t column)
{
   const MtRoles *r = &c->roles;
   bool bar_value = false;
   for (size_t i = 0; mt_chart_has_rows (c) && i < r->y_count; i++)
      bar_value |= r->y[i] == column;
   return bar_value || column == r->by || (r->x_names && column == r->x) ||
          (r->y_names && column == r->y[0]);
}
