/* The builders of SELECT and of its FROM clause. The depth of a query is the greatest depth of any
 * expression in it. */
#include "parser/build_select_int.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void deepen (MtParser *p, int *depth, int below)
{
   if (below >= *depth)
      *depth = mt_b_depth (p, below, 0, 0);
}

static void deepen_expr (MtParser *p, int *depth, const MtExpr *e)
{
   if (e)
      deepen (p, depth, e->depth);
}

static void deepen_list (MtParser *p, int *depth, const MtExprList *l)
{
   for (; l; l = l->next)
      deepen_expr (p, depth, l->expr);
}

static void deepen_orders (MtParser *p, int *depth, const MtOrderItem *o)
{
   for (; o; o = o->next)
      deepen_expr (p, depth, o->expr);
}

/* Raises *depth to the depth of the expressions in GROUP BY items. The recursion is bounded,
 * because the limit of the parser's stack bounds nested grouping sets. */
static void deepen_groups (MtParser *p, int *depth, const MtGroupItem *g)
{
   for (; g; g = g->next) {
      deepen_expr (p, depth, g->expr);
      int inner = 0;
      deepen_groups (p, &inner, g->items);
      if (inner)
         deepen (p, depth, inner);
   }
}

static void deepen_windows (MtParser *p, int *depth, const MtWindow *w)
{
   for (; w; w = w->next) {
      deepen_list (p, depth, w->partition);
      deepen_orders (p, depth, w->order);
      deepen_expr (p, depth, w->start.offset);
      deepen_expr (p, depth, w->end.offset);
   }
}

static MtSelect *select_new (MtParser *p, MtSelectKind kind, MtSpan span)
{
   MtSelect *s = MT_NEW (p->a, MtSelect);
   s->kind = kind;
   s->span = span;
   s->depth = 1;
   return s;
}

static MtSpan end_of_windows (MtSpan end, const MtWindow *w)
{
   for (; w; w = w->next)
      end = w->span;
   return end;
}

static MtSpan targets_end (MtTargets targets, MtToken word)
{
   const MtTarget *t = targets.last;
   if (!t)
      return word.span;
   return t->alias.text ? t->alias.span : t->expr->outer;
}

MtSelectHead mt_b_select_head (MtToken t, MtDistinct d, MtTargets targets, MtInto *into,
                               MtFroms from)
{
   MtSpan end = from.last ? from.last->span : targets_end (targets, t);
   return (MtSelectHead) {t, d, targets, into, from, end};
}

MtSelectHead mt_b_select_all (MtParser *p, MtFromFirst f, MtInto *into)
{
   MtTargets all = mt_b_targets (mt_b_target (p, mt_b_star (p, f.word), MT_NO_TOKEN));
   return mt_b_select_head (f.word, MT_PLAIN, all, into, f.from);
}

MtSelectHead mt_b_select_behind (MtFromFirst f, MtToken t, MtDistinct d, MtTargets targets,
                                 MtInto *into)
{
   MtSelectHead head = mt_b_select_head (f.word, d, targets, into, f.from);
   head.end = targets_end (targets, t);
   return head;
}

/* Returns the position of the last clause of a SELECT, where the SELECT ends. */
static MtSpan select_end (const MtSelect *s, MtSpan end, MtGroups g)
{
   if (s->plain.where)
      end = s->plain.where->outer;
   if (g.last)
      end = g.last->span;
   if (s->plain.having)
      end = s->plain.having->outer;
   return end_of_windows (end, s->plain.windows);
}

MtInto *mt_b_into (MtParser *p, MtToken t, MtQualified name)
{
   MtInto *into = MT_NEW (p->a, MtInto);
   *into = (MtInto) {.schema = name.schema,
                     .name = name.name,
                     .span = name.schema.text ? name.schema.span : name.name.span};
   return into;
}

