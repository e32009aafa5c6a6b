/* Expressions: literals, names, operators, CASE and the rest of the syntax that isn't a call. */
#include "analyze/bind_int.h"

#include "types/datetime.h"
#include "types/numeric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- literals ---- */

static bool bind_integer (MtBinder *b, const MtExpr *e, MtX **out)
{
   size_t n = strlen (e->text);
   if (n <= 19) {
      errno = 0;
      long long v = strtoll (e->text, NULL, 10);
      if (errno == 0) {
         bool small = v <= INT32_MAX;
         *out = mt_x_const (b->a, mt_type (small ? MT_T_INT4 : MT_T_INT8),
                            small ? mt_v_int32 ((int32_t) v) : mt_v_int64 (v), e->span);
         return true;
      }
   }
   MtNum num;
   if (!mt_num_in (e->text, n, &num, b->err))
      return false;
   *out = mt_x_const (b->a, mt_type (MT_T_NUMERIC), mt_num_to_val (b->a, num), e->span);
   return true;
}

static bool bind_decimal (MtBinder *b, const MtExpr *e, MtX **out)
{
   MtNum num;
   if (!mt_num_in (e->text, strlen (e->text), &num, b->err)) {
      b->err->span = e->span;
      return false;
   }
   *out = mt_x_const (b->a, mt_type (MT_T_NUMERIC), mt_num_to_val (b->a, num), e->span);
   return true;
}

static MtX *unknown (MtBinder *b, MtStr s, MtSpan span)
{
   return mt_x_const (b->a, mt_type (MT_T_UNKNOWN), mt_v_str (s.p ? s.p : "", s.n), span);
}

/* The last of an interval's fields: the hour of "day to hour". */
static const char *last_field (const MtTypeName *t)
{
   const char *space = strrchr (t->interval_fields, ' ');
   return space ? space + 1 : t->interval_fields;
}

/* What an INTERVAL DAY TO HOUR has of an interval: nothing below its last field, whose fraction may
 * be rounded; what is above its first stays. */
static bool cut_interval (MtBinder *b, const MtTypeName *name, MtX *x, MtX **out)
{
   MtTypeName plain = *name;
   MtType t;
   const char *last = last_field (name);
   plain.interval_fields = NULL;
   if (!mt_resolve_type (b, &plain, &t))
      return false;
   if (mt_type_is_array (t.id))
      return mt_refuse (b, name->span, "the fields of an array's intervals are");
   if (strcmp (last, "second") != 0) {
      MtX **args = MT_NEW_N (b->a, MtX *, 2);
      args[0] = mt_x_text (b->a, last, x->span);
      args[1] = x;
      if (!mt_bind_function (b, "date_trunc", x->span, args, NULL, 2, &x))
         return false;
   }
   return mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out);
}

/* interval '2' day, '1:30'::interval minute to second: the fields say how the literal is read,
 * too. */
static bool interval_literal (MtBinder *b, const MtTypeName *name, MtStr text, MtSpan span,
                              MtX **out)
{
   static const struct {
      const char *name;
      MtTimeUnit unit;
   } units[] = {{"year", MT_U_YEAR}, {"month", MT_U_MONTH},   {"day", MT_U_DAY},
                {"hour", MT_U_HOUR}, {"minute", MT_U_MINUTE}, {"second", MT_U_SECOND}};
   const char *last = last_field (name);
   MtInterval iv;
   size_t i = 0;
   while (strcmp (units[i].name, last) != 0)
      i++;
   if (!mt_interval_in_unit (text.p ? text.p : "", text.n, units[i].unit,
                             strcmp (name->interval_fields, "minute to second") == 0, &iv,
                             b->err)) {
      b->err->span = span;
      return false;
   }
   return cut_interval (
      b, name, mt_x_const (b->a, mt_type (MT_T_INTERVAL), mt_v_interval (b->a, iv), span), out);
}

