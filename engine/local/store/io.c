/* Reads, writes and syncs the files of a store, with errors that name the file. Also takes the
 * writer's lock: the lock on the file LOCK that only one writing process holds. */
#include "base/sync_folder.h"
#include "engine/local/store/store_int.h"
#include "engine/local/store/manifest_int.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

bool mt_io_write_parts (int fd, const struct iovec *parts, int count, uint64_t at, const char *path,
                        MtError *err)
{
   ssize_t w = pwritev (fd, parts, count, (off_t) at);
   size_t done = w < 0 ? 0 : (size_t) w;
   for (int i = 0; i < count; i++) {
      size_t n = parts[i].iov_len, skip = done < n ? done : n;
      if (skip < n && !mt_io_write (fd, (const uint8_t *) parts[i].iov_base + skip, n - skip,
                                    at + skip, path, err))
         return false;
      done -= skip;
      at += n;
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

/* Waits for the lock on the file LOCK, up to the lock timeout. On failure returns false and sets
 * errno; if errno is 0, the statement was cancelled and *err is set. */
static bool wait_for_lock (MtStore *s, int fd, MtError *err)
{
   /* A commit of few rows holds the lock for less than FIRST_WAIT_US, so the first wait is
    * short. */
   enum { FIRST_WAIT_US = 50, LONGEST_WAIT_US = 5000 };
   long wait_us = FIRST_WAIT_US;
   int64_t until = mt_now_ms () + s->lock_timeout_ms;
   if (!mt_mates_lock (s, until, err))
      return false;
   while (flock (fd, LOCK_EX | LOCK_NB) != 0) {
      int e = errno == EWOULDBLOCK && !mt_cancel_check (s->cancel, err) ? 0 : errno;
      if (e != EWOULDBLOCK || mt_now_ms () >= until) {
         mt_mates_unlock (s);
         errno = e;
         return false;
      }
      nanosleep (&(struct timespec) {0, wait_us * 1000L}, NULL);
      wait_us += wait_us / 8;
      if (wait_us > LONGEST_WAIT_US)
         wait_us = LONGEST_WAIT_US;
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
      /* Ignore a failure: other processes only show the process id in messages. */
      if (pwrite (fd, pid, (size_t) n, 0) != n)
         errno = 0;
      s->lock_fd = fd;
   }
   free (path);
   return ok;
}

/* ---- the last commit, behind the writer's process id ---- */

#define STAMP_AT 12

static int open_lock (const MtStore *s, int how)
{
   char *path = mt_heap_printf ("%s/LOCK", s->path);
   int fd = open (path, how | O_CLOEXEC, 0666);
   free (path);
   return fd;
}

int mt_store_try_lock (const MtStore *s)
{
   int fd = open_lock (s, s->read_only ? O_RDONLY : O_RDWR | O_CREAT);
   if (fd >= 0 && flock (fd, (s->read_only ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
      close (fd);
      fd = -1;
   }
   return fd;
}

/* Writes the three numbers of a stamp (the last synced commit) to `text`, and returns the hash of
 * the text. */
static unsigned long long stamp_text (char text[80], const MtStamp *t)
{
   int n = snprintf (text, 80, "%016llx %016llx %016llx ", (unsigned long long) t->store_id,
                     (unsigned long long) t->seq, (unsigned long long) t->chain);
   return XXH3_64bits (text, (size_t) n);
}

void mt_stamp_write (const MtStore *s, uint64_t seq, uint64_t chain)
{
   char text[80];
   unsigned long long hash = stamp_text (text, &(MtStamp) {s->store_id, seq, chain, true});
   size_t n = strlen (text);
   n += (size_t) snprintf (text + n, sizeof text - n, "%016llx\n", hash);
   int fd = open_lock (s, O_WRONLY);
   /* Ignore a failure: the stamp only helps to find old copies, and the commit is in the
    * manifest. */
   if (fd >= 0 && pwrite (fd, text, n, STAMP_AT) != (ssize_t) n)
      errno = 0;
   if (fd >= 0)
      close (fd);
}

void mt_stamp_read (const MtStore *s, MtStamp *out)
{
   char text[80] = "", again[80];
   unsigned long long id = 0, seq = 0, chain = 0, hash = 0;
   int fd = open_lock (s, O_RDONLY);
   ssize_t n = fd >= 0 ? pread (fd, text, sizeof text - 1, STAMP_AT) : -1;
   int got = n > 0 ? sscanf (text, "%16llx %16llx %16llx %16llx", &id, &seq, &chain, &hash) : 0;
   *out = (MtStamp) {0};
   if (got >= 3)
      *out = (MtStamp) {id, seq, chain, false};
   out->whole = got == 4 && stamp_text (again, out) == hash;
   /* A complete stamp with a wrong checksum: another process was writing it. Treat it as
    * missing. */
   if (got == 4 && !out->whole)
      *out = (MtStamp) {0};
   if (fd >= 0)
      close (fd);
}

void mt_store_unlock (MtStore *s)
{
   if (s->lock_fd < 0)
      return;
   close (s->lock_fd);
   s->lock_fd = -1;
   mt_mates_unlock (s);
}
