/* to_date and to_timestamp: parse times from text, by PostgreSQL's template patterns (section 9.8
 * of its manual). */
#include "functions/core/rows.h"
#include "functions/time/format_int.h"

#include "types/datetime.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The values of the fields read from the text. 0: the field does not occur. */
typedef struct Read {
   int year, year_digits, cc, mm, dd, ddd, d, ww, w, j;
   int hh, mi, ss, ssss, ms, us, ff, pm, bc;
   int tzsign, tzh, tzm;
   bool half_day, gregorian, iso;
} Read;

typedef struct Input {
   MtEval *ev;
   const char *s, *end;
   const MtTimeNode *n, *last; /* the current field; after the last node */
   /* Number of characters of the text that were skipped beyond those that the template skips. */
   int skipped;
   bool exact; /* FX */
   Read r;
} Input;

static bool is_blank (const Input *in)
{
   return in->s < in->end && isspace ((unsigned char) *in->s);
}
static bool is_digit_at (const Input *in, const char *p)
{
   return p < in->end && isdigit ((unsigned char) *p);
}

static void skip_blanks (Input *in)
{
   for (; is_blank (in); in->s++)
      in->skipped++;
}

static void skip_char (Input *in)
{
   if (in->s == in->end)
      return;
   do
      in->s++;
   while (in->s < in->end && ((unsigned char) *in->s & 0xC0) == 0x80);
}

static const char *name_of (const Input *in)
{
   return mt_strndup (in->ev->arena, in->n->text.p, in->n->text.n);
}

/* ---- numbers ---- */

static bool starts_with_digit (const MtTimeNode *n)
{
   if (n->kind != MT_TN_FIELD)
      return n->text.n == 1 && isdigit ((unsigned char) n->text.p[0]);
   switch (n->code) {
   case C_AM:
   case C_AMDOT:
   case C_BC:
   case C_BCDOT:
   case C_MONTH:
   case C_MON:
   case C_DAY:
   case C_DY:
   case C_RM:
   case C_FX:
   case C_TZ:
   case C_TZH:
   case C_OF:
   case C_NONE: return false;
   default: return true;
   }
}

/* Returns whether the number to be read may have any number of digits, because the next template
 * node does not begin with a digit. */
static bool ends_by_itself (const Input *in)
{
   return in->n->fm || in->n->th || in->n + 1 == in->last || !starts_with_digit (in->n + 1);
}

static bool bad_number (Input *in, const char *from, int width)
{
   size_t n = (size_t) (in->end - from) < (size_t) width ? (size_t) (in->end - from)
                                                         : (size_t) width;
   mt_error (in->ev->err, MT_E_DATETIME_FORMAT, "invalid value \"%.*s\" for \"%s\"", (int) n, from,
             name_of (in));
   return mt_error_detail (in->ev->err, "Value must be an integer.");
}

static bool too_few (Input *in, const char *from, int width, int found)
{
   if (in->end - from < width) {
      mt_error (in->ev->err, MT_E_DATETIME_FORMAT,
                "source string too short for \"%s\" formatting field", name_of (in));
      mt_error_detail (in->ev->err, "Field requires %d characters, but only %d remain.", width,
                       (int) (in->end - from));
   } else {
      mt_error (in->ev->err, MT_E_DATETIME_FORMAT, "invalid value \"%.*s\" for \"%s\"", width, from,
                name_of (in));
      mt_error_detail (in->ev->err, "Field requires %d characters, but only %d could be parsed.",
                       width, found);
   }
   return mt_error_hint (
      in->ev->err, "If your source string is not fixed-width, try using the \"FM\" modifier.");
}

static bool set_field (Input *in, int *field, int v)
{
   if (*field != 0 && *field != v) {
      mt_error (in->ev->err, MT_E_DATETIME_FORMAT,
                "conflicting values for \"%s\" field in formatting string", name_of (in));
      return mt_error_detail (in->ev->err,
                              "This value contradicts a previous setting for the same field type.");
   }
   *field = v;
   return true;
}

/* Reads an integer from the text into *field, of at most `width` characters unless it may have any
 * length. *used is its length with preceding blanks. `field` and `used` may be NULL. */
