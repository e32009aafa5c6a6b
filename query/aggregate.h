/* Aggregates that no stored sum answers. Each is computed by accumulators over rows, or over cells
 * that stand for several rows. The kinds are in functions/agg.c. */
#ifndef MT_AGGREGATE_H
#define MT_AGGREGATE_H

#include "query/function.h"

#define MT_AGG_MAX_PARTS 4
#define MT_AGG_MAX_ARGS 16

#define MT_AGG_ONCE 1u     /* repeated rows and DISTINCT change nothing */
#define MT_AGG_WEIGHS 2u   /* a row may stand for n records */
#define MT_AGG_MERGES 4u   /* `merge` merges partial results */
#define MT_AGG_SET 8u      /* DISTINCT: computed from the array of different values */
#define MT_AGG_OWN_SET 16u /* DISTINCT: the accumulator removes duplicates itself */
#define MT_AGG_ORDERED 32u /* the result depends on ORDER BY */
#define MT_AGG_WITHIN 64u  /* WITHIN GROUP: the last argument is its sort key */
#define MT_AGG_NEVER_NULL 128u
#define MT_AGG_JSON 256u /* arguments become jsonb; the first one of two is a key */

/* MtAgg.form: the aggregates of one kind. */
#define MT_AGG_SAMPLE 1u     /* variance and deviation: of a sample, not of the population */
#define MT_AGG_ROOT 2u       /* the deviation, not the variance */
#define MT_AGG_CONTINUOUS 4u /* a percentile between two neighbours */
#define MT_AGG_AVERAGE 8u    /* the average of intervals, not their sum */

/* One accumulator of a call. */
typedef struct MtAggPart {
   const char *op;     /* "$sum" */
   const bson_t *expr; /* {"": its argument} */
} MtAggPart;

/* A call for one row. */
typedef struct MtAggInput {
   MtArena *a;
   const MtAggCall *call;
   /* {"": expression}: the arguments, then the keys of ORDER BY */
   const bson_t *args[MT_AGG_MAX_ARGS];
   bool nullable[MT_AGG_MAX_ARGS];
   int argc;
   const bson_t *filter; /* A condition. NULL: none. */
   /* The number of records that the row stands for. Only kinds with MT_AGG_WEIGHS use it. */
   const bson_t *n;
   bool doubles; /* Whole numbers may be stored as doubles. */
   bool own;     /* The engine has mtsql's own accumulators. */
} MtAggInput;

struct MtAggKind {
   unsigned flags;
   int part_count;
   /* The accumulators that merge partial results. Without rows a "$sum" is 0, and others are
    * null. */
   const char *merge[MT_AGG_MAX_PARTS];
   bool (*parts) (const MtAggInput *in, MtAggPart *out, MtError *err);
   /* Computes the answer from the parts' results. Doesn't read in->args. */
   const bson_t *(*result) (const MtAggInput *in, const bson_t *const *parts);
   /* Computes the answer from the array of different values. Only with MT_AGG_SET. */
   const bson_t *(*of_set) (const MtAggInput *in, const bson_t *set);
};

static inline unsigned mt_agg_flags (const MtAggCall *g)
{
   return g->agg->rule == MT_AGG_PARTS ? g->agg->kind->flags : 0;
}

#endif
