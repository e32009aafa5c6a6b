/* Row values such as (a, b), compared field by field by PostgreSQL's rules and with its error
 * messages (transformAExprOp, make_row_comparison_op). */
#include "analyze/sub/row.h"

#include "analyze/calls/call.h"
#include "analyze/sub/sub_int.h"
#include "analyze/types/coerce.h"

#include <string.h>

bool mt_is_row (const MtExpr *e) { return e->kind == MT_EXPR_ROW; }

/* Expands t.* or (record).* inside a row value: adds its columns or fields to out. */
static bool star_fields (MtBinder *b, MtScope *s, const MtExpr *e, MtRow *out)
{
   const MtRecordShape *shape;
   MtX *x;
   const MtExpr *table = e->column.of ? e->column.of : e;
   if (mt_names_a_table (b, s, table) && !e->column.changes)
      return mt_bind_table_row (b, s, mt_last_name (table->column.parts), e->span, out, NULL);
   if (!e->column.of || e->column.changes)
      return mt_bind_x (b, s, e, &x);
   if (!mt_bind_x (b, s, e->column.of, &x) || !mt_record_shape (b, x, e->span, &shape))
      return false;
   *out = (MtRow) {MT_NEW_N (b->a, MtX *, (size_t) shape->count + 1), shape->count};
   for (int i = 0; i < shape->count; i++)
      out->x[i] = mt_record_part (b, x, i, e->span);
   return true;
}

bool mt_bind_fields (MtBinder *b, MtScope *s, const MtExpr *e, MtRow *out)
{
   size_t cap = (size_t) mt_list_length (e->list) + 1;
   *out = (MtRow) {MT_NEW_N (b->a, MtX *, cap), 0};
   for (const MtExprList *l = e->list; l; l = l->next) {
      MtRow more = {MT_NEW_N (b->a, MtX *, 1), 1};
      if (l->expr->kind == MT_EXPR_STAR ? !star_fields (b, s, l->expr, &more)
                                        : !mt_bind_x (b, s, l->expr, &more.x[0]))
         return false;
      for (int i = 0; i < more.n; i++) {
         MT_GROW_IN (b->a, out->x, out->n, cap, 8);
         out->x[out->n++] = more.x[i];
      }
   }
   return true;
}

bool mt_bind_row (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow row;
   return mt_bind_fields (b, s, e, &row) && mt_make_record (b, NULL, &row, e->span, out);
}

/* ---- comparisons ---- */

static bool is_one_of (const char *op, const char *const *list)
{
   for (; *list; list++)
      if (strcmp (op, *list) == 0)
         return true;
   return false;
}

static bool check_rows (MtBinder *b, MtSpan span, const MtRow *l, const MtRow *r)
{
   if (l->n != r->n)
      return mt_error_at (b->err, span, MT_E_SYNTAX,
                          "unequal number of entries in row expressions");
   return l->n > 0 ||
          mt_error_at (b->err, span, MT_E_FEATURE, "cannot compare rows of zero length");
}

static bool pairwise (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                      MtX **out)
{
   MtXKind kind = op[0] == '=' ? MT_X_AND : MT_X_OR;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) l->n);
   for (int i = 0; i < l->n; i++)
      if (!mt_bind_operator (b, op, span, l->x[i], r->x[i], &list[i]))
         return false;
   *out = l->n == 1 ? list[0] : mt_x_list (b->a, kind, mt_type (MT_T_BOOL), list, l->n, span);
   return true;
}

/* Makes the comparison (a, b, …) > (c, d, …) as a >= c AND (a > c OR (b, …) > (d, …)). The
 * condition a >= c is separate, so that an index or the layout can use it to skip rows. As in
 * PostgreSQL, the first fields that differ, or of which one is NULL, decide the result. */
