/* Are all boundaries of a step function boundaries of a stored grain? Between two transitions of a zone the function is periodic (or follows the
 * calendar), so that one look at each span of constant offset is enough. */
#include "planner/step.h"

#include "base/datetime.h"
#include "planner/function.h"

#include <string.h>

/* What the function's boundaries are, in local time. */
typedef struct Steps {
   const MtZone *zone;
   int64_t width_ms;     /* fixed width; 0: calendar (months) or never */
   int64_t phase_ms;     /* boundaries are phase + k * width, local */
   bool never;           /* no boundaries at all */
   bool by_offset;       /* the start is an instant by the offset of its own time, as of hours: equal local times can be two steps */
} Steps;

static bool const_text (const MtX *x, MtStr *out)
{
   if (x->kind != MT_X_CONST || x->value.type != MT_STRING)
      return false;
   *out = (MtStr){(const char *) x->value.p, x->value.len};
   return true;
}

static bool zone_arg (const MtX *x, const MtZone **out)
{
   MtStr s;
   return const_text (x, &s) && mt_tz_find (s.p, s.n, out, NULL);
}

#define MONDAY_MS INT64_C (946857600000) /* 2000-01-03 */

static bool by_unit (MtTimeUnit u, bool part, Steps *s)
{
   switch (u) {
   case MT_U_MICROSECOND:
   case MT_U_MILLISECOND:
      s->width_ms = 1;
      return true;
   case MT_U_SECOND:
      s->width_ms = part ? 1 : 1000; /* extract(second) has milliseconds */
      return true;
   case MT_U_MINUTE:
      s->width_ms = 60000;
      return true;
   case MT_U_HOUR:
      s->width_ms = 3600000;
      return true;
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
   case MT_U_ISOYEAR:
      /* Coarser units change at local midnights; which of them is told by the caller's unit. */
      s->width_ms = MT_DAY_MS;
      return true;
   case MT_U_EPOCH:
   case MT_U_JULIAN:
      s->width_ms = 1;
      return part;
   case MT_U_TIMEZONE:
   case MT_U_TIMEZONE_HOUR:
   case MT_U_TIMEZONE_MINUTE:
      break;
   }
   return false;
}

/* date_trunc (unit, t [, zone]), extract (unit, t [, zone]): *calendar is the unit when it is coarser than a day. */
static bool unit_steps (const MtX *x, int time_column, bool part, Steps *s, MtTimeUnit *calendar)
{
   MtStr unit;
   const MtX *t = x->call.args[1];
   if (x->call.argc < 2 || !const_text (x->call.args[0], &unit) || t->kind != MT_X_COLUMN || t->column != time_column || !mt_unit_find (unit.p, unit.n, calendar))
      return false;
   if (x->call.argc > 2 && !zone_arg (x->call.args[2], &s->zone))
      return false;
   return by_unit (*calendar, part, s);
}

static bool bucket_steps (const MtX *x, int time_column, Steps *s, MtTimeUnit *calendar, int *months)
{
   const MtX *w = x->call.args[0], *t = x->call.args[1];
   if (x->call.argc < 2 || w->kind != MT_X_CONST || w->value.type != MT_DOC || t->kind != MT_X_COLUMN || t->column != time_column)
      return false;
   MtInterval iv = mt_v_to_interval (w->value);
   s->width_ms = (int64_t) iv.days * MT_DAY_MS + iv.us / 1000;
   s->phase_ms = MONDAY_MS;
   for (int i = 2; i < x->call.argc; i++) {
      const MtX *a = x->call.args[i];
      if (a->kind != MT_X_CONST)
         return false;
      if (mt_is_nullish (a->value))
         continue;
      if (a->value.type == MT_STRING) {
         if (!zone_arg (a, &s->zone))
            return false;
      } else if (a->value.type == MT_DATE)
         s->phase_ms = mt_tz_to_local (s->zone, a->value.i);
      else if (a->value.type == MT_DOC) {
         MtInterval off = mt_v_to_interval (a->value);
         if (off.months || off.us % 1000)
            return false;
         s->phase_ms += (int64_t) off.days * MT_DAY_MS + off.us / 1000;
      } else
         return false;
   }
   if (iv.months == 0)
      return s->width_ms > 0 && iv.us % 1000 == 0;
   *calendar = MT_U_MONTH;
   *months = iv.months;
   s->width_ms = MT_DAY_MS;
   return x->call.argc <= 3 && s->phase_ms == MONDAY_MS && iv.days == 0 && iv.us == 0 && iv.months > 0; /* with an origin: not worth it */
}

static int64_t mod (int64_t a, int64_t b)
{
   int64_t r = a % b;
   return r < 0 ? r + b : r;
}

static int64_t gcd (int64_t a, int64_t b)
{
   while (b) {
      int64_t t = a % b;
      a = b;
      b = t;
   }
   return a;
}

/* Each b = phase + k * width in (lo, hi] (UTC) a multiple of grain_ms, counted from `base`? One boundary and the width tell, unless there is only one. */
static bool span_aligned (int64_t phase, int64_t width, int64_t lo, int64_t hi, int64_t grain_ms, int64_t base)
{
   int64_t first = lo - mod (lo - phase, width) + width; /* the first boundary above lo */
   if (first > hi)
      return true;
   if (mod (first - base, grain_ms))
      return false;
   return first > hi - width || width % grain_ms == 0 || gcd (width, grain_ms) == grain_ms;
}

