/* Threads that the library starts in addition to the caller's thread. */
#ifndef MT_THREAD_H
#define MT_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread that calls `run (arg)`. All signals but SIGBUS are blocked in it; the program's
 * own threads handle them. The thread records shortages of memory in the MtShortage of the starting
 * thread, which must outlive it. Returns false if no thread can be started. Wait for its end with
 * pthread_join. */
bool mt_thread_start (pthread_t *thread, void *(*run) (void *), void *arg);

/* Initialises a condition variable that waits by the clock of mt_now_ms (base/cancel.h), which
 * changes of the wall clock don't affect. The caller owns it: pthread_cond_destroy. */
void mt_cond_init (pthread_cond_t *c);
/* Like pthread_cond_wait, with a timeout: returns at the latest when mt_now_ms () is `ms`. It may
 * return early. */
void mt_cond_wait_until (pthread_cond_t *c, pthread_mutex_t *m, int64_t ms);

#endif
