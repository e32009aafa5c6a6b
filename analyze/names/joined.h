/* Two items of FROM put side by side, with the names of both. */
#ifndef MT_JOINED_H
#define MT_JOINED_H

#include "analyze/state/binder.h"

/* Makes *rel the join of left and right, without a condition. 42712: both have a table of one name;
 * 54011: too many columns. */
bool mt_join_rels (MtBinder *b, MtRel *left, MtRel *right, MtSpan span, MtRel *rel);
/* Joins `right` to *rel in place. The columns of *rel keep their numbers and names. The columns of
 * `right` follow without names, and then, with mark, a boolean: there was a partner. 54011. */
bool mt_join_unnamed (MtBinder *b, MtRel *rel, MtRel *right, bool mark, MtSpan span);

#endif
