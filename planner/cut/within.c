/* Finds the times at which a condition can be true, from the sets of its parts. The result may be
 * too large, but never too small. */
#include "planner/cut/range.h"

#include "types/datetime.h"
#include "types/numeric.h"
#include "query/comparison.h"
#include "query/function.h"

#include <string.h>

/* The times at which a condition can be true, and the times at which it can be false. */
typedef struct May {
   MtRangeSet yes, no;
} May;

static MtRangeSet none (void) { return (MtRangeSet) {NULL, 0}; }

static int64_t plus (int64_t a, int64_t b)
{
   int64_t sum;
   if (!__builtin_add_overflow (a, b, &sum))
      return sum;
   return a > 0 ? MT_TIME_MAX : MT_TIME_MIN;
}

static int64_t minus (int64_t a, int64_t b)
{
   int64_t rest;
   if (!__builtin_sub_overflow (a, b, &rest))
      return rest;
   return b < 0 ? MT_TIME_MAX : MT_TIME_MIN;
}

/* ---- functions that shift a time by a bounded amount ---- */

/* States that an expression's value is the row's time plus an amount from `low` to `high`, in
 * milliseconds. */
typedef struct Shift {
   int64_t low, high;
} Shift;

/* Returns whether a call uses a time zone (argument number zone_at) with clock changes. Its result
 * may then be off by an hour, or by a day if the zone has crossed the date line. */
static bool by_a_clock_that_turns (const MtX *call, int zone_at)
{
   const MtZone *zone;
   const MtX *z = call->call.argc > zone_at ? call->call.args[zone_at] : NULL;
   if (!z || z->type.id != MT_T_TEXT)
      return false;
   return z->kind != MT_X_CONST || z->value.type != MT_STRING ||
          !mt_tz_find ((const char *) z->value.p, z->value.len, &zone, NULL) ||
          !mt_tz_is_fixed (zone);
}

/* Returns the greatest length of unit u in milliseconds; -1: unknown. even: the time zone has no
 * clock changes. */
static int64_t longest_unit (MtTimeUnit u, bool even)
{
   static const int64_t days[] = {
      [MT_U_DAY] = 1,    [MT_U_WEEK] = 7,      [MT_U_MONTH] = 31,      [MT_U_QUARTER] = 92,
      [MT_U_YEAR] = 366, [MT_U_DECADE] = 3653, [MT_U_CENTURY] = 36525, [MT_U_MILLENNIUM] = 365250};
   if (u < MT_U_DAY)
      return even ? 3600000 - 1 : 2 * 3600000;
   if (u > MT_U_MILLENNIUM)
      return -1;
   return even ? days[u] * MT_DAY_MS - 1 : (days[u] + 1) * MT_DAY_MS;
}

/* Converts an interval to bounds in milliseconds. A month has 28 to 31 days, and a day 23 to 25
 * hours. */
static bool shift_of_interval (MtInterval iv, Shift *out)
{
   const int64_t hour = 3600000, most = INT64_C (400) * 1000 * 366 * MT_DAY_MS;
   int64_t months[] = {28 * MT_DAY_MS * iv.months, 31 * MT_DAY_MS * iv.months},
           days[] = {23 * hour * iv.days, 25 * hour * iv.days}, ms = iv.us / 1000;
   bool neg_months = iv.months < 0, neg_days = iv.days < 0;
   if (ms > most || ms < -most)
      return false;
   out->low = months[neg_months] + days[neg_days] + ms - 1 - (iv.months ? hour : 0);
   out->high = months[!neg_months] + days[!neg_days] + ms + 1 + (iv.months ? hour : 0);
   if (!iv.months && !iv.days && iv.us % 1000 == 0)
      *out = (Shift) {ms, ms};
   return true;
}

static bool is_time (const MtX *x) { return mt_type_is_datetime (x->type.id); }

static bool interval_const (const MtX *x, MtInterval *out)
{
   bool is = x->kind == MT_X_CONST && x->type.id == MT_T_INTERVAL && x->value.type == MT_DOC;
   if (is)
      *out = mt_v_to_interval (x->value);
   return is;
}

static bool shift_of (const MtX *x, int time_column, Shift *out);

