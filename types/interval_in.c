/* Reads intervals from text: "1 year 2 mons 3 days 04:05:06.789 ago", "1-2 3 4:05",
 * "P1Y2M3DT4H5M6S". */
#include "types/datetime_int.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define MAX_FIELDS 25
#define MAX_TEXT 127

/* The sums of the components read so far, in 64 bits. Whether they are in range is checked at the
 * end; years and months are checked before they are added up. */
typedef struct Parts {
   int64_t years, months, days, us;
   bool overflow;
} Parts;

static void add (int64_t *to, int64_t value, int64_t scale, bool *overflow)
{
   int64_t v;
   if (__builtin_mul_overflow (value, scale, &v) || __builtin_add_overflow (*to, v, to))
      *overflow = true;
}

/* A number in the text: its whole part, and its fraction, which has the same sign. */
typedef struct Number {
   int64_t whole;
   double fraction;
   bool neg, over; /* over: the whole part is out of range, and is limited to the range */
   const char *end;
} Number;

static bool read_number (const char *p, Number *n)
{
   n->neg = *p == '-';
   p += *p == '-' || *p == '+';
   if (!isdigit ((unsigned char) *p) && !(*p == '.' && isdigit ((unsigned char) p[1])))
      return false;
   n->whole = 0;
   n->over = false;
   for (; isdigit ((unsigned char) *p); p++) {
      int digit = n->neg ? '0' - *p : *p - '0';
      n->over = n->over || __builtin_mul_overflow (n->whole, 10, &n->whole) ||
                __builtin_add_overflow (n->whole, digit, &n->whole);
   }
   n->fraction = 0;
   if (*p == '.') {
      char *end;
      n->fraction = isdigit ((unsigned char) p[1]) ? strtod (p, &end) : (end = (char *) p + 1, 0.0);
      p = end;
   }
   if (n->neg)
      n->fraction = -n->fraction;
   n->end = p;
   if (n->over)
      n->whole = n->neg ? INT64_MIN : INT64_MAX;
   return true;
}

/* Adds microseconds to the sums. Halves are rounded towards zero, as in PostgreSQL. */
static void add_us (Parts *s, double us)
{
   double whole = trunc (us), rest = us - whole;
   add (&s->us, (int64_t) whole + (rest > 0.5) - (rest < -0.5), 1, &s->overflow);
}

/* Adds days to the sums. The fraction of a day is added as time. */
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
   case MT_U_QUARTER: return false;
   case MT_U_YEAR:
   case MT_U_DECADE:
   case MT_U_CENTURY:
   case MT_U_MILLENNIUM: {
      int64_t years = mt_unit_years (unit);
      add (&s->years, n->whole, years, &s->overflow);
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

/* Reads the number after a colon. If there are no digits ("1:", "1::30") it is 0, as in
 * PostgreSQL. */
static bool after_colon (const char *p, Number *out)
{
   *out = (Number) {.end = p};
   if (*p == '.' && !isdigit ((unsigned char) p[1])) {
      out->end++;
      return true;
   }
   return *p == 0 || *p == ':' ||
          ((isdigit ((unsigned char) *p) || *p == '.') && read_number (p, out));
}

/* Reads a time: [+-]h:mm[:ss[.f]] or mm:ss.f, or with minutes_first also mm:ss. Returns 1; 0 if the
 * text has another format; -1 if a component is out of range. */
static int read_clock (const char *p, bool minutes_first, int64_t *us)
{
   Number a, b, c = {0};
   bool neg = *p == '-', sign = neg || *p == '+';
   p += sign;
   if (!isdigit ((unsigned char) *p) || !read_number (p, &a) ||
       memchr (p, '.', (size_t) (a.end - p)) || *a.end != ':' || !after_colon (a.end + 1, &b))
      return 0;
   bool minutes = memchr (a.end + 1, '.', (size_t) (b.end - a.end - 1)) ||
                  (minutes_first && *b.end == 0);
   if (minutes) {
      c = b;
      b = a;
      a.whole = 0;
   } else if (*b.end == ':' && after_colon (b.end + 1, &c)) {
      b.end = c.end;
   }
   if (*(minutes ? c.end : b.end))
      return 0;
   bool over = b.whole > 59 || c.whole > 60 ||
               __builtin_mul_overflow (a.whole, INT64_C (3600000000), us);
   if (over || __builtin_add_overflow (
                  *us, (b.whole * 60 + c.whole) * 1000000 + (int64_t) rint (c.fraction * 1e6), us))
      return sign
                ? 0
                : -1; /* PostgreSQL also tries text with a sign as a zone, and then finds no time */
   *us = neg ? -*us : *us;
   return 1;
}

/* ---- words ---- */

/* Returns whether the unit at p may be followed directly by a digit or plus sign. Short units may:
 * "1d2h" has two units, but "1day2" is an error. */
static bool stands_by_itself (const char *p, size_t n)
{
   static const char *const words[] = {"y", "mon", "d",     "h",   "m",
                                       "s", "dec", "epoch", "dow", "doy"};
   bool found = false;
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      found = found || (strlen (words[i]) == n && strncasecmp (p, words[i], n) == 0);
   return found;
}

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
         if (!isalnum ((unsigned char) p[1]))
            return 0;
      }
      bool letters = isalpha ((unsigned char) *p);
      if (letters) {
         const char *word = p;
         while (isalpha ((unsigned char) *p))
            p++;
         if (*p == '-' || *p == '/' || *p == '.' ||
             ((*p == '+' || isdigit ((unsigned char) *p)) &&
              !stands_by_itself (word, (size_t) (p - word))))
            return 0;
      } else
         do
            p++;
         while (*p && !isspace ((unsigned char) *p) && !isalpha ((unsigned char) *p) && *p != '@' &&
                *p != ',');
      /* "5days": inserts a NUL between the number and the letters. The buffer has twice the size of
       * the text. */
      if (*p && !isspace ((unsigned char) *p) && *p != '@' && *p != ',')
         memmove (p + 1, p, strlen (p) + 1);
      if (*p)
         *p++ = 0;
   }
   return n;
}

