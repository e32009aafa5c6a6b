/* Grouping: from the cells of one or several pieces to groups and aggregates. */
#ifndef MT_GROUP_H
#define MT_GROUP_H

#include "planner/cut/scan.h"

/* Where the documents to be grouped come from. */
typedef struct MtSourcePlaces {
   MtEmit *emit;       /* columns in place */
   const MtScan *scan; /* NULL: rows of a sub-select or VALUES */
   const MtNeed *need; /* with scan */
} MtSourcePlaces;

typedef struct MtGrouping {
   MtArena *a;
   const MtQuery *q;
   bool merged;   /* partial groups of several pieces are merged: keys and values are decoded before
                     grouping */
   bool own;      /* the engine has mtsql's own accumulators */
   bool *counted; /* out, by aggregate: b<i> counts its values, since it may be NULL or is an
                     average */
   MtPlace *keys, *aggs; /* out: where they are found after the last stage */
} MtGrouping;

/* Adds the $group stage(s) for one piece. */
bool mt_group_emit (MtGrouping *g, MtSourcePlaces *src, MtPipe *pipe, MtError *err);

/* Adds the $group that merges the pieces' partial groups. */
void mt_group_merge (MtGrouping *g, MtPipe *pipe);

/* Without GROUP BY there is one row even over nothing; then sets keys and aggs. */
bool mt_group_finish (MtGrouping *g, MtPipe *pipe, MtError *err);

/* One aggregate of g->q without any grouping: its accumulators are added to `fields`, and
 * g->aggs[i] says how the result follows from them. */
bool mt_group_accumulate (MtGrouping *g, MtSourcePlaces *src, int i, bson_t *fields, MtError *err);

/* False: the aggregates can't be merged over pieces (DISTINCT, and those that need all their
 * values). */
bool mt_group_can_merge (const MtQuery *q);

#endif
