/* Declarations shared by the files for array functions. */
#ifndef MT_FN_ARRAY_H
#define MT_FN_ARRAY_H

#include "functions/core/row.h"

/* Finds the type of an array's elements by the type's name. Fails with 22023 if the type is
 * unknown. */
bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out);

#endif
