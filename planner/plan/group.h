/* Grouping: from the cells of one or several pieces to groups and aggregates. */
#ifndef MT_GROUP_H
#define MT_GROUP_H

#include "planner/cut/scan.h"

/* The source of the documents that are grouped. */
typedef struct MtSourcePlaces {
   MtEmit *emit;       /* with the columns' places */
   const MtScan *scan; /* NULL: rows of a sub-select or VALUES */
   const MtNeed *need; /* set if scan is set */
} MtSourcePlaces;

typedef struct MtGrouping {
   MtArena *a;
   const MtQuery *q;
   /* Partial groups of several pieces are merged. Keys and values are decoded before grouping. */
   bool merged;
   bool own; /* the engine has mtsql's own accumulators */
   /* out, by aggregate: b<i> counts its values, since it may be NULL or is an average. */
   bool *counted;
   MtPlace *keys, *aggs; /* out: the places after the last stage */
} MtGrouping;

/* Adds the $group stage or stages of one piece. */
bool mt_group_emit (MtGrouping *g, MtSourcePlaces *src, MtPipe *pipe, MtError *err);

/* Adds the $group that merges the partial groups of the pieces. */
void mt_group_merge (MtGrouping *g, MtPipe *pipe);

/* Adds the stages after grouping, and sets keys and aggs. Without GROUP BY there is one row even
 * over nothing. */
void mt_group_finish (MtGrouping *g, MtPipe *pipe);

/* Writes one aggregate of g->q without grouping: adds its accumulators to `fields`, and sets
 * g->aggs[i] to the result. */
bool mt_group_accumulate (MtGrouping *g, MtSourcePlaces *src, int i, bson_t *fields, MtError *err);

/* Whether all aggregates can be merged over pieces. DISTINCT can't, nor can aggregates that need
 * all their values. */
bool mt_group_can_merge (const MtQuery *q);

#endif
