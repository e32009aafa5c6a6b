#include "session/state/session.h"

void mt_set_deadline (MtSession *s)
{
   s->cancel.deadline_ms = s->settings.statement_timeout
                              ? mt_now_ms () + s->settings.statement_timeout
                              : 0;
}

bool mt_statement_start (MtSession *s, MtError *err)
{
   if (!mt_memory_begin (&s->shortage, err))
      return false;
   atomic_store_explicit (&s->cancel.requested, false, memory_order_relaxed);
   atomic_store_explicit (&s->cancel.insisted, false, memory_order_relaxed);
   s->cancel.statement++;
   mt_set_deadline (s);
   s->statement_ms = mt_wall_ms ();
   return true;
}
