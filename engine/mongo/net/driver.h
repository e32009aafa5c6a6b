/* libmongoc, loaded when the first server is opened. Most runs of the program use none, and the
 * library takes ten times as long to load as everything else. Its functions are called by their own
 * names, which are macros here. */
#ifndef MT_MONGO_DRIVER_H
#define MT_MONGO_DRIVER_H

#include "base/error.h"

#include <mongoc/mongoc.h>

#include "mongoc_names.h"

/* Loads the library and gets it ready, once in the process. Fails with 58P01 if it is not installed.
 * Must come before any other function of the library. Several threads may call it at once. */
bool mt_driver_load (MtError *err);

#endif
