/* Grouping below a join. */
#ifndef MT_EARLY_H
#define MT_EARLY_H

#include "query/query.h"

/* A side of the query's join that is rows of one table. */
typedef struct MtEarlySide {
   const MtQuery *rows;   /* as it is */
   const MtQuery *groups; /* grouped before the join */
   const MtQuery *query;  /* the whole query that gives the same rows with `groups` in its place */
} MtEarlySide;

/* A grouped query over a join, with side `i` (counted from 0) grouped by what the rest of the query
 * wants of it, so that the table's higher cuts may answer; its aggregates are sums of sums, of
 * counts, and extremes of extremes. False when there is no such side; out->query is NULL where the
 * side can't be grouped without changing an answer. In arena a. */
bool mt_group_early (MtArena *a, const MtQuery *q, int i, MtEarlySide *out);

#endif
