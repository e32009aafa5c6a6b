/* Checks whether a step function of time, such as date_trunc, changes its value only at starts of a
 * stored unit (hour, day …). Between two transitions of its time zone the function is regular, so
 * one check for each such interval is enough. */
#include "planner/cut/step.h"

#include "types/bucket.h"
#include "query/function.h"

#include <string.h>

/* What a step function, such as date_trunc, returns for the interval of local time in which its
 * argument lies. */
typedef enum Of {
   OF_CELL,   /* a local date or a number that belongs to the interval: extract, cast to date */
   OF_UNIT,   /* the start of the interval, as an instant: date_trunc */
   OF_BUCKET, /* the start of a bucket: time_bucket, date_bin */
} Of;

/* A step function of time: the intervals of local time on which it is constant, and what it returns
 * for an interval. */
typedef struct Steps {
   Of of;
   MtBuckets cells;   /* the intervals, before they are shifted by offset_ms */
   MtTimeUnit unit;   /* for OF_UNIT and extract */
   int64_t offset_ms; /* all interval boundaries are shifted by this */
   int64_t grain_ms;
   int64_t base; /* the start of some stored unit, from which grain_ms is counted */
} Steps;

static bool const_text (const MtX *x, MtStr *out)
{
   if (x->kind != MT_X_CONST || x->value.type != MT_STRING)
      return false;
   *out = (MtStr) {(const char *) x->value.p, x->value.len};
   return true;
}

static bool zone_arg (const MtX *x, const MtZone **out)
{
   MtStr s;
   return const_text (x, &s) && mt_tz_find (s.p, s.n, out, NULL);
}

#define MONDAY_MS INT64_C (946857600000) /* 2000-01-03 */
#define YEAR_2001_MS INT64_C (978307200000)

/* Sets *cells to the intervals of a unit of a day or longer. part: for extract, whose value can
 * change at every midnight. */
static bool days_or_more (MtTimeUnit u, bool part, MtBuckets *cells)
{
   static const int32_t months[] = {
      [MT_U_MONTH] = 1,    [MT_U_QUARTER] = 3,    [MT_U_YEAR] = 12,
      [MT_U_DECADE] = 120, [MT_U_CENTURY] = 1200, [MT_U_MILLENNIUM] = 12000};
   bool calendar = u >= MT_U_DAY && u <= MT_U_MILLENNIUM;
   if (part || u == MT_U_DAY)
      cells->width.days = 1;
   else if (u == MT_U_WEEK)
      cells->width.days = 7;
   else if (calendar)
      cells->width.months = months[u];
   cells->has_origin = u == MT_U_CENTURY || u == MT_U_MILLENNIUM;
   cells->origin = YEAR_2001_MS;
   return calendar || (part && u >= MT_U_DOW && u <= MT_U_ISOYEAR);
}

static bool by_unit (MtTimeUnit u, bool part, MtBuckets *cells)
{
   switch (u) {
   case MT_U_MICROSECOND:
   case MT_U_MILLISECOND: cells->width.us = 1000; return true;
   case MT_U_SECOND:
      cells->width.us = part ? 1000 : 1000000; /* extract(second) has milliseconds */
      return true;
   case MT_U_MINUTE: cells->width.us = 60000000; return true;
   case MT_U_HOUR: cells->width.us = INT64_C (3600000000); return true;
   case MT_U_EPOCH:
   case MT_U_JULIAN: cells->width.us = 1000; return part;
   case MT_U_TIMEZONE:
   case MT_U_TIMEZONE_HOUR:
   case MT_U_TIMEZONE_MINUTE: return false;
   case MT_U_DAY:
   case MT_U_WEEK:
   case MT_U_MONTH:
   case MT_U_QUARTER:
   case MT_U_YEAR:
   case MT_U_DECADE:
   case MT_U_CENTURY:
   case MT_U_MILLENNIUM:
   case MT_U_DOW:
   case MT_U_ISODOW:
   case MT_U_DOY:
   case MT_U_ISOYEAR: return days_or_more (u, part, cells);
   }
   return false;
}

static bool is_time_column (const MtX *x, int time_column)
{
   return x->kind == MT_X_COLUMN && x->column == time_column;
}

/* Returns whether x is the time column of type date, cast to a timestamp, which gives midnight in
 * *zone. */
static bool is_midnight (const MtX *x, int time_column, const MtZone **zone)
{
   *zone = mt_tz_utc ();
   return x->kind == MT_X_CALL && x->call.fn->flags & MT_F_CAST &&
          (x->type.id == MT_T_TIMESTAMP || x->type.id == MT_T_TIMESTAMPTZ) &&
          x->call.args[0]->type.id == MT_T_DATE && is_time_column (x->call.args[0], time_column) &&
          (x->call.argc < 2 || zone_arg (x->call.args[1], zone));
}

/* Analyzes date_trunc (unit, t [, zone]) or extract (unit, t [, zone]) into *s. If t is a date
 * cast to midnight in the same zone, it counts as the date itself, which is stored as midnight
 * in UTC. */
