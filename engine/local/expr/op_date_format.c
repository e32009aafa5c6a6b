/* The operators $dateToString and $dateFromString. */
#include "engine/local/expr/op_date_int.h"

#include <ctype.h>
#include <stdio.h>

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* ---- $dateToString ---- */

typedef struct Local {
   int64_t year, iso_year, days, ms; /* ms: the local time in milliseconds */
   int month, day, iso_week, rest;   /* rest: milliseconds since the beginning of the day */
   int32_t offset;
} Local;

static Local open_local (int64_t utc, const MtZone *zone)
{
   Local t = {.offset = mt_tz_offset (zone, utc)};
   t.ms = utc + (int64_t) t.offset * 1000;
   t.days = mt_floor_div (t.ms, MT_DAY_MS);
   t.rest = (int) (t.ms - t.days * MT_DAY_MS);
   mt_civil_from_days (t.days, &t.year, &t.month, &t.day);
   mt_iso_week (t.days, &t.iso_year, &t.iso_week);
   return t;
}

/* Appends the part of time t that a format specifier such as %Y selects. Returns false if the
 * specifier is unknown. */
static bool put (MtBuf *b, char spec, const Local *t)
{
   int minutes = t->offset / 60, size = minutes < 0 ? -minutes : minutes;
   switch (spec) {
   case 'Y': mt_buf_printf (b, "%04" PRId64, t->year); break;
   case 'G': mt_buf_printf (b, "%04" PRId64, t->iso_year); break;
   case 'm': mt_buf_printf (b, "%02d", t->month); break;
   case 'b': mt_buf_printf (b, "%.3s", months[t->month - 1]); break;
   case 'B': mt_buf_adds (b, months[t->month - 1]); break;
   case 'd': mt_buf_printf (b, "%02d", t->day); break;
   case 'j': mt_buf_printf (b, "%03d", (int) mt_op_year_day (t->ms)); break;
   case 'H': mt_buf_printf (b, "%02d", t->rest / 3600000); break;
   case 'M': mt_buf_printf (b, "%02d", t->rest / 60000 % 60); break;
   case 'S': mt_buf_printf (b, "%02d", t->rest / 1000 % 60); break;
   case 'L': mt_buf_printf (b, "%03d", t->rest % 1000); break;
   case 'w': mt_buf_printf (b, "%d", mt_iso_dow (t->days) % 7 + 1); break;
   case 'u': mt_buf_printf (b, "%d", mt_iso_dow (t->days)); break;
   case 'U': mt_buf_printf (b, "%02d", (int) mt_op_week (t->ms)); break;
   case 'V': mt_buf_printf (b, "%02d", t->iso_week); break;
   case 'z': mt_buf_printf (b, "%c%02d%02d", minutes < 0 ? '-' : '+', size / 60, size % 60); break;
   case 'Z': mt_buf_printf (b, "%d", minutes); break;
   case '%': mt_buf_addc (b, '%'); break;
   default: return false; /* `spec` is a character and not an enum, so a default is needed */
   }
   return true;
}

static bool bad_format (MtEval *ev, const char *name, char spec)
{
   if (!spec)
      return MT_OP_FAIL (MT_E_PARAMETER, 18535, "Unmatched '%%' at end of format string of %s",
                         name);
   return MT_OP_FAIL (MT_E_PARAMETER, 18536,
                      "Invalid format character '%%%c' in format string of %s",
                      isprint ((unsigned char) spec) ? spec : '?', name);
}

