#include "planner/cut/range.h"

#include "types/datetime.h"
#include "query/comparison.h"
#include "query/function.h"

#include <stdlib.h>
#include <string.h>

/* Rounds ms down to a multiple of `step`, both counted from 1970-01-01 UTC. */
static int64_t floor_to (int64_t ms, int64_t step)
{
   if (step <= 1 || ms == MT_TIME_MIN || ms == MT_TIME_MAX)
      return ms;
   int64_t r = ms % step, down;
   return __builtin_sub_overflow (ms, r < 0 ? r + step : r, &down) ? MT_TIME_MIN : down;
}

static int64_t ceil_to (int64_t ms, int64_t step)
{
   int64_t f = floor_to (ms, step), up;
   if (f == ms)
      return ms;
   return __builtin_add_overflow (f, step, &up) ? MT_TIME_MAX : up;
}

/* Returns the first day of a month, as days since 1970-01-01. months: months since 1970-01. */
static int64_t month_start_days (int64_t months)
{
   int64_t years = mt_floor_div (months, 12);
   return mt_days_from_civil (1970 + years, (int) (months - years * 12) + 1, 1);
}

static int64_t month_of_days (int64_t days)
{
   int64_t year;
   int month, day;
   mt_civil_from_days (days, &year, &month, &day);
   return (year - 1970) * 12 + month - 1;
}

int64_t mt_unit_floor (int64_t ms, MtUnit unit)
{
   if (ms == MT_TIME_MIN || ms == MT_TIME_MAX)
      return ms;
   if (unit == MT_UNIT_WEEK &&
       ms < MT_TIME_MIN + 11 * MT_DAY_MS) /* too close to -infinity to have a start of the week */
      return MT_TIME_MIN;
   if (unit == MT_UNIT_WEEK) /* 1970-01-05 was a Monday */
      return floor_to (ms - 4 * MT_DAY_MS, 7 * MT_DAY_MS) + 4 * MT_DAY_MS;
   if (unit != MT_UNIT_MONTH && unit != MT_UNIT_YEAR)
      return floor_to (ms, mt_unit_ms (unit));
   int64_t months = month_of_days (floor_to (ms, MT_DAY_MS) / MT_DAY_MS);
   if (unit == MT_UNIT_YEAR)
      months = floor_to (months, 12);
   int64_t start;
   return __builtin_mul_overflow (month_start_days (months), MT_DAY_MS, &start) ? MT_TIME_MIN
                                                                                : start;
}

int64_t mt_unit_next (int64_t ms, MtUnit unit)
{
   if (ms == MT_TIME_MIN || ms == MT_TIME_MAX)
      return ms;
   int64_t start = mt_unit_floor (ms, unit), width = mt_unit_ms (unit);
   if (width)
      return start + width;
   int64_t months = month_of_days (start / MT_DAY_MS);
   return month_start_days (months + (unit == MT_UNIT_YEAR ? 12 : 1)) * MT_DAY_MS;
}

bool mt_on_unit (int64_t ms, MtUnit unit)
{
   return ms == MT_TIME_MIN || ms == MT_TIME_MAX || mt_unit_floor (ms, unit) == ms;
}

MtRangeSet mt_ranges_one (MtArena *a, int64_t lo, int64_t hi)
{
   MtRangeSet s = {MT_NEW (a, MtRange), lo < hi};
   s.ranges[0] = (MtRange) {lo, hi};
   return s;
}

MtRangeSet mt_ranges_all (MtArena *a) { return mt_ranges_one (a, MT_TIME_MIN, MT_TIME_MAX); }

bool mt_ranges_is_all (MtRangeSet s)
{
   return s.count == 1 && s.ranges[0].lo == MT_TIME_MIN && s.ranges[0].hi == MT_TIME_MAX;
}

static int by_lo (const void *x, const void *y)
{
   const MtRange *a = x, *b = y;
   return (a->lo > b->lo) - (a->lo < b->lo);
}

MtRangeSet mt_ranges_union (MtArena *a, MtRangeSet x, MtRangeSet y)
{
   MtRangeSet out = {MT_NEW_N (a, MtRange, (size_t) (x.count + y.count) + 1), 0};
   int n = x.count + y.count;
   if (n == 0)
      return out;
   for (int i = 0; i < n; i++) /* an empty set may have no array */
      out.ranges[i] = i < x.count ? x.ranges[i] : y.ranges[i - x.count];
   qsort (out.ranges, (size_t) n, sizeof (MtRange), by_lo);
   for (int i = 0; i < n; i++) {
      MtRange r = out.ranges[i];
      if (out.count && r.lo <= out.ranges[out.count - 1].hi) {
         if (r.hi > out.ranges[out.count - 1].hi)
            out.ranges[out.count - 1].hi = r.hi;
      } else {
         out.ranges[out.count++] = r;
      }
   }
   return out;
}

