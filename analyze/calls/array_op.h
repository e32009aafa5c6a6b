/* Calls over arrays that depend on the array's shape or on its elements' type. */
#ifndef MT_ARRAY_OP_H
#define MT_ARRAY_OP_H

#include "analyze/state/binder.h"

/* Whether x is known to have one dimension. */
bool mt_is_flat_array (const MtX *x);
/* Replaces a call over an array of one dimension by the variant that MongoDB has an operator for, if
 * there is one. */
void mt_flat_call (MtX *x);
/* Replaces x, a comparison of arrays, by the hidden function `name`, which gets the elements'
 * type. */
MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name);
/* Returns the elements of a constant or an ARRAY[…], through all dimensions. NULL: they aren't
 * known. */
MtX **mt_visible_elements (MtBinder *b, const MtX *x, int *count);

#endif
