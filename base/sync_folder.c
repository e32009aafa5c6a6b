#include "base/sync_folder.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool mt_sync_folder (const char *folder)
{
   int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   if (fd < 0)
      return false;
   bool ok = fsync (fd) == 0 || errno == EINVAL; /* EINVAL: the file system can't sync folders */
   int why = errno;
   close (fd);
   errno = why;
   return ok;
}

bool mt_sync_folder_of (const char *path)
{
   size_t n = strlen (path);
   while (n > 1 && path[n - 1] == '/')
      n--;
   while (n > 0 && path[n - 1] != '/')
      n--;
   char *folder = n ? mt_heap_strndup (path, n) : mt_heap_strdup (".");
   bool ok = mt_sync_folder (folder);
   int why = errno;
   free (folder);
   errno = why;
   return ok;
}
