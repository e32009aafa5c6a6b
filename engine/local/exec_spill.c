/* Temporary files: what doesn't fit in a blocking stage's memory. Unlinked from the start, so nothing is left behind. */
#include "engine/local/exec_core.h"
#include "engine/local/store_int.h"

#include <stdlib.h>
#include <string.h>

void mt_pack (MtBw *b, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   mt_bw_add (b, &v, sizeof v);
   mt_bw_add (b, v.p, n);
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

bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n)
{
   w->count[w->timed].spilled += n;
   return mt_temporary_write (f, p, n, &w->err);
}

bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n)
{
   w->count[w->timed].spilled += n;
   return mt_streams_write (s, number, p, n, &w->err);
}
