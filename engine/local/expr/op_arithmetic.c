/* The arithmetic operators. The type of the result is the widest of the operands' types, in
 * MongoDB's order: int, long, double, decimal. */
#include "engine/local/expr/op_int.h"

#include <sys/random.h>

/* ---- numbers as other numbers ---- */

BID_UINT128 mt_op_decimal (MtVal v)
{
   if (v.type == MT_DECIMAL)
      return mt_bid_load (v.p);
   if (v.type != MT_DOUBLE)
      return bid128_from_int64 (v.i);
   char text[40];
   unsigned flags = 0;
   if (v.d == 0 || isnan (v.d) || isinf (v.d))
      return binary64_to_bid128 (v.d, MT_BID_NEAREST, &flags);
   snprintf (text, sizeof text, "%.14e", v.d);
   return bid128_from_string (text, MT_BID_NEAREST, &flags);
}

double mt_op_double (MtVal v)
{
   unsigned flags = 0;
   if (v.type == MT_DOUBLE)
      return v.d;
   return v.type == MT_DECIMAL ? bid128_to_binary64 (mt_bid_load (v.p), MT_BID_NEAREST, &flags)
                               : (double) v.i;
}

MtVal mt_op_from_bid (MtEval *ev, BID_UINT128 x)
{
   return mt_v_decimal (ev->arena, (const uint8_t *) &x);
}

bool mt_op_whole (MtVal v, int64_t *out)
{
   if (mt_is_int (v)) {
      *out = v.i;
      return true;
   }
   if (v.type == MT_DOUBLE) {
      if (!(v.d >= -9223372036854775808.0 && v.d < 9223372036854775808.0) || v.d != trunc (v.d))
         return false;
      *out = (int64_t) v.d;
      return true;
   }
   unsigned flags = 0;
   if (v.type != MT_DECIMAL)
      return false;
   *out = bid128_to_int64_xint (mt_bid_load (v.p), &flags);
   return !(flags & (MT_BID_INVALID | MT_BID_INEXACT));
}

bool mt_op_whole32 (MtVal v, int32_t *out)
{
   int64_t i;
   if (!mt_op_whole (v, &i) || i < INT32_MIN || i > INT32_MAX)
      return false;
   *out = (int32_t) i;
   return true;
}

static MtVal int_or_long (int64_t i)
{
   return i >= INT32_MIN && i <= INT32_MAX ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i);
}

/* Returns the wider of the number types of a and b, which is the type of the result. */
static uint8_t widest (MtVal a, MtVal b)
{
   if (a.type == MT_DECIMAL || b.type == MT_DECIMAL)
      return MT_DECIMAL;
   if (a.type == MT_DOUBLE || b.type == MT_DOUBLE)
      return MT_DOUBLE;
   return a.type == MT_INT64 || b.type == MT_INT64 ? MT_INT64 : MT_INT32;
}

static bool null_or_wrong (MtEval *ev, const char *name, const MtVal *args, int argc, bool *is_null)
{
   *is_null = false;
   for (int i = 0; i < argc; i++)
      if (mt_is_nullish (args[i]))
         *is_null = true;
      else if (!mt_is_number (args[i]))
         return MT_OP_FAIL (MT_E_PARAMETER, mt_code_type (name, i),
                            "%s only supports numeric types, not %s", name,
                            mt_v_type_name (args[i]));
   return true;
}

#define NUMBERS_OR_NULL(name) \
   bool is_null; \
   if (!null_or_wrong (ev, name, args, argc, &is_null)) \
      return false; \
   if (is_null) \
   return mt_op_null (out)

/* ---- $add ---- */

/* The state of a sum. Integers are added exactly. For doubles, the rounding errors are added up,
 * too (Dekker's two-sum), as in mongod. */
typedef struct Sum {
   MtInt128 whole;
   double high, low;
   BID_UINT128 decimal;
   uint8_t type;
} Sum;

static void sum_double (Sum *s, double d)
{
   double t = s->high + d, back = t - s->high;
   if (isfinite (t))
      s->low += (s->high - (t - back)) + (d - back);
   s->high = t;
}

