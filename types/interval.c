/* Arithmetic with timestamps and intervals. */
#include "types/datetime_int.h"

#include <limits.h>
#include <math.h>

static bool ts_range (MtError *err)
{
   return mt_error (err, MT_E_DATETIME_RANGE, "timestamp out of range");
}
static bool interval_range (MtError *err)
{
   return mt_error (err, MT_E_DATETIME_RANGE, "interval out of range");
}

/* ---- timestamps ---- */

static int64_t to_local (const MtZone *zone, int64_t ms)
{
   return zone ? mt_tz_to_local (zone, ms) : ms;
}
static int64_t from_local (const MtZone *zone, int64_t ms)
{
   return zone ? mt_tz_to_utc (zone, ms) : ms;
}

static int64_t add_months (int64_t ms, int32_t months, const MtZone *zone)
{
   MtTm tm = mt_tm_open (to_local (zone, ms));
   int64_t m = tm.year * 12 + tm.month - 1 + months;
   tm.year = mt_floor_div (m, 12);
   tm.month = (int) (m - tm.year * 12) + 1;
   int last = mt_days_in_month (tm.year, tm.month);
   tm.day = tm.day < last ? tm.day : last;
   return from_local (zone, mt_tm_close (tm));
}

bool mt_moment_add (MtMoment t, MtInterval iv, const MtZone *zone, MtMoment *out, MtError *err)
{
   int64_t ms = t.ms;
   if (!mt_ts_is_finite (ms)) {
      *out = t;
      return true;
   }
   if (iv.months)
      ms = add_months (ms, iv.months, zone);
   if (!mt_ts_in_range (ms))
      return ts_range (err);
   if (iv.days)
      ms = from_local (zone, to_local (zone, ms) + iv.days * MT_DAY_MS);
   if (!mt_ts_in_range (ms))
      return ts_range (err);
   /* In the last years of the range, microseconds since 1970 don't fit in 64 bits. */
   MtInt128 us = (MtInt128) ms * 1000 + t.us + iv.us;
   MtInt128 whole = us / 1000 - (us % 1000 < 0);
   if (whole < MT_TS_FIRST || whole >= MT_TS_END)
      return ts_range (err);
   *out = (MtMoment) {(int64_t) whole, (int) (us - whole * 1000)};
   return true;
}

bool mt_ts_add_interval (int64_t ms, MtInterval iv, const MtZone *zone, int64_t *out, MtError *err)
{
   MtMoment sum;
   if (!mt_moment_add (mt_moment (ms), iv, zone, &sum, err))
      return false;
   *out = sum.ms;
   return true;
}

bool mt_ts_sub (MtMoment a, MtMoment b, MtInterval *out, MtError *err)
{
   if (!mt_ts_is_finite (a.ms) || !mt_ts_is_finite (b.ms))
      return mt_error (err, MT_E_DATETIME_RANGE, "cannot subtract infinite timestamps");
   MtInt128 us = (MtInt128) (a.ms - b.ms) * 1000 + a.us - b.us;
   *out = (MtInterval) {0, (int32_t) (us / MT_DAY_US), (int64_t) (us % MT_DAY_US)};
   return true;
}

/* If *low is negative, adds `size` to *low, and subtracts 1 from *high, whose unit is `size` units
 * of *low. */
static void borrow (int *low, int *high, int size)
{
   if (*low < 0) {
      *low += size;
      --*high;
   }
}

bool mt_age (MtMoment a, MtMoment b, const MtZone *zone, MtInterval *out, MtError *err)
{
   if (!mt_ts_is_finite (a.ms) || !mt_ts_is_finite (b.ms))
      return ts_range (err);
   bool neg = a.ms < b.ms || (a.ms == b.ms && a.us < b.us);
   MtTm x = mt_tm_open (to_local (zone, a.ms)), y = mt_tm_open (to_local (zone, b.ms));
   MtTm hi = neg ? y : x, lo = neg ? x : y;
   int64_t years = hi.year - lo.year;
   int month = hi.month - lo.month, day = hi.day - lo.day, hour = hi.hour - lo.hour,
       minute = hi.minute - lo.minute;
   int second = hi.second - lo.second,
       us = (hi.ms - lo.ms) * 1000 + (neg ? b.us - a.us : a.us - b.us);
   borrow (&us, &second, 1000000);
   borrow (&second, &minute, 60);
   borrow (&minute, &hour, 60);
   borrow (&hour, &day, 24);
   while (day < 0) {
      day += mt_days_in_month (lo.year, lo.month);
      month--;
   }
   while (month < 0) {
      month += 12;
      years--;
   }
   int sign = neg ? -1 : 1;
   int64_t time = (int64_t) (hour * 3600 + minute * 60 + second) * 1000000 + us;
   *out = (MtInterval) {(int32_t) (sign * (years * 12 + month)), sign * day, sign * time};
   return true;
}

bool mt_time_add_interval (int64_t us, MtInterval iv, int64_t *out)
{
   int64_t sum = us + iv.us % MT_DAY_US;
   *out = sum - mt_floor_div (sum, MT_DAY_US) * MT_DAY_US;
   return true;
}

