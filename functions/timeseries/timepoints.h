/* Aggregates over points (a time and a number) whose result depends on the order of times:
 * counter_agg, gauge_agg and time_weight. Rows come in any order, so the points are kept until the
 * end, and then sorted. Of several points with the same time, only the one with the smallest number
 * counts. */
#ifndef MT_TIMEPOINTS_H
#define MT_TIMEPOINTS_H

#include "functions/timeseries/summary.h"

typedef struct MtTimePoint {
   int64_t ms; /* since 1970 */
   double v;
} MtTimePoint;

/* The first member of each kind's summary: its first and last point. */
typedef struct MtStretch {
   MtTimePoint first, last;
} MtStretch;

/* How an aggregate computes a summary of points. `state` describes the summary; its `merge` is
 * NULL. */
typedef struct MtTimePointsKind {
   const MtStateKind *state;
   /* Initializes a summary with its first point. `option` is MtTimePoints.option. */
   bool (*start) (void *summary, MtTimePoint p, int option, MtError *err);
   /* Adds a point, which is later than all points of the summary. */
   bool (*add) (void *summary, MtTimePoint p, MtError *err);
   /* Merges the summary `next` into `summary`. All points of `next` are later. */
   bool (*join) (void *summary, const void *next, MtError *err);
} MtTimePointsKind;

/* The state of an aggregate: points, and the summaries that were passed to rollup. */
typedef struct MtTimePoints {
   MtTimePoint *points;
   uint8_t *runs; /* the summaries, one after the other */
   size_t point_count, point_cap, run_count, run_cap;
   int option; /* of the aggregate, such as the method of time_weight; 0: not known yet */
} MtTimePoints;

/* Adds a point. Fails with 22008 if the time is infinite. */
bool mt_timepoints_add (MtEval *ev, MtTimePoints *s, MtVal time, MtVal value);

/* MtAggState's functions; ev->user is an MtTimePointsKind. The arguments of step are a time and a
 * value, those of rollup a state. */
bool mt_timepoints_step (MtEval *ev, void *state, const MtVal *args, int argc);
bool mt_timepoints_rollup (MtEval *ev, void *state, const MtVal *args, int argc);
bool mt_timepoints_merge (MtEval *ev, void *into, const void *from);
bool mt_timepoints_final (MtEval *ev, const void *state, MtVal *out);
bool mt_timepoints_save (MtEval *ev, const void *state, MtVal *out);
bool mt_timepoints_load (MtEval *ev, void *state, MtVal saved);

void mt_timepoint_write (MtBson *b, const char *name, MtTimePoint p);
MtTimePoint mt_timepoint_read (MtSummaryReader *r, const char *name);

/* Returns the point at time `ms` on the line between two points. */
MtTimePoint mt_timepoint_between (MtTimePoint a, MtTimePoint b, int64_t ms);

/* The arguments (start, interval, preceding state, next state, time zone) of an interpolated_…
 * function: a bucket of time, and the summaries of the buckets before and after it. `prev` and
 * `next` are allocated in ev->arena; NULL: not given. */
typedef struct MtNeighbours {
   int64_t start, end; /* milliseconds; the end is exclusive */
   const void *prev, *next;
} MtNeighbours;

/* Reads these arguments into *out. Fails with 22023 if the summary `run` has points outside of the
 * bucket, or if the preceding and next summaries are not before and after it. */
bool mt_timepoints_beside (MtEval *ev, const MtTimePointsKind *kind, const MtStretch *run,
                           const MtVal *args, MtNeighbours *out);

#define MT_TIMEPOINTS_AGG(name_, sig_, step_, kind_, doc_, example_) \
   { \
      .name = name_, .signature = sig_, .summary = doc_, .example = example_, \
      .state = &(const MtAggState) \
      { \
         .size = sizeof (MtTimePoints), .step = step_, .merge = mt_timepoints_merge, \
         .final = mt_timepoints_final, .save = mt_timepoints_save, .load = mt_timepoints_load, \
         .user = (void *) (uintptr_t) &(kind_) \
      } \
   }

#endif
