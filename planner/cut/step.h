/* Step functions of time, such as date_trunc: their value changes only at certain times. Checks
 * that they are constant within each stored bucket of time (docs/lemma.md, section 4, rule 2). */
#ifndef MT_STEP_H
#define MT_STEP_H

#include "query/query.h"

/* Returns whether call x is constant within each stored interval of unit `grain` (hour, day … in
 * UTC) from lo_ms to hi_ms. x must be a step function (such as date_trunc) of column time_column,
 * and its other arguments constants. The run time grows with the number of time-zone transitions in
 * the range. */
bool mt_step_boundaries_aligned (const MtX *x, int time_column, MtUnit grain, int64_t lo_ms,
                                 int64_t hi_ms, const MtTextStyle *style);

#endif
