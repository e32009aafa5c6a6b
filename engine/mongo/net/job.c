/* Jobs: work in detached threads that outlives the statement that started it, and is ended with the
 * process. */
#include "engine/mongo/net/job.h"

#include "base/thread.h"

#include <stddef.h>

enum {
   SLICE_MS = 20, /* interval between two calls of goes_on */
   STOP_MS = 300, /* how long the end of the process waits for a cancelled job */
   MOST_JOBS = 16 /* most running jobs that the end of the process waits for */
};

/* Protects the members of all jobs, and the variables below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static MtJob *running;
static unsigned awaited; /* running jobs that the end of the process waits for */
static unsigned driving; /* jobs that use the driver */
static bool closed;      /* the process ends */

void mt_jobs_init (void) { mt_cond_init (&changed); }

void mt_job_init (MtJob *j, const MtJobKind *kind)
{
   j->kind = kind;
   j->refs = 1;
   atomic_store (&j->exit_ms, kind->exit_ms);
}

void mt_job_unref (MtJob *j)
{
   if (!j)
      return;
   pthread_mutex_lock (&lock);
   bool last = --j->refs == 0;
   pthread_mutex_unlock (&lock);
   if (last)
      j->kind->free (j);
}

/* ---- running ---- */

static bool enter (MtJob *j)
{
   bool is_awaited = j->kind->exit_ms > 0;
   pthread_mutex_lock (&lock);
   bool may = !is_awaited || (!closed && awaited < MOST_JOBS);
   if (may) {
      awaited += is_awaited;
      driving += j->kind->uses_driver;
      j->refs++;
      j->running = true;
      j->next = running;
      running = j;
   }
   pthread_mutex_unlock (&lock);
   return may;
}

/* Ends a job, in its own thread: removes it from the list, and calls MtJobKind.left if nobody waits
 * for its results. The end of the process waits until the job is freed. */
static void leave (MtJob *j)
{
   bool is_awaited = j->kind->exit_ms > 0, drives = j->kind->uses_driver;
   pthread_mutex_lock (&lock);
   if (atomic_load (&j->left) && j->kind->left) {
      pthread_mutex_unlock (&lock);
      j->kind->left (j);
      pthread_mutex_lock (&lock);
   }
   MtJob **at = &running;
   while (*at != j)
      at = &(*at)->next;
   *at = j->next;
   j->running = false;
   pthread_cond_broadcast (&changed);
   pthread_mutex_unlock (&lock);
   mt_job_unref (j);
   pthread_mutex_lock (&lock);
   awaited -= is_awaited;
   driving -= drives;
   pthread_cond_broadcast (&changed);
   pthread_mutex_unlock (&lock);
}

static void *run (void *arg)
{
   MtJob *j = arg;
   j->kind->run (j);
   leave (j);
   return NULL;
}

bool mt_job_start (MtJob *j)
{
   pthread_t thread;
   if (!enter (j))
      return false;
   MT_RECORD_SHORTAGE (&j->shortage);
   bool ok = mt_thread_start (&thread, run, j);
   if (ok)
      pthread_detach (thread);
   else
      leave (j);
   return ok;
}

bool mt_job_pause (MtJob *j, int64_t ms)
{
   int64_t until = mt_now_ms () + ms;
   pthread_mutex_lock (&lock);
   while (!atomic_load (&j->cancel.insisted) && mt_now_ms () < until)
      mt_cond_wait_until (&changed, &lock, until);
   pthread_mutex_unlock (&lock);
   return !atomic_load (&j->cancel.insisted);
}

/* ---- waiting ---- */

/* goes_on is called without the lock, because it may start another job. */
bool mt_job_wait (MtJob *j, bool (*goes_on) (void *ctx), void *ctx)
{
   bool over = false;
   while (!over && goes_on (ctx)) {
      pthread_mutex_lock (&lock);
      if (j->running)
         mt_cond_wait_until (&changed, &lock, mt_now_ms () + SLICE_MS);
      over = !j->running;
      pthread_mutex_unlock (&lock);
   }
   pthread_mutex_lock (&lock);
   over = !j->running;
   atomic_store (&j->left, !over);
   pthread_mutex_unlock (&lock);
   return over;
}

static int longest_exit (void)
{
   int ms = 0;
   for (const MtJob *j = running; j; j = j->next)
      if (atomic_load (&j->exit_ms) > ms)
         ms = atomic_load (&j->exit_ms);
   return ms;
}

bool mt_jobs_end (void)
{
   pthread_mutex_lock (&lock);
   closed = true;
   int64_t until = mt_now_ms () + longest_exit ();
   for (int hurry = 0; hurry < 2; hurry++) {
      for (MtJob *j = running; j && hurry; j = j->next)
         atomic_store (&j->cancel.insisted, true);
      pthread_cond_broadcast (&changed);
      while (awaited && mt_now_ms () < until)
         mt_cond_wait_until (&changed, &lock, until);
      until += STOP_MS;
   }
   bool free = driving == 0;
   pthread_mutex_unlock (&lock);
   return free;
}
