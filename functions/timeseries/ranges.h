/* Common parts of aggregates over periods, such as state_agg and heartbeat_agg: sets of rows,
 * durations, and checks of times. */
#ifndef MT_RANGES_H
#define MT_RANGES_H

#include "functions/timeseries/summary.h"

#include "types/datetime.h"

/* Sets *out to the interval from `from` to `to`. As in the difference of two times, each 24 hours
 * are a day. Fails with 22008 if it is out of range. */
bool mt_range_length (MtEval *ev, MtMoment from, MtMoment to, MtVal *out);
/* Sets *out to an interval of `ms` milliseconds. Fails with 22008 if it is out of range. */
bool mt_range_interval (MtEval *ev, int64_t ms, MtVal *out);
/* Sets *end to `start` plus the interval `length`, which must not be negative (22023). `zone` is
 * the hidden argument _zone of the function; null: UTC. */
bool mt_range_end (MtEval *ev, MtVal start, MtVal length, MtVal zone, MtMoment *end);
/* Checks that a row's time is finite. Otherwise fails with 22008. */
bool mt_range_time (MtEval *ev, MtVal time);

/* The rows of a set-returning function, while they are gathered. More than MT_MAX_SET_ROWS fail
 * with 54000. */
typedef struct MtRangeRows {
   MtEval *ev;
   const MtStr *columns;
   size_t width;
   MtVals rows;
} MtRangeRows;

bool mt_range_add (MtRangeRows *r, const MtVal *values);
bool mt_range_finish (MtRangeRows *r, MtVal *out);

/* Returns the *n times of the array field `name`, in arena a. Sets r->ok to false if there is no
 * such array, or if a time is out of range. Returns NULL if memory is exhausted, which makes the
 * statement fail later. */
int64_t *mt_read_times (MtSummaryReader *r, MtArena *a, const char *name, size_t *n);

/* Appends the field `name`, an array of n times. Time i is the int64_t at `first` + i * stride
 * bytes. */
void mt_write_times (MtBson *b, const char *name, const int64_t *first, size_t stride, size_t n);

#endif
