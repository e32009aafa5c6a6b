/* numeric: exact arithmetic with PostgreSQL's scales (numbers of digits behind the point). For +, -
 * and *, Decimal128 gives the same scales by itself. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/numeric.h"

/* Returns v as an exact number. Other programs may have stored another BSON number type. */
static MtNum num (MtVal v) { return mt_num_of (v); }

static bool put (MtEval *ev, MtNum n, MtVal *out)
{
   *out = mt_num_to_val (ev->arena, n);
   return true;
}

typedef bool (*Num1) (MtNum, MtNum *, MtError *);
typedef bool (*Num2) (MtNum, MtNum, MtNum *, MtError *);
typedef MtNum (*Num0) (MtNum);

enum { N_ADD, N_SUB, N_MUL, N_DIV, N_MOD, N_DIVTRUNC, N_POWER, N_LOG };

static bool fn_num2 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const Num2 fns[] = {mt_num_add, mt_num_sub,       mt_num_mul,   mt_num_div,
                              mt_num_mod, mt_num_div_trunc, mt_num_power, mt_num_log};
   MtNum r;
   return fns[MT_USER (ev)](num (a[0]), num (a[1]), &r, ev->err) && put (ev, r, out);
}

enum { N_SQRT, N_EXP, N_LN, N_LOG10 };

static bool fn_num1 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const Num1 fns[] = {mt_num_sqrt, mt_num_exp, mt_num_ln, mt_num_log10};
   MtNum r;
   return fns[MT_USER (ev)](num (a[0]), &r, ev->err) && put (ev, r, out);
}

enum { N_NEG, N_ABS, N_CEIL, N_FLOOR, N_TRIM };

static bool fn_num0 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   static const Num0 fns[] = {mt_num_neg, mt_num_abs, mt_num_ceil, mt_num_floor, mt_num_trim_scale};
   return put (ev, fns[MT_USER (ev)](num (a[0])), out);
}

