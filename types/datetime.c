/* The calendar, printing of dates and times, and conversions between types of time. */
#include "types/datetime_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- calendar: days are counted in eras of 400 years that begin on March 1 (Howard Hinnant's
 * method) ---- */

int64_t mt_days_from_civil (int64_t year, int month, int day)
{
   year -= month <= 2;
   int64_t era = mt_floor_div (year, 400), yoe = year - era * 400;
   int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
   int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
   return era * 146097 + doe - 719468;
}

int64_t mt_round_us (int64_t us, int64_t step_us)
{
   int64_t rest = us % step_us, whole = us - rest, up;
   if (rest * 2 < step_us && rest * 2 > -step_us)
      return whole;
   return __builtin_add_overflow (whole, us < 0 ? -step_us : step_us, &up) ? whole : up;
}

MtMoment mt_moment_after (int64_t ms, int64_t us)
{
   int64_t whole = mt_floor_div (us, 1000);
   return (MtMoment) {ms + whole, (int) (us - whole * 1000)};
}

MtMoment mt_moment_round (MtMoment t, int64_t step_us)
{
   const int64_t origin = INT64_C (
      946684800000); /* 2000-01-01. Counted from here, all times fit in 64 bits of microseconds. */
   return mt_moment_after (origin, mt_round_us ((t.ms - origin) * 1000 + t.us, step_us));
}

void mt_civil_from_days (int64_t days, int64_t *year, int *month, int *day)
{
   days += 719468;
   int64_t era = mt_floor_div (days, 146097), doe = days - era * 146097;
   int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
   int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
   int mp = (int) ((5 * doy + 2) / 153);
   *day = (int) (doy - (153 * mp + 2) / 5 + 1);
   *month = mp < 10 ? mp + 3 : mp - 9;
   *year = yoe + era * 400 + (*month <= 2);
}

int mt_days_in_month (int64_t year, int month)
{
   static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
   bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
   return days[month - 1] + (month == 2 && leap);
}

int mt_iso_dow (int64_t days) { return (int) (days + 3 - mt_floor_div (days + 3, 7) * 7) + 1; }

void mt_iso_week (int64_t days, int64_t *iso_year, int *week)
{
   /* An ISO week belongs to the year in which its Thursday is. */
   int64_t thursday = days - mt_iso_dow (days) + 4;
   int month, day;
   mt_civil_from_days (thursday, iso_year, &month, &day);
   *week = (int) ((thursday - mt_days_from_civil (*iso_year, 1, 1)) / 7) + 1;
}

MtTm mt_tm_open (int64_t ms)
{
   MtTm tm;
   int64_t days = mt_floor_div (ms, MT_DAY_MS);
   int rest = (int) (ms - days * MT_DAY_MS);
   mt_civil_from_days (days, &tm.year, &tm.month, &tm.day);
   tm.hour = rest / 3600000;
   tm.minute = rest / 60000 % 60;
   tm.second = rest / 1000 % 60;
   tm.ms = rest % 1000;
   return tm;
}

int64_t mt_tm_close (MtTm tm)
{
   int64_t s = mt_days_from_civil (tm.year, tm.month, tm.day) * 86400 + tm.hour * 3600 +
               tm.minute * 60 + tm.second;
   return s * 1000 + tm.ms;
}

/* ---- errors for several readers ---- */

static int shown (size_t n) { return n > 200 ? 200 : (int) n; }

bool mt_text_bad (const char *type, const char *p, size_t n, MtError *err)
{
   return mt_error (err, MT_E_DATETIME_FORMAT, "invalid input syntax for type %s: \"%.*s\"", type,
                    shown (n), p);
}

bool mt_text_range (const char *p, size_t n, MtError *err)
{
   return mt_error (err, MT_E_DATETIME_RANGE, "date/time field value out of range: \"%.*s\"",
                    shown (n), p);
}

static bool out_of_range (const char *what, MtError *err)
{
   return mt_error (err, MT_E_DATETIME_RANGE, "%s out of range", what);
}

/* ---- printing ---- */

/* Appends the character `before` (0: none), then n with at least `width` digits. */
static void put_number (MtBuf *out, char before, int64_t n, int width)
{
   if (before)
      mt_buf_addc (out, before);
   mt_buf_digits (out, (uint64_t) n, width);
}

/* Writes the character `before`, then n with two digits. Returns the end. */
static char *two (char *to, char before, int n)
{
   to[0] = before;
   to[1] = (char) ('0' + n / 10);
   to[2] = (char) ('0' + n % 10);
   return to + 3;
}

static void put_year (MtBuf *out, int64_t year)
{
   put_number (out, 0, year > 0 ? year : 1 - year, 4);
}

static void put_date (MtBuf *out, int64_t year, int month, int day)
{
   char text[6];
   two (two (text, '-', month), '-', day);
   put_year (out, year);
   mt_buf_add (out, text, sizeof text);
}

/* Appends microseconds as a fraction of a second: ".5", ".123" and so on; nothing for 0. */
static void put_fraction (MtBuf *out, int64_t us)
{
   int digits = 6;
   if (us == 0)
      return;
   for (; us % 10 == 0; us /= 10)
      digits--;
   put_number (out, '.', us, digits);
}

static void put_tm (MtBuf *out, MtTm tm, int us)
{
   char text[15];
   two (two (two (two (two (text, '-', tm.month), '-', tm.day), ' ', tm.hour), ':', tm.minute), ':',
        tm.second);
   put_year (out, tm.year);
   mt_buf_add (out, text, sizeof text);
   put_fraction (out, tm.ms * 1000 + us);
}

