/* Aggregates of a query block with WINDOW JOINs. Each aggregate uses columns of one right side, and
 * may also use columns of the left side. */
#include "analyze/from/window_join.h"
#include "analyze/group/aggregate.h"
#include "query/condition.h"

static bool refuse (MtBinder *b, MtSpan span, const char *what, const char *hint)
{
   mt_refuse (b, span, what);
   return mt_error_hint (b->err, "%s", hint);
}

/* Returns the right side of a WINDOW JOIN whose columns the aggregate call uses. NULL: it uses
 * columns of several right sides, or of none although there are several. */
static MtWindowSide *side_of (MtWindowJoin *w, const MtAggCall *call)
{
   MtColumnSpan span = {INT32_MAX, -1};
   const MtX *parts[] = {call->arg, call->filter};
   for (int i = 0; i < 2; i++) {
      MtColumnSpan own = parts[i] ? mt_x_column_span (parts[i]) : span;
      span.low = own.low < span.low ? own.low : span.low;
      span.high = own.high > span.high ? own.high : span.high;
   }
   if (span.high < 0)
      return w->count == 1 ? &w->sides[0] : NULL;
   for (int i = 0; i < w->count; i++) {
      MtWindowSide *side = &w->sides[i];
      if (span.low >= side->first && span.low < side->first + side->rel.column_count)
         return span.high < side->first + side->rel.column_count ? side : NULL;
   }
   return NULL;
}

/* Analyzes the aggregate call in the scope of the right sides (s->around->scope), and stores it
 * there as the only aggregate. */
static bool bind_inside (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int count,
                         MtX **out)
{
   MtWindowJoin *w = s->around;
   MtOuter left = w->left;
   w->scope.clause = s->clause;
   w->scope.in_aggregate = s->in_aggregate;
   w->scope.agg_count = 0;
   left.next = b->outer;
   b->outer = &left;
   bool ok = mt_bind_aggregate (b, &w->scope, e, sigs, count, out);
   b->outer = left.next;
   return ok;
}

bool mt_bind_around (MtBinder *b, MtScope *s, const MtExpr *e, const MtSig **sigs, int count,
                     MtX **out)
{
   MtWindowJoin *w = s->around;
   MtX *x;
   if (!bind_inside (b, s, e, sigs, count, &x))
      return false;
   if (x->kind == MT_X_OUTER) { /* a query around the block computes it */
      *out = x;
      return true;
   }
   MtAggCall call = w->scope.aggs[x->index];
   MtWindowSide *side = side_of (w, &call);
   if (w->scope.has_given)
      return mt_refuse (b, e->span, "this aggregate in a WINDOW JOIN is");
   if (!side)
      return refuse (b, e->span, "this aggregate in a query with several WINDOW JOINs is",
                     "Use columns of one right side in each aggregate.");
   call.arg = call.arg ? mt_x_shift (b->a, call.arg, -side->first) : NULL;
   call.filter = call.filter ? mt_x_shift (b->a, call.filter, -side->first) : NULL;
   *out = mt_x_new (b->a, MT_X_COLUMN, x->type, e->span);
   (*out)->column = side->result + mt_add_aggregate (b, &side->found, &call);
   (*out)->nullable = true;
   (*out)->finite = x->finite;
   return true;
}
