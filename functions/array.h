/* Declarations shared by the files for array functions. */
#ifndef MT_FN_ARRAY_H
#define MT_FN_ARRAY_H

#include "functions/core/row.h"

/* Sets *out to the element type whose name is `name`, the hidden last argument of array functions.
 * Fails with 22023 if it is unknown. */
bool mt_element_type (MtEval *ev, MtVal name, MtTypeId *out);

#endif
