/* Cancelling and progress of long operations. */
#ifndef MT_CANCEL_H
#define MT_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A signal handler or another thread sets the flags. Long operations poll them every few milliseconds
 * of work. A set flag ends the operation with MT_E_CANCELED, "canceling statement due to user
 * request" (or "... due to statement timeout" after the deadline). A shortage of memory ends it with
 * 53200 (base/memory.h). */
typedef struct MtCancel {
   atomic_bool requested;
   /* The user cancelled a second time. The operation no longer waits for a server to stop. */
   atomic_bool insisted;
   int64_t deadline_ms; /* on CLOCK_MONOTONIC; 0: none */
   uint64_t statement;  /* counts statements */
} MtCancel;

struct MtError;
/* Returns false, with *err set, if the operation must end. */
bool mt_cancel_check (const MtCancel *c, struct MtError *err);
int64_t mt_now_ms (void); /* CLOCK_MONOTONIC */
int64_t mt_now_us (void);
int64_t mt_wall_ms (void); /* since the epoch, by CLOCK_REALTIME */

/* Reports the progress of a long operation, about ten times a second at most. total 0: not known. */
typedef struct MtProgress {
   void (*report) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   void *ctx;
} MtProgress;

#endif
