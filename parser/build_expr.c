/* The builders of expressions. */
#include "parser/build_int.h"

#include <stdlib.h>
#include <string.h>

static MtExpr *node (MtParser *p, MtExprKind kind, MtSpan span)
{
   MtExpr *e = MT_NEW (p->a, MtExpr);
   e->kind = kind;
   e->span = e->outer = e->at = span;
   e->depth = 1;
   return e;
}

static MtExpr *node_over (MtParser *p, MtExprKind kind, MtSpan span, int a, int b, int c)
{
   MtExpr *e = node (p, kind, span);
   e->depth = mt_b_depth (p, a, b, c);
   return e;
}

static int depth_of (const MtExpr *e) { return e ? e->depth : 0; }
static MtSpan between (const MtExpr *first, const MtExpr *last)
{
   return mt_b_join_spans (first->outer, last->outer);
}
static MtSpan from_to (const MtExpr *first, MtSpan last)
{
   return mt_b_join_spans (first->outer, last);
}
static MtSpan tokens (MtToken first, MtToken last)
{
   return mt_b_join_spans (first.span, last.span);
}

/* ---- lists ---- */

static MtExprList *item (MtParser *p, MtExpr *e)
{
   MtExprList *l = MT_NEW (p->a, MtExprList);
   l->expr = e;
   return l;
}

MtExprs mt_b_exprs (MtParser *p, MtExpr *e)
{
   MtExprList *l = item (p, e);
   return (MtExprs) {l, l, e->depth};
}

void mt_b_push (MtParser *p, MtExprs *list, MtExpr *e)
{
   MtExprList *l = item (p, e);
   if (list->last)
      list->last->next = l;
   else
      list->first = l;
   list->last = l;
   if (e->depth > list->depth)
      list->depth = e->depth;
}

MtExprs mt_b_exprs4 (MtParser *p, MtExpr *a, MtExpr *b, MtExpr *c, MtExpr *d)
{
   MtExpr *all[] = {a, b, c, d};
   MtExprs list = {NULL, NULL, 0};
   for (int i = 0; i < 4 && all[i]; i++)
      mt_b_push (p, &list, all[i]);
   return list;
}

/* ---- constants ---- */

MtExpr *mt_b_number (MtParser *p, MtToken t)
{
   MtExpr *e = node (p, strpbrk (t.text, ".eE") ? MT_EXPR_DECIMAL : MT_EXPR_INTEGER, t.span);
   e->text = t.text;
   return e;
}

MtExpr *mt_b_string (MtParser *p, MtExprKind kind, MtToken t)
{
   MtExpr *e = node (p, kind, t.span);
   e->str = mt_b_str (t);
   return e;
}

MtExpr *mt_b_bool (MtParser *p, MtToken t, bool value)
{
   MtExpr *e = node (p, MT_EXPR_BOOL, t.span);
   e->boolean = value;
   return e;
}

MtExpr *mt_b_null (MtParser *p, MtToken t) { return node (p, MT_EXPR_NULL, t.span); }
MtExpr *mt_b_default (MtParser *p, MtToken t) { return node (p, MT_EXPR_DEFAULT, t.span); }
MtExpr *mt_b_star (MtParser *p, MtToken t) { return node (p, MT_EXPR_STAR, t.span); }

MtExpr *mt_b_param (MtParser *p, MtToken t)
{
   MtExpr *e = node (p, MT_EXPR_PARAM, t.span);
   e->param = atoi (t.text + 1);
   return e;
}

MtExpr *mt_b_typed (MtParser *p, MtTypeName *type, MtToken t)
{
   MtExpr *e = node (p, MT_EXPR_TYPED_STRING, mt_b_join_spans (type->span, t.span));
   e->typed.type = type;
   e->typed.str = mt_b_str (t);
   e->typed.str_span = t.span;
   return e;
}

MtExpr *mt_b_typed_interval (MtParser *p, MtToken i, MtToken precision, MtToken t, MtFields f)
{
   MtTypeName *type = mt_b_type_interval (p, i, precision, f);
   MtExpr *e = mt_b_typed (p, type, t);
   if (f.span.len)
      e->span = e->outer = mt_b_join_spans (i.span, f.span);
   return e;
}

/* ---- names and what follows them ---- */

MtSteps mt_b_first_step (MtStep *s) { return (MtSteps) {s, s}; }

static MtStep *step (MtParser *p, int kind, MtSpan span)
{
   MtStep *s = MT_NEW (p->a, MtStep);
   s->kind = kind;
   s->span = span;
   return s;
}

MtStep *mt_b_step_name (MtParser *p, MtToken t)
{
   MtStep *s = step (p, MT_STEP_NAME, t.span);
   s->name = t;
   return s;
}

