#include "base/spool.h"
#include "base/memory.h"

#include "base/str.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

struct MtSpool {
   MtBuf out;       /* what isn't in the file yet; all of it when there is no file */
   int fd;          /* -1: none */
   uint64_t size;   /* of the file */
   MtBuf in;        /* a part of the file */
   size_t at;       /* in `in`, or in `out` */
   uint64_t next;   /* where in the file the bytes behind `in` are */
   bson_t doc;
};

static void release (void *spool)
{
   MtSpool *s = spool;
   if (s->fd >= 0)
      close (s->fd);
   mt_buf_free (&s->out);
   mt_buf_free (&s->in);
   free (s);
}

MtSpool *mt_spool_new (MtArena *a)
{
   size_t align = _Alignof (MtSpool); /* a bson_t wants more than an arena gives */
   MtSpool *s = mt_checked (aligned_alloc (align, (sizeof *s + align - 1) / align * align), "spool", sizeof *s);
   memset (s, 0, sizeof *s);
   s->fd = -1;
   mt_arena_defer (a, release, s);
   return s;
}

static bool flush (MtSpool *s, MtError *err)
{
   if (s->fd < 0 && (s->fd = mt_temporary_file ()) < 0)
      return mt_temporary_failed (err, "create");
   for (size_t at = 0; at < s->out.n;) {
      ssize_t n = pwrite (s->fd, s->out.p + at, s->out.n - at, (off_t) s->size);
      if (n < 0 && errno == EINTR)
         continue;
      if (n <= 0)
         return mt_temporary_failed (err, "write");
      at += (size_t) n;
      s->size += (uint64_t) n;
   }
   mt_buf_clear (&s->out);
   return true;
}

bool mt_spool_add (MtSpool *s, const bson_t *doc, MtError *err)
{
   mt_buf_add (&s->out, bson_get_data (doc), doc->len);
   return s->out.n < BUFFER || flush (s, err);
}

bool mt_spool_rewind (MtSpool *s, MtError *err)
{
   if (s->fd >= 0 && !flush (s, err))
      return false;
   s->at = 0;
   s->next = 0;
   mt_buf_clear (&s->in);
   return true;
}

/* Makes sure that `in` has n bytes from `at` on. */
static bool fill (MtSpool *s, size_t n, MtError *err)
{
   if (s->in.n - s->at >= n)
      return true;
   size_t rest = s->in.n - s->at, want = n > BUFFER ? n : BUFFER;
   if (rest)
      memmove (s->in.p, s->in.p + s->at, rest);
   s->in.n = rest;
   s->at = 0;
   mt_buf_reserve (&s->in, want);
   while (s->in.n < want && s->next < s->size) {
      ssize_t got = pread (s->fd, s->in.p + s->in.n, want - s->in.n, (off_t) s->next);
      if (got < 0 && errno == EINTR)
         continue;
      if (got <= 0)
         return mt_temporary_failed (err, "read");
      s->in.n += (size_t) got;
      s->next += (uint64_t) got;
   }
   return true;
}

bool mt_spool_next (void *ctx, const bson_t **doc, MtError *err)
{
   MtSpool *s = ctx;
   MtBuf *b = s->fd >= 0 ? &s->in : &s->out;
   int32_t n = 0;
   *doc = NULL;
   if (s->fd >= 0 && !fill (s, 4, err))
      return false;
   if (b->n - s->at < 4)
      return true;
   memcpy (&n, b->p + s->at, 4);
   if (s->fd >= 0 && !fill (s, (size_t) n, err))
      return false;
   if (b->n - s->at < (size_t) n || !bson_init_static (&s->doc, (const uint8_t *) b->p + s->at, (size_t) n))
      return mt_error (err, MT_E_INTERNAL, "a temporary file is damaged");
   s->at += (size_t) n;
   *doc = &s->doc;
   return true;
}
