#include "query/condition.h"

#include "query/comparison.h"
#include "query/x.h"

#include <string.h>

/* ---- lists of conditions ---- */

typedef struct List {
   MtArena *a;
   MtX **x;
   int n, cap;
} List;

static void add_parts (List *l, MtX *x)
{
   if (x->kind != MT_X_AND) {
      MT_GROW_IN (l->a, l->x, l->n, l->cap, 8);
      l->x[l->n++] = x;
   } else
      for (int i = 0; i < x->count; i++)
         add_parts (l, x->list[i]);
}

MtX **mt_conjuncts (MtArena *a, MtX *x, int *count)
{
   List l = {.a = a};
   if (x)
      add_parts (&l, x);
   *count = l.n;
   return l.x;
}

MtX *mt_conjunction (MtArena *a, MtX **list, int count)
{
   if (count <= 1)
      return count ? list[0] : NULL;
   MtX **own = MT_NEW_N (a, MtX *, (size_t) count);
   memcpy (own, list, (size_t) count * sizeof *own);
   return mt_x_list (a, MT_X_AND, mt_type (MT_T_BOOL), own, count, own[0]->span);
}

/* ---- columns and sides that a condition uses ---- */

static void widen (void *ctx, int column)
{
   MtColumnSpan *s = ctx;
   s->low = column < s->low ? column : s->low;
   s->high = column > s->high ? column : s->high;
}

MtColumnSpan mt_x_column_span (const MtX *x)
{
   MtColumnSpan s = {INT32_MAX, -1};
   mt_x_each_column (x, widen, &s);
   return s;
}

MtSide mt_x_side (const MtX *x, int left)
{
   MtColumnSpan s = mt_x_column_span (x);
   if (x->is_volatile || s.low > s.high)
      return MT_SIDE_BOTH;
   if (s.high < left)
      return MT_SIDE_LEFT;
   return s.low >= left ? MT_SIDE_RIGHT : MT_SIDE_BOTH;
}

bool mt_x_is_equality (const MtX *x) { return mt_x_cmp (x) == MT_CMP_EQ && x->call.argc == 2; }

static bool may_fail (void *ctx, const MtX *x)
{
   return x->kind == MT_X_CALL ? x->call.fn->cmp == MT_CMP_NONE
                               : x->kind == MT_X_KEY || x->kind == MT_X_AGG;
}

bool mt_x_cannot_fail (const MtX *x) { return !mt_x_find (x, may_fail, NULL); }

/* ---- values that a condition excludes ---- */

static bool is_column (const MtX *x, int column)
{
   return x->kind == MT_X_COLUMN && x->column == column;
}

/* Returns whether x is NULL in each row where the column is NULL. */
static bool null_with (const MtX *x, int column)
{
   int n;
   MtX *const *kids = mt_x_kids (x, &n);
   bool strict = x->kind == MT_X_NOT ||
                 (x->kind == MT_X_CALL && !(x->call.fn->flags & MT_F_NOT_STRICT));
   if (x->kind == MT_X_IN)
      return null_with (x->list[0], column);
   for (int i = 0; i < n && strict; i++)
      if (null_with (kids[i], column))
         return true;
   return is_column (x, column);
}

/* Type of functions that return whether a condition x, without AND and OR, excludes a certain value
 * of the column. */
typedef bool Excludes (const MtX *x, int column);

static bool excludes (const MtX *where, int column, Excludes *one)
{
   bool all = where->kind == MT_X_OR;
   if (where->kind != MT_X_AND && !all)
      return one (where, column);
   for (int i = 0; i < where->count; i++)
      if (excludes (where->list[i], column, one) != all)
         return !all;
   return all;
}

static bool excludes_null (const MtX *x, int column)
{
   const MtX *test = x->kind == MT_X_NOT ? x->list[0] : NULL;
   return test && test->kind == MT_X_IS_NULL ? null_with (test->list[0], column)
                                             : null_with (x, column);
}

bool mt_excludes_null (const MtX *where, int column)
{
   return excludes (where, column, excludes_null);
}

static bool is_plain (const MtX *x)
{
   return x->kind == MT_X_CONST && !mt_is_nullish (x->value) && !mt_v_is_nan (x->value);
}

