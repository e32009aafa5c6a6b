/* Determines which types a text can have. */
#include "copy/sniff_types.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool digit (char c) { return c >= '0' && c <= '9'; }

/* Reads up to `most` digits at *i, and moves *i to the character after them. Stores the number in
 * *v. Returns how many digits there are. */
static size_t digits (MtStr s, size_t *i, size_t most, int *v)
{
   size_t n = 0;
   *v = 0;
   for (; *i < s.n && n < most && digit (s.p[*i]); ++*i, n++)
      *v = *v * 10 + (s.p[*i] - '0');
   return n;
}

static bool take (MtStr s, size_t *i, char c)
{
   bool there = *i < s.n && s.p[*i] == c;
   *i += there;
   return there;
}

/* ---- numbers ---- */

/* The parts of a number in a text: how many digits of each kind it has. */
typedef struct Digits {
   size_t whole, fraction; /* the number of digits before and after the decimal separator */
   bool exponent;
} Digits;

/* Splits a number with the decimal separator `point` into its parts. Returns false if s is not a
 * number. */
static bool number_parts (MtStr s, char point, Digits *out)
{
   size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+'), from = i;
   *out = (Digits) {0};
   while (i < s.n && digit (s.p[i]))
      i++;
   out->whole = i - from;
   if (out->whole > 1 && s.p[from] == '0')
      return false; /* leading zeros, as in 007: a code, not a number */
   if (take (s, &i, point)) {
      from = i;
      while (i < s.n && digit (s.p[i]))
         i++;
      out->fraction = i - from;
      if (!out->fraction)
         return false;
   }
   if (i < s.n && out->whole && (s.p[i] == 'e' || s.p[i] == 'E')) {
      int v;
      i++;
      if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
         i++;
      out->exponent = true;
      if (!digits (s, &i, 3, &v))
         return false;
   }
   return i == s.n && out->whole + out->fraction > 0;
}

static unsigned number_kinds (MtStr s, char decimal)
{
   Digits d;
   int64_t v;
   if (mt_str_ieq (s, MT_STR ("nan")) || mt_str_ieq (s, MT_STR ("infinity")) ||
       mt_str_ieq (s, MT_STR ("-infinity")))
      return MT_SNIFF_FLOAT;
   if (!number_parts (s, decimal, &d))
      return 0;
   bool whole = !d.fraction && !d.exponent && mt_sniff_int (s, &v);
   size_t n = d.whole + d.fraction;
   return (whole ? MT_SNIFF_INT : 0u) | (n <= 17 || d.exponent ? MT_SNIFF_FLOAT : 0u) |
          (n <= 34 && !d.exponent ? MT_SNIFF_NUMERIC : 0u);
}

bool mt_sniff_int (MtStr s, int64_t *out)
{
   size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+');
   bool minus = i && s.p[0] == '-';
   *out = 0;
   if (i == s.n)
      return false;
   for (; i < s.n; i++)
      if (!digit (s.p[i]) || __builtin_mul_overflow (*out, 10, out) ||
          (minus ? __builtin_sub_overflow (*out, s.p[i] - '0', out)
                 : __builtin_add_overflow (*out, s.p[i] - '0', out)))
         return false;
   return true;
}

/* ---- times ---- */

static bool word_at (MtStr s, size_t i, const char *word)
{
   return mt_str_ieq ((MtStr) {s.p + i, s.n - i}, mt_str (word));
}

/* Reads the rest of a time after the time of day, from i on: nothing, or a time zone. Returns false
 * if something else follows. */
static bool zone_end (MtStr s, size_t i, MtSniffTime *t)
{
   int v;
   if (i == s.n)
      return true;
   t->zoned = true;
   if (s.p[i] == ' ' && i + 1 < s.n)
      i++;
   if (word_at (s, i, "Z") || word_at (s, i, "UTC") || word_at (s, i, "GMT"))
      return true;
   if (s.p[i] != '+' && s.p[i] != '-')
      return false;
   i++;
   if (digits (s, &i, 2, &v) != 2)
      return false;
   if (i == s.n)
      return true;
   take (s, &i, ':');
   return digits (s, &i, 2, &v) == 2 && i == s.n;
}

/* Reads a time of day, hh:mm[:ss[.fraction]] [AM|PM], and moves *i to the character after it.
 * *meridian: it has AM or PM. */
static bool clock_time (MtStr s, size_t *i, bool *meridian)
{
   int h, m, sec, rest;
   *meridian = false;
   if (!digits (s, i, 2, &h) || h > 24 || !take (s, i, ':') || digits (s, i, 2, &m) != 2 || m > 59)
      return false;
   if (take (s, i, ':')) {
      if (digits (s, i, 2, &sec) != 2 || sec > 60)
         return false;
      if (take (s, i, '.') && !digits (s, i, 9, &rest))
         return false;
   }
   size_t at = *i < s.n && s.p[*i] == ' ' ? *i + 1 : *i;
   if (at + 2 == s.n && strchr ("aApP", s.p[at]) && strchr ("mM", s.p[at + 1])) {
      *meridian = h >= 1 && h <= 12;
      *i = s.n;
      return *meridian;
   }
   return true;
}

/* Reads a date of three numbers, and moves *i to the character after it. Returns the possible
 * orders of day, month and year as bits (MT_SNIFF_YMD …). 0: it is no date. */