MtStep *mt_b_step_star (MtParser *p, MtToken t) { return step (p, MT_STEP_STAR, t.span); }

MtStep *mt_b_step_index (MtParser *p, MtExpr *e, MtToken end)
{
   MtStep *s = step (p, MT_STEP_INDEX, end.span);
   s->low = e;
   return s;
}

MtStep *mt_b_step_slice (MtParser *p, MtExpr *low, MtExpr *high, MtToken end)
{
   MtStep *s = step (p, MT_STEP_SLICE, end.span);
   s->low = low;
   s->high = high;
   return s;
}

/* Builds a column reference such as a.b.c[…]. The names at the beginning belong to the column,
 * and the other steps apply to its value. */
MtExpr *mt_b_column (MtParser *p, MtToken name, MtSteps steps)
{
   MtExpr *e = node (p, MT_EXPR_COLUMN, name.span);
   MtNames parts = mt_b_names (p, name);
   e->column.parts = parts.first;
   MtStep *s = steps.first;
   for (; s && s->kind == MT_STEP_NAME; s = s->next) {
      mt_b_push_name (p, &parts, s->name);
      e->span = e->outer = mt_b_join_spans (e->span, s->span);
   }
   if (s && s->kind == MT_STEP_STAR) {
      e->kind = MT_EXPR_STAR;
      e->span = e->outer = mt_b_join_spans (e->span, s->span);
      if (s->next)
         mt_b_fail (p, s->span, MT_E_SYNTAX, "improper use of \"*\"");
      return e;
   }
   return mt_b_steps (p, e, (MtSteps) {s, steps.last});
}

static MtExpr *apply_step (MtParser *p, MtExpr *e, MtStep *s)
{
   MtSpan span = from_to (e, s->span);
   if (s->kind == MT_STEP_NAME) {
      MtExpr *f = node_over (p, MT_EXPR_FIELD, span, e->depth, 0, 0);
      f->field.arg = e;
      f->field.name = mt_b_name (s->name);
      return f;
   }
   MtExpr *x = node_over (p, MT_EXPR_SUBSCRIPT, span, e->depth, depth_of (s->low),
                          depth_of (s->high));
   x->subscript.array = e;
   x->subscript.low = s->low;
   x->subscript.high = s->high;
   x->subscript.slice = s->kind == MT_STEP_SLICE;
   return x;
}

MtExpr *mt_b_steps (MtParser *p, MtExpr *e, MtSteps steps)
{
   for (MtStep *s = steps.first; s; s = s->next) {
      if (s->kind == MT_STEP_STAR) {
         MtExpr *star = node_over (p, MT_EXPR_STAR, from_to (e, s->span), e->depth, 0, 0);
         star->column.of = e;
         if (s->next)
            mt_b_fail (p, s->span, MT_E_SYNTAX, "improper use of \"*\"");
         return star;
      }
      e = apply_step (p, e, s);
   }
   return e;
}

/* ---- operators ---- */

MtExpr *mt_b_paren (MtToken l, MtExpr *e, MtToken r)
{
   e->outer = tokens (l, r);
   return e;
}

MtExpr *mt_b_at (MtExpr *e, MtToken word)
{
   e->at = word.span;
   return e;
}

static MtExpr *operator(MtParser *p, MtExprKind kind, MtExpr *left, MtToken op, MtExpr *right)
{
   MtSpan span = left ? between (left, right) : mt_b_join_spans (op.span, right->outer);
   MtExpr *e = node_over (p, kind, span, depth_of (left), right->depth, 0);
   e->op.op = op.text;
   e->op.op_span = op.span;
   e->op.left = left;
   e->op.right = right;
   return e;
}

MtExpr *mt_b_prefix (MtParser *p, MtToken op, MtExpr *right)
{
   return operator(p, MT_EXPR_OPERATOR, NULL, op, right);
}

MtExpr *mt_b_infix (MtParser *p, MtExpr *left, MtToken op, MtExpr *right)
{
   return operator(p, MT_EXPR_OPERATOR, left, op, right);
}

MtExpr *mt_b_at_time_zone (MtParser *p, MtExpr *left, MtToken op, MtExpr *right)
{
   op.text = "at time zone";
   return operator(p, MT_EXPR_AT_TIME_ZONE, left, op, right);
}

/* Builds AND or OR as one node with a list of operands. Operands that are nodes of the same kind
 * are merged into the list, even if they were in parentheses, so that long conditions do not nest
 * deeply. */
