/* Computes the bounds of an expression from the bounds of the slots (fields) that it reads. This
 * works for the operators that SQL's sort keys use, and for operators whose result never decreases
 * when one argument grows. */
#include "engine/local/expr/bounds.h"

#include "engine/local/expr/expr.h"
#include "types/datetime.h"

#include <math.h>

/* Integers up to this size, and sums of two of them, are exact as doubles. So operators on numbers
 * of different types do not round between the bounds. */
#define EXACT (INT64_C (1) << 52)

static bool is_null (MtVal v) { return v.type == MT_MISSING || v.type == MT_NULL; }

bool mt_field_bounds (const MtSource *s, size_t index, const char *field, MtExprBounds *out)
{
   if (!mt_block_range (s, index, field, &out->lo, &out->hi))
      return false;
   if (is_null (out->lo)) /* the store does not tell missing values from null */
      out->lo = mt_v_missing ();
   if (out->hi.type == MT_MISSING)
      out->hi = mt_v_null ();
   return true;
}

MtExprBounds mt_parts_bounds (const MtRangeParts *p)
{
   MtExprBounds b = {p->least, p->greatest};
   if (p->nans)
      b.lo = mt_v_double (NAN);
   if (p->nulls)
      b.lo = mt_v_missing ();
   return b;
}

static bool put (MtExprBounds *out, MtVal lo, MtVal hi)
{
   *out = (MtExprBounds) {lo, hi};
   return true;
}

static bool put_truth (MtExprBounds *out, bool may_be_false, bool may_be_true)
{
   return put (out, mt_v_bool (!may_be_false), mt_v_bool (may_be_true));
}

/* Widens the bounds *out so that they include the bounds b. */
static void include (MtExprBounds *out, const MtExprBounds *b)
{
   if (mt_v_compare_strict (b->lo, out->lo) < 0)
      out->lo = b->lo;
   if (mt_v_compare_strict (b->hi, out->hi) > 0)
      out->hi = b->hi;
}

/* ---- bounds of conditions ---- */

typedef struct Truth {
   bool may_be_false, may_be_true;
} Truth;

/* Returns whether expression e may be false, and whether it may be true. */
static Truth truth_of (const MtExecExpr *e, const MtBounding *b)
{
   MtExprBounds v;
   if (!mt_expr_bounds (e, b, &v))
      return (Truth) {true, true};
   bool one = mt_v_compare_strict (v.lo, v.hi) == 0, both_bools = v.lo.type == MT_BOOL;
   if (!one && !(both_bools && v.hi.type == MT_BOOL))
      return (Truth) {true, true};
   return (Truth) {!mt_truthy (v.lo), mt_truthy (v.hi)};
}

/* Computes the bounds of $and (if `all`) or $or. */
static bool combine (const MtExecExpr *e, const MtBounding *b, bool all, MtExprBounds *out)
{
   Truth t = {!all, all};
   for (uint32_t i = 0; i < e->argc; i++) {
      Truth k = truth_of (e->args[i], b);
      t.may_be_false = all ? t.may_be_false || k.may_be_false : t.may_be_false && k.may_be_false;
      t.may_be_true = all ? t.may_be_true && k.may_be_true : t.may_be_true || k.may_be_true;
   }
   return put_truth (out, t.may_be_false, t.may_be_true);
}

/* Computes the bounds of a comparison: whether its result may be false, and whether it may be true.
 * Returns false if the bounds of its operands are unknown. */
static bool compare (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out)
{
   static const struct {
      const char *name;
      bool less, equal, greater; /* is the operator true if operand 1 is less, equal, greater? */
   } ops[] = {{"$eq", false, true, false}, {"$ne", true, false, true},
              {"$lt", true, false, false}, {"$lte", true, true, false},
              {"$gt", false, false, true}, {"$gte", false, true, true}};
   size_t i = 0;
   MtExprBounds l, r;
   while (i < sizeof ops / sizeof *ops && strcmp (e->row->name, ops[i].name) != 0)
      i++;
   if (i == sizeof ops / sizeof *ops || !mt_expr_bounds (e->args[0], b, &l) ||
       !mt_expr_bounds (e->args[1], b, &r))
      return false;
   bool less = mt_v_compare_strict (l.lo, r.hi) < 0, greater = mt_v_compare_strict (l.hi, r.lo) > 0;
   bool equal = mt_v_compare_strict (l.lo, r.hi) <= 0 && mt_v_compare_strict (l.hi, r.lo) >= 0;
   bool yes = (less && ops[i].less) || (equal && ops[i].equal) || (greater && ops[i].greater);
   bool no = (less && !ops[i].less) || (equal && !ops[i].equal) || (greater && !ops[i].greater);
   return put_truth (out, no, yes);
}