static void sum_add (Sum *s, MtVal v)
{
   unsigned flags = 0;
   s->type = widest ((MtVal) {.type = s->type}, v);
   if (v.type == MT_DECIMAL)
      s->decimal = bid128_add (s->decimal, mt_op_decimal (v), MT_BID_NEAREST, &flags);
   else if (v.type == MT_DOUBLE)
      sum_double (s, v.d);
   else
      s->whole += v.i;
}

static BID_UINT128 bid_of_whole (MtInt128 i)
{
   MtNum n = mt_num_from_int128 (i);
   return mt_bid_load (&n);
}

static double sum_as_double (Sum s)
{
   if (s.high == 0 && s.low == 0)
      return (double) s.whole;
   double high = (double) s.whole;
   sum_double (&s, high);
   sum_double (&s, (double) (s.whole - (MtInt128) high));
   return isfinite (s.high) ? s.high + s.low : s.high;
}

static MtVal sum_value (MtEval *ev, Sum s)
{
   unsigned flags = 0;
   if (s.type == MT_DECIMAL) {
      BID_UINT128 x = s.whole
                         ? bid128_add (s.decimal, bid_of_whole (s.whole), MT_BID_NEAREST, &flags)
                         : s.decimal;
      if (s.high != 0 || s.low != 0 || isnan (s.high))
         x = bid128_add (x,
                         mt_op_decimal (mt_v_double (isfinite (s.high) ? s.high + s.low : s.high)),
                         MT_BID_NEAREST, &flags);
      return mt_op_from_bid (ev, x);
   }
   if (s.type == MT_DOUBLE)
      return mt_v_double (sum_as_double (s));
   if (s.whole < INT64_MIN || s.whole > INT64_MAX)
      return mt_v_double ((double) s.whole);
   return s.type == MT_INT32 ? int_or_long ((int64_t) s.whole) : mt_v_int64 ((int64_t) s.whole);
}

/* Rounds a number that is added to a date to whole milliseconds. Returns false if it is out of
 * range. */
static bool as_ms (MtVal v, int64_t *ms)
{
   if (mt_is_int (v)) {
      *ms = v.i;
      return true;
   }
   double d = rint (mt_op_double (v));
   if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0))
      return false;
   *ms = (int64_t) d;
   return true;
}

static bool op_add (MT_OP_ARGS)
{
   Sum s = {.type = MT_INT32, .decimal = bid128_from_int64 (0)};
   bool is_null = false;
   int dates = 0;
   int64_t date = 0;
   for (int i = 0; i < argc; i++) {
      if (mt_is_nullish (args[i]))
         is_null = true;
      else if (mt_is_number (args[i]))
         sum_add (&s, args[i]);
      else if (args[i].type == MT_DATE) {
         date = args[i].i;
         if (++dates > 1)
            return MT_OP_FAIL (MT_E_PARAMETER, 16612,
                               "only one date allowed in an $add expression");
      } else
         return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                            "$add only supports numeric or date types, not %s",
                            mt_v_type_name (args[i]));
   }
   if (is_null)
      return mt_op_null (out);
   *out = sum_value (ev, s);
   if (!dates)
      return true;
   int64_t ms;
   if (!as_ms (*out, &ms) || __builtin_add_overflow (date, ms, &date))
      return MT_OP_FAIL (MT_E_DATETIME_RANGE, MT_CODE_OVERFLOW, "date overflow in $add");
   return mt_op_put (out, mt_v_date (date));
}

static bool op_subtract (MT_OP_ARGS)
{
   MtVal a = args[0], b = args[1];
   unsigned flags = 0;
   int64_t i;
   if (mt_is_nullish (a) || mt_is_nullish (b))
      return mt_op_null (out);
   if (a.type == MT_DATE && b.type == MT_DATE) {
      if (__builtin_sub_overflow (a.i, b.i, &i))
         return MT_OP_FAIL (MT_E_DATETIME_RANGE, MT_CODE_OVERFLOW,
                            "overflow detected in $subtract");
      return mt_op_put (out, mt_v_int64 (i));
   }
   if (a.type == MT_DATE && mt_is_number (b)) {
      if (!as_ms (b, &i) || __builtin_sub_overflow (a.i, i, &i))
         return MT_OP_FAIL (MT_E_DATETIME_RANGE, MT_CODE_OVERFLOW, "date overflow in $subtract");
      return mt_op_put (out, mt_v_date (i));
   }
   if (!mt_is_number (a) || !mt_is_number (b))
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH, "can't $subtract %s from %s",
                         mt_v_type_name (b), mt_v_type_name (a));
   uint8_t type = widest (a, b);
   if (type == MT_DECIMAL)
      *out = mt_op_from_bid (ev, bid128_sub (mt_op_decimal (a), mt_op_decimal (b), MT_BID_NEAREST,
                                             &flags));
   else if (type == MT_DOUBLE || __builtin_sub_overflow (a.i, b.i, &i))
      *out = mt_v_double (mt_op_double (a) - mt_op_double (b));
   else
      *out = type == MT_INT64 ? mt_v_int64 (i) : int_or_long (i);
   return true;
}

