/* Reads timestamps, dates and times of day from text.
 *
 * The text is split into fields by PostgreSQL's rules: a field with colons is a time, one with
 * separators a date, one with a leading sign a zone. Then each field sets components of the time
 * (year, hour …). The meaning of a field depends on the components that were set before. No
 * component may be set twice. */
#include "types/datetime_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_FIELDS 25
#define MAX_TEXT 150
#define MAX_SUBFIELDS 8

typedef enum Kind { F_NUMBER, F_WORD, F_DATE, F_TIME, F_ZONE, F_SIGNED_WORD } Kind;

typedef struct Field {
   Kind kind;
   char *text; /* the text of the field; words are in lower case */
} Field;

typedef enum Result {
   OK,
   BAD,        /* 22007: the text is not a time */
   RANGE,      /* 22008: out of range */
   MD_RANGE,   /* 22008: out of range, with the hint about the order of month and day */
   ZONE_RANGE, /* 22009: the offset of a zone is out of range */
   NO_ZONE     /* 22023: Parser.wrong is not the name of a zone */
} Result;

enum { YEAR = 1, MONTH = 2, DAY = 4, DATE = 7, TIME = 8, ZONE = 16, DOY = 32 };

typedef enum Special { NOT_SPECIAL, PLUS_INFINITY, MINUS_INFINITY, EPOCH, NOW } Special;

typedef struct Parser {
   const MtTimeEnv *env;
   const char *type;
   unsigned have;
   bool two_digit_year, text_month, is_bc, is_julian;
   enum { H24, AM, PM } meridian;
   int64_t year, month, day, doy;
   int64_t hour, minute, second, us;
   int32_t offset; /* the offset in seconds, if a zone was read and `zone` is NULL */
   const MtZone *zone;
   Special special;
   bool time_only;    /* a time of day is read; the date may be missing */
   bool after_t;      /* an ISO 'T' was just read */
   bool wants_julian; /* a 'J' was just read */
   const char *wrong;
} Parser;

/* ---- fields ---- */

static bool is_digit (char c) { return isdigit ((unsigned char) c); }
static bool is_alpha (char c) { return isalpha ((unsigned char) c); }
static bool is_space (char c) { return isspace ((unsigned char) c); }

static bool known_word (const char *p, size_t n);

/* Copies n characters from *in to *out in lower case, and advances both. */
static void take (const char **in, char **out, size_t n)
{
   while (n-- > 0)
      *(*out)++ = (char) tolower ((unsigned char) *(*in)++);
}

static size_t run (const char *p, bool (*is) (char))
{
   size_t n = 0;
   while (is (p[n]))
      n++;
   return n;
}

static bool of_time (char c) { return is_digit (c) || c == ':' || c == '.'; }
static bool of_zone_offset (char c) { return is_digit (c) || c == ':' || c == '.' || c == '-'; }
static bool of_zone_name (char c)
{
   return c && (is_alpha (c) || is_digit (c) || strchr ("+-/_.:", c));
}

static Kind digits_field (const char **in, char **out)
{
   take (in, out, run (*in, is_digit));
   char delim = **in;
   if (delim == ':') {
      take (in, out, run (*in, of_time));
      return F_TIME;
   }
   if (delim != '-' && delim != '/' && delim != '.')
      return F_NUMBER;
   take (in, out, 1);
   Kind kind = delim == '.' ? F_NUMBER : F_DATE;
   if (is_digit (**in)) {
      take (in, out, run (*in, is_digit));
      if (**in == delim) {
         kind = F_DATE;
         while (is_digit (**in) || **in == delim)
            take (in, out, 1);
      }
      return kind;
   }
   while (**in == delim || is_alpha (**in) || is_digit (**in)) {
      kind = F_DATE;
      take (in, out, 1);
   }
   return kind;
}

static Kind word_field (const char **in, char **out)
{
   size_t n = run (*in, is_alpha);
   char next = (*in)[n];
   /* One word with separators in it: "jan-01-2020", "america/new_york", "etc/gmt+5". But a 'T'
    * before digits is a word of its own. */
   bool joined = next == '-' || next == '/' || next == '.' ||
                 ((next == '+' || is_digit (next)) && !known_word (*in, n));
   take (in, out, n);
   if (joined)
      take (in, out, run (*in, of_zone_name));
   return joined ? F_DATE : F_WORD;
}