/* ---- intervals ---- */

bool mt_interval_add (MtInterval a, MtInterval b, MtInterval *out, MtError *err)
{
   MtInterval r;
   if (__builtin_add_overflow (a.months, b.months, &r.months) ||
       __builtin_add_overflow (a.days, b.days, &r.days) ||
       __builtin_add_overflow (a.us, b.us, &r.us))
      return interval_range (err);
   *out = r;
   return true;
}

bool mt_interval_neg (MtInterval a, MtInterval *out, MtError *err)
{
   if (a.months == INT32_MIN || a.days == INT32_MIN || a.us == INT64_MIN)
      return interval_range (err);
   *out = (MtInterval) {-a.months, -a.days, -a.us};
   return true;
}

bool mt_interval_sub (MtInterval a, MtInterval b, MtInterval *out, MtError *err)
{
   MtInterval r;
   if (__builtin_sub_overflow (a.months, b.months, &r.months) ||
       __builtin_sub_overflow (a.days, b.days, &r.days) ||
       __builtin_sub_overflow (a.us, b.us, &r.us))
      return interval_range (err);
   *out = r;
   return true;
}

static double to_us (double seconds) { return rint (seconds * 1e6) / 1e6; }
static bool fits_int32 (double d) { return d >= INT_MIN && d <= INT_MAX; }

/* Makes an interval from fractional numbers of months, days and microseconds. A fraction of a month
 * becomes days (30 for a month), a fraction of a day becomes time. */
static bool spill (const double scaled[3], MtInterval *out, MtError *err)
{
   if (!fits_int32 (scaled[0]) || !fits_int32 (scaled[1]))
      return interval_range (err);
   int32_t months = (int32_t) scaled[0], days = (int32_t) scaled[1];
   double month_days = to_us ((scaled[0] - months) * 30);
   double seconds = to_us ((scaled[1] - days + month_days - (int) month_days) * 86400);
   if (fabs (seconds) >= 86400) {
      days += (int) (seconds / 86400);
      seconds -= (int) (seconds / 86400) * 86400;
   }
   double us = rint (scaled[2] + seconds * 1e6);
   if (__builtin_add_overflow (days, (int32_t) month_days, &days) ||
       !(us >= -9223372036854775808.0 && us < 9223372036854775808.0))
      return interval_range (err);
   *out = (MtInterval) {months, days, (int64_t) us};
   return true;
}

bool mt_interval_mul (MtInterval a, double f, MtInterval *out, MtError *err)
{
   return spill ((double[]) {a.months * f, a.days * f, (double) a.us * f}, out, err);
}

bool mt_interval_div (MtInterval a, double f, MtInterval *out, MtError *err)
{
   if (f == 0)
      return mt_error (err, MT_E_DIVISION_BY_ZERO, "division by zero");
   return spill ((double[]) {a.months / f, a.days / f, (double) a.us / f}, out, err);
}

static MtInt128 length (MtInterval a)
{
   return (MtInt128) ((int64_t) a.months * 30 + a.days) * MT_DAY_US + a.us;
}

int mt_interval_compare (MtInterval a, MtInterval b)
{
   MtInt128 x = length (a), y = length (b);
   return (x > y) - (x < y);
}

/* If *high and *low have different signs, moves one unit of *high, which is `size` units of *low,
 * to *low. */
static void same_sign (int32_t *high, int64_t *low, int64_t size)
{
   if (*high > 0 && *low < 0) {
      *low += size;
      --*high;
   } else if (*high < 0 && *low > 0) {
      *low -= size;
      ++*high;
   }
}

bool mt_justify_hours (MtInterval a, MtInterval *out, MtError *err)
{
   if (__builtin_add_overflow (a.days, a.us / MT_DAY_US, &a.days))
      return interval_range (err);
   a.us %= MT_DAY_US;
   same_sign (&a.days, &a.us, MT_DAY_US);
   *out = a;
   return true;
}

bool mt_justify_days (MtInterval a, MtInterval *out, MtError *err)
{
   int64_t days = a.days % 30;
   if (__builtin_add_overflow (a.months, a.days / 30, &a.months))
      return interval_range (err);
   same_sign (&a.months, &days, 30);
   a.days = (int32_t) days;
   *out = a;
   return true;
}

bool mt_justify_interval (MtInterval a, MtInterval *out, MtError *err)
{
   int64_t days = a.days + a.us / MT_DAY_US, us = a.us % MT_DAY_US;
   if (__builtin_add_overflow (a.months, days / 30, &a.months))
      return interval_range (err);
   int32_t rest = (int32_t) (days % 30);
   if (a.months > 0 && (rest < 0 || (rest == 0 && us < 0))) {
      rest += 30;
      a.months--;
   } else if (a.months < 0 && (rest > 0 || (rest == 0 && us > 0))) {
      rest -= 30;
      a.months++;
   }
   same_sign (&rest, &us, MT_DAY_US);
   *out = (MtInterval) {a.months, rest, us};
   return true;
}
