/* Reads functions and aggregates of shared libraries. */
#ifndef MT_MODULE_FILE_H
#define MT_MODULE_FILE_H

#include "base/extension.h"
#include "query/function.h"

/* Links f to the C function `symbol` of the shared library `file`. Fails with 58P01 if the library
 * can't be loaded, and with 42883 if it has no such function. */
bool mt_module_link (MtArena *a, const char *file, const char *symbol, MtFunc *f, MtError *err);

/* The functions and aggregates of an extension. */
typedef struct MtModuleRows {
   const MtFunc *const *functions;
   size_t function_count;
   const MtAgg *const *aggregates;
   size_t aggregate_count;
} MtModuleRows;

/* Returns the functions and aggregates of extension m, in arena a. Fails with 42P17 if a definition
 * is invalid. */
bool mt_module_rows (MtArena *a, const MtModule *m, MtModuleRows *out, MtError *err);

/* Returns the local executor's operators of the i-th extension whose functions are in use. A row
 * without a name ends the array, which lives as long as the process. NULL: i is too high. */
const MtOpRow *mt_module_ops (size_t i);

#endif
