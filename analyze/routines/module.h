/* Loads functions from shared libraries and extensions. */
#ifndef MT_MODULE_FILE_H
#define MT_MODULE_FILE_H

#include "base/extension.h"
#include "query/function.h"

/* Links f to the C function `symbol` of the shared library `file`. Fails with 58P01 if the library
 * can't be loaded, and with 42883 if it has no such function. */
bool mt_module_link (MtArena *a, const char *file, const char *symbol, MtFunc *f, MtError *err);

/* Returns the SQL functions of extension m, in arena a. Fails with 42P17 if a declaration is
 * invalid. */
bool mt_module_functions (MtArena *a, const MtModule *m, const MtFunc *const **functions,
                          size_t *count, MtError *err);

/* Returns the local executor's operators of the i-th extension whose functions are in use. A row
 * without a name ends the array, which lives as long as the process. NULL: i is too high. */
const MtOpRow *mt_module_ops (size_t i);

#endif