static bool op_multiply (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$multiply");
   MtVal product = mt_v_int32 (1);
   for (int k = 0; k < argc; k++) {
      unsigned flags = 0;
      uint8_t type = widest (product, args[k]);
      int64_t i;
      if (type == MT_DECIMAL)
         product = mt_op_from_bid (ev, bid128_mul (mt_op_decimal (product), mt_op_decimal (args[k]),
                                                   MT_BID_NEAREST, &flags));
      else if (type == MT_DOUBLE || __builtin_mul_overflow (product.i, args[k].i, &i))
         product = mt_v_double (mt_op_double (product) * mt_op_double (args[k]));
      else
         product = type == MT_INT64 ? mt_v_int64 (i) : int_or_long (i);
   }
   return mt_op_put (out, product);
}

static bool op_divide (MT_OP_ARGS)
{
   MtVal a = args[0], b = args[1];
   unsigned flags = 0;
   if (mt_is_nullish (a) || mt_is_nullish (b))
      return mt_op_null (out);
   if (!mt_is_number (a) || !mt_is_number (b))
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                         "$divide only supports numeric types, not %s and %s", mt_v_type_name (a),
                         mt_v_type_name (b));
   if (widest (a, b) == MT_DECIMAL) {
      BID_UINT128 y = mt_op_decimal (b);
      if (bid128_isZero (y))
         return MT_OP_FAIL (MT_E_DIVISION_BY_ZERO, MT_CODE_BAD_VALUE, "can't $divide by zero");
      return mt_op_put (
         out, mt_op_from_bid (ev, bid128_div (mt_op_decimal (a), y, MT_BID_NEAREST, &flags)));
   }
   double y = mt_op_double (b);
   if (y == 0)
      return MT_OP_FAIL (MT_E_DIVISION_BY_ZERO, MT_CODE_BAD_VALUE, "can't $divide by zero");
   return mt_op_put (out, mt_v_double (mt_op_double (a) / y));
}

static bool op_mod (MT_OP_ARGS)
{
   MtVal a = args[0], b = args[1];
   unsigned flags = 0;
   int32_t small;
   if (mt_is_nullish (a) || mt_is_nullish (b))
      return mt_op_null (out);
   if (!mt_is_number (a) || !mt_is_number (b))
      return MT_OP_FAIL (MT_E_PARAMETER, 16611, "$mod only supports numeric types, not %s and %s",
                         mt_v_type_name (a), mt_v_type_name (b));
   if (b.type == MT_DECIMAL ? bid128_isZero (mt_bid_load (b.p)) : mt_op_double (b) == 0)
      return MT_OP_FAIL (MT_E_DIVISION_BY_ZERO, widest (a, b) == MT_DECIMAL ? 5733415 : 16610,
                         "can't $mod by zero");
   if (widest (a, b) == MT_DECIMAL)
      return mt_op_put (
         out, mt_op_from_bid (ev, bid128_fmod (mt_op_decimal (a), mt_op_decimal (b), &flags)));
   /* If the right operand is a double with an integer value, it counts as an int, because shells
    * write integers as doubles. */
   if (a.type == MT_DOUBLE || (b.type == MT_DOUBLE && !mt_op_whole32 (b, &small)))
      return mt_op_put (out, mt_v_double (fmod (mt_op_double (a), mt_op_double (b))));
   int64_t by = b.type == MT_DOUBLE ? small : b.i, rest = by == -1 ? 0 : a.i % by;
   bool is_long = a.type == MT_INT64 || b.type == MT_INT64;
   return mt_op_put (out, is_long ? mt_v_int64 (rest) : mt_v_int32 ((int32_t) rest));
}