static bool number (Input *in, int width, int *field, int *used)
{
   const char *first = in->s;
   while (is_blank (in))
      in->s++;
   const char *from = in->s, *p = from;
   char copy[16];
   size_t n = (size_t) (in->end - from), most = ends_by_itself (in) ? n : (size_t) width;
   bool sign = p < in->end && (*p == '-' || *p == '+') && most > 1;
   for (p += sign; is_digit_at (in, p) && (size_t) (p - from) < most;)
      p++;
   int found = p - from > sign ? (int) (p - from) : 0;
   if (!ends_by_itself (in) && n < (size_t) width)
      return too_few (in, from, width, found);
   if (found == 0)
      return bad_number (in, from, width);
   if (!ends_by_itself (in) && found < width)
      return too_few (in, from, width, found);
   long v = 0;
   if (found < (int) sizeof copy) {
      memcpy (copy, from, (size_t) found);
      copy[found] = 0;
      v = strtol (copy, NULL, 10);
   }
   if (found >= (int) sizeof copy || v < INT_MIN || v > INT_MAX) {
      mt_error (in->ev->err, MT_E_DATETIME_RANGE,
                "value for \"%s\" in source string is out of range", name_of (in));
      return mt_error_detail (in->ev->err, "Value must be in the range %d to %d.", INT_MIN,
                              INT_MAX);
   }
   in->s = p;
   if (used)
      *used = (int) (p - first);
   return !field || set_field (in, field, (int) v);
}

/* Reads the fraction of a second, with at most `width` digits, into *field, in units of its last
 * possible digit. */
static bool fraction (Input *in, int width, int *field)
{
   int used, v = 0;
   if (!number (in, width, &v, &used))
      return false;
   for (int i = used; i < width; i++)
      v *= 10;
   return set_field (in, field, v);
}

/* Reads a year of at most `digits` digits. A year with fewer than four digits becomes the nearest
 * one to 2020. */
static bool year (Input *in, int digits)
{
   int used, v;
   if (!number (in, digits, &in->r.year, &used))
      return false;
   v = in->r.year;
   if (digits < 4 && used < 4) {
      if (v < 70 || (v >= 100 && v < 520))
         in->r.year = v + 2000;
      else if (v < 100)
         in->r.year = v + 1900;
      else if (v < 1000)
         in->r.year = v + 1000;
   }
   in->r.year_digits = digits;
   return true;
}

static bool comma_year (Input *in)
{
   const char *p = in->s, *from;
   long thousands = 0, rest = 0;
   while (p < in->end && isspace ((unsigned char) *p))
      p++;
   bool minus = p < in->end && *p == '-';
   p += p < in->end && (*p == '-' || *p == '+');
   for (from = p; is_digit_at (in, p) && p - from < 7; p++)
      thousands = thousands * 10 + (*p - '0');
   bool ok = p > from && p < in->end && *p == ',';
   p += ok;
   for (from = p; ok && is_digit_at (in, p) && p - from < 3; p++)
      rest = rest * 10 + (*p - '0');
   if (!ok || p == from)
      return mt_error (in->ev->err, MT_E_DATETIME_FORMAT, "invalid input string for \"Y,YYY\"");
   in->s = p;
   in->r.year_digits = 4;
   return set_field (in, &in->r.year, (int) ((minus ? -thousands : thousands) * 1000 + rest));
}

/* ---- names ---- */

static bool one_of (Input *in, const char *const *names, int count, size_t chars, int *out)
{
   for (int i = 0; i < count; i++) {
      size_t n = chars ? chars : strlen (names[i]);
      if ((size_t) (in->end - in->s) >= n && strncasecmp (in->s, names[i], n) == 0) {
         in->s += n;
         *out = i;
         return true;
      }
   }
   size_t n = 0;
   while (in->s + n < in->end && !isspace ((unsigned char) in->s[n]))
      n++;
   mt_error (in->ev->err, MT_E_DATETIME_FORMAT, "invalid value \"%.*s\" for \"%s\"", (int) n, in->s,
             name_of (in));
   return mt_error_detail (
      in->ev->err, "The given value did not match any of the allowed values for this field.");
}

