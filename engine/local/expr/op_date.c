/* The operators on dates: parts of a date, arithmetic, truncation. op_date_format.c converts
 * dates from and to text. */
#include "engine/local/expr/op_date_int.h"

static const char *const unit_names[] = {"millisecond", "second", "minute",  "hour", "day",
                                         "week",        "month",  "quarter", "year"};

/* Reads the argument for a time zone. A missing argument means UTC. Sets *is_null if the argument
 * is null. */
bool mt_op_zone (MtEval *ev, MtVal v, const MtZone **zone, bool *is_null)
{
   *zone = mt_tz_utc ();
   *is_null = v.type == MT_NULL || v.type == MT_UNDEFINED;
   if (mt_is_nullish (v))
      return true;
   if (v.type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 40517, "timezone must evaluate to a string, found %s",
                         mt_v_type_name (v));
   /* Each thread caches its last zone. Many rows use the same zone, and searching it needs a
    * lock. */
   static _Thread_local struct {
      char name[64];
      uint32_t len;
      const MtZone *zone;
   } last;
   if (last.zone && last.len == v.len && memcmp (last.name, v.p, v.len) == 0) {
      *zone = last.zone;
      return true;
   }
   if (!mt_tz_find_mongo ((const char *) v.p, v.len, zone, ev->err))
      return mt_error_code (ev->err, 40485);
   if (v.len <= sizeof last.name) {
      memcpy (last.name, v.p, v.len);
      last.len = v.len;
      last.zone = *zone;
   }
   return true;
}

/* Converts v to a date in milliseconds. code: MongoDB's error code if v has another type. */
static bool date_of (MtEval *ev, MtVal v, int32_t code, int64_t *ms)
{
   return mt_op_date (ev, v, ms) || mt_error_code (ev->err, code);
}

static bool unit_of (MtEval *ev, const char *name, MtVal v, DateUnit *unit)
{
   if (v.type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 5439013, "%s requires 'unit' to be a string, but got %s",
                         name, mt_v_type_name (v));
   for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
      if (mt_str_is ((MtStr) {(const char *) v.p, v.len}, unit_names[i])) {
         *unit = (DateUnit) i;
         return true;
      }
   return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_FAILED_TO_PARSE,
                      "%s parameter 'unit' value cannot be recognized as a time unit: %.*s", name,
                      (int) (v.len > 60 ? 60 : v.len), (const char *) v.p);
}

/* Reads a weekday's name, or its first three letters. *day: 0 (Sunday) to 6 (Saturday). name: the
 * operator's name for errors. */
static bool weekday_of (MtEval *ev, const char *name, MtVal v, int *day)
{
   static const char *const days[] = {"sunday",   "monday", "tuesday", "wednesday",
                                      "thursday", "friday", "saturday"};
   *day = 0;
   if (v.type == MT_MISSING)
      return true;
   MtStr s = {(const char *) v.p, v.type == MT_STRING ? v.len : 0};
   for (int i = 0; i < 7 && s.n; i++)
      if (mt_str_ieq (s, mt_str (days[i])) || mt_str_ieq (s, (MtStr) {days[i], 3})) {
         *day = i;
         return true;
      }
   return MT_OP_FAIL (
      MT_E_PARAMETER, 5439016,
      "%s parameter 'startOfWeek' value cannot be recognized as a day of a week: %s", name,
      mt_op_shown (ev, v));
}

/* ---- $year and similar operators: of a date, or of {date, timezone} ---- */

typedef enum Part {
   P_YEAR,
   P_MONTH,
   P_DAY,
   P_DOW,
   P_DOY,
   P_HOUR,
   P_MINUTE,
   P_SECOND,
   P_MS,
   P_WEEK,
   P_ISO_WEEK,
   P_ISO_YEAR,
   P_ISO_DOW
} Part;