static bool bind_typed_string (MtBinder *b, const MtExpr *e, MtX **out)
{
   MtType t;
   if (e->typed.type->interval_fields)
      return interval_literal (b, e->typed.type, e->typed.str, e->typed.str_span, out);
   return mt_resolve_type (b, e->typed.type, &t) &&
          mt_coerce (b, unknown (b, e->typed.str, e->typed.str_span), t, MT_COERCE_EXPLICIT, out);
}

static void more_params (MtBinder *b, int n)
{
   MtParams *p = b->env->params;
   MtType *types = MT_NEW_N (b->a, MtType, (size_t) n * 2);
   for (int i = 0; i < n * 2; i++)
      types[i] = i < p->count ? p->types[i] : mt_type (MT_T_UNKNOWN);
   p->types = types;
   p->count = n * 2;
}

/* $1 of a prepared statement: its value, or, while it is prepared, NULL of its type. */
static MtX *prepared_param (MtBinder *b, const MtExpr *e)
{
   MtParams *p = b->env->params;
   if (p->values)
      return mt_x_const (b->a, p->types[e->param - 1], p->values[e->param - 1], e->span);
   if (e->param > p->count)
      more_params (b, e->param);
   MtX *x = mt_x_null (b->a, p->types[e->param - 1], e->span);
   x->param = x->type.id == MT_T_UNKNOWN ? e->param : 0;
   p->most = e->param > p->most ? e->param : p->most;
   return x;
}

static bool bind_param (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtParams *p = b->env->params;
   const MtScope *body = mt_body_scope (b, s);
   if (body) {
      if (e->param < 1 || e->param > body->param_count)
         return mt_error_at (b->err, e->span, "42P02", "there is no parameter $%d", e->param);
      *out = mt_body_param (body, e->param - 1);
      return true;
   }
   if (p && e->param >= 1 && e->param <= (p->values ? p->count : MT_MAX_PARAMS)) {
      *out = prepared_param (b, e);
      return true;
   }
   return mt_error_at (b->err, e->span, "42P02", "there is no parameter $%d", e->param);
}

/* ---- boolean syntax ---- */

bool mt_bind_bool (MtBinder *b, MtScope *s, const MtExpr *e, const char *what, MtX **out)
{
   if (!mt_bind_x (b, s, e, out))
      return false;
   if ((*out)->type.id == MT_T_BOOL)
      return true;
   if ((*out)->type.id == MT_T_UNKNOWN)
      return mt_coerce (b, *out, mt_type (MT_T_BOOL), MT_COERCE_IMPLICIT, out);
   return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                       "argument of %s must be type boolean, not type %s", what,
                       mt_type_info ((*out)->type.id)->display);
}

static int list_length (const MtExprList *l)
{
   int n = 0;
   for (; l; l = l->next)
      n++;
   return n;
}

static bool bind_logic (MtBinder *b, MtScope *s, const MtExpr *e, MtXKind kind, const char *what,
                        MtX **out)
{
   int n = list_length (e->list), i = 0;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n);
   for (const MtExprList *l = e->list; l; l = l->next)
      if (!mt_bind_bool (b, s, l->expr, what, &list[i++]))
         return false;
   *out = mt_x_list (b->a, kind, mt_type (MT_T_BOOL), list, n, e->span);
   return true;
}

static bool bind_not (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *x;
   if (!mt_bind_bool (b, s, e->arg, "NOT", &x))
      return false;
   *out = mt_x_not (b->a, x);
   (*out)->span = e->span;
   return true;
}

static MtX *or_bool (MtBinder *b, MtX *x, bool v, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, 2);
   list[0] = x;
   list[1] = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (v), span);
   return mt_x_list (b->a, MT_X_COALESCE, mt_type (MT_T_BOOL), list, 2, span);
}

bool mt_distinct_from (MtBinder *b, MtX *l, MtX *r, MtSpan span, MtX **out)
{
   MtX *equal;
   /* The comparison is bound for its type check and for the types that both sides get. */
   if (!mt_bind_operator (b, "=", span, l, r, &equal))
      return false;
   MtTypeId t = equal->call.args[0]->type.id;
   if (mt_type_is_array (t) && mt_type_has_rank (t)) {
      *out = mt_array_comparison (b, equal, "$array_distinct");
      return true;
   }
   const MtFunc *fn = mt_hidden_func (t == MT_T_INTERVAL ? "$distinct_interval"
                                      : t == MT_T_JSONB  ? "$distinct_jsonb"
                                                         : "$distinct");
   *out = mt_x_call (b->a, fn, mt_type (MT_T_BOOL), equal->call.args, 2, span);
   return true;
}

