/* Analysis of the FROM clause. */
#ifndef MT_FROM_CLAUSE_H
#define MT_FROM_CLAUSE_H

#include "analyze/state/binder.h"

/* Analyzes the FROM clause f into *rel. f NULL: the query has no FROM. */
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Makes a query over `rel` that returns the first `count` columns of the rows for which `where` is
 * true. where NULL: returns all rows. */
MtQuery *mt_query_over (MtBinder *b, const MtRel *rel, int count, MtX *where);
/* Replaces *rel by a sub-select of query q. The table and column names stay. */
void mt_become_query (MtRel *rel, MtQuery *q);

#endif
