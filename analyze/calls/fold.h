/* Constants computed while the statement is bound. */
#ifndef MT_FOLD_H
#define MT_FOLD_H

#include "analyze/state/binder.h"

/* Folds *x: computes the parts of it that have no columns. */
bool mt_fold (MtBinder *b, MtX **x);
/* Folds all expressions of q and of the queries below it. */
bool mt_fold_query (MtBinder *b, MtQuery *q);

/* Rewrites comparisons of times that lie between two milliseconds, so that milliseconds alone decide
 * them. *x is folded otherwise. */
bool mt_fold_moments (MtBinder *b, MtX **x);
/* Returns the operator between *left and times of whole milliseconds. Replaces *left by a time of
 * whole milliseconds. */
const char *mt_moment_operator (MtBinder *b, const char *op, MtX **left);

#endif