/* ---- functions of one number ---- */

static bool op_abs (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$abs");
   MtVal v = args[0];
   if (v.type == MT_DECIMAL)
      return mt_op_put (out, mt_op_from_bid (ev, bid128_abs (mt_bid_load (v.p))));
   if (v.type == MT_DOUBLE)
      return mt_op_put (out, mt_v_double (fabs (v.d)));
   if (v.i == INT64_MIN) {
      MT_OP_FAIL (MT_E_NUMERIC_RANGE, 28680, "can't take $abs of long long min");
      return mt_error_topic (ev->err, MT_TOPIC_BIGINT);
   }
   int64_t i = v.i < 0 ? -v.i : v.i;
   return mt_op_put (out, v.type == MT_INT32 ? int_or_long (i) : mt_v_int64 (i));
}

static bool op_ceil (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$ceil");
   unsigned flags = 0;
   if (args[0].type == MT_DECIMAL)
      return mt_op_put (out, mt_op_from_bid (ev, bid128_round_integral_positive (
                                                    mt_bid_load (args[0].p), &flags)));
   return mt_op_put (out, args[0].type == MT_DOUBLE ? mt_v_double (ceil (args[0].d)) : args[0]);
}

static bool op_floor (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$floor");
   unsigned flags = 0;
   if (args[0].type == MT_DECIMAL)
      return mt_op_put (out, mt_op_from_bid (ev, bid128_round_integral_negative (
                                                    mt_bid_load (args[0].p), &flags)));
   return mt_op_put (out, args[0].type == MT_DOUBLE ? mt_v_double (floor (args[0].d)) : args[0]);
}

/* Rounds the decimal x to `place` digits after the decimal point. mode: the rounding mode. */
static BID_UINT128 quantized (BID_UINT128 x, int place, unsigned mode)
{
   unsigned flags = 0;
   if (bid128_isNaN (x) || bid128_isInf (x))
      return x;
   BID_UINT128 unit = bid128_scalbn (bid128_from_int64 (1), -place, MT_BID_NEAREST, &flags);
   flags = 0;
   BID_UINT128 r = bid128_quantize (x, unit, mode, &flags);
   return bid128_isNaN (r) ? x : r; /* x has fewer digits, so there is nothing to round */
}

static bool round_int (MtEval *ev, const char *name, MtVal v, int place, unsigned mode, MtVal *out)
{
   unsigned flags = 0;
   if (place >= 0)
      return mt_op_put (out, v);
   int64_t i = bid128_to_int64_xint (quantized (bid128_from_int64 (v.i), place, mode), &flags);
   if (flags & MT_BID_INVALID)
      return MT_OP_FAIL (
         MT_E_NUMERIC_RANGE, 51080,
         "invalid conversion from Decimal128 result in %s resulting from arguments: [%" PRId64
         ", %d]",
         name, v.i, place);
   return mt_op_put (out, v.type == MT_INT32 ? int_or_long (i) : mt_v_int64 (i));
}

static bool round_or_trunc (MtEval *ev, const char *name, const MtVal *args, int argc,
                            unsigned mode, MtVal *out)
{
   NUMBERS_OR_NULL (name);
   MtVal v = args[0];
   int32_t place = 0;
   unsigned flags = 0;
   if (argc > 1 && !mt_op_whole32 (args[1], &place))
      return MT_OP_FAIL (MT_E_PARAMETER, 51082,
                         "precision argument to  %s must be a integral value", name);
   if (place < -20 || place > 100)
      return MT_OP_FAIL (MT_E_PARAMETER, 51083,
                         "cannot apply %s with precision value %d value must be in [-20, 100]",
                         name, (int) place);
   if (mt_is_int (v))
      return round_int (ev, name, v, place, mode, out);
   if (v.type == MT_DECIMAL)
      return mt_op_put (out, mt_op_from_bid (ev, quantized (mt_bid_load (v.p), place, mode)));
   if (place == 0)
      return mt_op_put (out, mt_v_double (mode == MT_BID_NEAREST ? nearbyint (v.d) : trunc (v.d)));
   BID_UINT128 x = quantized (binary64_to_bid128 (v.d, MT_BID_NEAREST, &flags), place, mode);
   return mt_op_put (out, mt_v_double (bid128_to_binary64 (x, MT_BID_NEAREST, &flags)));
}

