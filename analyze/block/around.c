/* The sub-selects of WINDOW JOINs, which compute the aggregates of their right sides. They are
 * pending until all clauses of the block are bound, since each clause can add aggregates. */
#include "analyze/block/block_int.h"
#include "analyze/from/window_join.h"
#include "analyze/sub/pending.h"

bool mt_begin_around (MtBinder *b, MtScope *s, const MtSelect *select)
{
   MtWindowJoin *w = s->around;
   const MtSpan at = select->plain.from->span;
   const char *clause = NULL;
   if (select->plain.sample)
      clause = "SAMPLE BY in a query with a WINDOW JOIN is";
   else if (select->plain.latest)
      clause = "LATEST ON in a query with a WINDOW JOIN is";
   else if (select->plain.group_by)
      clause = "GROUP BY in a query with a WINDOW JOIN is";
   else if (select->plain.having)
      clause = "HAVING in a query with a WINDOW JOIN is";
   if (clause) {
      mt_refuse (b, at, clause);
      return mt_error_hint (b->err, "Put the WINDOW JOIN into a sub-select.");
   }
   for (int i = 0; i < w->count; i++) {
      MtRel *room = MT_NEW (b->a, MtRel);
      const MtJoin how = {.keep_left = true};
      room->column_count = MT_MAX_COLUMNS;
      w->sides[i].pending = s->pending_count;
      w->sides[i].result = mt_pending_new (b, s, room, &how, w->sides[i].span)->first;
   }
   return true;
}

static MtQuery *aggregates_of (MtBinder *b, const MtWindowSide *side)
{
   MtQuery *q = MT_NEW (b->a, MtQuery);
   int n = side->found.agg_count;
   *q = (MtQuery) {.rel = side->rel,
                   .where = side->where,
                   .grouped = true,
                   .aggs = side->found.aggs,
                   .agg_count = n,
                   .targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1),
                   .target_count = n,
                   .visible_count = n,
                   .limit = -1};
   for (int i = 0; i < n; i++) {
      MtX *x = mt_x_new (b->a, MT_X_AGG, q->aggs[i].type, q->aggs[i].span);
      x->index = i;
      x->nullable = true;
      q->targets[i] = (MtTargetX) {"", x};
   }
   return q;
}

bool mt_end_around (MtBinder *b, MtScope *s)
{
   MtWindowJoin *w = s->around;
   for (int i = 0; i < w->count; i++) {
      const MtWindowSide *side = &w->sides[i];
      MtPending *p = &s->pending[side->pending];
      MtQuery *q = aggregates_of (b, side);
      if (!q->agg_count) {
         mt_error_at (b->err, side->span, MT_E_GROUPING,
                      "a WINDOW JOIN needs an aggregate over its right side");
         return mt_error_hint (b->err, "Use a column of the right side in an aggregate of the "
                                       "select list.");
      }
      if (q->agg_count > MT_MAX_COLUMNS)
         return mt_error_at (b->err, side->span, MT_E_TOO_MANY_COLUMNS,
                             "joins can have at most %d columns", MT_MAX_COLUMNS);
      p->right->kind = MT_REL_QUERY;
      p->right->query = q;
      p->right->column_count = q->agg_count;
      p->right->columns = MT_NEW_N (b->a, MtRelColumn, (size_t) q->agg_count + 1);
      for (int k = 0; k < q->agg_count; k++)
         p->right->columns[k] = mt_column_computed (NULL, q->aggs[k].type, true,
                                                    q->targets[k].expr->finite);
      p->join->right = p->right;
      mt_join_apply (b, p->join, mt_scope_id (b, s));
   }
   return true;
}