static bool half (Input *in, bool dots)
{
   static const char *const plain[] = {"am", "pm"}, *const dotted[] = {"a.m.", "p.m."};
   int i;
   in->r.half_day = true;
   return one_of (in, dots ? dotted : plain, 2, 0, &i) && set_field (in, &in->r.pm, i);
}

static bool era (Input *in, bool dots)
{
   static const char *const plain[] = {"ad", "bc"}, *const dotted[] = {"a.d.", "b.c."};
   int i;
   return one_of (in, dots ? dotted : plain, 2, 0, &i) && set_field (in, &in->r.bc, i);
}

/* Reads a month as a Roman numeral. Longer numerals are tried first: VIII before VII. */
static bool roman_month (Input *in)
{
   static const char *const backwards[] = {"XII", "XI", "X",  "IX",  "VIII", "VII",
                                           "VI",  "V",  "IV", "III", "II",   "I"};
   int i;
   return one_of (in, backwards, 12, 0, &i) && set_field (in, &in->r.mm, 12 - i);
}

/* ---- fields ---- */

static bool zone_hours (Input *in)
{
   Read *r = &in->r;
   if (in->s < in->end && strchr ("+- ", *in->s))
      r->tzsign = *in->s++ == '-' ? -1 : 1;
   else
      /* without a sign at this position: a preceding "-" was already skipped as a separator */
      r->tzsign = in->skipped > 0 && in->s[-1] == '-' ? -1 : 1;
   return number (in, 2, &r->tzh, NULL);
}

static bool day_name (Input *in, size_t chars)
{
   int i;
   return one_of (in, mt_weekday_names, 7, chars, &i) && set_field (in, &in->r.d, i) &&
          (in->r.d++, true);
}

static bool iso_day (Input *in)
{
   if (!number (in, 1, &in->r.d, NULL))
      return false;
   in->r.d = in->r.d + 1 > 7 ? 1 : in->r.d + 1; /* from here on Sunday is 1 */
   return true;
}

static bool time_field (Input *in)
{
   Read *r = &in->r;
   switch ((int) in->n->code) {
   case C_HH: r->half_day = true; return number (in, 2, &r->hh, NULL);
   case C_HH24: return number (in, 2, &r->hh, NULL);
   case C_MI: return number (in, 2, &r->mi, NULL);
   case C_SS: return number (in, 2, &r->ss, NULL);
   case C_SSSS: return number (in, (int) in->n->text.n, &r->ssss, NULL);
   case C_MS: return fraction (in, 3, &r->ms);
   case C_US: return fraction (in, 6, &r->us);
   case C_FF: {
      int used, v = 0;
      r->ff = in->n->text.p[2] - '0';
      if (!number (in, r->ff, &v, &used))
         return false;
      for (int i = used; i < 6; i++)
         v *= 10;
      return set_field (in, &r->us, v);
   }
   case C_AM: return half (in, false);
   case C_AMDOT: return half (in, true);
   case C_TZH: return zone_hours (in);
   case C_TZM: r->tzsign = r->tzsign ? r->tzsign : 1; return number (in, 2, &r->tzm, NULL);
   default:
      return mt_error (in->ev->err, MT_E_FEATURE,
                       "formatting field \"%s\" is only supported in to_char", name_of (in));
   }
}

static bool date_field (Input *in)
{
   Read *r = &in->r;
   int i;
   switch ((int) in->n->code) {
   case C_YYYY:
   case C_IYYY: return year (in, 4);
   case C_YYY:
   case C_IYY: return year (in, 3);
   case C_YY:
   case C_IY: return year (in, 2);
   case C_Y:
   case C_I: return year (in, 1);
   case C_YCOMMA: return comma_year (in);
   case C_MM: return number (in, 2, &r->mm, NULL);
   case C_MONTH: return one_of (in, mt_month_names, 12, 0, &i) && set_field (in, &r->mm, i + 1);
   case C_MON: return one_of (in, mt_month_names, 12, 3, &i) && set_field (in, &r->mm, i + 1);
   case C_RM: return roman_month (in);
   case C_DD: return number (in, 2, &r->dd, NULL);
   case C_DDD:
   case C_IDDD: return number (in, 3, &r->ddd, NULL);
   case C_D: return number (in, 1, &r->d, NULL);
   case C_ID: return iso_day (in);
   case C_DAY: return day_name (in, 0);
   case C_DY: return day_name (in, 3);
   case C_WW:
   case C_IW: return number (in, 2, &r->ww, NULL);
   case C_W: return number (in, 1, &r->w, NULL);
   case C_CC: return number (in, 2, &r->cc, NULL);
   case C_J: return number (in, 1, &r->j, NULL);
   case C_Q: return number (in, 1, NULL, NULL);
   case C_BC: return era (in, false);
   default: return era (in, true);
   }
}