MtRangeSet mt_ranges_intersect (MtArena *a, MtRangeSet x, MtRangeSet y)
{
   MtRangeSet out = {MT_NEW_N (a, MtRange, (size_t) (x.count + y.count) + 1), 0};
   for (int i = 0, j = 0; i < x.count && j < y.count;) {
      MtRange p = x.ranges[i], q = y.ranges[j];
      int64_t lo = p.lo > q.lo ? p.lo : q.lo, hi = p.hi < q.hi ? p.hi : q.hi;
      if (lo < hi)
         out.ranges[out.count++] = (MtRange) {lo, hi};
      if (p.hi < q.hi)
         i++;
      else
         j++;
   }
   return out;
}

MtRangeSet mt_ranges_without (MtArena *a, MtRangeSet x, MtRangeSet gone)
{
   MtRangeSet outside = {MT_NEW_N (a, MtRange, (size_t) gone.count + 1), 0};
   int64_t at = MT_TIME_MIN;
   for (int i = 0; i < gone.count; i++) {
      if (at < gone.ranges[i].lo)
         outside.ranges[outside.count++] = (MtRange) {at, gone.ranges[i].lo};
      at = gone.ranges[i].hi;
   }
   if (at < MT_TIME_MAX)
      outside.ranges[outside.count++] = (MtRange) {at, MT_TIME_MAX};
   return mt_ranges_intersect (a, x, outside);
}

/* Recognizes x as `time op constant`, and sets *op (any but <>) and *ms, the constant. False: x is
 * another expression. */
static bool time_test (const MtX *x, int time_column, MtCmp *op, int64_t *ms)
{
   MtAgainst is;
   if (!mt_x_against (x, &is) || is.x->kind != MT_X_COLUMN || is.x->column != time_column ||
       is.constant->value.type != MT_DATE)
      return false;
   *op = is.op;
   *ms = is.constant->value.i;
   return is.op != MT_CMP_NE;
}

bool mt_time_comparison (const MtX *x, int time_column, int64_t period_ms, int64_t *boundary)
{
   MtCmp op;
   int64_t ms;
   if (!time_test (x, time_column, &op, &ms) || op == MT_CMP_EQ)
      return false;
   bool after = op == MT_CMP_GT || op == MT_CMP_LE;
   *boundary = ceil_to (ms + (after && ms < MT_TIME_MAX), period_ms);
   return true;
}

static MtRangeSet range_of_test (MtArena *a, MtCmp op, int64_t ms, int64_t period_ms)
{
   int64_t at = ceil_to (ms, period_ms), after = ceil_to (ms + (ms < MT_TIME_MAX), period_ms);
   if (mt_cmp_is_less (op))
      return mt_ranges_one (a, MT_TIME_MIN, op == MT_CMP_LE ? after : at);
   if (mt_cmp_is_greater (op))
      return mt_ranges_one (a, op == MT_CMP_GE ? at : after, MT_TIME_MAX);
   return mt_ranges_one (a, at, after); /* empty if ms is not a multiple of the period */
}

bool mt_ranges_of (MtArena *a, const MtX *x, int time_column, int64_t period_ms, MtRangeSet *out)
{
   MtCmp op;
   int64_t ms;
   if (time_test (x, time_column, &op, &ms)) {
      *out = range_of_test (a, op, ms, period_ms);
      return true;
   }
   if (x->kind == MT_X_IN && x->list[0]->kind == MT_X_COLUMN && x->list[0]->column == time_column) {
      MtRangeSet all = {MT_NEW (a, MtRange), 0};
      for (int i = 1; i < x->count; i++) {
         if (x->list[i]->kind != MT_X_CONST || x->list[i]->value.type != MT_DATE)
            return false;
         all = mt_ranges_union (a, all,
                                range_of_test (a, MT_CMP_EQ, x->list[i]->value.i, period_ms));
      }
      *out = all;
      return true;
   }
   if (x->kind == MT_X_NOT) {
      MtRangeSet not;
      bool is = mt_ranges_of (a, x->list[0], time_column, period_ms, &not);
      if (is)
         *out = mt_ranges_without (a, mt_ranges_all (a), not);
      return is;
   }
   if (x->kind != MT_X_AND && x->kind != MT_X_OR)
      return false;
   MtRangeSet acc = x->kind == MT_X_AND ? mt_ranges_all (a) : (MtRangeSet) {MT_NEW (a, MtRange), 0};
   for (int i = 0; i < x->count; i++) {
      MtRangeSet one;
      if (!mt_ranges_of (a, x->list[i], time_column, period_ms, &one))
         return false;
      acc = x->kind == MT_X_AND ? mt_ranges_intersect (a, acc, one) : mt_ranges_union (a, acc, one);
   }
   *out = acc;
   return true;
}
