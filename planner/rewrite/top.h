/* Takes the first rows of a sub-select before it computes its select list. */
#ifndef MT_TOP_H
#define MT_TOP_H

#include "query/query.h"

/* Returns q with its ORDER BY and LIMIT repeated in its sub-select, or in the members of its UNION
 * ALL, where the keys are columns. An index can then serve them. Returns q itself if nothing
 * changes. In arena a. */
const MtQuery *mt_push_top (MtArena *a, const MtQuery *q);

#endif
