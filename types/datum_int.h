/* Private to types: shared by the files that read and print values. */
#ifndef MT_DATUM_INT_H
#define MT_DATUM_INT_H

#include "types/type.h"

/* Returns the text without the blanks at both ends that PostgreSQL's input functions skip. */
MtStr mt_datum_trim (MtStr s);
/* Sets the error 22P02 "invalid input syntax for type …". Returns false. */
bool mt_datum_syntax (MtError *err, MtTypeId t, MtStr text);

#endif
