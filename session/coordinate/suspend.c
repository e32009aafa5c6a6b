/* Suspends cancel requests and the statement's deadline during a clean-up. */
#include "session/coordinate/coordinate_int.h"

MtSuspended mt_cancel_suspend (MtSession *s, int64_t until_ms)
{
   MtSuspended h = {atomic_exchange (&s->cancel.requested, false), s->cancel.deadline_ms,
                    mt_memory_hush (&s->shortage)};
   s->cancel.deadline_ms = until_ms;
   return h;
}

void mt_cancel_resume (MtSession *s, MtSuspended h)
{
   s->cancel.deadline_ms = h.deadline_ms;
   mt_memory_unhush (&s->shortage, h.shortage);
   if (h.requested && atomic_exchange (&s->cancel.requested, true))
      atomic_store (&s->cancel.insisted, true);
}
