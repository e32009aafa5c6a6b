/* The operators + - * / % and related functions, for integers and floating-point numbers. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/numeric.h"

#include <math.h>
#include <string.h>

enum { ADD, SUB, MUL, DIV, MOD };

static bool out_of_range (MtEval *ev, int bits)
{
   return mt_error (ev->err, MT_E_NUMERIC_RANGE, "%s out of range", mt_int_name (bits));
}

static bool by_zero (MtEval *ev)
{
   return mt_error (ev->err, MT_E_DIVISION_BY_ZERO, "division by zero");
}

static bool int_result (MtEval *ev, int bits, int64_t r, MtVal *out)
{
   if (bits == 64) {
      *out = mt_v_int64 (r);
      return true;
   }
   int64_t max = bits == 16 ? INT16_MAX : INT32_MAX;
   if (r > max || r < -max - 1)
      return out_of_range (ev, bits);
   *out = mt_v_int32 ((int32_t) r);
   return true;
}

static bool divide (MtEval *ev, int op, int bits, int64_t x, int64_t y, int64_t *r)
{
   if (y == 0)
      return by_zero (ev);
   if (y == -1) {
      if (op == MOD)
         *r = 0;
      else if (__builtin_sub_overflow (INT64_C (0), x, r))
         return out_of_range (ev, bits);
      return true;
   }
   *r = op == DIV ? x / y : x % y;
   return true;
}

/* The MT_USER (ev) of an integer operator: which operator, and the size of the integers (0: 16
 * bits, 1: 32 bits, 2: 64 bits). */
#define INT_USER(op, size) ((op) + 16 * (size))

static bool fn_int_arith (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int op = MT_USER (ev) % 16, bits = 16 << MT_USER (ev) / 16;
   int64_t r = 0;
   bool over = false;
   switch (op) {
   case ADD: over = __builtin_add_overflow (a[0].i, a[1].i, &r); break;
   case SUB: over = __builtin_sub_overflow (a[0].i, a[1].i, &r); break;
   case MUL: over = __builtin_mul_overflow (a[0].i, a[1].i, &r); break;
   default:
      if (!divide (ev, op, bits, a[0].i, a[1].i, &r))
         return false;
   }
   return over ? out_of_range (ev, bits) : int_result (ev, bits, r, out);
}

static bool fn_int_neg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int bits = 16 << MT_USER (ev);
   int64_t r;
   return __builtin_sub_overflow (INT64_C (0), a[0].i, &r) ? out_of_range (ev, bits)
                                                           : int_result (ev, bits, r, out);
}

