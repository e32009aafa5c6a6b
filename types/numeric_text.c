/* Parses and prints numbers and Booleans. */
#include "types/decimal.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_SHOWN_BYTES 200 /* the largest number of bytes of a wrong value in a message */

static bool bad_syntax (const char *type, const char *p, size_t n, MtError *err)
{
   int shown = n > TEXT_SHOWN_BYTES ? TEXT_SHOWN_BYTES : (int) n;
   return mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type %s: \"%.*s\"",
                    type, shown, p);
}

static MtStr trim (const char *p, size_t n)
{
   while (n > 0 && isspace ((unsigned char) p[0])) {
      p++;
      n--;
   }
   while (n > 0 && isspace ((unsigned char) p[n - 1]))
      n--;
   return (MtStr) {p, n};
}

/* Reads NaN, Infinity or inf, in upper or lower case, with an optional sign. */
static bool special_word (MtStr s, double *out)
{
   bool neg = s.n > 0 && s.p[0] == '-';
   if (s.n > 0 && (neg || s.p[0] == '+')) {
      s.p++;
      s.n--;
   } else if (mt_str_ieq (s, MT_STR ("nan"))) {
      *out = NAN;
      return true;
   }
   if (!mt_str_ieq (s, MT_STR ("infinity")) && !mt_str_ieq (s, MT_STR ("inf")))
      return false;
   *out = neg ? -INFINITY : INFINITY;
   return true;
}

/* ---- numeric ---- */

/* The digits of a number that is being read, up to 34. Further digits only change the exponent; the
 * first of them decides how to round. */
typedef struct Digits {
   MtDec d;
   int count; /* the number of significant digits read */
   int next;  /* the first omitted digit */
} Digits;

static void add_digit (Digits *c, int digit, bool fraction)
{
   if (c->count == 0 && digit == 0) {
      c->d.exp -= fraction;
      return;
   }
   if (c->count < MT_NUM_DIGITS) {
      c->d.coef = c->d.coef * 10 + (unsigned) digit;
      c->d.exp -= fraction;
   } else {
      c->d.exp += !fraction;
      if (c->count == MT_NUM_DIGITS)
         c->next = digit;
   }
   c->count++;
}

/* Reads an exponent e[+-]digits. Returns false if it is malformed. A huge exponent is reduced to a
 * limit. */
static bool read_exponent (const char *p, const char *end, int *exp)
{
   bool neg = p < end && *p == '-';
   p += p < end && (*p == '-' || *p == '+');
   if (p == end)
      return false;
   int v = 0;
   for (; p < end; p++) {
      if (!isdigit ((unsigned char) *p))
         return false;
      v = v > 100000 ? v : v * 10 + (*p - '0');
   }
   *exp = neg ? -v : v;
   return true;
}

static bool read_number (MtStr s, MtDec *out)
{
   Digits c = {0};
   const char *p = s.p, *end = s.p + s.n;
   bool fraction = false, any = false;
   c.d.neg = p < end && *p == '-';
   p += p < end && (*p == '-' || *p == '+');
   for (; p < end && (isdigit ((unsigned char) *p) || (*p == '.' && !fraction)); p++) {
      if (*p == '.') {
         fraction = true;
         continue;
      }
      any = true;
      add_digit (&c, *p - '0', fraction);
   }
   int exp = 0;
   if (!any || (p < end && ((*p != 'e' && *p != 'E') || !read_exponent (p + 1, end, &exp))))
      return false;
   c.d.coef += c.next >= 5;
   c.d.exp += exp;
   if (c.d.exp > 0) /* 1e3 has no decimals, so it is stored as 1000, as far as 34 digits allow */
      c.d = mt_dec_rescale (c.d, 0, true);
   *out = c.d;
   return true;
}

bool mt_num_in (const char *p, size_t n, MtNum *out, MtError *err)
{
   MtStr s = trim (p, n);
   double special;
   MtDec d = {0};
   if (special_word (s, &special)) {
      d.kind = isnan (special) ? MT_DEC_NAN : MT_DEC_INF;
      d.neg = special < 0;
   } else if (!read_number (s, &d)) {
      return bad_syntax ("numeric", p, n, err);
   }
   return mt_dec_close (d, out) || mt_num_overflow (err);
}

const char *mt_special_name (double d)
{
   if (isnan (d))
      return "NaN";
   return d > 0 ? "Infinity" : "-Infinity";
}

