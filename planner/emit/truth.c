/* Appends conditions as expressions that are never NULL: "x is TRUE" or "x is FALSE". They exclude
 * NULL by comparisons with null. In MongoDB's order only missing is before null, and all other
 * values are after it, so {$gt: [v, null]} means "v is not NULL". */
#include "planner/emit/emit_int.h"

#include "query/comparison.h"

#include <math.h>
#include <stdio.h>

/* ---- common parts ---- */

/* Sets *place to where a column is stored, and *stored to the constant in the same encoded form, so
 * that stored values can be compared with it. False: not possible. */
static bool has_stored_form (MtEmit *e, const MtX *column, const MtX *constant,
                             const MtPlace **place, MtVal *stored)
{
   bool exact;
   *place = column->kind == MT_X_COLUMN && constant->kind == MT_X_CONST ? mt_emit_place (e, column)
                                                                        : NULL;
   return *place && (*place)->path && (*place)->encode && !(*place)->several &&
          (*place)->encode (*place, e->a, constant->value, stored, &exact) && exact;
}

static void add_path (MtEmit *e, const MtPlace *p, MtOpenOp *o)
{
   mt_doc_add_path (e->a, &o->list, mt_op_next (o), p->path);
}

static bool pair (MtEmit *e, const char *op, const MtX *a, const MtX *b, bson_t *out,
                  const char *key)
{
   MtOpenOp o;
   const MtPlace *place;
   MtVal stored;
   bool ok = true;
   mt_op_open (out, key, op, &o);
   if (has_stored_form (e, a, b, &place, &stored)) {
      add_path (e, place, &o);
      mt_emit_const (stored, &o.list, mt_op_next (&o));
   } else if (has_stored_form (e, b, a, &place, &stored)) {
      mt_emit_const (stored, &o.list, mt_op_next (&o));
      add_path (e, place, &o);
   } else {
      ok = mt_emit_raw (e, a, &o.list, mt_op_next (&o)) &&
           mt_emit_raw (e, b, &o.list, mt_op_next (&o));
   }
   mt_op_close (out, &o);
   return ok;
}

