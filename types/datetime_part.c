/* Implements date_trunc and extract. */
#include "types/datetime_int.h"

static const MtUnitName units[] = {
   {"c", MT_U_CENTURY, false},
   {"cent", MT_U_CENTURY, false},
   {"centuries", MT_U_CENTURY, false},
   {"century", MT_U_CENTURY, false},
   {"d", MT_U_DAY, false},
   {"day", MT_U_DAY, false},
   {"days", MT_U_DAY, false},
   {"dec", MT_U_DECADE, false},
   {"decade", MT_U_DECADE, false},
   {"decades", MT_U_DECADE, false},
   {"decs", MT_U_DECADE, false},
   {"dow", MT_U_DOW, true},
   {"doy", MT_U_DOY, true},
   {"epoch", MT_U_EPOCH, true},
   {"h", MT_U_HOUR, false},
   {"hour", MT_U_HOUR, false},
   {"hours", MT_U_HOUR, false},
   {"hr", MT_U_HOUR, false},
   {"hrs", MT_U_HOUR, false},
   {"isodow", MT_U_ISODOW, true},
   {"isoyear", MT_U_ISOYEAR, true},
   {"j", MT_U_JULIAN, true},
   {"jd", MT_U_JULIAN, true},
   {"julian", MT_U_JULIAN, true},
   {"m", MT_U_MINUTE, false},
   {"microsecon", MT_U_MICROSECOND, false},
   {"microsecond", MT_U_MICROSECOND, false},
   {"microseconds", MT_U_MICROSECOND, false},
   {"mil", MT_U_MILLENNIUM, false},
   {"millennia", MT_U_MILLENNIUM, false},
   {"millennium", MT_U_MILLENNIUM, false},
   {"millisecon", MT_U_MILLISECOND, false},
   {"millisecond", MT_U_MILLISECOND, false},
   {"milliseconds", MT_U_MILLISECOND, false},
   {"mils", MT_U_MILLENNIUM, false},
   {"min", MT_U_MINUTE, false},
   {"mins", MT_U_MINUTE, false},
   {"minute", MT_U_MINUTE, false},
   {"minutes", MT_U_MINUTE, false},
   {"mon", MT_U_MONTH, false},
   {"mons", MT_U_MONTH, false},
   {"month", MT_U_MONTH, false},
   {"months", MT_U_MONTH, false},
   {"ms", MT_U_MILLISECOND, false},
   {"msec", MT_U_MILLISECOND, false},
   {"mseconds", MT_U_MILLISECOND, false},
   {"msecs", MT_U_MILLISECOND, false},
   {"qtr", MT_U_QUARTER, false},
   {"quarter", MT_U_QUARTER, false},
   {"s", MT_U_SECOND, false},
   {"sec", MT_U_SECOND, false},
   {"second", MT_U_SECOND, false},
   {"seconds", MT_U_SECOND, false},
   {"secs", MT_U_SECOND, false},
   {"timezone", MT_U_TIMEZONE, false},
   {"timezone_h", MT_U_TIMEZONE_HOUR, false},
   {"timezone_hour", MT_U_TIMEZONE_HOUR, false},
   {"timezone_m", MT_U_TIMEZONE_MINUTE, false},
   {"timezone_minute", MT_U_TIMEZONE_MINUTE, false},
   {"us", MT_U_MICROSECOND, false},
   {"usec", MT_U_MICROSECOND, false},
   {"useconds", MT_U_MICROSECOND, false},
   {"usecs", MT_U_MICROSECOND, false},
   {"w", MT_U_WEEK, false},
   {"week", MT_U_WEEK, false},
   {"weeks", MT_U_WEEK, false},
   {"y", MT_U_YEAR, false},
   {"year", MT_U_YEAR, false},
   {"years", MT_U_YEAR, false},
   {"yr", MT_U_YEAR, false},
   {"yrs", MT_U_YEAR, false},
};