static bool ordered (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                     MtX **out)
{
   const char *strict = op[0] == '<' ? "<" : ">", *loose = op[0] == '<' ? "<=" : ">=";
   MtX *first, *differs, *rest, **any = MT_NEW_N (b->a, MtX *, 2);
   MtRow l_rest = {l->x + 1, l->n - 1}, r_rest = {r->x + 1, r->n - 1};
   if (l->n == 1)
      return mt_bind_operator (b, op, span, l->x[0], r->x[0], out);
   if (l->x[0]->is_volatile || r->x[0]->is_volatile)
      return mt_refuse (b, span, "a volatile function in an ordered comparison of rows is");
   if (!mt_bind_operator (b, loose, span, l->x[0], r->x[0], &first) ||
       !mt_bind_operator (b, strict, span, l->x[0], r->x[0], &differs) ||
       !ordered (b, op, span, &l_rest, &r_rest, &rest))
      return false;
   any[0] = differs;
   any[1] = rest;
   *out = mt_x_both (b->a, first, mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), any, 2, span));
   return true;
}

bool mt_row_compare (MtBinder *b, const char *op, MtSpan span, const MtRow *l, const MtRow *r,
                     MtX **out)
{
   static const char *const orders[] = {"<", "<=", ">", ">=", NULL};
   if (!check_rows (b, span, l, r))
      return false;
   if (l->n == 1)
      return mt_bind_operator (b, op, span, l->x[0], r->x[0], out);
   if (strcmp (op, "=") == 0 || strcmp (op, "<>") == 0)
      return pairwise (b, op, span, l, r, out);
   if (is_one_of (op, orders))
      return ordered (b, op, span, l, r, out);
   mt_error_at (b->err, span, MT_E_FEATURE,
                "could not determine interpretation of row comparison operator %s", op);
   return mt_error_hint (
      b->err, "Row comparison operators must be associated with btree operator families.");
}

/* Compares a row value with an expression that is not one, by making records of both. */
static bool mixed (MtBinder *b, MtScope *s, const MtQuantifier *how, const MtExpr *left,
                   const MtExpr *right, MtX **out)
{
   MtX *l, *r;
   return mt_bind_x (b, s, left, &l) && mt_bind_x (b, s, right, &r) &&
          mt_bind_operator (b, how->op, how->span, l, r, out);
}

bool mt_bind_row_compare (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   const MtExpr *left = e->op.left, *right = e->op.right;
   MtSpan span = e->op.op_span.start >= 0 ? e->op.op_span : e->span;
   const char *op = e->op.op;
   MtRow l, r;
   if (mt_is_row (left) && right->kind == MT_EXPR_SUBQUERY) {
      if (!mt_bind_fields (b, s, left, &l) || !mt_bind_row_sub (b, s, right->subquery, span, &r))
         return false;
      if (r.n != l.n)
         return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery has too %s columns",
                             r.n < l.n ? "few" : "many");
      return mt_row_compare (b, op, span, &l, &r, out);
   }
   if (!mt_is_row (left) || !mt_is_row (right))
      return mixed (b, s, &(MtQuantifier) {.op = op, .span = span}, left, right, out);
   return mt_bind_fields (b, s, left, &l) && mt_bind_fields (b, s, right, &r) &&
          mt_row_compare (b, op, span, &l, &r, out);
}

/* ---- IN, BETWEEN, IS ---- */

bool mt_bind_row_in (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow l, r;
   int n = mt_list_length (e->in.list);
   const char *op = e->in.negated ? "<>" : "=";
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n);
   if (!mt_bind_fields (b, s, e->in.value, &l))
      return false;
   n = 0;
   for (const MtExprList *i = e->in.list; i; i = i->next) {
      if (!mt_is_row (i->expr)) {
         if (!mixed (b, s, &(MtQuantifier) {.op = op, .span = e->at}, e->in.value, i->expr,
                     &list[n++]))
            return false;
         continue;
      }
      if (!mt_bind_fields (b, s, i->expr, &r) || !mt_row_compare (b, op, e->at, &l, &r, &list[n++]))
         return false;
   }
   *out = n == 1 ? list[0]
                 : mt_x_list (b->a, e->in.negated ? MT_X_AND : MT_X_OR, mt_type (MT_T_BOOL), list,
                              n, e->span);
   return true;
}