MtExpr *mt_b_junction (MtParser *p, MtExprKind kind, MtExpr *left, MtExpr *right)
{
   MtSpan span = between (left, right);
   MtExpr *e = left;
   if (left->kind != kind) {
      MtExprs list = mt_b_exprs (p, left);
      e = node_over (p, kind, span, left->depth, 0, 0);
      e->list = list.first;
      e->last = list.last;
   }
   e->span = e->outer = span;
   MtExprs tail = right->kind == kind ? (MtExprs) {right->list, right->last, right->depth - 1}
                                      : mt_b_exprs (p, right);
   e->last->next = tail.first;
   e->last = tail.last;
   e->depth = mt_b_depth (p, e->depth - 1, tail.depth, 0);
   return e;
}

MtExpr *mt_b_not (MtParser *p, MtToken t, MtExpr *arg)
{
   MtExpr *e = node_over (p, MT_EXPR_NOT, mt_b_join_spans (t.span, arg->outer), arg->depth, 0, 0);
   e->arg = arg;
   return e;
}

MtExpr *mt_b_like (MtParser *p, MtLikeKind kind, bool negated, MtExpr *value, MtExpr *pattern,
                   MtExpr *escape)
{
   MtExpr *e = node_over (p, MT_EXPR_LIKE, between (value, escape ? escape : pattern), value->depth,
                          pattern->depth, depth_of (escape));
   e->like.kind = kind;
   e->like.negated = negated;
   e->like.value = value;
   e->like.pattern = pattern;
   e->like.escape = escape;
   return e;
}

static MtExpr *is_test (MtParser *p, MtIsTest test, bool negated, MtExpr *left, MtExpr *right,
                        MtSpan end)
{
   MtExpr *e = node_over (p, MT_EXPR_IS, from_to (left, end), left->depth, depth_of (right), 0);
   e->is.test = test;
   e->is.negated = negated;
   e->is.left = left;
   e->is.right = right;
   return e;
}

MtExpr *mt_b_is (MtParser *p, MtIsTest test, bool negated, MtExpr *left, MtToken end)
{
   return is_test (p, test, negated, left, NULL, end.span);
}

MtExpr *mt_b_distinct_from (MtParser *p, bool negated, MtExpr *left, MtExpr *right)
{
   return is_test (p, MT_IS_DISTINCT_FROM, negated, left, right, right->outer);
}

static int count (const MtExprList *l)
{
   int n = 0;
   for (; l; l = l->next)
      n++;
   return n;
}

/* Builds (a, b) OVERLAPS (c, d) as the call "overlaps" (a, b, c, d), as PostgreSQL does. */
MtExpr *mt_b_overlaps (MtParser *p, MtExpr *left, MtToken op, MtExpr *right)
{
   MtExpr *sides[] = {left, right};
   MtExprs args = {NULL, NULL, 0};
   for (int i = 0; i < 2; i++) {
      if (count (sides[i]->list) != 2)
         mt_b_fail (p, sides[i]->span, MT_E_SYNTAX,
                    "wrong number of parameters on %s side of OVERLAPS expression",
                    i ? "right" : "left");
      for (MtExprList *l = sides[i]->list; l; l = l->next)
         mt_b_push (p, &args, l->expr);
   }
   MtExpr *e = mt_b_builtin (p, op, "overlaps", args, op);
   e->span = e->outer = between (left, right);
   return e;
}

MtExpr *mt_b_between (MtParser *p, bool negated, bool symmetric, MtExpr *value, MtExpr *low,
                      MtExpr *high)
{
   MtExpr *e = node_over (p, MT_EXPR_BETWEEN, between (value, high), value->depth, low->depth,
                          high->depth);
   e->between.negated = negated;
   e->between.symmetric = symmetric;
   e->between.value = value;
   e->between.low = low;
   e->between.high = high;
   return e;
}

MtInList mt_b_in_select (MtSubselect s) { return (MtInList) {{NULL, NULL, 0}, s.select, s.span}; }
MtInList mt_b_in_exprs (MtExprs e, MtToken end) { return (MtInList) {e, NULL, end.span}; }

MtExpr *mt_b_in (MtParser *p, bool negated, MtExpr *value, MtInList list)
{
   MtExpr *e = node_over (p, MT_EXPR_IN, from_to (value, list.span), value->depth, list.list.depth,
                          list.select ? list.select->depth : 0);
   e->in.negated = negated;
   e->in.value = value;
   e->in.list = list.list.first;
   e->in.subquery = list.select;
   return e;
}

MtToken mt_b_not_like (MtToken t, const char *text)
{
   t.text = text;
   return t;
}

static MtExpr *quantified (MtParser *p, MtExpr *left, MtToken op, MtToken quantifier, MtSpan end,
                           int depth)
{
   MtExpr *e = node_over (p, MT_EXPR_QUANTIFIED, from_to (left, end), left->depth, depth, 0);
   e->quantified.left = left;
   e->quantified.op = op.text;
   e->quantified.op_span = op.span;
   e->quantified.all = mt_ieq (quantifier.text, "all");
   return e;
}