static bool op_round (MT_OP_ARGS)
{
   return round_or_trunc (ev, "$round", args, argc, MT_BID_NEAREST, out);
}
static bool op_trunc (MT_OP_ARGS)
{
   return round_or_trunc (ev, "$trunc", args, argc, MT_BID_TO_ZERO, out);
}

/* A mathematical function of one number, with a version for doubles and one for decimals. */
typedef struct Unary {
   const char *name;
   double (*of_double) (double);
   BID_UINT128 (*of_decimal) (BID_UINT128 x, unsigned mode, unsigned *flags);
   /* The range of valid arguments. closed: `low` and `high` are valid, too. */
   double low, high;
   bool closed;
   /* The message and SQLSTATE for invalid arguments. `error` NULL: "cannot apply %s to %g, value
    * must be in …". */
   const char *error, *sqlstate;
} Unary;

static bool in_range (const Unary *u, double d)
{
   if (isnan (d))
      return true;
   if (u->low == 0 && !u->closed) /* this is a logarithm, which accepts infinity */
      return d > 0;
   return u->closed ? d >= u->low && d <= u->high : d > u->low && d < u->high;
}

static bool op_unary (MT_OP_ARGS)
{
   const Unary *u = ev->user;
   unsigned flags = 0;
   NUMBERS_OR_NULL (u->name);
   double d = mt_op_double (args[0]);
   if (!in_range (u, d)) {
      if (u->error)
         return MT_OP_FAIL (u->sqlstate, mt_code_range (u->name), u->error, u->name,
                            mt_op_shown (ev, args[0]));
      return MT_OP_FAIL (MT_E_PARAMETER, mt_code_range (u->name),
                         "cannot apply %s to %s, value must be in %c%g,%g%c", u->name,
                         mt_op_shown (ev, args[0]), u->closed ? '[' : '(', u->low, u->high,
                         u->closed ? ']' : ')');
   }
   if (args[0].type == MT_DECIMAL)
      return mt_op_put (
         out, mt_op_from_bid (ev, u->of_decimal (mt_bid_load (args[0].p), MT_BID_NEAREST, &flags)));
   return mt_op_put (out, mt_v_double (u->of_double (d)));
}

/* Defines a function that calls a function of the decimal library. The library's own names are
 * macros, so they have no address. */
#define DECIMAL_FN(fn) \
   static BID_UINT128 decimal_##fn (BID_UINT128 x, unsigned mode, unsigned *flags) \
   { \
      return bid128_##fn (x, mode, flags); \
   }
DECIMAL_FN (sqrt)
DECIMAL_FN (exp)
DECIMAL_FN (log)
DECIMAL_FN (log10)
DECIMAL_FN (sin)
DECIMAL_FN (cos)
DECIMAL_FN (tan)
DECIMAL_FN (asin)
DECIMAL_FN (acos)
DECIMAL_FN (atan)
DECIMAL_FN (sinh)
DECIMAL_FN (cosh)
DECIMAL_FN (tanh)
DECIMAL_FN (asinh)
DECIMAL_FN (acosh)
DECIMAL_FN (atanh)

static double to_radians (double d) { return d * (M_PI / 180); }
static double to_degrees (double d) { return d * (180 / M_PI); }

static BID_UINT128 pi_over_180 (void)
{
   unsigned flags = 0;
   char text[] = "0.01745329251994329576923690768488613";
   return bid128_from_string (text, MT_BID_NEAREST, &flags);
}

static BID_UINT128 decimal_radians (BID_UINT128 x, unsigned mode, unsigned *flags)
{
   return bid128_mul (x, pi_over_180 (), mode, flags);
}
static BID_UINT128 decimal_degrees (BID_UINT128 x, unsigned mode, unsigned *flags)
{
   return bid128_div (x, pi_over_180 (), mode, flags);
}

