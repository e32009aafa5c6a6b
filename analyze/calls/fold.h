/* Constant folding: computes constant parts of expressions during analysis. */
#ifndef MT_FOLD_H
#define MT_FOLD_H

#include "analyze/state/binder.h"

/* Replaces each part of *x that has no columns by its value. */
bool mt_fold (MtBinder *b, MtX **x);
/* Replaces constant parts by their values in all expressions of q and its sub-queries. */
bool mt_fold_query (MtBinder *b, MtQuery *q);

/* Rewrites comparisons with constants that have microseconds to equivalent comparisons with whole
 * milliseconds, since columns store milliseconds. Other constant parts of *x must be folded. */
bool mt_fold_moments (MtBinder *b, MtX **x);
/* Rounds *left, a constant time with microseconds, to whole milliseconds. Returns the operator that
 * then gives the same result as `op` for times of whole milliseconds. */
const char *mt_moment_operator (MtBinder *b, const char *op, MtX **left);

#endif
