/* LATEST ON, which selects the newest row of each key. FROM is replaced by the sub-select SELECT
 * DISTINCT ON (keys) * FROM … WHERE … ORDER BY keys, time DESC NULLS LAST, which keeps the names of
 * FROM. All clauses but WHERE then apply to the rows of the sub-select. */
#include "analyze/block/block_int.h"
#include "analyze/from/from.h"
#include "analyze/types/coerce.h"

/* Adds a column to the ORDER BY of q, unless the column is a sort key already. Fails with 0A000 if
 * e is an expression. */
static bool add_key (MtBinder *b, MtScope *s, const MtExpr *e, bool descending, MtQuery *q)
{
   MtX *x = NULL;
   if (e->kind == MT_EXPR_COLUMN && !mt_bind_x (b, s, e, &x))
      return false;
   if (!x || x->kind != MT_X_COLUMN) {
      mt_refuse (b, e->span, "an expression in LATEST ON is");
      return mt_error_hint (b->err, "Use SELECT DISTINCT ON (…) … ORDER BY …, time DESC.");
   }
   for (int i = 0; i < q->sort_count; i++)
      if (q->sort[i].expr->index == x->column)
         return true;
   MtX *target = mt_x_new (b->a, MT_X_TARGET, x->type, e->span);
   target->index = x->column;
   mt_x_refers (target, x);
   q->sort[q->sort_count++] = (MtSortX) {.expr = target, .descending = descending};
   return true;
}

bool mt_bind_latest (MtBinder *b, const MtSelect *s, MtRel *rel)
{
   const MtLatest *latest = s->plain.latest;
   MtRel rows = *rel;
   MtScope scope = {.rel = &rows, .own = &rows, .clause = MT_CLAUSE_WHERE, .only_true = true};
   MtQuery *q = mt_query_over (b, rel, rel->column_count, NULL);
   q->sort = MT_NEW_N (b->a, MtSortX, (size_t) mt_list_length (latest->keys) + 1);
   for (const MtExprList *k = latest->keys; k; k = k->next)
      if (!add_key (b, &scope, k->expr, false, q))
         return false;
   q->on_count = q->sort_count;
   if (!add_key (b, &scope, latest->time, true, q) ||
       (s->plain.where && !mt_bind_bool (b, &scope, s->plain.where, "WHERE", &q->where)))
      return false;
   q->rel = rows;
   mt_become_query (rel, q);
   return true;
}