static bool choose (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out)
{
   Truth t = truth_of (e->args[0], b);
   MtExprBounds other;
   if (!mt_expr_bounds (e->args[t.may_be_true ? 1 : 2], b, out))
      return false;
   if (!t.may_be_true || !t.may_be_false)
      return true;
   if (!mt_expr_bounds (e->args[2], b, &other))
      return false;
   include (out, &other);
   return true;
}

static bool if_null (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out)
{
   MtExprBounds next;
   if (!mt_expr_bounds (e->args[0], b, out))
      return false;
   for (uint32_t i = 1; i < e->argc && is_null (out->lo); i++) {
      if (!mt_expr_bounds (e->args[i], b, &next))
         return false;
      if (is_null (out->hi))
         *out = next;
      else
         include (out, &next);
   }
   return true;
}

/* ---- operators whose result never decreases ---- */

typedef enum { IN_NUMBERS = 1, IN_DATES = 2 } Domain;

/* An operator of which one argument varies, and the others are constants. If the varying argument
 * grows within one of the domains (numbers or dates), the result never decreases. The result is
 * null if the argument is null. */
typedef struct Rising {
   const char *name;
   unsigned domains;
   bool factor; /* the constant arguments must be positive numbers */
   int varies;  /* index of the argument that may vary; -1: any one of them */
} Rising;

static const Rising rising[] = {
   {"$add", IN_NUMBERS | IN_DATES, false, -1},
   {"$subtract", IN_NUMBERS | IN_DATES, false, 0},
   {"$multiply", IN_NUMBERS, true, -1},
   {"$divide", IN_NUMBERS, true, 0},
   {"$toDate", IN_NUMBERS | IN_DATES, false, 0},
   {"$toLong", IN_NUMBERS | IN_DATES, false, 0},
   {"$floor", IN_NUMBERS, false, 0},
   {"$ceil", IN_NUMBERS, false, 0},
   {"$dateTrunc", IN_DATES, false, 0},
};

static bool in_domain (MtVal v, unsigned domains)
{
   double d = mt_is_number (v) ? mt_op_double (v) : 0;
   if (v.type == MT_DATE)
      return domains & IN_DATES;
   return mt_is_number (v) && domains & IN_NUMBERS && (isnan (d) || fabs (d) <= EXACT);
}

/* Returns whether the operator still has this property if one of its constant arguments is v. */
static bool keeps_order (const Rising *op, MtVal v)
{
   if (strcmp (op->name, "$dateTrunc") == 0) /* text: a unit, a time zone or a week day */
      return v.type == MT_MISSING || v.type == MT_STRING || mt_is_number (v);
   double d = mt_is_number (v) ? mt_op_double (v) : NAN;
   return fabs (d) <= EXACT && (!op->factor || d > 0);
}

/* Computes the operator's result if the varying argument, number `varies`, has the value v. Returns
 * false if it fails. */
static bool apply (const MtExecExpr *e, const MtBounding *b, uint32_t varies, MtVal v, MtVal *out)
{
   MtVal *args = MT_NEW_N (b->w->arena, MtVal, e->argc);
   MtError before = b->w->err;
   for (uint32_t i = 0; i < e->argc; i++)
      args[i] = i == varies ? v : e->args[i]->value;
   b->w->ev.user = e->row->user;
   bool ok = e->row->fn (&b->w->ev, args, e->argc, out);
   if (!ok)
      b->w->err = before;
   return ok;
}

/* Returns the index of the only argument that is not constant. UINT32_MAX: there is not exactly
 * one, or it may not vary. */
static uint32_t varying (const MtExecExpr *e, const Rising *op)
{
   uint32_t at = UINT32_MAX;
   for (uint32_t i = 0; i < e->argc; i++)
      if (e->args[i]->kind != MT_EX_CONST) {
         if (at != UINT32_MAX)
            return UINT32_MAX;
         at = i;
      } else if (!keeps_order (op, e->args[i]->value))
         return UINT32_MAX;
   return op->varies < 0 || at == (uint32_t) op->varies ? at : UINT32_MAX;
}

