/* Aggregates other than sum, count, avg, min and max. Each is computed by MongoDB accumulators over
 * rows, or over entries that stand for several rows. The kinds are in functions/agg.c. */
#ifndef MT_AGGREGATE_H
#define MT_AGGREGATE_H

#include "query/function.h"

#define MT_AGG_MAX_PARTS 4
#define MT_AGG_MAX_ARGS 16

#define MT_AGG_ONCE 1u   /* duplicate rows do not change the result, so DISTINCT can be ignored */
#define MT_AGG_WEIGHS 2u /* one input row may stand for n records (MtAggInput.n) */
#define MT_AGG_MERGES 4u /* MtAggKind.merge can merge partial results */
#define MT_AGG_SET 8u    /* with DISTINCT: computed by MtAggKind.of_set from the distinct values */
#define MT_AGG_OWN_SET 16u /* with DISTINCT: the accumulator removes duplicates */
#define MT_AGG_ORDERED 32u /* the result depends on the aggregate's ORDER BY */
#define MT_AGG_WITHIN 64u  /* has WITHIN GROUP (ORDER BY x): the last argument is x */
#define MT_AGG_NEVER_NULL 128u
#define MT_AGG_JSON 256u /* arguments are converted to jsonb; of two arguments the first is a key */

/* Flags of MtAgg.form, which distinguish aggregates that share one MtAggKind. */
#define MT_AGG_SAMPLE 1u     /* variance, deviation: of a sample, not of the population */
#define MT_AGG_ROOT 2u       /* the standard deviation, not the variance */
#define MT_AGG_CONTINUOUS 4u /* percentile_cont: interpolates between two values */
#define MT_AGG_AVERAGE 8u    /* the average of intervals, not their sum */
#define MT_AGG_LIMITS 16u    /* sparkline with the arguments min, max and width */

/* One MongoDB accumulator that an aggregate call needs. */
typedef struct MtAggPart {
   const char *op;     /* the accumulator: "$sum" */
   const bson_t *expr; /* {"": the accumulator's argument} */
} MtAggPart;

/* An aggregate call and the expressions of its arguments for one input row. */
typedef struct MtAggInput {
   MtArena *a;
   const MtAggCall *call;
   /* Each {"": expression}: the arguments, then the keys of the aggregate's ORDER BY. */
   const bson_t *args[MT_AGG_MAX_ARGS];
   bool nullable[MT_AGG_MAX_ARGS];
   int argc;
   const bson_t *filter; /* The condition of FILTER. NULL: none. */
   /* The number of records that the row stands for. Only kinds with MT_AGG_WEIGHS use it. */
   const bson_t *n;
   bool doubles; /* Whole numbers may be stored as doubles. */
   bool own;     /* The engine has mtsql's own accumulators. */
   bool lists;   /* The values of a group may be collected in an array. */
} MtAggInput;

struct MtAggKind {
   unsigned flags;
   int part_count;
   /* By part: the accumulator that merges partial results. For no rows "$sum" gives 0, and all
    * others give null. */
   const char *merge[MT_AGG_MAX_PARTS];
   bool (*parts) (const MtAggInput *in, MtAggPart *out, MtError *err);
   /* Returns an expression for the aggregate's result. parts: the results of the accumulators. Does
    * not use in->args. */
   const bson_t *(*result) (const MtAggInput *in, const bson_t *const *parts);
   /* Returns an expression for the result of a DISTINCT aggregate. set: the array of distinct
    * values. Set only with MT_AGG_SET. */
   const bson_t *(*of_set) (const MtAggInput *in, const bson_t *set);
   /* The accumulator whose states are the partial results, if levels may keep them. NULL: none. */
   const struct MtStateAccumulator *kept;
   /* The type of a two-step aggregate's states that answer the aggregate: those of the same
    * arguments. MT_T_UNKNOWN: none. */
   MtTypeId states;
   /* By part: its field in such a state; "" is the whole state. NULL: `of_state` is used. */
   const char *kept_fields[MT_AGG_MAX_PARTS];
   /* Returns an expression for the aggregate's result from a state of the type `states`. */
   const bson_t *(*of_state) (const MtAggInput *in, const bson_t *state);
};

static inline unsigned mt_agg_flags (const MtAggCall *g)
{
   return g->agg->rule == MT_AGG_PARTS ? g->agg->kind->flags : 0;
}

#endif