static bool put_infinity (MtBuf *out, bool plus, bool minus)
{
   if (plus || minus)
      mt_buf_adds (out, plus ? "infinity" : "-infinity");
   return plus || minus;
}

static void put_offset (MtBuf *out, int32_t offset)
{
   int32_t size = offset < 0 ? -offset : offset;
   put_number (out, offset < 0 ? '-' : '+', size / 3600, 2);
   if (size % 3600)
      put_number (out, ':', size / 60 % 60, 2);
   if (size % 60)
      put_number (out, ':', size % 60, 2);
}

void mt_moment_out (MtMoment t, const MtZone *zone, MtBuf *out)
{
   if (put_infinity (out, t.ms == MT_TS_INFINITY, t.ms == MT_TS_MINUS_INFINITY))
      return;
   int32_t offset = zone ? mt_tz_offset (zone, t.ms) : 0;
   MtTm tm = mt_tm_open (t.ms + (int64_t) offset * 1000);
   put_tm (out, tm, t.us);
   if (zone)
      put_offset (out, offset);
   if (tm.year <= 0)
      mt_buf_adds (out, " BC");
}

void mt_timestamp_out (int64_t ms, MtBuf *out) { mt_moment_out (mt_moment (ms), NULL, out); }

void mt_timestamptz_out (int64_t ms, const MtZone *zone, MtBuf *out)
{
   mt_moment_out (mt_moment (ms), zone ? zone : mt_tz_utc (), out);
}

void mt_date_out (int32_t days, MtBuf *out)
{
   if (put_infinity (out, days == MT_DATE_INFINITY, days == MT_DATE_MINUS_INFINITY))
      return;
   int64_t year;
   int month, day;
   mt_civil_from_days (days, &year, &month, &day);
   put_date (out, year, month, day);
   if (year <= 0)
      mt_buf_adds (out, " BC");
}

void mt_time_out (int64_t us, MtBuf *out)
{
   int s = (int) (us / 1000000);
   mt_buf_printf (out, "%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
   put_fraction (out, us % 1000000);
}

static void put_part (MtBuf *out, int64_t value, const char *unit, bool *first, bool *negative)
{
   if (value == 0)
      return;
   mt_buf_printf (out, "%s%s%" PRId64 " %s%s", *first ? "" : " ", *negative && value > 0 ? "+" : "",
                  value, unit, value == 1 ? "" : "s");
   *negative = value < 0;
   *first = false;
}

void mt_interval_out (MtInterval iv, MtBuf *out)
{
   bool first = true, negative = false;
   put_part (out, iv.months / 12, "year", &first, &negative);
   put_part (out, iv.months % 12, "mon", &first, &negative);
   put_part (out, iv.days, "day", &first, &negative);
   if (!first && iv.us == 0)
      return;
   uint64_t us = iv.us < 0 ? 0 - (uint64_t) iv.us : (uint64_t) iv.us;
   const char *sign = negative ? "+" : "";
   if (iv.us < 0)
      sign = "-";
   mt_buf_printf (out, "%s%s%02" PRIu64 ":%02d:%02d", first ? "" : " ", sign, us / 3600000000u,
                  (int) (us / 60000000u % 60), (int) (us / 1000000u % 60));
   put_fraction (out, (int64_t) (us % 1000000u));
}

/* ---- conversions ---- */

bool mt_timestamp_at_zone (int64_t local, const MtZone *zone, int64_t *utc, MtError *err)
{
   if (!mt_ts_is_finite (local)) {
      *utc = local;
      return true;
   }
   int64_t ms = mt_tz_to_utc (zone, local);
   if (!mt_ts_in_range (ms))
      return out_of_range ("timestamp", err);
   *utc = ms;
   return true;
}

bool mt_timestamptz_at_zone (int64_t utc, const MtZone *zone, int64_t *local, MtError *err)
{
   if (!mt_ts_is_finite (utc)) {
      *local = utc;
      return true;
   }
   int64_t ms = mt_tz_to_local (zone, utc);
   if (!mt_ts_in_range (ms))
      return out_of_range ("timestamp", err);
   *local = ms;
   return true;
}

bool mt_timestamp_to_date (int64_t local, int32_t *days, MtError *err)
{
   if (!mt_ts_is_finite (local)) {
      *days = local == MT_TS_INFINITY ? MT_DATE_INFINITY : MT_DATE_MINUS_INFINITY;
      return true;
   }
   int64_t d = mt_floor_div (local, MT_DAY_MS);
   if (!mt_date_in_range (d))
      return out_of_range ("date", err);
   *days = (int32_t) d;
   return true;
}

bool mt_date_to_timestamp (int32_t days, int64_t *local, MtError *err)
{
   if (days == MT_DATE_INFINITY || days == MT_DATE_MINUS_INFINITY) {
      *local = days == MT_DATE_INFINITY ? MT_TS_INFINITY : MT_TS_MINUS_INFINITY;
      return true;
   }
   int64_t ms = days * MT_DAY_MS;
   if (!mt_ts_in_range (ms))
      return mt_error (err, MT_E_DATETIME_RANGE, "date out of range for timestamp");
   *local = ms;
   return true;
}

int64_t mt_timestamp_to_time (int64_t local)
{
   return (local - mt_floor_div (local, MT_DAY_MS) * MT_DAY_MS) * 1000;
}
