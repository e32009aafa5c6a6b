/* Values of enumerated types in expressions. */
#ifndef MT_CALLS_ENUM_H
#define MT_CALLS_ENUM_H

#include "analyze/state/binder.h"

/* Makes a comparison of values of an enumerated type in *out. A literal takes the type of the other
 * side. *out is NULL if no side has an enumerated type, or if their types can't be compared. */
bool mt_enum_operator (MtBinder *b, MtCmp op, MtX *left, MtX *right, MtSpan span, MtX **out);
/* Converts the values of enumerated types and of char(n) in a list to text, so that they can be
 * tested for equality. */
void mt_label_texts (MtBinder *b, MtX **list, int count);
/* Makes an expression for the index (0, 1, …) of label x in its enumerated type, of type
 * integer. */
MtX *mt_enum_place (MtBinder *b, MtX *x);
/* Makes an expression for the label at index `place` (0, 1, …) of enumerated type t. */
MtX *mt_enum_at (MtBinder *b, MtX *place, MtType t);

#endif
