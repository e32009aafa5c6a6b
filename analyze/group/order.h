/* Analysis of GROUP BY and ORDER BY keys, DISTINCT ON and LIMIT. */
#ifndef MT_ORDER_H
#define MT_ORDER_H

#include "analyze/state/binder.h"

/* Analyzes a key of GROUP BY: a column of FROM, the name or position of a select-list item, or an
 * expression. */
bool mt_bind_group_key (MtBinder *b, MtScope *s, const MtExpr *e, const MtQuery *q, MtX **out);
/* Analyzes a key of ORDER BY or DISTINCT ON: the position or name of a select-list item, or an
 * expression. clause: the clause's name for error messages. */
bool mt_bind_sort_key (MtBinder *b, MtScope *s, const MtExpr *e, const char *clause,
                       const MtQuery *q, MtX **out);
/* Stores the direction and the order of NULLs in *out, from ASC, DESC, USING and NULLS. Fails with
 * 42809 if USING has an operator other than < and >. */
bool mt_sort_direction (MtBinder *b, const MtOrderItem *o, MtSortX *out);
/* Analyzes ORDER BY, and sets q->sort. */
bool mt_bind_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtQuery *q);
/* Analyzes the expressions of DISTINCT ON. keys NULL: the query has no DISTINCT ON. Call it after
 * mt_bind_order. */
bool mt_bind_distinct_on (MtBinder *b, MtScope *s, const MtExprList *keys, MtQuery *q);
/* Rewrites SELECT DISTINCT over a table to GROUP BY, if the result stays the same. Otherwise does
 * nothing. */
void mt_distinct_as_groups (MtBinder *b, MtQuery *q);
/* Analyzes LIMIT and OFFSET. Fails with 2201W (LIMIT) or 2201X (OFFSET) if a number is negative. */
bool mt_bind_limit (MtBinder *b, const MtSelect *s, MtQuery *q);

/* Returns whether GROUP BY ALL makes select-list item x a key: x has no window call and no
 * aggregate of scope s, not even in a sub-select. */
bool mt_is_group_key (const MtScope *s, const MtX *x);

#endif
