#include "base/streams.h"

#include "base/memory.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_BLOCK UINT64_MAX

/* The header at the beginning of each block of the file. */
typedef struct Head {
   uint64_t next; /* the number of the stream's next block; NO_BLOCK: this block is the last one */
   uint64_t used; /* the number of data bytes after the block's header */
} Head;

typedef struct Stream {
   /* the buffer of the current block; NULL if the stream is neither written nor read now */
   uint8_t *block;
   uint64_t first; /* the number of the first block; NO_BLOCK: the stream is empty */
   uint64_t at;    /* writing: number of the current block; reading: number of the next one */
   uint32_t used;  /* bytes of the buffer in use, the block's header included */
   uint32_t pos;   /* reading: the position in the buffer */
   bool ended, last;
} Stream;

struct MtStreams {
   int fd; /* the temporary file; -1: none yet */
   uint32_t block_bytes;
   uint64_t block_count;
   uint64_t *spare; /* the numbers of blocks that were read and can be written again */
   size_t spare_count, spare_cap;
   Stream *streams;
   uint32_t count, cap;
};

MtStreams *mt_streams_new (uint32_t count, uint32_t block_bytes, MtError *err)
{
   MtStreams *s = mt_calloc ("streams", 1, sizeof *s);
   *s = (MtStreams) {.fd = -1, .block_bytes = block_bytes};
   uint32_t number;
   for (uint32_t i = 0; i < count; i++) {
      if (!mt_streams_add (s, &number, err)) {
         mt_streams_free (s);
         return NULL;
      }
   }
   return s;
}

void mt_streams_free (MtStreams *s)
{
   if (!s)
      return;
   for (uint32_t i = 0; i < s->count; i++)
      free (s->streams[i].block);
   mt_temporary_drop (s->fd);
   free (s->streams);
   free (s->spare);
   free (s);
}

bool mt_streams_add (MtStreams *s, uint32_t *number, MtError *err)
{
   if (!MT_TRY_GROW ("streams", s->streams, s->count, s->cap, 8))
      return mt_memory_check (err);
   *number = s->count;
   s->streams[s->count++] = (Stream) {.first = NO_BLOCK};
   return true;
}

bool mt_streams_any (const MtStreams *s, uint32_t number)
{
   return s->streams[number].first != NO_BLOCK;
}

uint64_t mt_streams_bytes (const MtStreams *s) { return s->block_count * s->block_bytes; }

/* ---- blocks ---- */

static bool make_buffer (MtStreams *s, Stream *t, MtError *err)
{
   if (!t->block)
      t->block = mt_try_malloc ("streams", s->block_bytes);
   return t->block || mt_memory_check (err);
}

static void drop_buffer (Stream *t)
{
   free (t->block);
   t->block = NULL;
}

static uint64_t new_block (MtStreams *s)
{
   return s->spare_count ? s->spare[--s->spare_count] : s->block_count++;
}

static bool write_block (MtStreams *s, Stream *t, uint64_t next, MtError *err)
{
   Head head = {.next = next, .used = t->used - sizeof head};
   memcpy (t->block, &head, sizeof head);
   if (s->fd < 0 && (s->fd = mt_temporary_file ()) < 0)
      return mt_temporary_failed (err, "create");
   if (!mt_temporary_write_at (s->fd, t->at * s->block_bytes, t->block, t->used, err))
      return false;
   t->at = next;
   t->used = sizeof head;
   return true;
}

static bool read_block (MtStreams *s, Stream *t, uint64_t number, MtError *err)
{
   size_t have = 0;
   Head head;
   while (have < s->block_bytes) {
      off_t at = (off_t) (number * s->block_bytes + have);
      ssize_t n = pread (s->fd, t->block + have, s->block_bytes - have, at);
      if (n < 0 && errno == EINTR)
         continue;
      if (n < 0)
         return mt_temporary_failed (err, "read");
      if (n == 0)
         break; /* the file ends with a block that is not full */
      have += (size_t) n;
   }
   memcpy (&head, t->block, sizeof head < have ? sizeof head : have);
   if (have < sizeof head || head.used > have - sizeof head ||
       (head.next != NO_BLOCK && head.next >= s->block_count))
      return mt_temporary_damaged (err);
   if (t->last && !MT_TRY_GROW ("streams", s->spare, s->spare_count, s->spare_cap, 64))
      return mt_memory_check (err);
   if (t->last)
      s->spare[s->spare_count++] = number;
   t->at = head.next;
   t->pos = sizeof head;
   t->used = (uint32_t) (head.used + sizeof head);
   return true;
}

/* ---- writing ---- */

static bool begin (MtStreams *s, Stream *t, MtError *err)
{
   if (!make_buffer (s, t, err))
      return false;
   t->first = t->at = new_block (s);
   t->used = sizeof (Head);
   return true;
}

bool mt_streams_write (MtStreams *s, uint32_t number, const void *p, size_t size_bytes,
                       MtError *err)
{
   Stream *t = &s->streams[number];
   const uint8_t *from = p;
   if (!mt_memory_check (err) || (t->first == NO_BLOCK && !begin (s, t, err)))
      return false;
   while (size_bytes) {
      size_t room = s->block_bytes - t->used, n = size_bytes < room ? size_bytes : room;
      if (!n) {
         if (!write_block (s, t, new_block (s), err))
            return false;
         continue;
      }
      memcpy (t->block + t->used, from, n);
      t->used += (uint32_t) n;
      from += n;
      size_bytes -= n;
   }
   return true;
}

bool mt_streams_end (MtStreams *s, uint32_t number, MtError *err)
{
   Stream *t = &s->streams[number];
   if (t->ended || t->first == NO_BLOCK)
      return true;
   if (!write_block (s, t, NO_BLOCK, err))
      return false;
   drop_buffer (t);
   t->ended = true;
   return true;
}

/* ---- reading ---- */

bool mt_streams_rewind (MtStreams *s, uint32_t number, bool last, MtError *err)
{
   Stream *t = &s->streams[number];
   if (!mt_streams_end (s, number, err))
      return false;
   t->at = t->first;
   t->pos = t->used = 0;
   t->last = last;
   return true;
}

/* Returns the number of unread bytes in the buffer. If there are none, reads the next block first.
 * Returns 0 on error, or at the end of the stream; at the end, sets *end. */
static size_t more (MtStreams *s, Stream *t, bool *end, MtError *err)
{
   *end = false;
   while (t->pos == t->used) {
      *end = t->at == NO_BLOCK;
      if (*end || !make_buffer (s, t, err) || !read_block (s, t, t->at, err))
         return 0;
   }
   return t->used - t->pos;
}

bool mt_streams_read (MtStreams *s, uint32_t number, void *p, size_t size_bytes, MtError *err)
{
   Stream *t = &s->streams[number];
   uint8_t *to = p;
   while (size_bytes) {
      bool end;
      size_t left = more (s, t, &end, err), n = size_bytes < left ? size_bytes : left;
      if (!left)
         return end ? mt_temporary_damaged (err) : false;
      memcpy (to, t->block + t->pos, n);
      t->pos += (uint32_t) n;
      to += n;
      size_bytes -= n;
   }
   return true;
}

bool mt_streams_next (MtStreams *s, uint32_t number, uint32_t *head, bool *end, MtError *err)
{
   Stream *t = &s->streams[number];
   if (!more (s, t, end, err) && !*end)
      return false;
   if (*end)
      drop_buffer (t);
   return *end || mt_streams_read (s, number, head, sizeof *head, err);
}
