/* Analysis of any expression by its kind. This file handles CASE, casts and operators itself. */
#include "analyze/expr/expr.h"

#include "analyze/calls/call.h"
#include "analyze/calls/set.h"
#include "analyze/types/domain.h"
#include "analyze/expr/expr_int.h"
#include "analyze/names/column.h"
#include "analyze/sub/pending.h"
#include "analyze/sub/row.h"
#include "analyze/sub/sub.h"
#include "analyze/types/coerce.h"
#include "types/binary.h"

#include <string.h>

/* ---- CASE and casts ---- */

static bool bind_case_whens (MtBinder *b, MtScope *s, const MtExpr *e, MtX **list)
{
   MtX *operand = NULL, *otherwise = s->guard;
   if (e->case_.operand &&
       (!mt_bind_x (b, s, e->case_.operand, &operand) || !mt_settle_unknown (b, &operand)))
      return false;
   const MtExprList *t = e->case_.thens;
   int i = 0;
   for (const MtExprList *w = e->case_.whens; w; w = w->next, t = t->next, i += 2) {
      if (operand) {
         MtX *v;
         if (!mt_bind_x (b, s, w->expr, &v) ||
             !mt_bind_operator (b, "=", w->expr->span, operand, v, &list[i]))
            return false;
      } else if (!mt_bind_bool (b, s, w->expr, "CASE/WHEN", &list[i]))
         return false;
      s->guard = mt_x_both (b->a, otherwise, list[i]);
      if (!mt_bind_x (b, s, t->expr, &list[i + 1]))
         return false;
      s->guard = otherwise = mt_x_both (
         b->a, otherwise, mt_x_not (b->a, mt_or_bool (b, list[i], false, list[i]->span)));
   }
   if (!e->case_.otherwise) {
      list[i] = mt_x_null (b->a, mt_type (MT_T_UNKNOWN), e->span);
      return true;
   }
   return mt_bind_x (b, s, e->case_.otherwise, &list[i]);
}

static bool bind_case (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   int whens = mt_list_length (e->case_.whens), n = 2 * whens + 1;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n),
       **values = MT_NEW_N (b->a, MtX *, (size_t) whens + 1);
   MtX *guard = s->guard;
   bool bound = bind_case_whens (b, s, e, list);
   s->guard = guard;
   if (!bound)
      return false;
   if (!mt_no_sets (b, list, n, "CASE"))
      return false;
   values[0] = list[n - 1]; /* PostgreSQL takes ELSE first */
   for (int i = 0; i < whens; i++)
      values[i + 1] = list[2 * i + 1];
   MtTypeId t;
   if (!mt_common_type (b, values, whens + 1, "CASE", &t))
      return false;
   MtType type = mt_common_modifier (values, whens + 1, t);
   for (int i = 0; i < n; i++) {
      bool is_value = i % 2 == 1 || i == n - 1;
      if (is_value && !mt_coerce (b, list[i], type, MT_COERCE_IMPLICIT, &list[i]))
         return false;
   }
   *out = mt_x_list (b->a, MT_X_CASE, type, list, n, e->span);
   return true;
}

static bool bind_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtType t;
   MtX *x;
   if (e->cast.type->interval_fields)
      return mt_bind_interval_cast (b, s, e, out);
   MtDomain d = {0};
   if (mt_find_domain (b, e->cast.type, &d) && !e->cast.type->array_dims)
      t = d.base;
   else if (!mt_resolve_cast_type (b, e->cast.type, &t))
      return false;
   bool elements = e->cast.arg->kind == MT_EXPR_ARRAY &&
                   mt_type_is_array (t.id); /* each element of ARRAY['1']::int[] is cast */
   if (elements ? !mt_bind_array (b, s, e->cast.arg, &t, &x) : !mt_bind_x (b, s, e->cast.arg, &x))
      return false;
   if (x->kind == MT_X_CONST && x->type.id == MT_T_UNKNOWN && !x->param &&
       mt_is_nullish (x->value)) {
      *out = mt_x_null (b->a, t, e->span);
      return !d.name || mt_domain_value (b, &d, *out, out);
   }
   if (!mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out)) {
      if (mt_error_is (b->err, MT_E_CANNOT_COERCE))
         b->err->span = e->at;
      return false;
   }
   if (mt_type_is_catalog_char (t)) { /* t was varchar(1), which has cut the value */
      MtX *one = MT_NEW (b->a, MtX);
      *one = **out;
      one->type = mt_type_catalog_char ();
      *out = one;
   }
   return !d.name || mt_domain_value (b, &d, *out, out);
}

