/* Libraries that are loaded when they are first needed. Loading the driver for servers takes ten
 * times as long as a small statement. */
#ifndef MT_LOADED_H
#define MT_LOADED_H

#include "base/error.h"

/* Loads a library for the rest of the process, and writes the addresses of its functions to `to`, a
 * structure of as many pointers, in this order. `names` ends with NULL. Fails with 58P01 if the
 * library or a function is missing; *to may be written in part then. */
bool mt_load_functions (const char *library, const char *const *names, void *to, MtError *err);

#endif
