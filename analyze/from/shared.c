/* Decides which queries are computed once and shared, as in PostgreSQL: those that are
 * MATERIALIZED, contain volatile functions, or are read in several places. But a query that only
 * reads rows of one table, or constants, is copied to each place instead. Each copy can then read a
 * cheaper level of the layout for the conditions and grouping of its place. */
#include "analyze/from/shared.h"

#include "analyze/calls/fold.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "planner/rewrite/push.h"

#include <string.h>

#define MOST_COPIES 16 /* maximum number of repeated view queries in one statement */

MtQuery *mt_shared_reading (MtBinder *b, MtShared *s, MtSpan at)
{
   MtQuery *q = MT_NEW (b->a, MtQuery);
   int n = s->query->visible_count;
   q->limit = -1;
   q->rel = (MtRel) {.kind = MT_REL_SHARED, .alias = s->name, .column_count = n, .shared = s};
   q->rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n + 1);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   q->target_count = q->visible_count = n;
   for (int i = 0; i < n; i++) {
      const MtTargetX *t = &s->query->targets[i];
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, t->expr->type, at);
      x->column = i;
      mt_x_refers (x, t->expr);
      q->rel.columns[i] = mt_rel_column_of (t->name, t->expr);
      if (s->query->origins)
         q->rel.columns[i].origin = s->query->origins[i];
      q->targets[i] = (MtTargetX) {t->name, x};
   }
   return q;
}

/* Returns whether q only reads rows of one table, or constants. Then q is cheap enough to be copied
 * to each place that reads it. */
static bool is_plain (const MtQuery *q)
{
   if (q->arm_count || q->grouped || q->distinct || q->on_count || q->windows || q->gapfill ||
       q->limit >= 0 || q->offset || q->work)
      return false;
   switch (q->rel.kind) {
   case MT_REL_NONE:
   case MT_REL_TABLE:
   case MT_REL_VALUES:
   case MT_REL_SYSTEM:
   case MT_REL_SHARED: return true;
   case MT_REL_QUERY: return is_plain (q->rel.query);
   case MT_REL_JOIN:
   case MT_REL_SERIES:
   case MT_REL_UNNEST:
   case MT_REL_WORK: break;
   }
   return false;
}

/* Returns whether q is a GROUP BY query over one table. If q is copied to each place that reads it,
 * conditions of the place can be pushed into the copy. */
static bool groups_table (const MtQuery *q)
{
   bool counts = q->arm_count || q->distinct || q->on_count || q->windows || q->gapfill ||
                 q->limit >= 0 || q->offset;
   return q->grouped && q->key_count && !counts && q->rel.kind == MT_REL_TABLE;
}

static bool should_share (MtBinder *b, const MtCteBind *c, const MtQuery *q)
{
   if (c->cte->materialized == 1 || c->state->varies)
      return true;
   /* References from within the entry's own recursive query don't count. */
   if (c->cte->uses - c->cte->self < 2 && c->state->reads < 2)
      return false;
   MtSharing *all = mt_sharing (b);
   if (c->cte->materialized == 2 || is_plain (q) || all->copies >= MOST_COPIES)
      return all->copies >= MOST_COPIES;
   all->groupings += groups_table (q);
   return !all->apart || !groups_table (q);
}

static bool share (MtBinder *b, const char *name, MtSpan span, MtShared **out, MtQuery **q)
{
   MtSharing *all = mt_sharing (b);
   MtShared *s = MT_NEW (b->a, MtShared);
   all->rows = all->rows ? all->rows : mt_shared_rows_new (b->a);
   *s = (MtShared) {.name = name,
                    .work = mt_printf (b->a, "_mtsql_with_%d", ++all->count),
                    .query = *q,
                    .rows = all->rows};
   mt_query_set_origins (b->a, s->query);
   if (!mt_fold_query (b, s->query))
      return false;
   mt_push_query (b->a, s->query);
   *out = s;
   *q = mt_shared_reading (b, s, span);
   return true;
}

bool mt_share_cte (MtBinder *b, const MtCteBind *c, bool alone, MtQuery **q)
{
   return !alone || !should_share (b, c, *q) ||
          share (b, c->cte->name.text, c->cte->name.span, &c->state->shared, q);
}

/* ---- views ---- */

