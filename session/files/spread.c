/* Chooses sample documents from a file that is read from beginning to end: documents at an even
 * distance in bytes, and the last ones. Only a few documents are in memory at a time. */
#include "session/files/files_int.h"

enum {
   WHOLE_BYTES = 4 << 20, /* of files up to this size, all documents are chosen */
   DOCUMENTS = 10000,
   CHOSEN_BYTES = 32 << 20,
   LAST_BYTES = 64 << 10, /* how many bytes at the end of the file are always chosen */
   BATCH_BYTES = 64 << 10
};

static MtStr bytes_of (const MtBuf *b) { return b->n ? (MtStr) {b->p, b->n} : MT_STR (""); }

/* Passes the documents in two buffers, `first` and then `rest`, to s->see, and empties the
 * buffers. */
static void see_all (const MtSpread *s, MtBuf *first, MtBuf *rest)
{
   mt_file_see_bytes (s->kind, bytes_of (first), bytes_of (rest), s->see, s->ctx);
   mt_buf_clear (first);
   mt_buf_clear (rest);
}

void mt_spread_begin (MtSpread *s, uint64_t bytes)
{
   s->step = bytes * s->files <= WHOLE_BYTES ? 0 : bytes / (DOCUMENTS / s->files + 1);
   s->each = bytes / (CHOSEN_BYTES / s->files + 1);
   s->at = s->next = 0;
}

static void choose (MtSpread *s, MtStr document)
{
   uint64_t share = document.n * s->each;
   if (s->step)
      s->next = s->at + (share > s->step ? share : s->step);
   mt_buf_add (&s->chosen, document.p, document.n);
   if (s->chosen.n > BATCH_BYTES)
      see_all (s, &s->chosen, &(MtBuf) {0});
}

static void leave (MtSpread *s, MtStr document)
{
   if (s->last.n > LAST_BYTES / s->files) {
      MtBuf oldest = s->before_last;
      s->before_last = s->last;
      s->last = oldest;
      mt_buf_clear (&s->last);
   }
   mt_buf_add (&s->last, document.p, document.n);
}

void mt_spread_add (MtSpread *s, MtStr document)
{
   if (s->at >= s->next)
      choose (s, document);
   else
      leave (s, document);
   s->at += document.n;
}

void mt_spread_end (MtSpread *s)
{
   see_all (s, &s->chosen, &(MtBuf) {0});
   see_all (s, &s->before_last, &s->last);
}

void mt_spread_free (MtSpread *s)
{
   mt_buf_free (&s->chosen);
   mt_buf_free (&s->before_last);
   mt_buf_free (&s->last);
}
