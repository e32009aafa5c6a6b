/* Cancelling and progress: what a long operation shares with whoever waits for it. */
#ifndef MT_CANCEL_H
#define MT_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Set from a signal handler or another thread; polled by whatever can take long, at least every few
 * milliseconds of work. A set flag ends the operation with MT_E_CANCELED, "canceling statement due
 * to user request" (or "... due to statement timeout" when the deadline passed). A shortage of
 * memory ends it with 53200 (base/memory.h). */
typedef struct MtCancel {
   atomic_bool requested;
   atomic_bool insisted; /* asked again: whoever waits for another program to stop, and for it to
                            clean up, gives it up */
   int64_t deadline_ms;  /* on CLOCK_MONOTONIC; 0: none */
   uint64_t statement;   /* counts statements */
} MtCancel;

struct MtError;
/* False, with *err set, when the operation has to end. */
bool mt_cancel_check (const MtCancel *c, struct MtError *err);
int64_t mt_now_ms (void); /* CLOCK_MONOTONIC */
int64_t mt_now_us (void);
int64_t mt_wall_ms (void); /* since the epoch, by CLOCK_REALTIME */

/* How far a long operation is. total 0: not known. Called at most some ten times a second. */
typedef struct MtProgress {
   void (*report) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   void *ctx;
} MtProgress;

#endif