void mt_num_out (MtNum n, MtBuf *out)
{
   MtDec d = mt_dec_open (n);
   if (d.kind != MT_DEC_FINITE) {
      double infinity = d.neg ? -INFINITY : INFINITY;
      mt_buf_adds (out, mt_special_name (d.kind == MT_DEC_NAN ? NAN : infinity));
      return;
   }
   char digits[48];
   int count = mt_dec_digits (d.coef);
   MtUint128 c = d.coef;
   for (int i = count; i-- > 0; c /= 10)
      digits[i] = (char) ('0' + (int) (c % 10));
   if (d.neg)
      mt_buf_addc (out, '-');
   int whole = count + d.exp; /* the number of digits before the point */
   if (whole <= 0)
      mt_buf_addc (out, '0');
   else
      mt_buf_add (out, digits, (size_t) (whole < count ? whole : count));
   for (int i = count; i < whole && d.coef != 0; i++)
      mt_buf_addc (out, '0');
   if (d.exp >= 0)
      return;
   mt_buf_addc (out, '.');
   for (int i = whole; i < 0; i++)
      mt_buf_addc (out, '0');
   int from = whole > 0 ? whole : 0;
   mt_buf_add (out, digits + from, (size_t) (count - from));
}

static MtNum from_digits (double d, int digits)
{
   MtDec x = {0};
   char text[64];
   MtNum n = {{0, 0}};
   if (isnan (d) || isinf (d)) {
      x.kind = isnan (d) ? MT_DEC_NAN : MT_DEC_INF;
      x.neg = d < 0;
   } else {
      int len = snprintf (text, sizeof text, "%.*g", digits, d);
      read_number ((MtStr) {text, (size_t) len}, &x);
   }
   mt_dec_close (x, &n);
   return n;
}

MtNum mt_num_from_double (double d) { return from_digits (d, DBL_DIG); }
MtNum mt_num_from_float (float f) { return from_digits (f, FLT_DIG); }

/* ---- doubles ---- */

static bool put_special (double d, MtBuf *out)
{
   if (isfinite (d))
      return false;
   mt_buf_adds (out, mt_special_name (d));
   return true;
}

/* Prints a number given by its digits, of which the first is before the decimal point, times
 * 10^exp. If exp is from -4 to limit - 1, it has no exponent, else one of at least two digits. */
static void put_digits (const char *digits, int count, int exp, int limit, MtBuf *out)
{
   if (exp < -4 || exp >= limit) {
      mt_buf_addc (out, digits[0]);
      if (count > 1) {
         mt_buf_addc (out, '.');
         mt_buf_add (out, digits + 1, (size_t) count - 1);
      }
      mt_buf_printf (out, "e%c%02d", exp < 0 ? '-' : '+', abs (exp));
      return;
   }
   int before = exp + 1 < count ? exp + 1 : count; /* digits before the point */
   if (exp < 0) {
      mt_buf_add (out, "0.000", (size_t) (1 - exp));
      before = 0;
   }
   mt_buf_add (out, digits, (size_t) before);
   if (exp >= 0 && before < count)
      mt_buf_addc (out, '.');
   mt_buf_add (out, digits + before, (size_t) (count - before));
   for (int i = count; i <= exp; i++)
      mt_buf_addc (out, '0');
}

/* Prints a number given as the text "[-]d.ddde±xx", but without trailing zeros. If its exponent is
 * from -4 to limit - 1, it is printed without an exponent. */
static void put_decimal (const char *text, int limit, MtBuf *out)
{
   char digits[24];
   int count = 0, exp = atoi (strchr (text, 'e') + 1);
   if (*text == '-')
      mt_buf_addc (out, *text++);
   for (; *text != 'e'; text++)
      if (*text != '.')
         digits[count++] = *text;
   while (count > 1 && digits[count - 1] == '0')
      count--;
   put_digits (digits, count, exp, limit, out);
}

__extension__ typedef __int128 MtWide;

/* Returns whether n * 10^k = odd * 2^e. */
static bool is_same (MtWide n, int k, MtWide odd, int e)
{
   for (int i = 0; i < k; i++)
      n *= 5;
   for (int i = 0; i < -k; i++)
      odd *= 5;
   int shift = e - k;
   if (shift < -14 || shift > 60) /* n * 5^k has 113 bits at most */
      return false;
   return shift < 0 ? n << -shift == odd : n == odd << shift;
}

/* Returns whether the text "[-]d.ddde±xx" is exactly halfway between d (a number with a mantissa of
 * `bits` bits) and the next such number. Such a text would be read as d, but PostgreSQL doesn't
 * print it. It can have at most 17 digits only for few exponents. */
static bool is_halfway (const char *text, double d, int bits)
{
   MtWide n = 0;
   int digits = 0, e;
   for (; *text != 'e'; text++)
      if (*text >= '0' && *text <= '9') {
         n = 10 * n + (*text - '0');
         digits++;
      }
   int k = atoi (text + 1) - digits + 1;
   if (k < -3 || k > 24)
      return false;
   MtWide m = (MtWide) ldexp (frexp (fabs (d), &e), bits);
   /* the numbers just below a power of two are closer to each other */
   bool lowest = m == (MtWide) 1 << (bits - 1);
   e -= bits;
   return is_same (n, k, 2 * m + 1, e - 1) ||
          (lowest ? is_same (n, k, 4 * m - 1, e - 2) : is_same (n, k, 2 * m - 1, e - 1));
}