static bool is_date_field (MtTimeCode c)
{
   return c <= C_ID || (c >= C_MONTH && c <= C_Q) || c == C_BC || c == C_BCDOT || c == C_RM;
}

/* Notes whether the current field is one of an ISO week date or of the Gregorian calendar. A
 * template must not mix them. */
static bool mode (Input *in)
{
   switch ((int) in->n->code) {
   case C_IYYY:
   case C_IYY:
   case C_IY:
   case C_I:
   case C_IDDD:
   case C_ID:
   case C_IW: in->r.iso = true; break;
   case C_YYYY:
   case C_YYY:
   case C_YY:
   case C_Y:
   case C_YCOMMA:
   case C_MM:
   case C_MONTH:
   case C_MON:
   case C_RM:
   case C_DD:
   case C_DDD:
   case C_D:
   case C_WW:
   case C_W: in->r.gregorian = true; break;
   default: break;
   }
   if (!in->r.iso || !in->r.gregorian)
      return true;
   mt_error (in->ev->err, MT_E_DATETIME_FORMAT, "invalid combination of date conventions");
   return mt_error_hint (
      in->ev->err, "Do not mix Gregorian and ISO week date conventions in a formatting template.");
}

static bool field (Input *in)
{
   if (!mode (in))
      return false;
   if (in->n->code == C_FX)
      in->exact = true;
   else if (!(is_date_field (in->n->code) ? date_field (in) : time_field (in)))
      return false;
   bool ordinal = in->n->th && in->n->code != C_TZM && starts_with_digit (in->n);
   for (int i = 0; i < 2 && ordinal; i++)
      skip_char (in);
   if (!in->exact) {
      in->skipped = 0;
      skip_blanks (in);
   }
   return true;
}

static bool is_separator (const Input *in)
{
   char c = in->s < in->end ? *in->s : 0;
   return isspace ((unsigned char) c) || (c > ' ' && c < 0x7F && !isalnum ((unsigned char) c));
}

/* Handles a template node that is no field: skips one character of the text, or fewer if characters
 * were already skipped. */
static void other (Input *in)
{
   bool separates = in->n->kind == MT_TN_SPACE || in->n->kind == MT_TN_SEPARATOR;
   if (in->exact)
      skip_char (in);
   else if (separates) {
      in->skipped--;
      if (is_separator (in)) {
         in->s++;
         in->skipped++;
      }
   } else if (in->skipped > 0)
      in->skipped--;
   else
      skip_char (in);
}

static bool read_all (Input *in, MtStr format)
{
   size_t count;
   const MtTimeNode *nodes = mt_time_template (in->ev, format, &count);
   in->last = nodes + count;
   for (in->n = nodes; in->n < in->last && in->s < in->end; in->n++) {
      bool is_field = in->n->kind == MT_TN_FIELD;
      if (!in->exact && !(is_field && in->n->code == C_FX) && (is_field || in->n == nodes))
         skip_blanks (in);
      if (!is_field)
         other (in);
      else if (!field (in))
         return false;
   }
   return true;
}

/* ---- combining the fields that were read ---- */

typedef struct Civil {
   int64_t year;
   int month, day, hour, minute, second, us;
   bool has_year, has_month, has_day;
} Civil;

static bool out_of_range (MtEval *ev, MtVal text)
{
   return mt_error (ev->err, MT_E_DATETIME_RANGE, "date/time field value out of range: \"%.*s\"",
                    (int) text.len, (const char *) text.p);
}

