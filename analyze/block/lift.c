/* A set-returning function of several columns in the select list: f (x) or (f (x)).column. The call
 * moves to FROM, as LATERAL (SELECT r AS row FROM f (x) AS r). The same call may occur several
 * times. Different calls would have to run side by side, so they stay where they are, and are
 * refused there. */
#include "analyze/block/block_int.h"
#include "analyze/names/names.h"
#include "functions/signature.h"
#include "parser/parser.h"

#include <string.h>

/* Quoted names that nobody else uses. */
static const char item_name[] = "rows of a function", row_name[] = "row of a function";

/* Returns the call of an item of the select list; NULL: the item is something else. */
static MtExpr *call_of (MtExpr *e)
{
   if (e->kind == MT_EXPR_FIELD)
      e = e->field.arg;
   else if (e->kind == MT_EXPR_STAR && e->column.of)
      e = e->column.of;
   bool plain = e->kind == MT_EXPR_CALL && !e->call.over && !e->call.star && !e->call.distinct &&
                !e->call.filter && !e->call.order && !e->call.within_group;
   return plain ? e : NULL;
}

/* Returns whether all functions of the name return sets of several columns. */
static bool gives_rows (MtBinder *b, const MtExpr *call)
{
   const MtNameList *name = call->call.name;
   int n;
   while (name->next)
      name = name->next;
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, name->name.text, 0, &n);
   for (int i = 0; i < n; i++)
      if (!sigs[i]->fn || !(sigs[i]->fn->flags & MT_F_SET) || !sigs[i]->fn->columns ||
          strchr (sigs[i]->fn->columns, '*'))
         return false;
   return n > 0;
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

/* Finds the only call. NULL: there is none, or they differ, or a star would include it. */
static MtExpr *find_call (MtBinder *b, const MtTarget *list, const MtOrderItem *keys)
{
   MtExpr *found = NULL;
   for (const MtTarget *t = list; t; t = t->next) {
      MtExpr *call = call_of (t->expr);
      if (t->expr->kind == MT_EXPR_STAR && !t->expr->column.parts && !t->expr->column.of)
         return NULL;
      if (!call || !gives_rows (b, call))
         continue;
      if (found && !is_same (found, call))
         return NULL;
      found = call;
   }
   for (; found && keys; keys = keys->next) {
      const MtExpr *call = call_of (keys->expr);
      if (call && gives_rows (b, call) && !is_same (found, call))
         return NULL;
   }
   return found;
}

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
static MtTarget *replaced (MtBinder *b, const MtTarget *list)
{
   MtTarget *first = NULL, **last = &first;
   for (; list; list = list->next) {
      MtTarget *t = *last = MT_NEW (b->a, MtTarget);
      *t = *list;
      last = &t->next;
      const MtExpr *call = call_of (t->expr);
      if (!call || !gives_rows (b, call))
         continue;
      if (!t->alias.text && t->expr->kind != MT_EXPR_STAR)
         t->alias = (MtName) {mt_target_name (t->expr), true, call->span};
      t->expr = row_in_place (b, t->expr, call->span);
   }
   return first;
}

static MtOrderItem *replaced_keys (MtBinder *b, const MtOrderItem *list)
{
   MtOrderItem *first = NULL, **last = &first;
   for (; list; list = list->next) {
      MtOrderItem *o = *last = MT_NEW (b->a, MtOrderItem);
      *o = *list;
      last = &o->next;
      const MtExpr *call = call_of (o->expr);
      if (call && gives_rows (b, call))
         o->expr = row_in_place (b, o->expr, call->span);
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

bool mt_lift_sets (MtBinder *b, const MtSelect **s)
{
   const MtSelect *from = *s;
   bool plain = !from->plain.group_by && !from->plain.having && !from->plain.sample &&
                !from->plain.latest && !from->plain.qualify;
   MtExpr *call = plain ? find_call (b, from->plain.targets, from->order) : NULL;
   if (!call)
      return false;
   MtSelect *copy = MT_NEW (b->a, MtSelect);
   *copy = *from;
   copy->plain.targets = replaced (b, from->plain.targets);
   copy->order = replaced_keys (b, from->order);
   copy->plain.from = copy_items (b, from->plain.from, item_of (b, call));
   if (b->assigned == from)
      b->assigned = copy;
   *s = copy;
   return true;
}