struct MtViewRead {
   const char *name;
   int reads;
   MtShared *shared;
   MtViewRead *next;
};

MtViewRead *mt_view_read (MtBinder *b, const char *name, MtQuery **read)
{
   MtSharing *all = mt_sharing (b);
   MtViewRead *v = all->views;
   while (v && strcmp (v->name, name) != 0)
      v = v->next;
   if (!v) {
      v = MT_NEW (b->a, MtViewRead);
      *v = (MtViewRead) {.name = name, .next = all->views};
      all->views = v;
   }
   *read = v->shared ? mt_shared_reading (b, v->shared, MT_NO_SPAN) : NULL;
   all->copies += !v->shared && ++v->reads > 1;
   return v;
}

/* A view's query is copied to each place that reads the view. Only if the statement has too many
 * copies, since views over views multiply them, the rows are computed once and shared. */
bool mt_share_view (MtBinder *b, MtViewRead *v, MtQuery **q)
{
   if (v->reads < 2 || mt_sharing (b)->copies < MOST_COPIES || mt_query_is_volatile (*q))
      return true;
   return share (b, v->name, MT_NO_SPAN, &v->shared, q);
}

/* ---- items of FROM ---- */

static bool is_inner (void *ctx, MtX **x)
{
   (void) ctx;
   return !mt_x_has_outer (*x, 0);
}

/* Returns whether rel reads the newest rows of an enclosing recursive query. They change in each
 * round, so they can't be shared. */
static bool reads_work (const MtRel *rel)
{
   if (rel->kind == MT_REL_JOIN)
      return reads_work (rel->join->left) || reads_work (rel->join->right);
   if (rel->kind == MT_REL_UNNEST)
      return reads_work (rel->unnest->input);
   if (rel->kind != MT_REL_QUERY)
      return rel->kind == MT_REL_WORK;
   for (int i = 0; i < rel->query->arm_count; i++) {
      MtRel arm = {.kind = MT_REL_QUERY, .query = rel->query->arms[i]};
      if (reads_work (&arm))
         return true;
   }
   return reads_work (&rel->query->rel);
}

static int count_rel (const MtRel *rel)
{
   int n = 0;
   if (rel->kind == MT_REL_JOIN)
      return count_rel (rel->join->left) + count_rel (rel->join->right);
   if (rel->kind == MT_REL_UNNEST)
      return count_rel (rel->unnest->input);
   if (rel->kind != MT_REL_QUERY)
      return 0;
   for (int i = 0; i < rel->query->arm_count; i++) {
      MtRel arm = {.kind = MT_REL_QUERY, .query = rel->query->arms[i]};
      n += count_rel (&arm);
   }
   return 1 + n + count_rel (&rel->query->rel);
}

bool mt_share_from (MtBinder *b, MtRel *rel, int times)
{
   MtShared *s;
   if (rel->kind != MT_REL_QUERY || times * count_rel (rel) <= MOST_COPIES ||
       is_plain (rel->query) || reads_work (rel) || !mt_query_each (rel->query, is_inner, NULL))
      return true;
   return share (b, rel->alias ? rel->alias : "subquery", MT_NO_SPAN, &s, &rel->query);
}

/* ---- limits ---- */

static bool count_queries (MtBinder *b, int n, MtSpan span)
{
   MtSharing *all = mt_sharing (b);
   all->queries += n;
   if (all->queries > MT_MAX_EXPANDED_QUERIES) {
      mt_error_at (b->err, span, MT_E_TOO_COMPLEX, "statement is too complex");
      mt_error_detail (b->err,
                       "With its views and repeated WITH queries it has more than %d queries.",
                       MT_MAX_EXPANDED_QUERIES);
      return mt_error_hint (b->err,
                            "Use materialized views, or WITH queries that are MATERIALIZED.");
   }
   return true;
}

bool mt_count_query (MtBinder *b, MtSpan span)
{
   return (!b->expands || count_queries (b, 1, span)) && mt_cancel_check (b->env->cancel, b->err);
}

bool mt_count_copies (MtBinder *b, const MtQuery *q, MtSpan span)
{
   MtQuery own = *q;
   MtRel rel = {.kind = MT_REL_QUERY, .query = &own};
   return count_queries (b, count_rel (&rel), span);
}
