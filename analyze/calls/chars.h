/* Values of the type char(n) in comparisons. */
#ifndef MT_CALLS_CHARS_H
#define MT_CALLS_CHARS_H

#include "analyze/state/binder.h"

/* Converts both sides of a comparison of char(n) to text without trailing blanks. A literal and
 * a varchar are read as char(n). Otherwise leaves them as they are. */
bool mt_chars_compared (MtBinder *b, MtX **left, MtX **right);
/* Returns x with the blanks that char(n) has in PostgreSQL, as text; x itself if it is another
 * type. */
MtX *mt_chars_padded (MtBinder *b, MtX *x);

#endif