static unsigned date_orders (MtStr s, size_t *i)
{
   int a, b, c;
   size_t na = digits (s, i, 4, &a);
   char sep = *i < s.n ? s.p[*i] : 0;
   if (!na || !sep || !strchr ("-/.", sep))
      return 0;
   ++*i;
   size_t nb = digits (s, i, 2, &b);
   if (!nb || !take (s, i, sep))
      return 0;
   size_t nc = digits (s, i, 4, &c);
   if (na == 4)
      return sep != '.' && nc && nc <= 2 && b >= 1 && b <= 12 && c >= 1 && c <= 31 ? MT_SNIFF_YMD
                                                                                   : 0u;
   if (na > 2 || !(nc == 4 || (nc == 2 && na == 2 && nb == 2)))
      return 0;
   return (a >= 1 && a <= 31 && b >= 1 && b <= 12 ? MT_SNIFF_DMY : 0u) |
          (sep != '.' && a >= 1 && a <= 12 && b >= 1 && b <= 31 ? MT_SNIFF_MDY : 0u);
}

/* Returns whether a text contains the name of a month and a digit. */
static bool has_month (MtStr s)
{
   static const char names[] = "jan feb mar apr may jun jul aug sep oct nov dec";
   bool number = false;
   for (size_t i = 0; i < s.n; i++)
      number |= digit (s.p[i]);
   if (!number || s.n < 8 || s.n > 40)
      return false;
   for (size_t i = 0; i + 3 <= s.n; i++) {
      char word[4] = {(char) tolower ((unsigned char) s.p[i]),
                      (char) tolower ((unsigned char) s.p[i + 1]),
                      (char) tolower ((unsigned char) s.p[i + 2]), 0};
      const char *found = strstr (names, word);
      if (found && (found - names) % 4 == 0 && isalpha ((unsigned char) s.p[i]))
         return true;
   }
   return false;
}

static unsigned word_kinds (MtStr s, MtSniffTime *t)
{
   if (!has_month (s))
      return 0;
   t->timed = memchr (s.p, ':', s.n) != NULL;
   const char *last = s.p + s.n;
   while (last > s.p && last[-1] != ':')
      last--;
   size_t from = (size_t) (last - s.p);
   for (size_t i = from; t->timed && i < s.n; i++)
      t->zoned |= s.p[i] == '+' || s.p[i] == '-' || word_at (s, i, "Z") || word_at (s, i, "UTC") ||
                  word_at (s, i, "GMT");
   return MT_SNIFF_WORDS;
}

static unsigned time_kinds (MtStr s, MtSniffTime *t)
{
   size_t i = 0;
   bool meridian;
   if (s.n >= 4 && s.n <= 18 && s.p[0] <= '2' && clock_time (s, &i, &meridian) && i == s.n &&
       !meridian)
      return MT_SNIFF_CLOCK;
   i = 0;
   unsigned orders = s.n >= 8 && s.n <= 40 ? date_orders (s, &i) : 0;
   if (!orders)
      return s.n && isalnum ((unsigned char) s.p[0]) ? word_kinds (s, t) : 0;
   if (i == s.n)
      return orders;
   if (s.p[i] != ' ' && s.p[i] != 'T' && s.p[i] != ',')
      return 0;
   i += s.p[i] == ',';
   i += i < s.n && (s.p[i] == ' ' || s.p[i] == 'T');
   t->timed = true;
   return clock_time (s, &i, &meridian) && zone_end (s, i, t) ? orders : 0;
}

MtTypeId mt_sniff_iso_time (MtStr text)
{
   MtSniffTime t = {0};
   MtTextStyle style = {0};
   MtVal v;
   if (text.n < 10 || text.n > 40 || text.p[4] != '-' || time_kinds (text, &t) != MT_SNIFF_YMD)
      return MT_T_UNKNOWN;
   MtTypeId id = t.zoned ? MT_T_TIMESTAMPTZ : MT_T_TIMESTAMP;
   if (!t.timed)
      id = MT_T_DATE;
   MtArena *a = mt_arena_new ("time", NULL);
   bool ok = mt_value_parse (a, mt_type (id), text, &style, &v, NULL);
   mt_arena_free (a);
   return ok ? id : MT_T_UNKNOWN;
}

/* ---- all types ---- */

static bool is_uuid (MtStr s)
{
   for (size_t i = 0; i < s.n; i++) {
      bool dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? s.p[i] != '-' : !isxdigit ((unsigned char) s.p[i]))
         return false;
   }
   return s.n == 36;
}

static bool is_bool (MtStr s)
{
   return mt_str_ieq (s, MT_STR ("true")) || mt_str_ieq (s, MT_STR ("false")) ||
          mt_str_is (s, "t") || mt_str_is (s, "f");
}

unsigned mt_sniff_kinds (MtStr s, char decimal, MtSniffTime *t)
{
   *t = (MtSniffTime) {0};
   s = mt_str_trim (s, " ");
   if (!s.n)
      return 0;
   if (is_bool (s))
      return MT_SNIFF_BOOL;
   if (is_uuid (s))
      return MT_SNIFF_UUID;
   unsigned kinds = number_kinds (s, '.');
   if (decimal != '.' && !kinds)
      kinds = number_kinds (s, ',') & MT_SNIFF_FLOAT ? MT_SNIFF_COMMA : 0u;
   else if (decimal != '.' && kinds & MT_SNIFF_INT)
      kinds |= MT_SNIFF_COMMA;
   return kinds ? kinds : time_kinds (s, t);
}