static const Unary
   u_sqrt = {"$sqrt",
             sqrt,
             decimal_sqrt,
             0,
             INFINITY,
             true,
             "%s's argument must be greater than or equal to 0, but is %s",
             MT_E_BAD_POWER},
   u_exp = {"$exp", exp, decimal_exp, -INFINITY, INFINITY, true, NULL, NULL},
   u_ln = {"$ln",
           log,
           decimal_log,
           0,
           INFINITY,
           false,
           "%s's argument must be a positive number, but is %s",
           MT_E_BAD_LOG},
   u_log10 = {"$log10",
              log10,
              decimal_log10,
              0,
              INFINITY,
              false,
              "%s's argument must be a positive number, but is %s",
              MT_E_BAD_LOG},
   u_sin = {"$sin", sin, decimal_sin, -INFINITY, INFINITY, false, NULL, NULL},
   u_cos = {"$cos", cos, decimal_cos, -INFINITY, INFINITY, false, NULL, NULL},
   u_tan = {"$tan", tan, decimal_tan, -INFINITY, INFINITY, false, NULL, NULL},
   u_asin = {"$asin", asin, decimal_asin, -1, 1, true, NULL, NULL},
   u_acos = {"$acos", acos, decimal_acos, -1, 1, true, NULL, NULL},
   u_atan = {"$atan", atan, decimal_atan, -INFINITY, INFINITY, true, NULL, NULL},
   u_sinh = {"$sinh", sinh, decimal_sinh, -INFINITY, INFINITY, true, NULL, NULL},
   u_cosh = {"$cosh", cosh, decimal_cosh, -INFINITY, INFINITY, true, NULL, NULL},
   u_tanh = {"$tanh", tanh, decimal_tanh, -INFINITY, INFINITY, true, NULL, NULL},
   u_asinh = {"$asinh", asinh, decimal_asinh, -INFINITY, INFINITY, true, NULL, NULL},
   u_acosh = {"$acosh", acosh, decimal_acosh, 1, INFINITY, true, NULL, NULL},
   u_atanh = {"$atanh", atanh, decimal_atanh, -1, 1, true, NULL, NULL},
   u_radians =
      {"$degreesToRadians", to_radians, decimal_radians, -INFINITY, INFINITY, true, NULL, NULL},
   u_degrees = {
      "$radiansToDegrees", to_degrees, decimal_degrees, -INFINITY, INFINITY, true, NULL, NULL};

static bool op_atan2 (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$atan2");
   unsigned flags = 0;
   if (widest (args[0], args[1]) == MT_DECIMAL)
      return mt_op_put (out, mt_op_from_bid (ev, bid128_atan2 (mt_op_decimal (args[0]),
                                                               mt_op_decimal (args[1]),
                                                               MT_BID_NEAREST, &flags)));
   return mt_op_put (out, mt_v_double (atan2 (mt_op_double (args[0]), mt_op_double (args[1]))));
}

static bool op_log (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$log");
   unsigned flags = 0;
   double x = mt_op_double (args[0]), base = mt_op_double (args[1]);
   if (x <= 0)
      return MT_OP_FAIL (MT_E_BAD_LOG, 28758,
                         "$log's argument must be a positive number, but is %s",
                         mt_op_shown (ev, args[0]));
   if (base <= 0 || base == 1)
      return MT_OP_FAIL (MT_E_BAD_LOG, 28759,
                         "$log's base must be a positive number not equal to 1, but is %s",
                         mt_op_shown (ev, args[1]));
   if (widest (args[0], args[1]) != MT_DECIMAL || isnan (x) || isnan (base))
      return mt_op_put (out, mt_v_double (log (x) / log (base)));
   BID_UINT128 a = bid128_log (mt_op_decimal (args[0]), MT_BID_NEAREST, &flags);
   BID_UINT128 b = bid128_log (mt_op_decimal (args[1]), MT_BID_NEAREST, &flags);
   return mt_op_put (out, mt_op_from_bid (ev, bid128_div (a, b, MT_BID_NEAREST, &flags)));
}

/* Computes base^e as an int64. Returns false if the result is not an integer, or does not fit. */
static bool whole_power (int64_t base, int64_t e, int64_t *out)
{
   int64_t r = 1;
   if (base == 1 || base == -1) {
      *out = base == 1 || e % 2 == 0 ? 1 : -1;
      return true;
   }
   if (e < 0)
      return false;
   if (base == 0) {
      *out = e == 0;
      return true;
   }
   for (; e > 0; e--)
      if (__builtin_mul_overflow (r, base, &r))
         return false;
   *out = r;
   return true;
}

