#include "base/cancel.h"

#include "base/error.h"
#include "base/memory.h"

#include <time.h>

int64_t mt_now_us (void)
{
   struct timespec ts;
   clock_gettime (CLOCK_MONOTONIC, &ts);
   return (int64_t) ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t mt_now_ms (void) { return mt_now_us () / 1000; }

int64_t mt_wall_ms (void)
{
   struct timespec ts;
   clock_gettime (CLOCK_REALTIME, &ts);
   return (int64_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

bool mt_cancel_check (const MtCancel *c, MtError *err)
{
   if (!c)
      return true;
   if (!mt_memory_check (err))
      return false;
   if (atomic_load_explicit (&c->requested, memory_order_relaxed))
      return mt_error (err, MT_E_CANCELED, "canceling statement due to user request");
   if (c->deadline_ms && mt_now_ms () >= c->deadline_ms)
      return mt_error (err, MT_E_CANCELED, "canceling statement due to statement timeout");
   return true;
}
