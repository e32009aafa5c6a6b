/* Arithmetic of times: times plus and minus intervals, dates plus and minus days, intervals with
 * each other. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"

#include <math.h>
#include <string.h>

static bool put_iv (MtEval *ev, MtInterval iv, MtVal *out)
{
   *out = mt_v_interval (ev->arena, iv);
   return true;
}

static bool negate (MtEval *ev, MtInterval *iv, bool minus)
{
   return !minus || mt_interval_neg (*iv, iv, ev->err);
}

/* Computes time + interval. Arguments: time, interval [, time zone]. Bits of MT_USER (ev): 1
 * subtracts, 2 the interval comes first. */
static bool fn_shift (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool swapped = MT_USER (ev) & 2;
   MtInterval iv = mt_v_to_interval (a[swapped ? 0 : 1]);
   const MtZone *z = NULL;
   MtMoment t;
   if (n > 2 && !mt_zone_arg (ev, a[2], &z))
      return false;
   if (!negate (ev, &iv, MT_USER (ev) & 1) ||
       !mt_moment_add (mt_v_moment (a[swapped ? 1 : 0]), iv, z, &t, ev->err))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

static bool fn_shift_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool swapped = MT_USER (ev) & 2;
   MtInterval iv = mt_v_to_interval (a[swapped ? 0 : 1]);
   int64_t us;
   if (!negate (ev, &iv, MT_USER (ev) & 1) || !mt_time_add_interval (a[swapped ? 1 : 0].i, iv, &us))
      return false;
   *out = mt_v_int64 (us);
   return true;
}

/* Computes date + integer. Arguments: date, days. Bits of MT_USER (ev): 1 subtracts, 2 the days
 * come first. */
static bool fn_shift_days (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool swapped = MT_USER (ev) & 2;
   MtVal d = a[swapped ? 1 : 0];
   int64_t days = MT_USER (ev) & 1 ? -a[1].i : a[swapped ? 0 : 1].i, ms;
   int32_t check;
   if (!mt_ts_is_finite (d.i)) {
      *out = d;
      return true;
   }
   ms = d.i + days * MT_DAY_MS;
   if (!mt_timestamp_to_date (ms, &check, NULL) || ms < MT_TS_FIRST || days > INT32_MAX)
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "date out of range");
   *out = mt_v_date (ms);
   return true;
}

static bool fn_days_between (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!mt_ts_is_finite (a[0].i) || !mt_ts_is_finite (a[1].i))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "cannot subtract infinite dates");
   *out = mt_v_int32 ((int32_t) ((a[0].i - a[1].i) / MT_DAY_MS));
   return true;
}

static bool fn_ts_diff (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv;
   return mt_ts_sub (mt_v_moment (a[0]), mt_v_moment (a[1]), &iv, ev->err) && put_iv (ev, iv, out);
}

static bool fn_time_diff (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return put_iv (ev, (MtInterval) {.us = a[0].i - a[1].i}, out);
}

/* Computes date + time of day. If MT_USER (ev) is 1, the time of day comes first. */
static bool fn_date_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal d = a[MT_USER (ev) ? 1 : 0], t = a[MT_USER (ev) ? 0 : 1];
   *out = d;
   if (!mt_date_fits_timestamp (d, ev->err))
      return false;
   if (mt_ts_is_finite (d.i))
      mt_put_moment (ev, (MtMoment) {d.i + t.i / 1000, (int) (t.i % 1000)}, out);
   return true;
}

/* ---- intervals ---- */

static bool fn_iv_add (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval x = mt_v_to_interval (a[0]), y = mt_v_to_interval (a[1]), r;
   return (MT_USER (ev) ? mt_interval_sub (x, y, &r, ev->err)
                        : mt_interval_add (x, y, &r, ev->err)) &&
          put_iv (ev, r, out);
}

/* Computes interval * number. MT_USER (ev) is 1 for interval / number, and 2 for number *
 * interval. */
static bool fn_iv_mul (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool swapped = MT_USER (ev) & 2;
   MtInterval x = mt_v_to_interval (a[swapped ? 1 : 0]), r;
   double f = a[swapped ? 0 : 1].d;
   if (MT_USER (ev) & 1 && f == 0)
      return mt_error (ev->err, MT_E_DIVISION_BY_ZERO, "division by zero");
   return (MT_USER (ev) & 1 ? mt_interval_div (x, f, &r, ev->err)
                            : mt_interval_mul (x, f, &r, ev->err)) &&
          put_iv (ev, r, out);
}