static int64_t part_of (Part part, int64_t local)
{
   int64_t days = mt_floor_div (local, MT_DAY_MS), rest = local - days * MT_DAY_MS, year;
   int month, day, week;
   switch (part) {
   case P_HOUR: return rest / 3600000;
   case P_MINUTE: return rest / 60000 % 60;
   case P_SECOND: return rest / 1000 % 60;
   case P_MS: return rest % 1000;
   case P_DOW: return mt_iso_dow (days) % 7 + 1;
   case P_ISO_DOW: return mt_iso_dow (days);
   case P_ISO_WEEK:
   case P_ISO_YEAR: mt_iso_week (days, &year, &week); return part == P_ISO_WEEK ? week : year;
   case P_YEAR:
   case P_MONTH:
   case P_DAY:
   case P_DOY:
   case P_WEEK: break;
   }
   mt_civil_from_days (days, &year, &month, &day);
   if (part == P_YEAR)
      return year;
   if (part == P_MONTH || part == P_DAY)
      return part == P_MONTH ? month : day;
   int64_t yday = days - mt_days_from_civil (year, 1, 1);
   /* weeks begin on Sunday; days before the year's first Sunday are in week 0 */
   return part == P_DOY ? yday + 1 : (yday + 7 - mt_iso_dow (days) % 7) / 7;
}

int64_t mt_op_week (int64_t local) { return part_of (P_WEEK, local); }
int64_t mt_op_year_day (int64_t local) { return part_of (P_DOY, local); }

static bool op_part (MT_OP_ARGS)
{
   Part part = (Part) (uintptr_t) ev->user;
   MtVal date = args[0], tz = mt_v_missing ();
   if (date.type == MT_DOC) {
      date = mt_doc_field (args[0], "date");
      tz = mt_doc_field (args[0], "timezone");
   }
   if (!mt_is_nullish (tz) && tz.type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 40533, "timezone must evaluate to a string, found %s",
                         mt_v_type_name (tz));
   const MtZone *zone;
   bool is_null;
   int64_t ms;
   if (mt_is_nullish (date))
      return mt_op_null (out);
   if (!mt_op_zone (ev, tz, &zone, &is_null) || (!is_null && !mt_op_date (ev, date, &ms)))
      return false;
   if (is_null)
      return mt_op_null (out);
   int64_t v = part_of (part, mt_tz_to_local (zone, ms));
   return mt_op_put (out, part == P_ISO_YEAR ? mt_v_int64 (v) : mt_v_int32 ((int32_t) v));
}

/* ---- $dateTrunc ---- */

static const int32_t months[] = {[D_MONTH] = 1, [D_QUARTER] = 3, [D_YEAR] = 12};
static const int64_t fixed_ms[] = {
   [D_MILLISECOND] = 1, [D_SECOND] = 1000, [D_MINUTE] = 60000, [D_HOUR] = 3600000};

#define REFERENCE_DAYS INT64_C (10957) /* days from 1970-01-01 to 2000-01-01, a Saturday */

static int64_t floor_to (int64_t v, int64_t from, int64_t step)
{
   return from + mt_floor_div (v - from, step) * step;
}

/* The periods to which $dateTrunc truncates dates. Each has the length of `size` units. */
typedef struct DateBins {
   DateUnit unit;
   int64_t size;
   const MtZone *zone;
   int week_start;
} DateBins;

static bool truncate_date (MtEval *ev, int64_t ms, const DateBins *bins, int64_t *out)
{
   const MtZone *zone = bins->zone;
   int64_t local = mt_tz_to_local (zone, ms), days = mt_floor_div (local, MT_DAY_MS), step, year;
   int month, day;
   switch (bins->unit) {
   case D_MILLISECOND:
   case D_SECOND:
   case D_MINUTE:
   case D_HOUR:
      if (__builtin_mul_overflow (fixed_ms[bins->unit], bins->size, &step))
         return MT_OP_FAIL (MT_E_DATETIME_RANGE, 5439006,
                            "invalid $dateTrunc 'binSize' parameter value");
      *out = floor_to (ms, mt_tz_to_utc (zone, REFERENCE_DAYS * MT_DAY_MS), step);
      return true;
   case D_DAY: days = floor_to (days, REFERENCE_DAYS, bins->size); break;
   case D_WEEK:
      days = floor_to (days, REFERENCE_DAYS + (bins->week_start - 6 + 7) % 7, 7 * bins->size);
      break;
   case D_MONTH:
   case D_QUARTER:
   case D_YEAR:
      mt_civil_from_days (days, &year, &month, &day);
      step = bins->size * months[bins->unit];
      year = floor_to (year * 12 + month - 1, 2000 * 12, step);
      days = mt_days_from_civil (mt_floor_div (year, 12),
                                 (int) (year - mt_floor_div (year, 12) * 12) + 1, 1);
      break;
   }
   *out = mt_tz_to_utc (zone, days * MT_DAY_MS);
   return true;
}

