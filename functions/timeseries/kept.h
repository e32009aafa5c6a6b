/* Partial results of plain aggregates, which documents store as states (layouts/cell_state.h):
 * exact sums for variances of integers and numerics, and the value at the first or last time. */
#ifndef MT_KEPT_H
#define MT_KEPT_H

#include "engine/local/group/state.h"

/* The state of variances: {n: number of values, s: their sum, q: the sum of their squares}; s and q
 * are decimals. */
extern const MtStateAccumulator mt_kept_sums;
/* The state of first and last: {t: time, v: value}. Of equal times, the value decides, as in $min
 * and $max of the whole document. */
extern const MtStateAccumulator mt_kept_first, mt_kept_last;

/* Registers these accumulators, and those that merge their states, for the process. */
void mt_kept_add (void);

#endif
