/* Partial results of plain aggregates, which levels keep as states (layouts/cell_state.h): exact
 * sums for variances of integers and numerics, and the value at the first or last time. */
#ifndef MT_KEPT_H
#define MT_KEPT_H

#include "engine/local/group/state.h"

/* {n: number of values, s: their sum, q: the sum of their squares}, the last two as decimals. */
extern const MtStateAccumulator mt_kept_sums;
/* {t: time, v: value}. The value decides between equal times, as in $min and $max of the
 * document. */
extern const MtStateAccumulator mt_kept_first, mt_kept_last;

/* Registers these accumulators, and the accumulators that merge their states. */
void mt_kept_add (void);

#endif