/* ---- operators ---- */

static bool is_minus (const MtExpr *e)
{
   return e->kind == MT_EXPR_OPERATOR && !e->op.left && strcmp (e->op.op, "-") == 0;
}

/* Removes pairs of minus signs from - - e, so that the number -(-2147483648) is a bigint. */
static const MtExpr *without_signs (const MtExpr *e)
{
   const MtExpr *number = e;
   while (is_minus (number))
      number = number->op.right;
   while (number->kind == MT_EXPR_INTEGER && is_minus (e) && is_minus (e->op.right))
      e = e->op.right->op.right;
   return e;
}

static bool bind_op (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *l = NULL, *r;
   e = without_signs (e);
   if (e->kind != MT_EXPR_OPERATOR)
      return mt_bind_x (b, s, e, out);
   if (!e->op.left && strcmp (e->op.op, "-") == 0 && e->op.right->kind == MT_EXPR_INTEGER &&
       mt_bind_negative_integer (b, e, out))
      return true;
   MtSpan at = e->op.op_span.start >= 0 ? e->op.op_span : e->span;
   if (e->op.left && (mt_is_row (e->op.left) || mt_is_row (e->op.right)))
      return mt_bind_row_compare (b, s, e, out);
   if (e->op.left && !mt_bind_x (b, s, e->op.left, &l))
      return false;
   if (l && mt_type_is_state (l->type.id) && strcmp (e->op.op, "->") == 0 &&
       e->op.right->kind == MT_EXPR_CALL) {
      if (!mt_bind_accessor (b, s, l, e->op.right, out))
         return false;
      (*out)->span = e->span;
      return true;
   }
   if (!mt_bind_x (b, s, e->op.right, &r))
      return false;
   if (!mt_bind_operator (b, e->op.op, at, l, r, out))
      return false;
   (*out)->span = e->span;
   return true;
}

static bool bind_at_time_zone (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   return mt_bind_x (b, s, e->op.right, &args[0]) && mt_bind_x (b, s, e->op.left, &args[1]) &&
          mt_bind_function (b, "timezone", e->span, args, 2, out);
}

static bool bind_collate (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const char *c = e->collate.collation.text;
   if (!mt_bind_x (b, s, e->collate.arg, out))
      return false;
   if (!mt_ieq (c, "C") && !mt_ieq (c, "POSIX") && !mt_ieq (c, "default") &&
       !mt_ieq (c, "ucs_basic"))
      return mt_error_at (b->err, e->span, MT_E_FEATURE, "collation \"%s\" is not supported", c);
   if (mt_type_info ((*out)->type.id)->category != 'S' && (*out)->type.id != MT_T_UNKNOWN)
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "collations are not supported by type %s",
                          mt_type_info ((*out)->type.id)->display);
   return true;
}

static bool bind_field (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *x;
   if (mt_names_a_table (b, s, e->field.arg)) {
      const MtName *table = mt_last_name (e->field.arg->column.parts);
      MtNameList *column = MT_NEW (b->a, MtNameList), *parts = MT_NEW (b->a, MtNameList);
      MtExpr *plain = MT_NEW (b->a, MtExpr);
      column->name = e->field.name;
      *parts = (MtNameList) {.name = *table, .next = column};
      *plain = *e;
      plain->span = e->field.arg->span;
      plain->kind = MT_EXPR_COLUMN;
      plain->column.parts = parts;
      plain->column.changes = NULL;
      plain->column.of = NULL;
      return mt_bind_column_ref (b, s, plain, out);
   }
   if (!mt_bind_x (b, s, e->field.arg, &x))
      return false;
   if (x->type.id == MT_T_RECORD)
      return mt_record_field (b, x, &e->field.name, e->field.arg->span, out);
   if (mt_is_json (x->type.id))
      return mt_json_field (b, x, e->field.name.text, e->span, out);
   return mt_error_at (b->err, e->field.arg->span, MT_E_WRONG_OBJECT,
                       "column notation .%s applied to type %s, which is not a composite type",
                       e->field.name.text, mt_type_info (x->type.id)->display);
}

