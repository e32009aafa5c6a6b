/* Loads libmongoc dynamically when the first server is opened. Most runs of the program need no
 * server, and loading the library takes ten times as long as everything else. Its functions are
 * called by their usual names, which are macros here. */
#ifndef MT_MONGO_DRIVER_H
#define MT_MONGO_DRIVER_H

#include "base/error.h"

#include <mongoc/mongoc.h>

#include "mongoc_names.h"

/* Loads the library and initializes it, once in the process. Fails with 58P01 if it is not
 * installed. Call it before any other function of the library. Thread-safe. */
bool mt_driver_load (MtError *err);

#endif