static bool unit_steps (const MtX *x, int time_column, bool part, Steps *s)
{
   MtStr unit;
   const MtZone *midnights;
   if (x->call.argc < 2 || !const_text (x->call.args[0], &unit) ||
       !mt_unit_find (unit.p, unit.n, &s->unit))
      return false;
   if (x->call.argc > 2 && !zone_arg (x->call.args[2], &s->cells.zone))
      return false;
   if (is_midnight (x->call.args[1], time_column, &midnights)) {
      if (midnights != s->cells.zone)
         return false;
      s->cells.zone = mt_tz_utc ();
   } else if (!is_time_column (x->call.args[1], time_column))
      return false;
   s->of = part ? OF_CELL : OF_UNIT;
   return by_unit (s->unit, part, &s->cells);
}

static bool whole_ms (MtInterval iv)
{
   const int64_t most = INT64_C (1) << 50;
   return iv.us % 1000 == 0 && iv.us / 1000 < most && iv.us / 1000 > -most;
}

static int64_t fixed_ms (MtInterval iv) { return iv.days * MT_DAY_MS + iv.us / 1000; }

static bool bucket_steps (const MtX *x, int time_column, Steps *s)
{
   const MtX *w = x->call.args[0];
   if (x->call.argc < 2 || w->kind != MT_X_CONST || w->value.type != MT_DOC ||
       !is_time_column (x->call.args[1], time_column))
      return false;
   s->of = OF_BUCKET;
   s->cells.width = mt_v_to_interval (w->value);
   for (int i = 2; i < x->call.argc; i++) {
      const MtX *a = x->call.args[i];
      if (a->kind != MT_X_CONST)
         return false;
      if (mt_is_nullish (a->value))
         continue;
      if (a->value.type == MT_STRING) {
         if (!zone_arg (a, &s->cells.zone))
            return false;
      } else if (a->value.type == MT_DATE) {
         s->cells.has_origin = true;
         s->cells.origin = a->value.i;
      } else if (a->value.type == MT_DOC) {
         MtInterval off = mt_v_to_interval (a->value);
         if (off.months || !whole_ms (off))
            return false;
         s->offset_ms = fixed_ms (off);
      } else
         return false;
   }
   MtInterval iv = s->cells.width;
   return iv.months ? iv.months > 0 && !iv.days && !iv.us : whole_ms (iv) && fixed_ms (iv) > 0;
}

static int64_t mod (int64_t a, int64_t b)
{
   int64_t r = a % b;
   return r < 0 ? r + b : r;
}

static bool on_grain (const Steps *s, int64_t at) { return mod (at - s->base, s->grain_ms) == 0; }

/* Returns whether all month boundaries of the function between lo and hi are starts of the stored
 * unit. They are checked one by one; there are some thousands at most. */
static bool months_aligned (const Steps *s, int64_t offset, int64_t lo, int64_t hi)
{
   int64_t from, to = lo + offset;
   for (int guard = 0; mt_bucket_cell (&s->cells, to, &from, &to, NULL); guard++) {
      if (to - offset > hi)
         return true;
      if (!on_grain (s, to - offset) || guard > 20000)
         return false;
   }
   return false;
}

/* Returns whether the function's boundaries in (lo, hi] are starts of the stored unit. The time
 * zone has the same offset from lo to hi, so one boundary and the width suffice. */
static bool span_aligned (const Steps *s, int64_t offset, int64_t lo, int64_t hi)
{
   int64_t from, first, width = fixed_ms (s->cells.width);
   if (s->cells.width.months)
      return months_aligned (s, offset, lo, hi);
   if (!mt_bucket_cell (&s->cells, lo + offset, &from, &first, NULL))
      return false;
   first -= offset;
   if (first > hi)
      return true;
   return on_grain (s, first) && (first > hi - width || width % s->grain_ms == 0);
}

static bool value_at (const Steps *s, int64_t ms, int64_t *v)
{
   int64_t end;
   switch (s->of) {
   case OF_CELL:
      return mt_bucket_cell (&s->cells, mt_tz_to_local (s->cells.zone, ms), v, &end, NULL);
   case OF_UNIT: return mt_trunc_by (s->unit, ms, s->cells.zone, v, NULL);
   case OF_BUCKET: return mt_bucket_start (&s->cells, ms, v, NULL);
   }
   return false;
}

/* Returns whether the function may change its value at time `at`: `at` is the start of a stored
 * unit, or the value does not change there. */
static bool change_aligned (const Steps *s, int64_t at)
{
   int64_t before, after;
   return on_grain (s, at) ||
          (value_at (s, at - 1, &before) && value_at (s, at, &after) && before == after);
}

/* Checks the bucket boundaries from lo to hi one by one. Near a clock change of the time zone,
 * buckets are irregular. */
static bool irregular_aligned (const Steps *s, int64_t lo, int64_t hi)
{
   int64_t at = lo;
   while (mt_bucket_next (&s->cells, at, &at, NULL)) {
      if (at > hi)
         return true;
      if (!change_aligned (s, at))
         return false;
   }
   return false;
}