static bool shift_more (const MtX *x, int time_column, Shift by, Shift *out)
{
   if (!shift_of (x, time_column, out))
      return false;
   *out = (Shift) {plus (out->low, by.low), plus (out->high, by.high)};
   return true;
}

static bool shift_of_trunc (const MtX *x, int time_column, Shift *out)
{
   MtTimeUnit unit;
   const MtX *u = x->call.args[0];
   if (u->kind != MT_X_CONST || u->value.type != MT_STRING ||
       !mt_unit_find ((const char *) u->value.p, u->value.len, &unit) ||
       longest_unit (unit, true) < 0)
      return false;
   bool turns = by_a_clock_that_turns (x, 2),
        even = !turns && (x->call.argc > 2 || x->type.id != MT_T_TIMESTAMPTZ);
   return shift_more (
      x->call.args[1], time_column,
      (Shift) {-longest_unit (unit, even), unit >= MT_U_DAY && turns ? MT_DAY_MS : 0}, out);
}

static bool shift_of_bucket (const MtX *x, int time_column, Shift *out)
{
   MtInterval iv;
   Shift width;
   if (!interval_const (x->call.args[0], &iv) || iv.months < 0 || iv.days < 0 || iv.us < 0 ||
       !shift_of_interval (iv, &width))
      return false;
   bool offset = x->call.argc > 3 ||
                 (x->call.argc > 2 && x->call.args[2]->type.id == MT_T_INTERVAL);
   int64_t slack = by_a_clock_that_turns (x, 2) ? MT_DAY_MS : 0;
   /* Adding months and subtracting them again does not always give the same day. */
   if (offset)
      slack = 4 * MT_DAY_MS;
   return shift_more (x->call.args[1], time_column,
                      (Shift) {-width.high - slack - MT_DAY_MS, slack}, out);
}

/* For x, a cast to date: sets *out to the shift from the row's time to the date, which is stored as
 * midnight UTC. */
static bool shift_of_date (const MtX *x, int time_column, Shift *out)
{
   const MtZone *zone = mt_tz_utc ();
   if (x->call.argc > 1) {
      const MtX *z = x->call.args[1];
      if (z->kind != MT_X_CONST || z->value.type != MT_STRING ||
          !mt_tz_find ((const char *) z->value.p, z->value.len, &zone, NULL))
         return false;
   }
   bool utc = mt_tz_is_fixed (zone) && mt_tz_offset (zone, 0) == 0;
   return shift_more (x->call.args[0], time_column,
                      utc ? (Shift) {1 - MT_DAY_MS, 0} : (Shift) {-2 * MT_DAY_MS, MT_DAY_MS}, out);
}

/* For x, the sum time + interval or difference time - interval: sets *out to the shift from the
 * row's time to the result. */
static bool shift_of_sum (const MtX *x, int time_column, Shift *out)
{
   bool less = x->call.fn->kind == MT_FN_TIME_MINUS;
   MtInterval iv;
   Shift by;
   if (x->call.argc < 2 || !(less || x->call.fn->kind == MT_FN_TIME_PLUS))
      return false;
   const MtX *l = x->call.args[0], *r = x->call.args[1], *t = is_time (l) ? l : r,
             *i = t == l ? r : l;
   if (!is_time (t) || !interval_const (i, &iv) || !shift_of_interval (iv, &by))
      return false;
   if ((iv.months || iv.days) && by_a_clock_that_turns (x, 2))
      by = (Shift) {by.low - MT_DAY_MS, by.high + MT_DAY_MS};
   return shift_more (t, time_column, less ? (Shift) {-by.high, -by.low} : by, out);
}

/* Returns whether x is the row's time plus a bounded amount, and sets *out to the bounds. */
static bool shift_of (const MtX *x, int time_column, Shift *out)
{
   if (x->kind == MT_X_COLUMN && x->column == time_column) {
      *out = (Shift) {0, 0};
      return true;
   }
   if (x->kind != MT_X_CALL || !is_time (x))
      return false;
   switch (x->call.fn->step) {
   case MT_STEP_TRUNC: return shift_of_trunc (x, time_column, out);
   case MT_STEP_BUCKET:
   case MT_STEP_BIN: return shift_of_bucket (x, time_column, out);
   case MT_STEP_DATE: return shift_of_date (x, time_column, out);
   case MT_STEP_NONE: return shift_of_sum (x, time_column, out);
   case MT_STEP_PART: break;
   }
   return false;
}

