/* Cancels long operations, and reports their progress. */
#ifndef MT_CANCEL_H
#define MT_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Flags that make a running statement end early. A signal handler or another thread sets a flag.
 * Long operations check the flags every few milliseconds. If a flag is set, the operation fails
 * with MT_E_CANCELED, "canceling statement due to user request" (or "... due to statement timeout"
 * after the deadline). If memory is exhausted, it fails with 53200 (base/memory.h). */
typedef struct MtCancel {
   atomic_bool requested;
   /* The user cancelled a second time. The operation then no longer waits until a server has
    * stopped its work. */
   atomic_bool insisted;
   int64_t deadline_ms; /* when statement_timeout ends, by mt_now_ms; 0: no timeout */
   uint64_t statement;  /* the number of the running statement */
} MtCancel;

struct MtError;
/* Returns false, with *err set, if the caller's operation must end now because it was cancelled,
 * its deadline is over, or memory is exhausted. */
bool mt_cancel_check (const MtCancel *c, struct MtError *err);
int64_t mt_now_ms (void); /* the monotonic clock (CLOCK_MONOTONIC) in milliseconds */
int64_t mt_now_us (void);
int64_t mt_wall_ms (void); /* milliseconds since 1970-01-01 UTC, by CLOCK_REALTIME */

/* A callback that receives the progress of a long operation, at most about ten times a second.
 * total 0: the total is not known. */
typedef struct MtProgress {
   void (*report) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   void *ctx;
} MtProgress;

#endif
