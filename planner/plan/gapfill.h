/* time_bucket_gapfill: adds rows for a group's missing buckets, as TimescaleDB does. */
#ifndef MT_GAPFILL_H
#define MT_GAPFILL_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Adds the stages that fill gaps, after the groups (emit's keys and aggs) were made and HAVING
 * was applied. Sets emit's keys and aggs to their new places; aggs gets one more place for each
 * fill. Range and width must be constants. 22023: they are missing or make no sense. */
bool mt_gapfill_emit (MtEmit *emit, const MtQuery *q, MtPipe *pipe);

#endif