static bool bind_distinct_from (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *l, *r;
   if (mt_is_row (e->is.left) || mt_is_row (e->is.right))
      return mt_bind_row_distinct (b, s, e, out);
   return mt_bind_x (b, s, e->is.left, &l) && mt_bind_x (b, s, e->is.right, &r) &&
          mt_distinct_from (b, l, r, e->at, out);
}

static bool bind_is (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   static const char *const what[] = {"", "IS TRUE", "IS FALSE", "IS UNKNOWN", ""};
   static const char *const what_not[] = {"", "IS NOT TRUE", "IS NOT FALSE", "IS NOT UNKNOWN", ""};
   MtX *x = NULL;
   if (e->is.test == MT_IS_NULL && mt_is_row (e->is.left))
      return mt_bind_row_null (b, s, e, out);
   if (e->is.test == MT_IS_DISTINCT_FROM) {
      if (!bind_distinct_from (b, s, e, &x))
         return false;
   } else if (e->is.test == MT_IS_NULL) {
      if (!mt_bind_x (b, s, e->is.left, &x) || (!x->param && !mt_settle_unknown (b, &x)))
         return false;
      x = mt_x_null_test (b->a, x, e->span);
   } else {
      if (!mt_bind_bool (b, s, e->is.left, (e->is.negated ? what_not : what)[e->is.test], &x))
         return false;
      if (e->is.test == MT_IS_TRUE)
         x = or_bool (b, x, false, e->span);
      else if (e->is.test == MT_IS_FALSE)
         x = mt_x_not (b->a, or_bool (b, x, true, e->span));
      else
         x = mt_x_null_test (b->a, x, e->span);
   }
   *out = e->is.negated ? mt_x_not (b->a, x) : x;
   return true;
}

static MtX *both (MtBinder *b, MtXKind kind, MtX *x, MtX *y, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, 2);
   list[0] = x;
   list[1] = y;
   return mt_x_list (b->a, kind, mt_type (MT_T_BOOL), list, 2, span);
}

MtX *mt_param_again (MtBinder *b, MtX *x)
{
   MtType t = x->param ? b->env->params->types[x->param - 1] : x->type;
   return x->param && t.id != MT_T_UNKNOWN ? mt_x_null (b->a, t, x->span) : x;
}

static bool compared (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out)
{
   return mt_bind_operator (b, op, span, mt_param_again (b, left), mt_param_again (b, right), out);
}

/* A bound is compared before the next is bound: it may tell the type of a parameter in that. */
static bool bind_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *v, *low, *high, *ge, *le, *x;
   if (mt_is_row (e->between.value))
      return mt_bind_row_between (b, s, e, out);
   if (!mt_bind_x (b, s, e->between.value, &v) || !mt_bind_x (b, s, e->between.low, &low) ||
       !compared (b, ">=", e->at, v, low, &ge) || !mt_bind_x (b, s, e->between.high, &high) ||
       !compared (b, "<=", e->at, v, high, &le))
      return false;
   x = both (b, MT_X_AND, ge, le, e->span);
   if (e->between.symmetric) {
      if (!compared (b, ">=", e->at, v, high, &ge) || !compared (b, "<=", e->at, v, low, &le))
         return false;
      x = both (b, MT_X_OR, x, both (b, MT_X_AND, ge, le, e->span), e->span);
   }
   *out = e->between.negated ? mt_x_not (b->a, x) : x;
   return true;
}

/* ---- IN ---- */

/* Unequal types without a common one: PostgreSQL falls back to a chain of comparisons, which then
 * reports the operator. */
