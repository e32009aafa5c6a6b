#include "base/temporary.h"

#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder (void)
{
   const char *dir = getenv ("TMPDIR");
   return dir && *dir ? dir : "/tmp";
}

int mt_temporary_file (void)
{
   char *name = NULL;
   int fd = open (folder (), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
   if (fd >= 0 || asprintf (&name, "%s/mtsql-XXXXXX", folder ()) < 0)
      return fd;
   fd = mkostemp (name, O_CLOEXEC); /* the way for file systems without O_TMPFILE */
   if (fd >= 0)
      unlink (name);
   free (name);
   return fd;
}

const char *mt_io_state (int error)
{
   switch (error) {
   case ENOSPC:
   case EDQUOT:
   case EFBIG: return MT_E_DISK_FULL;
   case ENOMEM: return MT_E_OUT_OF_MEMORY;
   case ENOENT: return MT_E_UNDEFINED_FILE;
   default: return MT_E_IO;
   }
}

void *mt_temporary_map (size_t size_bytes, MtError *err)
{
   int fd = mt_temporary_file ();
   void *p = MAP_FAILED;
   int error = fd < 0 ? errno : posix_fallocate (fd, 0, (off_t) size_bytes);
   if (!error) {
      p = mmap (NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      error = p == MAP_FAILED ? errno : 0;
   }
   if (fd >= 0)
      close (fd);
   if (p != MAP_FAILED)
      return p;
   errno = error;
   mt_temporary_failed (err, "write");
   return NULL;
}

void mt_temporary_unmap (void *p, size_t size_bytes) { munmap (p, size_bytes); }

/* ---- closing ---- */

enum { LARGE = 4 << 20, MOST_WAITING = 256 };

/* The descriptors of files that a separate thread still has to close. The thread ends when the list
 * is empty. The mutex `closing` protects the list. */
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;
static int waiting[MOST_WAITING], waiting_count;
static bool closer_runs;

static void *close_all (void *ctx)
{
   (void) ctx;
   pthread_mutex_lock (&closing);
   while (waiting_count) {
      int fd = waiting[--waiting_count];
      pthread_mutex_unlock (&closing);
      close (fd);
      pthread_mutex_lock (&closing);
   }
   closer_runs = false;
   pthread_mutex_unlock (&closing);
   return NULL;
}

/* Gives a file to the thread that closes files. Returns false if the caller must close the file. */
static bool close_later (int fd)
{
   pthread_t thread;
   pthread_mutex_lock (&closing);
   bool ok = waiting_count < MOST_WAITING;
   if (ok && !closer_runs && (ok = closer_runs = mt_thread_start (&thread, close_all, NULL)))
      pthread_detach (thread);
   if (ok)
      waiting[waiting_count++] = fd;
   pthread_mutex_unlock (&closing);
   return ok;
}

void mt_temporary_drop (int fd)
{
   struct stat st;
   if (fd >= 0 && (fstat (fd, &st) != 0 || st.st_size < LARGE || !close_later (fd)))
      close (fd);
}

void mt_temporary_close (FILE *f)
{
   struct stat st;
   int fd = -1;
   if (!f)
      return;
   __fpurge (f); /* unwritten bytes are not needed */
   if (fstat (fileno (f), &st) == 0 && st.st_size >= LARGE)
      fd = fcntl (fileno (f), F_DUPFD_CLOEXEC, 0);
   fclose (f);
   mt_temporary_drop (fd);
}

bool mt_temporary_failed (MtError *err, const char *doing)
{
   int e = errno;
   mt_error (err, e == ENOENT ? MT_E_IO : mt_io_state (e),
             "could not %s a temporary file in \"%s\": %s", doing, folder (), strerror (e));
   return mt_error_hint (err, "The environment variable TMPDIR says where temporary files go.");
}

FILE *mt_temporary_stream (MtError *err)
{
   int fd = mt_temporary_file ();
   FILE *f = fd < 0 ? NULL : fdopen (fd, "w+");
   if (!f)
      mt_temporary_failed (err, "create");
   if (fd >= 0 && !f)
      close (fd);
   return f;
}

bool mt_temporary_write (FILE *f, const void *p, size_t size_bytes, MtError *err)
{
   return mt_memory_check (err) &&
          (fwrite (p, 1, size_bytes, f) == size_bytes || mt_temporary_failed (err, "write"));
}

bool mt_temporary_flush (FILE *f, MtError *err)
{
   return fflush (f) == 0 || mt_temporary_failed (err, "write");
}

/* Calls fflush first, because rewind () would clear errors without reporting them. */
bool mt_temporary_rewind (FILE *f, MtError *err)
{
   return mt_temporary_flush (f, err) &&
          (fseeko (f, 0, SEEK_SET) == 0 || mt_temporary_failed (err, "read"));
}

bool mt_temporary_damaged (MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "a temporary file in \"%s\" is damaged", folder ());
}

bool mt_temporary_write_at (int fd, uint64_t at, const void *p, size_t size_bytes, MtError *err)
{
   const uint8_t *from = p;
   for (size_t done = 0; done < size_bytes;) {
      ssize_t n = pwrite (fd, from + done, size_bytes - done, (off_t) (at + done));
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0)
         return mt_temporary_failed (err, "write");
      done += (size_t) n;
   }
   return true;
}

/* Sets the error of a failed read. If the file ends too early, another program has shortened it. */
static bool read_failed (FILE *f, MtError *err)
{
   if (!ferror (f))
      errno = EIO;
   return mt_temporary_failed (err, "read");
}

bool mt_temporary_read (FILE *f, void *p, size_t size_bytes, MtError *err)
{
   return fread (p, 1, size_bytes, f) == size_bytes || read_failed (f, err);
}

bool mt_temporary_read_at (FILE *f, off_t at, void *p, size_t size_bytes, MtError *err)
{
   ssize_t n = pread (fileno (f), p, size_bytes, at);
   if (n >= 0 && (size_t) n < size_bytes)
      errno = EIO;
   return n == (ssize_t) size_bytes || mt_temporary_failed (err, "read");
}

bool mt_temporary_next (FILE *f, uint32_t *head, bool *end, MtError *err)
{
   size_t got = fread (head, 1, sizeof *head, f);
   *end = got == 0 && !ferror (f);
   return *end || got == sizeof *head || read_failed (f, err);
}
