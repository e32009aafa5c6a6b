/* Aggregates as MongoDB accumulators, for $group and windows. planner/plan/group.c implements sum,
 * count, avg, min and max, which can also use stored pre-aggregates. */
#ifndef MT_AGG_H
#define MT_AGG_H

#include "engine/local/group/state.h"
#include "functions/signature.h"
#include "query/aggregate.h"

extern const MtAggKind mt_agg_variance, mt_agg_spread, mt_agg_pairs, mt_agg_pair_count,
   mt_agg_first, mt_agg_last, mt_agg_bits, mt_agg_bit_xor, mt_agg_histogram, mt_agg_joined,
   mt_agg_joined_bytes, mt_agg_sparkline, mt_agg_array, mt_agg_percentiles, mt_agg_json_array,
   mt_agg_json_object, mt_agg_jsonb_array, mt_agg_jsonb_object, mt_agg_percentile, mt_agg_mode,
   mt_agg_interval_sum, mt_agg_ranked_min, mt_agg_ranked_max, mt_agg_arg_min, mt_agg_arg_max,
   mt_agg_any, mt_agg_median, mt_agg_deviation, mt_agg_distinct, mt_agg_quantile, mt_agg_series;

/* Return whether g is first or last, or an arg_min or arg_max of the same meaning, because its
 * value is never NULL. */
bool mt_agg_is_first (const MtAggCall *g);
bool mt_agg_is_last (const MtAggCall *g);

/* Aggregates that are C functions over a state (MtAgg.state). MtAgg.op is the accumulator, and
 * MtAgg.op followed by MT_AGG_RESULT the operator that computes the result from the accumulator's,
 * or from a list of rows. */
extern const MtAggKind mt_agg_state;
#define MT_AGG_RESULT ":result"

/* Such an aggregate, ready to be used: its complete row, and its accumulator. */
typedef struct MtStateAgg {
   MtAgg agg;
   MtStateAccumulator acc;
   MtSig sig;
} MtStateAgg;

/* Makes *to and *op, the operator of the result, from a row with a state, and adds the accumulator
 * to the executor's. `row`, `name` (of the accumulator), `a` and *to live as long as the process. */
void mt_state_agg_make (MtArena *a, const MtAgg *row, const char *name, MtStateAgg *to,
                        MtOpRow *op);

/* Returns the aggregate that gives the states of an accumulator that mt_state_agg_make made. */
const MtAgg *mt_state_agg_of (const MtStateAccumulator *acc);

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
