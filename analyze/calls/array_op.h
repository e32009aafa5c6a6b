/* Replaces calls of array functions and comparisons of arrays by internal functions for one
 * dimension or for an element type. */
#ifndef MT_ARRAY_OP_H
#define MT_ARRAY_OP_H

#include "analyze/state/binder.h"

/* Returns whether analysis can prove that x is a one-dimensional array. */
bool mt_is_flat_array (const MtX *x);
/* Replaces a call on a one-dimensional array by a variant that MongoDB can compute, if there is
 * one. */
void mt_flat_call (MtX *x);
/* Replaces x, a comparison of arrays, by a call of the internal function `name` with an extra
 * argument for the element type. */
MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name);
/* Returns the element expressions of a constant array or ARRAY[…], of all dimensions in one list,
 * and their number in *count. NULL: x is another expression. */
MtX **mt_visible_elements (MtBinder *b, const MtX *x, int *count);

#endif