/* Computes $dateTrunc. args: date, unit, binSize?, timezone?, startOfWeek? */
static bool op_trunc (MT_OP_ARGS)
{
   DateBins bins = {.size = 1};
   bool is_null;
   int64_t ms;
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]) || args[2].type == MT_NULL ||
       args[4].type == MT_NULL)
      return mt_op_null (out);
   if (!unit_of (ev, "$dateTrunc", args[1], &bins.unit) ||
       !mt_op_zone (ev, args[3], &bins.zone, &is_null))
      return false;
   if (is_null)
      return mt_op_null (out);
   if (bins.unit == D_WEEK && !weekday_of (ev, "$dateTrunc", args[4], &bins.week_start))
      return false;
   if (args[2].type != MT_MISSING &&
       (!mt_op_whole (args[2], &bins.size) || bins.size < 1 || bins.size > INT64_C (100000000000)))
      return MT_OP_FAIL (
         MT_E_PARAMETER, bins.size < 1 ? 5439018 : 5439017,
         "$dateTrunc requires 'binSize' to be a 64-bit integer greater than 0, but got value '%s' "
         "of type %s",
         mt_op_shown (ev, args[2]), mt_v_type_name (args[2]));
   if (!date_of (ev, args[0], 5439012, &ms) || !truncate_date (ev, ms, &bins, &ms))
      return false;
   return mt_op_put (out, mt_v_date (ms));
}

/* ---- $dateAdd, $dateSubtract, $dateDiff ---- */

/* Computes $dateAdd and $dateSubtract. args: startDate, unit, amount, timezone? */
static bool op_add (MT_OP_ARGS)
{
   int sign = ev->user ? -1 : 1;
   const char *name = ev->user ? "$dateSubtract" : "$dateAdd";
   const MtZone *zone;
   DateUnit unit;
   bool is_null;
   int64_t ms, n, product;
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]) || mt_is_nullish (args[2]))
      return mt_op_null (out);
   if (!unit_of (ev, name, args[1], &unit) || !mt_op_zone (ev, args[3], &zone, &is_null))
      return false;
   if (is_null)
      return mt_op_null (out);
   if (!mt_op_whole (args[2], &n))
      return MT_OP_FAIL (MT_E_PARAMETER, 5166405, "%s expects integer amount of time units", name);
   if (!date_of (ev, args[0], 5166403, &ms))
      return false;
   int64_t scale = unit == D_WEEK ? 7 : 1;
   if (unit < D_DAY)
      scale = fixed_ms[unit];
   else if (unit >= D_MONTH)
      scale = months[unit];
   if (__builtin_mul_overflow (n, scale * sign, &product) ||
       (unit >= D_DAY && (product > INT32_MAX || product < INT32_MIN)))
      return MT_OP_FAIL (MT_E_DATETIME_RANGE, 5976500,
                         "invalid %s 'amount' parameter value: %" PRId64 " %s", name, n,
                         unit_names[unit]);
   if (unit < D_DAY) {
      if (__builtin_add_overflow (ms, product, &ms))
         return MT_OP_FAIL (MT_E_DATETIME_RANGE, 5166406, "%s overflowed", name);
      return mt_op_put (out, mt_v_date (ms));
   }
   MtInterval iv = {unit >= D_MONTH ? (int32_t) product : 0, unit < D_MONTH ? (int32_t) product : 0,
                    0};
   if (!mt_ts_add_interval (ms, iv, zone, &ms, ev->err))
      return false;
   return mt_op_put (out, mt_v_date (ms));
}

static int64_t months_of (int64_t local)
{
   int64_t year;
   int month, day;
   mt_civil_from_days (mt_floor_div (local, MT_DAY_MS), &year, &month, &day);
   return year * 12 + month - 1;
}

/* Returns how many boundaries of the unit (such as starts of months) there are from a fixed time to
 * `local`, in local milliseconds. $dateDiff is the difference of two such numbers. */