int64_t mt_unit_years (MtTimeUnit unit)
{
   switch (unit) {
   case MT_U_DECADE: return 10;
   case MT_U_CENTURY: return 100;
   case MT_U_MILLENNIUM: return 1000;
   default: return 1;
   }
}

const MtUnitName *mt_unit_row (const char *p, size_t n)
{
   for (size_t i = 0; i < sizeof units / sizeof *units; i++)
      if (mt_str_ieq ((MtStr) {p, n}, mt_str (units[i].name)))
         return &units[i];
   return NULL;
}

bool mt_unit_find (const char *p, size_t n, MtTimeUnit *out)
{
   const MtUnitName *row = mt_unit_row (p, n);
   if (row)
      *out = row->unit;
   return row != NULL;
}

static bool unit_error (const char *code, const char *what, const char *p, size_t n,
                        const char *type, MtError *err)
{
   char name[64];
   size_t k = 0;
   for (; k < n && k < sizeof name - 1; k++)
      name[k] = (char) tolower ((unsigned char) p[k]);
   name[k] = 0;
   return mt_error (err, code, "unit \"%s\" not %s for type %s", name, what, type);
}

/* Set the error that a unit does not exist, or that the type does not have it. Return false. */
static bool unit_unknown (const char *p, size_t n, const char *type, MtError *err)
{
   return unit_error (MT_E_PARAMETER, "recognized", p, n, type, err);
}

static bool unit_unsupported (const char *p, size_t n, const char *type, MtError *err)
{
   return unit_error (MT_E_FEATURE, "supported", p, n, type, err);
}

/* ---- date_trunc ---- */

/* Returns the first year of the century or millennium (`span` years) that contains `year`. Spans
 * begin at 1, 101 and so on; the span before year 1 ends with year 0 (1 BC). */
static int64_t first_year (int64_t year, int64_t span)
{
   return year > 0 ? (year + span - 1) / span * span - (span - 1)
                   : -((span - 1 - (year - 1)) / span) * span + 1;
}

static int64_t trunc_local (MtTimeUnit unit, int64_t local)
{
   MtTm tm = mt_tm_open (local);
   int64_t days = mt_floor_div (local, MT_DAY_MS), year = tm.year;
   switch (unit) {
   case MT_U_MICROSECOND:
   case MT_U_MILLISECOND: return local;
   case MT_U_SECOND: return mt_floor_div (local, 1000) * 1000;
   case MT_U_MINUTE: return mt_floor_div (local, 60000) * 60000;
   case MT_U_HOUR: return mt_floor_div (local, 3600000) * 3600000;
   case MT_U_DAY: return days * MT_DAY_MS;
   case MT_U_WEEK: return (days - (mt_iso_dow (days) - 1)) * MT_DAY_MS;
   case MT_U_MONTH: return mt_days_from_civil (year, tm.month, 1) * MT_DAY_MS;
   case MT_U_QUARTER: return mt_days_from_civil (year, (tm.month - 1) / 3 * 3 + 1, 1) * MT_DAY_MS;
   case MT_U_YEAR: break;
   case MT_U_DECADE: year = year > 0 ? year / 10 * 10 : -((8 - (year - 1)) / 10) * 10; break;
   case MT_U_CENTURY: year = first_year (year, 100); break;
   case MT_U_MILLENNIUM: year = first_year (year, 1000); break;
   case MT_U_DOW:
   case MT_U_ISODOW:
   case MT_U_DOY:
   case MT_U_ISOYEAR:
   case MT_U_EPOCH:
   case MT_U_JULIAN:
   case MT_U_TIMEZONE:
   case MT_U_TIMEZONE_HOUR:
   case MT_U_TIMEZONE_MINUTE: break;
   }
   return mt_days_from_civil (year, 1, 1) * MT_DAY_MS;
}

