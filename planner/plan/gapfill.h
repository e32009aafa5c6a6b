/* time_bucket_gapfill: adds rows for time buckets without data, as TimescaleDB does. */
#ifndef MT_GAPFILL_H
#define MT_GAPFILL_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Appends the stages that add rows for empty buckets, after GROUP BY and HAVING. Updates the places
 * of keys and aggregates in emit; each locf or interpolate adds one to emit->aggs. 22023 if the
 * range or the width of the buckets is missing or invalid. */
bool mt_gapfill_emit (MtEmit *emit, const MtQuery *q, MtPipe *pipe);

#endif
