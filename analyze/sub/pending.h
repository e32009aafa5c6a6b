/* Pending sub-selects: correlated sub-selects that are joined after the whole query block was
 * analyzed, when it is known whether the block is grouped. */
#ifndef MT_PENDING_H
#define MT_PENDING_H

#include "analyze/state/outer.h"

/* Adds a correlated sub-select, `right`, to s->pending. how: the kind of join to make later. */
MtPending *mt_pending_new (MtBinder *b, MtScope *s, MtRel *right, const MtJoin *how, MtSpan span);
/* Calls `bind` to analyze sub-select e. If the scope already has a sub-select with the same text,
 * reuses its result instead. */
bool mt_bind_once (MtBinder *b, MtScope *s, const MtExpr *e,
                   bool (*bind) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out), MtX **out);

/* Joins the pending sub-selects to FROM, before the rows are grouped. Skips those that use
 * aggregates or other results of GROUP BY. */
bool mt_pending_below (MtBinder *b, MtScope *s, MtQuery *q);
/* Adds the join expressions of the remaining pending sub-selects to the select list as hidden
 * items, so that mt_group_query rewrites them, too. */
void mt_pending_hide (MtBinder *b, MtScope *s, MtQuery *q);
/* Call it after grouping. Moves the grouped block into a sub-select in FROM, and joins the
 * remaining pending sub-selects to it. */
bool mt_pending_above (MtBinder *b, MtScope *s, MtQuery *q);

#endif
