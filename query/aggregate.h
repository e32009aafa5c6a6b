/* Aggregates other than sum, count, avg, min and max. Each is computed by MongoDB accumulators,
 * over rows, or over entries (stored groups of rows) that count for several rows. The kinds are in
 * functions/agg.c. */
#ifndef MT_AGGREGATE_H
#define MT_AGGREGATE_H

#include "query/function.h"

#define MT_AGG_MAX_PARTS 4
#define MT_AGG_MAX_ARGS 16

#define MT_AGG_ONCE 1u   /* repeated rows don't change the result, so DISTINCT can be ignored */
#define MT_AGG_WEIGHS 2u /* an input row can count for n records (MtAggInput.n) */
#define MT_AGG_MERGES 4u /* partial results can be merged by MtAggKind.merge */
#define MT_AGG_SET 8u    /* with DISTINCT: computed from the distinct values by MtAggKind.of_set */
#define MT_AGG_OWN_SET 16u /* with DISTINCT: the accumulator removes duplicates */
#define MT_AGG_ORDERED 32u /* the result depends on the aggregate's ORDER BY */
#define MT_AGG_WITHIN 64u  /* has WITHIN GROUP (ORDER BY x); its last argument is x */
#define MT_AGG_NEVER_NULL 128u
#define MT_AGG_JSON 256u /* arguments are converted to jsonb; the first of two arguments is a key */

/* Flags of MtAgg.form, which distinguish aggregates that share one MtAggKind. */
#define MT_AGG_SAMPLE 1u     /* variance and deviation: of a sample, not of a population */
#define MT_AGG_ROOT 2u       /* the standard deviation, not the variance */
#define MT_AGG_CONTINUOUS 4u /* percentile_cont: interpolates between two values */
#define MT_AGG_AVERAGE 8u    /* the average of intervals, not their sum */
#define MT_AGG_LIMITS 16u    /* sparkline with the arguments min, max and width */

/* A MongoDB accumulator that an aggregate call needs. */
typedef struct MtAggPart {
   const char *op;     /* the accumulator's name, such as "$sum" */
   const bson_t *expr; /* the accumulator's argument, as {"": expression} */
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
   /* Expression for the number of records that the row counts for. Only used by kinds with
    * MT_AGG_WEIGHS. */
   const bson_t *n;
   bool doubles; /* Integers may be stored as doubles. */
   bool own;     /* The engine has mtsql's own accumulators. */
   bool lists;   /* A group's values may be collected in an array. */
} MtAggInput;

struct MtAggKind {
   unsigned flags;
   int part_count;
   /* For each part of the aggregate's partial result: the accumulator that merges it. For no rows
    * "$sum" gives 0, and any other accumulator NULL. */
   const char *merge[MT_AGG_MAX_PARTS];
   bool (*parts) (const MtAggInput *in, MtAggPart *out, MtError *err);
   /* Returns an expression for the aggregate's result, from `parts`, the results of its
    * accumulators. Does not use in->args. */
   const bson_t *(*result) (const MtAggInput *in, const bson_t *const *parts);
   /* Returns an expression for the result of a DISTINCT aggregate, from `set`, the array of
    * distinct values. Only used with MT_AGG_SET. */
   const bson_t *(*of_set) (const MtAggInput *in, const bson_t *set);
   /* The accumulator whose states are the partial results, if layouts may store such states. NULL:
    * none. */
   const struct MtStateAccumulator *kept;
   /* The type of states of a two-step aggregate from which this aggregate of the same arguments can
    * be computed. MT_T_UNKNOWN: none. */
   MtTypeId states;
   /* For each part of a partial result: the field that has it in a state of type `states`; "": the
    * whole state. NULL: `of_state` is used. */
   const char *kept_fields[MT_AGG_MAX_PARTS];
   /* Returns an expression for the aggregate's result, from a state of type `states`. */
   const bson_t *(*of_state) (const MtAggInput *in, const bson_t *state);
};

static inline unsigned mt_agg_flags (const MtAggCall *g)
{
   return g->agg->rule == MT_AGG_PARTS ? g->agg->kind->flags : 0;
}

#endif
