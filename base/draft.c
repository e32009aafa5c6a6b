#include "base/draft.h"
#include "base/memory.h"
#include "base/sync_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether a path names an open file of a process or a device, such as /dev/stdout.
 * Replacing such a path by a new file would not change the open file. */
static bool names_descriptor (const char *path)
{
   return !strncmp (path, "/proc/", 6) ||
          (!strncmp (path, "/dev/", 5) && strncmp (path, "/dev/shm/", 9) != 0);
}

/* Gives the draft fd the owner and the permissions of the old file. The owner is not changed if
 * this process has no right to do so. */
static bool take_mode (int fd, const struct stat *old)
{
   struct stat now;
   if (fstat (fd, &now) != 0)
      return false;
   if (now.st_uid != old->st_uid || now.st_gid != old->st_gid)
      (void) !fchown (fd, old->st_uid, old->st_gid);
   return fchmod (fd, old->st_mode & 07777) == 0;
}

/* Creates a draft, a new file in the folder of d->path, and returns its descriptor. old: the status
 * of the file that it will replace; NULL: there is none. Returns -1 if no file can be created in
 * the folder. */
static int create (MtDraft *d, const struct stat *old)
{
   enum { ATTEMPTS = 100 }; /* a draft may be left of a process that was killed */
   static unsigned number;
   for (int i = 0; i < ATTEMPTS; i++) {
      d->name = mt_heap_printf ("%s.%ld-%u.tmp", d->path, (long) getpid (),
                                __atomic_add_fetch (&number, 1, __ATOMIC_RELAXED));
      int fd = open (d->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0 && (!old || take_mode (fd, old)))
         return fd;
      bool taken = fd < 0 && (errno == EEXIST || errno == EINTR);
      if (fd >= 0) {
         unlink (d->name);
         close (fd);
      }
      free (d->name);
      d->name = NULL;
      if (!taken)
         break;
   }
   return -1;
}

/* Opens the file itself instead of a draft, and truncates it. */
static bool open_directly (MtDraft *d, const char *path, int flags)
{
   free (d->path);
   d->path = NULL;
   d->fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0666);
   return d->fd >= 0;
}

bool mt_draft_open (MtDraft *d, const char *path, int flags)
{
   struct stat old;
   *d = (MtDraft) {.fd = -1};
   /* Opens the old file, because a file without permission to write must not be replaced. */
   int fd = open (path, O_WRONLY | O_CLOEXEC | flags);
   bool exists = fd >= 0;
   if (!exists && errno != ENOENT)
      return false;
   if (exists && (fstat (fd, &old) != 0 || !S_ISREG (old.st_mode))) {
      d->fd = fd;
      return true;
   }
   if (exists)
      close (fd);
   /* If `path` is a symbolic link, the link stays, and the file to which it points is replaced. */
   if (!names_descriptor (path))
      d->path = exists ? realpath (path, NULL) : mt_heap_strdup (path);
   bool dangles = !exists && lstat (path, &old) == 0;
   d->fd = d->path && !dangles ? create (d, exists ? &old : NULL) : -1;
   return d->fd >= 0 || open_directly (d, path, flags);
}

FILE *mt_draft_stream (const MtDraft *d)
{
   int fd = fcntl (d->fd, F_DUPFD_CLOEXEC, 0);
   FILE *f = fd < 0 ? NULL : fdopen (fd, "w");
   if (!f && fd >= 0)
      close (fd);
   return f;
}

void mt_draft_wrote (MtDraft *d, size_t n)
{
   enum { START_BYTES = 4 << 20 };
   d->written += n;
   if (!d->path || d->written - d->started < START_BYTES)
      return;
   /* Errors of this call are ignored, because fsync reports them later. */
   sync_file_range (d->fd, (off_t) d->started, (off_t) (d->written - d->started),
                    SYNC_FILE_RANGE_WRITE);
   d->started = d->written;
}

bool mt_draft_finish (MtDraft *d)
{
   /* Some devices don't support fsync; their errors are ignored. */
   bool ok = fsync (d->fd) == 0 || (!d->path && (errno == EINVAL || errno == EROFS));
   if (!ok)
      return false;
   ok = close (d->fd) == 0;
   d->fd = -1;
   if (!ok || !d->path)
      return ok;
   if (rename (d->name, d->path) != 0)
      return false;
   free (d->name);
   d->name = NULL;
   return mt_sync_folder_of (d->path) || errno == EACCES; /* a folder need not be readable */
}

void mt_draft_drop (MtDraft *d)
{
   int why = errno;
   if (d->fd >= 0)
      close (d->fd);
   if (d->name)
      unlink (d->name);
   free (d->name);
   free (d->path);
   *d = (MtDraft) {.fd = -1};
   errno = why;
}

bool mt_draft_write (const char *path, const MtBuf *bytes, MtError *err)
{
   MtDraft draft;
   FILE *f = mt_draft_open (&draft, path, 0) ? mt_draft_stream (&draft) : NULL;
   bool ok = f && fwrite (bytes->p, 1, bytes->n, f) == bytes->n;
   ok = f && fclose (f) == 0 && ok;
   ok = ok && mt_draft_finish (&draft);
   if (!ok)
      mt_error (err, MT_E_IO, "could not write the file \"%s\": %s", path, strerror (errno));
   mt_draft_drop (&draft);
   return ok;
}