/* Copies the next field of the text to *out, and sets its kind. Returns false if the text can't be
 * a time. */
static bool one_field (const char **in, char **out, Kind *kind)
{
   if (is_digit (**in))
      *kind = digits_field (in, out);
   else if (**in == '.') {
      *kind = F_NUMBER;
      take (in, out, 1);
      take (in, out, run (*in, is_digit));
   } else if (is_alpha (**in))
      *kind = word_field (in, out);
   else if (**in == '+' || **in == '-') {
      take (in, out, 1);
      *in += run (*in, is_space);
      if (is_digit (**in)) {
         *kind = F_ZONE;
         take (in, out, run (*in, of_zone_offset));
      } else if (is_alpha (**in)) {
         *kind = F_SIGNED_WORD;
         take (in, out, run (*in, is_alpha));
      } else
         return false;
   } else
      return false;
   return true;
}

static bool split (const char *in, char *out, Field *fields, size_t *count)
{
   *count = 0;
   while (*in) {
      if (is_space (*in) || (ispunct ((unsigned char) *in) && !strchr ("+-.", *in))) {
         in++;
         continue;
      }
      if (*count == MAX_FIELDS)
         return false;
      Field *f = &fields[(*count)++];
      f->text = out;
      if (!one_field (&in, &out, &f->kind))
         return false;
      *out++ = 0;
   }
   return true;
}

/* ---- components ---- */

static Result put (Parser *s, unsigned parts)
{
   if (s->have & parts & (DATE | TIME | ZONE | DOY))
      return BAD;
   s->have |= parts;
   return OK;
}

static bool to_int (const char *p, size_t n, int64_t *out)
{
   int64_t v = 0;
   if (n == 0 || n > 10)
      return false;
   for (size_t i = 0; i < n; i++) {
      if (!is_digit (p[i]))
         return false;
      v = v * 10 + (p[i] - '0');
   }
   *out = v;
   return v <= INT32_MAX;
}

/* Converts the digits after a decimal point to microseconds, rounded. The result may be
 * 1,000,000. */
static int64_t fraction_us (const char *p, size_t n)
{
   char text[64] = "0.";
   if (n > sizeof text - 3)
      n = sizeof text - 3;
   memcpy (text + 2, p, n);
   text[n + 2] = 0;
   return (int64_t) rint (strtod (text, NULL) * 1e6);
}

/* Reads the number after a colon. If there are no digits ("12:", "12::30") it is 0, as in
 * PostgreSQL. */
static bool after_colon (const char *p, size_t n, int64_t *out)
{
   *out = 0;
   return n == 0 || to_int (p, n, out);
}

static Result take_time (Parser *s, const char *p)
{
   int64_t v[3] = {0, 0, 0};
   int n = 0;
   s->us = 0;
   for (;; p++) {
      size_t len = run (p, is_digit);
      if (n == 3 || !(n ? after_colon (p, len, &v[n]) : to_int (p, len, &v[n])))
         return len > 10 ? RANGE : BAD;
      n++;
      p += len;
      if (*p != ':')
         break;
   }
   if (n == 1)
      return BAD;
   if (*p == '.') {
      size_t len = run (p + 1, is_digit);
      if (p[1 + len])
         return BAD;
      s->us = fraction_us (p + 1, len);
      if (n == 2) { /* two numbers and a fraction are minutes and seconds: mm:ss.f */
         v[2] = v[1];
         v[1] = v[0];
         v[0] = 0;
      }
   } else if (*p)
      return BAD;
   s->hour = v[0];
   s->minute = v[1];
   s->second = v[2];
   if (s->minute > 59 || s->second > 60)
      return RANGE;
   return put (s, TIME);
}

static Result take_offset (Parser *s, const char *p)
{
   int sign = *p++ == '-' ? -1 : 1;
   int64_t h = 0, m = 0, sec = 0;
   size_t n = run (p, is_digit);
   if (!to_int (p, n, &h))
      return n > 10 ? ZONE_RANGE : BAD;
   if (p[n] == ':') {
      p += n + 1;
      size_t k = run (p, is_digit);
      if (!after_colon (p, k, &m) ||
          (p[k] == ':' && !after_colon (p + k + 1, strlen (p + k + 1), &sec)) ||
          (p[k] && p[k] != ':'))
         return BAD;
   } else if (p[n])
      return BAD;
   else if (n > 2) {
      m = h % 100;
      h /= 100;
   }
   if (h > 15 || m > 59 || sec > 59)
      return ZONE_RANGE;
   s->offset = sign * (int32_t) (h * 3600 + m * 60 + sec);
   s->zone = NULL;
   return put (s, ZONE);
}