/* ---- comparisons ---- */

/* Returns the times t for which `t + s op ms` can be true. */
static MtRangeSet times_of (MtArena *a, MtCmp op, Shift s, int64_t ms)
{
   int64_t first = minus (ms, s.high), last = minus (ms, s.low);
   bool less = mt_cmp_is_less (op), greater = mt_cmp_is_greater (op);
   bool or_equal = op == MT_CMP_LE || op == MT_CMP_GE;
   if ((ms == MT_TS_MINUS_INFINITY && op == MT_CMP_LT) || (ms == MT_TS_INFINITY && op == MT_CMP_GT))
      return none ();
   if (!mt_ts_is_finite (ms) || !mt_ts_is_finite (first) || !mt_ts_is_finite (last))
      return mt_ranges_all (a);
   if (op == MT_CMP_NE)
      return first < last ? mt_ranges_all (a)
                          : mt_ranges_union (a, mt_ranges_one (a, MT_TIME_MIN, first),
                                             mt_ranges_one (a, last + 1, MT_TIME_MAX));
   return mt_ranges_one (a, less ? MT_TIME_MIN : first + (greater && !or_equal),
                         greater ? MT_TIME_MAX : last + (!less || or_equal));
}

/* Rewrites now () - ts op '30 days', or ts - now () op '30 days', to a comparison of ts with a
 * time: *x becomes ts. In such differences a day has 24 hours, and a month 30 days. */
static bool as_time (const MtX **x, const MtX *iv, MtCmp *op, int64_t *ms)
{
   const MtX *call = *x;
   MtInterval i;
   if (!interval_const (iv, &i) || call->kind != MT_X_CALL || call->call.argc != 2 ||
       call->call.fn->kind != MT_FN_TIME_MINUS || !is_time (call->call.args[0]) ||
       !is_time (call->call.args[1]))
      return false;
   const MtX *l = call->call.args[0], *r = call->call.args[1];
   bool from_const = l->kind == MT_X_CONST;
   const MtX *fixed = from_const ? l : r;
   if (fixed->kind != MT_X_CONST || fixed->value.type != MT_DATE || i.us % 1000)
      return false;
   int64_t by = (i.months * INT64_C (30) + i.days) * MT_DAY_MS + i.us / 1000;
   *ms = plus (fixed->value.i, from_const ? -by : by);
   *op = from_const ? mt_cmp_swapped (*op) : *op;
   *x = from_const ? r : l;
   return true;
}

static bool whole_number (MtVal v, int64_t *out)
{
   MtNum n;
   MtError ignored;
   mt_error_clear (&ignored);
   return mt_num_from_val (v, &n) && mt_num_to_int64 (n, out, &ignored) &&
          mt_v_compare_numbers (v, mt_v_int64 (*out)) == 0;
}

/* Rewrites extract (year FROM t) op 2024 to a comparison of the year's start with *ms, for any time
 * zone. */
static bool as_year (const MtX *x, MtVal v, int time_column, Shift *out, int64_t *ms)
{
   MtTimeUnit unit;
   int64_t year;
   if (x->kind != MT_X_CALL || x->call.fn->step != MT_STEP_PART ||
       x->call.args[0]->kind != MT_X_CONST || x->call.args[0]->value.type != MT_STRING ||
       !mt_unit_find ((const char *) x->call.args[0]->value.p, x->call.args[0]->value.len, &unit) ||
       unit != MT_U_YEAR || !mt_is_number (v) || !whole_number (v, &year) || year < 1 ||
       year > 9999)
      return false;
   *ms = mt_days_from_civil (year, 1, 1) * MT_DAY_MS;
   return shift_more (x->call.args[1], time_column,
                      (Shift) {-longest_unit (MT_U_YEAR, false), MT_DAY_MS}, out);
}

