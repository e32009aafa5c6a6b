/* Reads, writes and syncs the files of a store. Errors name the file. Also contains the writer's
 * lock. */
#include "base/sync_folder.h"
#include "engine/local/store/store_int.h"
#include "engine/local/store/manifest_int.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

bool mt_io_error (MtError *err, const char *doing, const char *path)
{
   int e = errno;
   return mt_error (err, mt_io_state (e), "could not %s file \"%s\": %s", doing,
                    path ? path : "(temporary)", strerror (e));
}

bool mt_io_write (int fd, const void *p, size_t n, uint64_t at, const char *path, MtError *err)
{
   const uint8_t *b = p;
   while (n > 0) {
      ssize_t w = pwrite (fd, b, n, (off_t) at);
      if (w < 0 && errno == EINTR)
         continue;
      if (w <= 0) {
         if (w == 0)
            errno = ENOSPC;
         return mt_io_error (err, "write", path);
      }
      b += w;
      at += (size_t) w;
      n -= (size_t) w;
   }
   return true;
}

bool mt_io_read (int fd, void *p, size_t n, uint64_t at, const char *path, MtError *err)
{
   uint8_t *b = p;
   while (n > 0) {
      ssize_t r = pread (fd, b, n, (off_t) at);
      if (r < 0 && errno == EINTR)
         continue;
      if (r < 0)
         return mt_io_error (err, "read", path);
      if (r == 0)
         return mt_error (err, MT_E_CORRUPT, "file \"%s\" is truncated: it ends at offset %llu",
                          path ? path : "(temporary)", (unsigned long long) at);
      b += r;
      at += (size_t) r;
      n -= (size_t) r;
   }
   return true;
}

bool mt_io_sync (int fd, const char *path, MtError *err)
{
   while (fdatasync (fd) != 0)
      if (errno != EINTR)
         return mt_io_error (err, "sync", path);
   return true;
}

bool mt_io_sync_dir (const char *path, MtError *err)
{
   return mt_sync_folder (path) || mt_io_error (err, "sync", path);
}

/* ---- the lock ---- */

static bool locked_by_other (MtStore *s, int fd, const char *path, MtError *err)
{
   char pid[24] = "";
   ssize_t n = pread (fd, pid, sizeof pid - 1, 0);
   mt_error (err, MT_E_LOCKED, "store \"%s\" is being written by another process", s->path);
   if (n > 0 && strtol (pid, NULL, 10) > 0)
      mt_error_detail (err, "Process %ld holds the lock on file \"%s\".", strtol (pid, NULL, 10),
                       path);
   else
      mt_error_detail (err, "Another process holds the lock on file \"%s\".", path);
   return mt_error_hint (err, "Try again when it has finished; reading is possible meanwhile.");
}

/* Waits for the lock on the file LOCK. Returns false with errno on failure. If errno is 0, the
 * statement was cancelled, and *err is set. */
static bool wait_for_lock (const MtStore *s, int fd, MtError *err)
{
   enum { LOOK_EVERY_MS = 5 };
   int64_t until = mt_now_ms () + s->lock_timeout_ms;
   while (flock (fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK || mt_now_ms () >= until)
         return false;
      if (!mt_cancel_check (s->cancel, err)) {
         errno = 0;
         return false;
      }
      nanosleep (&(struct timespec) {0, LOOK_EVERY_MS * 1000000L}, NULL);
   }
   return true;
}

bool mt_store_lock (MtStore *s, MtError *err)
{
   if (s->temporary || s->lock_fd >= 0)
      return true;
   char *path = mt_heap_printf ("%s/LOCK", s->path);
   bool ok = false;
   int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
   if (fd < 0) {
      mt_io_error (err, "open", path);
   } else if (!wait_for_lock (s, fd, err)) {
      if (errno == EWOULDBLOCK)
         locked_by_other (s, fd, path, err);
      else if (errno)
         mt_io_error (err, "lock", path);
      close (fd);
   } else {
      char pid[24];
      int n = snprintf (pid, sizeof pid, "%-11ld\n", (long) getpid ());
      ok = true;
      /* Ignore a failure: the process id is only for the messages of other processes. */
      if (pwrite (fd, pid, (size_t) n, 0) != n)
         errno = 0;
      s->lock_fd = fd;
   }
   free (path);
   return ok;
}

/* ---- the last commit, behind the writer's process id ---- */

#define STAMP_AT 12

void mt_stamp_write (const MtStore *s)
{
   char text[64];
   int n = snprintf (text, sizeof text, "%016llx %016llx %016llx\n",
                     (unsigned long long) s->store_id, (unsigned long long) s->seq,
                     (unsigned long long) s->chain);
   /* Ignore a failure: the manifest contains the commit. */
   if (s->lock_fd >= 0 && pwrite (s->lock_fd, text, (size_t) n, STAMP_AT) != n)
      errno = 0;
}

void mt_stamp_read (const MtStore *s, MtStamp *out)
{
   char *path = mt_heap_printf ("%s/LOCK", s->path), text[64] = "";
   unsigned long long id = 0, seq = 0, chain = 0;
   int fd = open (path, O_RDONLY | O_CLOEXEC);
   ssize_t n = fd >= 0 ? pread (fd, text, sizeof text - 1, STAMP_AT) : -1;
   *out = (MtStamp) {0};
   if (n > 0 && sscanf (text, "%16llx %16llx %16llx\n", &id, &seq, &chain) == 3)
      *out = (MtStamp) {id, seq, chain};
   if (fd >= 0)
      close (fd);
   free (path);
}

void mt_store_unlock (MtStore *s)
{
   if (s->lock_fd >= 0)
      close (s->lock_fd);
   s->lock_fd = -1;
}
