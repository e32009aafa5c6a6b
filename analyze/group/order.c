/* Keys of GROUP BY and ORDER BY, which may be positions or names of select-list items; DISTINCT ON;
 * LIMIT. */
#include "analyze/group/order.h"

#include "analyze/group/sets.h"
#include "analyze/names/names.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"
#include "planner/emit/eval.h"

#include <stdlib.h>
#include <string.h>

/* Returns the operand if e is a negation -x. NULL: e is another expression. */
static const MtExpr *negated (const MtExpr *e)
{
   return e->kind == MT_EXPR_OPERATOR && !e->op.left && strcmp (e->op.op, "-") == 0 ? e->op.right
                                                                                    : NULL;
}

static bool is_position (const MtExpr *e)
{
   const MtExpr *n = negated (e);
   return e->kind == MT_EXPR_INTEGER || (n && n->kind == MT_EXPR_INTEGER);
}

static bool position (MtBinder *b, const MtExpr *e, const MtQuery *q, const char *clause, int *out)
{
   if (negated (e))
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "%s position -%s is not in select list", clause, negated (e)->text);
   if (strlen (e->text) > 6 || (*out = atoi (e->text)) < 1 || *out > q->visible_count)
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "%s position %s is not in select list", clause, e->text);
   --*out;
   return true;
}

/* Returns the index of the select-list item with this name. -1: there is none; -2: several
 * different items have the name. */
static int output_column (const MtQuery *q, const MtName *name)
{
   int found = -1;
   bool exact = false, several = false;
   for (int i = 0; i < q->visible_count; i++) {
      bool spelled = strcmp (q->targets[i].name, name->text) == 0;
      if (exact ? !spelled : !mt_same_name (q->targets[i].name, name))
         continue;
      if (found < 0 || exact != spelled)
         several = false;
      else
         several |= !mt_x_equal (q->targets[found].expr, q->targets[i].expr);
      found = found < 0 || exact != spelled ? i : found;
      exact = spelled;
   }
   return several ? -2 : found;
}

static const MtName *bare_name (const MtExpr *e)
{
   return e->kind == MT_EXPR_COLUMN && !e->column.parts->next ? &e->column.parts->name : NULL;
}

static bool is_constant (const MtExpr *e)
{
   return e->kind == MT_EXPR_STRING || e->kind == MT_EXPR_DECIMAL || e->kind == MT_EXPR_NULL ||
          e->kind == MT_EXPR_BOOL;
}

static bool is_aggregate (const MtX *x) { return x->kind == MT_X_AGG || mt_is_grouping (x); }

static bool is_window (void *ctx, const MtX *x) { return x->kind == MT_X_WINDOW; }

bool mt_is_group_key (const MtScope *s, const MtX *x)
{
   return !mt_pending_find (s, x, is_aggregate) && !mt_x_find (x, is_window, NULL);
}

bool mt_bind_group_key (MtBinder *b, MtScope *s, const MtExpr *e, const MtQuery *q, MtX **out)
{
   int i = -1;
   const MtName *name = bare_name (e);
   if (is_position (e)) {
      if (!position (b, e, q, "GROUP BY", &i))
         return false;
   } else if (is_constant (e) && e->kind != MT_EXPR_BOOL)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "non-integer constant in GROUP BY");
   else if (name &&
            mt_rel_column (&q->rel, name) == -1) { /* a column of FROM goes before an output name */
      i = output_column (q, name);
      if (i == -2)
         return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN, "GROUP BY \"%s\" is ambiguous",
                             name->text);
   }
   if (i < 0)
      return mt_bind_x (b, s, e, out) && mt_settle_unknown (b, out);
   *out = q->targets[i].expr;
   const MtX *aggregate = mt_pending_find (s, *out, is_aggregate),
             *window = mt_x_find (*out, is_window, NULL);
   if (aggregate)
      return mt_error_at (b->err, aggregate->span, MT_E_GROUPING,
                          "aggregate functions are not allowed in GROUP BY");
   return !window || mt_error_at (b->err, window->span, MT_E_WINDOWING,
                                  "window functions are not allowed in GROUP BY");
}

/* ---- ORDER BY ---- */

static int equal_target (const MtQuery *q, const MtX *x)
{
   for (int i = 0; i < q->visible_count; i++)
      if (mt_x_equal (q->targets[i].expr, x))
         return i;
   return -1;
}

static MtX *target_ref (MtBinder *b, const MtQuery *q, int i, MtSpan span)
{
   MtX *x = mt_x_new (b->a, MT_X_TARGET, q->targets[i].expr->type, span);
   x->index = i;
   mt_x_refers (x, q->targets[i].expr);
   return x;
}

