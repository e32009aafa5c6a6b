/* Limits on nesting, errors for unsupported features, and access to the state of a statement. */
#include "analyze/state/binder.h"

#include "base/limits.h"

bool mt_enter (MtBinder *b, MtSpan span)
{
   MtSharing *all = mt_sharing (b);
   if (b->inline_depth && ++all->nodes > MT_MAX_EXPANDED_NODES) {
      mt_error_at (b->err, span, MT_E_TOO_COMPLEX, "statement is too complex");
      return mt_error_detail (b->err, "The bodies of its SQL functions have more than %d nodes.",
                              MT_MAX_EXPANDED_NODES);
   }
   if (!(++all->tick & 255) && !mt_cancel_check (b->env->cancel, b->err))
      return false;
   if (++b->depth <= MT_MAX_EXPR_DEPTH)
      return true;
   b->depth--;
   mt_error_at (b->err, span, MT_E_TOO_COMPLEX, "stack depth limit exceeded");
   return mt_error_hint (b->err, "Expressions may be nested %d deep.", MT_MAX_EXPR_DEPTH);
}

bool mt_refuse (MtBinder *b, MtSpan span, const char *what)
{
   return mt_error_at (b->err, span, MT_E_FEATURE, "%s not supported", what);
}

bool mt_x_map_children (MtBinder *b, MtX **x, bool (*child) (void *ctx, MtX **x), void *ctx)
{
   int n;
   if (!mt_x_children (*x, &n))
      return true;
   if (!mt_enter (b, (*x)->span))
      return false;
   MtX **list, *copy = mt_x_copy (b->a, *x, &list, &n);
   bool ok = true;
   for (int i = 0; i < n && ok; i++)
      ok = child (ctx, &list[i]);
   mt_leave (b);
   mt_x_update (copy);
   *x = copy;
   return ok;
}

MtSharing *mt_sharing (MtBinder *b)
{
   if (!b->sharing)
      b->sharing = b->env->sharing ? b->env->sharing : MT_NEW (b->a, MtSharing);
   return b->sharing;
}

const MtScope *mt_body_scope (const MtBinder *b, const MtScope *s)
{
   if (s->param_sig)
      return s;
   for (const MtOuter *o = b->outer; o; o = o->next)
      if (o->scope->param_sig)
         return o->scope;
   return NULL;
}

MtX *mt_body_param (const MtScope *body, int i)
{
   if (body->param_uses)
      body->param_uses[i]++;
   return body->params[i];
}
