/* Threads beside the session's own. */
#ifndef MT_THREAD_H
#define MT_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts `run (arg)`, with all signals but SIGBUS blocked: they are for the threads that the
 * program began with. Shortages of memory are recorded where the starting thread's are, which has
 * to outlive the thread. False: there can't be another thread. Ended by pthread_join. */
bool mt_thread_start (pthread_t *thread, void *(*run) (void *), void *arg);

/* A condition whose waits are by mt_now_ms (base/cancel.h), which no change of the wall clock
 * moves. Owned by the caller: pthread_cond_destroy. */
void mt_cond_init (pthread_cond_t *c);
/* pthread_cond_wait, until mt_now_ms () is that at the latest; it may return before, as that
 * may. */
void mt_cond_wait_until (pthread_cond_t *c, pthread_mutex_t *m, int64_t ms);

#endif
