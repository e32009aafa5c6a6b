/* Analysis of the FROM clause. */
#ifndef MT_FROM_CLAUSE_H
#define MT_FROM_CLAUSE_H

#include "analyze/state/binder.h"

/* Analyzes the FROM clause f into *rel. f NULL: the query has no FROM. */
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel);

#endif
