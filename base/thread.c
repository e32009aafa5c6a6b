#include "base/thread.h"

#include <signal.h>
#include <time.h>

bool mt_thread_start (pthread_t *thread, void *(*run) (void *), void *arg)
{
   sigset_t all, before;
   sigfillset (&all);
   pthread_sigmask (SIG_SETMASK, &all, &before);
   bool ok = pthread_create (thread, NULL, run, arg) == 0;
   pthread_sigmask (SIG_SETMASK, &before, NULL);
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
   pthread_cond_timedwait (c, m, &(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000});
}