static bool against (MtEmit *e, const char *op, const MtX *a, MtVal v, bson_t *out, const char *key)
{
   MtOpenOp o;
   mt_op_open (out, key, op, &o);
   bool ok = mt_emit_raw (e, a, &o.list, mt_op_next (&o));
   mt_emit_const (v, &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

static bool not_null (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   return against (e, "$gt", x, mt_v_null (), out, key);
}

static void bool_value (bson_t *out, const char *key, bool v)
{
   mt_doc_add (out, key, mt_v_bool (v));
}

/* ---- comparisons ---- */

static bool may_be_nan (const MtX *x)
{
   MtTypeId t = x->type.id;
   if (t != MT_T_FLOAT4 && t != MT_T_FLOAT8 && t != MT_T_NUMERIC)
      return false;
   if (x->kind == MT_X_CONST)
      return mt_v_is_nan (x->value);
   if (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST))
      return mt_type_is_integer (x->call.args[0]->type.id) ? false : may_be_nan (x->call.args[0]);
   return true;
}

/* Appends a < b or a <= b, where either may be NaN. NaN is the greatest number in PostgreSQL, and
 * the least in MongoDB. */
static bool less_with_nan (MtEmit *e, MtCmp op, const MtX *a, const MtX *b, bson_t *out,
                           const char *key)
{
   MtOpenOp all, any, both;
   MtVal nan = mt_v_double (NAN);
   bool strict = op == MT_CMP_LT, ok;
   mt_op_open (out, key, "$and", &all);
   /* {$gt: [a, NaN]} means that a is a number other than NaN, and not NULL */
   ok = strict || !may_be_nan (b) ? against (e, "$gt", a, may_be_nan (a) ? nan : mt_v_null (),
                                             &all.list, mt_op_next (&all))
                                  : not_null (e, a, &all.list, mt_op_next (&all));
   if (!may_be_nan (b))
      ok = ok && pair (e, mt_cmp_mql (op), a, b, &all.list, mt_op_next (&all));
   else {
      mt_op_open (&all.list, mt_op_next (&all), "$or", &any);
      ok = ok && against (e, "$eq", b, nan, &any.list, mt_op_next (&any));
      if (strict)
         ok = ok && pair (e, "$lt", a, b, &any.list, mt_op_next (&any));
      else {
         mt_op_open (&any.list, mt_op_next (&any), "$and", &both);
         ok = ok && against (e, "$gt", a, nan, &both.list, mt_op_next (&both)) &&
              pair (e, "$lte", a, b, &both.list, mt_op_next (&both));
         mt_op_close (&any.list, &both);
      }
      mt_op_close (&all.list, &any);
   }
   mt_op_close (out, &all);
   return ok;
}

static bool guarded (MtEmit *e, MtCmp op, const MtX *a, const MtX *b, bson_t *out, const char *key)
{
   bool unequal = op == MT_CMP_NE, both = op == MT_CMP_EQ && b->nullable;
   bool guard_a = a->nullable && (mt_cmp_is_less (op) || unequal || both);
   bool guard_b = b->nullable && (mt_cmp_is_greater (op) || unequal);
   MtOpenOp all;
   if (!guard_a && !guard_b)
      return pair (e, mt_cmp_mql (op), a, b, out, key);
   mt_op_open (out, key, "$and", &all);
   bool ok = (!guard_a || not_null (e, a, &all.list, mt_op_next (&all))) &&
             (!guard_b || not_null (e, b, &all.list, mt_op_next (&all))) &&
             pair (e, mt_cmp_mql (op), a, b, &all.list, mt_op_next (&all));
   mt_op_close (out, &all);
   return ok;
}

bool mt_emit_compare (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key)
{
   const MtX *a = x->call.args[0], *b = x->call.args[1];
   MtCmp op = want ? x->call.fn->cmp : mt_cmp_negated (x->call.fn->cmp);
   bool ordered = mt_cmp_is_less (op) || mt_cmp_is_greater (op);
   if (mt_x_is_null_const (a) || mt_x_is_null_const (b)) {
      bool_value (out, key, false);
      return true;
   }
   if (!ordered || (!may_be_nan (a) && !may_be_nan (b)))
      return guarded (e, op, a, b, out, key);
   if (mt_cmp_is_greater (op))
      return less_with_nan (e, mt_cmp_swapped (op), b, a, out, key);
   return less_with_nan (e, op, a, b, out, key);
}

/* ---- IN ---- */

static bool in_list (MtEmit *e, const MtX *x, bson_t *out, const char *key)
{
   MtOpenOp o;
   bson_t list;
   char index[16];
   int n = 0;
   mt_op_open (out, key, "$in", &o);
   bool ok = mt_emit_raw (e, x->list[0], &o.list, mt_op_next (&o));
   mt_array_begin (&o.list, mt_op_next (&o), &list);
   for (int i = 1; i < x->count && ok; i++) {
      if (mt_x_is_null_const (x->list[i]))
         continue;
      snprintf (index, sizeof index, "%d", n++);
      ok = mt_emit_x (e, x->list[i], &list, index);
   }
   mt_array_end (&o.list, &list);
   mt_op_close (out, &o);
   return ok;
}

static bool emit_in (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key)
{
   bool null_const = mt_x_is_null_const (x->list[0]), nullable = false;
   MtOpenOp all, negation;
   for (int i = 1; i < x->count; i++) {
      null_const |= !want && mt_x_is_null_const (x->list[i]);
      nullable |= x->list[i]->nullable && x->list[i]->kind != MT_X_CONST;
   }
   if (null_const) {
      bool_value (out, key, false);
      return true;
   }
   if (want && !(x->list[0]->nullable && nullable))
      return in_list (e, x, out, key);
   mt_op_open (out, key, "$and", &all);
   bool ok = true;
   for (int i = 0; i < x->count && ok; i++)
      if (x->list[i]->nullable && x->list[i]->kind != MT_X_CONST && (i == 0 || !want))
         ok = not_null (e, x->list[i], &all.list, mt_op_next (&all));
   if (want)
      ok = ok && in_list (e, x, &all.list, mt_op_next (&all));
   else {
      mt_op_open (&all.list, mt_op_next (&all), "$not", &negation);
      ok = ok && in_list (e, x, &negation.list, mt_op_next (&negation));
      mt_op_close (&all.list, &negation);
   }
   mt_op_close (out, &all);
   return ok;
}

/* ---- other conditions ---- */

static bool emit_list (MtEmit *e, const char *op, const MtX *x, bool want, bson_t *out,
                       const char *key)
{
   MtOpenOp o;
   bool ok = true;
   mt_op_open (out, key, op, &o);
   for (int i = 0; i < x->count && ok; i++)
      ok = mt_emit_truth (e, x->list[i], want, &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

static bool as_value (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key)
{
   if (want && !x->nullable && !mt_emit_place (e, x))
      return mt_emit_x (e, x, out, key);
   return against (e, "$eq", x, mt_v_bool (want), out, key);
}

/* Appends COALESCE (x, true or false), which the binder makes from IS [NOT] TRUE and IS [NOT]
 * FALSE. */
static bool emit_is (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key)
{
   MtOpenOp o;
   bool otherwise = x->list[1]->value.i;
   if (otherwise != want)
      return mt_emit_truth (e, x->list[0], want, out, key);
   mt_op_open (out, key, "$not", &o);
   bool ok = mt_emit_truth (e, x->list[0], !want, &o.list, mt_op_next (&o));
   mt_op_close (out, &o);
   return ok;
}

bool mt_emit_truth (MtEmit *e, const MtX *x, bool want, bson_t *out, const char *key)
{
   bool done, ok;
   switch (x->kind) {
   case MT_X_CONST:
      bool_value (out, key, x->value.type == MT_BOOL && (x->value.i != 0) == want);
      return true;
   case MT_X_AND: return emit_list (e, want ? "$and" : "$or", x, want, out, key);
   case MT_X_OR: return emit_list (e, want ? "$or" : "$and", x, want, out, key);
   case MT_X_NOT: return mt_emit_truth (e, x->list[0], !want, out, key);
   case MT_X_IS_NULL: return against (e, want ? "$lte" : "$gt", x->list[0], mt_v_null (), out, key);
   case MT_X_IN: return emit_in (e, x, want, out, key);
   case MT_X_CALL:
      if (x->call.fn->cmp != MT_CMP_NONE && x->call.fn->mql)
         return mt_emit_compare (e, x, want, out, key);
      ok = mt_emit_like_truth (e, x, want, out, key, &done);
      if (!ok || done)
         return ok;
      return as_value (e, x, want, out, key);
   case MT_X_COALESCE:
      if (x->count == 2 && x->list[1]->kind == MT_X_CONST && x->list[1]->value.type == MT_BOOL)
         return emit_is (e, x, want, out, key);
      return as_value (e, x, want, out, key);
   case MT_X_CASE:
   case MT_X_COLUMN:
   case MT_X_KEY:
   case MT_X_AGG:
   case MT_X_TARGET:
   case MT_X_WINDOW:
   case MT_X_OUTER: return as_value (e, x, want, out, key);
   }
   return false;
}
