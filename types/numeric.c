#include "types/decimal.h"

#include <stdlib.h>

/* ---- splitting a decimal into its parts ---- */

MtUint128 mt_pow10 (int n)
{
   static const uint64_t low[20] = {1u,
                                    10u,
                                    100u,
                                    1000u,
                                    10000u,
                                    100000u,
                                    1000000u,
                                    10000000u,
                                    100000000u,
                                    1000000000u,
                                    10000000000u,
                                    100000000000u,
                                    1000000000000u,
                                    10000000000000u,
                                    100000000000000u,
                                    1000000000000000u,
                                    10000000000000000u,
                                    100000000000000000u,
                                    1000000000000000000u,
                                    10000000000000000000u};
   return n < 20 ? low[n] : (MtUint128) low[19] * low[n - 19];
}

int mt_dec_digits (MtUint128 c)
{
   int n = 1;
   while (n < 38 && c >= mt_pow10 (n))
      n++;
   return n == 38 && c >= mt_pow10 (38) ? 39 : n;
}

MtUint128 mt_dec_drop (MtUint128 c, int drop, bool round)
{
   if (drop <= 0)
      return c;
   if (drop > 38)
      return 0;
   MtUint128 unit = mt_pow10 (drop), rest = c % unit;
   return c / unit + (round && rest >= unit - rest);
}

MtDec mt_dec_open (MtNum n)
{
   uint64_t high = n.w[1];
   MtDec d = {.kind = MT_DEC_FINITE, .neg = high >> 63};
   if ((high & 0x7800000000000000u) == 0x7800000000000000u) {
      d.kind = (high & 0x0400000000000000u) ? MT_DEC_NAN : MT_DEC_INF;
      return d;
   }
   if ((high >> 61 & 3) == 3) {
      /* a coefficient of more than 34 digits is not canonical, and means zero */
      d.exp = (int) (high >> 47 & 0x3FFF) + MT_NUM_MIN_EXP;
      return d;
   }
   d.exp = (int) (high >> 49 & 0x3FFF) + MT_NUM_MIN_EXP;
   d.coef = (MtUint128) (high & 0x1FFFFFFFFFFFFu) << 64 | n.w[0];
   if (d.coef >= mt_pow10 (MT_NUM_DIGITS))
      d.coef = 0;
   if (d.coef == 0)
      d.neg = false;
   return d;
}

static MtNum special (MtDecKind kind, bool neg)
{
   uint64_t high = kind == MT_DEC_NAN ? 0x7C00000000000000u : 0x7800000000000000u;
   return (MtNum) {{0, kind == MT_DEC_INF && neg ? high | 1ull << 63 : high}};
}

bool mt_dec_close (MtDec d, MtNum *out)
{
   if (d.kind != MT_DEC_FINITE) {
      *out = special (d.kind, d.neg);
      return true;
   }
   int over = mt_dec_digits (d.coef) - MT_NUM_DIGITS;
   if (over > 0) {
      d.coef = mt_dec_drop (d.coef, over, true);
      d.exp += over;
   }
   if (d.coef == mt_pow10 (MT_NUM_DIGITS)) {
      d.coef /= 10;
      d.exp++;
   }
   if (d.exp < MT_NUM_MIN_EXP) {
      d.coef = mt_dec_drop (d.coef, MT_NUM_MIN_EXP - d.exp, true);
      d.exp = MT_NUM_MIN_EXP;
   }
   while (d.exp > MT_NUM_MAX_EXP && d.coef != 0 && d.coef < mt_pow10 (MT_NUM_DIGITS - 1)) {
      d.coef *= 10;
      d.exp--;
   }
   if (d.exp > MT_NUM_MAX_EXP && d.coef != 0)
      return false;
   int exp = d.exp > MT_NUM_MAX_EXP ? MT_NUM_MAX_EXP : d.exp;
   uint64_t sign = d.neg && d.coef != 0 ? 1ull << 63 : 0;
   *out = (MtNum) {{(uint64_t) d.coef,
                    sign | (uint64_t) (exp - MT_NUM_MIN_EXP) << 49 | (uint64_t) (d.coef >> 64)}};
   return true;
}

MtDec mt_dec_rescale (MtDec d, int scale, bool round)
{
   if (d.kind != MT_DEC_FINITE)
      return d;
   int add = d.exp + scale; /* the number of digits to add; < 0: to remove */
   if (add < 0) {
      d.coef = mt_dec_drop (d.coef, -add, round);
      d.exp = -scale;
   } else if (d.coef == 0) {
      d.exp = -scale;
   } else {
      int room = MT_NUM_DIGITS - mt_dec_digits (d.coef);
      add = add < room ? add : room;
      d.coef *= mt_pow10 (add > 0 ? add : 0);
      d.exp -= add > 0 ? add : 0;
   }
   return d;
}