static bool clock_of (MtEval *ev, const Read *r, Civil *c)
{
   if (r->ssss) {
      c->hour = r->ssss / 3600;
      c->minute = r->ssss / 60 % 60;
      c->second = r->ssss % 60;
   }
   c->second = r->ss ? r->ss : c->second;
   c->minute = r->mi ? r->mi : c->minute;
   c->hour = r->hh ? r->hh : c->hour;
   c->us = r->ms * 1000 + r->us;
   if (!r->half_day)
      return true;
   if (c->hour < 1 || c->hour > 12) {
      mt_error (ev->err, MT_E_DATETIME_FORMAT, "hour \"%d\" is invalid for the 12-hour clock",
                c->hour);
      return mt_error_hint (ev->err, "Use the 24-hour clock, or give an hour between 1 and 12.");
   }
   c->hour = c->hour % 12 + (r->pm ? 12 : 0);
   return true;
}

/* Computes c->year. Years before 1 AD are counted so that 0 is 1 BC. A century (CC) and a year of
 * two digits give a year of that century; a century alone gives its first year. */
static void year_of (const Read *r, Civil *c)
{
   int cc = r->bc ? -r->cc : r->cc;
   c->has_year = r->year || r->cc;
   if (r->year && r->cc && r->year_digits <= 2) {
      int y = r->year % 100;
      if (y)
         c->year = cc >= 0 ? y + (cc - 1) * 100 : (cc + 1) * 100 - y + 1;
      else
         c->year = cc * 100 + (cc >= 0 ? 0 : 1);
   } else if (r->year) {
      c->year = r->bc ? -(int64_t) r->year : r->year;
      c->year += c->year < 0;
   } else if (r->cc)
      c->year = cc >= 0 ? (cc - 1) * 100 + 1 : cc * 100 + 1;
}

static void set_days (Civil *c, int64_t days)
{
   mt_civil_from_days (days, &c->year, &c->month, &c->day);
   c->has_year = c->has_month = c->has_day = true;
}

/* Returns the Monday of the ISO year's first week, in days since 1970. */
static int64_t first_monday (int64_t year)
{
   int64_t fourth = mt_days_from_civil (year, 1, 4);
   return fourth - (mt_iso_dow (fourth) - 1);
}

static bool day_of_year (MtEval *ev, const Read *r, int ddd, Civil *c)
{
   if (!c->year && !r->bc)
      return mt_error (ev->err, MT_E_DATETIME_FORMAT,
                       "cannot calculate day of year without year information");
   if (r->iso) {
      set_days (c, first_monday (c->year) + ddd - 1);
      return true;
   }
   int month = 1;
   int64_t start = mt_days_from_civil (c->year, 1, 1);
   while (month < 12 && ddd > mt_days_from_civil (c->year, month + 1, 1) - start)
      month++;
   if (ddd > mt_days_from_civil (c->year + 1, 1, 1) - start)
      month = 13;
   int64_t before = month > 12 ? mt_days_from_civil (c->year + 1, 1, 1) - start
                               : mt_days_from_civil (c->year, month, 1) - start;
   if (c->month <= 1)
      c->month = month;
   if (c->day <= 1)
      c->day = (int) (ddd - before);
   c->has_month = c->has_day = true;
   return true;
}

static bool date_of (MtEval *ev, const Read *r, Civil *c)
{
   int ddd = r->ddd, dd = r->w ? (r->w - 1) * 7 + 1 : r->dd;
   year_of (r, c);
   if (r->j)
      set_days (c, (int64_t) r->j - 2440588);
   if (r->ww && r->iso)
      set_days (c, first_monday (c->year) + (r->ww - 1) * 7 + (r->d ? (r->d + 5) % 7 : 0));
   else if (r->ww)
      ddd = (r->ww - 1) * 7 + 1;
   if (dd) {
      c->day = dd;
      c->has_day = true;
   }
   if (r->mm) {
      c->month = r->mm;
      c->has_month = true;
   }
   return !ddd || (c->month > 1 && c->day > 1) || day_of_year (ev, r, ddd, c);
}

