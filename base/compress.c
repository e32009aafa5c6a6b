/* Compressed files as streams, with zlib and libzstd. */
#include "base/compress.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { BUFFER = 64 << 10, GZIP_BITS = 16 + MAX_WBITS };

static const struct {
   const char *ending, *word, *magic;
   size_t magic_len;
} kinds[] = {
   [MT_GZIP] = {".gz", "gzip", "\x1F\x8B\x08", 3},
   [MT_ZSTD] = {".zst", "zstd", "\x28\xB5\x2F\xFD", 4},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

MtCompression mt_compression_of_name (MtStr name, size_t *ending)
{
   for (int k = MT_GZIP; k < KINDS; k++) {
      size_t n = strlen (kinds[k].ending);
      if (ending)
         *ending = n;
      if (name.n > n && memcmp (name.p + name.n - n, kinds[k].ending, n) == 0)
         return (MtCompression) k;
   }
   if (ending)
      *ending = 0;
   return MT_NOT_COMPRESSED;
}

MtCompression mt_compression_of_bytes (const void *p, size_t n)
{
   for (int k = MT_GZIP; k < KINDS; k++)
      if (n >= kinds[k].magic_len && memcmp (p, kinds[k].magic, kinds[k].magic_len) == 0)
         return (MtCompression) k;
   return MT_NOT_COMPRESSED;
}

/* ---- reading ---- */

struct MtUnpack {
   MtReadFn read;
   void *ctx;
   const char *name, *damaged;
   MtCompression how;
   /* begun: the first bytes were read, to detect the compression; ended: `read` has returned 0, so
    * there is no more input */
   bool begun, ended;
   bool within; /* reading is inside a member (gzip) or frame (Zstandard) */
   size_t members;
   char *in;
   size_t at, n; /* the unread bytes of `in`: n bytes from `at` on */
   z_stream z;
   ZSTD_DStream *zstd;
};

MtUnpack *mt_unpack_open (MtReadFn read, void *ctx, const char *name, const char *damaged)
{
   MtUnpack *u = mt_calloc ("compressed file", 1, sizeof *u);
   u->read = read;
   u->ctx = ctx;
   u->name = name;
   u->damaged = damaged;
   u->in = mt_realloc ("compressed file", NULL, BUFFER);
   return u;
}

/* Moves the unread bytes to the start of `in`, and reads more input after them. Returns false if
 * `read` failed. */
static bool fill (MtUnpack *u)
{
   if (u->at) {
      memmove (u->in, u->in + u->at, u->n - u->at);
      u->n -= u->at;
      u->at = 0;
   }
   long got = u->ended ? 0 : u->read (u->ctx, u->in + u->n, BUFFER - u->n);
   u->ended = got == 0;
   u->n += got > 0 ? (size_t) got : 0;
   return got >= 0;
}

/* Sets *err to the error that the file can't be decompressed because of `why`, and returns -1. */
static int damaged (const MtUnpack *u, const char *why, MtError *err)
{
   mt_error (err, u->damaged, "could not decompress file \"%s\": %s", u->name, why);
   return -1;
}

static int no_memory (MtError *err)
{
   mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   return -1;
}

/* Detects the compression from the first bytes. Fails if they don't have the format of the file
 * name's ending. */
static bool begin (MtUnpack *u, MtError *err)
{
   MtCompression promised = mt_compression_of_name (mt_str (u->name), NULL);
   while (u->n < 4 && !u->ended)
      if (!fill (u))
         return false;
   u->how = mt_compression_of_bytes (u->in, u->n);
   if (promised != MT_NOT_COMPRESSED && promised != u->how) {
      MtCompression is = u->how;
      u->how = MT_NOT_COMPRESSED; /* no decompressor was opened */
      mt_error (err, u->damaged, "file \"%s\" is not compressed with %s", u->name,
                kinds[promised].word);
      return is ? mt_error_hint (err, "It is compressed with %s: rename it to end in %s.",
                                 kinds[is].word, kinds[is].ending)
                : mt_error_hint (err, "Rename it without %s if it is not compressed.",
                                 kinds[promised].ending);
   }
   u->begun = true;
   if (u->how == MT_ZSTD && !(u->zstd = ZSTD_createDStream ()))
      return no_memory (err) > 0;
   if (u->how == MT_GZIP && inflateInit2 (&u->z, GZIP_BITS) != Z_OK)
      return no_memory (err) > 0;
   return true;
}

/* Decompresses up to n bytes into `buf`. Returns their number, which may be 0, or -1 on error.
 * Input that was not used stays in `in`. */
static long inflate_step (MtUnpack *u, char *buf, size_t n, MtError *err)
{
   if (!u->within && inflateReset2 (&u->z, GZIP_BITS) != Z_OK)
      return no_memory (err);
   u->within = true;
   u->z.next_in = (Bytef *) u->in + u->at;
   u->z.avail_in = (uInt) (u->n - u->at);
   u->z.next_out = (Bytef *) buf;
   u->z.avail_out = (uInt) n;
   int r = inflate (&u->z, Z_NO_FLUSH);
   u->at = u->n - u->z.avail_in;
   u->within = r != Z_STREAM_END;
   u->members += r == Z_STREAM_END;
   if (r == Z_OK || r == Z_STREAM_END || r == Z_BUF_ERROR)
      return (long) (n - u->z.avail_out);
   if (r == Z_MEM_ERROR)
      return no_memory (err);
   return damaged (u, u->z.msg ? u->z.msg : "the data is damaged", err);
}

static long zstd_step (MtUnpack *u, char *buf, size_t n, MtError *err)
{
   ZSTD_inBuffer in = {u->in, u->n, u->at};
   ZSTD_outBuffer out = {buf, n, 0};
   size_t r = ZSTD_decompressStream (u->zstd, &out, &in);
   u->at = in.pos;
   if (ZSTD_isError (r))
      return damaged (u, ZSTD_getErrorName (r), err);
   u->within = r != 0;
   u->members += r == 0;
   return (long) out.pos;
}

/* Call it after the end of a member (gzip) or frame (Zstandard). Returns 1 if another one follows,
 * 0 at the end of the file (before it, zeros are skipped), -1 on error. */
static int another (MtUnpack *u, MtError *err)
{
   while (u->n - u->at < 4 && !u->ended)
      if (!fill (u))
         return -1;
   if (u->at == u->n)
      return 0;
   if (u->how == MT_ZSTD || mt_compression_of_bytes (u->in + u->at, u->n - u->at) ==
                               MT_GZIP) /* of zstd there are frames that are skipped, too */
      return 1;
   for (;; u->at++) {
      if (u->at == u->n && !u->ended && !fill (u))
         return -1;
      if (u->at == u->n)
         return 0;
      if (u->in[u->at])
         return damaged (u, "something else follows the compressed data", err);
   }
}

static long packed_read (MtUnpack *u, char *buf, size_t n, MtError *err)
{
   for (;;) {
      int more = u->within || !u->members ? 1 : another (u, err);
      if (more <= 0)
         return more;
      if (u->at == u->n && !u->ended && !fill (u))
         return -1;
      long got = u->how == MT_GZIP ? inflate_step (u, buf, n, err) : zstd_step (u, buf, n, err);
      if (got)
         return got;
      if (u->within && u->at == u->n && u->ended)
         return damaged (u, "it ends within the compressed data", err);
   }
}

static long plain_read (MtUnpack *u, char *buf, size_t n)
{
   size_t left = u->n - u->at, take = left < n ? left : n;
   if (!left)
      return u->ended ? 0 : u->read (u->ctx, buf, n);
   memcpy (buf, u->in + u->at, take);
   u->at += take;
   return (long) take;
}

long mt_unpack_read (MtUnpack *u, char *buf, size_t n, MtError *err)
{
   if (!u->begun && !begin (u, err))
      return -1;
   if (n > (1u << 30))
      n = 1u << 30;
   if (n == 0)
      return 0;
   return u->how ? packed_read (u, buf, n, err) : plain_read (u, buf, n);
}

void mt_unpack_close (MtUnpack *u)
{
   if (!u)
      return;
   if (u->begun && u->how == MT_GZIP)
      inflateEnd (&u->z);
   ZSTD_freeDStream (u->zstd);
   free (u->in);
   free (u);
}

/* ---- writing ---- */

struct MtPack {
   MtCompression how;
   MtWriteFn write;
   void *ctx;
   char *out;
   z_stream z;
   ZSTD_CStream *zstd;
};

MtPack *mt_pack_open (MtCompression how, MtWriteFn write, void *ctx)
{
   MtPack *p = mt_calloc ("compressed file", 1, sizeof *p);
   p->how = how;
   p->write = write;
   p->ctx = ctx;
   p->out = mt_realloc ("compressed file", NULL, BUFFER);
   if (how == MT_GZIP && deflateInit2 (&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_BITS, 8,
                                       Z_DEFAULT_STRATEGY) != Z_OK)
      mt_no_memory ("compressed file", BUFFER);
   if (how == MT_ZSTD && (!(p->zstd = ZSTD_createCStream ()) ||
                          ZSTD_isError (ZSTD_CCtx_setParameter (p->zstd, ZSTD_c_checksumFlag, 1))))
      mt_no_memory ("compressed file", BUFFER);
   return p;
}

static bool deflate_all (MtPack *p, const char *buf, size_t n, bool end)
{
   p->z.next_in = (Bytef *) (uintptr_t) buf;
   p->z.avail_in = (uInt) n;
   do {
      p->z.next_out = (Bytef *) p->out;
      p->z.avail_out = BUFFER;
      deflate (&p->z, end ? Z_FINISH : Z_NO_FLUSH); /* fails only on misuse */
      size_t made = BUFFER - p->z.avail_out;
      if (made && !p->write (p->ctx, p->out, made))
         return false;
   } while (p->z.avail_out == 0);
   return true;
}

static bool zstd_all (MtPack *p, const char *buf, size_t n, bool end)
{
   ZSTD_inBuffer in = {buf, n, 0};
   for (size_t left = 1; left;) {
      ZSTD_outBuffer out = {p->out, BUFFER, 0};
      size_t r = ZSTD_compressStream2 (p->zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError (r) || (out.pos && !p->write (p->ctx, p->out, out.pos)))
         return false;
      left = end ? r : in.size - in.pos;
   }
   return true;
}

static bool put (MtPack *p, const char *buf, size_t n, bool end)
{
   enum { MOST = 1 << 30 };
   for (; n > MOST; buf += MOST, n -= MOST)
      if (!put (p, buf, MOST, false))
         return false;
   switch (p->how) {
   case MT_GZIP: return deflate_all (p, buf, n, end);
   case MT_ZSTD: return zstd_all (p, buf, n, end);
   case MT_NOT_COMPRESSED: break;
   }
   return n == 0 || p->write (p->ctx, buf, n);
}

bool mt_pack_write (MtPack *p, const char *buf, size_t n) { return put (p, buf, n, false); }

bool mt_pack_finish (MtPack *p) { return put (p, "", 0, true); }

void mt_pack_close (MtPack *p)
{
   if (!p)
      return;
   if (p->how == MT_GZIP)
      deflateEnd (&p->z);
   ZSTD_freeCStream (p->zstd);
   free (p->out);
   free (p);
}