/* Computes $dateToString. args: date, format?, timezone?, onNull? */
bool mt_op_date_to_string (MT_OP_ARGS)
{
   const MtZone *zone;
   bool is_null;
   int64_t ms;
   if (mt_is_nullish (args[0]))
      return mt_op_put (out, mt_op_otherwise (args[3]));
   if (args[1].type == MT_NULL || args[1].type == MT_UNDEFINED)
      return mt_op_null (out);
   if (args[1].type != MT_STRING && args[1].type != MT_MISSING)
      return MT_OP_FAIL (MT_E_PARAMETER, 18533,
                         "$dateToString requires that 'format' be a string, found: %s",
                         mt_v_type_name (args[1]));
   if (!mt_op_zone (ev, args[2], &zone, &is_null) || (!is_null && !mt_op_date (ev, args[0], &ms)))
      return false;
   if (is_null)
      return mt_op_null (out);
   bool utc = mt_tz_is_fixed (zone) && mt_tz_offset (zone, 0) == 0;
   MtStr f = utc ? MT_STR ("%Y-%m-%dT%H:%M:%S.%LZ") : MT_STR ("%Y-%m-%dT%H:%M:%S.%L");
   if (args[1].type == MT_STRING)
      f = (MtStr) {(const char *) args[1].p, args[1].len};
   Local t = open_local (ms, zone);
   if (t.year < 0 || t.year > 9999)
      return MT_OP_FAIL (MT_E_DATETIME_RANGE, 18537,
                         "$dateToString is only defined on year 0-9999, tried to use year %" PRId64,
                         t.year);
   MtBuf b = {0};
   char spec = 0;
   bool wrong = false;
   for (size_t i = 0; i < f.n && !wrong; i++)
      if (f.p[i] != '%')
         mt_buf_addc (&b, f.p[i]);
      else if (++i == f.n || !put (&b, f.p[i], &t)) {
         wrong = true;
         spec = i < f.n ? f.p[i] : 0;
      }
   *out = mt_v_copy (ev->arena, mt_v_str (b.p ? b.p : "", b.n));
   mt_buf_free (&b);
   return wrong ? bad_format (ev, "$dateToString", spec) : true;
}

/* ---- $dateFromString ---- */

typedef struct Reader {
   const char *p, *end;
   int64_t year, month, day, hour, minute, second, ms, yday, iso_year, iso_week, iso_dow;
   int32_t offset;
   bool has_offset, has_yday, has_iso, has_year, has_month, has_day;
} Reader;

static bool digits (Reader *r, int least, int most, int64_t low, int64_t high, int64_t *out)
{
   int n = 0;
   int64_t v = 0;
   for (; r->p < r->end && n < most && isdigit ((unsigned char) *r->p); n++)
      v = v * 10 + (*r->p++ - '0');
   *out = v;
   return n >= least && v >= low && v <= high;
}

/* Reads one to three digits behind the point of seconds, as milliseconds. */
static bool fraction (Reader *r)
{
   const char *start = r->p;
   bool ok = digits (r, 1, 3, 0, 999, &r->ms);
   for (const char *p = r->p; p - start < 3; p++)
      r->ms *= 10;
   return ok;
}

static bool month_name (Reader *r, bool whole)
{
   size_t left = (size_t) (r->end - r->p);
   for (int i = 0; i < 12; i++) {
      size_t n = whole ? strlen (months[i]) : 3;
      if (n <= left && mt_str_ieq ((MtStr) {r->p, n}, (MtStr) {months[i], n})) {
         r->month = i + 1;
         r->has_month = true;
         r->p += n;
         return true;
      }
   }
   return false;
}

/* Reads a UTC offset: +hh:mm, +hhmm, +hh or Z. Returns false if there is none. */
static bool offset (Reader *r)
{
   int64_t h, m = 0;
   if (r->p == r->end)
      return false;
   char sign = *r->p++;
   r->has_offset = true;
   if (sign == 'Z' || sign == 'z')
      return true;
   if ((sign != '+' && sign != '-') || !digits (r, 2, 2, 0, 23, &h))
      return false;
   if (r->p < r->end && *r->p == ':')
      r->p++;
   if (r->p < r->end && isdigit ((unsigned char) *r->p) && !digits (r, 2, 2, 0, 59, &m))
      return false;
   r->offset = (int32_t) ((sign == '-' ? -1 : 1) * (h * 3600 + m * 60));
   return true;
}

/* Reads the text for %Z: a UTC offset in minutes, with a sign. Returns false if there is none. */
static bool offset_minutes (Reader *r)
{
   int64_t m;
   if (r->p == r->end || (*r->p != '+' && *r->p != '-'))
      return false;
   int sign = *r->p++ == '-' ? -60 : 60;
   r->has_offset = true;
   bool ok = digits (r, 1, 4, 0, 1440, &m);
   r->offset = (int32_t) (sign * m);
   return ok;
}

