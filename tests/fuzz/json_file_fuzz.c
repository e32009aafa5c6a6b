/* libFuzzer: any bytes are read as a JSON file or refused with a place; what is read is BSON that
 * passes its check. */
#include "engine/local/store/files_int.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void check_all (int fd)
{
   off_t n = lseek (fd, 0, SEEK_END);
   uint8_t *p = malloc ((size_t) n + 1);
   if (!p || pread (fd, p, (size_t) n, 0) != n)
      abort ();
   for (size_t at = 0, wrong; at < (size_t) n; at += mt_get32 (p + at))
      if ((size_t) n - at < 5 || mt_get32 (p + at) > (size_t) n - at ||
          mt_bson_check (p + at, mt_get32 (p + at), &wrong) != MT_BSON_OK)
         abort ();
   free (p);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static int in = -1, out = -1;
   MtError err;
   if (in < 0) {
      in = memfd_create ("in", 0);
      out = memfd_create ("out", 0);
   }
   if (ftruncate (in, 0) != 0 || ftruncate (out, 0) != 0 ||
       pwrite (in, data, size, 0) != (ssize_t) size)
      abort ();
   lseek (in, 0, SEEK_SET);
   mt_error_clear (&err);
   if (mt_json_to_bson (in, "file", out, NULL, &err))
      check_all (out);
   else if (!mt_error_is_set (&err) ||
            (!strstr (err.message, "line ") && !strstr (err.message, "could not decompress")))
      abort ();
   return 0;
}
