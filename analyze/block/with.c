/* Rules about which WITH entries a query can refer to. */
#include "analyze/block/block_int.h"
#include "analyze/state/cte.h"

#include <stdlib.h>
#include <string.h>

static bool same_spelling (const MtName *a, const MtName *b)
{
   bool exact = mt_name_is_exact (a) || mt_name_is_exact (b);
   return exact ? strcmp (a->text, b->text) == 0 : mt_ieq (a->text, b->text);
}

static int by_name (const void *a, const void *b)
{
   const MtName *x = &(*(const MtCte *const *) a)->name, *y = &(*(const MtCte *const *) b)->name;
   int c = strcasecmp (x->text, y->text);
   return c ? c : (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

/* Returns the first WITH entry that has the same name as an earlier entry. NULL: all names
 * differ. */
static const MtCte *first_duplicate (MtArena *a, const MtSelect *s)
{
   size_t n = 0;
   for (const MtCte *c = s->with; c; c = c->next)
      n++;
   const MtCte **list = MT_NEW_N (a, const MtCte *, n + 1), *first = NULL;
   n = 0;
   for (const MtCte *c = s->with; c; c = c->next)
      list[n++] = c;
   qsort (list, n, sizeof *list, by_name);
   for (size_t i = 1; i < n; i++)
      for (size_t k = i; k-- > 0 && strcasecmp (list[k]->name.text, list[i]->name.text) == 0;)
         if (same_spelling (&list[k]->name, &list[i]->name)) {
            if (!first || list[i]->name.span.start < first->name.span.start)
               first = list[i];
            break;
         }
   return first;
}

bool mt_push_ctes (MtBinder *b, const MtSelect *s)
{
   const MtCteBind *before = b->ctes;
   const MtCte *again = s->with && s->with->next ? first_duplicate (b->a, s) : NULL;
   if (again)
      return mt_error_at (b->err, again->name.span, MT_E_DUPLICATE_ALIAS,
                          "WITH query name \"%s\" specified more than once", again->name.text);
   for (const MtCte *c = s->with; c; c = c->next) {
      if (!mt_cancel_check (b->env->cancel, b->err))
         return false;
      if (c->stmt && !c->rows)
         return mt_error_at (b->err, c->name.span, MT_E_FEATURE,
                             "WITH clause containing a data-modifying statement must be at the "
                             "top level");
      MtCteBind *bind = MT_NEW (b->a, MtCteBind);
      *bind = (MtCteBind) {c, s->with_recursive ? MT_NEW (b->a, MtRecursion) : NULL,
                           MT_NEW (b->a, MtCteState), b->outer, b->ctes};
      b->ctes = bind;
   }
   for (const MtCteBind *c = b->ctes; c != before && s->with_recursive; c = c->outer)
      c->recursion->scope = b->ctes;
   return true;
}
