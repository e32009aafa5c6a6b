/* The functions of extensions. */
#ifndef MT_MODULE_FILE_H
#define MT_MODULE_FILE_H

#include "base/extension.h"
#include "query/function.h"

/* Makes f the C function `symbol` of a library. Errors: 58P01 the library can't be loaded, 42883 it
 * has no such function. */
bool mt_module_link (MtArena *a, const char *file, const char *symbol, MtFunc *f, MtError *err);

/* Makes the rows of an extension's functions, in arena a. 42P17: a row is invalid. */
bool mt_module_functions (MtArena *a, const MtModule *m, const MtFunc *const **functions,
                          size_t *count, MtError *err);

/* Returns the operators of the i-th extension that has functions in use, ended by a row without a
 * name. They live as long as the process. An engine needs them for calls over rows. NULL: there are
 * no more. */
const MtOpRow *mt_module_ops (size_t i);

#endif