/* Reads years and months in SQL's format: "1-2" is one year and two months. Returns false if the
 * text has another format. *range: the number is out of range. */
static bool year_month (const char *p, Parts *s, bool *range)
{
   Number y, m;
   const char *digits = p + (*p == '-' || *p == '+');
   if (!read_number (digits, &y) || *y.end != '-' || !isdigit ((unsigned char) y.end[1]) ||
       !read_number (y.end + 1, &m) || *m.end || m.fraction != 0 || y.fraction != 0)
      return false;
   *range = m.whole >= 12 || y.over;
   int sign = *p == '-' ? -1 : 1;
   add (&s->months, sign * y.whole, 12, &s->overflow);
   add (&s->months, sign * m.whole, 1, &s->overflow);
   return true;
}

#define BIT(unit) (1u << (unit))
#define SEEN_SECONDS (BIT (MT_U_SECOND) | BIT (MT_U_MILLISECOND) | BIT (MT_U_MICROSECOND))
#define SEEN_CLOCK (BIT (MT_U_HOUR) | BIT (MT_U_MINUTE) | SEEN_SECONDS)

typedef enum Result { OK, BAD, RANGE } Result;

/* The state while fields are read. They are read from the last to the first, because a unit follows
 * its number. A unit applies to all numbers before it, up to another unit or a field with its own
 * unit. */
typedef struct Reading {
   Parts *s;
   unsigned seen;
   MtTimeUnit unit;
   bool minutes_first;
   bool known; /* the unit is known; false after "ago", because numbers there have no unit */
} Reading;

static Result take_unit (Reading *r, unsigned bits)
{
   bool twice = r->seen & bits;
   r->seen |= bits;
   return twice ? BAD : OK;
}

static Result take_number (Reading *r, const char *p)
{
   Number n;
   if (!read_number (p, &n) || *n.end || !r->known)
      return BAD;
   if (n.over)
      return RANGE;
   MtTimeUnit unit = r->unit;
   if (!add_unit (r->s, unit, &n))
      return BAD;
   if (unit == MT_U_HOUR)
      r->unit = MT_U_DAY; /* the number before a time counts days, also in "3 4 hours" */
   return take_unit (r, unit == MT_U_SECOND && n.fraction != 0 ? SEEN_SECONDS : BIT (unit));
}

static Result take_value (Reading *r, const char *p)
{
   int64_t us;
   bool range = false;
   int clock = read_clock (p, r->minutes_first, &us);
   if (clock < 0)
      return RANGE;
   if (clock > 0) {
      add (&r->s->us, us, 1, &r->s->overflow);
      r->unit = MT_U_DAY; /* "3 4:05": a number before a time counts days */
      r->known = true;
      return take_unit (r, SEEN_CLOCK);
   }
   if (year_month (p, r->s, &range)) {
      r->unit = MT_U_MONTH;
      r->known = true;
      return range ? RANGE : take_unit (r, BIT (MT_U_MONTH));
   }
   return take_number (r, p);
}

static void negate (Parts *s)
{
   int64_t *parts[] = {&s->years, &s->months, &s->days, &s->us};
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      s->overflow |= __builtin_sub_overflow (0, *parts[i], parts[i]);
}

static Result take_fields (char *fields[], size_t n, MtTimeUnit unit, bool minutes_first, Parts *s)
{
   Reading r = {.s = s, .unit = unit, .minutes_first = minutes_first, .known = true};
   bool ago = false;
   for (size_t i = n; i-- > 0;) {
      if (!isalpha ((unsigned char) *fields[i])) {
         Result got = take_value (&r, fields[i]);
         if (got != OK)
            return got;
         continue;
      }
      const MtUnitName *row = mt_unit_row (fields[i], strlen (fields[i]));
      r.known = !mt_ieq (fields[i], "ago");
      ago = ago || !r.known;
      if (r.known && (!row || row->part_only))
         return BAD;
      if (r.known)
         r.unit = row->unit;
   }
   if (!r.seen)
      return BAD;
   if (ago)
      negate (s);
   return OK;
}

/* ---- ISO 8601 durations ---- */