/* Reads the text that a format specifier describes. Returns 1 for success, 0 if the text does not
 * match, or -1 if the specifier is unknown. */
static int take (Reader *r, char spec)
{
   switch (spec) {
   case 'Y': r->has_year = true; return digits (r, 4, 4, 0, 9999, &r->year);
   case 'm': r->has_month = true; return digits (r, 1, 2, 1, 12, &r->month);
   case 'd': r->has_day = true; return digits (r, 1, 2, 1, 31, &r->day);
   case 'b': return month_name (r, false);
   case 'B': return month_name (r, true);
   case 'H': return digits (r, 1, 2, 0, 24, &r->hour);
   case 'M': return digits (r, 1, 2, 0, 59, &r->minute);
   case 'S': return digits (r, 1, 2, 0, 60, &r->second);
   case 'L': return fraction (r);
   case 'j': r->has_yday = true; return digits (r, 1, 3, 1, 366, &r->yday);
   case 'G': r->has_iso = true; return digits (r, 4, 4, 0, 9999, &r->iso_year);
   case 'V': r->has_iso = true; return digits (r, 1, 2, 1, 53, &r->iso_week);
   case 'u': r->has_iso = true; return digits (r, 1, 1, 1, 7, &r->iso_dow);
   case 'z': return offset (r);
   case 'Z': return offset_minutes (r);
   case '%': return r->p < r->end && *r->p++ == '%';
   }
   return -1;
}

static int64_t local_of (const Reader *r)
{
   int64_t days = mt_days_from_civil (r->year, (int) r->month, (int) r->day);
   if (r->has_yday)
      days = mt_days_from_civil (r->year, 1, 1) + r->yday - 1;
   if (r->has_iso) {
      int64_t jan4 = mt_days_from_civil (r->iso_year, 1, 4);
      days = jan4 - mt_iso_dow (jan4) + 1 + (r->iso_week - 1) * 7 + r->iso_dow - 1;
   }
   return days * MT_DAY_MS + r->hour * 3600000 + r->minute * 60000 + r->second * 1000 + r->ms;
}

static bool wrong_text (MtEval *ev, MtStr s)
{
   return MT_OP_FAIL (MT_E_DATETIME_FORMAT, MT_CODE_CONVERSION, "Error parsing date string '%.*s'",
                      s.n > 200 ? 200 : (int) s.n, s.p);
}

/* Returns whether the format has read a complete date. The time of day may be missing. */
static bool has_date (const Reader *r)
{
   return r->has_iso || (r->has_year && (r->has_yday || (r->has_month && r->has_day)));
}

static bool zone_twice (MtEval *ev, MtStr s)
{
   return MT_OP_FAIL (
      MT_E_PARAMETER, MT_CODE_CONVERSION,
      "you cannot pass in a date/time string with GMT offset together with a timezone argument: "
      "'%.*s'",
      s.n > 200 ? 200 : (int) s.n, s.p);
}

static bool by_format (MtEval *ev, MtStr s, MtStr f, const MtZone *zone, bool zone_given,
                       int64_t *ms)
{
   Reader r = {.p = s.p,
               .end = s.p + s.n,
               .year = 1970,
               .month = 1,
               .day = 1,
               .iso_year = 1970,
               .iso_week = 1,
               .iso_dow = 1};
   for (size_t i = 0; i < f.n; i++) {
      if (f.p[i] == '%' && i + 1 < f.n) {
         int rc = take (&r, f.p[++i]);
         if (rc < 0)
            return bad_format (ev, "$dateFromString", f.p[i]);
         if (rc == 0)
            return wrong_text (ev, s);
      } else if (r.p == r.end || *r.p++ != f.p[i])
         return wrong_text (ev, s);
   }
   if (r.p != r.end || r.day > mt_days_in_month (r.year, (int) r.month))
      return wrong_text (ev, s);
   if (!has_date (&r))
      return MT_OP_FAIL (
         MT_E_DATETIME_FORMAT, MT_CODE_CONVERSION,
         "an incomplete date/time string has been found, with elements missing: \"%.*s\"",
         s.n > 200 ? 200 : (int) s.n, s.p);
   if (r.has_offset && zone_given)
      return zone_twice (ev, s);
   *ms = r.has_offset ? local_of (&r) - (int64_t) r.offset * 1000
                      : mt_tz_to_utc (zone, local_of (&r));
   return true;
}