MtSelect *mt_b_select (MtParser *p, MtSelectHead head, MtExpr *where, MtGroups g, MtExpr *having,
                       MtWindows windows)
{
   MtSelect *s = select_new (p, MT_SELECT_PLAIN, head.word.span);
   s->plain.distinct = head.distinct.distinct;
   s->plain.distinct_on = head.distinct.on;
   s->plain.targets = head.targets.first;
   s->plain.from = head.from.first;
   s->into = head.into;
   s->plain.where = where;
   s->plain.group_distinct = g.distinct;
   s->plain.group_by = g.first;
   s->plain.having = having;
   s->plain.windows = windows.first;
   s->span = mt_b_join_spans (s->span, select_end (s, head.end, g));
   for (MtTarget *i = s->plain.targets; i; i = i->next)
      deepen_expr (p, &s->depth, i->expr);
   for (MtFrom *i = s->plain.from; i; i = i->next)
      deepen (p, &s->depth, i->depth);
   deepen_list (p, &s->depth, s->plain.distinct_on);
   deepen_expr (p, &s->depth, where);
   deepen_groups (p, &s->depth, g.first);
   deepen_expr (p, &s->depth, having);
   deepen_windows (p, &s->depth, windows.first);
   return s;
}

MtSelect *mt_b_sampled (MtParser *p, MtSelectHead head, MtExpr *where, MtSampleBy *sample,
                        MtExpr *having, MtWindows windows)
{
   MtSelect *s = mt_b_select (p, head, where, MT_EMPTY (MtGroups), having, windows);
   s->plain.sample = sample;
   if (!having && !windows.first)
      s->span = mt_b_join_spans (head.word.span, sample->span);
   deepen_expr (p, &s->depth, sample->width);
   deepen_expr (p, &s->depth, sample->from);
   deepen_expr (p, &s->depth, sample->to);
   for (const MtSampleFill *f = sample->fills; f; f = f->next)
      deepen_expr (p, &s->depth, f->value);
   return s;
}

MtSelect *mt_b_latest_of (MtParser *p, MtSelect *s, MtLatest *latest)
{
   s->plain.latest = latest;
   if (!s->plain.group_by && !s->plain.having && !s->plain.windows)
      s->span = mt_b_join_spans (s->span, latest->span);
   deepen_expr (p, &s->depth, latest->time);
   deepen_list (p, &s->depth, latest->keys);
   return s;
}

MtSelect *mt_b_qualify (MtParser *p, MtSelect *s, MtExpr *e)
{
   s->plain.qualify = e;
   deepen_expr (p, &s->depth, e);
   if (e)
      s->span = mt_b_join_spans (s->span, e->outer);
   return s;
}

/* Builds TABLE t as SELECT * FROM t. */
MtSelect *mt_b_select_table (MtParser *p, MtToken t, MtFrom *table)
{
   MtSelectHead head = mt_b_select_all (p, (MtFromFirst) {t, mt_b_froms (table)}, NULL);
   return mt_b_select (p, head, NULL, MT_EMPTY (MtGroups), NULL, MT_EMPTY (MtWindows));
}

MtSelect *mt_b_select_from (MtParser *p, MtFrom *f)
{
   return mt_b_select_table (p, (MtToken) {.span = f->span}, mt_b_from_alias (p, f, (MtAlias) {0}));
}

MtSelect *mt_b_summary (MtParser *p, MtSummary what, MtToken t, MtSelect *query, MtSpan end)
{
   MtSelect *s = select_new (p, MT_SELECT_SUMMARY, mt_b_join_spans (t.span, end));
   s->summary.what = what;
   s->summary.query = query;
   if (query)
      s->depth = mt_b_depth (p, query->depth, 0, 0);
   return s;
}

static void add_limit (MtParser *p, MtSelect *s, const MtLimit *l)
{
   bool old_limit = s->limit || s->limit_with_ties;
   if (l->offset && s->offset)
      mt_b_fail (p, l->offset->span, MT_E_SYNTAX, "multiple OFFSET clauses not allowed");
   if (l->limit && old_limit)
      mt_b_fail (p, l->limit->span, MT_E_SYNTAX, "multiple LIMIT clauses not allowed");
   if (l->offset)
      s->offset = l->offset;
   if (l->limit)
      s->limit = l->limit;
   if (l->ties)
      s->limit_with_ties = true;
   if (s->limit_with_ties && !s->order)
      mt_b_fail (p, l->span, MT_E_SYNTAX, "WITH TIES cannot be specified without ORDER BY clause");
   deepen_expr (p, &s->depth, l->limit);
   deepen_expr (p, &s->depth, l->offset);
   if (l->span.len)
      s->span = mt_b_join_spans (s->span, l->span);
}

