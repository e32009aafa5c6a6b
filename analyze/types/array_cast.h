/* Casts from, to and between arrays, and array literals with exact times. */
#ifndef MT_ARRAY_CAST_H
#define MT_ARRAY_CAST_H

#include "analyze/types/coerce.h"

/* Casts an array to another array or to text, or text to an array. The cast exists. */
MtX *mt_array_cast (MtBinder *b, MtX *x, MtType to, MtCoercion how);
/* Whether x is an ARRAY[…] of elements, not of arrays with several shapes. */
bool mt_is_array_constructor (const MtX *x);

/* *x is the array literal `text`. Elements with microseconds don't fit an array's value, so *x
 * becomes an ARRAY[…] of them. */
bool mt_exact_array (MtBinder *b, MtStr text, MtX **x);
/* Whether x is an ARRAY[…] with such elements. */
bool mt_has_moments (const MtX *x);

#endif
