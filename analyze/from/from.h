/* Analysis of the FROM clause. */
#ifndef MT_FROM_CLAUSE_H
#define MT_FROM_CLAUSE_H

#include "analyze/state/binder.h"

/* Analyzes the FROM clause f into *rel. f NULL: the query has no FROM. */
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel);
/* Makes the query SELECT first `count` columns FROM rel WHERE `where`. where may be NULL. */
MtQuery *mt_query_over (MtBinder *b, const MtRel *rel, int count, MtX *where);
/* Replaces rel by sub-select q, keeping its names. */
void mt_become_query (MtRel *rel, MtQuery *q);

#endif