/* Reads a long number without separators: the date yyyymmdd or yymmdd if it is not known yet
 * (date_done false), else the time hhmmss or hhmm, with an optional fraction. */
static Result take_run (Parser *s, const char *p, bool date_done)
{
   const char *point = strchr (p, '.');
   size_t n = point ? (size_t) (point - p) : strlen (p);
   if (point)
      s->us = fraction_us (point + 1, strlen (point + 1));
   else if (!date_done && n >= 6) {
      if (!to_int (p, n - 4, &s->year) || !to_int (p + n - 4, 2, &s->month) ||
          !to_int (p + n - 2, 2, &s->day))
         return BAD;
      s->two_digit_year = n == 6;
      return put (s, DATE);
   }
   if (!date_done || (n != 6 && n != 4) || (s->have & TIME))
      return BAD;
   s->second = 0;
   if (!to_int (p, 2, &s->hour) || !to_int (p + 2, 2, &s->minute) ||
       (n == 6 && !to_int (p + 4, 2, &s->second)))
      return BAD;
   if (!point)
      s->us = 0;
   return put (s, TIME);
}

static Result set_year (Parser *s, int64_t v, size_t len)
{
   s->year = v;
   s->two_digit_year = len <= 2;
   return put (s, YEAR);
}

static Result set_month (Parser *s, int64_t v)
{
   s->month = v;
   return put (s, MONTH);
}

static Result set_day (Parser *s, int64_t v)
{
   s->day = v;
   return put (s, DAY);
}

/* Reads the first number of a date, which has `len` digits: the year if it is long, else as the
 * setting DateStyle says. */
static Result take_first (Parser *s, int64_t v, size_t len)
{
   MtDateOrder order = s->env ? s->env->order : MT_ORDER_MDY;
   if (len >= 3 || order == MT_ORDER_YMD)
      return set_year (s, v, len);
   return order == MT_ORDER_DMY ? set_day (s, v) : set_month (s, v);
}

/* Reads a number without separators: either the next component of the date, in the order of the
 * setting DateStyle (or year, month, day), or a time. */
static Result take_number (Parser *s, const char *p)
{
   int64_t v;
   size_t len = run (p, is_digit);
   if (p[len] == '.' && len > 2)
      return take_run (s, p, true);
   if (p[len])
      return BAD;
   if (!to_int (p, len, &v))
      return len ? RANGE : BAD;
   if (len == 3 && (s->have & DATE) == YEAR && v >= 1 && v <= 366) {
      s->doy = v;
      return put (s, DOY | MONTH | DAY);
   }
   switch (s->have & DATE) {
   case 0: return take_first (s, v, len);
   case YEAR: return set_month (s, v);
   case MONTH: return s->text_month && len >= 3 ? set_year (s, v, len) : set_day (s, v);
   case YEAR | MONTH:
      if (s->text_month && len >= 3 && s->two_digit_year) { /* 99-Jan-2001: the first was the day */
         s->day = s->year;
         s->year = v;
         s->two_digit_year = false;
         return put (s, DAY);
      }
      return set_day (s, v);
   case DAY: return set_month (s, v);
   case MONTH | DAY: return set_year (s, v, len);
   case DATE: return take_run (s, p, true);
   }
   return BAD;
}

/* ---- words ---- */

typedef enum Meaning {
   W_MONTH,
   W_WEEKDAY,
   W_AMPM,
   W_ERA,
   W_IGNORED,
   W_T,
   W_JULIAN,
   W_SPECIAL,
   W_DAY,
   W_MIDNIGHT
} Meaning;

typedef struct Word {
   const char *word;
   Meaning meaning;
   int value;
} Word;

