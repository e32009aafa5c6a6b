/* A set-returning function of several columns in the select list: f (x), (f (x)).column, or
 * state -> f (x). The call moves to FROM, as LATERAL (SELECT r AS row FROM f (x) AS r). The same
 * call may occur several times. Different calls would have to run side by side, so they stay where
 * they are, and are refused there.
 *
 * The function runs after aggregates and window functions. If there are any, the block becomes a
 * sub-select without the call. SELECT g, (f (sum (x))).* FROM t GROUP BY g becomes SELECT s.1,
 * row.* FROM (SELECT g, NULL, sum (x) FROM t GROUP BY g) AS s (1, 2, 3), LATERAL (… f (s.3) …). */
#include "analyze/block/block_int.h"
#include "analyze/names/names.h"
#include "functions/signature.h"
#include "parser/parser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Quoted names that nobody else uses. */
static const char item_name[] = "rows of a function", row_name[] = "row of a function",
                  below_name[] = "rows below a function";

static bool is_accessor (const MtExpr *e)
{
   return e->kind == MT_EXPR_OPERATOR && e->op.left && strcmp (e->op.op, "->") == 0 &&
          e->op.right->kind == MT_EXPR_CALL;
}

/* Returns the call of an item of the select list, f (x) or state -> f (x). NULL: the item is
 * something else. */
static MtExpr *call_of (MtExpr *e)
{
   if (e->kind == MT_EXPR_FIELD)
      e = e->field.arg;
   else if (e->kind == MT_EXPR_STAR && e->column.of)
      e = e->column.of;
   const MtExpr *f = is_accessor (e) ? e->op.right : e;
   bool plain = f->kind == MT_EXPR_CALL && !f->call.over && !f->call.star && !f->call.distinct &&
                !f->call.filter && !f->call.order && !f->call.within_group;
   return plain ? e : NULL;
}

/* Returns the functions with the name of a call. */
static const MtSig **functions_of (MtBinder *b, const MtExpr *call, int *n)
{
   const MtExpr *f = is_accessor (call) ? call->op.right : call;
   return mt_sigs_by_name (b->a, b->env, mt_last_name (f->call.name)->text, 0, n);
}

/* Returns whether an item of the select list calls a function that returns sets of several columns.
 * unnest has such a form beside that for arrays, which stays in place: servers can run it there. So
 * unnest moves only if the item reads columns of its rows. */
static bool gives_rows (MtBinder *b, MtExpr *item)
{
   int n = 0;
   bool gives = false;
   const MtExpr *call = call_of (item);
   const MtSig **sigs = call ? functions_of (b, call, &n) : NULL;
   for (int i = 0; i < n; i++) {
      const MtFunc *f = sigs[i]->fn;
      if (!f || !(f->flags & MT_F_SET) || (f->columns && strchr (f->columns, '*')) ||
          (!f->columns && call == item && !mt_type_is_state (sigs[i]->args[0])))
         return false;
      gives |= f->columns != NULL;
   }
   return gives;
}

/* Returns whether a declaration such as "key text, value jsonb" has a column of this name. */
static bool declares (const char *columns, const char *name)
{
   size_t n = strlen (name);
   for (const char *p = columns; *p; p += strcspn (p, ",")) {
      p += strspn (p, " ,");
      if (strcspn (p, " ,") == n && strncasecmp (p, name, n) == 0)
         return true;
   }
   return false;
}

static bool is_same (const MtExpr *a, const MtExpr *b)
{
   MtBuf x = {0}, y = {0};
   mt_print_expr (a, &x);
   mt_print_expr (b, &y);
   bool same = x.n == y.n && memcmp (x.p, y.p, x.n) == 0;
   mt_buf_free (&x);
   mt_buf_free (&y);
   return same;
}

/* Returns whether an item of the select list or of ORDER BY reads the call that moves to FROM. */
static bool reads_call (MtExpr *item, const MtExpr *lifted)
{
   const MtExpr *call = call_of (item);
   return call && is_same (call, lifted);
}

/* ---- other calls of the block ---- */

/* Which calls the select list and ORDER BY have. Sub-selects are not searched. */
typedef struct Calls {
   bool grouped; /* aggregates or window functions */
   bool sets;    /* set-returning functions other than `lifted` */
   const MtExpr *lifted;
} Calls;

