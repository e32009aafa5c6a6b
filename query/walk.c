/* Visits the parts of queries, and finds references to enclosing queries. */
#include "query/window.h"
#include "query/x.h"

static bool visit_list (MtX **list, int n, MtVisitX visit, void *ctx)
{
   for (int i = 0; i < n; i++)
      if (list[i] && !visit (ctx, &list[i]))
         return false;
   return true;
}

static bool join_each (MtJoin *j, MtVisitX visit, void *ctx)
{
   for (int i = 0; i < j->let_count; i++)
      if (!visit (ctx, &j->lets[i].x))
         return false;
   return visit_list (&j->on, 1, visit, ctx) && visit_list (&j->when, 1, visit, ctx) &&
          mt_rel_each (j->left, visit, ctx) && mt_rel_each (j->right, visit, ctx);
}

bool mt_rel_each (MtRel *rel, MtVisitX visit, void *ctx)
{
   switch (rel->kind) {
   case MT_REL_NONE:
   case MT_REL_TABLE:
   case MT_REL_WORK:
   case MT_REL_SYSTEM:
   case MT_REL_SHARED: return true;
   case MT_REL_QUERY: return mt_query_each (rel->query, visit, ctx);
   case MT_REL_VALUES:
      for (int r = 0; r < rel->row_count; r++)
         if (!visit_list (rel->rows[r], rel->column_count, visit, ctx))
            return false;
      return true;
   case MT_REL_JOIN: return join_each (rel->join, visit, ctx);
   case MT_REL_UNNEST:
      return visit_list (rel->unnest->calls, rel->unnest->count, visit, ctx) &&
             visit_list (&rel->unnest->on, 1, visit, ctx) &&
             mt_rel_each (rel->unnest->input, visit, ctx);
   case MT_REL_SERIES: {
      MtSeries *s = rel->series;
      return visit_list (&s->start, 1, visit, ctx) && visit_list (&s->stop, 1, visit, ctx) &&
             visit_list (&s->step, 1, visit, ctx) && visit_list (&s->next, 1, visit, ctx);
   }
   }
   return true;
}

bool mt_windows_each (MtWindows *w, bool (*visit) (void *ctx, MtX **x), void *ctx)
{
   bool ok = true;
   for (int i = 0; i < w->def_count && ok; i++) {
      MtWindowDef *d = &w->defs[i];
      for (int k = 0; k < d->partition_count && ok; k++)
         ok = visit (ctx, &d->partition[k]);
      for (int k = 0; k < d->order_count && ok; k++)
         ok = visit (ctx, &d->order[k].expr);
      ok = ok && (!d->range_key || visit (ctx, &d->range_key)) &&
           (!d->start.limit || visit (ctx, &d->start.limit)) &&
           (!d->end.limit || visit (ctx, &d->end.limit));
   }
   for (int i = 0; i < w->call_count && ok; i++) {
      MtWindowCall *c = &w->calls[i];
      for (int k = 0; k < c->argc && ok; k++)
         ok = visit (ctx, &c->args[k]);
      ok = ok && (!c->agg.arg || visit (ctx, &c->agg.arg)) &&
           (!c->agg.filter || visit (ctx, &c->agg.filter));
   }
   return ok;
}
static bool gapfill_each (MtGapfill *g, MtVisitX visit, void *ctx)
{
   MtX **parts[] = {&g->width, &g->ts, &g->zone, &g->origin, &g->offset, &g->start, &g->finish};
   for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (!visit_list (parts[i], 1, visit, ctx))
         return false;
   for (int i = 0; i < g->fill_count; i++) {
      MtFill *f = &g->fills[i];
      MtX **edges[] = {&f->prev, &f->next, &f->prev_time, &f->next_time};
      if (!visit (ctx, &f->value))
         return false;
      for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
         if (!visit_list (edges[k], 1, visit, ctx))
            return false;
   }
   return true;
}

static bool aggs_each (MtQuery *q, MtVisitX visit, void *ctx)
{
   for (int i = 0; i < q->agg_count; i++)
      if (!visit_list (&q->aggs[i].arg, 1, visit, ctx) ||
          !visit_list (&q->aggs[i].filter, 1, visit, ctx))
         return false;
   return true;
}

bool mt_results_each (MtQuery *q, MtVisitX visit, void *ctx)
{
   for (int i = 0; i < q->target_count; i++)
      if (!visit (ctx, &q->targets[i].expr))
         return false;
   for (int i = 0; i < q->sort_count; i++)
      if (!visit (ctx, &q->sort[i].expr))
         return false;
   return true;
}

bool mt_query_each (MtQuery *q, MtVisitX visit, void *ctx)
{
   for (int i = 0; i < q->arm_count; i++)
      if (!mt_query_each (q->arms[i], visit, ctx))
         return false;
   if (!mt_rel_each (&q->rel, visit, ctx) ||
       (q->windows && !mt_windows_each (q->windows, visit, ctx)) ||
       (q->gapfill && !gapfill_each (q->gapfill, visit, ctx)))
      return false;
   if (!visit_list (&q->where, 1, visit, ctx) || !visit_list (q->keys, q->key_count, visit, ctx) ||
       !aggs_each (q, visit, ctx) || !visit_list (&q->having, 1, visit, ctx))
      return false;
   return mt_results_each (q, visit, ctx);
}

/* ---- tables ---- */

typedef struct Tables {
   MtArena *a;
   MtVisitTable visit;
   void *ctx;
   const MtShared **seen; /* shared queries that were already visited */
   size_t count, cap;
} Tables;