MtExpr *mt_b_quantified_select (MtParser *p, MtExpr *left, MtToken op, MtToken quantifier,
                                MtSubselect s)
{
   MtExpr *e = quantified (p, left, op, quantifier, s.span, s.select->depth);
   e->quantified.subquery = s.select;
   return e;
}

MtExpr *mt_b_quantified_array (MtParser *p, MtExpr *left, MtToken op, MtToken quantifier,
                               MtExpr *array, MtToken end)
{
   MtExpr *e = quantified (p, left, op, quantifier, end.span, array->depth);
   e->quantified.array = array;
   return e;
}

static MtExpr *cast (MtParser *p, MtSpan span, MtExpr *arg, MtTypeName *type)
{
   MtExpr *e = node_over (p, MT_EXPR_CAST, span, arg->depth, 0, 0);
   e->cast.arg = arg;
   e->cast.type = type;
   return e;
}

MtExpr *mt_b_cast_op (MtParser *p, MtExpr *e, MtTypeName *type)
{
   return cast (p, from_to (e, type->span), e, type);
}

MtExpr *mt_b_cast (MtParser *p, MtToken t, MtExpr *e, MtTypeName *type, MtToken end)
{
   return cast (p, tokens (t, end), e, type);
}

MtExpr *mt_b_collate (MtParser *p, MtExpr *arg, MtNames name)
{
   MtExpr *e = node_over (p, MT_EXPR_COLLATE, from_to (arg, name.last->name.span), arg->depth, 0,
                          0);
   e->collate.arg = arg;
   e->collate.collation = name.last->name;
   return e;
}

/* ---- sub-selects, rows, arrays, CASE ---- */

static MtExpr *select_node (MtParser *p, MtExprKind kind, MtSpan span, MtSelect *s)
{
   MtExpr *e = node_over (p, kind, span, s->depth, 0, 0);
   e->subquery = s;
   return e;
}

MtExpr *mt_b_subquery (MtParser *p, MtSubselect s)
{
   return select_node (p, MT_EXPR_SUBQUERY, s.span, s.select);
}

MtExpr *mt_b_exists (MtParser *p, MtToken t, MtSubselect s)
{
   return select_node (p, MT_EXPR_EXISTS, mt_b_join_spans (t.span, s.span), s.select);
}

MtExpr *mt_b_array_select (MtParser *p, MtToken t, MtSubselect s)
{
   return select_node (p, MT_EXPR_ARRAY, mt_b_join_spans (t.span, s.span), s.select);
}

static MtExpr *list_node (MtParser *p, MtExprKind kind, MtSpan span, MtExprs e)
{
   MtExpr *n = node_over (p, kind, span, e.depth, 0, 0);
   n->list = e.first;
   n->last = e.last;
   return n;
}

MtExpr *mt_b_array (MtParser *p, MtToken l, MtExprs e, MtToken r)
{
   return list_node (p, MT_EXPR_ARRAY, tokens (l, r), e);
}

MtExpr *mt_b_array_at (MtToken t, MtExpr *array)
{
   array->span = array->outer = mt_b_join_spans (t.span, array->span);
   return array;
}

MtExpr *mt_b_row (MtParser *p, MtToken t, MtExprs e, MtToken end)
{
   return list_node (p, MT_EXPR_ROW, tokens (t, end), e);
}

MtExpr *mt_b_row_more (MtParser *p, MtToken t, MtExprs e, MtExpr *last, MtToken end)
{
   mt_b_push (p, &e, last);
   MtExpr *row = mt_b_row (p, t, e, end);
   row->bare = true;
   return row;
}

MtWhens mt_b_whens (MtParser *p, MtExpr *when, MtExpr *then)
{
   return (MtWhens) {mt_b_exprs (p, when), mt_b_exprs (p, then)};
}

void mt_b_when (MtParser *p, MtWhens *w, MtExpr *when, MtExpr *then)
{
   mt_b_push (p, &w->whens, when);
   mt_b_push (p, &w->thens, then);
}

MtExpr *mt_b_case (MtParser *p, MtToken t, MtExpr *operand, MtWhens w, MtExpr *otherwise,
                   MtToken end)
{
   int arms = w.whens.depth > w.thens.depth ? w.whens.depth : w.thens.depth;
   MtExpr *e = node_over (p, MT_EXPR_CASE, tokens (t, end), depth_of (operand), arms,
                          depth_of (otherwise));
   e->case_.operand = operand;
   e->case_.whens = w.whens.first;
   e->case_.thens = w.thens.first;
   e->case_.otherwise = otherwise;
   return e;
}
