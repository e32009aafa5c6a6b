/* Takes the first rows of a sub-select before it computes its select list. */
#ifndef MT_TOP_H
#define MT_TOP_H

#include "query/query.h"

/* Returns q with its ORDER BY and LIMIT copied into its sub-select, or into the members of its
 * UNION ALL, so that an index can be used. The sort keys must be columns there. Returns q itself if
 * nothing changes. In arena a. */
const MtQuery *mt_push_top (MtArena *a, const MtQuery *q);

#endif