bool mt_trunc_by (MtTimeUnit unit, int64_t ms, const MtZone *zone, int64_t *out, MtError *err)
{
   if (!mt_ts_is_finite (ms)) {
      *out = ms;
      return true;
   }
   int64_t offset = zone ? (int64_t) mt_tz_offset (zone, ms) * 1000 : 0;
   int64_t local = trunc_local (unit, ms + offset);
   /* Units up to an hour keep the UTC offset of t. For days and longer units, the offset at the
    * start of the unit is used. */
   int64_t result = zone && unit >= MT_U_DAY ? mt_tz_to_utc (zone, local) : local - offset;
   if (!mt_ts_in_range (result))
      return mt_error (err, MT_E_DATETIME_RANGE, "timestamp out of range");
   *out = result;
   return true;
}

bool mt_date_trunc (const char *p, size_t n, MtMoment t, const MtZone *zone, MtMoment *out,
                    MtError *err)
{
   const MtUnitName *row = mt_unit_row (p, n);
   const char *type = zone ? MT_TSTZ_TYPE : MT_TS_TYPE;
   if (!row || row->part_only)
      return unit_unknown (p, n, type, err);
   if (row->unit >= MT_U_DOW)
      return unit_unsupported (p, n, type, err);
   out->us = row->unit == MT_U_MICROSECOND ? t.us : 0;
   return mt_trunc_by (row->unit, t.ms, zone, &out->ms, err);
}

bool mt_interval_trunc (const char *p, size_t n, MtInterval iv, MtInterval *out, MtError *err)
{
   const MtUnitName *row = mt_unit_row (p, n);
   if (!row || row->part_only)
      return unit_unknown (p, n, "interval", err);
   if (row->unit >= MT_U_DOW || row->unit == MT_U_WEEK) {
      unit_unsupported (p, n, "interval", err);
      return row->unit == MT_U_WEEK ? mt_error_detail (err, "Months usually have fractional weeks.")
                                    : false;
   }
   static const int64_t us[] = {[MT_U_MICROSECOND] = 1,
                                [MT_U_MILLISECOND] = 1000,
                                [MT_U_SECOND] = 1000000,
                                [MT_U_MINUTE] = 60000000,
                                [MT_U_HOUR] = 3600000000};
   static const int32_t months[] = {
      [MT_U_MONTH] = 1,    [MT_U_QUARTER] = 3,    [MT_U_YEAR] = 12,
      [MT_U_DECADE] = 120, [MT_U_CENTURY] = 1200, [MT_U_MILLENNIUM] = 12000};
   MtInterval r = iv;
   r.us = row->unit <= MT_U_HOUR ? iv.us / us[row->unit] * us[row->unit] : 0;
   if (row->unit > MT_U_DAY) {
      r.days = 0;
      r.months = iv.months / months[row->unit] * months[row->unit];
   }
   *out = r;
   return true;
}

/* ---- extract ---- */

static MtNum whole (int64_t i) { return mt_num_from_int64 (i); }

/* Returns the year as PostgreSQL prints it: there is no year 0, so 1 BC is -1. */
static int64_t shown_year (int64_t year) { return year > 0 ? year : year - 1; }

static int64_t century (int64_t year, int64_t span)
{
   return year > 0 ? (year + span - 1) / span : -((span - 1 - (year - 1)) / span);
}

/* Computes a part of a time that depends only on its date (such as year or week), given as days
 * since 1970. Returns false if the unit is no such part. */
