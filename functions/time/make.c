/* Builds times from numbers: make_date, make_timestamp, …. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"

#include <math.h>

static bool field_range (MtEval *ev, const char *what, const MtVal *a, int n)
{
   MtBuf b = {0};
   for (int i = 0; i < n; i++)
      mt_buf_printf (&b, i ? "-%02lld" : "%lld", (long long) a[i].i);
   mt_error (ev->err, MT_E_DATETIME_RANGE, "%s field value out of range: %s", what, b.p ? b.p : "");
   mt_buf_free (&b);
   return false;
}

/* Converts year, month and day in a[] to days since 1970. Fails with 22008 if there is no such
 * date, or if it is out of PostgreSQL's range. */
static bool make_days (MtEval *ev, const MtVal *a, int64_t *days)
{
   int64_t y = a[0].i < 0 ? a[0].i + 1 : a[0].i; /* -1 is 1 BC */
   if (a[0].i == 0 || a[1].i < 1 || a[1].i > 12 || a[2].i < 1 ||
       a[2].i > mt_days_in_month (y, (int) a[1].i))
      return field_range (ev, "date", a, 3);
   *days = mt_days_from_civil (y, (int) a[1].i, (int) a[2].i);
   if (!mt_date_in_range (*days))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "date out of range: %lld-%02lld-%02lld",
                       (long long) y, (long long) a[1].i, (long long) a[2].i);
   return true;
}

static bool make_us (MtEval *ev, const MtVal *a, int64_t *us)
{
   double s = a[2].d;
   if (a[0].i < 0 || a[0].i > 24 || a[1].i < 0 || a[1].i > 59 || !(s >= 0 && s <= 60) ||
       (a[0].i == 24 && (a[1].i > 0 || s > 0)))
      return mt_error (ev->err, MT_E_DATETIME_RANGE,
                       "time field value out of range: %lld:%02lld:%02g", (long long) a[0].i,
                       (long long) a[1].i, s);
   *us = (a[0].i * 60 + a[1].i) * 60000000 + (int64_t) rint (s * 1000000);
   return true;
}

static bool fn_make_date (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t days;
   if (!make_days (ev, a, &days))
      return false;
   *out = mt_v_from_days ((int32_t) days);
   return true;
}

static bool fn_make_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t us;
   if (!make_us (ev, a, &us))
      return false;
   *out = mt_v_int64 (us);
   return true;
}

/* Parses a zone that is an offset, such as +05:30. It counts hours east of UTC, unlike a POSIX
 * zone. *done is false for other zones. */
static bool numeric_zone (MtEval *ev, MtStr text, const MtZone **out, bool *done)
{
   const char *p = text.p, *end = text.p + text.n;
   int64_t part[3] = {0};
   int n = 0;
   *done = false;
   if (p < end && *p >= '0' && *p <= '9') {
      mt_error (ev->err, MT_E_PARAMETER,
                "invalid input syntax for type numeric time zone: \"%.*s\"", (int) text.n, text.p);
      return mt_error_hint (ev->err,
                            "Numeric time zones must have \"-\" or \"+\" as first character.");
   }
   if (end - p < 2 || (*p != '+' && *p != '-'))
      return true;
   size_t digits = 0;
   for (p++; p < end; p++) {
      if (*p == ':' && n < 2 && digits)
         n++;
      else if (*p >= '0' && *p <= '9' && part[n] < 100000000)
         part[n] = part[n] * 10 + (*p - '0');
      else
         return true;
      digits += n == 0;
   }
   if (n == 0 && digits > 2) {
      part[1] = part[0] % 100;
      part[0] /= 100;
   }
   if (part[0] > 15 || part[1] > 59 || part[2] > 59)
      return mt_error (ev->err, MT_E_PARAMETER, "numeric time zone \"%.*s\" out of range",
                       (int) text.n, text.p);
   *out = mt_tz_fixed ((int32_t) (part[0] * 3600 + part[1] * 60 + part[2]) *
                       (*text.p == '-' ? -1 : 1));
   *done = true;
   return true;
}

static bool zone_to_make (MtEval *ev, MtVal name, const MtZone **out)
{
   bool done;
   return numeric_zone (ev, mt_v_text (name), out, &done) && (done || mt_zone_arg (ev, name, out));
}

/* Computes make_timestamp and make_timestamptz. Arguments: year, month, day, hour, minute, seconds
 * [, time zone]. */
static bool fn_make_timestamp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t days, us;
   const MtZone *z;
   if (!make_days (ev, a, &days) || !make_us (ev, a + 3, &us))
      return false;
   MtMoment t = {days * MT_DAY_MS + us / 1000, (int) (us % 1000)};
   if (!mt_ts_in_range (t.ms))
      return mt_error (ev->err, MT_E_DATETIME_RANGE,
                       "timestamp out of range: %lld-%02lld-%02lld %lld:%02lld:%02g",
                       (long long) a[0].i, (long long) a[1].i, (long long) a[2].i,
                       (long long) a[3].i, (long long) a[4].i, a[5].d);
   if (n > 6 && (!zone_to_make (ev, a[6], &z) || !mt_timestamp_at_zone (t.ms, z, &t.ms, ev->err)))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

