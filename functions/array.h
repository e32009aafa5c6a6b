/* What the files of arrays share. */
#ifndef MT_FN_ARRAY_H
#define MT_FN_ARRAY_H

#include "functions/core/row.h"

/* The type that an operator of arrays is given by name. */
bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out);

#endif
