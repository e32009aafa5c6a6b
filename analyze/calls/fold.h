/* Constant folding: computes constant parts of expressions during analysis. */
#ifndef MT_FOLD_H
#define MT_FOLD_H

#include "analyze/state/binder.h"

/* Replaces each part of *x that has no columns by its computed value. Fails with the error of the
 * computation. */
bool mt_fold (MtBinder *b, MtX **x);
/* Replaces constant parts by their values in all expressions of q and its sub-queries. */
bool mt_fold_query (MtBinder *b, MtQuery *q);

/* Rewrites comparisons of times with constants that have microseconds. The new comparisons use
 * whole milliseconds, as columns store them, and have the same results. Call mt_fold on *x
 * before. */
bool mt_fold_moments (MtBinder *b, MtX **x);
/* Rounds *left, a constant time with microseconds, down or up to whole milliseconds. Returns the
 * operator that replaces `op`, so that comparisons with times of whole milliseconds have the same
 * results. */
const char *mt_moment_operator (MtBinder *b, const char *op, MtX **left);

#endif
