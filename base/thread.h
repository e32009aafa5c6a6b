/* Threads that the library starts beside the caller's thread. */
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

/* Makes a condition that waits by mt_now_ms (base/cancel.h). Changes of the wall clock don't affect
 * it. Owned by the caller: pthread_cond_destroy. */
void mt_cond_init (pthread_cond_t *c);
/* Waits like pthread_cond_wait, but at most until mt_now_ms () is `ms`. It may return early. */
void mt_cond_wait_until (pthread_cond_t *c, pthread_mutex_t *m, int64_t ms);

#endif
