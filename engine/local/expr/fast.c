/* Faster functions for frequent expressions, chosen when an expression is bound. For unusual types,
 * they call the operator's general function, so the results are the same. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"

#include <math.h>

static bool fallback (const MtExecExpr *e, MtWork *w, MtVal a, MtVal b, MtVal *out)
{
   MtVal args[2] = {a, b};
   w->ev.user = e->row->user;
   return e->row->fn (&w->ev, args, 2, out);
}

/* Compares two doubles. NaN equals NaN, and sorts before all numbers. It is inline, because SQL's
 * max and min compare each value with NaN. */
static inline int compare_doubles (double a, double b)
{
   return isunordered (a, b) ? !!isnan (b) - !!isnan (a) : (a > b) - (a < b);
}

/* Compares two values of the same simple type, and stores the result in *sign. Returns false for
 * other types. */
static inline bool simple_compare (MtVal a, MtVal b, int *sign)
{
   if (a.type == b.type || (a.type == MT_INT32 && b.type == MT_INT64) ||
       (a.type == MT_INT64 && b.type == MT_INT32)) {
      switch (a.type) {
      case MT_INT32:
      case MT_INT64:
      case MT_DATE:
      case MT_BOOL: *sign = (a.i > b.i) - (a.i < b.i); return true;
      case MT_DOUBLE: *sign = compare_doubles (a.d, b.d); return true;
      case MT_STRING: {
         uint32_t n = a.len < b.len ? a.len : b.len;
         int c = n ? memcmp (a.p, b.p, n) : 0;
         *sign = c ? c : (a.len > b.len) - (a.len < b.len);
         return true;
      }
      default: return false;
      }
   }
   return false;
}

#define COMPARISON(name, test) \
   static bool name (const MtExecExpr *e, MtWork *w, MtVal *out) \
   { \
      MtVal a, b; \
      int sign; \
      if (!mt_eval (e->args[0], w, &a) || !mt_eval (e->args[1], w, &b)) \
         return false; \
      if (!simple_compare (a, b, &sign)) \
         return fallback (e, w, a, b, out); \
      *out = mt_v_bool (sign test 0); \
      return true; \
   }
COMPARISON (fast_eq, ==)
COMPARISON (fast_ne, !=)
COMPARISON (fast_lt, <)
COMPARISON (fast_lte, <=)
COMPARISON (fast_gt, >)
COMPARISON (fast_gte, >=)

/* Adds a number of milliseconds to a date. Returns false for other types, and if the result
 * overflows. */
static inline bool add_to_date (MtVal a, MtVal b, MtVal *out)
{
   int64_t ms;
   bool first = a.type == MT_DATE && (b.type == MT_INT64 || b.type == MT_INT32),
        second = b.type == MT_DATE && (a.type == MT_INT64 || a.type == MT_INT32);
   if ((!first && !second) || __builtin_add_overflow (a.i, b.i, &ms))
      return false;
   *out = mt_v_date (ms);
   return true;
}

static inline bool no_dates (MtVal a, MtVal b, MtVal *out) { return false; }

#define ARITHMETIC(name, overflows, op, dates) \
   static bool name (const MtExecExpr *e, MtWork *w, MtVal *out) \
   { \
      MtVal a, b; \
      if (!mt_eval (e->args[0], w, &a) || !mt_eval (e->args[1], w, &b)) \
         return false; \
      if (a.type == MT_DOUBLE && b.type == MT_DOUBLE) { \
         *out = mt_v_double (a.d op b.d); \
         return true; \
      } \
      int64_t r; \
      if ((a.type == MT_INT64 && (b.type == MT_INT64 || b.type == MT_INT32)) || \
          (a.type == MT_INT32 && (b.type == MT_INT64 || b.type == MT_INT32))) { \
         if (!overflows (a.i, b.i, &r)) { \
            bool small = a.type == MT_INT32 && b.type == MT_INT32 && r == (int32_t) r; \
            *out = small ? mt_v_int32 ((int32_t) r) : mt_v_int64 (r); \
            return true; \
         } \
      } \
      return dates (a, b, out) || fallback (e, w, a, b, out); \
   }