static void search (MtBinder *b, const MtExpr *e, Calls *c);

static void search_list (MtBinder *b, const MtExprList *l, Calls *c)
{
   for (; l; l = l->next)
      search (b, l->expr, c);
}

static void search_order (MtBinder *b, const MtOrderItem *o, Calls *c)
{
   for (; o; o = o->next)
      search (b, o->expr, c);
}

static void search_call (MtBinder *b, const MtExpr *e, Calls *c)
{
   const char *name = mt_last_name (e->call.name)->text;
   int n;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, name, 0, &n);
   for (int i = 0; i < n; i++)
      c->sets |= (sigs[i]->fn->flags & MT_F_SET) != 0;
   mt_agg_sigs_by_name (b->a, b->env, name, &n);
   c->grouped |= n || e->call.over;
   search_list (b, e->call.args, c);
   search_order (b, e->call.order, c);
   search (b, e->call.filter, c);
}

/* Searches an operator or a call. Of the call that moves to FROM, searches only the arguments. */
static void search_operands (MtBinder *b, const MtExpr *e, Calls *c)
{
   bool lifted = c->lifted && is_same (e, c->lifted);
   const MtExpr *f = is_accessor (e) ? e->op.right : e;
   if (e->kind != MT_EXPR_CALL)
      search (b, e->op.left, c);
   if (lifted)
      search_list (b, f->call.args, c);
   else if (e->kind == MT_EXPR_CALL)
      search_call (b, e, c);
   else
      search (b, e->op.right, c);
}

static void search (MtBinder *b, const MtExpr *e, Calls *c)
{
   if (!e)
      return;
   switch (e->kind) {
   case MT_EXPR_CALL:
   case MT_EXPR_OPERATOR:
   case MT_EXPR_AT_TIME_ZONE: search_operands (b, e, c); break;
   case MT_EXPR_STAR: search (b, e->column.of, c); break;
   case MT_EXPR_AND:
   case MT_EXPR_OR:
   case MT_EXPR_ARRAY:
   case MT_EXPR_ROW: search_list (b, e->list, c); break;
   case MT_EXPR_NOT: search (b, e->arg, c); break;
   case MT_EXPR_IS:
      search (b, e->is.left, c);
      search (b, e->is.right, c);
      break;
   case MT_EXPR_BETWEEN:
      search (b, e->between.value, c);
      search (b, e->between.low, c);
      search (b, e->between.high, c);
      break;
   case MT_EXPR_IN:
      search (b, e->in.value, c);
      search_list (b, e->in.list, c);
      break;
   case MT_EXPR_LIKE:
      search (b, e->like.value, c);
      search (b, e->like.pattern, c);
      break;
   case MT_EXPR_CASE:
      search (b, e->case_.operand, c);
      search_list (b, e->case_.whens, c);
      search_list (b, e->case_.thens, c);
      search (b, e->case_.otherwise, c);
      break;
   case MT_EXPR_CAST: search (b, e->cast.arg, c); break;
   case MT_EXPR_COLLATE: search (b, e->collate.arg, c); break;
   case MT_EXPR_QUANTIFIED:
      search (b, e->quantified.left, c);
      search (b, e->quantified.array, c);
      break;
   case MT_EXPR_SUBSCRIPT:
      search (b, e->subscript.array, c);
      search (b, e->subscript.low, c);
      search (b, e->subscript.high, c);
      break;
   case MT_EXPR_FIELD: search (b, e->field.arg, c); break;
   default: break;
   }
}

/* Finds the only call. NULL: there is none, other set-returning functions run beside it, or a star
 * would include its columns. *calls: the block's other calls. */
static MtExpr *find_call (MtBinder *b, const MtTarget *list, const MtOrderItem *keys, Calls *calls)
{
   *calls = (Calls) {0};
   for (const MtTarget *t = list; t; t = t->next) {
      if (t->expr->kind == MT_EXPR_STAR && !t->expr->column.parts && !t->expr->column.of)
         return NULL;
      if (!calls->lifted && gives_rows (b, t->expr))
         calls->lifted = call_of (t->expr);
   }
   if (!calls->lifted)
      return NULL;
   for (const MtTarget *t = list; t; t = t->next)
      search (b, t->expr, calls);
   search_order (b, keys, calls);
   return calls->sets ? NULL : (MtExpr *) calls->lifted;
}

