/* Mathematical functions of double precision, and other functions of numbers. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "base/cancel.h"
#include "types/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool overflow (MtEval *ev)
{
   return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
}

static bool put (MtEval *ev, double r, bool inf_ok, MtVal *out)
{
   if (isinf (r) && !inf_ok)
      return overflow (ev);
   *out = mt_v_double (r);
   return true;
}

static double cot (double x) { return 1 / tan (x); }

typedef double (*F1) (double);
enum { CBRT, SIN, COS, TAN, COT };

static bool fn_f1 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const F1 fns[] = {cbrt, sin, cos, tan, cot};
   double x = a[0].d;
   if (isinf (x) && MT_USER (ev) >= SIN && MT_USER (ev) <= COT)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "input is out of range");
   return put (ev, fns[MT_USER (ev)](x), isinf (x) || MT_USER (ev) == COT, out);
}

/* Computes acos, asin, atanh or acosh, in this order for MT_USER (ev) from 0. Fails with 22003
 * outside of the function's domain. */
static bool fn_f1_within (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const F1 fns[] = {acos, asin, atanh, acosh};
   double x = a[0].d;
   int f = MT_USER (ev);
   if (!isnan (x) && (f == 3 ? x < 1 : x < -1 || x > 1))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "input is out of range");
   return put (ev, fns[f](x), true, out);
}

static bool fn_sqrt (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (a[0].d < 0)
      return mt_error (ev->err, MT_E_BAD_POWER, "cannot take square root of a negative number");
   return put (ev, sqrt (a[0].d), true, out);
}

static bool fn_exp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double r = exp (a[0].d);
   if (r == 0 && !isinf (a[0].d))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: underflow");
   return put (ev, r, isinf (a[0].d), out);
}

static bool fn_ln (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (a[0].d <= 0)
      return mt_error (ev->err, MT_E_BAD_LOG, "cannot take logarithm of %s",
                       a[0].d == 0 ? "zero" : "a negative number");
   return put (ev, MT_USER (ev) ? log10 (a[0].d) : log (a[0].d), true, out);
}

static bool fn_power (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double x = a[0].d, y = a[1].d;
   if (x == 0 && y < 0)
      return mt_error (ev->err, MT_E_BAD_POWER, "zero raised to a negative power is undefined");
   if (x < 0 && isfinite (y) && floor (y) != y)
      return mt_error (ev->err, MT_E_BAD_POWER,
                       "a negative number raised to a non-integer power yields a complex result");
   double r = pow (x, y);
   if (r == 0 && x != 0 && isfinite (x) && isfinite (y))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: underflow");
   return put (ev, r, !isfinite (x) || !isfinite (y), out);
}

static bool fn_random (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static _Thread_local unsigned short state[3];
   static _Thread_local bool seeded;
   if (!seeded) {
      uint64_t t = (uint64_t) mt_now_us () ^ (uint64_t) (uintptr_t) state;
      memcpy (state, &t, sizeof state);
      seeded = true;
   }
   *out = mt_v_double (erand48 (state));
   return true;
}

/* Returns a random UUID (version 4, RFC 4122). */
static bool fn_uuid (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   uint64_t bits[2] = {mt_op_random (), mt_op_random ()};
   uint8_t *p = mt_alloc (ev->arena, 16);
   memcpy (p, bits, 16);
   p[6] = (uint8_t) ((p[6] & 0x0F) | 0x40);
   p[8] = (uint8_t) ((p[8] & 0x3F) | 0x80);
   *out = mt_v_str ((const char *) p, 16);
   out->type = MT_BINARY;
   out->sub = 4;
   return true;
}

static bool fn_gcd (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool lcm = MT_USER (ev);
   uint64_t x = a[0].i < 0 ? -(uint64_t) a[0].i : (uint64_t) a[0].i,
            y = a[1].i < 0 ? -(uint64_t) a[1].i : (uint64_t) a[1].i, u = x, v = y;
   while (v) {
      uint64_t t = u % v;
      u = v;
      v = t;
   }
   MtUint128 r = u;
   if (lcm && u)
      r = (MtUint128) (x / u) * y;
   if (r > (MtUint128) INT64_MAX)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "bigint out of range");
   *out = mt_v_int64 ((int64_t) r);
   return true;
}

static bool fn_factorial (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum r = mt_num_from_int64 (1);
   if (a[0].i < 0)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "factorial of a negative number is undefined");
   if (a[0].i > 31) /* 32! has 36 digits */
      return mt_error (ev->err, MT_E_FEATURE, "factorial beyond 34 digits is not supported");
   for (int64_t i = 2; i <= a[0].i; i++)
      if (!mt_num_mul (r, mt_num_from_int64 (i), &r, ev->err))
         return false;
   *out = mt_num_to_val (ev->arena, r);
   return true;
}