int mt_dec_weight (MtDec d, int *first)
{
   if (d.coef == 0) {
      *first = 0;
      return 0;
   }
   int digits = mt_dec_digits (d.coef), top = digits - 1 + d.exp;
   int weight = top >= 0 ? top / 4 : -((-top + 3) / 4), take = top - weight * 4 + 1;
   MtUint128 lead = take <= digits ? d.coef / mt_pow10 (digits - take)
                                   : d.coef * mt_pow10 (take - digits);
   *first = (int) lead;
   return weight;
}

BID_UINT128 mt_num_bid (MtNum n) { return mt_bid_load (&n); }

MtNum mt_num_of_bid (BID_UINT128 x)
{
   MtNum n = mt_num_load (&x);
   return mt_num_is_zero (n) ? (MtNum) {{n.w[0], n.w[1] & ~(1ull << 63)}} : n;
}

bool mt_num_overflow (MtError *err)
{
   return mt_error (err, MT_E_NUMERIC_RANGE, "value overflows numeric format");
}

/* ---- conversions ---- */

MtNum mt_num_from_int128 (MtInt128 i)
{
   MtNum n;
   MtDec d = {.neg = i < 0, .coef = i < 0 ? -(MtUint128) i : (MtUint128) i};
   mt_dec_close (d, &n);
   return n;
}

MtNum mt_num_from_int64 (int64_t i) { return mt_num_from_int128 (i); }

MtNum mt_num_from_scaled (int64_t i, int scale)
{
   MtNum n;
   MtDec d = {.neg = i < 0, .exp = -scale, .coef = i < 0 ? -(MtUint128) i : (MtUint128) i};
   mt_dec_close (d, &n);
   return n;
}

bool mt_num_from_val (MtVal v, MtNum *out)
{
   if (v.type == MT_INT32 || v.type == MT_INT64)
      *out = mt_num_from_int64 (v.i);
   else if (v.type == MT_DOUBLE)
      *out = mt_num_from_double (v.d);
   else if (v.type == MT_DECIMAL)
      *out = mt_num_load (v.p);
   else
      return false;
   return true;
}

MtNum mt_num_of (MtVal v)
{
   MtNum n;
   return mt_num_from_val (v, &n) ? n : mt_num_from_double (__builtin_nan (""));
}

MtVal mt_num_to_val (MtArena *a, MtNum n)
{
   uint8_t bytes[16];
   memcpy (bytes, &n, 16);
   return mt_v_decimal (a, bytes);
}

bool mt_num_to_int128 (MtNum n, MtInt128 *out)
{
   MtDec d = mt_dec_open (n);
   if (d.kind != MT_DEC_FINITE)
      return false;
   if (d.exp > 0 && d.coef != 0 && d.exp + mt_dec_digits (d.coef) > 38)
      return false;
   MtUint128 c = 0;
   if (d.exp <= 0)
      c = mt_dec_drop (d.coef, -d.exp, false);
   else if (d.coef)
      c = d.coef * mt_pow10 (d.exp);
   *out = d.neg ? -(MtInt128) c : (MtInt128) c;
   return true;
}

static bool to_int (MtNum n, int64_t low, int64_t high, const char *type, int64_t *out,
                    MtError *err)
{
   MtDec d = mt_dec_open (n);
   MtInt128 i;
   if (d.kind != MT_DEC_FINITE)
      return mt_error (err, MT_E_FEATURE, "cannot convert %s to %s",
                       d.kind == MT_DEC_NAN ? "NaN" : "infinity", type);
   if (!mt_num_to_int128 (mt_num_round (n, 0), &i) || i < low || i > high)
      return mt_error (err, MT_E_NUMERIC_RANGE, "%s out of range", type);
   *out = (int64_t) i;
   return true;
}

bool mt_num_to_int64 (MtNum n, int64_t *out, MtError *err)
{
   return to_int (n, INT64_MIN, INT64_MAX, "bigint", out, err);
}

bool mt_num_to_int32 (MtNum n, int32_t *out, MtError *err)
{
   int64_t i;
   if (!to_int (n, INT32_MIN, INT32_MAX, "integer", &i, err))
      return false;
   *out = (int32_t) i;
   return true;
}

bool mt_num_to_int16 (MtNum n, int16_t *out, MtError *err)
{
   int64_t i;
   if (!to_int (n, INT16_MIN, INT16_MAX, "smallint", &i, err))
      return false;
   *out = (int16_t) i;
   return true;
}

