/* Plans GROUP BY and aggregates as $group stages. Their input is records, or cells (entries of a
 * level with stored sums), from one or several pieces of a plan. */
#ifndef MT_GROUP_H
#define MT_GROUP_H

#include "planner/cut/candidate.h"
#include "planner/cut/scan.h"

/* The documents that are grouped, and where their values are. */
typedef struct MtSourcePlaces {
   MtEmit *emit;       /* has the places of the columns */
   const MtScan *scan; /* how the table is read; NULL: rows are those of a sub-select or VALUES */
   const MtNeed *need; /* what the query block needs of the table; NULL if scan is NULL */
} MtSourcePlaces;

typedef struct MtGrouping {
   MtArena *a;
   const MtQuery *q;
   /* Several pieces of the plan are grouped separately, and the groups merged later. So keys and
    * values must be decoded before grouping. */
   bool merged;
   bool own; /* the engine supports mtsql's own accumulators */
   /* Aggregates may collect a group's values in an array, which is limited to 16 MB on servers. */
   bool lists;
   bool on_server; /* the query must run on the server (require_full_pushdown) */
   /* Out, by aggregate i: field b<i> counts the non-NULL inputs, for averages and for results that
    * may be NULL. */
   bool *counted;
   MtPlace *keys, *aggs; /* output: where the group keys and aggregates are after the last stage */
} MtGrouping;

/* Returns whether aggregates may collect arrays (MtGrouping.lists): the query must run on the
 * server, and the server can sort arrays. */
bool mt_group_lists (const MtPlanSettings *settings);

/* Appends the $group stages for the documents that one piece (part of the plan) reads. */
bool mt_group_emit (MtGrouping *g, MtSourcePlaces *src, MtPipe *pipe, MtError *err);

/* Appends the $group that merges the groups of all pieces of the plan. */
void mt_group_merge (MtGrouping *g, MtPipe *pipe);

/* Appends the stages that compute final aggregates, and sets g->keys and g->aggs. A query without
 * GROUP BY returns one row even for no input. */
void mt_group_finish (MtGrouping *g, MtPipe *pipe);

/* Appends the accumulators of aggregate i to `fields`, the fields of a $group, and sets g->aggs[i]
 * to the expression for its result. */
bool mt_group_accumulate (MtGrouping *g, MtSourcePlaces *src, int i, bson_t *fields, MtError *err);

/* Returns whether all aggregates of q can be computed in pieces and merged. DISTINCT aggregates and
 * those that need all values, such as percentile_cont, can't. States of points in the order of time
 * can if no two pieces overlap in time: `apart` is then the table, else NULL. */
bool mt_group_can_merge (const MtQuery *q, const MtTable *apart);

#endif