MtSelect *mt_b_select_tail (MtParser *p, MtSelect *s, const MtWith *with, const MtOrders *order,
                            const MtLimit *limit, const MtLocking *locking)
{
   if (order && order->first) {
      if (s->order)
         mt_b_fail (p, order->first->expr->span, MT_E_SYNTAX,
                    "multiple ORDER BY clauses not allowed");
      s->order = order->first;
      deepen_orders (p, &s->depth, s->order);
      s->span = mt_b_join_spans (s->span, order->end);
   }
   if (limit && (limit->has_limit || limit->offset))
      add_limit (p, s, limit);
   if (locking && locking->strength) {
      s->locking = locking->strength;
      s->lock_of = locking->of;
      s->lock_wait = locking->wait;
      s->span = mt_b_join_spans (s->span, locking->span);
   }
   if (with) {
      if (s->with)
         mt_b_fail (p, with->span, MT_E_SYNTAX, "multiple WITH clauses not allowed");
      s->with = with->first;
      s->with_recursive = with->recursive;
      for (MtCte *c = with->first; c; c = c->next)
         if (c->query)
            deepen (p, &s->depth, c->query->depth);
      s->span = mt_b_join_spans (with->span, s->span);
   }
   return s;
}

/* Returns the SELECT that is in parentheses, as an operand of UNION or another set operation, or
 * before ORDER BY. Its position now includes the parentheses. */
MtSelect *mt_b_operand_select (MtParser *p, MtSubselect s)
{
   s.select->span = s.span;
   return s.select;
}

MtSubselect mt_b_paren_select (MtParser *p, MtToken l, MtSelect *s, MtToken r)
{
   return (MtSubselect) {s, mt_b_join_spans (l.span, r.span)};
}

MtSelect *mt_b_setop (MtParser *p, MtSetOp op, MtSelect *left, MtToken all, MtSelect *right)
{
   MtSelect *s = select_new (p, MT_SELECT_SETOP, mt_b_join_spans (left->span, right->span));
   s->setop.op = op;
   s->setop.all = all.text != NULL;
   s->setop.left = left;
   s->setop.right = right;
   s->depth = mt_b_depth (p, left->depth, right->depth, 0);
   return s;
}

MtSelect *mt_b_values (MtParser *p, MtToken t, MtRowList *row)
{
   MtSelect *s = select_new (p, MT_SELECT_VALUES, mt_b_join_spans (t.span, row->span));
   s->values.rows = s->values.last = row;
   deepen_list (p, &s->depth, row->row);
   return s;
}

void mt_b_values_more (MtParser *p, MtSelect *values, MtRowList *row)
{
   values->values.last->next = row;
   values->values.last = row;
   values->span = mt_b_join_spans (values->span, row->span);
   deepen_list (p, &values->depth, row->row);
}

MtRowList *mt_b_row_values (MtParser *p, MtToken l, MtExprs e, MtToken r)
{
   MtRowList *row = MT_NEW (p->a, MtRowList);
   row->row = e.first;
   row->span = mt_b_join_spans (l.span, r.span);
   return row;
}

MtDistinct mt_b_distinct_on (MtExprs e) { return (MtDistinct) {true, e.first}; }

MtWith mt_b_with (MtToken t, MtWith ctes, bool recursive)
{
   ctes.span = t.span;
   ctes.recursive = recursive;
   return ctes;
}

MtWith mt_b_ctes (MtCte *c) { return (MtWith) {c, c, MT_NO_SPAN, false}; }

static bool is_use (const MtCte *c, const MtFrom *f)
{
   return !f->table.schema.text && mt_ieq (c->name.text, f->table.name.text);
}