static bool date_part (MtTimeUnit unit, int64_t days, int64_t *out)
{
   int64_t year, iso_year;
   int month, day, week;
   mt_civil_from_days (days, &year, &month, &day);
   mt_iso_week (days, &iso_year, &week);
   switch (unit) {
   case MT_U_DAY: *out = day; return true;
   case MT_U_WEEK: *out = week; return true;
   case MT_U_MONTH: *out = month; return true;
   case MT_U_QUARTER: *out = (month - 1) / 3 + 1; return true;
   case MT_U_YEAR: *out = shown_year (year); return true;
   case MT_U_DECADE: *out = year >= 0 ? year / 10 : -((8 - (year - 1)) / 10); return true;
   case MT_U_CENTURY: *out = century (year, 100); return true;
   case MT_U_MILLENNIUM: *out = century (year, 1000); return true;
   case MT_U_DOW: *out = mt_iso_dow (days) % 7; return true;
   case MT_U_ISODOW: *out = mt_iso_dow (days); return true;
   case MT_U_DOY: *out = days - mt_days_from_civil (year, 1, 1) + 1; return true;
   case MT_U_ISOYEAR: *out = shown_year (iso_year); return true;
   case MT_U_MICROSECOND:
   case MT_U_MILLISECOND:
   case MT_U_SECOND:
   case MT_U_MINUTE:
   case MT_U_HOUR:
   case MT_U_EPOCH:
   case MT_U_JULIAN:
   case MT_U_TIMEZONE:
   case MT_U_TIMEZONE_HOUR:
   case MT_U_TIMEZONE_MINUTE: break;
   }
   return false;
}

/* Computes a part of a time of day in microseconds, or of the time in an interval, which may be
 * negative or longer than a day. Returns false if the unit is no such part. */
static bool time_part (MtTimeUnit unit, int64_t us, MtNum *out)
{
   int64_t in_minute = us % 60000000;
   if (unit == MT_U_MICROSECOND)
      *out = whole (in_minute);
   else if (unit == MT_U_MILLISECOND)
      *out = mt_num_from_scaled (in_minute, 3);
   else if (unit == MT_U_SECOND)
      *out = mt_num_from_scaled (in_minute, 6);
   else if (unit == MT_U_MINUTE)
      *out = whole (us / 60000000 % 60);
   else if (unit == MT_U_HOUR)
      *out = whole (us / 3600000000);
   else
      return false;
   return true;
}

static MtNum infinite (bool positive)
{
   MtNum n;
   mt_num_in (positive ? "Infinity" : "-Infinity", positive ? 8 : 9, &n, NULL);
   return n;
}

/* Sets *out to a part of an infinite time: its year is infinite. Other parts, such as the hour, are
 * NULL (*is_null). */
static void infinite_part (MtTimeUnit unit, bool positive, MtNum *out, bool *is_null)
{
   bool grows = (unit >= MT_U_YEAR && unit <= MT_U_MILLENNIUM) || unit == MT_U_ISOYEAR ||
                unit == MT_U_EPOCH || unit == MT_U_JULIAN;
   *is_null = !grows;
   if (grows)
      *out = infinite (positive);
}

static bool julian (int64_t local, int us, MtNum *out, MtError *err)
{
   int64_t days = mt_floor_div (local, MT_DAY_MS);
   MtNum fraction;
   return mt_num_div (whole ((local - days * MT_DAY_MS) * 1000 + us), whole (MT_DAY_US), &fraction,
                      err) &&
          mt_num_add (whole (days + 2440588), fraction, out, err);
}

static bool zone_part (MtTimeUnit unit, int32_t offset, MtNum *out)
{
   if (unit == MT_U_TIMEZONE)
      *out = whole (offset);
   else if (unit == MT_U_TIMEZONE_HOUR)
      *out = whole (offset / 3600);
   else if (unit == MT_U_TIMEZONE_MINUTE)
      *out = whole (offset % 3600 / 60);
   else
      return false;
   return true;
}