double mt_num_to_double (MtNum n)
{
   unsigned flags = 0;
   return bid128_to_binary64 (mt_num_bid (n), MT_BID_NEAREST, &flags);
}

bool mt_num_typmod (MtNum n, int precision, int scale, MtNum *out, MtError *err)
{
   MtDec d = mt_dec_open (n);
   if (d.kind == MT_DEC_FINITE) {
      MtDec r = mt_dec_rescale (d, scale, true);
      if (r.coef == 0 || mt_dec_digits (r.coef) + r.exp <= precision - scale) {
         *out = mt_num_round (n, scale);
         return true;
      }
   } else if (d.kind == MT_DEC_NAN) {
      *out = n;
      return true;
   }
   mt_error (err, MT_E_NUMERIC_RANGE, "numeric field overflow");
   if (d.kind == MT_DEC_INF)
      return mt_error_detail (err,
                              "A field with precision %d, scale %d cannot hold an infinite value.",
                              precision, scale);
   int whole = precision - scale;
   return mt_error_detail (
      err, "A field with precision %d, scale %d must round to an absolute value less than %s%d.",
      precision, scale, whole ? "10^" : "", whole ? whole : 1);
}

/* ---- properties ---- */

bool mt_num_is_nan (MtNum n) { return mt_dec_open (n).kind == MT_DEC_NAN; }
bool mt_num_is_inf (MtNum n) { return mt_dec_open (n).kind == MT_DEC_INF; }

bool mt_num_is_zero (MtNum n)
{
   MtDec d = mt_dec_open (n);
   return d.kind == MT_DEC_FINITE && d.coef == 0;
}

int mt_num_sign (MtNum n)
{
   MtDec d = mt_dec_open (n);
   if (d.kind == MT_DEC_NAN || (d.kind == MT_DEC_FINITE && d.coef == 0))
      return 0;
   return d.neg ? -1 : 1;
}

int mt_num_scale (MtNum n)
{
   MtDec d = mt_dec_open (n);
   return d.kind == MT_DEC_FINITE && d.exp < 0 ? -d.exp : 0;
}

int mt_num_compare (MtNum a, MtNum b)
{
   bool a_nan = mt_num_is_nan (a), b_nan = mt_num_is_nan (b);
   if (a_nan || b_nan)
      return (int) a_nan - (int) b_nan;
   unsigned flags = 0;
   BID_UINT128 x = mt_num_bid (a), y = mt_num_bid (b);
   if (bid128_quiet_equal (x, y, &flags))
      return 0;
   return bid128_quiet_less (x, y, &flags) ? -1 : 1;
}

/* ---- arithmetic ---- */

MtNum mt_num_neg (MtNum n)
{
   return mt_num_is_nan (n) || mt_num_is_zero (n) ? n : (MtNum) {{n.w[0], n.w[1] ^ 1ull << 63}};
}

MtNum mt_num_abs (MtNum n) { return (MtNum) {{n.w[0], n.w[1] & ~(1ull << 63)}}; }

static bool finish (BID_UINT128 x, unsigned flags, MtNum *out, MtError *err)
{
   if (flags & MT_BID_OVERFLOW)
      return mt_num_overflow (err);
   *out = mt_num_of_bid (x);
   return true;
}

bool mt_num_add (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   unsigned flags = 0;
   BID_UINT128 x = bid128_add (mt_num_bid (a), mt_num_bid (b), MT_BID_HALF_AWAY, &flags);
   return finish (x, flags, out, err);
}

bool mt_num_sub (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   return mt_num_add (a, mt_num_neg (b), out, err);
}

bool mt_num_mul (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   unsigned flags = 0;
   BID_UINT128 x = bid128_mul (mt_num_bid (a), mt_num_bid (b), MT_BID_HALF_AWAY, &flags);
   return finish (x, flags, out, err);
}

static bool by_zero (MtError *err)
{
   return mt_error (err, MT_E_DIVISION_BY_ZERO, "division by zero");
}

/* Computes PostgreSQL's quotient of two operands of which one is infinite or NaN. Returns false if
 * both are finite. */
static bool special_quotient (MtDec a, MtDec b, MtNum *out)
{
   if (a.kind == MT_DEC_FINITE && b.kind == MT_DEC_FINITE)
      return false;
   if (a.kind == MT_DEC_NAN || b.kind == MT_DEC_NAN ||
       (a.kind == MT_DEC_INF && b.kind == MT_DEC_INF))
      *out = special (MT_DEC_NAN, false);
   else if (a.kind == MT_DEC_INF)
      *out = special (MT_DEC_INF, a.neg != b.neg);
   else
      *out = mt_num_from_int64 (0);
   return true;
}