/* Divides the range between `from` and `to` into `count` equal buckets, and returns the number of
 * the bucket with x, from 1 on. */
static int64_t part_of (double x, double from, double to, int64_t count)
{
   /* The difference of two finite numbers may overflow to infinity; the difference of their halves
    * can't. */
   double share = isinf (to - from) ? (x / 2 - from / 2) / (to / 2 - from / 2)
                                    : (x - from) / (to - from);
   int64_t part = (int64_t) ((double) count * share);
   return part < count ? part + 1 : count;
}

static bool fn_width_bucket (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   double x = a[0].d, lo = a[1].d, hi = a[2].d;
   int64_t count = a[3].i, r;
   if (count <= 0)
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "count must be greater than zero");
   if (isnan (x) || isnan (lo) || isnan (hi))
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET,
                       "operand, lower bound, and upper bound cannot be NaN");
   if (isinf (lo) || isinf (hi))
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "lower and upper bounds must be finite");
   if (lo == hi)
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "lower bound cannot equal upper bound");
   if (lo < hi ? x < lo : x > lo)
      r = 0;
   else if (lo < hi ? x >= hi : x <= hi)
      r = count + 1;
   else
      r = part_of (x, lo, hi, count);
   if (r > INT32_MAX)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "integer out of range");
   *out = mt_v_int32 ((int32_t) r);
   return true;
}

/* ---- angles in degrees: as in PostgreSQL, exact at the multiples of 30 and 45 ---- */

#define RAD_PER_DEG 0.0174532925199432957692

static double sin_to_30 (double x) { return sin (x * RAD_PER_DEG) / sin (30 * RAD_PER_DEG) / 2; }
static double cos_to_60 (double x)
{
   return 1 - (1 - cos (x * RAD_PER_DEG)) / (1 - cos (60 * RAD_PER_DEG)) / 2;
}
static double sin_to_90 (double x) { return x <= 30 ? sin_to_30 (x) : cos_to_60 (90 - x); }
static double cos_to_90 (double x) { return x <= 60 ? cos_to_60 (x) : sin_to_30 (90 - x); }
static double asin_to_1 (double x)
{
   return x <= 0.5 ? asin (x) / asin (0.5) * 30 : 90 - acos (x) / acos (0.5) * 60;
}
static double acos_to_1 (double x)
{
   return x <= 0.5 ? 90 - asin (x) / asin (0.5) * 30 : acos (x) / acos (0.5) * 60;
}

enum { SIND, COSD, TAND, COTD, ASIND, ACOSD };

/* Maps an angle in degrees to the first quadrant. *s and *c are the signs of its sine and
 * cosine. */
static double first_quadrant (double x, double *s, double *c)
{
   *s = *c = 1;
   x = fmod (x, 360);
   if (x < 0) {
      x = -x;
      *s = -*s;
   }
   if (x > 180) {
      x = 360 - x;
      *s = -*s;
   }
   if (x > 90) {
      x = 180 - x;
      *c = -*c;
   }
   return x;
}

static double by_degrees (int what, double x)
{
   double s, c, r, q = first_quadrant (x, &s, &c), one = sin_to_90 (45) / cos_to_90 (45);
   switch (what) {
   case ASIND: return x >= 0 ? asin_to_1 (x) : -asin_to_1 (-x);
   case ACOSD: return x >= 0 ? acos_to_1 (x) : 90 + asin_to_1 (-x);
   case SIND: r = s * sin_to_90 (q); break;
   case COSD: r = c * cos_to_90 (q); break;
   case TAND: r = s * c * (sin_to_90 (q) / cos_to_90 (q) / one); break;
   default: r = s * c * (cos_to_90 (q) / sin_to_90 (q) * one); break;
   }
   return r == 0 ? 0 : r;
}

static bool fn_degrees (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int what = MT_USER (ev);
   double x = a[0].d;
   if ((what < ASIND && isinf (x)) || ((what == ASIND || what == ACOSD) && (x < -1 || x > 1)))
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "input is out of range");
   *out = mt_v_double (isnan (x) ? x : by_degrees (what, x));
   return true;
}

/* Sets *out to the number of the bucket with x, of `count` equal ones from lo to hi, computed
 * exactly. */
static bool bucket_of (MtEval *ev, MtNum x, MtNum lo, MtNum hi, int64_t count, int64_t *out)
{
   MtNum part, whole, c = mt_num_from_int64 (count);
   if (!mt_num_sub (x, lo, &part, ev->err) || !mt_num_sub (hi, lo, &whole, ev->err) ||
       !mt_num_mul (part, c, &part, ev->err) || !mt_num_div (part, whole, &part, ev->err))
      return false;
   if (mt_num_compare (part, c) >= 0) {
      *out = count;
      return true;
   }
   return mt_num_to_int64 (mt_num_floor (part), out, ev->err) && (++*out, true);
}