/* Walks over the spans of constant offset. Transitions themselves can be boundaries of local steps: where the offset changes, the local time jumps; the
 * jump crosses a boundary unless both sides are in the same step, and then the transition must be on the grain. */
static bool walk (const Steps *s, int64_t lo, int64_t hi, int64_t grain_ms, int64_t base)
{
   int64_t at = lo;
   for (;;) {
      int64_t from, to, offset = (int64_t) mt_tz_span (s->zone, at, &from, &to) * 1000;
      int64_t end = to > hi || to <= at ? hi : to - 1;
      if (!span_aligned (s->phase_ms - offset, s->width_ms, at, end, grain_ms, base))
         return false;
      if (end >= hi)
         return true;
      int64_t next = (int64_t) mt_tz_offset (s->zone, to) * 1000;
      bool apart = mt_floor_div (to - 1 + offset - s->phase_ms, s->width_ms) != mt_floor_div (to + next - s->phase_ms, s->width_ms);
      if ((apart || (s->by_offset && next != offset)) && mod (to - base, grain_ms))
         return false;
      at = to;
   }
}

/* Weeks, months and years of the same calendar (UTC): steps of coarser units fall on those of finer ones, as far as they nest. */
static bool nests (MtTimeUnit step, int months, MtUnit grain)
{
   bool week = step == MT_U_WEEK || step == MT_U_ISOYEAR;
   bool year = step == MT_U_YEAR || step == MT_U_DECADE || step == MT_U_CENTURY || step == MT_U_MILLENNIUM;
   if (grain == MT_UNIT_WEEK)
      return week;
   if (grain == MT_UNIT_MONTH)
      return step == MT_U_MONTH || step == MT_U_QUARTER || year;
   if (grain == MT_UNIT_YEAR)
      return year || (step == MT_U_MONTH && months % 12 == 0 && months > 0);
   return false;
}

static bool is_utc (const MtZone *z)
{
   return mt_tz_is_fixed (z) && mt_tz_offset (z, 0) == 0;
}

/* A step of months or years in a zone: test the boundaries one by one, at most some thousands. */
static bool calendar_aligned (const Steps *s, MtTimeUnit unit, int64_t lo, int64_t hi, int64_t grain_ms)
{
   int64_t b;
   if (!mt_trunc_by (unit, hi, s->zone, &b, NULL))
      return false;
   for (int guard = 0; b > lo; guard++) {
      if (mod (b, grain_ms) || guard > 20000)
         return false;
      if (!mt_trunc_by (unit, b - 1, s->zone, &b, NULL))
         return false;
   }
   return true;
}

static bool calendar_unit (MtTimeUnit u)
{
   return u >= MT_U_WEEK && u <= MT_U_MILLENNIUM;
}

bool mt_step_boundaries_aligned (const MtX *x, int time_column, MtUnit grain, int64_t lo_ms, int64_t hi_ms, const MtTextStyle *style)
{
   Steps s = {.zone = mt_tz_utc ()};
   MtTimeUnit unit = MT_U_DAY;
   int months = 0;
   bool part = x->call.fn->step == MT_STEP_PART;
   switch (x->call.fn->step) {
   case MT_STEP_NONE:
      return false;
   case MT_STEP_TRUNC:
   case MT_STEP_PART:
      if (!unit_steps (x, time_column, part, &s, &unit))
         return false;
      s.by_offset = !part && s.width_ms < MT_DAY_MS;
      break;
   case MT_STEP_BUCKET:
      if (!bucket_steps (x, time_column, &s, &unit, &months))
         return false;
      break;
   case MT_STEP_DATE:
      if (x->call.args[0]->kind != MT_X_COLUMN || x->call.args[0]->column != time_column || (x->call.argc > 1 && !zone_arg (x->call.args[1], &s.zone)))
         return false;
      s.width_ms = MT_DAY_MS;
      break;
   }
   if (lo_ms < INT64_C (-210866803200000) || hi_ms > INT64_C (9224318016000000)) /* infinite times: no */
      return false;
   int64_t grain_ms = mt_unit_ms (grain);
   if (grain_ms) /* the step is computed from a cell's start, which may lie before the first time */
      lo_ms -= mod (lo_ms - (grain == MT_UNIT_WEEK ? MONDAY_MS : 0), grain_ms);
   if (grain_ms && lo_ms >= hi_ms)
      return true;
   if (grain == MT_UNIT_WEEK || grain_ms == 0) {
      if (is_utc (s.zone) && !part && nests (unit, months, grain))
         return true;
      if (is_utc (s.zone) && part && ((grain == MT_UNIT_MONTH && (unit == MT_U_MONTH || unit == MT_U_QUARTER || unit == MT_U_YEAR)) ||
                                      (grain == MT_UNIT_YEAR && unit == MT_U_YEAR) || (grain == MT_UNIT_WEEK && (unit == MT_U_WEEK || unit == MT_U_ISOYEAR))))
         return true;
      if (grain != MT_UNIT_WEEK || x->call.fn->step != MT_STEP_BUCKET || months)
         return false;
      return walk (&s, lo_ms, hi_ms, grain_ms, MONDAY_MS);
   }
   if (grain_ms <= MT_DAY_MS && !part && months == 0 && calendar_unit (unit) && x->call.fn->step == MT_STEP_TRUNC)
      return calendar_aligned (&s, unit, lo_ms, hi_ms, grain_ms);
   return walk (&s, lo_ms, hi_ms, grain_ms, 0);
}
