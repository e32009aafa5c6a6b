/* Cancels long operations, and reports their progress. */
#ifndef MT_CANCEL_H
#define MT_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The flags that end a running statement. A signal handler or another thread sets the flags. Long
 * operations read them every few milliseconds of work. A set flag ends the operation with
 * MT_E_CANCELED, "canceling statement due to user request" (or "... due to statement timeout" after
 * the deadline). A shortage of memory ends it with 53200 (base/memory.h). */
typedef struct MtCancel {
   atomic_bool requested;
   /* The user cancelled a second time. The operation no longer waits for a server to stop. */
   atomic_bool insisted;
   int64_t deadline_ms; /* when statement_timeout ends, by mt_now_ms; 0: no timeout */
   uint64_t statement;  /* the number of the running statement */
} MtCancel;

struct MtError;
/* Returns false, with *err set, if the caller's operation must end: cancelled, past the deadline,
 * or short of memory. */
bool mt_cancel_check (const MtCancel *c, struct MtError *err);
int64_t mt_now_ms (void); /* the monotonic clock (CLOCK_MONOTONIC) in milliseconds */
int64_t mt_now_us (void);
int64_t mt_wall_ms (void); /* milliseconds since 1970-01-01 UTC, by CLOCK_REALTIME */

/* Reports the progress of a long operation, about ten times a second at most. total 0: not
 * known. */
typedef struct MtProgress {
   void (*report) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   void *ctx;
} MtProgress;

#endif
