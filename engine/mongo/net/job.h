/* Jobs: work in detached threads. The thread that starts a job may wait for the job's end, or leave
 * the job running. A job owns copies of its data, so the thread that started it can end first. */
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

/* The first member of each job's own struct. */
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

/* Fills a new job, whose only reference is the caller's. */
void mt_job_init (MtJob *j, const MtJobKind *kind);
/* Runs the job in a thread. False: the job does not run, because no thread could be started, too
 * many jobs run, or the process ends. */
bool mt_job_start (MtJob *j);
/* Waits until the job is over, or goes_on (ctx) returns false; goes_on is called every 20 ms.
 * Returns whether the job is over. If not, nobody waits for the job any more (MtJobKind.left). */
bool mt_job_wait (MtJob *j, bool (*goes_on) (void *ctx), void *ctx);
/* Sleeps for ms, in the job's own thread. False: the process is about to end. */
bool mt_job_pause (MtJob *j, int64_t ms);
void mt_job_unref (MtJob *j); /* NULL is allowed */

/* Waits a short time for all jobs, then cancels them. Called at the end of the process. False: a
 * job that uses the driver still runs. */
bool mt_jobs_end (void);

#endif
