/* Aggregates as MongoDB accumulators, for $group and windows. (sum, count, avg, min and max are in
 * planner/plan/group.c, because they can also use stored pre-aggregates.) */
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

/* Return whether g is first (or last), or an arg_min (or arg_max) that gives the same result
 * because its value is never NULL. */
bool mt_agg_is_first (const MtAggCall *g);
bool mt_agg_is_last (const MtAggCall *g);

/* The kind of aggregates that are C functions over a state (MtAgg.state). MtAgg.op is the name of
 * the accumulator. The operator named MtAgg.op followed by MT_AGG_RESULT computes the result from
 * the accumulator's, or from a list of rows. */
extern const MtAggKind mt_agg_state;
#define MT_AGG_RESULT ":result"

/* An aggregate with a state, as mt_state_agg_make completes it: its row, its accumulator and its
 * signature. */
typedef struct MtStateAgg {
   MtAgg agg;
   MtStateAccumulator acc;
   MtSig sig;
} MtStateAgg;

/* Completes an aggregate whose `row` has a state: fills *to and *op (the operator of the result),
 * and registers the accumulator `name` with the executor. `row`, `name`, `a` and *to must stay
 * valid as long as the process. */
void mt_state_agg_make (MtArena *a, const MtAgg *row, const char *name, MtStateAgg *to,
                        MtOpRow *op);

/* Returns the aggregate whose states the accumulator computes. `acc` must be from
 * mt_state_agg_make. */
const MtAgg *mt_state_agg_of (const MtStateAccumulator *acc);

/* Returns whether a DISTINCT aggregate must first gather the set of its distinct values. */
bool mt_agg_takes_set (const MtAggCall *g);

const bson_t *mt_nan_of (MtArena *a,
                         MtTypeId type); /* returns the constant NaN of a numeric type */

/* Returns an expression whose BSON order and equality are those of SQL for `value`: an interval's
 * length, a jsonb's sort key, the digits of bytea. `value` and the result have the form {"":
 * expression}. */
const bson_t *mt_rank_of (MtArena *a, MtTypeId type, const bson_t *value);

/* Returns the expression for an interval's length in microseconds, with 30 days a month and 24
 * hours a day, as PostgreSQL compares intervals. `interval` and the result have the form {"":
 * expression}. */
const bson_t *mt_interval_length (MtArena *a, const bson_t *interval);

#endif