/* ---- the call in FROM ---- */

static MtExpr *column (MtBinder *b, const char *table, const char *name, MtSpan span)
{
   MtExpr *e = MT_NEW (b->a, MtExpr);
   *e = (MtExpr) {.kind = MT_EXPR_COLUMN, .span = span, .outer = span, .depth = 1};
   MtNameList **last = &e->column.parts;
   for (int i = table ? 0 : 1; i < 2; i++) {
      *last = MT_NEW (b->a, MtNameList);
      (*last)->name = (MtName) {i ? name : table, true, span};
      last = &(*last)->next;
   }
   return e;
}

/* Makes LATERAL (SELECT r AS row FROM call AS r) AS rows. */
static MtFrom *item_of (MtBinder *b, MtExpr *call)
{
   MtFrom *f = MT_NEW (b->a, MtFrom), *inner = MT_NEW (b->a, MtFrom);
   MtSelect *s = MT_NEW (b->a, MtSelect);
   MtTarget *t = MT_NEW (b->a, MtTarget);
   *inner = (MtFrom) {.kind = MT_FROM_FUNCTION, .span = call->span, .function.call = call};
   inner->alias = (MtName) {item_name, true, call->span};
   *t = (MtTarget) {.expr = column (b, NULL, item_name, call->span)};
   t->alias = (MtName) {row_name, true, call->span};
   *s = (MtSelect) {.kind = MT_SELECT_PLAIN, .span = call->span};
   s->plain.targets = t;
   s->plain.from = inner;
   *f = (MtFrom) {.kind = MT_FROM_SUBQUERY, .span = call->span, .lateral = true, .subquery = s};
   f->alias = (MtName) {item_name, true, call->span};
   f->depth = call->depth + 2;
   return f;
}

/* Returns an item of the select list with the row in place of the call. */
static MtExpr *row_in_place (MtBinder *b, const MtExpr *e, MtSpan span)
{
   MtExpr *row = column (b, item_name, row_name, span), *copy = MT_NEW (b->a, MtExpr);
   *copy = *e;
   if (e->kind == MT_EXPR_FIELD)
      copy->field.arg = row;
   else if (e->kind == MT_EXPR_STAR)
      copy->column.of = row;
   else
      copy = row;
   return copy;
}

/* Copies the select list with the rows of `item` in place of the calls. */
static MtTarget *replaced (MtBinder *b, const MtTarget *list, const MtExpr *lifted)
{
   MtTarget *first = NULL, **last = &first;
   for (; list; list = list->next) {
      MtTarget *t = *last = MT_NEW (b->a, MtTarget);
      *t = *list;
      last = &t->next;
      if (!reads_call (t->expr, lifted))
         continue;
      if (!t->alias.text && t->expr->kind != MT_EXPR_STAR)
         t->alias = (MtName) {mt_target_name (t->expr), true, lifted->span};
      t->expr = row_in_place (b, t->expr, lifted->span);
   }
   return first;
}

static MtOrderItem *replaced_keys (MtBinder *b, const MtOrderItem *list, const MtExpr *lifted)
{
   MtOrderItem *first = NULL, **last = &first;
   for (; list; list = list->next) {
      MtOrderItem *o = *last = MT_NEW (b->a, MtOrderItem);
      *o = *list;
      last = &o->next;
      if (reads_call (o->expr, lifted))
         o->expr = row_in_place (b, o->expr, lifted->span);
   }
   return first;
}

static MtFrom *copy_items (MtBinder *b, const MtFrom *from, MtFrom *more)
{
   MtFrom *first = more, **last = &first;
   for (; from; from = from->next) {
      *last = MT_NEW (b->a, MtFrom);
      **last = *from;
      last = &(*last)->next;
   }
   *last = more;
   return first;
}

/* ---- the block below the call ---- */

/* The sub-select that a block becomes: its items and, behind them, what else the block above needs,
 * as columns 1, 2, … */
typedef struct Below {
   MtBinder *b;
   const MtExpr *lifted;
   const MtTarget *targets;
   MtTarget **last;
   MtNameList *names, **last_name;
   int count;
} Below;

