/* The functions of extensions. */
#ifndef MT_MODULE_FILE_H
#define MT_MODULE_FILE_H

#include "base/extension.h"
#include "query/function.h"

/* Makes f the C function `symbol` of a library. `name` is the SQL function's name. Errors: 58P01
 * the library can't be loaded, 42883 it has no such function. */
bool mt_module_link (MtArena *a, const char *file, const char *symbol, const char *name, MtFunc *f,
                     MtError *err);

/* Makes the rows of an extension's functions, in arena a. 42P17: a row is invalid. */
bool mt_module_functions (MtArena *a, const MtModule *m, const MtFunc *const **functions,
                          size_t *count, MtError *err);

#endif
