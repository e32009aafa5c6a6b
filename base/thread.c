#include "base/thread.h"

#include "base/memory.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

typedef struct Start {
   void *(*run) (void *);
   void *arg;
   MtShortage *shortage;
} Start;

static void *start (void *given)
{
   Start s = *(Start *) given;
   free (given);
   MT_RECORD_SHORTAGE (s.shortage);
   return s.run (s.arg);
}

bool mt_thread_start (pthread_t *thread, void *(*run) (void *), void *arg)
{
   Start *given = mt_malloc ("thread", sizeof *given);
   *given = (Start) {run, arg, mt_memory_now ()};
   sigset_t all, before;
   sigfillset (&all);
   sigdelset (&all, SIGBUS); /* each thread must receive SIGBUS for its own reads of mapped files */
   pthread_sigmask (SIG_SETMASK, &all, &before);
   bool ok = pthread_create (thread, NULL, start, given) == 0;
   pthread_sigmask (SIG_SETMASK, &before, NULL);
   if (!ok)
      free (given);
   return ok;
}

void mt_cond_init (pthread_cond_t *c)
{
   pthread_condattr_t attr;
   pthread_condattr_init (&attr);
   pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
   pthread_cond_init (c, &attr);
   pthread_condattr_destroy (&attr);
}

void mt_cond_wait_until (pthread_cond_t *c, pthread_mutex_t *m, int64_t ms)
{
   pthread_cond_timedwait (
      c, m, &(struct timespec) {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000});
}