static bool valid (const Civil *c)
{
   static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
   bool leap = c->year % 4 == 0 && (c->year % 100 != 0 || c->year % 400 == 0);
   if ((c->has_month && (c->month < 1 || c->month > 12)) ||
       (c->has_day && (c->day < 1 || c->day > 31)))
      return false;
   if (c->has_year && c->has_month && c->has_day &&
       (c->day > lengths[c->month - 1] || (c->month == 2 && c->day == 29 && !leap)))
      return false;
   return c->hour >= 0 && c->hour < 24 && c->minute >= 0 && c->minute < 60 && c->second >= 0 &&
          c->second < 60 && c->us >= 0 && c->us < 1000000;
}

static bool civil_of (MtEval *ev, const MtVal *a, Input *in, Civil *c)
{
   *in = (Input) {.ev = ev, .s = (const char *) a[0].p, .end = (const char *) a[0].p + a[0].len};
   *c = (Civil) {.month = 1, .day = 1};
   if (!read_all (in, mt_v_text (a[1])) || !clock_of (ev, &in->r, c) || !date_of (ev, &in->r, c))
      return false;
   if (!valid (c))
      return out_of_range (ev, a[0]);
   const Read *r = &in->r;
   if (r->tzsign && (r->tzh < 0 || r->tzh > 15 || r->tzm < 0 || r->tzm > 59))
      return mt_error (ev->err, MT_E_ZONE_DISPLACEMENT,
                       "time zone displacement out of range: \"%.*s\"", (int) a[0].len,
                       (const char *) a[0].p);
   return true;
}

/* Returns the date in days since 1970. A day beyond the end of the month runs over into the next
 * month. */
static int64_t days_of (const Civil *c)
{
   return mt_days_from_civil (c->year, c->month, 1) + c->day - 1;
}

static bool fn_to_date (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Input in;
   Civil c;
   if (!civil_of (ev, a, &in, &c))
      return false;
   if (!mt_date_in_range (days_of (&c)))
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "date out of range: \"%.*s\"", (int) a[0].len,
                       (const char *) a[0].p);
   *out = mt_v_date (days_of (&c) * MT_DAY_MS);
   return true;
}

/* Computes to_timestamp. Arguments: text, template, the session's time zone. */
static bool fn_to_timestamp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   /* microseconds of one unit of FF1, …, FF6 */
   static const int64_t steps[] = {1, 100000, 10000, 1000, 100, 10, 1};
   Input in;
   Civil c;
   const MtZone *z = NULL;
   if (!mt_zone_arg (ev, a[2], &z) || !civil_of (ev, a, &in, &c))
      return false;
   if (days_of (&c) < MT_DATE_FIRST || c.year > 294276)
      return mt_error (ev->err, MT_E_DATETIME_RANGE, "timestamp out of range");
   int64_t local = days_of (&c) * MT_DAY_MS + ((c.hour * 60LL + c.minute) * 60 + c.second) * 1000 +
                   c.us / 1000;
   const Read *r = &in.r;
   int64_t utc = r->tzsign ? local - r->tzsign * (r->tzh * 60LL + r->tzm) * 60000
                           : mt_tz_to_utc (z, local);
   MtMoment t = {utc, (int) (c.us % 1000)};
   mt_put_moment (ev, mt_moment_round (t, steps[r->ff]), out);
   return true;
}

const MtFunc mt_fn_format_read[] = {
   MT_ROW ("to_date", "text, format text -> date", MT_NN, NULL, MT_OPN ("to_date", to_date, 0),
           "date read from text by a template",
           "SELECT to_date('05 Dec 2000', 'DD Mon YYYY') => 2000-12-05"),
   MT_ROW (
      "to_timestamp", "text, format text, _zone text -> timestamptz", MT_NN, NULL,
      MT_OPN ("to_timestamp_text", to_timestamp, 0),
      "timestamptz read from text by a template, in the session's time zone",
      "SELECT to_timestamp('05 Dec 2000 10:30', 'DD Mon YYYY HH24:MI') => 2000-12-05 10:30:00+00"),
   {.name = NULL},
};
