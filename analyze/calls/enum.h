/* Values of enumerated types in expressions. */
#ifndef MT_CALLS_ENUM_H
#define MT_CALLS_ENUM_H

#include "analyze/state/binder.h"

/* Compares values of an enumerated type. A literal gets the other side's type. *out NULL: neither
 * side is of such a type, or they can't be compared. */
bool mt_enum_operator (MtBinder *b, MtCmp op, MtX *left, MtX *right, MtSpan span, MtX **out);
/* Converts values of an enumerated type or of char(n) in a list to text, to test whether they are
 * equal. */
void mt_label_texts (MtBinder *b, MtX **list, int count);
/* Returns the place of x in the order of its type, as an integer. */
MtX *mt_enum_place (MtBinder *b, MtX *x);
/* Returns the value of type t at a place. */
MtX *mt_enum_at (MtBinder *b, MtX *place, MtType t);

#endif