static const Word words[] = {
   {"jan", W_MONTH, 1},
   {"january", W_MONTH, 1},
   {"feb", W_MONTH, 2},
   {"february", W_MONTH, 2},
   {"mar", W_MONTH, 3},
   {"march", W_MONTH, 3},
   {"apr", W_MONTH, 4},
   {"april", W_MONTH, 4},
   {"may", W_MONTH, 5},
   {"jun", W_MONTH, 6},
   {"june", W_MONTH, 6},
   {"jul", W_MONTH, 7},
   {"july", W_MONTH, 7},
   {"aug", W_MONTH, 8},
   {"august", W_MONTH, 8},
   {"sep", W_MONTH, 9},
   {"sept", W_MONTH, 9},
   {"september", W_MONTH, 9},
   {"oct", W_MONTH, 10},
   {"october", W_MONTH, 10},
   {"nov", W_MONTH, 11},
   {"november", W_MONTH, 11},
   {"dec", W_MONTH, 12},
   {"december", W_MONTH, 12},
   {"mon", W_WEEKDAY, 1},
   {"monday", W_WEEKDAY, 1},
   {"tue", W_WEEKDAY, 2},
   {"tues", W_WEEKDAY, 2},
   {"tuesday", W_WEEKDAY, 2},
   {"wed", W_WEEKDAY, 3},
   {"wednesday", W_WEEKDAY, 3},
   {"weds", W_WEEKDAY, 3},
   {"thu", W_WEEKDAY, 4},
   {"thur", W_WEEKDAY, 4},
   {"thurs", W_WEEKDAY, 4},
   {"thursday", W_WEEKDAY, 4},
   {"fri", W_WEEKDAY, 5},
   {"friday", W_WEEKDAY, 5},
   {"sat", W_WEEKDAY, 6},
   {"saturday", W_WEEKDAY, 6},
   {"sun", W_WEEKDAY, 0},
   {"sunday", W_WEEKDAY, 0},
   {"am", W_AMPM, AM},
   {"pm", W_AMPM, PM},
   {"ad", W_ERA, 0},
   {"bc", W_ERA, 1},
   {"at", W_IGNORED, 0},
   {"on", W_IGNORED, 0},
   {"t", W_T, 0},
   {"j", W_JULIAN, 0},
   {"jd", W_JULIAN, 0},
   {"julian", W_JULIAN, 0},
   {"now", W_SPECIAL, NOW},
   {"epoch", W_SPECIAL, EPOCH},
   {"infinity", W_SPECIAL, PLUS_INFINITY},
   {"-infinity", W_SPECIAL, MINUS_INFINITY},
   {"+infinity", W_SPECIAL, PLUS_INFINITY},
   {"today", W_DAY, 0},
   {"tomorrow", W_DAY, 1},
   {"yesterday", W_DAY, -1},
   {"allballs", W_MIDNIGHT, 0},
};

static const Word *find_word (const char *p, size_t n)
{
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (mt_str_ieq ((MtStr) {p, n}, mt_str (words[i].word)))
         return &words[i];
   return NULL;
}

static bool known_word (const char *p, size_t n) { return find_word (p, n) != NULL; }

static const MtZone *session_zone (const Parser *s)
{
   return s->env && s->env->zone ? s->env->zone : mt_tz_utc ();
}

static void take_today (Parser *s, int shift)
{
   int64_t local = mt_tz_to_local (session_zone (s), s->env ? s->env->now_ms : 0);
   int month, day;
   mt_civil_from_days (mt_floor_div (local, MT_DAY_MS) + shift, &s->year, &month, &day);
   s->month = month;
   s->day = day;
   s->two_digit_year = false;
   s->is_julian = true; /* prevents later changes of the year */
}

static Result take_zone_name (Parser *s, const char *name)
{
   const MtZone *zone;
   if (!mt_tz_find (name, strlen (name), &zone, NULL))
      return NO_ZONE;
   s->zone = zone;
   return put (s, ZONE);
}

