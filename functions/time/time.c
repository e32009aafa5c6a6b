/* Functions that read times: truncation, extraction of fields, zones, the statement's time. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "base/cancel.h"
#include "types/datetime.h"
#include "types/tz.h"

#include <string.h>
#include <time.h>

#define TEXT_ARGS(v) (const char *) (v).p, (v).len

/* Computes date_trunc. Arguments: unit, timestamp; or unit, timestamptz, time zone. */
static bool fn_date_trunc (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z = NULL;
   MtMoment t;
   if (n > 2 && !mt_zone_arg (ev, a[2], &z))
      return false;
   if (!mt_date_trunc (TEXT_ARGS (a[0]), mt_v_moment (a[1]), z, &t, ev->err))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

static bool fn_interval_trunc (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv;
   if (!mt_interval_trunc (TEXT_ARGS (a[0]), mt_v_to_interval (a[1]), &iv, ev->err))
      return false;
   *out = mt_v_interval (ev->arena, iv);
   return true;
}

static void put_part (MtEval *ev, MtNum n, bool as_double, MtVal *out)
{
   *out = as_double ? mt_v_double (mt_num_to_double (n)) : mt_num_to_val (ev->arena, n);
}

/* Computes extract, which returns numeric, or if MT_USER (ev) is 1, date_part, which returns double
 * precision. */
static bool fn_part_ts (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z = NULL;
   MtNum r;
   bool null = false;
   if (n > 2 && !mt_zone_arg (ev, a[2], &z))
      return false;
   if (!mt_extract ((MtStr) {TEXT_ARGS (a[0])}, mt_v_moment (a[1]), z, &r, &null, ev->err))
      return false;
   if (null)
      *out = mt_v_null ();
   else
      put_part (ev, r, MT_USER (ev), out);
   return true;
}

static bool fn_part_date (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum r;
   bool null = false;
   if (!mt_extract_date (TEXT_ARGS (a[0]), mt_v_days (a[1]), &r, &null, ev->err))
      return false;
   if (null)
      *out = mt_v_null ();
   else
      put_part (ev, r, MT_USER (ev), out);
   return true;
}

static bool fn_part_time (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum r;
   if (!mt_extract_time (TEXT_ARGS (a[0]), a[1].i, &r, ev->err))
      return false;
   put_part (ev, r, MT_USER (ev), out);
   return true;
}

static bool fn_part_interval (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum r;
   if (!mt_extract_interval (TEXT_ARGS (a[0]), mt_v_to_interval (a[1]), &r, ev->err))
      return false;
   put_part (ev, r, MT_USER (ev), out);
   return true;
}

/* ---- zones ---- */

static bool fn_to_zone (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z;
   MtMoment t = mt_v_moment (a[1]);
   bool ok = mt_zone_arg (ev, a[0], &z);
   ok = ok && (MT_USER (ev) ? mt_timestamp_at_zone (t.ms, z, &t.ms, ev->err)
                            : mt_timestamptz_at_zone (t.ms, z, &t.ms, ev->err));
   if (ok)
      mt_put_moment (ev, t, out);
   return ok;
}

static bool fn_to_offset (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtInterval iv = mt_v_to_interval (a[0]);
   MtMoment t = mt_v_moment (a[1]);
   if (iv.months || iv.days)
      return mt_error (ev->err, MT_E_PARAMETER,
                       "interval time zone must not include months or days");
   const MtZone *z = mt_tz_fixed ((int32_t) (iv.us / 1000000));
   if (!(MT_USER (ev) ? mt_timestamp_at_zone (t.ms, z, &t.ms, ev->err)
                      : mt_timestamptz_at_zone (t.ms, z, &t.ms, ev->err)))
      return false;
   mt_put_moment (ev, t, out);
   return true;
}

/* ---- the statement's time ---- */

static bool fn_now (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

/* Computes localtimestamp, current_date or localtime (MT_USER (ev) is 0, 1 or 2). Arguments: time
 * zone, the statement's time. */
static bool fn_local_now (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z;
   int64_t ms;
   int32_t days;
   if (!mt_zone_arg (ev, a[0], &z) || !mt_timestamptz_at_zone (a[1].i, z, &ms, ev->err) ||
       !mt_timestamp_to_date (ms, &days, ev->err))
      return false;
   switch (MT_USER (ev)) {
   case 0: *out = mt_v_date (ms); break;
   case 1: *out = mt_v_from_days (days); break;
   default: *out = mt_v_int64 (mt_timestamp_to_time (ms)); break;
   }
   return true;
}

/* ---- age ---- */

static bool fn_age (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const MtZone *z = NULL;
   MtInterval iv;
   if (n > 2 && !mt_zone_arg (ev, a[2], &z))
      return false;
   if (!mt_age (mt_v_moment (a[0]), mt_v_moment (a[1]), z, &iv, ev->err))
      return false;
   *out = mt_v_interval (ev->arena, iv);
   return true;
}

static bool fn_clock (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_date (mt_wall_ms ());
   return true;
}

static bool fn_timeofday (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
   static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
   const MtZone *z;
   struct timespec now;
   struct tm tm;
   const char *zone;
   bool summer;
   if (!mt_zone_arg (ev, a[0], &z))
      return false;
   clock_gettime (CLOCK_REALTIME, &now);
   int64_t ms = (int64_t) now.tv_sec * 1000;
   time_t local = (time_t) (mt_tz_to_local (z, ms) / 1000);
   gmtime_r (&local, &tm);
   mt_tz_offset_info (z, ms, &zone, &summer);
   char *s = mt_printf (ev->arena, "%s %s %02d %02d:%02d:%02d.%06ld %d %s", days[tm.tm_wday],
                        months[tm.tm_mon], tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
                        now.tv_nsec / 1000, tm.tm_year + 1900, zone);
   *out = mt_v_cstr (s);
   return true;
}

#define STABLE MT_F_STABLE
#define NOW(name, call) \
   MT_ROW (name, "_now timestamptz -> timestamptz", STABLE | MT_NN, NULL, MT_OPN ("now", now, 0), \
           "time at the start of the transaction", "SELECT " call " = now() => t")
#define THEN(name) \
   MT_ROW (name, "_statement timestamptz -> timestamptz", STABLE | MT_NN, NULL, \
           MT_OPN ("now", now, 0), "time at the start of the statement", \
           "SELECT " name "() >= now() => t")

const MtFunc mt_fn_time[] = {
   MT_ROW_STEP (
      "date_trunc", "unit text, t timestamp -> timestamp", MT_NN, NULL,
      MT_OPN ("date_trunc", date_trunc, 0), MT_STEP_TRUNC, "start of the unit",
      "SELECT date_trunc('hour', timestamp '2001-02-16 20:38:40') => 2001-02-16 20:00:00"),
   MT_ROW_STEP (
      "date_trunc", "unit text, t timestamptz, _zone text -> timestamptz", MT_NN, NULL,
      MT_OPN ("date_trunc", date_trunc, 0), MT_STEP_TRUNC,
      "start of the unit in the session's time zone",
      "SELECT date_trunc('day', timestamptz '2001-02-16 20:38:40+00') => 2001-02-16 00:00:00+00"),
   MT_ROW_STEP (
      "date_trunc", "unit text, t timestamptz, zone text -> timestamptz", MT_NN, NULL,
      MT_OPN ("date_trunc", date_trunc, 0), MT_STEP_TRUNC, "start of the unit in a time zone",
      "SELECT date_trunc('day', timestamptz '2001-02-16 20:38:40+00', 'Australia/Sydney') => "
      "2001-02-16 13:00:00+00"),
   MT_ROW ("date_trunc", "unit text, t interval -> interval", MT_NN, NULL,
           MT_OPN ("interval_trunc", interval_trunc, 0), "interval truncated to a unit",
           "SELECT date_trunc('hour', interval '2 days 3 hours 40 minutes') => 2 days 03:00:00"),
   MT_ROW_STEP ("extract", "unit text, t timestamp -> numeric", MT_F_SYNTAX, NULL,
                MT_OPN ("extract_ts", part_ts, 0), MT_STEP_PART, "part of a time, such as 'hour'",
                "SELECT extract(hour FROM timestamp '2001-02-16 20:38:40') => 20"),
   MT_ROW_STEP (
      "extract", "unit text, t timestamptz, _zone text -> numeric", MT_F_SYNTAX, NULL,
      MT_OPN ("extract_ts", part_ts, 0), MT_STEP_PART, "part of a time in the session's time zone",
      "SELECT extract(epoch FROM timestamptz '2001-02-16 20:38:40+00') => 982355920.000000"),
   MT_ROW_STEP ("extract", "unit text, d date -> numeric", MT_F_SYNTAX, NULL,
                MT_OPN ("extract_date", part_date, 0), MT_STEP_PART,
                "part of a time, such as 'hour'",
                "SELECT extract(isodow FROM date '2001-02-18') => 7"),
   MT_ROW ("extract", "unit text, t time -> numeric", MT_F_SYNTAX, NULL,
           MT_OPN ("extract_time", part_time, 0), "part of a time, such as 'hour'",
           "SELECT extract(minute FROM time '20:38:40') => 38"),
   MT_ROW ("extract", "unit text, i interval -> numeric", MT_F_SYNTAX, NULL,
           MT_OPN ("extract_interval", part_interval, 0), "part of a time, such as 'hour'",
           "SELECT extract(month FROM interval '2 years 3 months') => 3"),
   MT_ROW ("timezone", "zone text, t timestamptz -> timestamp", MT_NN | MT_F_ZONE, NULL,
           MT_OPN ("at_zone", to_zone, 0), "timestamp in a time zone",
           "SELECT timestamptz '2001-02-16 20:38:40+00' AT TIME ZONE 'Asia/Tokyo' => 2001-02-17 "
           "05:38:40"),
   MT_ROW (
      "timezone", "zone text, t timestamp -> timestamptz", MT_NN | MT_F_ZONE, NULL,
      MT_OPN ("from_zone", to_zone, 1), "timestamptz of a local time",
      "SELECT timestamp '2001-02-16 20:38:40' AT TIME ZONE 'Asia/Tokyo' => 2001-02-16 11:38:40+00"),
   MT_ROW (
      "timezone", "zone interval, t timestamptz -> timestamp", MT_NN | MT_F_ZONE, NULL,
      MT_OPN ("at_offset", to_offset, 0), "timestamp at an offset from UTC",
      "SELECT timezone(interval '2 h', timestamptz '2001-02-16 20:00+00') => 2001-02-16 22:00:00"),
   MT_ROW (
      "timezone", "zone interval, t timestamp -> timestamptz", MT_NN | MT_F_ZONE, NULL,
      MT_OPN ("from_offset", to_offset, 1), "timestamptz of a local time",
      "SELECT timezone(interval '2 h', timestamp '2001-02-16 20:00') => 2001-02-16 18:00:00+00"),
   NOW ("now", "now()"),
   THEN ("statement_timestamp"),
   MT_ROW ("clock_timestamp", "-> timestamptz", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("clock", clock, 0), "current time, which changes within a statement",
           "SELECT clock_timestamp() > '2020-01-01' => t"),
   MT_ROW ("timeofday", "_zone text -> text", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("timeofday", timeofday, 0), "current time as text",
           "SELECT length(timeofday()) > 30 => t"),
   MT_ROW ("localtimestamp", "_zone text, _now timestamptz -> timestamp", STABLE | MT_NN, NULL,
           MT_OPN ("local_now", local_now, 0), "local time at the start of the statement",
           "SELECT localtimestamp = now()::timestamp => t"),
   MT_ROW ("age", "timestamp, timestamp -> interval", MT_NN, NULL, MT_OPN ("age", age, 0),
           "years, months and days between two times",
           "SELECT age(timestamp '2001-04-10', timestamp '1957-06-13') => 43 years 9 mons 27 days"),
   MT_ROW (
      "age", "timestamptz, timestamptz, _zone text -> interval", MT_NN, NULL,
      MT_OPN ("age", age, 0), "years, months and days between two times",
      "SELECT age(timestamptz '2001-04-10', timestamptz '1957-06-13') => 43 years 9 mons 27 days"),
   {.name = NULL},
};
