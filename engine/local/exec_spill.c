/* Temporary files: what doesn't fit in a blocking stage's memory. Unlinked from the start, so nothing is left behind. */
#include "engine/local/exec_core.h"
#include "base/spool.h"
#include "engine/local/store_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mt_pack (MtBw *b, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   mt_bw_reserve (b, sizeof v + n);
   memcpy (b->p + b->n, &v, sizeof v);
   b->n += sizeof v;
   if (n)
      memcpy (b->p + b->n, v.p, n);
   b->n += n;
}

bool mt_unpack (const uint8_t **p, const uint8_t *end, MtVal *out)
{
   if ((size_t) (end - *p) < sizeof *out)
      return false;
   memcpy (out, *p, sizeof *out);
   *p += sizeof *out;
   uint32_t n = mt_bytes_len (*out);
   if ((size_t) (end - *p) < n)
      return false;
   if (n)
      out->p = *p;
   *p += n;
   return true;
}

FILE *mt_temp_file (MtError *err)
{
   int fd = mt_temporary_file ();
   FILE *f = fd < 0 ? NULL : fdopen (fd, "w+");
   if (!f) {
      const char *dir = getenv ("TMPDIR");
      mt_error (err, MT_E_IO, "could not create a temporary file in \"%s\": %s", dir && *dir ? dir : "/tmp", strerror (errno));
   }
   if (fd >= 0 && !f)
      close (fd);
   return f;
}

bool mt_temp_write (FILE *f, const void *p, size_t n, MtError *err)
{
   if (fwrite (p, 1, n, f) == n)
      return true;
   return mt_error (err, errno == ENOSPC ? MT_E_DISK_FULL : MT_E_IO, "could not write to a temporary file: %s", strerror (errno)) ||
          mt_error_hint (err, "The environment variable TMPDIR says where temporary files go.");
}

bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n)
{
   w->count[w->timed].spilled += n;
   return mt_temp_write (f, p, n, &w->err);
}
