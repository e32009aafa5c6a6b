/* libFuzzer: any bytes are read as compressed, as they are, or refused with the file's name, in
 * pieces of any length; what is compressed here is read back. */
#include "base/compress.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define MOST (8u << 20)

typedef struct Feed {
   const uint8_t *p;
   size_t n, piece;
} Feed;

static long feed (void *ctx, char *buf, size_t n)
{
   Feed *f = ctx;
   size_t take = f->n < n ? f->n : n;
   take = take < f->piece ? take : f->piece;
   if (take)
      memcpy (buf, f->p, take);
   f->p += take;
   f->n -= take;
   return (long) take;
}

static bool collect (void *ctx, const char *buf, size_t n)
{
   mt_buf_add (ctx, buf, n);
   return true;
}

/* Up to MOST bytes; false: an error. */
static bool read_all (const char *name, Feed f, size_t room, MtBuf *out)
{
   char buf[4096];
   MtError err = {0};
   MtUnpack *u = mt_unpack_open (feed, &f, name, "XX001");
   long n = 0;
   while (out->n < MOST && (n = mt_unpack_read (u, buf, room, &err)) > 0)
      mt_buf_add (out, buf, (size_t) n);
   mt_unpack_close (u);
   if ((n < 0) != mt_error_is_set (&err) || (n < 0 && !strstr (err.message, name)))
      abort ();
   return n >= 0;
}

static void there_and_back (const uint8_t *p, size_t n, MtCompression how, const char *name)
{
   MtBuf packed = {0}, back = {0};
   MtPack *w = mt_pack_open (how, collect, &packed);
   if (!mt_pack_write (w, (const char *) p, n / 2) ||
       !mt_pack_write (w, (const char *) p + n / 2, n - n / 2) || !mt_pack_finish (w))
      abort ();
   mt_pack_close (w);
   if (!read_all (name, (Feed) {(const uint8_t *) packed.p, packed.n, 7}, 100, &back) ||
       back.n != n || (n && memcmp (back.p, p, n)))
      abort ();
   mt_buf_free (&packed);
   mt_buf_free (&back);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static const char *const names[] = {"file", "file.gz", "file.zst"};
   if (size < 2)
      return 0;
   MtBuf out = {0};
   read_all (names[data[0] % 3], (Feed) {data + 2, size - 2, 1 + data[1] % 200}, 1 + data[1] * 16u,
             &out);
   mt_buf_free (&out);
   if (data[0] < 16) {
      there_and_back (data + 2, size - 2, MT_GZIP, "file.gz");
      there_and_back (data + 2, size - 2, MT_ZSTD, "file.zst");
   }
   return 0;
}
