#include "base/spool.h"
#include "base/memory.h"

#include "base/str.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

struct MtSpoolReader {
   const MtSpool *of;
   MtBuf in;      /* bytes read from the file, or from `out` of the list */
   size_t at;     /* the position in `in` */
   uint64_t next; /* the offset in the list of the bytes that follow `in` */
   bson_t doc;
};

struct MtSpool {
   MtBuf out;     /* bytes not yet written to the file */
   int fd;        /* the temporary file; -1: none yet */
   uint64_t size; /* the size of the file */
   MtSpoolReader *reader;
};

MtSpoolReader *mt_spool_reader (const MtSpool *s)
{
   size_t align = _Alignof (MtSpoolReader); /* a bson_t needs more alignment than malloc gives */
   MtSpoolReader *r = mt_aligned ("spool", align, sizeof *r);
   r->of = s;
   return r;
}

void mt_spool_reader_free (MtSpoolReader *r)
{
   if (!r)
      return;
   mt_buf_free (&r->in);
   free (r);
}

static void release (void *spool)
{
   MtSpool *s = spool;
   mt_temporary_drop (s->fd);
   mt_buf_free (&s->out);
   mt_spool_reader_free (s->reader);
}

MtSpool *mt_spool_new (MtArena *a)
{
   MtSpool *s = MT_NEW (a, MtSpool);
   *s = (MtSpool) {.fd = -1};
   s->reader = mt_spool_reader (s);
   mt_arena_defer (a, release, s);
   return s;
}

static bool flush (MtSpool *s, MtError *err)
{
   if (s->fd < 0 && (s->fd = mt_temporary_file ()) < 0)
      return mt_temporary_failed (err, "create");
   if (!mt_temporary_write_at (s->fd, (uint64_t) s->size, s->out.p, s->out.n, err))
      return false;
   s->size += s->out.n;
   mt_buf_clear (&s->out);
   return true;
}

bool mt_spool_add (MtSpool *s, const bson_t *doc, MtError *err)
{
   mt_buf_add (&s->out, bson_get_data (doc), doc->len);
   return mt_memory_check (err) && (s->out.n < BUFFER || flush (s, err));
}

bool mt_spool_rewind (MtSpool *s, MtError *err)
{
   (void) err;
   s->reader->at = 0;
   s->reader->next = 0;
   mt_buf_clear (&s->reader->in);
   return true;
}

/* Reads the next bytes of the list, from the file or from memory, and appends them to r->in. */
static bool read_more (MtSpoolReader *r, size_t want, MtError *err)
{
   const MtSpool *s = r->of;
   size_t room = want - r->in.n, rest = (size_t) (s->size + s->out.n - r->next);
   if (r->next >= s->size) {
      size_t n = room < rest ? room : rest;
      memcpy (r->in.p + r->in.n, s->out.p + (r->next - s->size), n);
      r->in.n += n;
      r->next += n;
      return true;
   }
   uint64_t filed = s->size - r->next;
   ssize_t got = pread (s->fd, r->in.p + r->in.n, filed < room ? (size_t) filed : room,
                        (off_t) r->next);
   if (got < 0 && errno == EINTR)
      return true;
   if (got <= 0)
      return mt_temporary_failed (err, "read");
   r->in.n += (size_t) got;
   r->next += (uint64_t) got;
   return true;
}

/* Reads until r->in has n unread bytes (from r->at on), or all bytes of the list were read. */
static bool fill (MtSpoolReader *r, size_t n, MtError *err)
{
   const MtSpool *s = r->of;
   if (r->in.n - r->at >= n)
      return true;
   size_t rest = r->in.n - r->at, want = n > BUFFER ? n : BUFFER;
   if (rest)
      memmove (r->in.p, r->in.p + r->at, rest);
   r->in.n = rest;
   r->at = 0;
   if (s->fd < 0 && want > rest + s->out.n) /* few bytes are left in memory */
      want = rest + s->out.n;
   if (!mt_buf_reserve (&r->in, want))
      return mt_memory_check (err);
   while (r->in.n < want && r->next < s->size + s->out.n)
      if (!read_more (r, want, err))
         return false;
   return true;
}

bool mt_spool_read (MtSpoolReader *r, const bson_t **doc, MtError *err)
{
   int32_t n = 0;
   *doc = NULL;
   if (!fill (r, 4, err))
      return false;
   if (r->in.n - r->at < 4)
      return true;
   memcpy (&n, r->in.p + r->at, 4);
   if (!fill (r, (size_t) n, err))
      return false;
   if (r->in.n - r->at < (size_t) n ||
       !bson_init_static (&r->doc, (const uint8_t *) r->in.p + r->at, (size_t) n))
      return mt_temporary_damaged (err);
   r->at += (size_t) n;
   *doc = &r->doc;
   return true;
}

bool mt_spool_next (void *ctx, const bson_t **doc, MtError *err)
{
   return mt_spool_read (((MtSpool *) ctx)->reader, doc, err);
}