static int64_t least (int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest (int64_t a, int64_t b) { return a > b ? a : b; }

/* Returns whether the buckets from lo to hi that the clock change at time `at` affects begin at
 * starts of the stored unit. True for other functions than those of buckets. */
static bool change_of_clock (const Steps *s, int64_t at, int64_t lo, int64_t hi)
{
   int64_t shift = mt_tz_offset (s->cells.zone, at) - mt_tz_offset (s->cells.zone, at - 1);
   int64_t reach = (shift < 0 ? -shift : shift) * 1000;
   lo = greatest (lo, at - reach);
   hi = least (hi, at + reach);
   return s->of != OF_BUCKET || lo >= hi || irregular_aligned (s, lo, hi);
}

/* Returns whether the function is aligned from lo to hi: checks each interval with a constant zone
 * offset, and each clock change between them. */
static bool walk (const Steps *s, int64_t lo, int64_t hi)
{
   int64_t at = lo;
   for (;;) {
      int64_t from, to, offset = (int64_t) mt_tz_span (s->cells.zone, at, &from, &to) * 1000;
      int64_t end = to > hi || to <= at ? hi : to - 1;
      if (!span_aligned (s, offset, at, end) ||
          (from > INT64_MIN && !change_of_clock (s, from, lo, hi)) ||
          (to < INT64_MAX && !change_of_clock (s, to, lo, hi)))
         return false;
      if (end >= hi)
         return true;
      if (!change_aligned (s, to))
         return false;
      at = to;
   }
}

/* Returns whether each start of unit `step` (times `months` for buckets) is a start of the stored
 * unit `grain`, in UTC. A year begins with a month, but a month need not begin with a week. */
static bool nests (MtTimeUnit step, int months, MtUnit grain)
{
   bool week = step == MT_U_WEEK || step == MT_U_ISOYEAR;
   bool year = step == MT_U_YEAR || step == MT_U_DECADE || step == MT_U_CENTURY ||
               step == MT_U_MILLENNIUM;
   if (grain == MT_UNIT_WEEK)
      return week;
   if (grain == MT_UNIT_MONTH)
      return step == MT_U_MONTH || step == MT_U_QUARTER || year;
   if (grain == MT_UNIT_YEAR)
      return year || (step == MT_U_MONTH && months % 12 == 0 && months > 0);
   return false;
}

static bool is_utc (const MtZone *z) { return mt_tz_is_fixed (z) && mt_tz_offset (z, 0) == 0; }

/* Analyzes the call x into *s. False: x is not a supported step function. */
static bool steps_of (const MtX *x, int time_column, Steps *s)
{
   switch (x->call.fn->step) {
   case MT_STEP_NONE: return false;
   case MT_STEP_TRUNC: return unit_steps (x, time_column, false, s);
   case MT_STEP_PART: return unit_steps (x, time_column, true, s);
   case MT_STEP_BUCKET:
   case MT_STEP_BIN: s->unit = MT_U_MONTH; return bucket_steps (x, time_column, s);
   case MT_STEP_DATE:
      s->unit = MT_U_DAY;
      s->cells.width.days = 1;
      return is_time_column (x->call.args[0], time_column) &&
             (x->call.argc < 2 || zone_arg (x->call.args[1], &s->cells.zone));
   }
   return false;
}

/* Returns whether the function's intervals are weeks, months or years in UTC, and each begins at
 * the start of a stored unit `grain`. */
static bool of_calendar (const Steps *s, MtUnit grain)
{
   MtTimeUnit u = s->unit;
   if (s->of == OF_CELL)
      return (grain == MT_UNIT_MONTH && u >= MT_U_MONTH && u <= MT_U_YEAR) ||
             (grain == MT_UNIT_YEAR && u == MT_U_YEAR) ||
             (grain == MT_UNIT_WEEK && (u == MT_U_WEEK || u == MT_U_ISOYEAR));
   if (s->of == OF_BUCKET && (!s->cells.width.months || s->cells.has_origin || s->offset_ms))
      return false;
   return nests (u, s->of == OF_BUCKET ? s->cells.width.months : 0, grain);
}

bool mt_step_boundaries_aligned (const MtX *x, int time_column, MtUnit grain, int64_t lo_ms,
                                 int64_t hi_ms, const MtTextStyle *style)
{
   Steps s = {.cells = {.zone = mt_tz_utc ()}, .grain_ms = mt_unit_ms (grain)};
   s.base = grain == MT_UNIT_WEEK ? MONDAY_MS : 0;
   if (!steps_of (x, time_column, &s))
      return false;
   if (lo_ms < INT64_C (-210866803200000) ||
       hi_ms > INT64_C (9224318016000000)) /* infinite times have no boundaries */
      return false;
   /* the function is computed from the start of a stored unit, which may be before lo_ms */
   if (s.grain_ms)
      lo_ms -= mod (lo_ms - s.base, s.grain_ms);
   if (s.grain_ms && lo_ms >= hi_ms)
      return true;
   if (is_utc (s.cells.zone) && of_calendar (&s, grain))
      return true;
   if (!s.grain_ms || (grain == MT_UNIT_WEEK && s.of == OF_CELL))
      return false;
   s.base -= s.offset_ms;
   return walk (&s, lo_ms - s.offset_ms, hi_ms - s.offset_ms);
}
