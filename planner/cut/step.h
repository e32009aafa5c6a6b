/* Step functions of time, and whether they are constant on buckets (docs/lemma.md, section 4,
 * rule 2). */
#ifndef MT_STEP_H
#define MT_STEP_H

#include "query/query.h"

/* Whether a call has one value on each UTC `grain` that meets [lo_ms, hi_ms]. x is a call whose
 * row has a step kind. Its time argument must be the bare column `time_column`, and its other
 * arguments constants. All its boundaries in (lo_ms, hi_ms] must be starts of a grain. The work
 * grows with the zone's transitions in the range, not with its length. */
bool mt_step_boundaries_aligned (const MtX *x, int time_column, MtUnit grain, int64_t lo_ms,
                                 int64_t hi_ms, const MtTextStyle *style);

#endif