/* Prints a number that has at most 15 digits, at most four of them after the point. A double
 * preserves 15 digits, so this is the text that the general, slower way gives. Returns false if the
 * number has more digits. */
static bool put_plain (double d, MtBuf *out)
{
   static const double powers[] = {1, 10, 100, 1e3, 1e4};
   double size = fabs (d);
   for (int k = 0; k < 5 && size * powers[k] < 1e15; k++) {
      int64_t n = (int64_t) (size * powers[k] + 0.5);
      if (n == 0 || (double) n / powers[k] != size)
         continue;
      char text[24];
      size_t at = sizeof text;
      for (int i = 0; n > 0 || i <= k; i++, n /= 10) {
         if (i == k && k > 0)
            text[--at] = '.';
         text[--at] = (char) ('0' + n % 10);
      }
      if (d < 0)
         text[--at] = '-';
      mt_buf_add (out, text + at, sizeof text - at);
      return true;
   }
   return false;
}

/* A double times a power of ten, as the fraction value / 2^shift. */
typedef struct Scaled {
   MtUint128 value, half; /* half the distance to the next double, up or down */
   int shift, scale;      /* scale: the exponent of the power of ten */
} Scaled;

/* Scales a double so that it has 17 digits before the point. Then there is an integer between the
 * two numbers halfway to its neighbours. The numerators have at most 54 bits and 22 digits, less
 * than 128 bits. Returns false for very small and large numbers, and for powers of two, whose two
 * neighbours have different distances. */
static bool scale_up (double size, Scaled *out)
{
   int e;
   if (!(size >= 1.1e-5 && size < 0x1p53))
      return false;
   uint64_t m = (uint64_t) ldexp (frexp (size, &e), DBL_MANT_DIG);
   if (m == UINT64_C (1) << (DBL_MANT_DIG - 1))
      return false;
   out->shift = DBL_MANT_DIG + 1 - e;
   out->scale = 17 - (int) floor (log10 (size));
   for (;; out->scale--) { /* log10 may have rounded up to the next power of ten */
      out->half = mt_pow10 (out->scale);
      out->value = 2 * m * out->half;
      if (out->value >> out->shift < UINT64_C (100000000000000000))
         return true;
   }
}

/* Returns n such that n * unit is nearest to the scaled number; `unit` is a power of ten. Of two
 * equally near ones, the even n. */
static uint64_t nearest (const Scaled *s, uint64_t unit)
{
   MtUint128 below = s->value & (((MtUint128) 1 << s->shift) - 1);
   uint64_t whole = (uint64_t) (s->value >> s->shift), n = whole / unit, rest = whole % unit;
   MtUint128 middle = unit == 1 ? (MtUint128) 1 << (s->shift - 1) : 0;
   if (rest != unit / 2)
      return n + (rest > unit / 2);
   return n + (below > middle || (below == middle && n % 2));
}

/* Prints the shortest number between the two numbers halfway to d's neighbours, that is, a multiple
 * of the largest power of ten of which a multiple lies there. This is PostgreSQL's rule. Returns
 * false for numbers that scale_up refuses. */
static bool put_shortest (double d, MtBuf *out)
{
   Scaled s;
   char text[24];
   size_t at = sizeof text;
   uint64_t unit = 1;
   int zeros = 0;
   if (!scale_up (fabs (d), &s))
      return false;
   MtUint128 most = ((MtUint128) 1 << s.shift) - 1; /* rounds up */
   uint64_t low = (uint64_t) ((s.value - s.half) >> s.shift) + 1,
            high = (uint64_t) ((s.value + s.half + most) >> s.shift) - 1;
   for (; high / (unit * 10) * (unit * 10) >= low; unit *= 10)
      zeros++;
   for (uint64_t n = nearest (&s, unit); n > 0; n /= 10)
      text[--at] = (char) ('0' + n % 10);
   int count = (int) (sizeof text - at);
   if (d < 0)
      mt_buf_addc (out, '-');
   put_digits (text + at, count, count - 1 + zeros - s.scale, DBL_DIG, out);
   return true;
}

void mt_double_out (double d, MtBuf *out)
{
   char text[40];
   if (put_special (d, out) || put_plain (d, out) || put_shortest (d, out))
      return;
   /* A normal double preserves any 15 digits. */
   for (int digits = d != 0 && fabs (d) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
      snprintf (text, sizeof text, "%.*e", digits - 1, d);
      if (strtod (text, NULL) == d && !is_halfway (text, d, DBL_MANT_DIG))
         break;
   }
   put_decimal (text, DBL_DIG, out);
}

