/* Shared libraries that are loaded when they are first needed. Loading MongoDB's driver takes ten
 * times as long as a small statement. */
#ifndef MT_LOADED_H
#define MT_LOADED_H

#include "base/error.h"

/* Loads a shared library for the rest of the process. Stores the addresses of the functions
 * `names`, which ends with NULL, in this order in `to`, a structure of as many pointers. Fails with
 * 58P01 if the library or a function is missing; `to` may then be partly filled. */
bool mt_load_functions (const char *library, const char *const *names, void *to, MtError *err);

#endif