static bool in_chain (MtBinder *b, MtX **list, int n, MtSpan span, MtX **out)
{
   MtX **ors = MT_NEW_N (b->a, MtX *, (size_t) n);
   for (int i = 1; i < n; i++)
      if (!mt_bind_operator (b, "=", span, list[0], list[i], &ors[i - 1]))
         return false;
   *out = n == 2 ? ors[0] : mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), ors, n - 1, span);
   return true;
}

static bool bind_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (!e->in.list)
      return mt_bind_once (b, s, e, mt_bind_in_sub, out);
   if (mt_is_row (e->in.value))
      return mt_bind_row_in (b, s, e, out);
   int n = list_length (e->in.list) + 1, i = 1;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n);
   if (!mt_bind_x (b, s, e->in.value, &list[0]))
      return false;
   for (const MtExprList *l = e->in.list; l; l = l->next)
      if (!mt_bind_x (b, s, l->expr, &list[i++]))
         return false;
   MtTypeId t;
   MtError ignored;
   MtBinder quiet = *b;
   quiet.err = &ignored;
   MtX *x;
   if (mt_type_has_rank (list[0]->type.id) || !mt_common_type (&quiet, list, n, "IN", &t)) {
      if (!in_chain (b, list, n, e->at, &x))
         return false;
   } else {
      for (i = 0; i < n; i++)
         if (!mt_coerce (b, list[i], mt_type (t), MT_COERCE_IMPLICIT, &list[i]))
            return false;
      x = mt_x_list (b->a, MT_X_IN, mt_type (MT_T_BOOL), list, n, e->span);
   }
   *out = e->in.negated ? mt_x_not (b->a, x) : x;
   return true;
}

static bool bind_similar (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   if (!mt_bind_x (b, s, e->like.value, &args[0]) || !mt_bind_x (b, s, e->like.pattern, &args[1]))
      return false;
   if (!e->like.escape)
      args[2] = mt_x_text (b->a, "\\", MT_NO_SPAN);
   else if (!mt_bind_x (b, s, e->like.escape, &args[2]))
      return false;
   for (int i = 0; i < 3; i++)
      if (!mt_can_coerce (args[i]->type.id, MT_T_TEXT, MT_COERCE_IMPLICIT))
         return mt_bind_operator (b, "~", e->span, args[0], args[i ? i : 1],
                                  out); /* which says that there is none */
      else if (!mt_coerce (b, args[i], mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, &args[i]))
         return false;
   MtX *x = mt_x_call (b->a, mt_hidden_func ("$similar"), mt_type (MT_T_BOOL), args, 3, e->span);
   *out = e->like.negated ? mt_x_not (b->a, x) : x;
   return true;
}

static bool bind_like (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   if (e->like.kind == MT_SIMILAR)
      return bind_similar (b, s, e, out);
   MtX *args[3], *x;
   int n = 2;
   if (!mt_bind_x (b, s, e->like.value, &args[0]) || !mt_bind_x (b, s, e->like.pattern, &args[1]))
      return false;
   static const char *const ops[2][2] = {{"~~", "!~~"}, {"~~*", "!~~*"}};
   const char *op = ops[e->like.kind == MT_ILIKE][0];
   if (!e->like.escape) {
      if (!mt_bind_operator (b, op, e->at, args[0], args[1], &x))
         return false;
   } else {
      if (!mt_bind_x (b, s, e->like.escape, &args[2]))
         return false;
      bool bytes = e->like.kind == MT_LIKE && args[0]->type.id == MT_T_BYTEA;
      MtTypeId t = bytes ? MT_T_BYTEA : MT_T_TEXT;
      for (n = 0; n < 3; n++)
         if (args[n]->type.id != t && !mt_can_coerce (args[n]->type.id, t, MT_COERCE_IMPLICIT))
            return mt_bind_operator (b, op, e->at, args[0], args[1], &x);
         else if (!mt_coerce (b, args[n], mt_type (t), MT_COERCE_IMPLICIT, &args[n]))
            return false;
      MtX **copy = MT_NEW_N (b->a, MtX *, 3);
      memcpy (copy, args, sizeof args);
      const char *name = bytes                      ? "$like_bytes_escape"
                         : e->like.kind == MT_ILIKE ? "$ilike_escape"
                                                    : "$like_escape";
      x = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), copy, 3, e->span);
   }
   *out = e->like.negated ? mt_x_not (b->a, x) : x;
   return true;
}

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
         b->a, otherwise, mt_x_not (b->a, or_bool (b, list[i], false, list[i]->span)));
   }
   if (!e->case_.otherwise) {
      list[i] = mt_x_null (b->a, mt_type (MT_T_UNKNOWN), e->span);
      return true;
   }
   return mt_bind_x (b, s, e->case_.otherwise, &list[i]);
}