static const char *position_name (MtBinder *b, int i)
{
   MtBuf name = {0};
   mt_buf_printf (&name, "%d", i);
   const char *copy = mt_strndup (b->a, name.p, name.n);
   mt_buf_free (&name);
   return copy;
}

/* Appends e to the list of the sub-select. Returns its column, for the block above. */
static MtExpr *add_below (Below *w, MtExpr *e, MtName alias)
{
   MtTarget *t = *w->last = MT_NEW (w->b->a, MtTarget);
   MtNameList *name = *w->last_name = MT_NEW (w->b->a, MtNameList);
   *t = (MtTarget) {.expr = e, .alias = alias};
   w->last = &t->next;
   w->last_name = &name->next;
   name->name = (MtName) {position_name (w->b, ++w->count), true, e->span};
   return column (w->b, below_name, name->name.text, e->span);
}

static bool is_literal (const MtExpr *e)
{
   while (e->kind == MT_EXPR_CAST)
      e = e->cast.arg;
   return e->kind <= MT_EXPR_PARAM;
}

/* Returns the call with columns of the sub-select as arguments. Literals stay, because the function
 * decides about their types. */
static MtExpr *call_above (Below *w, const MtExpr *call)
{
   MtExpr *copy = MT_NEW (w->b->a, MtExpr), *f = copy;
   *copy = *call;
   if (is_accessor (call)) {
      copy->op.left = add_below (w, call->op.left, (MtName) {0});
      copy->op.right = f = MT_NEW (w->b->a, MtExpr);
      *f = *call->op.right;
   }
   MtExprList **last = &f->call.args;
   for (const MtExprList *l = *last; l; l = l->next) {
      *last = MT_NEW (w->b->a, MtExprList);
      (*last)->expr = is_literal (l->expr) ? l->expr : add_below (w, l->expr, (MtName) {0});
      last = &(*last)->next;
   }
   return copy;
}

/* Returns whether GROUP BY has the number of an item with the call. */
static bool groups_by_call (const MtGroupItem *g, const MtTarget *list, const MtExpr *lifted)
{
   for (; g; g = g->next) {
      const MtTarget *t = list;
      if (groups_by_call (g->items, list, lifted))
         return true;
      if (!g->expr || g->expr->kind != MT_EXPR_INTEGER)
         continue;
      for (long i = strtol (g->expr->text, NULL, 10); t && i > 1; i--)
         t = t->next;
      if (t && reads_call (t->expr, lifted))
         return true;
   }
   return false;
}

/* Returns whether ORDER BY e, a plain name, means a column of the result. */
static bool names_result (MtBinder *b, const MtExpr *e, const MtTarget *list)
{
   const MtName *name = &e->column.parts->name;
   int n;
   for (; list; list = list->next) {
      const char *own = list->alias.text ? list->alias.text : mt_target_name (list->expr);
      if (list->expr->kind != MT_EXPR_STAR && mt_same_name (own, name))
         return true;
      const MtSig **sigs = list->expr->kind == MT_EXPR_STAR && list->expr->column.of
                              ? functions_of (b, list->expr->column.of, &n)
                              : NULL;
      for (int i = 0; sigs && i < n; i++)
         if (sigs[i]->fn->columns && declares (sigs[i]->fn->columns, name->text))
            return true;
   }
   return false;
}

/* Returns a key of ORDER BY for the block above. */
static MtExpr *key_above (Below *w, MtExpr *e)
{
   MtBinder *b = w->b;
   int i = 1;
   if (reads_call (e, w->lifted))
      return row_in_place (b, e, w->lifted->span);
   bool plain = e->kind == MT_EXPR_COLUMN && !e->column.parts->next;
   if (e->kind == MT_EXPR_INTEGER || e->kind == MT_EXPR_STAR ||
       (plain && names_result (b, e, w->targets)))
      return e;
   for (const MtTarget *t = w->targets; t; t = t->next, i++)
      if (is_same (t->expr, e))
         return column (b, below_name, position_name (b, i), e->span);
   return add_below (w, e, (MtName) {0});
}

/* Makes the select list of the block above. Literals stay there, because an INSERT may decide about
 * their types. */