bool mt_bind_sort_key (MtBinder *b, MtScope *s, const MtExpr *e, const char *clause,
                       const MtQuery *q, MtX **out)
{
   int i = -1;
   const MtName *name = bare_name (e);
   if (is_position (e)) {
      if (!position (b, e, q, clause, &i))
         return false;
   } else if (is_constant (e) && e->kind != MT_EXPR_BOOL)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "non-integer constant in %s", clause);
   else if (name) {
      i = output_column (q, name);
      if (i == -2)
         return mt_error_at (b->err, e->span, MT_E_AMBIGUOUS_COLUMN, "%s \"%s\" is ambiguous",
                             clause, name->text);
   }
   if (i < 0) {
      if (!mt_bind_x (b, s, e, out) || !mt_settle_unknown (b, out))
         return false;
      i = equal_target (q, *out);
   }
   if (i >= 0)
      *out = target_ref (b, q, i, e->span);
   else if (q->distinct)
      return mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                          "for SELECT DISTINCT, ORDER BY expressions must appear in select list");
   return true;
}

bool mt_sort_direction (MtBinder *b, const MtOrderItem *o, MtSortX *out)
{
   bool desc = o->descending;
   if (o->using_op) {
      if (strcmp (o->using_op, "<") && strcmp (o->using_op, ">")) {
         mt_error_at (b->err, o->expr->span, MT_E_WRONG_OBJECT,
                      "operator %s is not a valid ordering operator", o->using_op);
         return mt_error_hint (
            b->err,
            "Ordering operators must be \"<\" or \">\" members of btree operator families.");
      }
      desc = o->using_op[0] == '>';
   }
   out->descending = desc;
   out->never_nan = false;
   out->nulls_first = o->nulls ? o->nulls == 1 : desc;
   return true;
}

/* Adds a sort key to q, unless an earlier key has the same expression, so that the new key would
 * change nothing. */
static void add_sort (MtQuery *q, MtSortX key)
{
   bool seen = false;
   for (int i = 0; i < q->sort_count && !seen; i++)
      seen = mt_x_equal (q->sort[i].expr, key.expr);
   if (!seen)
      q->sort[q->sort_count++] = key;
}

static bool order_by_all (MtBinder *b, const MtOrderItem *o, MtQuery *q)
{
   MtSortX key;
   if (!mt_sort_direction (b, o, &key))
      return false;
   q->sort = MT_NEW_N (b->a, MtSortX, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++) {
      key.expr = target_ref (b, q, i, o->expr->span);
      add_sort (q, key);
   }
   return true;
}

bool mt_bind_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtQuery *q)
{
   int n = 0;
   for (const MtOrderItem *o = items; o; o = o->next)
      n++;
   s->clause = MT_CLAUSE_ORDER;
   if (items && mt_order_is_all (items))
      return order_by_all (b, items, q);
   q->sort = MT_NEW_N (b->a, MtSortX, (size_t) n + 1);
   for (const MtOrderItem *o = items; o; o = o->next) {
      MtSortX key;
      if (!mt_bind_sort_key (b, s, o->expr, "ORDER BY", q, &key.expr) ||
          !mt_sort_direction (b, o, &key))
         return false;
      add_sort (q, key);
   }
   return true;
}

/* ---- LIMIT ---- */

static bool row_count (MtBinder *b, const MtExpr *e, MtClause clause, int64_t absent, int64_t *out)
{
   const char *what = clause == MT_CLAUSE_LIMIT ? "LIMIT" : "OFFSET";
   MtScope s = {.clause = clause};
   MtX *x;
   MtVal v;
   *out = absent;
   if (!e)
      return true;
   if (!mt_bind_x (b, &s, e, &x))
      return e->kind == MT_EXPR_COLUMN
                ? mt_error_at (b->err, e->span, MT_E_INVALID_COLUMN_REF,
                               "argument of %s must not contain variables", what)
                : false;
   if (!mt_can_coerce (x->type.id, MT_T_INT8, MT_COERCE_ASSIGN) ||
       mt_type_info (x->type.id)->category == 'S')
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "argument of %s must be type bigint, not type %s", what,
                          mt_type_info (x->type.id)->display);
   if (!mt_coerce (b, x, mt_type (MT_T_INT8), MT_COERCE_ASSIGN, &x) ||
       !mt_eval_const (b->a, x, b->env, &v, b->err))
      return false;
   if (mt_is_nullish (v))
      return true;
   if (v.i < 0)
      return mt_error_at (b->err, e->span,
                          clause == MT_CLAUSE_LIMIT ? MT_E_BAD_LIMIT : MT_E_BAD_OFFSET,
                          "%s must not be negative", what);
   *out = v.i;
   return true;
}

bool mt_bind_limit (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   q->with_ties = s->limit_with_ties;
   if (s->limit_with_ties && s->limit && s->limit->kind == MT_EXPR_NULL)
      return mt_error (b->err, MT_E_BAD_LIMIT,
                       "row count cannot be null in FETCH FIRST ... WITH TIES clause");
   return row_count (b, s->offset, MT_CLAUSE_OFFSET, 0, &q->offset) &&
          row_count (b, s->limit, MT_CLAUSE_LIMIT, -1, &q->limit);
}
