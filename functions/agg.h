/* Aggregates as accumulators: the value that a row, or a cell of several records, adds, and the
 * result. $group and windows use them. planner/plan/group.c has sum, count, avg, min and max,
 * which also follow from stored pre-aggregates. */
#ifndef MT_AGG_H
#define MT_AGG_H

#include "query/aggregate.h"

extern const MtAggKind mt_agg_variance, mt_agg_spread, mt_agg_pairs, mt_agg_pair_count,
   mt_agg_first, mt_agg_last, mt_agg_bits, mt_agg_bit_xor, mt_agg_histogram, mt_agg_joined,
   mt_agg_joined_bytes, mt_agg_array, mt_agg_percentiles, mt_agg_jsonb_array, mt_agg_jsonb_object,
   mt_agg_percentile, mt_agg_mode, mt_agg_interval_sum, mt_agg_ranked_min, mt_agg_ranked_max;

/* Whether the different values must be gathered before aggregation, since DISTINCT changes the
 * result. */
bool mt_agg_takes_set (const MtAggCall *g);

const bson_t *mt_nan_of (MtArena *a, MtTypeId type); /* the constant NaN of the type */

/* The expression by which values of a type with a rank are ordered and compared: an interval's
 * length, a jsonb's key, the digits of bytea. value: {"": expression}; a jsonb may be NULL. */
const bson_t *mt_rank_of (MtArena *a, MtTypeId type, const bson_t *value);

/* The length of an interval as one number, by which PostgreSQL orders intervals: microseconds,
 * with months of 30 days and days of 24 hours. interval: {"": expression}. */
const bson_t *mt_interval_length (MtArena *a, const bson_t *interval);

#endif
