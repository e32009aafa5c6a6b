/* Reading intervals: "1 year 2 mons 3 days 04:05:06.789 ago", "1-2 3 4:05", "P1Y2M3DT4H5M6S". */
#include "base/datetime_int.h"

#include <math.h>
#include <stdlib.h>

#define MAX_FIELDS 25
#define MAX_TEXT 127

/* Sums of the parts; wide, and narrowed at the end. */
typedef struct Parts {
   int64_t months, days, us;
   bool overflow;
} Parts;

static void add (int64_t *to, int64_t value, int64_t scale, bool *overflow)
{
   int64_t v;
   if (__builtin_mul_overflow (value, scale, &v) || __builtin_add_overflow (*to, v, to))
      *overflow = true;
}

/* A number of the text: whole part, and fraction with the same sign. */
typedef struct Number {
   int64_t whole;
   double fraction;
   bool neg;
   const char *end;
} Number;

static bool read_number (const char *p, Number *n)
{
   n->neg = *p == '-';
   p += *p == '-' || *p == '+';
   if (!isdigit ((unsigned char) *p) && !(*p == '.' && isdigit ((unsigned char) p[1])))
      return false;
   n->whole = 0;
   bool over = false;
   for (; isdigit ((unsigned char) *p); p++)
      over = over || __builtin_mul_overflow (n->whole, 10, &n->whole) || __builtin_add_overflow (n->whole, *p - '0', &n->whole);
   n->fraction = 0;
   if (*p == '.') {
      char *end;
      n->fraction = isdigit ((unsigned char) p[1]) ? strtod (p, &end) : (end = (char *) p + 1, 0.0);
      p = end;
   }
   if (n->neg) {
      n->whole = -n->whole;
      n->fraction = -n->fraction;
   }
   n->end = p;
   if (over)
      n->whole = INT64_MAX; /* more than any part can hold */
   return true;
}

static void add_us (Parts *s, double us) { add (&s->us, (int64_t) rint (us), 1, &s->overflow); }

/* Days with a fraction, which becomes time. */
static void add_days (Parts *s, int64_t days, double fraction)
{
   double whole = trunc (fraction);
   add (&s->days, days, 1, &s->overflow);
   add (&s->days, (int64_t) whole, 1, &s->overflow);
   add_us (s, (fraction - whole) * 86400e6);
}

