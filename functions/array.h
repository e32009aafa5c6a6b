/* Declarations that the files on arrays share. */
#ifndef MT_FN_ARRAY_H
#define MT_FN_ARRAY_H

#include "functions/core/row.h"

/* Finds the elements' type by its name. 22023: there is none. */
bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out);

#endif
