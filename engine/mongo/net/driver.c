#include "engine/mongo/net/driver.h"

#include "base/loaded.h"
#include "engine/mongo/net/job.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if MONGOC_CHECK_VERSION(2, 0, 0)
#define LIBRARY "libmongoc2.so.2"
#else
#define LIBRARY "libmongoc-1.0.so.0"
#endif

MtMongoc mt_mongoc;

/* Removes the file /dev/shm/mongoc-PID, which libmongoc creates when it is loaded; it warns if the
 * file exists. A killed process leaves its file, and a later process can get the same PID. So the
 * file is removed before the library is loaded, and again at once afterwards; the library still
 * uses its mapping. */
static void remove_counters (void)
{
   char path[64];
   snprintf (path, sizeof path, "/dev/shm/mongoc-%ld", (long) getpid ());
   unlink (path);
}

static void quiet (mongoc_log_level_t level, const char *domain, const char *message, void *user) {}

static void end_driver (void)
{
   if (mt_jobs_end ())
      mongoc_cleanup ();
}

static bool loaded;
static MtError failure; /* if not loaded */

static void load (void)
{
   static const char *const names[] = {MT_MONGOC_NAMES};
   remove_counters ();
   loaded = mt_load_functions (LIBRARY, names, &mt_mongoc, &failure);
   remove_counters ();
   if (!loaded) {
      mt_error_hint (&failure, "Connections to servers need libmongoc, MongoDB's driver for C.");
      return;
   }
   /* Silence the driver's log, because its functions return all errors. Do it first, because
    * mongoc_init may warn. */
   mongoc_log_set_handler (quiet, NULL);
   mongoc_init ();
   mt_jobs_init ();
   atexit (end_driver);
}

bool mt_driver_load (MtError *err)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   pthread_once (&once, load);
   if (!loaded && err)
      *err = failure;
   return loaded;
}
