/* Correlated sub-selects that wait until their block is known to be grouped or not. */
#ifndef MT_PENDING_H
#define MT_PENDING_H

#include "analyze/state/binder.h"

/* A sub-select that becomes a join of the query around it. */
typedef struct MtPending {
   MtRel *right;
   /* The join's properties. Its expressions are over the columns of FROM and of pending
    * sub-selects. */
   MtJoin *join;
   /* Its columns, and then its mark, are MT_X_COLUMN from this number on. */
   int first;
   MtSpan span;
   /* While the block is grouped: the first of the hidden targets that hold the join's
    * expressions. */
   int target;
   /* The number of its first column in the join, plus 1. 0: it isn't joined yet. */
   int at;
} MtPending;

/* Adds a sub-select to s->pending. */
MtPending *mt_pending_new (MtBinder *b, MtScope *s, MtRel *right, const MtJoin *how, MtSpan span);
/* Binds a sub-select by `bind`, or returns the result of the same text in the same scope. */
bool mt_bind_once (MtBinder *b, MtScope *s, const MtExpr *e,
                   bool (*bind) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out), MtX **out);

/* Joins to FROM the sub-selects that needn't stand above a grouping. */
bool mt_pending_below (MtBinder *b, MtScope *s, MtQuery *q);
/* Hides the expressions of the other sub-selects among the targets, so that the grouping transforms
 * them, too. */
void mt_pending_hide (MtBinder *b, MtScope *s, MtQuery *q);
/* After the grouping: makes it a sub-select, and joins the waiting sub-selects to that. */
bool mt_pending_above (MtBinder *b, MtScope *s, MtQuery *q);

#endif
