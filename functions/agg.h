/* Aggregates as MongoDB accumulators, for $group and windows. planner/plan/group.c implements sum,
 * count, avg, min and max, which can also use stored pre-aggregates. */
#ifndef MT_AGG_H
#define MT_AGG_H

#include "query/aggregate.h"

extern const MtAggKind mt_agg_variance, mt_agg_spread, mt_agg_pairs, mt_agg_pair_count,
   mt_agg_first, mt_agg_last, mt_agg_bits, mt_agg_bit_xor, mt_agg_histogram, mt_agg_joined,
   mt_agg_joined_bytes, mt_agg_array, mt_agg_percentiles, mt_agg_jsonb_array, mt_agg_jsonb_object,
   mt_agg_percentile, mt_agg_mode, mt_agg_interval_sum, mt_agg_ranked_min, mt_agg_ranked_max;

/* Returns whether a DISTINCT aggregate must first collect the set of its distinct values. */
bool mt_agg_takes_set (const MtAggCall *g);

const bson_t *mt_nan_of (MtArena *a,
                         MtTypeId type); /* returns the constant NaN of a numeric type */

/* Returns an expression by which to sort and compare values that BSON orders differently: an
 * interval's length, a jsonb's key, the digits of bytea. value: {"": expression}. */
const bson_t *mt_rank_of (MtArena *a, MtTypeId type, const bson_t *value);

/* Returns an expression for an interval's length in microseconds, counting 30 days a month and 24
 * hours a day, as PostgreSQL compares intervals. interval: {"": expression}. */
const bson_t *mt_interval_length (MtArena *a, const bson_t *interval);

#endif
