/* Roots, powers and logarithms of numerics, with as many decimals as PostgreSQL gives. */
#include "types/decimal.h"

#include <math.h>

static int max (int a, int b) { return a > b ? a : b; }

static bool close_at (BID_UINT128 x, unsigned flags, int scale, MtNum *out, MtError *err)
{
   if (flags & MT_BID_OVERFLOW)
      return mt_num_overflow (err);
   MtDec d = mt_dec_rescale (mt_dec_open (mt_num_of_bid (x)), max (scale, 0), true);
   return mt_dec_close (d, out) || mt_num_overflow (err);
}

bool mt_num_sqrt (MtNum n, MtNum *out, MtError *err)
{
   MtDec d = mt_dec_open (n);
   if (mt_num_sign (n) < 0)
      return mt_error (err, MT_E_BAD_POWER, "cannot take square root of a negative number");
   if (d.kind != MT_DEC_FINITE) {
      *out = n;
      return true;
   }
   int first;
   int scale = max (MT_NUM_MIN_SIG_DIGITS - (2 * mt_dec_weight (d, &first) + 1), -d.exp);
   unsigned flags = 0;
   BID_UINT128 x = bid128_sqrt (mt_num_bid (n), MT_BID_TO_ZERO, &flags);
   return close_at (x, flags, scale, out, err);
}

bool mt_num_sqrt_at (MtNum n, int scale, MtNum *out, MtError *err)
{
   unsigned flags = 0;
   return close_at (bid128_sqrt (mt_num_bid (n), MT_BID_TO_ZERO, &flags), flags, scale, out, err);
}

bool mt_num_exp (MtNum n, MtNum *out, MtError *err)
{
   MtDec d = mt_dec_open (n);
   if (d.kind != MT_DEC_FINITE) {
      *out = d.kind == MT_DEC_INF && d.neg ? mt_num_from_int64 (0) : n;
      return true;
   }
   double weight = fmax (-2000, fmin (20000, mt_num_to_double (n) * 0.434294481903252));
   unsigned flags = 0;
   BID_UINT128 x = bid128_exp (mt_num_bid (n), MT_BID_NEAREST, &flags);
   return close_at (x, flags, max (MT_NUM_MIN_SIG_DIGITS - (int) weight, -d.exp), out, err);
}

/* Returns the decimal position of the first digit of ln (n) (0: units), as PostgreSQL estimates
 * it. */
static int ln_weight (MtNum n)
{
   MtNum one = mt_num_from_int64 (1), x;
   double v = mt_num_to_double (n);
   if (v >= 0.9 && v <= 1.1 && mt_num_sub (n, one, &x, NULL)) {
      int first, weight = mt_dec_weight (mt_dec_open (x), &first);
      return first ? weight * 4 + (int) log10 (first) : 0;
   }
   MtDec d = mt_dec_open (n);
   if (d.coef == 0)
      return 0;
   int digits = mt_dec_digits (d.coef), drop = digits > 15 ? digits - 15 : 0;
   double ln = log ((double) mt_dec_drop (d.coef, drop, false)) +
               (d.exp + drop) * 2.302585092994046;
   return (int) log10 (fabs (ln));
}

static bool check_log (MtNum n, MtError *err)
{
   if (mt_num_sign (n) < 0)
      return mt_error (err, MT_E_BAD_LOG, "cannot take logarithm of a negative number");
   if (mt_num_is_zero (n))
      return mt_error (err, MT_E_BAD_LOG, "cannot take logarithm of zero");
   return true;
}

bool mt_num_ln (MtNum n, MtNum *out, MtError *err)
{
   if (!check_log (n, err))
      return false;
   MtDec d = mt_dec_open (n);
   if (d.kind != MT_DEC_FINITE) {
      *out = n;
      return true;
   }
   unsigned flags = 0;
   BID_UINT128 x = bid128_log (mt_num_bid (n), MT_BID_NEAREST, &flags);
   return close_at (x, flags, max (MT_NUM_MIN_SIG_DIGITS - ln_weight (n), -d.exp), out, err);
}

/* Computes the logarithm of n to a base, of which one is infinite or NaN. Returns false if both are
 * finite. */
static bool special_log (MtDec base, MtDec n, MtNum *out)
{
   if (base.kind == MT_DEC_FINITE && n.kind == MT_DEC_FINITE)
      return false;
   MtDec d = {.kind = MT_DEC_FINITE};
   if (base.kind == MT_DEC_NAN || n.kind == MT_DEC_NAN ||
       (base.kind == MT_DEC_INF && n.kind == MT_DEC_INF))
      d.kind = MT_DEC_NAN;
   else if (n.kind == MT_DEC_INF)
      d.kind = MT_DEC_INF;
   mt_dec_close (d, out);
   return true;
}

