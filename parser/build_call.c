/* The builders of function calls and window definitions. */
#include "parser/build_int.h"

#include <string.h>

MtArg mt_b_arg (MtExpr *e, MtToken name) { return (MtArg) {e, name}; }

MtArgs mt_b_args (MtParser *p, MtArg arg) { return mt_b_args_more (p, (MtArgs) {0}, arg); }

MtArgs mt_b_args_more (MtParser *p, MtArgs args, MtArg arg)
{
   mt_b_push (p, &args.list, arg.expr);
   if (args.names.last)
      mt_b_push_name (p, &args.names, arg.name);
   else
      args.names = mt_b_names (p, arg.name);
   if (arg.name.text)
      args.named = true;
   else if (args.named)
      mt_b_fail (p, arg.expr->span, MT_E_SYNTAX,
                 "positional argument cannot follow named argument");
   return args;
}

static MtExpr *call (MtParser *p, MtNameList *name, MtExprs args, MtSpan first, MtSpan last)
{
   MtExpr *e = MT_NEW (p->a, MtExpr);
   e->kind = MT_EXPR_CALL;
   e->span = e->outer = mt_b_join_spans (first, last);
   e->depth = mt_b_depth (p, args.depth, 0, 0);
   e->call.name = name;
   e->call.args = args.first;
   return e;
}

static int orders_depth (const MtOrderItem *o)
{
   int d = 0;
   for (; o; o = o->next)
      if (o->expr->depth > d)
         d = o->expr->depth;
   return d;
}

static int list_depth (const MtExprList *l)
{
   int d = 0;
   for (; l; l = l->next)
      if (l->expr->depth > d)
         d = l->expr->depth;
   return d;
}

static int window_depth (const MtWindow *w)
{
   if (!w)
      return 0;
   int d = list_depth (w->partition), o = orders_depth (w->order);
   if (o > d)
      d = o;
   if (w->start.offset && w->start.offset->depth > d)
      d = w->start.offset->depth;
   if (w->end.offset && w->end.offset->depth > d)
      d = w->end.offset->depth;
   return d;
}

static void deepen (MtParser *p, MtExpr *e, int below)
{
   if (below >= e->depth)
      e->depth = mt_b_depth (p, below, 0, 0);
}

/* Folds an unquoted function name to lower case, as PostgreSQL does, because it becomes the name of
 * a result column. */