/* Reads a number of the ISO format as PostgreSQL does, with strtod (), so P1e2D is valid. */
static Result iso_number (const char **p, Number *n, size_t *digits)
{
   char *end;
   const char *unsigned_p = *p + (**p == '-');
   *digits = strspn (unsigned_p, "0123456789");
   if (!isdigit ((unsigned char) **p) && **p != '-' && **p != '.')
      return BAD;
   errno = 0;
   double v = strtod (*p, &end);
   if (end == *p || errno)
      return BAD;
   if (!(v >= -1e15 && v <= 1e15))
      return RANGE;
   *n = (Number) {.whole = (int64_t) v, .end = end};
   n->fraction = v - (double) n->whole;
   *p = end;
   return OK;
}

/* Reads numbers of the ISO format that are separated by `sign`: years-months-days or
 * hours:minutes:seconds. *first was read before. */
static Result iso_list (const char **p, const Number *first, char sign, const MtTimeUnit units[3],
                        Parts *s)
{
   Number n = *first;
   size_t digits;
   for (int i = 0;; i++) {
      add_unit (s, units[i], &n);
      if (**p != sign)
         return OK;
      ++*p;
      if (i == 2)
         return BAD;
      Result r = iso_number (p, &n, &digits);
      if (r != OK)
         return r;
   }
}

/* Adds a number without separators in the ISO format, yyyymmdd or hhmmss. A fraction of hhmmss is a
 * number of microseconds, as in PostgreSQL. */
static void iso_digits (const Number *n, const MtTimeUnit units[3], Parts *s)
{
   Number parts[] = {
      {.whole = n->whole / 10000}, {.whole = n->whole / 100 % 100}, {.whole = n->whole % 100}};
   for (int i = 0; i < 3; i++)
      add_unit (s, units[i], &parts[i]);
   add_us (s, n->fraction * (units[2] == MT_U_DAY ? 86400e6 : 1));
}

static bool iso_letter (char letter, bool time, const Number *n, Parts *s)
{
   static const struct {
      char letter;
      bool time;
      MtTimeUnit unit;
   } units[] = {{'Y', false, MT_U_YEAR}, {'M', false, MT_U_MONTH}, {'W', false, MT_U_WEEK},
                {'D', false, MT_U_DAY},  {'H', true, MT_U_HOUR},   {'M', true, MT_U_MINUTE},
                {'S', true, MT_U_SECOND}};
   for (size_t i = 0; i < sizeof units / sizeof *units; i++)
      if (units[i].letter == letter && units[i].time == time)
         return add_unit (s, units[i].unit, n);
   return false;
}

static Result iso_duration (const char *p, Parts *s)
{
   static const MtTimeUnit date[] = {MT_U_YEAR, MT_U_MONTH, MT_U_DAY},
                           clock[] = {MT_U_HOUR, MT_U_MINUTE, MT_U_SECOND};
   bool time = false, any = false;
   if (!*++p)
      return BAD;
   while (*p) {
      Number n;
      size_t digits;
      if (*p == 'T') {
         time = true;
         any = false;
         p++;
         continue;
      }
      Result r = iso_number (&p, &n, &digits);
      if (r != OK)
         return r;
      if (iso_letter (*p, time, &n, s)) {
         any = true;
         p++;
         continue;
      }
      bool last = !*p || (*p == 'T' && !time);
      if (any)
         return BAD;
      if (last && digits == (time ? 6 : 8))
         iso_digits (&n, time ? clock : date, s);
      else if (last || *p == (time ? ':' : '-'))
         r = iso_list (&p, &n, time ? ':' : '-', time ? clock : date, s);
      else
         r = BAD;
      if (r != OK || (*p && (time || *p != 'T')))
         return r == OK ? BAD : r;
   }
   return OK;
}

/* ---- the whole interval ---- */

static bool fits (int64_t v) { return v >= INT32_MIN && v <= INT32_MAX; }

bool mt_interval_in (const char *p, size_t n, MtInterval *out, MtError *err)
{
   return mt_interval_in_unit (p, n, MT_U_SECOND, false, out, err);
}

bool mt_interval_in_unit (const char *p, size_t n, MtTimeUnit unit, bool minutes_first,
                          MtInterval *out, MtError *err)
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
   Result r;
   if (text[0] == 'P' && start == 0)
      r = iso_duration (text, &s);
   else {
      size_t count = split (text, fields);
      r = count ? take_fields (fields, count, unit, minutes_first, &s) : BAD;
   }
   if (r == BAD)
      return mt_text_bad ("interval", p, n, err);
   if (r == RANGE || s.overflow || !fits (s.years) || !fits (s.months) || !fits (s.days))
      return mt_error (err, MT_E_INTERVAL_RANGE, "interval field value out of range: \"%.*s\"",
                       n > 200 ? 200 : (int) n, p);
   int64_t months = s.years * 12 + s.months;
   if (!fits (months))
      return mt_error (err, MT_E_DATETIME_RANGE, "interval out of range");
   *out = (MtInterval) {(int32_t) months, (int32_t) s.days, s.us};
   return true;
}