static Result take_word (Parser *s, const char *p)
{
   const Word *w = find_word (p, strlen (p));
   if (!w) {
      Result r = take_zone_name (s, p);
      return r == NO_ZONE ? BAD : r;
   }
   switch (w->meaning) {
   case W_MONTH:
      /* in "08 Jan 2001" the number 08 was read as the month, but is the day */
      if ((s->have & MONTH) && !s->text_month && !(s->have & DAY) && s->month >= 1 &&
          s->month <= 31) {
         s->day = s->month;
         s->have = (s->have & ~(unsigned) MONTH) | DAY;
      }
      s->text_month = true;
      return set_month (s, w->value);
   case W_AMPM: s->meridian = w->value == AM ? AM : PM; return OK;
   case W_ERA: s->is_bc = w->value; return OK;
   case W_WEEKDAY:
   case W_IGNORED: return OK;
   case W_T:
      s->after_t = true;
      return s->time_only == !(s->have & DATE)
                ? OK
                : BAD; /* as in PostgreSQL, text for the type time has no T between date and time */
   case W_JULIAN: s->wants_julian = true; return OK;
   case W_SPECIAL:
      s->special = (Special) w->value;
      return put (s, w->value == NOW ? DATE | TIME | ZONE : DATE);
   case W_DAY: take_today (s, w->value); return put (s, DATE);
   case W_MIDNIGHT:
      s->offset = 0;
      s->hour = s->minute = s->second = s->us = 0;
      return put (s, TIME | ZONE);
   }
   return BAD;
}

/* ---- dates with separators ---- */

static Result take_date_parts (Parser *s, char *p)
{
   char *part[MAX_SUBFIELDS];
   size_t n = 0;
   unsigned before = s->have;
   while (*p) {
      while (*p && !is_digit (*p) && !is_alpha (*p))
         p++;
      if (!*p || n == MAX_SUBFIELDS)
         return BAD;
      part[n++] = p;
      p += is_digit (*p) ? run (p, is_digit) : run (p, is_alpha);
      if (*p)
         *p++ = 0;
   }
   for (size_t i = 0; i < n;
        i++) /* a month's name changes the meaning of the numbers, so it is searched first */
      if (is_alpha (part[i][0])) {
         const Word *w = find_word (part[i], strlen (part[i]));
         if (!w || w->meaning != W_MONTH || set_month (s, w->value) != OK)
            return BAD;
         s->text_month = true;
         part[i] = NULL;
      }
   for (size_t i = 0; i < n; i++) {
      Result r = part[i] ? take_number (s, part[i]) : OK;
      if (r != OK)
         return r;
   }
   return (s->have & DATE) == DATE && !(s->have & TIME & ~before) ? OK : BAD;
}

static Result take_date (Parser *s, char *p)
{
   if (s->after_t || (s->have & DATE) == DATE) {
      if (!is_digit (*p)) {
         Result r = take_zone_name (s, p);
         s->wrong = p;
         return r;
      }
      /* 040506-08 is a time without colons, with a zone */
      char *minus = strchr (p, '-'), text[MAX_TEXT];
      if (!minus)
         return BAD;
      snprintf (text, sizeof text, "%s", minus);
      *minus = 0;
      Result r = take_run (s, p, true);
      return r == OK ? take_offset (s, text) : r;
   }
   if (is_alpha (*p) && strchr (p, '/') && !known_word (p, run (p, is_alpha))) {
      s->wrong = p;
      return take_zone_name (s, p);
   }
   return take_date_parts (s, p);
}

static Result take_digits (Parser *s, char *p)
{
   size_t len = run (p, is_digit);
   bool point = p[len] == '.';
   if (s->wants_julian) {
      int64_t days;
      if (!to_int (p, len, &days))
         return RANGE;
      int month, day;
      mt_civil_from_days (days - 2440588, &s->year, &month, &day);
      s->month = month;
      s->day = day;
      s->is_julian = true;
      s->wants_julian = false;
      if (point) {
         s->us = 0;
         int64_t us = (int64_t) rint (strtod (p + len, NULL) * 86400e6);
         s->hour = us / 3600000000;
         s->minute = us / 60000000 % 60;
         s->second = us / 1000000 % 60;
         s->us = us % 1000000;
      }
      return put (s, point ? DATE | TIME : DATE);
   }
   if (s->after_t)
      return take_run (s, p, true);
   if (point && !(s->have & DATE))
      return take_date_parts (s, p);
   if (point && len > 2)
      return take_run (s, p, (s->have & DATE) == DATE);
   if (len >= 6 && (!(s->have & DATE) || !(s->have & TIME)))
      return take_run (s, p, (s->have & DATE) == DATE);
   return take_number (s, p);
}

