/* Pending sub-selects: correlated sub-selects that are joined to FROM later, when the block is
 * known to be grouped or not. */
#ifndef MT_PENDING_H
#define MT_PENDING_H

#include "analyze/state/outer.h"

/* Adds a correlated sub-select to s->pending, to be joined as `how` says. */
MtPending *mt_pending_new (MtBinder *b, MtScope *s, MtRel *right, const MtJoin *how, MtSpan span);
/* Analyzes sub-select e by `bind`. Reuses the result of an earlier one with the same text in the
 * same scope. */
bool mt_bind_once (MtBinder *b, MtScope *s, const MtExpr *e,
                   bool (*bind) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out), MtX **out);

/* Joins to FROM, before grouping, all pending sub-selects that do not depend on GROUP BY's
 * result. */
bool mt_pending_below (MtBinder *b, MtScope *s, MtQuery *q);
/* Adds the expressions of the remaining pending sub-selects as hidden targets, so that
 * mt_group_query rewrites them too. */
void mt_pending_hide (MtBinder *b, MtScope *s, MtQuery *q);
/* After grouping: moves the grouped block into a sub-select, and joins the remaining pending
 * sub-selects to it. */
bool mt_pending_above (MtBinder *b, MtScope *s, MtQuery *q);

#endif
