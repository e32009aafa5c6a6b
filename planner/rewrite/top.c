#include "planner/rewrite/top.h"

#include "query/x.h"

/* Returns the number of the column of q's FROM that is sort key s. -1: s is another expression. */
static int column_of (const MtQuery *q, const MtSortX *s)
{
   const MtX *x = mt_sort_expr (q, s);
   return x->kind == MT_X_COLUMN ? x->column : -1;
}

/* Returns whether sub-select `in` can be limited to its first rows in the order of its own columns,
 * before it computes its select list. */
static bool takes_top (const MtQuery *in)
{
   bool plain = !in->grouped && !in->distinct && !in->on_count && !in->windows && !in->times &&
                !in->work && in->limit < 0 && in->offset == 0;
   return plain && (in->arm_count || in->rel.kind == MT_REL_TABLE || in->rel.kind == MT_REL_QUERY);
}

/* Returns a copy of `in` with the ORDER BY and LIMIT of q. targets: for each column of q's FROM,
 * the index of the target of `in`; NULL: the same index. Returns `in` itself if a sort key is not a
 * column of `in`. */
static MtQuery *with_top (MtArena *a, const MtQuery *q, MtQuery *in, const int *targets)
{
   if (!takes_top (in))
      return in;
   MtSortX *sort = MT_NEW_N (a, MtSortX, (size_t) q->sort_count);
   for (int i = 0; i < q->sort_count; i++) {
      int c = column_of (q, &q->sort[i]), t = c >= 0 && targets ? targets[c] : c;
      if (t < 0 || in->targets[t].expr->kind != MT_X_COLUMN)
         return in;
      const MtX *of = in->targets[t].expr;
      MtX *x = mt_x_new (a, MT_X_TARGET, of->type, of->span);
      x->index = t;
      mt_x_refers (x, of);
      sort[i] = (MtSortX) {
         .expr = x, .descending = q->sort[i].descending, .nulls_first = q->sort[i].nulls_first};
   }
   MtQuery *own = mt_query_copy (a, in);
   own->sort = sort;
   own->sort_count = q->sort_count;
   own->limit = q->limit + q->offset;
   own->unordered = false;
   return own;
}

/* Returns whether q returns the first rows, in some order, of its FROM, or of the members of its
 * union. */
static bool is_top (const MtQuery *q)
{
   return q->sort_count && q->limit > 0 && q->limit < INT64_MAX / 2 && q->offset < INT64_MAX / 2 &&
          !q->with_ties && !q->distinct && !q->on_count && !q->grouped && !q->windows &&
          !q->where && !q->times && !q->work;
}

const MtQuery *mt_push_top (MtArena *a, const MtQuery *q)
{
   if (!is_top (q) || (!q->arm_count && q->rel.kind != MT_REL_QUERY))
      return q;
   MtQuery *own = mt_query_copy (a, q);
   if (!q->arm_count) {
      own->rel.query = with_top (a, q, q->rel.query, q->rel.targets);
      return own;
   }
   own->arms = MT_NEW_N (a, MtQuery *, (size_t) q->arm_count);
   for (int i = 0; i < q->arm_count; i++)
      own->arms[i] = with_top (a, q, q->arms[i], NULL);
   return own;
}