static Result take_field (Parser *s, Field f)
{
   Result r = BAD;
   bool t = s->after_t;
   if (t && f.kind != F_NUMBER && f.kind != F_TIME && f.kind != F_DATE)
      return BAD;
   switch (f.kind) {
   case F_NUMBER: r = take_digits (s, f.text); break;
   case F_TIME: r = take_time (s, f.text); break;
   case F_DATE: r = take_date (s, f.text); break;
   case F_ZONE: r = take_offset (s, f.text); break;
   case F_WORD:
   case F_SIGNED_WORD: r = take_word (s, f.text); break;
   }
   if (t)
      s->after_t = false;
   return r;
}

/* ---- checks ---- */

static Result check_date (Parser *s)
{
   if ((s->have & YEAR) && !s->is_julian) {
      if (s->is_bc) {
         if (s->year <= 0)
            return RANGE;
         s->year = 1 - s->year;
      } else if (s->two_digit_year) {
         if (s->year < 70)
            s->year += 2000;
         else if (s->year < 100)
            s->year += 1900;
      } else if (s->year <= 0) {
         return RANGE;
      }
   }
   if (s->have & DOY) {
      int month, day;
      mt_civil_from_days (mt_days_from_civil (s->year, 1, 1) + s->doy - 1, &s->year, &month, &day);
      s->month = month;
      s->day = day;
   }
   if ((s->have & MONTH) && (s->month < 1 || s->month > 12))
      return MD_RANGE;
   if ((s->have & DAY) && (s->day < 1 || s->day > 31))
      return MD_RANGE;
   if ((s->have & DATE) == DATE && s->day > mt_days_in_month (s->year, (int) s->month))
      return RANGE;
   return OK;
}

static int64_t day_us (const Parser *s)
{
   return (s->hour * 3600 + s->minute * 60 + s->second) * 1000000 + s->us;
}

static Result check_time (Parser *s)
{
   if (s->meridian != H24 && s->hour > 12)
      return RANGE;
   if (s->meridian == AM && s->hour == 12)
      s->hour = 0;
   else if (s->meridian == PM && s->hour != 12)
      s->hour += 12;
   if (s->minute > 59 || s->second > 60 || s->hour > 24 || day_us (s) > MT_DAY_US)
      return RANGE;
   return OK;
}

static Result parse (Parser *s, char *buffer, const char *text)
{
   Field fields[MAX_FIELDS];
   size_t count;
   if (!split (text, buffer, fields, &count))
      return BAD;
   for (size_t i = 0; i < count; i++) {
      /* if only a time of day is expected, a number is hhmmss */
      bool number = s->time_only && !s->after_t && fields[i].kind == F_NUMBER &&
                    !(s->have & DATE) && run (fields[i].text, is_digit) >= 4;
      Result r = number ? take_run (s, fields[i].text, true) : take_field (s, fields[i]);
      if (r != OK)
         return r;
   }
   if (s->after_t || s->wants_julian || s->have == 0)
      return BAD;
   if (s->special != NOT_SPECIAL)
      return OK;
   Result r = check_date (s);
   return r == OK ? check_time (s) : r;
}

static bool fail (Parser *s, Result r, const char *p, size_t n, MtError *err)
{
   int shown = n > 200 ? 200 : (int) n;
   switch (r) {
   case OK:
   case BAD: return mt_text_bad (s->type, p, n, err);
   case RANGE: return mt_text_range (p, n, err);
   case MD_RANGE:
      mt_text_range (p, n, err);
      return mt_error_hint (err, "Perhaps you need a different \"datestyle\" setting.");
   case ZONE_RANGE:
      return mt_error (err, MT_E_ZONE_DISPLACEMENT, "time zone displacement out of range: \"%.*s\"",
                       shown, p);
   case NO_ZONE:
      return mt_error (err, MT_E_PARAMETER, "time zone \"%s\" not recognized",
                       s->wrong ? s->wrong : "");
   }
   return false;
}

/* ---- the types ---- */