bool mt_num_log (MtNum base, MtNum n, MtNum *out, MtError *err)
{
   MtDec b = mt_dec_open (base), d = mt_dec_open (n);
   if (b.kind != MT_DEC_NAN && d.kind != MT_DEC_NAN) {
      /* As in PostgreSQL, checks the base first if both operands are finite, and minus infinity
       * before a base of zero. */
      bool n_first = d.kind == MT_DEC_INF && d.neg;
      if (!check_log (n_first ? n : base, err) || !check_log (n, err))
         return false;
   }
   if (special_log (b, d, out))
      return true;
   unsigned flags = 0;
   BID_UINT128 below = bid128_log (mt_num_bid (base), MT_BID_NEAREST, &flags);
   if (bid128_isZero (below))
      return mt_error (err, MT_E_DIVISION_BY_ZERO, "division by zero");
   bool ten = mt_num_compare (base, mt_num_from_int64 (10)) == 0;
   BID_UINT128 x = ten ? bid128_log10 (mt_num_bid (n), MT_BID_NEAREST, &flags)
                       : bid128_div (bid128_log (mt_num_bid (n), MT_BID_NEAREST, &flags), below,
                                     MT_BID_NEAREST, &flags);
   int scale = MT_NUM_MIN_SIG_DIGITS - (ln_weight (n) - ln_weight (base));
   return close_at (x, flags, max (scale, max (-b.exp, -d.exp)), out, err);
}

bool mt_num_log10 (MtNum n, MtNum *out, MtError *err)
{
   return mt_num_log (mt_num_from_int64 (10), n, out, err);
}

/* ---- powers ---- */

/* Computes base^e by repeated squaring. The result is exact if all intermediate powers have at most
 * 34 digits. */
static BID_UINT128 integer_power (BID_UINT128 base, int64_t e, unsigned *flags)
{
   bool inverse = e < 0;
   uint64_t left = inverse ? (uint64_t) -e : (uint64_t) e;
   BID_UINT128 one = bid128_from_int64 (1), x = one, square = base;
   for (; left; left >>= 1) {
      if (left & 1)
         x = bid128_mul (x, square, MT_BID_NEAREST, flags);
      if (left > 1)
         square = bid128_mul (square, square, MT_BID_NEAREST, flags);
   }
   return inverse ? bid128_div (one, x, MT_BID_NEAREST, flags) : x;
}

static bool finite_power (MtNum base, MtNum e, MtNum *out, MtError *err)
{
   MtDec b = mt_dec_open (base), d = mt_dec_open (e);
   bool whole = mt_num_compare (e, mt_num_trunc (e, 0)) == 0;
   MtInt128 i = 0;
   unsigned flags = 0;
   if (whole && mt_num_to_int128 (e, &i) && i >= INT32_MIN && i <= INT32_MAX) {
      BID_UINT128 x = integer_power (mt_num_bid (base), (int64_t) i, &flags);
      if (flags & MT_BID_INEXACT) {
         flags = 0;
         x = bid128_pow (mt_num_bid (base), mt_num_bid (e), MT_BID_NEAREST, &flags);
      }
      return close_at (x, flags, max (MT_NUM_MIN_SIG_DIGITS, -b.exp), out, err);
   }
   if (b.coef == 0) {
      *out = mt_num_from_scaled (0, MT_NUM_MIN_SIG_DIGITS);
      return true;
   }
   BID_UINT128 x = bid128_pow (mt_num_bid (base), mt_num_bid (e), MT_BID_NEAREST, &flags);
   double weight = log10 (fabs (mt_num_to_double (base))) * mt_num_to_double (e);
   weight = fmax (-20000, fmin (20000, weight));
   return close_at (x, flags, max (MT_NUM_MIN_SIG_DIGITS - (int) weight, max (-b.exp, -d.exp)), out,
                    err);
}

bool mt_num_power (MtNum base, MtNum e, MtNum *out, MtError *err)
{
   MtDec b = mt_dec_open (base), d = mt_dec_open (e);
   bool special = b.kind != MT_DEC_FINITE || d.kind != MT_DEC_FINITE;
   MtNum one = mt_num_from_int64 (1);
   if (special && ((d.kind == MT_DEC_FINITE && d.coef == 0) || mt_num_compare (base, one) == 0)) {
      *out = one; /* x^0 and 1^x are 1, even if x is NaN */
      return true;
   }
   if (b.kind == MT_DEC_NAN || d.kind == MT_DEC_NAN) {
      *out = b.kind == MT_DEC_NAN ? base : e;
      return true;
   }
   if (b.kind == MT_DEC_FINITE && b.coef == 0 && mt_num_sign (e) < 0)
      return mt_error (err, MT_E_BAD_POWER, "zero raised to a negative power is undefined");
   if (mt_num_sign (base) < 0 && d.kind == MT_DEC_FINITE &&
       mt_num_compare (e, mt_num_trunc (e, 0)) != 0)
      return mt_error (err, MT_E_BAD_POWER,
                       "a negative number raised to a non-integer power yields a complex result");
   if (!special)
      return finite_power (base, e, out, err);
   unsigned flags = 0;
   BID_UINT128 x = bid128_pow (mt_num_bid (base), mt_num_bid (e), MT_BID_NEAREST, &flags);
   *out = mt_num_of_bid (x);
   if (mt_num_is_zero (*out))
      *out = mt_num_from_int64 (0);
   return true;
}