static bool zero_divisor (MtDec a, MtDec b)
{
   return b.kind == MT_DEC_FINITE && b.coef == 0 && a.kind != MT_DEC_NAN;
}

static int max (int a, int b) { return a > b ? a : b; }

/* Returns how many decimals a quotient has in PostgreSQL: enough for 16 significant digits, and at
 * least as many as each operand has. */
static int quotient_scale (MtDec a, MtDec b)
{
   int first_a, first_b;
   int weight = mt_dec_weight (a, &first_a) - mt_dec_weight (b, &first_b);
   if (first_a <= first_b)
      weight--;
   int scale = MT_NUM_MIN_SIG_DIGITS - weight * 4;
   return max (max (scale, 0), max (-a.exp, -b.exp));
}

/* Computes a / b with `scale` decimals. The quotient is first truncated to 34 digits, so that it is
 * rounded only once. */
static bool quotient (MtNum a, MtNum b, int scale, bool round, MtNum *out, MtError *err)
{
   unsigned flags = 0;
   BID_UINT128 x = bid128_div (mt_num_bid (a), mt_num_bid (b), MT_BID_TO_ZERO, &flags);
   if (flags & MT_BID_OVERFLOW)
      return mt_num_overflow (err);
   MtDec d = mt_dec_open (mt_num_load (&x));
   if (-d.exp <= scale && (flags & MT_BID_INEXACT) && round) {
      flags = 0;
      x = bid128_div (mt_num_bid (a), mt_num_bid (b), MT_BID_HALF_AWAY, &flags);
      d = mt_dec_open (mt_num_load (&x));
   }
   d = mt_dec_rescale (d, scale, round);
   return mt_dec_close (d, out) || mt_num_overflow (err);
}

bool mt_num_div (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   MtDec x = mt_dec_open (a), y = mt_dec_open (b);
   if (zero_divisor (x, y))
      return by_zero (err);
   if (special_quotient (x, y, out))
      return true;
   return quotient (a, b, quotient_scale (x, y), true, out, err);
}

bool mt_num_div_trunc (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   MtDec x = mt_dec_open (a), y = mt_dec_open (b);
   if (zero_divisor (x, y))
      return by_zero (err);
   if (special_quotient (x, y, out))
      return true;
   return quotient (a, b, 0, false, out, err);
}

bool mt_num_mod (MtNum a, MtNum b, MtNum *out, MtError *err)
{
   MtDec x = mt_dec_open (a), y = mt_dec_open (b);
   if (x.kind == MT_DEC_NAN || y.kind == MT_DEC_NAN ||
       (x.kind == MT_DEC_INF && (y.kind == MT_DEC_INF || y.coef != 0))) {
      *out = special (MT_DEC_NAN, false);
      return true;
   }
   if (zero_divisor (x, y))
      return by_zero (err);
   if (y.kind == MT_DEC_INF) {
      *out = a;
      return true;
   }
   unsigned flags = 0;
   BID_UINT128 r = bid128_fmod (mt_num_bid (a), mt_num_bid (b), &flags);
   MtDec d = mt_dec_open (mt_num_of_bid (r));
   return mt_dec_close (mt_dec_rescale (d, max (0, max (-x.exp, -y.exp)), true), out) ||
          mt_num_overflow (err);
}

static MtNum to_scale (MtNum n, int scale, bool round)
{
   MtDec d = mt_dec_open (n);
   MtNum out = n;
   if (d.kind != MT_DEC_FINITE)
      return n;
   d = mt_dec_rescale (d, scale, round);
   if (scale < 0)
      d = mt_dec_rescale (d, 0, round);
   mt_dec_close (d, &out);
   return out;
}

MtNum mt_num_round (MtNum n, int scale) { return to_scale (n, scale, true); }
MtNum mt_num_trunc (MtNum n, int scale) { return to_scale (n, scale, false); }

static MtNum step (MtNum n, int away)
{
   MtNum whole = mt_num_trunc (n, 0), out = whole;
   if (mt_num_sign (n) == away && mt_num_compare (n, whole) != 0)
      mt_num_add (whole, mt_num_from_int64 (away), &out, NULL);
   return out;
}

MtNum mt_num_ceil (MtNum n) { return step (n, 1); }
MtNum mt_num_floor (MtNum n) { return step (n, -1); }

MtNum mt_num_trim_scale (MtNum n)
{
   MtDec d = mt_dec_open (n);
   MtNum out = n;
   if (d.kind != MT_DEC_FINITE)
      return n;
   while (d.exp < 0 && d.coef % 10 == 0) {
      d.coef /= 10;
      d.exp++;
   }
   mt_dec_close (d, &out);
   return out;
}