/* Converts the components to a moment in UTC (with_zone) or in local time. */
static Result to_moment (Parser *s, bool with_zone, MtMoment *to)
{
   int64_t *out = &to->ms;
   to->us = 0;
   switch (s->special) {
   case PLUS_INFINITY: *out = MT_TS_INFINITY; return OK;
   case MINUS_INFINITY: *out = MT_TS_MINUS_INFINITY; return OK;
   case EPOCH: *out = 0; return OK;
   case NOW:
      *out = s->env ? s->env->now_ms : 0;
      *out = with_zone ? *out : mt_tz_to_local (session_zone (s), *out);
      return OK;
   case NOT_SPECIAL: break;
   }
   if ((s->have & DATE) != DATE)
      return BAD;
   if (s->year < -4713 || s->year > 5874897)
      return NO_ZONE; /* the caller reports that the whole text is out of range */
   int64_t days = mt_days_from_civil (s->year, (int) s->month, (int) s->day);
   if (days < MT_TS_FIRST / MT_DAY_MS || days > MT_TS_END / MT_DAY_MS)
      return NO_ZONE;
   *to = mt_moment_after (days * MT_DAY_MS, day_us (s));
   int64_t local = to->ms;
   if (!with_zone)
      *out = local;
   else if (!(s->have & ZONE))
      *out = mt_tz_to_utc (session_zone (s), local);
   else
      *out = s->zone ? mt_tz_to_utc (s->zone, local) : local - (int64_t) s->offset * 1000;
   return mt_ts_in_range (*out) ? OK : NO_ZONE;
}

/* Copies a text without blanks at its ends, and adds a NUL. Returns NULL if it can't be a time: it
 * is empty, too long, or contains a NUL. */
static const char *prepare (char text[MAX_TEXT + 1], const char *p, size_t n)
{
   while (n > 0 && is_space (p[0])) {
      p++;
      n--;
   }
   while (n > 0 && is_space (p[n - 1]))
      n--;
   if (n > MAX_TEXT || n == 0 || memchr (p, 0, n))
      return NULL;
   memcpy (text, p, n);
   text[n] = 0;
   return text;
}

/* ---- the usual format ---- */

/* Reads a number with exactly `count` digits, advances *p, and returns whether its value is from
 * `least` to `most`. */
static bool take_digits_of (const char **p, const char *end, int count, int64_t least, int64_t most,
                            int64_t *out)
{
   if (end - *p < count)
      return false;
   for (*out = 0; count--; ++*p) {
      if (!is_digit (**p))
         return false;
      *out = 10 * *out + (**p - '0');
   }
   return *out >= least && *out <= most;
}

static bool take_char (const char **p, const char *end, char c)
{
   bool is = *p < end && **p == c;
   *p += is;
   return is;
}

static bool usual_offset (Parser *s, const char **p, const char *end)
{
   int64_t hours, minutes = 0;
   if (*p == end)
      return true;
   bool west = **p == '-';
   if ((!take_char (p, end, '+') && !take_char (p, end, '-')) ||
       !take_digits_of (p, end, 2, 0, 15, &hours) ||
       (take_char (p, end, ':') && !take_digits_of (p, end, 2, 0, 59, &minutes)))
      return false;
   s->offset = (int32_t) (hours * 3600 + minutes * 60) * (west ? -1 : 1);
   s->have |= ZONE;
   return true;
}

/* Reads a text in the usual format, yyyy-mm-dd hh:mm[:ss[.ffffff]][+hh[:mm]], ten times faster than
 * `parse`. Returns false if the text has another format or an error; then `parse` must read it. */
static bool take_usual (Parser *s, const char *p, size_t n)
{
   const char *end = p + n;
   if (!take_digits_of (&p, end, 4, 1, 9999, &s->year) || !take_char (&p, end, '-') ||
       !take_digits_of (&p, end, 2, 1, 12, &s->month) || !take_char (&p, end, '-') ||
       !take_digits_of (&p, end, 2, 1, 31, &s->day) ||
       s->day > mt_days_in_month (s->year, (int) s->month) ||
       (!take_char (&p, end, ' ') && !take_char (&p, end, 'T')) ||
       !take_digits_of (&p, end, 2, 0, 23, &s->hour) || !take_char (&p, end, ':') ||
       !take_digits_of (&p, end, 2, 0, 59, &s->minute))
      return false;
   bool seconds = take_char (&p, end, ':');
   if (seconds && !take_digits_of (&p, end, 2, 0, 59, &s->second))
      return false;
   /* a fraction is only allowed after seconds, because in hh:mm.f the numbers are minutes and
    * seconds */
   if (seconds && take_char (&p, end, '.')) {
      size_t digits = 0;
      while (p + digits < end && is_digit (p[digits]))
         digits++;
      if (digits < 1 || digits > 6)
         return false;
      s->us = fraction_us (p, digits);
      p += digits;
   }
   s->have = DATE | TIME;
   return usual_offset (s, &p, end) && p == end;
}