static bool bind_case (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   int whens = list_length (e->case_.whens), n = 2 * whens + 1;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n),
       **values = MT_NEW_N (b->a, MtX *, (size_t) whens + 1);
   MtX *guard = s->guard;
   bool bound = bind_case_whens (b, s, e, list);
   s->guard = guard;
   if (!bound)
      return false;
   if (!mt_no_sets (b, list, n, "CASE"))
      return false;
   values[0] = list[n - 1]; /* PostgreSQL looks at ELSE first */
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

static bool bind_interval_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtX *x;
   if (!mt_bind_x (b, s, e->cast.arg, &x))
      return false;
   if (x->kind == MT_X_CONST && x->type.id == MT_T_UNKNOWN && !x->param &&
       !mt_is_nullish (x->value))
      return interval_literal (b, e->cast.type, (MtStr) {(const char *) x->value.p, x->value.len},
                               x->span, out);
   if (mt_coerce (b, x, mt_type (MT_T_INTERVAL), MT_COERCE_EXPLICIT, &x))
      return cut_interval (b, e->cast.type, x, out);
   if (strcmp (b->err->sqlstate, MT_E_CANNOT_COERCE) == 0)
      b->err->span = e->at;
   return false;
}

static bool bind_cast (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtType t;
   MtX *x;
   if (e->cast.type->interval_fields)
      return bind_interval_cast (b, s, e, out);
   if (!mt_resolve_type (b, e->cast.type, &t))
      return false;
   bool elements = e->cast.arg->kind == MT_EXPR_ARRAY &&
                   mt_type_is_array (t.id); /* ARRAY['1']::int[]: each is cast */
   if (elements ? !mt_bind_array (b, s, e->cast.arg, &t, &x) : !mt_bind_x (b, s, e->cast.arg, &x))
      return false;
   if (x->kind == MT_X_CONST && x->type.id == MT_T_UNKNOWN && !x->param &&
       mt_is_nullish (x->value)) {
      *out = mt_x_null (b->a, t, e->span);
      return true;
   }
   if (!mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out)) {
      if (strcmp (b->err->sqlstate, MT_E_CANNOT_COERCE) == 0)
         b->err->span = e->at;
      return false;
   }
   if (mt_is_oid (e->cast.type))
      mt_check_oid (b, x->type.id, out);
   return true;
}

/* -2147483648 is one literal: the sign belongs to it. */
static bool negative_integer (MtBinder *b, const MtExpr *e, MtX **out)
{
   const char *digits = e->op.right->text;
   char text[24];
   if (strlen (digits) > 19)
      return false;
   snprintf (text, sizeof text, "-%s", digits);
   errno = 0;
   long long v = strtoll (text, NULL, 10);
   if (errno)
      return false;
   bool small = v >= INT32_MIN;
   *out = mt_x_const (b->a, mt_type (small ? MT_T_INT4 : MT_T_INT8),
                      small ? mt_v_int32 ((int32_t) v) : mt_v_int64 (v), e->span);
   return true;
}

static bool is_minus (const MtExpr *e)
{
   return e->kind == MT_EXPR_OPERATOR && !e->op.left && strcmp (e->op.op, "-") == 0;
}