static int64_t ordinal (DateUnit unit, int64_t local, int week_start)
{
   int64_t days = mt_floor_div (local, MT_DAY_MS);
   switch (unit) {
   case D_MILLISECOND: return local;
   case D_SECOND:
   case D_MINUTE:
   case D_HOUR: return mt_floor_div (local, fixed_ms[unit]);
   case D_DAY: return days;
   case D_WEEK: return mt_floor_div (days + 4 - week_start, 7); /* 1970-01-01 was a Thursday */
   case D_MONTH: return months_of (local);
   case D_QUARTER: return mt_floor_div (months_of (local), 3);
   case D_YEAR: return mt_floor_div (months_of (local), 12);
   }
   return 0;
}

/* Computes $dateDiff. args: startDate, endDate, unit, timezone?, startOfWeek? */
static bool op_diff (MT_OP_ARGS)
{
   const MtZone *zone;
   DateUnit unit;
   bool is_null;
   int week_start = 0;
   int64_t a, b;
   if (mt_is_nullish (args[0]) || mt_is_nullish (args[1]) || mt_is_nullish (args[2]) ||
       args[4].type == MT_NULL)
      return mt_op_null (out);
   if (!unit_of (ev, "$dateDiff", args[2], &unit) || !mt_op_zone (ev, args[3], &zone, &is_null))
      return false;
   if (is_null)
      return mt_op_null (out);
   if ((unit == D_WEEK && !weekday_of (ev, "$dateDiff", args[4], &week_start)) ||
       !date_of (ev, args[0], 5166307, &a) || !date_of (ev, args[1], 5166307, &b))
      return false;
   /* Units up to an hour always have the same length, so both times use the UTC offset of the first
    * one. */
   int64_t shift = (int64_t) mt_tz_offset (zone, a) * 1000,
           shift_b = unit >= D_DAY ? (int64_t) mt_tz_offset (zone, b) * 1000 : shift;
   if (__builtin_add_overflow (a, shift, &a) || __builtin_add_overflow (b, shift_b, &b))
      return MT_OP_FAIL (MT_E_DATETIME_RANGE, 5166308, "$dateDiff overflowed");
   int64_t n;
   if (__builtin_sub_overflow (ordinal (unit, b, week_start), ordinal (unit, a, week_start), &n))
      return MT_OP_FAIL (MT_E_DATETIME_RANGE, 5166308, "$dateDiff overflowed");
   return mt_op_put (out, mt_v_int64 (n));
}

/* ---- $dateToParts, $dateFromParts ---- */

/* Computes $dateToParts. args: date, timezone?, iso8601? */
static bool op_to_parts (MT_OP_ARGS)
{
   static const MtStr civil[] = {{"year", 4},   {"month", 5},  {"day", 3},         {"hour", 4},
                                 {"minute", 6}, {"second", 6}, {"millisecond", 11}};
   static const MtStr iso[] = {{"isoWeekYear", 11}, {"isoWeek", 7}, {"isoDayOfWeek", 12},
                               {"hour", 4},         {"minute", 6},  {"second", 6},
                               {"millisecond", 11}};
   static const Part civil_parts[] = {P_YEAR, P_MONTH, P_DAY, P_HOUR, P_MINUTE, P_SECOND, P_MS};
   static const Part iso_parts[] = {P_ISO_YEAR, P_ISO_WEEK, P_ISO_DOW, P_HOUR,
                                    P_MINUTE,   P_SECOND,   P_MS};
   const MtZone *zone;
   bool is_null;
   int64_t ms;
   if (!mt_is_nullish (args[2]) && args[2].type != MT_BOOL)
      return MT_OP_FAIL (MT_E_PARAMETER, 40521, "iso8601 must evaluate to a bool, found %s",
                         mt_v_type_name (args[2]));
   if (mt_is_nullish (args[0]) || args[2].type == MT_NULL || args[2].type == MT_UNDEFINED)
      return mt_op_null (out);
   if (!mt_op_zone (ev, args[1], &zone, &is_null) || (!is_null && !mt_op_date (ev, args[0], &ms)))
      return false;
   if (is_null)
      return mt_op_null (out);
   bool as_iso = args[2].type == MT_BOOL && args[2].i;
   int64_t local = mt_tz_to_local (zone, ms);
   MtVal vals[7];
   for (int i = 0; i < 7; i++)
      vals[i] = mt_v_int32 ((int32_t) part_of (as_iso ? iso_parts[i] : civil_parts[i], local));
   return mt_v_make_doc (ev->arena, as_iso ? iso : civil, vals, 7, out, ev->err);
}

