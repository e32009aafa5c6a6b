/* time_bucket_gapfill: rows for the buckets that a group has none for, after TimescaleDB. */
#ifndef MT_GAPFILL_H
#define MT_GAPFILL_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Adds the stages that put rows into the gaps, after the groups (emit's keys and aggs) were made
 * and HAVING was applied; emit gets other places for them, aggs having one more for each fill.
 * Range and width are constants by then: 22023 when they are missing or make no sense. */
bool mt_gapfill_emit (MtEmit *emit, const MtQuery *q, MtPipe *pipe, MtError *err);

#endif