static bool op_pow (MT_OP_ARGS)
{
   NUMBERS_OR_NULL ("$pow");
   MtVal a = args[0], b = args[1];
   unsigned flags = 0;
   double base = mt_op_double (a), e = mt_op_double (b);
   if (base == 0 && e < 0)
      return MT_OP_FAIL (MT_E_BAD_POWER, 28764,
                         "$pow cannot take a base of 0 and a negative exponent");
   uint8_t type = widest (a, b);
   int64_t i;
   if (type == MT_DECIMAL)
      *out = mt_op_from_bid (ev, bid128_pow (mt_op_decimal (a), mt_op_decimal (b), MT_BID_NEAREST,
                                             &flags));
   else if (type == MT_DOUBLE || !whole_power (a.i, b.i, &i))
      *out = mt_v_double (pow (base, e));
   else
      *out = type == MT_INT64 ? mt_v_int64 (i) : int_or_long (i);
   return true;
}

/* ---- bit operators ---- */

enum { BIT_AND, BIT_OR, BIT_XOR };

static bool op_bits (MT_OP_ARGS)
{
   static const char *const names[] = {"$bitAnd", "$bitOr", "$bitXor"};
   int kind = (int) (uintptr_t) ev->user;
   int64_t r = kind == BIT_AND ? -1 : 0;
   bool is_long = false, is_null = false;
   for (int i = 0; i < argc; i++) {
      if (mt_is_nullish (args[i])) {
         is_null = true;
         continue;
      }
      if (!mt_is_int (args[i]))
         return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                            "%s only supports int and long operands, not %s.", names[kind],
                            mt_v_type_name (args[i]));
      is_long = is_long || args[i].type == MT_INT64;
      if (kind == BIT_AND)
         r &= args[i].i;
      else
         r = kind == BIT_OR ? r | args[i].i : r ^ args[i].i;
   }
   if (is_null)
      return mt_op_null (out);
   return mt_op_put (out, is_long ? mt_v_int64 (r) : mt_v_int32 ((int32_t) r));
}

static bool op_bit_not (MT_OP_ARGS)
{
   if (mt_is_nullish (args[0]))
      return mt_op_null (out);
   if (!mt_is_int (args[0]))
      return MT_OP_FAIL (MT_E_PARAMETER, MT_CODE_TYPE_MISMATCH,
                         "$bitNot only supports int and long, not %s.", mt_v_type_name (args[0]));
   return mt_op_put (out, args[0].type == MT_INT64 ? mt_v_int64 (~args[0].i)
                                                   : mt_v_int32 ((int32_t) ~args[0].i));
}

#define UNARY(name, fn, summary, example) \
   {name, 1, 1, NULL, MT_OP_FOLD, op_unary, summary, example, (void *) (uintptr_t) &fn}

uint64_t mt_op_random (void)
{
   static _Thread_local uint64_t x;
   if (!x && getrandom (&x, sizeof x, 0) != (ssize_t) sizeof x)
      x = (uint64_t) (uintptr_t) &x * 2654435761u | 1;
   x ^= x << 13; /* the generator xorshift64, whose state never becomes 0 */
   x ^= x >> 7;
   x ^= x << 17;
   return x * 2685821657736338717u;
}

