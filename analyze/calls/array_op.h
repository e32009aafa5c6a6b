/* Array functions that are rewritten by the number of dimensions or the type of elements. */
#ifndef MT_ARRAY_OP_H
#define MT_ARRAY_OP_H

#include "analyze/state/binder.h"

/* Returns whether x is known to be a one-dimensional array. */
bool mt_is_flat_array (const MtX *x);
/* Replaces a call on a one-dimensional array by a variant that MongoDB can compute, if there is
 * one. */
void mt_flat_call (MtX *x);
/* Replaces x, a comparison of arrays, by a call of the internal function `name` with an extra
 * argument for the element type. */
MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name);
/* Returns the elements of a constant array or ARRAY[…], in all dimensions. NULL: x is another
 * expression. */
MtX **mt_visible_elements (MtBinder *b, const MtX *x, int *count);

#endif
