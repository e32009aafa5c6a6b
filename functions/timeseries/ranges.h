/* What states of periods have in common: sets of rows, durations, and checks of times. */
#ifndef MT_RANGES_H
#define MT_RANGES_H

#include "functions/timeseries/summary.h"

#include "types/datetime.h"

/* Makes the interval between two moments, in microseconds, without days. 22008: it is out of
 * range. */
bool mt_range_length (MtEval *ev, MtMoment from, MtMoment to, MtVal *out);
/* Makes an interval of a number of milliseconds. 22008: it is out of range. */
bool mt_range_interval (MtEval *ev, int64_t ms, MtVal *out);
/* Computes the end of the period that begins at a time and has the length of an interval, which is
 * not negative (22023). zone: a value of the hidden argument _zone; null: UTC. */
bool mt_range_end (MtEval *ev, MtVal start, MtVal length, MtVal zone, MtMoment *end);
/* Checks that a time of a row is finite. 22008 if not. */
bool mt_range_time (MtEval *ev, MtVal time);

/* The rows of a set. Fails with 54000 beyond MT_MAX_SET_ROWS. */
typedef struct MtRangeRows {
   MtEval *ev;
   const MtStr *columns;
   size_t width;
   MtVals rows;
} MtRangeRows;

bool mt_range_add (MtRangeRows *r, const MtVal *values);
bool mt_range_finish (MtRangeRows *r, MtVal *out);

/* Reads an array of *n times into arena a. Sets r->ok to false if the field is none, or has a time
 * that is out of range. NULL: memory is exhausted, which is recorded for the statement. */
int64_t *mt_read_times (MtSummaryReader *r, MtArena *a, const char *name, size_t *n);

/* Writes an array of times. Time i is the int64_t at `first` + i * stride bytes. */
void mt_write_times (MtBson *b, const char *name, const int64_t *first, size_t stride, size_t n);

#endif