/* Returns whether x is never true if the column is NaN. NaN is greater than all numbers, and a cast
 * keeps it. */
static bool excludes_nan (const MtX *x, int column)
{
   MtAgainst is = {x->kind == MT_X_IN ? x->list[0] : NULL, MT_CMP_EQ, NULL};
   bool plain = x->kind == MT_X_IN;
   for (int i = 1; plain && i < x->count; i++)
      plain = is_plain (x->list[i]);
   if (!is.x && mt_x_against (x, &is))
      plain = is_plain (is.constant) && (is.op == MT_CMP_EQ || mt_cmp_is_less (is.op));
   while (plain && is.x->kind == MT_X_CALL && (is.x->call.fn->flags & MT_F_CAST) &&
          is.x->call.argc == 1)
      is.x = is.x->call.args[0];
   return plain && is_column (is.x, column);
}

bool mt_excludes_nan (const MtX *where, int column)
{
   return excludes (where, column, excludes_nan);
}

/* ---- types ---- */

bool mt_equal_is_same (MtTypeId t)
{
   switch (mt_type_form (t)) {
   case MT_T_BOOL:
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ:
   case MT_T_UUID:
   case MT_T_OBJECTID:
   case MT_T_OID: return true;
   default: return false;
   }
}

bool mt_plain_equality (MtTypeId a, MtTypeId b)
{
   if (mt_type_is_array (a))
      return a == b && mt_plain_equality (mt_type_element (a), mt_type_element (b));
   switch (mt_type_form (a)) {
   case MT_T_BOOL:
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
   case MT_T_NUMERIC:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ:
   case MT_T_UUID:
   case MT_T_OBJECTID:
   case MT_T_OID: return a == b;
   default: return mt_type_is_integer (a) && mt_type_is_integer (b);
   }
}

/* ---- ASOF ---- */

/* Returns whether a and b are the same time type, or are integer types, whose values compare in
 * BSON as in SQL. */
static bool is_plain_time (MtTypeId a, MtTypeId b)
{
   switch (a) {
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return a == b;
   default: return mt_type_is_integer (a) && mt_type_is_integer (b);
   }
}

/* Recognizes x as a comparison between the two sides of a join, and sets *l and *r to the
 * expressions of the left and right side. Returns the operator of `*l op *r`; MT_CMP_NONE: x is
 * another expression. left: number of columns of the left side. */
static MtCmp sides_of (const MtX *x, int left, MtX **l, MtX **r)
{
   MtCmp op = mt_x_cmp (x);
   if (op == MT_CMP_NONE || x->call.argc != 2)
      return MT_CMP_NONE;
   MtSide a = mt_x_side (x->call.args[0], left), b = mt_x_side (x->call.args[1], left);
   bool straight = a == MT_SIDE_LEFT && b == MT_SIDE_RIGHT;
   if (!straight && !(a == MT_SIDE_RIGHT && b == MT_SIDE_LEFT))
      return MT_CMP_NONE;
   *l = x->call.args[!straight];
   *r = x->call.args[straight];
   return straight ? op : mt_cmp_swapped (op);
}

bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why)
{
   int n;
   MtX **parts = mt_conjuncts (a, j->on, &n), *l = NULL, *r = NULL;
   *out = (MtAsof) {.left = MT_NEW_N (a, MtX *, (size_t) n + 1),
                    .right = MT_NEW_N (a, MtX *, (size_t) n + 1)};
   *why =
      "Join one <, <=, > or >= between times or integers of both sides, and any equalities between "
      "both sides, by AND.";
   for (int i = 0; i < n; i++) {
      MtCmp op = sides_of (parts[i], j->left->column_count, &l, &r);
      if (op == MT_CMP_NONE || op == MT_CMP_NE)
         return false;
      if (op == MT_CMP_EQ) {
         if (!mt_plain_equality (l->type.id, r->type.id))
            return false;
         out->left[out->count] = l;
         out->right[out->count++] = r;
         continue;
      }
      if (out->left_time || !is_plain_time (l->type.id, r->type.id))
         return false;
      out->left_time = l;
      out->right_time = r;
      out->forward = mt_cmp_is_less (op);
      out->strict = op == MT_CMP_LT || op == MT_CMP_GT;
   }
   return out->left_time != NULL;
}
