/* Early grouping: aggregates one side of a join before the join, so that stored sums can be
 * used. */
#ifndef MT_EARLY_H
#define MT_EARLY_H

#include "query/query.h"

/* One side of a join that reads one table, for comparing its cost with and without early
 * grouping. */
typedef struct MtEarlySide {
   const MtQuery *rows;   /* the side without grouping */
   const MtQuery *groups; /* the side, grouped */
   /* The whole query, with `groups` as the side of the join in place of `rows`. It has the same
    * result as the original. */
   const MtQuery *query;
} MtEarlySide;

/* Rewrites a grouped query over a join so that side number i (from 0) is grouped before the join,
 * whose stored sums may then be used. The query's sums become sums of sums. False: the join has no
 * side i that reads one table. out->query NULL: grouping would change the result. In arena a. */
bool mt_group_early (MtArena *a, const MtQuery *q, int i, MtEarlySide *out);

#endif
