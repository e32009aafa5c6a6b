/* Shared libraries with functions in C. */
#ifndef MT_MODULE_FILE_H
#define MT_MODULE_FILE_H

#include "query/function.h"

/* Makes f the function of that symbol in a library. `name` is the SQL function's. 58P01, 42883. */
bool mt_module_link (MtArena *a, const char *file, const char *symbol, const char *name, MtFunc *f,
                     MtError *err);

#endif
