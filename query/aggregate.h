/* Aggregates as accumulators: what is gathered a row (or a cell that stands for several), and what
 * it comes to. The kinds are in functions/agg.c. */
#ifndef MT_AGGREGATE_H
#define MT_AGGREGATE_H

#include "query/function.h"

#define MT_AGG_MAX_PARTS 4
#define MT_AGG_MAX_ARGS 16

#define MT_AGG_ONCE 1u     /* a row that comes again changes nothing, nor does DISTINCT */
#define MT_AGG_WEIGHS 2u   /* a row may stand for n */
#define MT_AGG_MERGES 4u   /* partial results can be merged, by `merge` */
#define MT_AGG_SET 8u      /* DISTINCT: the parts are gathered over the different values */
#define MT_AGG_OWN_SET 16u /* DISTINCT: the accumulator sees to it */
#define MT_AGG_ORDERED 32u /* ORDER BY matters */
#define MT_AGG_WITHIN 64u  /* WITHIN GROUP: the last argument is what it orders by */
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

/* A call over one row. */
typedef struct MtAggInput {
   MtArena *a;
   const MtAggCall *call;
   const bson_t *args[MT_AGG_MAX_ARGS]; /* {"": expression}: the arguments, then ORDER BY's */
   bool nullable[MT_AGG_MAX_ARGS];
   int argc;
   const bson_t *filter; /* a condition; NULL: none */
   const bson_t *n;      /* how many records the row stands for; used by those that weigh */
   bool doubles;         /* whole numbers may be stored as doubles */
   bool own;             /* the engine has mtsql's own accumulators */
} MtAggInput;

struct MtAggKind {
   unsigned flags;
   int part_count;
   const char *merge[MT_AGG_MAX_PARTS]; /* the accumulator that merges partial results; of no rows a
                                           "$sum" is 0, the rest null */
   bool (*parts) (const MtAggInput *in, MtAggPart *out, MtError *err);
   /* The answer, from the parts' results; in->args isn't looked at. */
   const bson_t *(*result) (const MtAggInput *in, const bson_t *const *parts);
   /* The answer from an array of the different values; of MT_AGG_SET only. */
   const bson_t *(*of_set) (const MtAggInput *in, const bson_t *set);
};

static inline unsigned mt_agg_flags (const MtAggCall *g)
{
   return g->agg->rule == MT_AGG_PARTS ? g->agg->kind->flags : 0;
}

#endif