MtCte *mt_b_cte (MtParser *p, MtToken name, MtNames columns, int materialized, MtStmt *s)
{
   MtCte *c = MT_NEW (p->a, MtCte);
   c->name = mt_b_name (name);
   c->columns = columns.first;
   c->materialized = materialized;
   if (s->kind == MT_STMT_SELECT)
      c->query = s->select;
   else if (s->kind == MT_STMT_INSERT || s->kind == MT_STMT_UPDATE || s->kind == MT_STMT_DELETE)
      c->stmt = s;
   else if (s->kind == MT_STMT_MERGE)
      mt_b_fail (p, name.span, MT_E_FEATURE, "MERGE not supported in WITH query");
   else if (s->kind == MT_STMT_WITH)
      mt_b_fail (p, name.span, MT_E_FEATURE,
                 "WITH clause containing a data-modifying statement must be at the top level");
   else
      mt_b_fail (p, s->span, MT_E_SYNTAX, "SELECT ... INTO is not allowed here");
   MtNamed *named = MT_NEW (p->a, MtNamed);
   *named = (MtNamed) {.cte = c, .before = p->ctes};
   p->ctes = named;
   for (const MtNamed *t = p->tables; t && t->table->span.start > name.span.start && !c->self;
        t = t->before)
      c->self = is_use (c, t->table);
   return c;
}

/* ---- counting the reads of each common table expression ---- */

