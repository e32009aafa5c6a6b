/* A temporary folder for each test. For tests with one file each: everything is static. */
#ifndef TEMP_FOLDER_H
#define TEMP_FOLDER_H

#include "tests/unit/calls.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static int setup (void **state)
{
   (void) state;
   const char *dir = getenv ("TMPDIR");
   if (asprintf (&folder, "%s/mtsql-test-XXXXXX", dir ? dir : "/tmp") < 0 || !mkdtemp (folder))
      return -1;
   mt_error_clear (&err);
   return 0;
}

static int drop (const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
   (void) st, (void) flag, (void) ftw;
   return remove (path);
}

static int teardown (void **state)
{
   (void) state;
   nftw (folder, drop, 8, FTW_DEPTH | FTW_PHYS);
   free (folder);
   return 0;
}

#endif