static bool fn_num_same (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

static bool fn_num_round (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int scale = n > 1 ? (int) a[1].i : 0;
   return put (
      ev, MT_USER (ev) ? mt_num_trunc (num (a[0]), scale) : mt_num_round (num (a[0]), scale), out);
}

/* Computes the greatest common divisor of two numerics, or if MT_USER (ev) is 1, the least common
 * multiple. */
static bool fn_num_gcd (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum x = mt_num_abs (num (a[0])), y = mt_num_abs (num (a[1])), u = x, v = y, r;
   int scale = mt_num_scale (x) > mt_num_scale (y) ? mt_num_scale (x) : mt_num_scale (y);
   bool odd = mt_num_is_nan (x) || mt_num_is_nan (y) || mt_num_is_inf (x) || mt_num_is_inf (y);
   if (odd)
      return put (ev, mt_num_from_double (__builtin_nan ("")), out);
   while (!mt_num_is_zero (v)) {
      if (!mt_num_mod (u, v, &r, ev->err))
         return false;
      u = v;
      v = r;
   }
   if (MT_USER (ev) && !mt_num_is_zero (u) &&
       (!mt_num_div (x, u, &r, ev->err) || !mt_num_mul (mt_num_round (r, 0), y, &u, ev->err)))
      return false;
   return put (ev, mt_num_round (u, scale), out);
}

static bool fn_num_scale (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum x = num (a[0]);
   if (mt_num_is_nan (x) || mt_num_is_inf (x))
      *out = mt_v_null ();
   else
      *out = mt_v_int32 (mt_num_scale (MT_USER (ev) ? mt_num_trim_scale (x) : x));
   return true;
}

static bool fn_num_typmod (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtNum r;
   return mt_num_typmod (num (a[0]), (int) a[1].i, (int) (a[2].i < 0 ? 0 : a[2].i), &r, ev->err) &&
          put (ev, r, out);
}

#define O (MT_F_OPERATOR | MT_NN)
#define LIN (MT_F_OPERATOR | MT_NN | MT_F_NULL_SAFE | MT_F_LINEAR)
#define N2 "numeric, numeric -> numeric"
#define N1 "numeric -> numeric"

const MtFunc mt_fn_numeric[] = {
   MT_ROW ("+", N2, LIN, "{\"$add\": [\"$1\", \"$2\"]}", MT_OPN ("num_add", num2, N_ADD), "sum",
           "SELECT 1.50 + 2.5 => 4.00"),
   MT_ROW ("-", N2, LIN, "{\"$subtract\": [\"$1\", \"$2\"]}", MT_OPN ("num_sub", num2, N_SUB),
           "difference", "SELECT 1.5 - 2.25 => -0.75"),
   MT_ROW ("*", N2, LIN, "{\"$multiply\": [\"$1\", \"$2\"]}", MT_OPN ("num_mul", num2, N_MUL),
           "product", "SELECT 1.5 * 2.5 => 3.75"),
   MT_ROW ("/", N2, O, NULL, MT_OPN ("num_div", num2, N_DIV), "quotient",
           "SELECT 1.0 / 3 => 0.33333333333333333333"),
   MT_ROW ("%", N2, O, NULL, MT_OPN ("num_mod", num2, N_MOD), "remainder", "SELECT 7.5 % 2 => 1.5"),
   MT_ROW ("-", N1, O | MT_F_LINEAR, NULL, MT_OPN ("num_neg", num0, N_NEG), "negation",
           "SELECT - 1.50 => -1.50"),
   MT_ROW ("+", N1, O | MT_F_LINEAR, NULL, MT_OPN ("num_same", num_same, 0), "the number itself",
           "SELECT + 1.50 => 1.50"),
   MT_ROW ("abs", N1, MT_NN | MT_F_NULL_SAFE, "{\"$abs\": \"$1\"}", NULL, "absolute value",
           "SELECT abs(-1.5) => 1.5"),
   MT_ROW ("div", N2, MT_NN, NULL, MT_OPN ("num_divtrunc", num2, N_DIVTRUNC),
           "quotient, truncated towards zero", "SELECT div(9.0, 4) => 2"),
   MT_ROW ("ceil", N1, MT_NN, NULL, MT_OPN ("num_ceil", num0, N_CEIL),
           "smallest integer that is not less", "SELECT ceil(-42.8) => -42"),
   MT_ROW ("floor", N1, MT_NN, NULL, MT_OPN ("num_floor", num0, N_FLOOR),
           "largest integer that is not greater", "SELECT floor(-42.8) => -43"),
   MT_ROW ("round", "numeric, digits int4 -> numeric", MT_NN, NULL,
           MT_OPN ("num_round", num_round, 0), "number rounded to n decimal places",
           "SELECT round(42.4382, 2) => 42.44"),
   MT_ROW ("trunc", "numeric, digits int4 -> numeric", MT_NN, NULL,
           MT_OPN ("num_trunc", num_round, 1), "number truncated to n decimal places",
           "SELECT trunc(42.4382, 2) => 42.43"),
   MT_ROW (
      "sign", N1, MT_NN,
      "{\"$toDecimal\": {\"$cond\": [{\"$eq\": [\"$1\", {\"$numberDecimal\": \"NaN\"}]}, \"$1\", "
      "{\"$cmp\": [\"$1\", 0]}]}}",
      NULL, "-1, 0 or 1", "SELECT sign(-8.4) => -1"),
   MT_ROW ("sqrt", N1, MT_NN, NULL, MT_OPN ("num_sqrt", num1, N_SQRT), "square root",
           "SELECT sqrt(2.0) => 1.414213562373095"),
   MT_ROW ("exp", N1, MT_NN, NULL, MT_OPN ("num_exp", num1, N_EXP), "e raised to a power",
           "SELECT exp(1.0) => 2.7182818284590452"),
   MT_ROW ("ln", N1, MT_NN, NULL, MT_OPN ("num_ln", num1, N_LN), "natural logarithm",
           "SELECT ln(2.0) => 0.6931471805599453"),
   MT_ROW ("log", "base numeric, x numeric -> numeric", MT_NN, NULL,
           MT_OPN ("num_log", num2, N_LOG), "logarithm to a base",
           "SELECT log(2.0, 64.0) => 6.0000000000000000"),
   MT_ROW ("power", N2, MT_NN, NULL, MT_OPN ("num_power", num2, N_POWER), "x raised to the power y",
           "SELECT power(9.0, 3) => 729.0000000000000000"),
   MT_ROW ("gcd", N2, MT_NN, NULL, MT_OPN ("num_gcd", num_gcd, 0), "greatest common divisor",
           "SELECT gcd(330.3, 462) => 0.3"),
   MT_ROW ("lcm", N2, MT_NN, NULL, MT_OPN ("num_lcm", num_gcd, 1), "least common multiple",
           "SELECT lcm(330.3, 462) => 508662.0"),
   MT_ROW ("scale", "numeric -> int4", 0, NULL, MT_OPN ("num_scale", num_scale, 0),
           "number of decimal places", "SELECT scale(8.4100) => 4"),
   MT_ROW ("min_scale", "numeric -> int4", 0, NULL, MT_OPN ("num_min_scale", num_scale, 1),
           "number of decimal places without zeros at the end", "SELECT min_scale(8.4100) => 2"),
   MT_ROW ("trim_scale", N1, MT_NN, NULL, MT_OPN ("num_trim", num0, N_TRIM),
           "number without zeros at the end", "SELECT trim_scale(8.4100) => 8.41"),
   MT_ROW ("$numeric", "numeric, int4, int4 -> numeric", MT_NN, NULL,
           MT_OPN ("num_typmod", num_typmod, 0), "numeric(p, s)",
           "SELECT 1.256::numeric(5,2) => 1.26"),
   {.name = NULL},
};