bool mt_extract (MtStr name, MtMoment t, const MtZone *zone, MtNum *out, bool *is_null,
                 MtError *err)
{
   int64_t ms = t.ms;
   MtTimeUnit unit;
   const char *type = zone ? MT_TSTZ_TYPE : MT_TS_TYPE;
   if (!mt_unit_find (name.p, name.n, &unit))
      return unit_unknown (name.p, name.n, type, err);
   if (!zone &&
       (unit == MT_U_TIMEZONE || unit == MT_U_TIMEZONE_HOUR || unit == MT_U_TIMEZONE_MINUTE))
      return unit_unsupported (name.p, name.n, type, err);
   *is_null = false;
   if (!mt_ts_is_finite (ms)) {
      infinite_part (unit, ms == MT_TS_INFINITY, out, is_null);
      return true;
   }
   int32_t offset = zone ? mt_tz_offset (zone, ms) : 0;
   int64_t local = ms + (int64_t) offset * 1000, i;
   if (unit == MT_U_EPOCH)
      return mt_num_add (mt_num_round (mt_num_from_scaled (ms, 3), 6), mt_num_from_scaled (t.us, 6),
                         out, err);
   else if (unit == MT_U_JULIAN)
      return julian (local, t.us, out, err);
   else if (date_part (unit, mt_floor_div (local, MT_DAY_MS), &i))
      *out = whole (i);
   else if (!time_part (unit, mt_timestamp_to_time (local) + t.us, out))
      zone_part (unit, offset, out);
   return true;
}

bool mt_extract_date (const char *p, size_t n, int32_t days, MtNum *out, bool *is_null,
                      MtError *err)
{
   MtTimeUnit unit;
   int64_t i = 0;
   if (!mt_unit_find (p, n, &unit))
      return unit_unknown (p, n, "date", err);
   if (unit <= MT_U_HOUR || unit >= MT_U_TIMEZONE)
      return unit_unsupported (p, n, "date", err);
   *is_null = false;
   if (days == MT_DATE_INFINITY || days == MT_DATE_MINUS_INFINITY) {
      infinite_part (unit, days == MT_DATE_INFINITY, out, is_null);
      return true;
   }
   if (!date_part (unit, days, &i))
      i = unit == MT_U_EPOCH ? (int64_t) days * 86400 : (int64_t) days + 2440588;
   *out = whole (i);
   return true;
}

bool mt_extract_time (const char *p, size_t n, int64_t us, MtNum *out, MtError *err)
{
   MtTimeUnit unit;
   static const char type[] = "time without time zone";
   if (!mt_unit_find (p, n, &unit))
      return unit_unknown (p, n, type, err);
   if (unit == MT_U_EPOCH)
      *out = mt_num_from_scaled (us, 6);
   else if (!time_part (unit, us, out))
      return unit_unsupported (p, n, type, err);
   return true;
}

/* Converts an interval to seconds: a year has 365.25 days, a month 30 days. */
static bool interval_epoch (MtInterval iv, MtNum *out, MtError *err)
{
   int64_t quarter_days = (int64_t) 1461 * (iv.months / 12) + (int64_t) 120 * (iv.months % 12) +
                          (int64_t) 4 * iv.days;
   MtNum seconds = mt_num_from_scaled (quarter_days * 21600, 0);
   return mt_num_add (seconds, mt_num_from_scaled (iv.us, 6), out, err);
}

bool mt_extract_interval (const char *p, size_t n, MtInterval iv, MtNum *out, MtError *err)
{
   MtTimeUnit unit;
   if (!mt_unit_find (p, n, &unit))
      return unit_unknown (p, n, "interval", err);
   int64_t years = iv.months / 12;
   if (time_part (unit, iv.us, out))
      return true;
   if (unit == MT_U_EPOCH)
      return interval_epoch (iv, out, err);
   if (unit == MT_U_DAY)
      *out = whole (iv.days);
   else if (unit == MT_U_MONTH)
      *out = whole (iv.months % 12);
   else if (unit == MT_U_QUARTER)
      *out = whole (iv.months % 12 / 3 + 1);
   else if (unit >= MT_U_YEAR && unit <= MT_U_MILLENNIUM)
      *out = whole (years / mt_unit_years (unit));
   else
      return unit_unsupported (p, n, "interval", err);
   return true;
}