bool mt_moment_in (const char *p, size_t n, const MtTimeEnv *env, bool with_zone, MtMoment *to,
                   MtError *err)
{
   char text[MAX_TEXT + 1], buffer[2 * MAX_TEXT + MAX_FIELDS + 2];
   const Parser none = {.env = env, .type = with_zone ? MT_TSTZ_TYPE : "timestamp"};
   Parser s = none;
   Result r = OK;
   MtMoment out;
   if (!take_usual (&s, p, n)) {
      s = none;
      r = prepare (text, p, n) ? parse (&s, buffer, text) : BAD;
   }
   if (r != OK)
      return fail (&s, r, p, n, err);
   r = to_moment (&s, with_zone, &out);
   if (r == NO_ZONE)
      return mt_error (err, MT_E_DATETIME_RANGE, "timestamp out of range: \"%.*s\"",
                       n > 200 ? 200 : (int) n, p);
   if (r != OK)
      return fail (&s, r, p, n, err);
   *to = out;
   return true;
}

static bool read_timestamp (const char *p, size_t n, const MtTimeEnv *env, bool with_zone,
                            int64_t *ms, MtError *err)
{
   MtMoment t;
   if (!mt_moment_in (p, n, env, with_zone, &t, err))
      return false;
   *ms = t.ms;
   return true;
}

bool mt_timestamptz_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *ms, MtError *err)
{
   return read_timestamp (p, n, env, true, ms, err);
}

bool mt_timestamp_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *ms, MtError *err)
{
   return read_timestamp (p, n, env, false, ms, err);
}

bool mt_date_in (const char *p, size_t n, const MtTimeEnv *env, int32_t *days, MtError *err)
{
   char text[MAX_TEXT + 1], buffer[2 * MAX_TEXT + MAX_FIELDS + 2];
   Parser s = {.env = env, .type = "date"};
   Result r = prepare (text, p, n) ? parse (&s, buffer, text) : BAD;
   if (r == OK && (s.have & DATE) != DATE)
      r = BAD;
   if (r != OK)
      return fail (&s, r, p, n, err);
   MtMoment t;
   if (s.special != NOT_SPECIAL) {
      to_moment (&s, false, &t);
      return mt_timestamp_to_date (t.ms, days, err);
   }
   int64_t d = s.year < -4713 || s.year > 5874898
                  ? INT64_MAX
                  : mt_days_from_civil (s.year, (int) s.month, (int) s.day);
   if (!mt_date_in_range (d))
      return mt_error (err, MT_E_DATETIME_RANGE, "date out of range: \"%.*s\"",
                       n > 200 ? 200 : (int) n, p);
   *days = (int32_t) d;
   return true;
}

bool mt_time_in (const char *p, size_t n, const MtTimeEnv *env, int64_t *us, MtError *err)
{
   char text[MAX_TEXT + 1], buffer[2 * MAX_TEXT + MAX_FIELDS + 2];
   Parser s = {.env = env, .type = "time", .time_only = true};
   Result r = prepare (text, p, n) ? parse (&s, buffer, text) : BAD;
   bool whole = !(s.have & DATE) ||
                (s.have & DATE) == DATE;            /* other parts of a date were no time */
   bool turns = s.zone && !mt_tz_is_fixed (s.zone); /* the offset of the zone depends on the date */
   if (r == OK && turns && !(s.have & DATE))
      r = BAD;
   if (r == OK && (!whole || !(s.have & TIME) || (s.special != NOT_SPECIAL && s.special != NOW)))
      r = BAD;
   if (r != OK)
      return fail (&s, r, p, n, err);
   MtMoment t;
   if (s.special == NOW)
      to_moment (&s, false, &t);
   *us = s.special == NOW ? mt_timestamp_to_time (t.ms) : day_us (&s);
   return true;
}