ARITHMETIC (fast_add, __builtin_add_overflow, +, add_to_date)
ARITHMETIC (fast_subtract, __builtin_sub_overflow, -, no_dates)
ARITHMETIC (fast_multiply, __builtin_mul_overflow, *, no_dates)

static bool fast_to_date (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal v;
   if (!mt_eval (e->args[0], w, &v))
      return false;
   if (v.type == MT_INT64) {
      *out = mt_v_date (v.i);
      return true;
   }
   if (v.type == MT_DATE) {
      *out = v;
      return true;
   }
   w->ev.user = e->row->user;
   return e->row->fn (&w->ev, &v, 1, out);
}

/* Evaluates $toLong of an arithmetic expression, as SQL's bigint needs it. If the result is below
 * the int64 range, it is a double. For results just below the range, this double equals the
 * smallest int64, and mongod would return that. This function makes it out of range. */
static bool to_long_of_arithmetic (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   MtVal v;
   if (!mt_eval (e->args[0], w, &v))
      return false;
   if (v.type == MT_INT64) {
      *out = v;
      return true;
   }
   if (v.type == MT_DOUBLE && v.d == -9223372036854775808.0)
      v = mt_v_double (nextafter (v.d, -INFINITY));
   w->ev.user = e->row->user;
   return e->row->fn (&w->ev, &v, 1, out);
}

static bool is_arithmetic (const MtExecExpr *e)
{
   return e->kind == MT_EX_OP &&
          (strcmp (e->row->name, "$add") == 0 || strcmp (e->row->name, "$subtract") == 0 ||
           strcmp (e->row->name, "$multiply") == 0);
}

static bool ifnull_two (const MtExecExpr *e, MtWork *w, MtVal *out)
{
   return mt_eval (e->args[0], w, out) && (!mt_is_nullish (*out) || mt_eval (e->args[1], w, out));
}

static const struct {
   const char *name;
   uint16_t argc;
   MtEvalFn eval;
   bool compares; /* it compares strings by bytes, so a collation forbids it */
} fast[] = {
   {"$eq", 2, fast_eq, true},
   {"$ne", 2, fast_ne, true},
   {"$lt", 2, fast_lt, true},
   {"$lte", 2, fast_lte, true},
   {"$gt", 2, fast_gt, true},
   {"$gte", 2, fast_gte, true},
   {"$add", 2, fast_add, false},
   {"$subtract", 2, fast_subtract, false},
   {"$multiply", 2, fast_multiply, false},
   {"$toDate", 1, fast_to_date, false},
};

static bool is_nan_test (const MtExecExpr *e)
{
   return e->kind == MT_EX_OP && (e->eval == fast_eq || e->compute == fast_eq) &&
          e->args[0]->kind == MT_EX_SLOT && e->args[1]->kind == MT_EX_CONST &&
          mt_v_is_nan (e->args[1]->value);
}

const MtExecExpr *mt_expr_without_nan (const MtExecExpr *e)
{
   return e->kind == MT_EX_COND && is_nan_test (e->args[0]) ? e->args[2] : e;
}

void mt_expr_specialise (MtExecExpr *e)
{
   if (e->kind == MT_EX_IFNULL && e->argc == 2)
      e->eval = ifnull_two;
   if (e->kind != MT_EX_OP)
      return;
   switch (e->argc) {
   case 1: e->eval = mt_ev_op1; break;
   case 2: e->eval = mt_ev_op2; break;
   default: e->eval = mt_ev_op;
   }
   for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
      if (e->argc == fast[i].argc && (!mt_x_order || !fast[i].compares) &&
          strcmp (e->row->name, fast[i].name) == 0)
         e->eval = fast[i].eval;
   if (strcmp (e->row->name, "$toLong") == 0 && is_arithmetic (e->args[0]))
      e->eval = to_long_of_arithmetic;
}
