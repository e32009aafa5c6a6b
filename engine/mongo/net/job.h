/* Jobs: work in detached threads. A thread that starts a job may wait for its end, or leave it.
 * Each job owns copies of its data, so that its starter can go away first. */
#ifndef MT_MONGO_JOB_H
#define MT_MONGO_JOB_H

#include "base/cancel.h"
#include "base/memory.h"

typedef struct MtJob MtJob;

typedef struct MtJobKind {
   void (*run) (MtJob *j);  /* in the job's thread */
   void (*left) (MtJob *j); /* after `run`, if nobody waits for the job any more; NULL: nothing */
   void (*free) (MtJob *j); /* when the last reference is gone */
   int exit_ms;             /* the end of the process waits so long for the job; 0: not at all */
   bool uses_driver;        /* the driver must not be cleaned up while the job runs */
} MtJobKind;

/* The first member of each job's own struct. */
struct MtJob {
   const MtJobKind *kind;
   MtJob *next;   /* in the list of running jobs */
   unsigned refs; /* these two: under the module's lock */
   bool running;
   MtCancel cancel;     /* `insisted` is set when the process ends */
   MtShortage shortage; /* the starting thread's may be gone before the job ends */
   atomic_bool left;    /* nobody waits for the job any more */
   atomic_int exit_ms;  /* first that of the kind */
};

void mt_jobs_init (void); /* before all other functions */

/* Fills a new job, whose only reference is the caller's. */
void mt_job_init (MtJob *j, const MtJobKind *kind);
/* Runs the job in a thread. False: the job does not run, because no thread could be started, too
 * many jobs run, or the process ends. */
bool mt_job_start (MtJob *j);
/* Waits while the job runs and goes_on (ctx) returns true. Returns whether the job is over. If the
 * job is not over, it counts as left from now on. goes_on is called every 20 ms. */
bool mt_job_wait (MtJob *j, bool (*goes_on) (void *ctx), void *ctx);
/* In the job's own thread: sleeps. False: the process ends. */
bool mt_job_pause (MtJob *j, int64_t ms);
void mt_job_unref (MtJob *j); /* NULL is allowed */

/* At the end of the process: waits for the jobs for a short time, then cancels them. False: a job
 * that uses the driver still runs. */
bool mt_jobs_end (void);

#endif
