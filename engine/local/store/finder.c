/* What finds documents of a block by a field. It is made when it is needed, in any thread, and added
 * to its lists without a lock. */
#include "engine/local/store/coll_int.h"

#include <stdlib.h>

MtFinder *mt_finder_of (_Atomic (MtFinder *) *list, uint32_t field)
{
   MtFinder *f = atomic_load_explicit (list, memory_order_acquire);
   while (f && f->field != field)
      f = f->next;
   return f;
}

void mt_finder_add (MtColl *c, _Atomic (MtFinder *) *list, MtFinder *f)
{
   f->older = atomic_load (&c->finders);
   while (!atomic_compare_exchange_weak (&c->finders, &f->older, f))
      ;
   f->next = atomic_load (list);
   while (!atomic_compare_exchange_weak (list, &f->next, f))
      ;
}

void mt_finders_free (MtColl *c)
{
   for (MtFinder *f = atomic_load (&c->finders), *older; f; f = older) {
      older = f->older;
      free (f);
   }
}