static bool tables_of (Tables *t, MtQuery *q);

static bool tables_of_shared (Tables *t, MtShared *shared)
{
   for (size_t i = 0; i < t->count; i++)
      if (t->seen[i] == shared)
         return true;
   MT_GROW_IN (t->a, t->seen, t->count, t->cap, 8);
   t->seen[t->count++] = shared;
   return tables_of (t, shared->query);
}

static bool tables_of_rel (Tables *t, MtRel *rel)
{
   switch (rel->kind) {
   case MT_REL_TABLE: return t->visit (t->ctx, &rel->table);
   case MT_REL_QUERY: return tables_of (t, rel->query);
   case MT_REL_JOIN:
      return tables_of_rel (t, rel->join->left) && tables_of_rel (t, rel->join->right);
   case MT_REL_UNNEST: return tables_of_rel (t, rel->unnest->input);
   case MT_REL_SHARED: return tables_of_shared (t, rel->shared);
   case MT_REL_NONE:
   case MT_REL_VALUES:
   case MT_REL_SERIES:
   case MT_REL_WORK:
   case MT_REL_SYSTEM: return true;
   }
   return true;
}

static bool tables_of (Tables *t, MtQuery *q)
{
   for (int i = 0; i < q->arm_count; i++)
      if (!tables_of (t, q->arms[i]))
         return false;
   return q->arm_count || tables_of_rel (t, &q->rel);
}

bool mt_tables_each (MtArena *a, MtQuery *q, MtVisitTable visit, void *ctx)
{
   Tables t = {.a = a, .visit = visit, .ctx = ctx};
   return tables_of (&t, q);
}

/* ---- references to enclosing queries ---- */

static bool is_outer (void *scope, const MtX *x)
{
   int wanted = *(const int *) scope;
   return x->kind == MT_X_OUTER && (!wanted || x->outer.scope == wanted);
}

bool mt_x_has_outer (const MtX *x, int scope) { return mt_x_find (x, is_outer, &scope) != NULL; }

const char *mt_outer_name (MtArena *a, int scope, int column)
{
   return column < MT_OUTER_AGG ? mt_printf (a, "o%d_%d", scope, column)
                                : mt_printf (a, "o%d_a%d", scope, column - MT_OUTER_AGG);
}

/* ---- volatile functions ---- */

static bool any_volatile (MtX *const *list, int n)
{
   for (int i = 0; i < n; i++)
      if (list[i] && list[i]->is_volatile)
         return true;
   return false;
}

static bool rel_is_volatile (const MtRel *rel)
{
   for (int i = 0; i < rel->row_count; i++)
      if (any_volatile (rel->rows[i], rel->column_count))
         return true;
   if (rel->kind == MT_REL_JOIN)
      return any_volatile (&rel->join->on, 1) || rel_is_volatile (rel->join->left) ||
             rel_is_volatile (rel->join->right);
   if (rel->kind == MT_REL_UNNEST)
      return any_volatile (rel->unnest->calls, rel->unnest->count) ||
             any_volatile (&rel->unnest->on, 1) || rel_is_volatile (rel->unnest->input);
   return rel->kind == MT_REL_QUERY && mt_query_is_volatile (rel->query);
}

bool mt_query_is_volatile (const MtQuery *q)
{
   for (int i = 0; i < q->arm_count; i++)
      if (mt_query_is_volatile (q->arms[i]))
         return true;
   for (int i = 0; i < q->target_count; i++)
      if (any_volatile (&q->targets[i].expr, 1))
         return true;
   for (int i = 0; i < q->agg_count; i++)
      if (any_volatile (&q->aggs[i].arg, 1) || any_volatile (&q->aggs[i].filter, 1))
         return true;
   return any_volatile (&q->where, 1) || any_volatile (q->keys, q->key_count) ||
          rel_is_volatile (&q->rel);
}

/* ---- origins ---- */

static MtOrigin target_origin (const MtQuery *q, int target)
{
   const MtX *x = q->targets[target].expr;
   if (x->kind == MT_X_KEY && x->index < q->key_count)
      x = q->keys[x->index];
   return x->kind == MT_X_COLUMN && x->column < q->rel.column_count
             ? q->rel.columns[x->column].origin
             : (MtOrigin) {NULL, 0};
}

MtRelColumn mt_rel_column_target (const MtQuery *q, int target)
{
   MtRelColumn c = mt_rel_column_of (q->targets[target].name, q->targets[target].expr);
   c.origin = target_origin (q, target);
   return c;
}

void mt_query_set_origins (MtArena *a, MtQuery *q)
{
   for (int i = 0; i < q->visible_count; i++) {
      MtOrigin origin = target_origin (q, i);
      if (!origin.relation)
         continue;
      if (!q->origins)
         q->origins = MT_NEW_N (a, MtOrigin, (size_t) q->visible_count);
      q->origins[i] = origin;
   }
}

bool mt_window_same_rows (const MtWindowDef *a, const MtWindowDef *b)
{
   bool same = a->partition_count == b->partition_count && a->order_count == b->order_count;
   for (int i = 0; i < a->partition_count && same; i++)
      same = mt_x_equal (a->partition[i], b->partition[i]);
   for (int i = 0; i < a->order_count && same; i++)
      same = mt_x_equal (a->order[i].expr, b->order[i].expr) &&
             a->order[i].descending == b->order[i].descending &&
             a->order[i].nulls_first == b->order[i].nulls_first;
   return same;
}