static void fold (MtParser *p, MtName *name)
{
   if (name->quoted || !name->text[strcspn (name->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")])
      return;
   char *s = mt_strdup (p->a, name->text);
   for (char *c = s; *c; c++)
      if (*c >= 'A' && *c <= 'Z')
         *c |= 0x20;
   name->text = s;
}

MtExpr *mt_b_call (MtParser *p, MtNames name, MtArgs args, MtToken end)
{
   for (MtNameList *n = name.first; n; n = n->next)
      fold (p, &n->name);
   MtExpr *e = call (p, name.first, args.list, name.first->name.span, end.span);
   if (args.named)
      e->call.arg_names = args.names.first;
   return e;
}

MtExpr *mt_b_call_full (MtParser *p, MtNames name, MtArgs args, MtArgsKind kind, MtOrders order,
                        MtToken end)
{
   MtExpr *e = mt_b_call (p, name, args, end);
   e->call.star = kind == MT_ARGS_STAR;
   e->call.distinct = kind == MT_ARGS_DISTINCT;
   e->call.variadic = kind == MT_ARGS_VARIADIC;
   e->call.order = order.first;
   deepen (p, e, orders_depth (order.first));
   return e;
}

MtExpr *mt_b_call_clauses (MtParser *p, MtExpr *e, MtOrders within, MtFilter filter, int nulls,
                           MtWindow *over)
{
   MtSpan end = e->span;
   if (within.first) {
      if (e->call.order)
         mt_b_fail (p, e->span, MT_E_SYNTAX,
                    "cannot use multiple ORDER BY clauses with WITHIN GROUP");
      if (e->call.distinct)
         mt_b_fail (p, e->span, MT_E_SYNTAX, "cannot use DISTINCT with WITHIN GROUP");
      if (e->call.variadic)
         mt_b_fail (p, e->span, MT_E_SYNTAX, "cannot use VARIADIC with WITHIN GROUP");
      e->call.within_group = within.first;
      end = within.end;
   }
   if (filter.expr)
      end = filter.end;
   if (nulls && !over)
      mt_b_fail (p, e->span, MT_E_SYNTAX, "IGNORE NULLS and RESPECT NULLS need an OVER clause");
   if (over)
      end = over->span;
   e->call.filter = filter.expr;
   e->call.ignore_nulls = nulls;
   e->call.over = over;
   e->span = e->outer = mt_b_join_spans (e->span, end);
   deepen (p, e, orders_depth (within.first));
   deepen (p, e, filter.expr ? filter.expr->depth : 0);
   deepen (p, e, window_depth (over));
   return e;
}

static MtNameList *keyword_name (MtParser *p, MtToken t, const char *name)
{
   MtNameList *n = MT_NEW (p->a, MtNameList);
   n->name = (MtName) {name, false, t.span};
   return n;
}

MtExpr *mt_b_builtin (MtParser *p, MtToken t, const char *name, MtExprs args, MtToken end)
{
   return call (p, keyword_name (p, t, name), args, t.span, end.span);
}

MtExpr *mt_b_builtin_args (MtParser *p, MtToken t, const char *name, MtArgs args, MtToken end)
{
   MtExpr *e = mt_b_builtin (p, t, name, args.list, end);
   if (args.named)
      e->call.arg_names = args.names.first;
   return e;
}

static const char *lower (MtParser *p, MtToken t)
{
   char *s = mt_strndup (p->a, t.text, t.n);
   for (char *c = s; *c; c++)
      if (*c >= 'A' && *c <= 'Z')
         *c |= 0x20;
   return s;
}

MtExpr *mt_b_niladic (MtParser *p, MtToken t)
{
   return mt_b_builtin (p, t, lower (p, t), (MtExprs) {0}, t);
}

MtExpr *mt_b_clock (MtParser *p, MtToken t, MtToken precision, MtToken end)
{
   return mt_b_builtin (p, t, lower (p, t), mt_b_exprs (p, mt_b_number (p, precision)), end);
}

MtExpr *mt_b_extract (MtParser *p, MtToken t, MtToken field, MtExpr *e, MtToken end)
{
   MtToken f = field;
   if (!f.quoted)
      f.text = lower (p, f);
   MtExpr *name = mt_b_string (p, MT_EXPR_STRING, f);
   return mt_b_builtin (p, t, "extract", mt_b_exprs4 (p, name, e, NULL, NULL), end);
}

/* Builds a string of the name of a Unicode normal form, such as NFC; a syntax error if it is
 * another word. These names are not keywords of this grammar. */
static MtExpr *normal_form (MtParser *p, MtToken form)
{
   static const char *const forms[] = {"nfc", "nfd", "nfkc", "nfkd"};
   bool known = false;
   MtToken f = form;
   f.text = lower (p, f);
   for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
      known |= strcmp (f.text, forms[i]) == 0;
   if (!known || form.quoted)
      mt_b_fail (p, form.span, MT_E_SYNTAX, "syntax error at or near \"%.*s\"", (int) form.n,
                 form.text);
   return mt_b_string (p, MT_EXPR_STRING, f);
}

MtExpr *mt_b_normalize (MtParser *p, MtToken t, MtExpr *e, MtToken form, MtToken end)
{
   return mt_b_builtin (p, t, "normalize", mt_b_exprs4 (p, e, normal_form (p, form), NULL, NULL),
                        end);
}

MtExpr *mt_b_is_normalized (MtParser *p, MtExpr *e, MtToken form, MtToken end)
{
   MtToken at = {.span = e->outer};
   return mt_b_builtin (
      p, at, "is_normalized",
      form.text ? mt_b_exprs4 (p, e, normal_form (p, form), NULL, NULL) : mt_b_exprs (p, e), end);
}

/* Builds the arguments of substring (x FOR n), which begins at character 1. */
MtExprs mt_b_substring_for (MtParser *p, MtExpr *e, MtExpr *n)
{
   MtToken one = {.span = n->span, .text = "1", .n = 1};
   return mt_b_exprs4 (p, e, mt_b_number (p, one), n, NULL);
}

MtFilter mt_b_filter (MtExpr *e, MtToken end) { return (MtFilter) {e, end.span}; }

MtOrders mt_b_orders_end (MtOrders o, MtToken end)
{
   o.end = end.span;
   return o;
}

/* ---- windows ---- */

MtWindow *mt_b_window_ref (MtParser *p, MtToken name)
{
   MtWindow *w = MT_NEW (p->a, MtWindow);
   w->name = mt_b_name (name);
   w->is_reference = true;
   w->span = name.span;
   return w;
}

MtWindow *mt_b_window (MtParser *p, MtToken l, MtToken name, MtExprs partition, MtOrders order,
                       MtFrame frame, MtToken r)
{
   MtWindow *w = MT_NEW (p->a, MtWindow);
   w->base = mt_b_name (name);
   w->partition = partition.first;
   w->order = order.first;
   w->has_frame = frame.given;
   w->mode = frame.mode;
   w->start = frame.start;
   w->end = frame.end;
   w->exclude = frame.exclude;
   w->span = mt_b_join_spans (l.span, r.span);
   return w;
}

MtWindow *mt_b_window_named (MtParser *p, MtToken name, MtWindow *w)
{
   w->name = mt_b_name (name);
   return w;
}

MtFrame mt_b_frame (MtFrameMode mode, MtFrame f, const char *exclude)
{
   f.mode = mode;
   f.exclude = exclude;
   f.given = true;
   return f;
}

static bool check_bounds (MtParser *p, MtFrameBound s, MtFrameBound e)
{
   const char *wrong = NULL;
   if (s.kind == MT_BOUND_UNBOUNDED_FOLLOWING)
      wrong = "frame start cannot be UNBOUNDED FOLLOWING";
   else if (e.kind == MT_BOUND_UNBOUNDED_PRECEDING)
      wrong = "frame end cannot be UNBOUNDED PRECEDING";
   else if (s.kind == MT_BOUND_CURRENT_ROW && e.kind == MT_BOUND_PRECEDING)
      wrong = "frame starting from current row cannot have preceding rows";
   else if (s.kind == MT_BOUND_FOLLOWING && e.kind < MT_BOUND_FOLLOWING)
      wrong = "frame starting from following row cannot have preceding rows";
   if (!wrong)
      return true;
   return mt_b_fail (p, s.kind == MT_BOUND_UNBOUNDED_FOLLOWING ? s.span : e.span, MT_E_WINDOWING,
                     "%s", wrong);
}

MtFrame mt_b_frame_from (MtParser *p, MtFrameBound start)
{
   if (start.kind == MT_BOUND_FOLLOWING)
      mt_b_fail (p, start.span, MT_E_WINDOWING,
                 "frame starting from following row cannot end with current row");
   return mt_b_frame_between (p, start, (MtFrameBound) {MT_BOUND_CURRENT_ROW, NULL, start.span});
}

MtFrame mt_b_frame_between (MtParser *p, MtFrameBound start, MtFrameBound end)
{
   check_bounds (p, start, end);
   return (MtFrame) {.start = start, .end = end};
}

MtFrameBound mt_b_bound (MtFrameBoundKind kind, MtSpan span, MtExpr *offset)
{
   return (MtFrameBound) {kind, offset, span};
}