void mt_float_out (float f, MtBuf *out)
{
   char text[40];
   if (put_special (f, out))
      return;
   for (int digits = f != 0 && fabsf (f) < FLT_MIN ? 1 : FLT_DIG; digits <= 9; digits++) {
      snprintf (text, sizeof text, "%.*e", digits - 1, (double) f);
      if (strtof (text, NULL) == f && !is_halfway (text, f, FLT_MANT_DIG))
         break;
   }
   put_decimal (text, FLT_DIG, out);
}

void mt_double_out_digits (double d, int digits, MtBuf *out)
{
   char text[40];
   if (put_special (d, out))
      return;
   digits = digits < 1 ? 1 : digits;
   snprintf (text, sizeof text, "%.*e", digits - 1, d);
   put_decimal (text, digits, out);
}

static bool float_in (const char *p, size_t n, bool single, double *out, MtError *err)
{
   const char *type = single ? "real" : "double precision";
   MtStr s = trim (p, n);
   if (special_word (s, out))
      return true;
   char small[128], *text = s.n < sizeof small ? small : mt_try_malloc ("number", s.n + 1), *end;
   if (!text)
      return mt_memory_check (err);
   memcpy (text, s.p, s.n);
   text[s.n] = 0;
   bool letters = s.n > 0 && strpbrk (text, "nN"); /* strtod accepts "nan(…)"; PostgreSQL doesn't */
   errno = 0;
   double d = single ? (double) strtof (text, &end) : strtod (text, &end);
   bool ok = s.n > 0 && end == text + s.n && !letters && !isspace ((unsigned char) text[0]);
   /* strtod also sets errno for numbers below the smallest normal number, but the value is
    * right. */
   bool range = ok && errno == ERANGE && (d == 0 || isinf (d));
   if (text != small)
      free (text);
   if (!ok)
      return bad_syntax (type, p, n, err);
   if (range)
      return mt_error (err, MT_E_NUMERIC_RANGE, "\"%.*s\" is out of range for type %s",
                       (int) (s.n > 200 ? 200 : s.n), s.p, type);
   *out = d;
   return true;
}

bool mt_double_in (const char *p, size_t n, double *out, MtError *err)
{
   return float_in (p, n, false, out, err);
}

bool mt_float_in (const char *p, size_t n, float *out, MtError *err)
{
   double d;
   if (!float_in (p, n, true, &d, err))
      return false;
   *out = (float) d;
   return true;
}

/* ---- integers and booleans ---- */

static const char *int_name (int bits)
{
   switch (bits) {
   case 16: return "smallint";
   case 32: return "integer";
   default: return "bigint";
   }
}

bool mt_int_in (const char *p, size_t n, int bits, int64_t *out, MtError *err)
{
   MtStr s = trim (p, n);
   bool neg = s.n > 0 && s.p[0] == '-';
   size_t i = s.n > 0 && (neg || s.p[0] == '+');
   if (i == s.n)
      return bad_syntax (int_name (bits), p, n, err);
   uint64_t v = 0, limit = (1ull << (bits - 1)) - !neg;
   bool over = false;
   for (; i < s.n; i++) {
      if (!isdigit ((unsigned char) s.p[i]))
         return bad_syntax (int_name (bits), p, n, err);
      over = over || __builtin_mul_overflow (v, 10, &v) ||
             __builtin_add_overflow (v, (uint64_t) (s.p[i] - '0'), &v) || v > limit;
   }
   if (over)
      return mt_error (err, MT_E_NUMERIC_RANGE, "value \"%.*s\" is out of range for type %s",
                       n > TEXT_SHOWN_BYTES ? TEXT_SHOWN_BYTES : (int) n, p, int_name (bits));
   *out = neg ? (int64_t) (0 - v) : (int64_t) v;
   return true;
}

bool mt_bool_word (MtStr s, bool *out)
{
   static const struct {
      const char *word;
      size_t least;
      bool value;
   } words[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true}, {"no", 1, false},
                {"on", 2, true},   {"off", 2, false},   {"1", 1, true},   {"0", 1, false}};
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (s.n >= words[i].least && s.n <= strlen (words[i].word) &&
          mt_str_ieq (s, (MtStr) {words[i].word, s.n})) {
         *out = words[i].value;
         return true;
      }
   return false;
}

bool mt_bool_in (const char *p, size_t n, bool *out, MtError *err)
{
   return mt_bool_word (trim (p, n), out) || bad_syntax ("boolean", p, n, err);
}

bool mt_double_to_int (double d, int bits, int64_t *out, MtError *err)
{
   double r = rint (d), limit = ldexp (1, bits - 1);
   if (!(r >= -limit && r < limit))
      return mt_error (err, MT_E_NUMERIC_RANGE, "%s out of range", int_name (bits));
   *out = (int64_t) r;
   return true;
}