static bool compared (MtBinder *b, const char *op, MtSpan span, MtRow *l, MtRow *r, MtX **out)
{
   for (int i = 0; i < l->n; i++)
      l->x[i] = mt_param_again (b, l->x[i]);
   for (int i = 0; i < r->n; i++)
      r->x[i] = mt_param_again (b, r->x[i]);
   return mt_row_compare (b, op, span, l, r, out);
}

bool mt_bind_row_between (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow v, low, high;
   MtX *ge, *le, **any = MT_NEW_N (b->a, MtX *, 2);
   if (!mt_bind_fields (b, s, e->between.value, &v) ||
       !mt_bind_fields (b, s, e->between.low, &low) || !compared (b, ">=", e->at, &v, &low, &ge) ||
       !mt_bind_fields (b, s, e->between.high, &high) || !compared (b, "<=", e->at, &v, &high, &le))
      return false;
   *out = mt_x_both (b->a, ge, le);
   if (e->between.symmetric) {
      if (!compared (b, ">=", e->at, &v, &high, &ge) || !compared (b, "<=", e->at, &v, &low, &le))
         return false;
      any[0] = *out;
      any[1] = mt_x_both (b->a, ge, le);
      *out = mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), any, 2, e->span);
   }
   if (e->between.negated)
      *out = mt_x_not (b->a, *out);
   return true;
}

/* A row IS NULL if all fields are NULL, and IS NOT NULL if no field is. */
bool mt_bind_row_null (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow row;
   const MtName *table = mt_is_row (e->is.left) ? NULL : mt_last_name (e->is.left->column.parts);
   if (table ? !mt_bind_table_row (b, s, table, e->span, &row, NULL)
             : !mt_bind_fields (b, s, e->is.left, &row))
      return false;
   *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (true), e->span);
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) row.n + 1);
   for (int i = 0; i < row.n; i++) {
      if (!mt_settle_unknown (b, &row.x[i]))
         return false;
      /* A field that is itself a record counts as one value, as in PostgreSQL. */
      list[i] = mt_x_null_test (b->a, row.x[i], e->span);
      if (e->is.negated)
         list[i] = mt_x_not (b->a, list[i]);
   }
   if (row.n)
      *out = row.n == 1 ? list[0]
                        : mt_x_list (b->a, MT_X_AND, mt_type (MT_T_BOOL), list, row.n, e->span);
   return true;
}

bool mt_bind_record_null (MtBinder *b, MtX *x, bool negated, MtSpan span, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = x;
   args[1] = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (negated), span);
   *out = mt_x_call (b->a, mt_hidden_func ("$record_null"), mt_type (MT_T_BOOL), args, 2, span);
   return true;
}

bool mt_bind_row_distinct (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow l, r;
   if (!mt_is_row (e->is.left) || !mt_is_row (e->is.right)) {
      MtX *left, *right;
      return mt_bind_x (b, s, e->is.left, &left) && mt_bind_x (b, s, e->is.right, &right) &&
             mt_distinct_from (b, left, right, e->at, out);
   }
   if (!mt_bind_fields (b, s, e->is.left, &l) || !mt_bind_fields (b, s, e->is.right, &r))
      return false;
   if (l.n != r.n)
      return mt_error_at (b->err, e->at, MT_E_SYNTAX,
                          "unequal number of entries in row expressions");
   *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (false), e->span);
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) l.n + 1);
   for (int i = 0; i < l.n; i++)
      if (!mt_distinct_from (b, l.x[i], r.x[i], e->at, &list[i]))
         return false;
   if (l.n)
      *out = l.n == 1 ? list[0]
                      : mt_x_list (b->a, MT_X_OR, mt_type (MT_T_BOOL), list, l.n, e->span);
   return true;
}

/* ---- UPDATE … SET (a, b) = (SELECT …) ---- */

bool mt_bind_part (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtRow row;
   if (b->parted != e->part.row) {
      if (!mt_bind_row_sub (b, s, e->part.row->subquery, e->span, &row))
         return false;
      if (row.n != e->part.count)
         return mt_error_at (b->err, e->span, MT_E_SYNTAX,
                             "number of columns does not match number of values");
      b->parted = e->part.row;
      b->parts = row.x;
   }
   *out = b->parts[e->part.index];
   return true;
}