static bool fn_iv_neg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval r;
   return mt_interval_neg (mt_v_to_interval (a[0]), &r, ev->err) && put_iv (ev, r, out);
}

static bool fn_iv_justify (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval x = mt_v_to_interval (a[0]), r;
   bool ok;
   switch (MT_USER (ev)) {
   case 0: ok = mt_justify_hours (x, &r, ev->err); break;
   case 1: ok = mt_justify_days (x, &r, ev->err); break;
   default: ok = mt_justify_interval (x, &r, ev->err); break;
   }
   return ok && put_iv (ev, r, out);
}

#define O (MT_F_OPERATOR | MT_NN)
#define OS (MT_F_OPERATOR | MT_NN | MT_F_NULL_SAFE)
#define DAY_MS "86400000"

const MtFunc mt_fn_time_arith[] = {
   MT_ROW_KIND (TIME_PLUS, "+", "timestamp, interval -> timestamp", O, NULL,
                MT_OPN ("ts_plus", shift, 0), "time plus an interval",
                "SELECT timestamp '2001-01-31' + interval '1 month' => 2001-02-28 00:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "timestamptz, interval, _zone text -> timestamptz", O, NULL,
                MT_OPN ("ts_plus", shift, 0), "time plus an interval",
                "SELECT timestamptz '2001-01-31' + interval '1 month' => 2001-02-28 00:00:00+00"),
   MT_ROW_KIND (TIME_MINUS, "-", "timestamp, interval -> timestamp", O, NULL,
                MT_OPN ("ts_minus", shift, 1), "time minus an interval",
                "SELECT timestamp '2001-03-31' - interval '1 month' => 2001-02-28 00:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "timestamptz, interval, _zone text -> timestamptz", O, NULL,
                MT_OPN ("ts_minus", shift, 1), "time minus an interval",
                "SELECT timestamptz '2001-03-31' - interval '1 h' => 2001-03-30 23:00:00+00"),
   MT_ROW_KIND (TIME_PLUS, "+", "interval, timestamp -> timestamp", O, NULL,
                MT_OPN ("plus_ts", shift, 2), "time plus an interval",
                "SELECT interval '1 h' + timestamp '2001-01-31' => 2001-01-31 01:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "interval, timestamptz, _zone text -> timestamptz", O, NULL,
                MT_OPN ("plus_ts", shift, 2), "time plus an interval",
                "SELECT interval '1 h' + timestamptz '2001-01-31' => 2001-01-31 01:00:00+00"),
   MT_ROW_KIND (TIME_PLUS, "+", "date, interval -> timestamp", O, NULL,
                MT_OPN ("ts_plus", shift, 0), "time plus an interval",
                "SELECT date '2001-09-28' + interval '1 hour' => 2001-09-28 01:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "date, interval -> timestamp", O, NULL,
                MT_OPN ("ts_minus", shift, 1), "time minus an interval",
                "SELECT date '2001-09-28' - interval '1 hour' => 2001-09-27 23:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "interval, date -> timestamp", O, NULL,
                MT_OPN ("plus_ts", shift, 2), "time plus an interval",
                "SELECT interval '1 hour' + date '2001-09-28' => 2001-09-28 01:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "time, interval -> time", O, NULL,
                MT_OPN ("time_plus", shift_time, 0), "time of day plus an interval",
                "SELECT time '01:00' + interval '3 hours' => 04:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "time, interval -> time", O, NULL,
                MT_OPN ("time_minus", shift_time, 1), "time of day minus an interval",
                "SELECT time '05:00' - interval '2 hours' => 03:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "interval, time -> time", O, NULL,
                MT_OPN ("plus_time", shift_time, 2), "time of day plus an interval",
                "SELECT interval '3 hours' + time '01:00' => 04:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "date, int4 -> date", OS,
                "{\"$add\": [\"$1\", {\"$multiply\": [{\"$toLong\": \"$2\"}, " DAY_MS "]}]}",
                MT_OPN ("date_plus", shift_days, 0), "date n days later",
                "SELECT date '2001-09-28' + 7 => 2001-10-05"),
   MT_ROW_KIND (TIME_PLUS, "+", "int4, date -> date", OS,
                "{\"$add\": [\"$2\", {\"$multiply\": [{\"$toLong\": \"$1\"}, " DAY_MS "]}]}",
                MT_OPN ("plus_date", shift_days, 2), "date n days later",
                "SELECT 7 + date '2001-09-28' => 2001-10-05"),
   MT_ROW_KIND (TIME_MINUS, "-", "date, int4 -> date", OS,
                "{\"$add\": [\"$1\", {\"$multiply\": [{\"$toLong\": \"$2\"}, -" DAY_MS "]}]}",
                MT_OPN ("date_minus", shift_days, 1), "date n days earlier",
                "SELECT date '2001-10-01' - 7 => 2001-09-24"),
   MT_ROW_KIND (TIME_MINUS, "-", "date, date -> int4", OS,
                "{\"$toInt\": {\"$divide\": [{\"$subtract\": [\"$1\", \"$2\"]}, " DAY_MS "]}}",
                MT_OPN ("days_between", days_between, 0), "number of days between two dates",
                "SELECT date '2001-10-01' - date '2001-09-28' => 3"),
   MT_ROW_KIND (
      TIME_MINUS, "-", "timestamp, timestamp -> interval", O, NULL, MT_OPN ("ts_diff", ts_diff, 0),
      "time between two times",
      "SELECT timestamp '2001-09-29 03:00' - timestamp '2001-07-27 12:00' => 63 days 15:00:00"),
   MT_ROW_KIND (
      TIME_MINUS, "-", "timestamptz, timestamptz -> interval", O, NULL,
      MT_OPN ("ts_diff", ts_diff, 0), "time between two times",
      "SELECT timestamptz '2001-09-29 03:00' - timestamptz '2001-09-28' => 1 day 03:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "time, time -> interval", O, NULL,
                MT_OPN ("time_diff", time_diff, 0), "time between two times",
                "SELECT time '05:00' - time '03:00' => 02:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "date, time -> timestamp", O, NULL,
                MT_OPN ("date_time", date_time, 0), "timestamp of a date and a time",
                "SELECT date '2001-09-28' + time '03:00' => 2001-09-28 03:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "time, date -> timestamp", O, NULL,
                MT_OPN ("time_date", date_time, 1), "timestamp of a date and a time",
                "SELECT time '03:00' + date '2001-09-28' => 2001-09-28 03:00:00"),
   MT_ROW_KIND (TIME_PLUS, "+", "interval, interval -> interval", O, NULL,
                MT_OPN ("iv_add", iv_add, 0), "sum",
                "SELECT interval '1 day' + interval '1 hour' => 1 day 01:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "interval, interval -> interval", O, NULL,
                MT_OPN ("iv_sub", iv_add, 1), "difference",
                "SELECT interval '1 day' - interval '1 hour' => 1 day -01:00:00"),
   MT_ROW_KIND (TIME_MINUS, "-", "interval -> interval", O, NULL, MT_OPN ("iv_neg", iv_neg, 0),
                "negation", "SELECT - interval '23 hours' => -23:00:00"),
   MT_ROW ("*", "interval, float8 -> interval", O, NULL, MT_OPN ("iv_mul", iv_mul, 0),
           "interval multiplied by a number", "SELECT interval '1 second' * 900 => 00:15:00"),
   MT_ROW ("*", "float8, interval -> interval", O, NULL, MT_OPN ("mul_iv", iv_mul, 2),
           "interval multiplied by a number", "SELECT 21 * interval '1 day' => 21 days"),
   MT_ROW ("/", "interval, float8 -> interval", O, NULL, MT_OPN ("iv_div", iv_mul, 1),
           "interval divided by a number", "SELECT interval '1 hour' / 1.5 => 00:40:00"),
   MT_ROW ("justify_hours", "interval -> interval", MT_NN, NULL,
           MT_OPN ("justify_hours", iv_justify, 0), "turns each 24 hours into a day",
           "SELECT justify_hours(interval '50 hours 10 minutes') => 2 days 02:10:00"),
   MT_ROW ("justify_days", "interval -> interval", MT_NN, NULL,
           MT_OPN ("justify_days", iv_justify, 1), "turns each 30 days into a month",
           "SELECT justify_days(interval '1 year 65 days') => 1 year 2 mons 5 days"),
   MT_ROW ("justify_interval", "interval -> interval", MT_NN, NULL,
           MT_OPN ("justify_interval", iv_justify, 2),
           "turns 24 hours into a day and 30 days into a month; all parts get one sign",
           "SELECT justify_interval(interval '1 month -1 hour') => 29 days 23:00:00"),
   {.name = NULL},
};