/* Computes make_interval. Arguments, all optional: years, months, weeks, days, hours, mins,
 * secs. */
static bool fn_make_interval (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t f[6] = {0};
   for (int i = 0; i < n && i < 6; i++)
      f[i] = a[i].i;
   double s = n > 6 ? a[6].d : 0,
          us = rint (s * 1000000) + (double) (f[4] * 3600 + f[5] * 60) * 1000000;
   int64_t months = f[0] * 12 + f[1], days = f[2] * 7 + f[3];
   if (!(fabs (us) < 9.2e18) || months != (int32_t) months || days != (int32_t) days)
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "interval out of range");
   *out = mt_v_interval (
      ev->arena, (MtInterval) {(int32_t) months, (int32_t) days,
                               (f[4] * 3600 + f[5] * 60) * 1000000 + (int64_t) rint (s * 1000000)});
   return true;
}

#define SECONDS_TO_2000 946684800.0

static bool fn_to_timestamp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double s = a[0].d;
   if (isnan (s))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "timestamp cannot be NaN");
   if (isinf (s)) {
      *out = mt_v_date (s > 0 ? MT_TS_INFINITY : MT_TS_MINUS_INFINITY);
      return true;
   }
   if (s < -210866803200.0 || s >= 9224318016000.0)
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "timestamp out of range: \"%g\"", s);
   /* Count from the year 2000, as PostgreSQL does: doubles are more precise near 0. */
   int64_t us = (int64_t) rint ((s - SECONDS_TO_2000) * 1000000);
   mt_put_moment (ev, mt_moment_after ((int64_t) SECONDS_TO_2000 * 1000, us), out);
   return true;
}

/* Template of to_timestamp: rounds to microseconds since 2000, and then down to milliseconds.
 * Decimals keep the division from rounding up. */
#define TO_TIMESTAMP \
   "{\"$add\": [{\"$date\": \"2000-01-01T00:00:00Z\"}, {\"$toLong\": {\"$floor\": {\"$divide\": " \
   "[{\"$toDecimal\": {\"$toLong\": " \
   "{\"$round\": [{\"$multiply\": [{\"$subtract\": [\"$1\", 946684800]}, 1000000]}, 0]}}}, " \
   "1000]}}}]}"

const MtFunc mt_fn_time_make[] = {
   MT_ROW ("make_date", "year int4, month int4, day int4 -> date", MT_NN, NULL,
           MT_OPN ("make_date", make_date, 0), "date from year, month and day",
           "SELECT make_date(2013, 7, 15) => 2013-07-15"),
   MT_ROW ("make_time", "hour int4, min int4, sec float8 -> time", MT_NN, NULL,
           MT_OPN ("make_time", make_time, 0), "time of day from its parts",
           "SELECT make_time(8, 15, 23.5) => 08:15:23.5"),
   MT_ROW ("make_timestamp",
           "year int4, month int4, mday int4, hour int4, min int4, sec float8 -> timestamp", MT_NN,
           NULL, MT_OPN ("make_timestamp", make_timestamp, 0), "timestamp from its parts",
           "SELECT make_timestamp(2013, 7, 15, 8, 15, 23.5) => 2013-07-15 08:15:23.5"),
   MT_ROW ("make_timestamptz",
           "year int4, month int4, mday int4, hour int4, min int4, sec float8, timezone text -> "
           "timestamptz",
           MT_NN, NULL, MT_OPN ("make_timestamp", make_timestamp, 0),
           "timestamptz from its parts, in a time zone",
           "SELECT make_timestamptz(2013, 7, 15, 8, 15, 23.5, 'Europe/Berlin') => 2013-07-15 "
           "06:15:23.5+00"),
   {.name = "make_interval",
    .signature =
       "years int4, months int4, weeks int4, days int4, hours int4, mins int4, secs float8 -> "
       "interval",
    .flags = MT_NN,
    .op = MT_OPN ("make_interval", make_interval, 0),
    .defaults = (const char *const[]) {"0", "0", "0", "0", "0", "0", "0"},
    .summary = "interval from its parts; omitted parts are 0",
    .example = "SELECT make_interval(1, hours => 2, secs => 1.5) => 1 year 02:00:01.5"},
   MT_ROW ("to_timestamp", "float8 -> timestamptz", MT_NN | MT_F_NULL_SAFE, TO_TIMESTAMP,
           MT_OPN ("to_timestamp", to_timestamp, 0), "timestamptz from the seconds since 1970",
           "SELECT to_timestamp(1284352323.5) => 2010-09-13 04:32:03.5+00"),
   {.name = NULL},
};