static bool fn_same (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

static bool fn_int_abs (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (a[0].i >= 0) {
      *out = a[0];
      return true;
   }
   return fn_int_neg (ev, a, n, out);
}

enum { AND = 0, OR, XOR, SHL, SHR, NOT };

static bool fn_int_bits (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int op = MT_USER (ev) % 16, bits = 16 << MT_USER (ev) / 16;
   int64_t x = a[0].i, y = n > 1 ? a[1].i : 0, r = 0;
   int by = (int) (y & (bits - 1));
   switch (op) {
   case AND: r = x & y; break;
   case OR: r = x | y; break;
   case XOR: r = x ^ y; break;
   case SHL:
      r = (int64_t) ((uint64_t) x << by);
      if (bits == 16)
         r = (int16_t) r;
      else if (bits == 32)
         r = (int32_t) r;
      break;
   case SHR: r = x >> by; break;
   default: r = ~x;
   }
   return int_result (ev, bits, r, out);
}

/* ---- floating point: results that overflow, or become 0, are errors as in PostgreSQL ---- */

static bool float_result (MtEval *ev, double r, bool inf_ok, bool zero_ok, bool single, MtVal *out)
{
   if (single)
      r = (double) (float) r;
   if (isinf (r) && !inf_ok)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: overflow");
   if (r == 0 && !zero_ok)
      return mt_error (ev->err, MT_E_NUMERIC_RANGE, "value out of range: underflow");
   *out = mt_v_double (r);
   return true;
}

static bool fn_float_arith (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int op = MT_USER (ev) % 16;
   bool single = MT_USER (ev) / 16;
   double x = a[0].d, y = a[1].d, r = 0;
   bool inf_ok = isinf (x) || isinf (y), zero_ok = true;
   switch (op) {
   case ADD: r = x + y; break;
   case SUB: r = x - y; break;
   case MUL:
      r = x * y;
      zero_ok = x == 0 || y == 0;
      break;
   default:
      if (y == 0 && !isnan (x))
         return by_zero (ev);
      r = x / y;
      inf_ok = isinf (x);
      zero_ok = x == 0 || isinf (y);
   }
   return float_result (ev, r, inf_ok, zero_ok, single, out);
}

static bool fn_float_neg (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = mt_v_double (-a[0].d);
   return true;
}

#define O (MT_F_OPERATOR | MT_NN)
#define ONS (MT_F_OPERATOR | MT_NN | MT_F_NULL_SAFE)
#define LIN (MT_F_OPERATOR | MT_NN | MT_F_NULL_SAFE | MT_F_LINEAR)
/* Rows of the bitwise operators of an integer type T. Their operators' names begin with t; `size`
 * is as in INT_USER. */
#define BIT_ROWS(T, t, size) \
   MT_ROW ("&", T ", " T " -> " T, O, NULL, MT_OPN (t "_and", int_bits, INT_USER (AND, size)), \
           "bitwise AND", "SELECT 6::" T " & 3::" T " => 2"), \
      MT_ROW ("|", T ", " T " -> " T, O, NULL, MT_OPN (t "_or", int_bits, INT_USER (OR, size)), \
              "bitwise OR", "SELECT 6::" T " | 3::" T " => 7"), \
      MT_ROW ("#", T ", " T " -> " T, O, NULL, MT_OPN (t "_xor", int_bits, INT_USER (XOR, size)), \
              "bitwise exclusive OR", "SELECT 6::" T " # 3::" T " => 5"), \
      MT_ROW ("<<", T ", int4 -> " T, O, NULL, MT_OPN (t "_shl", int_bits, INT_USER (SHL, size)), \
              "shift to the left", "SELECT 1::" T " << 3 => 8"), \
      MT_ROW (">>", T ", int4 -> " T, O, NULL, MT_OPN (t "_shr", int_bits, INT_USER (SHR, size)), \
              "shift to the right", "SELECT 8::" T " >> 2 => 2"), \
      MT_ROW ("~", T " -> " T, O, NULL, MT_OPN (t "_not", int_bits, INT_USER (NOT, size)), \
              "bitwise NOT", "SELECT ~ 5::" T " => -6")

#define INT_ROWS(T, t, size, conv) \
   MT_ROW ("+", T ", " T " -> " T, LIN, "{\"" conv "\": {\"$add\": [\"$1\", \"$2\"]}}", \
           MT_OPN (t "_add", int_arith, INT_USER (ADD, size)), "sum", \
           "SELECT 1::" T " + 2::" T " => 3"), \
      MT_ROW ("-", T ", " T " -> " T, LIN, "{\"" conv "\": {\"$subtract\": [\"$1\", \"$2\"]}}", \
              MT_OPN (t "_sub", int_arith, INT_USER (SUB, size)), "difference", \
              "SELECT 1::" T " - 2::" T " => -1"), \
      MT_ROW ("*", T ", " T " -> " T, LIN, "{\"" conv "\": {\"$multiply\": [\"$1\", \"$2\"]}}", \
              MT_OPN (t "_mul", int_arith, INT_USER (MUL, size)), "product", \
              "SELECT 2::" T " * 3::" T " => 6"), \
      MT_ROW ("/", T ", " T " -> " T, ONS, \
              "{\"" conv "\": {\"$trunc\": {\"$divide\": [{\"$toDecimal\": \"$1\"}, \"$2\"]}}}", \
              MT_OPN (t "_div", int_arith, INT_USER (DIV, size)), \
              "quotient, truncated towards zero", "SELECT (-7)::" T " / 2::" T " => -3"), \
      MT_ROW ("%", T ", " T " -> " T, ONS, "{\"" conv "\": {\"$mod\": [\"$1\", \"$2\"]}}", \
              MT_OPN (t "_mod", int_arith, INT_USER (MOD, size)), \
              "remainder, with the sign of the dividend", "SELECT (-7)::" T " % 2::" T " => -1"), \
      MT_ROW ("-", T " -> " T, LIN, "{\"" conv "\": {\"$subtract\": [0, \"$1\"]}}", \
              MT_OPN (t "_neg", int_neg, size), "negation", "SELECT -(5::" T ") => -5"), \
      MT_ROW ("+", T " -> " T, LIN, NULL, MT_OPN ("same", same, 0), "the number itself", \
              "SELECT +(5::" T ") => 5"), \
      MT_ROW ("abs", T " -> " T, MT_NN | MT_F_NULL_SAFE, "{\"" conv "\": {\"$abs\": \"$1\"}}", \
              MT_OPN (t "_abs", int_abs, size), "absolute value", "SELECT abs((-5)::" T ") => 5"), \
      BIT_ROWS (T, t, size)

#define INT2_ROWS(T, t, size) \
   MT_ROW ("+", T ", " T " -> " T, O | MT_F_LINEAR, NULL, \
           MT_OPN (t "_add", int_arith, INT_USER (ADD, size)), "sum", \
           "SELECT 1::" T " + 2::" T " => 3"), \
      MT_ROW ("-", T ", " T " -> " T, O | MT_F_LINEAR, NULL, \
              MT_OPN (t "_sub", int_arith, INT_USER (SUB, size)), "difference", \
              "SELECT 1::" T " - 2::" T " => -1"), \
      MT_ROW ("*", T ", " T " -> " T, O | MT_F_LINEAR, NULL, \
              MT_OPN (t "_mul", int_arith, INT_USER (MUL, size)), "product", \
              "SELECT 2::" T " * 3::" T " => 6"), \
      MT_ROW ("/", T ", " T " -> " T, O, NULL, MT_OPN (t "_div", int_arith, INT_USER (DIV, size)), \
              "quotient, truncated towards zero", "SELECT (-7)::" T " / 2::" T " => -3"), \
      MT_ROW ("%", T ", " T " -> " T, O, NULL, MT_OPN (t "_mod", int_arith, INT_USER (MOD, size)), \
              "remainder, with the sign of the dividend", "SELECT (-7)::" T " % 2::" T " => -1"), \
      MT_ROW ("-", T " -> " T, O | MT_F_LINEAR, NULL, MT_OPN (t "_neg", int_neg, size), \
              "negation", "SELECT -(5::" T ") => -5"), \
      MT_ROW ("+", T " -> " T, O | MT_F_LINEAR, NULL, MT_OPN ("same", same, 0), \
              "the number itself", "SELECT +(5::" T ") => 5"), \
      MT_ROW ("abs", T " -> " T, MT_NN, NULL, MT_OPN (t "_abs", int_abs, size), "absolute value", \
              "SELECT abs((-5)::" T ") => 5"), \
      BIT_ROWS (T, t, size)

#define FLOAT_ROWS(X, Y, R, single, tag) \
   MT_ROW ("+", X ", " Y " -> " R, LIN, single ? NULL : "{\"$add\": [\"$1\", \"$2\"]}", \
           MT_OPN (tag "_add", float_arith, INT_USER (ADD, single)), "sum", \
           "SELECT 1.5::" X " + 2::" Y " => 3.5"), \
      MT_ROW ("-", X ", " Y " -> " R, LIN, single ? NULL : "{\"$subtract\": [\"$1\", \"$2\"]}", \
              MT_OPN (tag "_sub", float_arith, INT_USER (SUB, single)), "difference", \
              "SELECT 1.5::" X " - 2::" Y " => -0.5"), \
      MT_ROW ("*", X ", " Y " -> " R, LIN, single ? NULL : "{\"$multiply\": [\"$1\", \"$2\"]}", \
              MT_OPN (tag "_mul", float_arith, INT_USER (MUL, single)), "product", \
              "SELECT 1.5::" X " * 2::" Y " => 3"), \
      MT_ROW ("/", X ", " Y " -> " R, ONS, single ? NULL : "{\"$divide\": [\"$1\", \"$2\"]}", \
              MT_OPN (tag "_div", float_arith, INT_USER (DIV, single)), "quotient", \
              "SELECT 3::" X " / 2::" Y " => 1.5")

#define FLOAT_ONE(T, tag) \
   MT_ROW ("-", T " -> " T, ONS | MT_F_LINEAR, \
           "{\"$multiply\": [\"$1\", {\"$numberDouble\": \"-1\"}]}", \
           MT_OPN ("float_neg", float_neg, 0), "negation", "SELECT -(1.5::" T ") => -1.5"), \
      MT_ROW ("+", T " -> " T, ONS | MT_F_LINEAR, NULL, MT_OPN ("same", same, 0), \
              "the number itself", "SELECT +(1.5::" T ") => 1.5"), \
      MT_ROW ("abs", T " -> " T, MT_NN | MT_F_NULL_SAFE, "{\"$abs\": \"$1\"}", NULL, \
              "absolute value", "SELECT abs((-1.5)::" T ") => 1.5")

const MtFunc mt_fn_arithmetic[] = {
   INT2_ROWS ("int2", "int2", 0),
   INT_ROWS ("int4", "int4", 1, "$toInt"),
   INT_ROWS ("int8", "int8", 2, "$toLong"),
   FLOAT_ROWS ("float8", "float8", "float8", false, "float8"),
   FLOAT_ROWS ("float4", "float4", "float4", true, "float4"),
   FLOAT_ROWS ("float4", "float8", "float8", false, "float8"),
   FLOAT_ROWS ("float8", "float4", "float8", false, "float8"),
   FLOAT_ONE ("float8", "float8"),
   FLOAT_ONE ("float4", "float4"),
   {.name = NULL},
};