const MtOpRow mt_ops_arithmetic[] = {
   MT_OP_ROW ("$add", 0, -1, op_add, "the sum of numbers, or a date and milliseconds",
              "{\"$add\": [1, 2]} => 3"),
   MT_OP_ROW ("$subtract", 2, 2, op_subtract,
              "a difference of numbers, of dates (in milliseconds), or a date minus milliseconds",
              "{\"$subtract\": [5, 2]} => 3"),
   MT_OP_ROW ("$multiply", 0, -1, op_multiply, "a product", "{\"$multiply\": [2, 3.5]} => 7.0"),
   MT_OP_ROW ("$divide", 2, 2, op_divide, "a quotient: a double, or a decimal",
              "{\"$divide\": [1, 2]} => 0.5"),
   MT_OP_ROW ("$mod", 2, 2, op_mod, "the remainder, with the sign of the dividend",
              "{\"$mod\": [-7, 3]} => -1"),
   MT_OP_ROW ("$abs", 1, 1, op_abs, "the absolute value", "{\"$abs\": -5} => 5"),
   MT_OP_ROW ("$ceil", 1, 1, op_ceil, "the least whole number not less", "{\"$ceil\": 1.2} => 2.0"),
   MT_OP_ROW ("$floor", 1, 1, op_floor, "the greatest whole number not greater",
              "{\"$floor\": -1.2} => -2.0"),
   MT_OP_ROW ("$round", 1, 2, op_round, "rounded half to even, to a number of decimals",
              "{\"$round\": [2.5]} => 2.0"),
   MT_OP_ROW ("$trunc", 1, 2, op_trunc, "cut off after a number of decimals",
              "{\"$trunc\": [1.29, 1]} => 1.2"),
   MT_OP_ROW ("$pow", 2, 2, op_pow, "a power", "{\"$pow\": [2, 10]} => 1024"),
   MT_OP_ROW ("$log", 2, 2, op_log, "the logarithm in a base", "{\"$log\": [8, 2]} => 3.0"),
   MT_OP_ROW ("$atan2", 2, 2, op_atan2, "the angle of the point (y, x)",
              "{\"$atan2\": [0, 1]} => 0.0"),
   UNARY ("$sqrt", u_sqrt, "the square root", "{\"$sqrt\": 9} => 3.0"),
   UNARY ("$exp", u_exp, "e to a power", "{\"$exp\": 0} => 1.0"),
   UNARY ("$ln", u_ln, "the natural logarithm", "{\"$ln\": 1} => 0.0"),
   UNARY ("$log10", u_log10, "the decimal logarithm", "{\"$log10\": 1000} => 3.0"),
   UNARY ("$sin", u_sin, "the sine", "{\"$sin\": 0} => 0.0"),
   UNARY ("$cos", u_cos, "the cosine", "{\"$cos\": 0} => 1.0"),
   UNARY ("$tan", u_tan, "the tangent", "{\"$tan\": 0} => 0.0"),
   UNARY ("$asin", u_asin, "the arc sine", "{\"$asin\": 0} => 0.0"),
   UNARY ("$acos", u_acos, "the arc cosine", "{\"$acos\": 1} => 0.0"),
   UNARY ("$atan", u_atan, "the arc tangent", "{\"$atan\": 0} => 0.0"),
   UNARY ("$sinh", u_sinh, "the hyperbolic sine", "{\"$sinh\": 0} => 0.0"),
   UNARY ("$cosh", u_cosh, "the hyperbolic cosine", "{\"$cosh\": 0} => 1.0"),
   UNARY ("$tanh", u_tanh, "the hyperbolic tangent", "{\"$tanh\": 0} => 0.0"),
   UNARY ("$asinh", u_asinh, "the inverse hyperbolic sine", "{\"$asinh\": 0} => 0.0"),
   UNARY ("$acosh", u_acosh, "the inverse hyperbolic cosine", "{\"$acosh\": 1} => 0.0"),
   UNARY ("$atanh", u_atanh, "the inverse hyperbolic tangent", "{\"$atanh\": 0} => 0.0"),
   UNARY ("$degreesToRadians", u_radians, "degrees to radians",
          "{\"$degreesToRadians\": 180} => 3.141592653589793"),
   UNARY ("$radiansToDegrees", u_degrees, "radians to degrees",
          "{\"$radiansToDegrees\": 0} => 0.0"),
   MT_ROW_WITH ("$bitAnd", 0, -1, op_bits, BIT_AND, "bits that all have",
                "{\"$bitAnd\": [12, 10]} => 8"),
   MT_ROW_WITH ("$bitOr", 0, -1, op_bits, BIT_OR, "bits that any has",
                "{\"$bitOr\": [12, 10]} => 14"),
   MT_ROW_WITH ("$bitXor", 0, -1, op_bits, BIT_XOR, "bits that an odd number has",
                "{\"$bitXor\": [12, 10]} => 6"),
   MT_OP_ROW ("$bitNot", 1, 1, op_bit_not, "the other bits", "{\"$bitNot\": 0} => -1"),
   MT_OP_END,
};