/* Converts a text to a date without a format, like $toDate. If the text has no zone, it is a local
 * time in `zone`. If it has one, and the argument timezone is given, too, this is an error: then
 * `zone` does not change the result. */
/* Returns a text with hh:mm.ss as hh:mm:ss. PostgreSQL's reader would take it for minutes. */
static MtStr with_seconds (MtArena *a, MtStr s)
{
   char *copy = mt_strndup (a, s.p, s.n);
   size_t colons = 0;
   for (size_t i = 3; i + 1 < s.n; i++) {
      colons += copy[i] == ':';
      if (copy[i] == '.' && colons == 1 && copy[i - 3] == ':' &&
          isdigit ((unsigned char) copy[i + 1])) {
         copy[i] = ':';
         break;
      }
   }
   return (MtStr) {copy, s.n};
}

static bool by_itself (MtEval *ev, MtStr s, const MtZone *zone, bool zone_given, int64_t *ms)
{
   bool digit = false;
   int64_t other;
   s = with_seconds (ev->arena, s);
   for (size_t i = 0; i < s.n; i++)
      digit = digit || isdigit ((unsigned char) s.p[i]);
   MtTimeEnv env = {.zone = zone}, far = {.zone = mt_tz_fixed (mt_tz_offset (zone, 0) + 7200)};
   if (!digit || !mt_timestamptz_in (s.p, s.n, &env, ms, NULL) || !mt_ts_is_finite (*ms))
      return wrong_text (ev, s);
   if (zone_given && mt_timestamptz_in (s.p, s.n, &far, &other, NULL) && other == *ms)
      return zone_twice (ev, s);
   return true;
}

/* Computes $dateFromString. args: dateString, format?, timezone?, onError?, onNull? */
bool mt_op_date_from_string (MT_OP_ARGS)
{
   const MtZone *zone;
   bool is_null, handled = args[3].type != MT_MISSING;
   int64_t ms;
   MtError err = {0};
   MtEval quiet = {.arena = ev->arena, .cancel = ev->cancel, .err = handled ? &err : ev->err};
   if (!mt_is_nullish (args[1]) && args[1].type != MT_STRING)
      return MT_OP_FAIL (MT_E_PARAMETER, 40684,
                         "$dateFromString requires that 'format' be a string, found: %s",
                         mt_v_type_name (args[1]));
   if (!mt_op_zone (ev, args[2], &zone, &is_null))
      return false;
   if (mt_is_nullish (args[0]))
      return mt_op_put (out, mt_op_otherwise (args[4]));
   if (args[0].type != MT_STRING)
      return handled
                ? mt_op_put (out, mt_op_otherwise (args[3]))
                : MT_OP_FAIL (
                     MT_E_PARAMETER, MT_CODE_CONVERSION,
                     "$dateFromString requires that 'dateString' be a string, found: %s with value "
                     "%s",
                     mt_v_type_name (args[0]), mt_op_shown (ev, args[0]));
   if (is_null || args[1].type == MT_NULL || args[1].type == MT_UNDEFINED)
      return mt_op_null (out);
   MtStr s = {(const char *) args[0].p, args[0].len};
   bool zone_given = args[2].type != MT_MISSING;
   bool ok = args[1].type == MT_STRING
                ? by_format (&quiet, s, (MtStr) {(const char *) args[1].p, args[1].len}, zone,
                             zone_given, &ms)
                : by_itself (&quiet, s, zone, zone_given, &ms);
   if (ok)
      return mt_op_put (out, mt_v_date (ms));
   return handled ? mt_op_put (out, mt_op_otherwise (args[3])) : false;
}