static MtTarget *list_above (Below *w)
{
   MtTarget *first = NULL, **last = &first;
   for (const MtTarget *t = w->targets; t; t = t->next) {
      MtTarget *above = *last = MT_NEW (w->b->a, MtTarget);
      *above = (MtTarget) {.expr = t->expr, .alias = t->alias};
      last = &above->next;
      if (!t->alias.text && t->expr->kind != MT_EXPR_STAR)
         above->alias = (MtName) {mt_target_name (t->expr), true, t->expr->span};
      if (reads_call (t->expr, w->lifted)) {
         MtExpr *none = MT_NEW (w->b->a, MtExpr);
         *none = (MtExpr) {.kind = MT_EXPR_NULL, .span = t->expr->span, .depth = 1};
         add_below (w, none, (MtName) {0});
         above->expr = row_in_place (w->b, t->expr, w->lifted->span);
         continue;
      }
      MtExpr *e = add_below (w, t->expr, t->alias);
      if (!is_literal (t->expr))
         above->expr = e;
   }
   return first;
}

static MtOrderItem *order_above (Below *w, const MtOrderItem *list)
{
   MtOrderItem *first = NULL, **last = &first;
   for (; list; list = list->next) {
      *last = MT_NEW (w->b->a, MtOrderItem);
      **last = *list;
      (*last)->expr = key_above (w, list->expr);
      last = &(*last)->next;
   }
   return first;
}

/* Makes the block above: the call beside the sub-select. */
static const MtSelect *block_above (MtBinder *b, const MtSelect *s, MtExpr *call)
{
   MtSelect *above = MT_NEW (b->a, MtSelect), *below = MT_NEW (b->a, MtSelect);
   MtFrom *from = MT_NEW (b->a, MtFrom);
   Below w = {.b = b, .lifted = call, .targets = s->plain.targets, .last_name = &w.names};
   *below = *s;
   below->with = NULL;
   below->plain.distinct = below->limit_with_ties = false;
   below->order = NULL;
   below->limit = below->offset = NULL;
   w.last = &below->plain.targets;
   *above = (MtSelect) {.kind = MT_SELECT_PLAIN,
                        .span = s->span,
                        .depth = s->depth,
                        .with = s->with,
                        .with_recursive = s->with_recursive,
                        .limit = s->limit,
                        .offset = s->offset,
                        .limit_with_ties = s->limit_with_ties,
                        .into = s->into};
   above->plain.distinct = s->plain.distinct;
   above->plain.targets = list_above (&w);
   above->order = order_above (&w, s->order);
   above->plain.from = from;
   call = call_above (&w, call);
   *from = (MtFrom) {.kind = MT_FROM_SUBQUERY, .span = s->span, .subquery = below};
   from->alias = (MtName) {below_name, true, call->span};
   from->column_aliases = w.names;
   from->depth = s->depth + 1;
   from->next = item_of (b, call);
   return above;
}

static bool has_other_stars (const MtTarget *t, const MtExpr *lifted)
{
   for (; t; t = t->next)
      if (t->expr->kind == MT_EXPR_STAR && !reads_call (t->expr, lifted))
         return true;
   return false;
}

bool mt_lift_sets (MtBinder *b, const MtSelect **s, bool *above)
{
   const MtSelect *from = *s;
   Calls calls;
   *above = false;
   if (from->plain.sample || from->plain.latest)
      return false;
   MtExpr *call = find_call (b, from->plain.targets, from->order, &calls);
   if (!call)
      return false;
   *above = calls.grouped || from->plain.group_by || from->plain.having || from->plain.qualify;
   if (*above && (from->plain.returning || from->plain.distinct_on || from->locking ||
                  has_other_stars (from->plain.targets, call) ||
                  groups_by_call (from->plain.group_by, from->plain.targets, call)))
      return false;
   if (*above) {
      *s = block_above (b, from, call);
   } else {
      MtSelect *copy = MT_NEW (b->a, MtSelect);
      *copy = *from;
      copy->plain.targets = replaced (b, from->plain.targets, call);
      copy->order = replaced_keys (b, from->order, call);
      copy->plain.from = copy_items (b, from->plain.from, item_of (b, call));
      *s = copy;
   }
   if (b->assigned == from)
      b->assigned = *s;
   return true;
}
