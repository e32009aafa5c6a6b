/* Comparison and padding of values of the type char(n). */
#ifndef MT_CALLS_CHARS_H
#define MT_CALLS_CHARS_H

#include "analyze/state/binder.h"

/* If *left or *right is char(n), and the other side is char(n), varchar or a literal, converts both
 * to text without trailing blanks, for a comparison. Leaves other types as they are. */
bool mt_chars_compared (MtBinder *b, MtX **left, MtX **right);
/* Converts x of type char(n) to text padded with blanks to n characters, as PostgreSQL stores it.
 * Returns x itself if it has another type. */
MtX *mt_chars_padded (MtBinder *b, MtX *x);

#endif