static bool add_unit (Parts *s, MtTimeUnit unit, const Number *n)
{
   switch (unit) {
   case MT_U_MICROSECOND:
      add (&s->us, n->whole, 1, &s->overflow);
      add_us (s, n->fraction);
      return true;
   case MT_U_MILLISECOND:
      add (&s->us, n->whole, 1000, &s->overflow);
      add_us (s, n->fraction * 1000);
      return true;
   case MT_U_SECOND:
      add (&s->us, n->whole, 1000000, &s->overflow);
      add_us (s, n->fraction * 1e6);
      return true;
   case MT_U_MINUTE:
      add (&s->us, n->whole, 60000000, &s->overflow);
      add_us (s, n->fraction * 60e6);
      return true;
   case MT_U_HOUR:
      add (&s->us, n->whole, 3600000000, &s->overflow);
      add_us (s, n->fraction * 3600e6);
      return true;
   case MT_U_DAY: add_days (s, n->whole, n->fraction); return true;
   case MT_U_WEEK:
      add (&s->days, n->whole, 7, &s->overflow);
      add_days (s, 0, n->fraction * 7);
      return true;
   case MT_U_MONTH:
      add (&s->months, n->whole, 1, &s->overflow);
      add_days (s, 0, n->fraction * 30);
      return true;
   case MT_U_QUARTER:
      return false;
   case MT_U_YEAR:
   case MT_U_DECADE:
   case MT_U_CENTURY:
   case MT_U_MILLENNIUM: {
      int64_t years = unit == MT_U_YEAR ? 1 : unit == MT_U_DECADE ? 10 : unit == MT_U_CENTURY ? 100 : 1000;
      add (&s->months, n->whole, years * 12, &s->overflow);
      add (&s->months, (int64_t) rint (n->fraction * (double) years * 12), 1, &s->overflow);
      return true;
   }
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
   return false;
}

/* What stands behind a colon: nothing is 0 ("1:", "1::30"), as in PostgreSQL. */
static bool after_colon (const char *p, Number *out)
{
   *out = (Number){.end = p};
   if (*p == '.' && !isdigit ((unsigned char) p[1])) {
      out->end++;
      return true;
   }
   return *p == 0 || *p == ':' || ((isdigit ((unsigned char) *p) || *p == '.') && read_number (p, out));
}

/* [+-]h:mm[:ss[.f]], or mm:ss.f. 1: read; 0: no such text; -1: a field is out of range. */
static int read_clock (const char *p, int64_t *us)
{
   Number a, b, c = {0};
   bool neg = *p == '-', sign = neg || *p == '+';
   p += sign;
   if (!isdigit ((unsigned char) *p) || !read_number (p, &a) || a.fraction != 0 || *a.end != ':' || !after_colon (a.end + 1, &b))
      return 0;
   bool minutes = memchr (a.end + 1, '.', (size_t) (b.end - a.end - 1)) != NULL; /* mm:ss.f */
   if (minutes) {
      c = b;
      b = a;
      a.whole = 0;
   } else if (*b.end == ':' && after_colon (b.end + 1, &c)) {
      b.end = c.end;
   }
   if (*(minutes ? c.end : b.end))
      return 0;
   if (b.whole > 59 || c.whole > 60 || a.whole > INT64_MAX / 3600000000 - 1)
      return sign ? 0 : -1; /* PostgreSQL tries what has a sign as a zone, too: not a time at all */
   *us = (a.whole * 3600 + b.whole * 60 + c.whole) * 1000000 + (int64_t) rint (c.fraction * 1e6);
   *us = neg ? -*us : *us;
   return 1;
}

/* ---- words ---- */

static size_t split (char *text, char *fields[])
{
   size_t n = 0;
   for (char *p = text; *p;) {
      if (isspace ((unsigned char) *p) || *p == '@' || *p == ',') {
         p++;
         continue;
      }
      if (n == MAX_FIELDS)
         return 0;
      fields[n++] = p;
      if (*p == '-' || *p == '+') { /* a sign may stand apart from its number */
         size_t gap = strspn (p + 1, " \t\n\v\f\r");
         memmove (p + 1, p + 1 + gap, strlen (p + 1 + gap) + 1);
      }
      bool letters = isalpha ((unsigned char) *p);
      if (letters)
         while (isalpha ((unsigned char) *p))
            p++;
      else
         do
            p++;
         while (*p && !isspace ((unsigned char) *p) && !isalpha ((unsigned char) *p) && *p != '@' && *p != ',');
      /* "5days": room for a NUL where letters and numbers meet; the text's buffer is twice as long as the text. */
      if (*p && !isspace ((unsigned char) *p) && *p != '@' && *p != ',')
         memmove (p + 1, p, strlen (p) + 1);
      if (*p)
         *p++ = 0;
   }
   return n;
}

/* SQL's "years-months". */
static bool year_month (const char *p, Parts *s, bool *range)
{
   Number y, m;
   const char *digits = p + (*p == '-' || *p == '+');
   if (!read_number (digits, &y) || *y.end != '-' || !isdigit ((unsigned char) y.end[1]) || !read_number (y.end + 1, &m) || *m.end ||
       m.fraction != 0 || y.fraction != 0)
      return false;
   *range = m.whole >= 12;
   int sign = *p == '-' ? -1 : 1;
   add (&s->months, sign * y.whole, 12, &s->overflow);
   add (&s->months, sign * m.whole, 1, &s->overflow);
   return true;
}

/* False: the unit was there already. */
static bool take_unit (MtTimeUnit unit, unsigned *seen)
{
   unsigned bit = 1u << unit;
   bool twice = *seen & bit;
   *seen |= bit;
   return !twice;
}

#define SEEN_CLOCK (1u << MT_U_HOUR | 1u << MT_U_MINUTE | 1u << MT_U_SECOND)

typedef enum Result { OK, BAD, RANGE } Result;

/* One field that isn't a unit; `unit` is that of the field after it, if any. */
static Result take_value (const char *p, bool has_unit, MtTimeUnit unit, Parts *s, unsigned *seen)
{
   int64_t us;
   bool range = false;
   Number n;
   if (!has_unit) {
      int clock = read_clock (p, &us);
      if (clock < 0)
         return RANGE;
      if (clock > 0) {
         bool twice = *seen & SEEN_CLOCK;
         *seen |= SEEN_CLOCK;
         add (&s->us, us, 1, &s->overflow);
         return twice ? BAD : OK;
      }
      if (year_month (p, s, &range)) {
         bool ok = take_unit (MT_U_YEAR, seen) && take_unit (MT_U_MONTH, seen);
         return range ? RANGE : ok ? OK : BAD;
      }
   }
   if (!read_number (p, &n) || *n.end || !take_unit (unit, seen))
      return BAD;
   return add_unit (s, unit, &n) ? OK : BAD;
}

/* From the last field to the first, as a bare number's unit depends on what follows it. */
static Result take_fields (char *fields[], size_t n, Parts *s)
{
   unsigned seen = 0;
   bool has_unit = false, ago = false;
   MtTimeUnit unit = MT_U_SECOND;
   for (size_t i = n; i-- > 0;) {
      if (isalpha ((unsigned char) *fields[i])) {
         const MtUnitName *row = mt_unit_row (fields[i], strlen (fields[i]));
         if (mt_ieq (fields[i], "ago")) {
            ago = true;
            continue;
         }
         if (has_unit)
            return BAD;
         if (!row || row->part_only)
            return BAD;
         has_unit = true;
         unit = row->unit;
         continue;
      }
      Result r = take_value (fields[i], has_unit, unit, s, &seen);
      if (r != OK)
         return r;
      /* "3 4:05": what stands before a time without a unit is days. */
      unit = !has_unit && strchr (fields[i], ':') ? MT_U_DAY : MT_U_SECOND;
      has_unit = false;
   }
   if (has_unit || seen == 0)
      return BAD;
   if (ago) {
      s->months = -s->months;
      s->days = -s->days;
      s->us = -s->us;
   }
   return OK;
}

/* ---- ISO 8601 durations ---- */

static Result iso_duration (const char *p, Parts *s)
{
   bool time = false, any = false;
   for (p++; *p;) {
      Number n;
      if (toupper ((unsigned char) *p) == 'T') {
         if (time)
            return BAD;
         time = true;
         p++;
         continue;
      }
      if (!read_number (p, &n))
         return BAD;
      static const struct { char letter; bool time; MtTimeUnit unit; } units[] = {
         {'Y', false, MT_U_YEAR}, {'M', false, MT_U_MONTH},  {'W', false, MT_U_WEEK},  {'D', false, MT_U_DAY},
         {'H', true, MT_U_HOUR},  {'M', true, MT_U_MINUTE}, {'S', true, MT_U_SECOND}};
      size_t i = 0, count = sizeof units / sizeof *units;
      while (i < count && (units[i].letter != toupper ((unsigned char) *n.end) || units[i].time != time))
         i++;
      if (i == count)
         return BAD;
      add_unit (s, units[i].unit, &n);
      any = true;
      p = n.end + 1;
   }
   return any ? OK : BAD;
}

/* ---- the whole ---- */

static bool fits (int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

bool mt_interval_in (const char *p, size_t n, MtInterval *out, MtError *err)
{
   char text[2 * MAX_TEXT + 2], *fields[MAX_FIELDS];
   Parts s = {0};
   size_t start = 0;
   while (start < n && isspace ((unsigned char) p[start]))
      start++;
   if (n - start > MAX_TEXT || memchr (p, 0, n))
      return mt_text_bad ("interval", p, n, err);
   memcpy (text, p + start, n - start);
   text[n - start] = 0;
   for (size_t len = n - start; len > 0 && isspace ((unsigned char) text[len - 1]); len--)
      text[len - 1] = 0;
   Result r;
   if (toupper ((unsigned char) text[0]) == 'P')
      r = iso_duration (text, &s);
   else {
      size_t count = split (text, fields);
      r = count ? take_fields (fields, count, &s) : BAD;
   }
   if (r == BAD)
      return mt_text_bad ("interval", p, n, err);
   if (r == RANGE || s.overflow || !fits (s.months) || !fits (s.days))
      return mt_error (err, MT_E_INTERVAL_RANGE, "interval field value out of range: \"%.*s\"", n > 200 ? 200 : (int) n, p);
   *out = (MtInterval){(int32_t) s.months, (int32_t) s.days, s.us};
   return true;
}