static bool text_is (const MtExecExpr *e, uint32_t arg, const char *text)
{
   return e->argc > arg && e->args[arg]->value.type == MT_STRING &&
          e->args[arg]->value.len == strlen (text) &&
          memcmp (e->args[arg]->value.p, text, strlen (text)) == 0;
}

/* Returns by how many milliseconds the bounds of $dateTrunc's date must be widened. Where clocks
 * are set back at midnight, a later time can be on an earlier local day. */
static int64_t margin (const MtExecExpr *e)
{
   static const char *const steady[] = {"hour", "minute", "second", "millisecond"};
   if (strcmp (e->row->name, "$dateTrunc") != 0 || e->args[3]->value.type == MT_MISSING ||
       text_is (e, 3, "UTC"))
      return 0;
   for (size_t i = 0; i < sizeof steady / sizeof *steady; i++)
      if (text_is (e, 1, steady[i]))
         return 0;
   return MT_DAY_MS;
}

/* Returns whether v is an integer that a double can have without rounding. */
static bool is_exact (MtVal v)
{
   double d = mt_is_number (v) ? mt_op_double (v) : 0;
   return d == floor (d) && fabs (d) <= EXACT;
}

/* Returns the double next to v, the operator's result for `in`, in the direction of `towards`,
 * since operators on doubles may round. Other values, and integers that were computed from
 * integers, are returned unchanged. */
static MtVal beside (const MtExecExpr *e, MtVal in, MtVal v, double towards)
{
   bool exact = is_exact (in) && is_exact (v);
   for (uint32_t i = 0; i < e->argc; i++)
      exact &= e->args[i]->kind != MT_EX_CONST || is_exact (e->args[i]->value);
   return v.type == MT_DOUBLE && !exact ? mt_v_double (nextafter (v.d, towards)) : v;
}

static bool rise (const MtExecExpr *e, const MtBounding *b, const Rising *op, MtExprBounds *out)
{
   MtExprBounds in;
   uint32_t at = varying (e, op);
   if (at == UINT32_MAX || !mt_expr_bounds (e->args[at], b, &in))
      return false;
   /* Texts sort between null and dates. Converted texts may have any value. */
   bool from_null = is_null (in.lo), dates = in.hi.type == MT_DATE;
   if (is_null (in.hi))
      return put (out, mt_v_missing (), mt_v_null ());
   if (!in_domain (in.hi, op->domains) || (from_null ? dates : !in_domain (in.lo, op->domains)) ||
       (!from_null && (in.lo.type == MT_DATE) != dates))
      return false;
   if (dates) {
      in.lo.i -= margin (e);
      in.hi.i += margin (e);
   }
   if (from_null)
      out->lo = mt_v_missing ();
   else if (!apply (e, b, at, in.lo, &out->lo))
      return false;
   if (!apply (e, b, at, in.hi, &out->hi))
      return false;
   out->lo = beside (e, in.lo, out->lo, -INFINITY);
   out->hi = beside (e, in.hi, out->hi, INFINITY);
   return true;
}

const MtExecExpr *mt_expr_rises_in (const MtExecExpr *e)
{
   for (size_t i = 0; e->kind == MT_EX_OP && i < sizeof rising / sizeof *rising; i++)
      if (strcmp (e->row->name, rising[i].name) == 0) {
         uint32_t at = varying (e, &rising[i]);
         return at == UINT32_MAX ? NULL : e->args[at];
      }
   return NULL;
}

static bool operator(const MtExecExpr *e, const MtBounding *b, MtExprBounds *out)
{
   for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
      if (strcmp (e->row->name, rising[i].name) == 0)
         return rise (e, b, &rising[i], out);
   return e->argc == 2 && compare (e, b, out);
}

bool mt_expr_bounds (const MtExecExpr *e, const MtBounding *b, MtExprBounds *out)
{
   switch (e->kind) {
   case MT_EX_CONST: return put (out, e->value, e->value);
   case MT_EX_SLOT: return b->slot (b->ctx, e->slot, out);
   case MT_EX_OP: return operator(e, b, out);
   case MT_EX_AND: return combine (e, b, true, out);
   case MT_EX_OR: return combine (e, b, false, out);
   case MT_EX_NOT: {
      Truth t = truth_of (e->args[0], b);
      return put_truth (out, t.may_be_true, t.may_be_false);
   }
   case MT_EX_COND: return choose (e, b, out);
   case MT_EX_IFNULL: return if_null (e, b, out);
   default: return false;
   }
}
