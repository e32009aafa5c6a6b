/* Jobs: work in detached threads. The thread that starts a job may wait for its end, or may stop
 * waiting while the job goes on. A job owns copies of its data, because that thread can end
 * first. */
#ifndef MT_MONGO_JOB_H
#define MT_MONGO_JOB_H

#include "base/cancel.h"
#include "base/memory.h"

typedef struct MtJob MtJob;

typedef struct MtJobKind {
   void (*run) (MtJob *j);  /* does the work, in the job's thread */
   void (*left) (MtJob *j); /* called after `run` if nobody waits for the job; may be NULL */
   void (*free) (MtJob *j); /* frees the job when the last reference is gone */
   int exit_ms;             /* how long the end of the process waits for the job; 0: not at all */
   bool uses_driver;        /* the driver must not be cleaned up while the job runs */
} MtJobKind;

/* The base of a job: the first member of each kind's struct. */
struct MtJob {
   const MtJobKind *kind;
   MtJob *next;   /* in the list of running jobs */
   unsigned refs; /* `next` and `refs` are protected by the lock in job.c */
   bool running;
   MtCancel cancel;     /* `insisted` is set when the process ends */
   MtShortage shortage; /* the job's own, because the starting thread may end first */
   atomic_bool left;    /* nobody waits for the job any more */
   atomic_int exit_ms;  /* as in MtJobKind; the job may change it */
};

void mt_jobs_init (void); /* call it before the other functions of this header */

/* Initializes a job; the caller gets its only reference. */
void mt_job_init (MtJob *j, const MtJobKind *kind);
/* Runs the job in a new thread. Returns false if it doesn't run: no thread could be started, too
 * many jobs are running, or the process is ending. */
bool mt_job_start (MtJob *j);
/* Waits until the job has ended or goes_on (ctx) returns false; goes_on is called every 20 ms.
 * Returns whether the job has ended. If not, its results are no longer wanted (MtJobKind.left). */
bool mt_job_wait (MtJob *j, bool (*goes_on) (void *ctx), void *ctx);
/* Sleeps for `ms` milliseconds in the job's own thread. Returns false if the process is about to
 * end. */
bool mt_job_pause (MtJob *j, int64_t ms);
void mt_job_unref (MtJob *j); /* NULL is allowed */

/* Called at the end of the process: waits a short time for all jobs, then cancels them. Returns
 * false if a job that uses the driver still runs. */
bool mt_jobs_end (void);

#endif
