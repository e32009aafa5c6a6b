/* What the files that read and print values share. */
#ifndef MT_DATUM_INT_H
#define MT_DATUM_INT_H

#include "types/type.h"

/* White space as PostgreSQL's input functions skip it, at both ends. */
MtStr mt_datum_trim (MtStr s);
/* 22P02: invalid input syntax for type … */
bool mt_datum_syntax (MtError *err, MtTypeId t, MtStr text);

#endif