static int by_name (const void *a, const void *b)
{
   return strcasecmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns a sorted array of the names of all tables in FROM that have no schema. */
static const char **sorted_tables (const MtParser *p, size_t *count)
{
   size_t n = 0;
   for (const MtNamed *t = p->tables; t; t = t->before)
      n += !t->table->table.schema.text;
   const char **names = MT_NEW_N (p->a, const char *, n + 1);
   *count = n;
   for (const MtNamed *t = p->tables; t; t = t->before)
      if (!t->table->table.schema.text)
         names[--n] = t->table->table.name.text;
   qsort (names, *count, sizeof *names, by_name);
   return names;
}

/* Returns the index of the first of the sorted names that is not less than `name` (binary
 * search). */
static size_t first_of (const char **names, size_t count, const char *name)
{
   size_t low = 0;
   while (low < count) {
      size_t middle = low + (count - low) / 2;
      if (strcasecmp (names[middle], name) < 0)
         low = middle + 1;
      else
         count = middle;
   }
   return low;
}

void mt_b_count_uses (MtParser *p)
{
   size_t count;
   const char **names = p->ctes ? sorted_tables (p, &count) : NULL;
   for (MtNamed *c = p->ctes; c; c = c->before) {
      const char *name = c->cte->name.text;
      for (size_t i = first_of (names, count, name);
           i < count && c->cte->uses < 3 && strcasecmp (names[i], name) == 0; i++)
         c->cte->uses++;
   }
}

MtTargets mt_b_targets (MtTarget *t) { return (MtTargets) {t, t}; }

MtTarget *mt_b_target (MtParser *p, MtExpr *e, MtToken alias)
{
   MtTarget *t = MT_NEW (p->a, MtTarget);
   t->expr = e;
   t->alias = mt_b_name (alias);
   return t;
}

/* ---- EXCLUDE, REPLACE, RENAME ---- */

MtStarItem *mt_b_star_item (MtParser *p, MtStarChange kind, MtQualified column)
{
   MtStarItem *i = MT_NEW (p->a, MtStarItem);
   *i = (MtStarItem) {.kind = kind, .table = column.schema, .name = column.name};
   return i;
}

MtStarItem *mt_b_star_replaced (MtParser *p, MtExpr *e, MtToken column)
{
   MtStarItem *i = mt_b_star_item (p, MT_STAR_REPLACE, mt_b_qualified (p, MT_NO_TOKEN, column));
   i->expr = e;
   return i;
}

MtStarItem *mt_b_star_renamed (MtParser *p, MtQualified column, MtToken as)
{
   MtStarItem *i = mt_b_star_item (p, MT_STAR_RENAME, column);
   i->as = mt_b_name (as);
   return i;
}

MtStarChanges mt_b_star_items (MtStarItem *i) { return (MtStarChanges) {.first = i, .last = i}; }

MtStarChanges mt_b_star_ends (MtStarChanges c, MtToken word, MtToken end)
{
   c.span = mt_b_join_spans (word.span, end.span);
   return c;
}

MtStarChanges mt_b_star_single (MtToken word, MtStarItem *i)
{
   MtSpan end = i->kind == MT_STAR_RENAME ? i->as.span : i->name.span;
   return (MtStarChanges) {i, i, mt_b_join_spans (word.span, end)};
}

MtStarChanges mt_b_star_both (MtParser *p, MtStarChanges a, MtStarChanges b)
{
   static const char *const words[] = {"EXCLUDE", "REPLACE", "RENAME"};
   for (const MtStarItem *i = a.first; i; i = i->next)
      if (i->kind == b.first->kind) {
         mt_b_fail (p, b.span, MT_E_SYNTAX, "multiple %s clauses not allowed", words[i->kind]);
         break;
      }
   a.last->next = b.first;
   return (MtStarChanges) {a.first, b.last, mt_b_join_spans (a.span, b.span)};
}

MtExpr *mt_b_star_changed (MtParser *p, MtExpr *e, MtStarChanges c)
{
   if (e->kind != MT_EXPR_STAR) {
      mt_b_fail (p, c.span, MT_E_SYNTAX, "EXCLUDE, REPLACE and RENAME can only follow * or t.*");
      return e;
   }
   e->column.changes = c.first;
   e->span = e->outer = mt_b_join_spans (e->span, c.span);
   for (const MtStarItem *i = c.first; i; i = i->next)
      deepen_expr (p, &e->depth, i->expr);
   return e;
}

/* ---- GROUP BY, ORDER BY, LIMIT ---- */

MtGroups mt_b_groups (MtGroupItem *g) { return (MtGroups) {g, g, false}; }

MtGroups mt_b_group_distinct (MtGroups g)
{
   g.distinct = true;
   return g;
}

MtGroupItem *mt_b_group_expr (MtParser *p, MtExpr *e)
{
   MtGroupItem *g = MT_NEW (p->a, MtGroupItem);
   g->kind = MT_GROUP_EXPR;
   g->expr = e;
   g->span = e->outer;
   return g;
}

MtGroups mt_b_group_exprs (MtParser *p, MtExprs e)
{
   MtGroups g = mt_b_groups (mt_b_group_expr (p, e.first->expr));
   for (MtExprList *l = e.first->next; l; l = l->next) {
      MtGroupItem *i = mt_b_group_expr (p, l->expr);
      MT_PUSH (g, i);
   }
   return g;
}

MtGroupItem *mt_b_group (MtParser *p, MtGroupKind kind, MtToken t, MtGroups items, MtToken end)
{
   MtGroupItem *g = MT_NEW (p->a, MtGroupItem);
   g->kind = kind;
   g->items = items.first;
   g->span = mt_b_join_spans (t.span, end.span);
   return g;
}

MtWindows mt_b_windows (MtWindow *w) { return (MtWindows) {w, w}; }
MtOrders mt_b_orders (MtOrderItem *o) { return (MtOrders) {o, o, o->expr->outer}; }

MtOrderItem *mt_b_order (MtParser *p, MtExpr *e, MtToken using_op, bool descending, int nulls)
{
   MtOrderItem *o = MT_NEW (p->a, MtOrderItem);
   o->expr = e;
   o->using_op = using_op.text;
   o->descending = descending;
   o->nulls = nulls;
   return o;
}

MtOrderItem *mt_b_order_all (MtParser *p, MtToken t, bool descending, int nulls)
{
   return mt_b_order (p, mt_b_star (p, t), MT_NO_TOKEN, descending, nulls);
}

MtLimit mt_b_limit (MtToken t, MtExpr *e, MtSpan end, bool ties)
{
   return (MtLimit) {e, NULL, mt_b_join_spans (t.span, end), true, ties};
}

MtLimit mt_b_limit_comma (MtParser *p, MtToken t, MtExpr *e)
{
   mt_b_fail (p, t.span, MT_E_SYNTAX, "LIMIT #,# syntax is not supported");
   mt_error_hint (p->err, "Use separate LIMIT and OFFSET clauses.");
   return mt_b_limit (t, e, e->outer, false);
}

/* Builds FETCH FIRST … ROWS. Without a number, as in FETCH FIRST ROW ONLY, it is one row. */
MtLimit mt_b_fetch (MtParser *p, MtToken t, MtExpr *e, MtToken end)
{
   MtToken one = {.span = t.span, .text = "1", .n = 1};
   return mt_b_limit (t, e ? e : mt_b_number (p, one), end.span, mt_ieq (end.text, "ties"));
}

MtLimit mt_b_offset (MtToken t, MtExpr *e, MtSpan end)
{
   return (MtLimit) {NULL, e, mt_b_join_spans (t.span, end), false, false};
}

MtLimit mt_b_limit_both (MtLimit a, MtLimit b)
{
   MtSpan span = mt_b_join_spans (a.span, b.span);
   return (MtLimit) {a.limit ? a.limit : b.limit, a.offset ? a.offset : b.offset, span, true,
                     a.ties || b.ties};
}

MtLocking mt_b_locking (MtParser *p, MtToken t, const char *strength, MtLockWait wait)
{
   p->locks = true;
   p->nowait |= wait == MT_LOCK_NOWAIT;
   return (MtLocking) {.strength = strength, .wait = wait, .span = t.span};
}

/* ---- FROM ---- */

static MtFrom *from_new (MtParser *p, MtFromKind kind, MtSpan span, int depth)
{
   MtFrom *f = MT_NEW (p->a, MtFrom);
   f->kind = kind;
   f->span = span;
   f->depth = depth;
   return f;
}

MtFroms mt_b_froms (MtFrom *f) { return (MtFroms) {f, f}; }

MtFrom *mt_b_from_table (MtParser *p, MtQualified q, bool only)
{
   MtFrom *f = from_new (p, MT_FROM_TABLE, q.span, 1);
   f->table.schema = q.schema;
   f->table.name = q.name;
   f->table.only = only;
   MtNamed *named = MT_NEW (p->a, MtNamed);
   *named = (MtNamed) {.table = f, .before = p->tables};
   p->tables = named;
   return f;
}

MtFrom *mt_b_from_alias (MtParser *p, MtFrom *f, MtAlias alias)
{
   f->alias = alias.name;
   f->column_aliases = alias.columns;
   if (alias.fields)
      f->function.fields = alias.fields;
   if (alias.span.len)
      f->span = mt_b_join_spans (f->span, alias.span);
   return f;
}

MtFrom *mt_b_from_sample (MtParser *p, MtFrom *f, MtNames method, MtExprs args, MtToken end,
                          MtExpr *repeatable)
{
   f->table.sample = mt_b_call (p, method, (MtArgs) {.list = args}, end);
   f->table.repeatable = repeatable;
   deepen_expr (p, &f->depth, f->table.sample);
   deepen_expr (p, &f->depth, repeatable);
   f->span = mt_b_join_spans (f->span, end.span);
   return f;
}

MtFrom *mt_b_from_lateral (MtToken t, MtFrom *f)
{
   f->lateral = true;
   f->span = mt_b_join_spans (t.span, f->span);
   return f;
}

MtFrom *mt_b_from_select (MtParser *p, MtSubselect s)
{
   MtFrom *f = from_new (p, MT_FROM_SUBQUERY, s.span, mt_b_depth (p, s.select->depth, 0, 0));
   f->subquery = s.select;
   return f;
}

/* Builds an item of FROM in parentheses, which is the item with the parentheses' position. */
MtFrom *mt_b_from_paren (MtToken l, MtFrom *f, MtToken r)
{
   f->span = mt_b_join_spans (l.span, r.span);
   return f;
}

MtFrom *mt_b_from_function (MtParser *p, MtExpr *call, MtToken ordinality)
{
   MtFrom *f = from_new (p, MT_FROM_FUNCTION, mt_b_join_spans (call->span, ordinality.span),
                         mt_b_depth (p, call->depth, 0, 0));
   f->function.call = call;
   f->with_ordinality = ordinality.text != NULL;
   return f;
}

MtFrom *mt_b_from_file (MtParser *p, MtToken path)
{
   MtToken name = {.span = path.span, .text = "read_file", .n = 9};
   MtArg arg = {.expr = mt_b_string (p, MT_EXPR_STRING, path)};
   return mt_b_from_function (p, mt_b_call (p, mt_b_names (p, name), mt_b_args (p, arg), path),
                              MT_NO_TOKEN);
}

MtFrom *mt_b_from_rows (MtParser *p, MtToken t, MtExprs calls, MtToken end, MtToken ordinality)
{
   MtFrom *f = from_new (p, MT_FROM_FUNCTION, mt_b_join_spans (t.span, end.span),
                         mt_b_depth (p, calls.depth, 0, 0));
   f->function.rows_from = calls.first;
   f->with_ordinality = ordinality.text != NULL;
   if (ordinality.text)
      f->span = mt_b_join_spans (f->span, ordinality.span);
   return f;
}

MtFrom *mt_b_join (MtParser *p, MtJoinKind kind, bool natural, MtFrom *left, MtFrom *right,
                   MtJoinQual q)
{
   MtFrom *f = from_new (p, MT_FROM_JOIN,
                         mt_b_join_spans (mt_b_join_spans (left->span, right->span), q.span),
                         mt_b_depth (p, left->depth, right->depth, q.on ? q.on->depth : 0));
   f->join.kind = kind;
   f->join.natural = natural;
   f->join.left = left;
   f->join.right = right;
   f->join.on = q.on;
   f->join.using_columns = q.columns;
   f->join.using_alias = q.alias;
   return f;
}

MtFrom *mt_b_join_asof (MtParser *p, bool nearest, bool keeps_left, MtFrom *left, MtFrom *right,
                        MtJoinQual q, MtExpr *tolerance)
{
   MtFrom *f = mt_b_join (p, MT_JOIN_ASOF, false, left, right, q);
   f->join.asof_left = keeps_left;
   f->join.nearest = nearest;
   f->join.tolerance = tolerance;
   deepen_expr (p, &f->depth, tolerance);
   if (tolerance)
      f->span = mt_b_join_spans (f->span, tolerance->outer);
   return f;
}

MtFrom *mt_b_join_window (MtParser *p, MtFrom *left, MtFrom *right, MtJoinQual q,
                          MtJoinRange *range)
{
   MtFrom *f = mt_b_join (p, MT_JOIN_WINDOW, false, left, right, q);
   f->join.range = range;
   deepen_expr (p, &f->depth, range->from.width);
   deepen_expr (p, &f->depth, range->to.width);
   f->span = mt_b_join_spans (f->span, range->span);
   return f;
}

MtJoinRange *mt_b_join_range (MtParser *p, MtToken t, MtJoinBound from, MtJoinBound to,
                              MtJoinRange prevailing)
{
   MtJoinRange *r = MT_NEW (p->a, MtJoinRange);
   *r = (MtJoinRange) {.from = from,
                       .to = to,
                       .exclude = prevailing.exclude,
                       .span = mt_b_join_spans (mt_b_join_spans (t.span, to.span),
                                                prevailing.span)};
   return r;
}

MtJoinBound mt_b_join_bound (MtExpr *width, bool following, MtToken end)
{
   return (MtJoinBound) {
      .width = width, .following = following, .span = mt_b_join_spans (width->outer, end.span)};
}

MtJoinQual mt_b_join_using (MtParser *p, MtNames columns, MtToken end, MtToken alias)
{
   return (MtJoinQual) {NULL, columns.first, mt_b_name (alias), alias.text ? alias.span : end.span};
}

MtJoinQual mt_b_join_on (MtExpr *e) { return (MtJoinQual) {.on = e, .span = e->outer}; }
MtAlias mt_b_alias (MtParser *p, MtToken name)
{
   return (MtAlias) {.name = mt_b_name (name), .span = name.span};
}

MtAlias mt_b_alias_columns (MtParser *p, MtToken name, MtNames columns, MtToken end)
{
   return (MtAlias) {.name = mt_b_name (name),
                     .columns = columns.first,
                     .span = mt_b_join_spans (name.span, end.span)};
}

MtFieldDefs mt_b_field_def (MtParser *p, MtFieldDefs list, MtToken name, MtTypeName *type)
{
   MtFieldDef *f = MT_NEW (p->a, MtFieldDef);
   *f = (MtFieldDef) {mt_b_name (name), type, NULL};
   if (list.last)
      list.last->next = f;
   return (MtFieldDefs) {list.first ? list.first : f, f};
}

MtAlias mt_b_alias_defs (MtParser *p, MtToken name, MtFieldDefs fields, MtToken end)
{
   MtAlias a = {.name = mt_b_name (name), .fields = fields.first};
   a.span = name.text ? mt_b_join_spans (name.span, end.span) : end.span;
   return a;
}