/* Two signs before a number cancel each other before it gets its type: - (-2147483648) is a
 * bigint. */
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
       negative_integer (b, e, out))
      return true;
   MtSpan at = e->op.op_span.start >= 0 ? e->op.op_span : e->span;
   if (e->op.left && (mt_is_row (e->op.left) || mt_is_row (e->op.right)))
      return mt_bind_row_compare (b, s, e->op.op, at, e->op.left, e->op.right, out);
   if (e->op.left && !mt_bind_x (b, s, e->op.left, &l))
      return false;
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
          mt_bind_function (b, "timezone", e->span, args, NULL, 2, out);
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
   if (!mt_bind_x (b, s, e->field.arg, &x))
      return false;
   return mt_is_json (x->type.id) ? mt_json_field (b, x, e->field.name.text, e->span, out)
                                  : mt_refuse (b, e->span, "field selection is");
}

static bool bind_kind (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   switch (e->kind) {
   case MT_EXPR_NULL: *out = mt_x_null (b->a, mt_type (MT_T_UNKNOWN), e->span); return true;
   case MT_EXPR_BOOL:
      *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (e->boolean), e->span);
      return true;
   case MT_EXPR_INTEGER: return bind_integer (b, e, out);
   case MT_EXPR_DECIMAL: return bind_decimal (b, e, out);
   case MT_EXPR_STRING: *out = unknown (b, e->str, e->span); return true;
   case MT_EXPR_TYPED_STRING: return bind_typed_string (b, e, out);
   case MT_EXPR_PARAM: return bind_param (b, s, e, out);
   case MT_EXPR_COLUMN: return mt_bind_column_ref (b, s, e, out);
   case MT_EXPR_OPERATOR: return bind_op (b, s, e, out);
   case MT_EXPR_AND: return bind_logic (b, s, e, MT_X_AND, "AND", out);
   case MT_EXPR_OR: return bind_logic (b, s, e, MT_X_OR, "OR", out);
   case MT_EXPR_NOT: return bind_not (b, s, e, out);
   case MT_EXPR_IS: return bind_is (b, s, e, out);
   case MT_EXPR_BETWEEN: return bind_between (b, s, e, out);
   case MT_EXPR_IN: return bind_in (b, s, e, out);
   case MT_EXPR_LIKE: return bind_like (b, s, e, out);
   case MT_EXPR_CALL: return mt_bind_call_expr (b, s, e, out);
   case MT_EXPR_CASE: return bind_case (b, s, e, out);
   case MT_EXPR_CAST: return bind_cast (b, s, e, out);
   case MT_EXPR_AT_TIME_ZONE: return bind_at_time_zone (b, s, e, out);
   case MT_EXPR_COLLATE: return bind_collate (b, s, e, out);
   case MT_EXPR_STAR:
      if (e->column.parts)
         return mt_refuse (b, e->span, "a table's whole row as a value is");
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "syntax error at or near \"*\"");
   case MT_EXPR_BITSTRING: return mt_refuse (b, e->span, "a bit string is");
   case MT_EXPR_SUBQUERY: return mt_bind_once (b, s, e, mt_bind_scalar_sub, out);
   case MT_EXPR_EXISTS: return mt_bind_once (b, s, e, mt_bind_exists, out);
   case MT_EXPR_QUANTIFIED: return mt_bind_once (b, s, e, mt_bind_quantified, out);
   case MT_EXPR_ARRAY: return mt_bind_array (b, s, e, NULL, out);
   case MT_EXPR_ROW: return mt_refuse (b, e->span, "a row expression, but in comparisons, is");
   case MT_EXPR_SUBSCRIPT: return mt_bind_subscript (b, s, e, out);
   case MT_EXPR_PART: return mt_bind_part (b, s, e, out);
   case MT_EXPR_FIELD: return bind_field (b, s, e, out);
   case MT_EXPR_DEFAULT:
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "DEFAULT is not allowed in this context");
   }
   return mt_error_at (b->err, e->span, MT_E_INTERNAL, "unknown expression");
}

bool mt_bind_x (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
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
         b->err,
         "With what is computed several times, such as the value of BETWEEN, it comes to more than %d nodes.",
         MT_MAX_EXPANDED_NODES);
   }
   return ok;
}
