/* Aggregates as accumulators: what is gathered a row (or a cell that stands for several), and what
 * it comes to. $group and whatever else gathers rows (a window's frame) ask here; sum, count, avg,
 * min and max, which also follow from stored pre-aggregates, are in planner/plan/group.c. */
#ifndef MT_AGG_H
#define MT_AGG_H

#include "query/aggregate.h"

extern const MtAggKind mt_agg_variance, mt_agg_spread, mt_agg_pairs, mt_agg_pair_count,
   mt_agg_first, mt_agg_last, mt_agg_bits, mt_agg_bit_xor, mt_agg_histogram, mt_agg_joined,
   mt_agg_joined_bytes, mt_agg_array, mt_agg_percentiles, mt_agg_jsonb_array, mt_agg_jsonb_object,
   mt_agg_percentile, mt_agg_mode, mt_agg_interval_sum, mt_agg_ranked_min, mt_agg_ranked_max;

/* Whether DISTINCT changes the answer, and the different values have to be gathered first. */
bool mt_agg_takes_set (const MtAggCall *g);

const bson_t *mt_nan_of (MtArena *a, MtTypeId type); /* the constant NaN of that type */

/* By what values of a type with a rank are ordered (and told apart): an interval's length, a
 * jsonb's key, the digits of bytea. From {"": expression}, of which a jsonb may be NULL. */
const bson_t *mt_rank_of (MtArena *a, MtTypeId type, const bson_t *value);

/* A duration as one number (months of 30 days, days of 24 hours, in microseconds), by which
 * PostgreSQL orders intervals: from {"": expression}. */
const bson_t *mt_interval_length (MtArena *a, const bson_t *interval);

#endif