enum {
   A_YEAR,
   A_ISO_YEAR,
   A_MONTH,
   A_ISO_WEEK,
   A_DAY,
   A_ISO_DOW,
   A_HOUR,
   A_MINUTE,
   A_SECOND,
   A_MS,
   A_ZONE
};

/* Computes $dateFromParts. args: year?, isoWeekYear?, month?, isoWeek?, day?, isoDayOfWeek?, hour?,
 * minute?, second?, millisecond?, timezone? A value outside its range carries over to the next
 * larger unit. */
static bool op_from_parts (MT_OP_ARGS)
{
   static const char *const names[] = {"year",   "isoWeekYear",  "month", "isoWeek",
                                       "day",    "isoDayOfWeek", "hour",  "minute",
                                       "second", "millisecond"};
   int64_t v[A_ZONE] = {1970, 1970, 1, 1, 1, 1, 0, 0, 0, 0};
   for (int i = 0; i < A_ZONE; i++) {
      if (args[i].type == MT_MISSING)
         continue;
      if (mt_is_nullish (args[i]))
         return mt_op_null (out);
      if (!mt_op_whole (args[i], &v[i]))
         return MT_OP_FAIL (MT_E_PARAMETER, 40515,
                            "'%s' must evaluate to an integer, found %s with value %s", names[i],
                            mt_v_type_name (args[i]), mt_op_shown (ev, args[i]));
      int64_t least = -(INT64_C (1) << 50), most = INT64_C (1) << 50;
      if (i == A_YEAR || i == A_ISO_YEAR) {
         least = 1;
         most = 9999;
      } else if (i < A_SECOND) {
         least = INT16_MIN;
         most = INT16_MAX;
      }
      if (v[i] < least || v[i] > most)
         return MT_OP_FAIL (
            MT_E_DATETIME_RANGE,
            MT_CODE_IF ({i == A_YEAR, 40523}, {i == A_ISO_YEAR, 31095}, {true, 31034}),
            "'%s' must evaluate to a value in its range, found %" PRId64, names[i], v[i]);
   }
   bool iso = args[A_ISO_YEAR].type != MT_MISSING;
   if (iso == (args[A_YEAR].type != MT_MISSING))
      return MT_OP_FAIL (MT_E_PARAMETER, 40516,
                         "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
   for (int i = iso ? A_MONTH : A_ISO_WEEK; i <= A_ISO_DOW; i += 2)
      if (args[i].type != MT_MISSING)
         return MT_OP_FAIL (MT_E_PARAMETER, iso ? 40525 : 40489,
                            "$dateFromParts does not allow mixing natural dates with ISO dates");
   const MtZone *zone;
   bool is_null;
   if (!mt_op_zone (ev, args[A_ZONE], &zone, &is_null))
      return false;
   if (is_null)
      return mt_op_null (out);
   int64_t days;
   if (iso) {
      int64_t jan4 = mt_days_from_civil (v[A_ISO_YEAR], 1, 4);
      days = jan4 - mt_iso_dow (jan4) + 1 + (v[A_ISO_WEEK] - 1) * 7 + v[A_ISO_DOW] - 1;
   } else {
      int64_t m = v[A_YEAR] * 12 + v[A_MONTH] - 1, year = mt_floor_div (m, 12);
      days = mt_days_from_civil (year, (int) (m - year * 12) + 1, 1) + v[A_DAY] - 1;
   }
   int64_t local = days * MT_DAY_MS + v[A_HOUR] * 3600000 + v[A_MINUTE] * 60000 +
                   v[A_SECOND] * 1000 + v[A_MS];
   return mt_op_put (out, mt_v_date (mt_tz_to_utc (zone, local)));
}

#define D2020 "{\"$date\": \"2020-02-29T12:34:56.789Z\"}"
#define DAY(s) "{\"$date\": \"" s "T00:00:00Z\"}"
#define PART(name, part, summary, value) \
   MT_ROW_WITH (name, 1, 1, op_part, part, summary, "{\"" name "\": " D2020 "} => " value)
#define NAMED_WITH(name, count, params, fn, user, summary, example) \
   {name, count, count, params, MT_OP_FOLD, fn, summary, example, (void *) (uintptr_t) user}

const MtOpRow mt_ops_date[] = {
   PART ("$year", P_YEAR, "the year of a date, or of {date, timezone}", "2020"),
   PART ("$month", P_MONTH, "the month, 1 to 12", "2"),
   PART ("$dayOfMonth", P_DAY, "the day of the month", "29"),
   PART ("$dayOfWeek", P_DOW, "the day of the week, Sunday 1 to Saturday 7", "7"),
   PART ("$dayOfYear", P_DOY, "the day of the year", "60"),
   PART ("$hour", P_HOUR, "the hour", "12"),
   PART ("$minute", P_MINUTE, "the minute", "34"),
   PART ("$second", P_SECOND, "the second", "56"),
   PART ("$millisecond", P_MS, "the millisecond", "789"),
   PART ("$week", P_WEEK, "the week, from Sundays; 0 before the year's first", "8"),
   PART ("$isoWeek", P_ISO_WEEK, "the ISO 8601 week", "9"),
   PART ("$isoWeekYear", P_ISO_YEAR, "the year of the ISO 8601 week",
         "{\"$numberLong\": \"2020\"}"),
   PART ("$isoDayOfWeek", P_ISO_DOW, "the day of the week, Monday 1 to Sunday 7", "6"),
   MT_ROW_NAMED ("$dateTrunc", 5, "date,unit,binSize?,timezone?,startOfWeek?", op_trunc,
                 "the beginning of the bin of time that has the date",
                 "{\"$dateTrunc\": {\"date\": " D2020
                 ", \"unit\": \"month\"}} => " DAY ("2020-02-01")),
   NAMED_WITH ("$dateAdd", 4, "startDate,unit,amount,timezone?", op_add, 0,
               "a date so many units later",
               "{\"$dateAdd\": {\"startDate\": " DAY (
                  "2020-01-31") ", \"unit\": \"month\", \"amount\": 1}} => " DAY ("2020-02-29")),
   NAMED_WITH ("$dateSubtract", 4, "startDate,unit,amount,timezone?", op_add, 1,
               "a date so many units earlier",
               "{\"$dateSubtract\": {\"startDate\": " DAY (
                  "2020-03-01") ", \"unit\": \"day\", \"amount\": 1}} => " DAY ("2020-02-29")),
   MT_ROW_NAMED ("$dateDiff", 5, "startDate,endDate,unit,timezone?,startOfWeek?", op_diff,
                 "how many boundaries of a unit lie between two dates",
                 "{\"$dateDiff\": {\"startDate\": " DAY ("2019-12-31") ", \"endDate\": " DAY (
                    "2020-01-01") ", \"unit\": \"year\"}} => {\"$numberLong\": \"1\"}"),
   MT_ROW_NAMED (
      "$dateToParts", 3, "date,timezone?,iso8601?", op_to_parts, "an object of a date's parts",
      "{\"$dateToParts\": {\"date\": " D2020
      "}} => {\"year\": 2020, \"month\": 2, \"day\": 29, \"hour\": 12, \"minute\": 34, \"second\": "
      "56, \"millisecond\": 789}"),
   MT_ROW_NAMED (
      "$dateFromParts", 11,
      "year?,isoWeekYear?,month?,isoWeek?,day?,isoDayOfWeek?,hour?,minute?,second?,millisecond?,"
      "timezone?",
      op_from_parts, "a date of its parts",
      "{\"$dateFromParts\": {\"year\": 2020, \"month\": 14}} => " DAY ("2021-02-01")),
   MT_ROW_NAMED ("$dateToString", 4, "date,format?,timezone?,onNull?", mt_op_date_to_string,
                 "a date as text, by a format of %Y %m %d %H %M %S %L …",
                 "{\"$dateToString\": {\"date\": " D2020
                 ", \"format\": \"%Y-%m\"}} => \"2020-02\""),
   MT_ROW_NAMED ("$dateFromString", 5, "dateString,format?,timezone?,onError?,onNull?",
                 mt_op_date_from_string, "a date from text",
                 "{\"$dateFromString\": {\"dateString\": \"2020-02-29\"}} => " DAY ("2020-02-29")),
   MT_OP_END,
};