static bool fn_width_bucket_numeric (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum x = mt_num_of (a[0]), lo = mt_num_of (a[1]), hi = mt_num_of (a[2]);
   int64_t count = a[3].i, r;
   int sign = mt_num_compare (lo, hi);
   if (count <= 0)
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "count must be greater than zero");
   if (mt_num_is_nan (x) || mt_num_is_nan (lo) || mt_num_is_nan (hi))
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET,
                       "operand, lower bound, and upper bound cannot be NaN");
   if (mt_num_is_inf (lo) || mt_num_is_inf (hi))
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "lower and upper bounds must be finite");
   if (sign == 0)
      return mt_error (ev->err, MT_E_BAD_WIDTH_BUCKET, "lower bound cannot equal upper bound");
   if (mt_num_compare (x, lo) * sign > 0)
      r = 0;
   else if (mt_num_compare (x, hi) * sign <= 0)
      r = count + 1;
   else if (!bucket_of (ev, x, lo, hi, count, &r))
      return false;
   if (r > INT32_MAX)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "integer out of range");
   *out = mt_v_int32 ((int32_t) r);
   return true;
}

#define F "float8 -> float8"
#define NS (MT_NN | MT_F_NULL_SAFE)

const MtFunc mt_fn_math[] = {
   MT_ROW ("ceil", F, NS, "{\"$ceil\": \"$1\"}", NULL, "smallest integer that is not less",
           "SELECT ceil((-42.8)::float8) => -42"),
   MT_ROW ("floor", F, NS, "{\"$floor\": \"$1\"}", NULL, "largest integer that is not greater",
           "SELECT floor((-42.8)::float8) => -43"),
   MT_ROW ("round", F, NS, "{\"$round\": [\"$1\", 0]}", NULL,
           "nearest integer; halves are rounded to even", "SELECT round(2.5::float8) => 2"),
   MT_ROW ("trunc", F, NS, "{\"$trunc\": [\"$1\", 0]}", NULL, "number truncated towards zero",
           "SELECT trunc((-42.8)::float8) => -42"),
   MT_ROW ("sign", F, MT_NN,
           "{\"$toDouble\": {\"$cond\": [{\"$eq\": [\"$1\", {\"$numberDouble\": \"NaN\"}]}, 0, "
           "{\"$cmp\": [\"$1\", 0]}]}}",
           NULL, "-1, 0 or 1", "SELECT sign((-8.4)::float8) => -1"),
   MT_ROW ("sqrt", F, MT_NN, NULL, MT_OPN ("sqrt", sqrt, 0), "square root",
           "SELECT sqrt(4::float8) => 2"),
   MT_ROW ("cbrt", F, MT_NN, NULL, MT_OPN ("cbrt", f1, CBRT), "cube root", "SELECT cbrt(8) => 2"),
   MT_ROW ("exp", F, MT_NN, NULL, MT_OPN ("exp", exp, 0), "e raised to a power",
           "SELECT exp(0::float8) => 1"),
   MT_ROW ("ln", F, MT_NN, NULL, MT_OPN ("ln", ln, 0), "natural logarithm",
           "SELECT ln(1::float8) => 0"),
   MT_ROW ("log", F, MT_NN, NULL, MT_OPN ("log10", ln, 1), "logarithm to base 10",
           "SELECT log(100::float8) => 2"),
   MT_ROW ("power", "float8, float8 -> float8", MT_NN, NULL, MT_OPN ("power", power, 0),
           "x raised to the power y", "SELECT power(2, 10) => 1024"),
   MT_ROW ("pi", "-> float8", MT_NN, "{\"$literal\": 3.141592653589793}", NULL, "π",
           "SELECT pi() => 3.141592653589793"),
   MT_ROW ("sin", F, MT_NN, NULL, MT_OPN ("sin", f1, SIN), "sine", "SELECT sin(0) => 0"),
   MT_ROW ("cos", F, MT_NN, NULL, MT_OPN ("cos", f1, COS), "cosine", "SELECT cos(0) => 1"),
   MT_ROW ("tan", F, MT_NN, NULL, MT_OPN ("tan", f1, TAN), "tangent", "SELECT tan(0) => 0"),
   MT_ROW ("cot", F, MT_NN, NULL, MT_OPN ("cot", f1, COT), "cotangent",
           "SELECT round(cot(0.5)::numeric, 6) => 1.830488"),
   MT_ROW ("asin", F, MT_NN, NULL, MT_OPN ("asin", f1_within, 1), "inverse sine",
           "SELECT asin(0) => 0"),
   MT_ROW ("acos", F, MT_NN, NULL, MT_OPN ("acos", f1_within, 0), "inverse cosine",
           "SELECT acos(1) => 0"),
   MT_ROW ("atan", F, NS, "{\"$atan\": \"$1\"}", NULL, "inverse tangent", "SELECT atan(0) => 0"),
   MT_ROW ("atan2", "y float8, x float8 -> float8", NS, "{\"$atan2\": [\"$1\", \"$2\"]}", NULL,
           "angle of a point", "SELECT atan2(0, 1) => 0"),
   MT_ROW ("sind", F, MT_NN, NULL, MT_OPN ("sind", degrees, SIND), "sine of degrees",
           "SELECT sind(30) => 0.5"),
   MT_ROW ("cosd", F, MT_NN, NULL, MT_OPN ("cosd", degrees, COSD), "cosine of degrees",
           "SELECT cosd(60) => 0.5"),
   MT_ROW ("tand", F, MT_NN, NULL, MT_OPN ("tand", degrees, TAND), "tangent of degrees",
           "SELECT tand(45) => 1"),
   MT_ROW ("cotd", F, MT_NN, NULL, MT_OPN ("cotd", degrees, COTD), "cotangent of degrees",
           "SELECT cotd(45) => 1"),
   MT_ROW ("asind", F, MT_NN, NULL, MT_OPN ("asind", degrees, ASIND), "inverse sine, in degrees",
           "SELECT asind(0.5) => 30"),
   MT_ROW ("acosd", F, MT_NN, NULL, MT_OPN ("acosd", degrees, ACOSD), "inverse cosine, in degrees",
           "SELECT acosd(0.5) => 60"),
   MT_ROW ("sinh", F, MT_NN, "{\"$sinh\": \"$1\"}", NULL, "hyperbolic sine", "SELECT sinh(0) => 0"),
   MT_ROW ("cosh", F, MT_NN, "{\"$cosh\": \"$1\"}", NULL, "hyperbolic cosine",
           "SELECT cosh(0) => 1"),
   MT_ROW ("tanh", F, NS, "{\"$tanh\": \"$1\"}", NULL, "hyperbolic tangent", "SELECT tanh(0) => 0"),
   MT_ROW ("asinh", F, NS, "{\"$asinh\": \"$1\"}", NULL, "inverse hyperbolic sine",
           "SELECT asinh(0) => 0"),
   MT_ROW ("acosh", F, MT_NN, NULL, MT_OPN ("acosh", f1_within, 3), "inverse hyperbolic cosine",
           "SELECT acosh(1) => 0"),
   MT_ROW ("atanh", F, MT_NN, NULL, MT_OPN ("atanh", f1_within, 2), "inverse hyperbolic tangent",
           "SELECT atanh(0) => 0"),
   MT_ROW ("random", "-> float8", MT_F_SEEDED | MT_NN | MT_F_VOLATILE, "{\"$rand\": {}}",
           MT_OPN ("random", random, 0), "random number, at least 0 and less than 1",
           "SELECT random() < 1 => t"),
   MT_ROW ("gen_random_uuid", "-> uuid", MT_F_VOLATILE | MT_NN, NULL,
           MT_OPN ("random_uuid", uuid, 0), "random UUID of version 4",
           "SELECT substr(gen_random_uuid()::text, 15, 1) => 4"),
   MT_ROW ("gcd", "int8, int8 -> int8", MT_NN, NULL, MT_OPN ("gcd", gcd, 0),
           "greatest common divisor", "SELECT gcd(1071::bigint, 462) => 21"),
   MT_ROW ("lcm", "int8, int8 -> int8", MT_NN, NULL, MT_OPN ("lcm", gcd, 1),
           "least common multiple", "SELECT lcm(4::bigint, 6) => 12"),
   MT_ROW ("factorial", "int8 -> numeric", MT_NN, NULL, MT_OPN ("factorial", factorial, 0),
           "factorial", "SELECT factorial(5) => 120"),
   MT_ROW ("width_bucket", "x numeric, low numeric, high numeric, count int4 -> int4", MT_NN, NULL,
           MT_OPN ("width_bucket_numeric", width_bucket_numeric, 0),
           "number of the bucket, of count equal buckets",
           "SELECT width_bucket(5.35, 0.024, 10.06, 5) => 3"),
   MT_ROW ("width_bucket", "x float8, low float8, high float8, count int4 -> int4", MT_NN, NULL,
           MT_OPN ("width_bucket", width_bucket, 0), "number of the bucket, of count equal buckets",
           "SELECT width_bucket(5.35::float8, 0.024, 10.06, 5) => 3"),
   {.name = NULL},
};