/* Analyzes t.* used as a value: a record of all columns of t. */
static bool bind_star (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (e->column.of || e->column.changes)
      return mt_refuse (b, e->span, "row expansion via \"*\" here is");
   const MtNameList *parts = e->column.parts;
   if (!parts)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "syntax error at or near \"*\"");
   const MtName *table = parts->next ? mt_qualifier_of (b, s->rel, parts) : &parts->name;
   return mt_bind_whole_row (b, s, table, e->span, out) &&
          (*out || mt_no_from_entry (b, s->rel, table, e->span));
}

static bool bind_kind (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   switch (e->kind) {
   case MT_EXPR_NULL: *out = mt_x_null (b->a, mt_type (MT_T_UNKNOWN), e->span); return true;
   case MT_EXPR_BOOL:
      *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (e->boolean), e->span);
      return true;
   case MT_EXPR_INTEGER: return mt_bind_integer (b, e, out);
   case MT_EXPR_DECIMAL: return mt_bind_decimal (b, e, out);
   case MT_EXPR_STRING: *out = mt_unknown_literal (b, e->str, e->span); return true;
   case MT_EXPR_TYPED_STRING: return mt_bind_typed_string (b, e, out);
   case MT_EXPR_PARAM: return mt_bind_param (b, s, e, out);
   case MT_EXPR_COLUMN: return mt_bind_column_ref (b, s, e, out);
   case MT_EXPR_OPERATOR: return bind_op (b, s, e, out);
   case MT_EXPR_AND: return mt_bind_logic (b, s, e, MT_X_AND, out);
   case MT_EXPR_OR: return mt_bind_logic (b, s, e, MT_X_OR, out);
   case MT_EXPR_NOT: return mt_bind_not (b, s, e, out);
   case MT_EXPR_IS: return mt_bind_is (b, s, e, out);
   case MT_EXPR_BETWEEN: return mt_bind_between (b, s, e, out);
   case MT_EXPR_IN: return mt_bind_in (b, s, e, out);
   case MT_EXPR_LIKE: return mt_bind_like (b, s, e, out);
   case MT_EXPR_CALL: return mt_bind_call_expr (b, s, e, out);
   case MT_EXPR_CASE: return bind_case (b, s, e, out);
   case MT_EXPR_CAST: return bind_cast (b, s, e, out);
   case MT_EXPR_AT_TIME_ZONE: return bind_at_time_zone (b, s, e, out);
   case MT_EXPR_COLLATE: return bind_collate (b, s, e, out);
   case MT_EXPR_STAR: return bind_star (b, s, e, out);
   case MT_EXPR_BITSTRING: return mt_refuse (b, e->span, "a bit string is");
   case MT_EXPR_SUBQUERY: return mt_bind_once (b, s, e, mt_bind_scalar_sub, out);
   case MT_EXPR_EXISTS: return mt_bind_once (b, s, e, mt_bind_exists, out);
   case MT_EXPR_QUANTIFIED: return mt_bind_once (b, s, e, mt_bind_quantified, out);
   case MT_EXPR_ARRAY: return mt_bind_array (b, s, e, NULL, out);
   case MT_EXPR_ROW: return mt_bind_row (b, s, e, out);
   case MT_EXPR_SUBSCRIPT: return mt_bind_subscript (b, s, e, out);
   case MT_EXPR_PART: return mt_bind_part (b, s, e, out);
   case MT_EXPR_FIELD: return bind_field (b, s, e, out);
   case MT_EXPR_DEFAULT:
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "DEFAULT is not allowed in this context");
   }
   return mt_error_at (b->err, e->span, MT_E_INTERNAL, "unknown expression");
}

bool mt_analyze_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   bool only_true = s->only_true;
   if (!mt_enter (b, e->span))
      return false;
   s->only_true = only_true && (e->kind == MT_EXPR_AND || e->kind == MT_EXPR_OR ||
                                e->kind == MT_EXPR_IN || e->kind == MT_EXPR_QUANTIFIED);
   bool ok = bind_kind (b, s, e, out);
   s->only_true = only_true;
   mt_leave (b);
   if (ok && (*out)->size > MT_MAX_EXPANDED_NODES) {
      mt_error_at (b->err, e->span, MT_E_TOO_COMPLEX, "expression is too complex");
      return mt_error_detail (
         b->err, "With repeated parts, such as the value of BETWEEN, it has more than %d nodes.",
         MT_MAX_EXPANDED_NODES);
   }
   return ok;
}
