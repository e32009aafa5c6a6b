/* Keys of GROUP BY and ORDER BY, which may be positions or names of results; LIMIT. */
#ifndef MT_ORDER_H
#define MT_ORDER_H

#include "analyze/state/binder.h"

/* Binds a key of GROUP BY: a column of FROM, an output column, a position, or an expression. */
bool mt_bind_group_key (MtBinder *b, MtScope *s, const MtExpr *e, const MtQuery *q, MtX **out);
/* Binds a key of ORDER BY or DISTINCT ON (`clause`): a position, an output column, or an
 * expression. */
bool mt_bind_sort_key (MtBinder *b, MtScope *s, const MtExpr *e, const char *clause,
                       const MtQuery *q, MtX **out);
/* Sets the direction in *out from ASC, DESC, USING and NULLS. 42809: USING with another operator
 * than < and >. */
bool mt_sort_direction (MtBinder *b, const MtOrderItem *o, MtSortX *out);
/* Binds ORDER BY to q->sort. */
bool mt_bind_order (MtBinder *b, MtScope *s, const MtOrderItem *items, MtQuery *q);
/* Binds DISTINCT ON. Call it after mt_bind_order. keys is NULL without DISTINCT ON. */
bool mt_bind_distinct_on (MtBinder *b, MtScope *s, const MtExprList *keys, MtQuery *q);
/* Turns DISTINCT over a table into a grouping by its columns, if that has the same answer. */
void mt_distinct_as_groups (MtBinder *b, MtQuery *q);
/* Binds LIMIT and OFFSET. 2201W, 2201X: negative. */
bool mt_bind_limit (MtBinder *b, const MtSelect *s, MtQuery *q);

#endif
