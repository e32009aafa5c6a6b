/* Casts from, to and between arrays, and array literals with microseconds. */
#ifndef MT_ARRAY_CAST_H
#define MT_ARRAY_CAST_H

#include "analyze/types/coerce.h"

/* Casts an array to another array type or to text, or text to an array. The caller has checked that
 * the cast exists. */
MtX *mt_array_cast (MtBinder *b, MtX *x, MtType to, MtCoercion how);
/* Returns whether x is an ARRAY[…] expression, whose elements can be cast one by one. */
bool mt_is_array_constructor (const MtX *x);

/* If the literal `text` is an array of times with microseconds, replaces *x by an ARRAY[…] of time
 * constants. An array value would lose the microseconds. */
bool mt_exact_array (MtBinder *b, MtStr text, MtX **x);
/* Returns whether x is an ARRAY[…] of constant times with microseconds. */
bool mt_has_moments (const MtX *x);

#endif
