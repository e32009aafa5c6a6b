/* Combines the columns and names of two FROM items into a join. */
#ifndef MT_JOINED_H
#define MT_JOINED_H

#include "analyze/state/binder.h"

/* Makes *rel the join of left and right, without a condition. Fails with 42712 if both sides have a
 * table of the same name, and with 54011 if there are too many columns. */
bool mt_join_rels (MtBinder *b, MtRel *left, MtRel *right, MtSpan span, MtRel *rel);
/* Joins `right` to *rel, in place. The columns of `right` are added at the end, without names.
 * mark: also adds a last boolean column, which is true if `right` has a row for the left row. Fails
 * with 54011 if there are too many columns. */
bool mt_join_unnamed (MtBinder *b, MtRel *rel, MtRel *right, bool mark, MtSpan span);

#endif
