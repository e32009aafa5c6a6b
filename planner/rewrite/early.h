/* Groups a side of a join before the join. */
#ifndef MT_EARLY_H
#define MT_EARLY_H

#include "query/query.h"

/* A side of the query's join that is rows of one table. */
typedef struct MtEarlySide {
   const MtQuery *rows;   /* the side as it is */
   const MtQuery *groups; /* the side grouped before the join */
   /* The whole query with `groups` instead of the side. It returns the same rows. */
   const MtQuery *query;
} MtEarlySide;

/* Groups side `i` (counted from 0) of a grouped query over a join by everything that the query
 * reads of it. The table's higher cuts may then answer. The query's aggregates become sums of
 * sums and of counts, and extremes of extremes. False: there is no such side. out->query is NULL
 * if grouping would change an answer. In arena a. */
bool mt_group_early (MtArena *a, const MtQuery *q, int i, MtEarlySide *out);

#endif
