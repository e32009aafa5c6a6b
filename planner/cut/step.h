/* Step functions of time, and whether they are constant on buckets (docs/lemma.md, section 4,
 * rule 2). */
#ifndef MT_STEP_H
#define MT_STEP_H

#include "query/query.h"

/* x is a call whose row has a step kind. True when its time argument is the bare column
 * `time_column`, its other arguments are constants, and each of its boundaries in (lo_ms, hi_ms]
 * is the start of a UTC `grain`. The call then has one value on each bucket that meets [lo_ms,
 * hi_ms]. The work grows with the zone's transitions in the range, not with its length. */
bool mt_step_boundaries_aligned (const MtX *x, int time_column, MtUnit grain, int64_t lo_ms,
                                 int64_t hi_ms, const MtTextStyle *style);

#endif
