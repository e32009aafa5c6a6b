/* Visibility of WITH entries. */
#include "analyze/block/block_int.h"
#include "analyze/state/cte.h"

#include <string.h>

static bool same_spelling (const MtName *a, const MtName *b)
{
   bool exact = mt_name_is_exact (a) || mt_name_is_exact (b);
   return exact ? strcmp (a->text, b->text) == 0 : mt_ieq (a->text, b->text);
}

bool mt_push_ctes (MtBinder *b, const MtSelect *s)
{
   const MtCteBind *before = b->ctes;
   for (const MtCte *c = s->with; c; c = c->next) {
      if (!mt_cancel_check (b->env->cancel, b->err))
         return false;
      for (const MtCte *d = s->with; d != c; d = d->next)
         if (same_spelling (&d->name, &c->name))
            return mt_error_at (b->err, c->name.span, MT_E_DUPLICATE_ALIAS,
                                "WITH query name \"%s\" specified more than once", c->name.text);
      MtCteBind *bind = MT_NEW (b->a, MtCteBind);
      *bind = (MtCteBind) {c, s->with_recursive ? MT_NEW (b->a, MtRecursion) : NULL,
                           MT_NEW (b->a, MtCteState), b->outer, b->ctes};
      b->ctes = bind;
   }
   for (const MtCteBind *c = b->ctes; c != before && s->with_recursive; c = c->outer)
      c->recursion->scope = b->ctes;
   return true;
}