static May compared (MtArena *a, const MtX *x, int time_column)
{
   May any = {mt_ranges_all (a), mt_ranges_all (a)};
   MtAgainst is;
   Shift s;
   if (!mt_x_against (x, &is))
      return any;
   MtVal v = is.constant->value;
   int64_t ms = v.i;
   if (mt_is_nullish (v))
      return (May) {none (), none ()};
   bool year = as_year (is.x, v, time_column, &s, &ms);
   if (!year && !(v.type == MT_DATE && is_time (is.constant)) &&
       !as_time (&is.x, is.constant, &is.op, &ms))
      return any;
   if (!year && !shift_of (is.x, time_column, &s))
      return any;
   return (May) {times_of (a, is.op, s, ms), times_of (a, mt_cmp_negated (is.op), s, ms)};
}

/* ---- conditions ---- */

static May may_be (MtArena *a, const MtX *x, int time_column);

static May constant (MtArena *a, MtVal v)
{
   bool null = mt_is_nullish (v), yes = v.type == MT_BOOL && v.i;
   return (May) {!null && yes ? mt_ranges_all (a) : none (),
                 !null && !yes ? mt_ranges_all (a) : none ()};
}

/* Combines the sets of the members of an OR: it can be true if a member can be, and false if all
 * members can be. opposite: does the same for AND, where true and false are exchanged. */
static May any_of (MtArena *a, MtX *const *list, int count, int time_column, bool opposite)
{
   May all = {none (), mt_ranges_all (a)};
   for (int i = 0; i < count; i++) {
      May one = may_be (a, list[i], time_column);
      all.yes = mt_ranges_union (a, all.yes, opposite ? one.no : one.yes);
      all.no = mt_ranges_intersect (a, all.no, opposite ? one.yes : one.no);
   }
   return opposite ? (May) {all.no, all.yes} : all;
}

static May among (MtArena *a, const MtX *x, int time_column)
{
   May out = {none (), mt_ranges_all (a)};
   Shift s;
   if (!shift_of (x->list[0], time_column, &s))
      return (May) {mt_ranges_all (a), mt_ranges_all (a)};
   for (int i = 1; i < x->count; i++) {
      const MtX *v = x->list[i];
      May one = {mt_ranges_all (a), mt_ranges_all (a)};
      if (v->kind == MT_X_CONST && mt_is_nullish (v->value))
         one = (May) {none (), none ()};
      else if (v->kind == MT_X_CONST && v->value.type == MT_DATE)
         one = (May) {times_of (a, MT_CMP_EQ, s, v->value.i),
                      times_of (a, MT_CMP_NE, s, v->value.i)};
      out.yes = mt_ranges_union (a, out.yes, one.yes);
      out.no = mt_ranges_intersect (a, out.no, one.no);
   }
   return out;
}

/* Combines the sets of the results of CASE or COALESCE. A result of CASE counts only at times at
 * which its condition can be true. */
static May result_of (MtArena *a, const MtX *x, int time_column)
{
   May out = {none (), none ()};
   bool branches = x->kind == MT_X_CASE;
   for (int i = 0; i < x->count; i++) {
      MtRangeSet when = mt_ranges_all (a);
      if (branches && i + 1 < x->count)
         when = may_be (a, x->list[i++], time_column).yes;
      May one = may_be (a, x->list[i], time_column);
      out.yes = mt_ranges_union (a, out.yes, mt_ranges_intersect (a, when, one.yes));
      out.no = mt_ranges_union (a, out.no, mt_ranges_intersect (a, when, one.no));
   }
   return out;
}

static May may_be (MtArena *a, const MtX *x, int time_column)
{
   May m;
   switch (x->kind) {
   case MT_X_CONST: return constant (a, x->value);
   case MT_X_AND: return any_of (a, x->list, x->count, time_column, true);
   case MT_X_OR: return any_of (a, x->list, x->count, time_column, false);
   case MT_X_NOT: m = may_be (a, x->list[0], time_column); return (May) {m.no, m.yes};
   case MT_X_IS_NULL:
      return (May) {x->list[0]->nullable ? mt_ranges_all (a) : none (), mt_ranges_all (a)};
   case MT_X_IN: return among (a, x, time_column);
   case MT_X_CASE:
   case MT_X_COALESCE: return result_of (a, x, time_column);
   case MT_X_CALL: return compared (a, x, time_column);
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: break;
   }
   return (May) {mt_ranges_all (a), mt_ranges_all (a)};
}

MtRangeSet mt_ranges_within (MtArena *a, const MtX *x, int time_column)
{
   return may_be (a, x, time_column).yes;
}
