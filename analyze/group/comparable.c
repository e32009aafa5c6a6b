#include "analyze/group/comparable.h"

#include "analyze/state/record_shape.h"
#include "query/window.h"

static bool equality (MtBinder *b, const MtX *x)
{
   MtTypeId t = mt_record_lacks_equality (b, x->type);
   return t == MT_T_UNKNOWN || mt_error_at (b->err, x->span, MT_E_UNDEFINED_FUNCTION,
                                            "could not identify an equality operator for type %s",
                                            mt_type_info (t)->display);
}

static bool order (MtBinder *b, const MtX *x)
{
   MtTypeId t = mt_record_lacks_equality (b, x->type);
   if (t == MT_T_UNKNOWN)
      return true;
   mt_error_at (b->err, x->span, MT_E_UNDEFINED_FUNCTION,
                "could not identify an ordering operator for type %s", mt_type_info (t)->display);
   return mt_error_hint (b->err, "Use an explicit ordering operator or modify the query.");
}

static bool aggregate (MtBinder *b, const MtAggCall *call)
{
   bool row = call->arg && call->arg->kind == MT_X_CALL && call->order_count;
   int n = row ? call->arg->call.argc : 0;
   for (int i = n - call->order_count; row && i >= 0 && i < n; i++)
      if (!order (b, call->arg->call.args[i]))
         return false;
   if (!call->distinct || !call->arg)
      return true;
   const MtX *first = call->arg->kind == MT_X_CALL && call->arg->call.argc &&
                            call->arg->type.id == MT_T_JSONB
                         ? call->arg->call.args[0]
                         : call->arg;
   return equality (b, first);
}

static bool windows (MtBinder *b, const MtWindows *w)
{
   for (int i = 0; w && i < w->def_count; i++) {
      for (int k = 0; k < w->defs[i].partition_count; k++)
         if (!equality (b, w->defs[i].partition[k]))
            return false;
      for (int k = 0; k < w->defs[i].order_count; k++)
         if (!order (b, w->defs[i].order[k].expr))
            return false;
   }
   return true;
}

bool mt_check_comparable (MtBinder *b, const MtScope *s, const MtQuery *q)
{
   for (int i = 0; i < q->key_count; i++)
      if (!equality (b, q->keys[i]))
         return false;
   for (int i = 0; (q->distinct || q->times) && i < q->visible_count; i++)
      if (!equality (b, q->targets[i].expr))
         return false;
   for (int i = 0; i < q->sort_count; i++)
      if (!order (b, q->sort[i].expr))
         return false;
   for (int i = 0; s && i < s->agg_count; i++)
      if (!aggregate (b, &s->aggs[i]))
         return false;
   return !s || windows (b, s->windows);
}
