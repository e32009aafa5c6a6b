/* Stores the rows that wait for window functions, in chunks of a few rows, each with its own arena.
 * If the chunks exceed the memory budget, the least recently used ones are written to a temporary
 * file, and read back when needed. A chunk is written only once, because its rows do not change. */
#include "base/temporary.h"
#include "engine/local/window/window_int.h"

#include <stdlib.h>

#define ROWS_A_CHUNK 64u
/* At least this many chunks stay in memory, even beyond the budget, so that a row remains valid
 * while a few other rows are read. */
#define CHUNKS_KEPT 8u

struct MtWinChunk {
   MtArena *arena;
   uint8_t *rows; /* the rows in memory; NULL: the chunk is only in the file */
   uint32_t n;
   size_t bytes;    /* size of the arena when it was last counted; 0: not counted */
   int64_t file_at; /* offset of the chunk in the file; -1: not written */
   uint32_t file_bytes;
   MtWinChunk *newer, *older;
};

static size_t row_bytes (const MtWinRows *r)
{
   return sizeof (MtWinRow) + r->width * sizeof (MtVal);
}

static MtWinRow *row_of (const MtWinRows *r, const MtWinChunk *c, uint64_t i)
{
   return (MtWinRow *) (void *) (c->rows + i % ROWS_A_CHUNK * row_bytes (r));
}

void mt_win_rows_init (MtWinRows *r, uint32_t width, size_t budget)
{
   *r = (MtWinRows) {.width = width, .budget = budget};
}

/* ---- the list by last use ---- */

static void take_out (MtWinRows *r, MtWinChunk *c)
{
   *(c->newer ? &c->newer->older : &r->newest) = c->older;
   *(c->older ? &c->older->newer : &r->oldest) = c->newer;
   c->newer = c->older = NULL;
   r->in_memory--;
}

static void put_newest (MtWinRows *r, MtWinChunk *c)
{
   c->older = r->newest;
   c->newer = NULL;
   *(r->newest ? &r->newest->newer : &r->oldest) = c;
   r->newest = c;
   r->in_memory++;
}

static void count_bytes (MtWinRows *r, MtWinChunk *c)
{
   r->bytes -= c->bytes;
   c->bytes = mt_arena_bytes (c->arena);
   r->bytes += c->bytes;
}

/* ---- to the file and back ---- */

/* Sets the position of the temporary file. Returns false on an error, which can be a write error,
 * because buffered bytes are written first. */
static bool seek (MtWinRows *r, int64_t at, MtWork *w)
{
   return fseeko (r->file, at, SEEK_SET) == 0 || mt_temporary_failed (&w->err, "write");
}

static bool write_chunk (MtWinRows *r, MtWinChunk *c, MtWork *w)
{
   MtBson b = {0};
   if (!r->file && !(r->file = mt_temporary_stream (&w->err)))
      return false;
   for (uint32_t i = 0; i < c->n; i++) {
      const MtWinRow *row = row_of (r, c, i);
      mt_bson_bytes (&b, &row->group, sizeof row->group);
      for (uint32_t k = 0; k < r->width; k++)
         mt_pack (&b, row->v[k]);
   }
   bool ok = mt_memory_check (&w->err) && seek (r, r->file_end, w) &&
             mt_spill_write (w, r->file, b.p, b.n);
   c->file_at = r->file_end;
   c->file_bytes = (uint32_t) b.n;
   r->file_end += (int64_t) b.n;
   free (b.p);
   return ok;
}

static bool evict (MtWinRows *r, MtWork *w)
{
   while (r->bytes > r->budget && r->in_memory > CHUNKS_KEPT) {
      MtWinChunk *c = r->oldest;
      if (c->file_at < 0 && !write_chunk (r, c, w))
         return false;
      take_out (r, c);
      c->rows = NULL;
      mt_arena_free (c->arena);
      c->arena = NULL;
      r->bytes -= c->bytes;
      c->bytes = 0;
   }
   return true;
}

static bool read_chunk (MtWinRows *r, MtWinChunk *c, MtWork *w)
{
   c->arena = mt_arena_new ("window", NULL);
   c->rows = mt_alloc (c->arena, row_bytes (r) * ROWS_A_CHUNK);
   uint8_t *p = mt_try_alloc (c->arena, c->file_bytes);
   const uint8_t *at = p, *end = p + c->file_bytes;
   bool ok = mt_memory_check (&w->err) && seek (r, c->file_at, w) &&
             mt_temporary_read (r->file, p, c->file_bytes, &w->err);
   for (uint32_t i = 0; i < c->n && ok; i++) {
      MtWinRow *row = row_of (r, c, i);
      ok = (size_t) (end - at) >= sizeof row->group;
      if (!ok)
         break;
      memcpy (&row->group, at, sizeof row->group);
      at += sizeof row->group;
      for (uint32_t k = 0; k < r->width && ok; k++)
         ok = mt_unpack (&at, end, &row->v[k]);
   }
   put_newest (r, c);
   count_bytes (r, c);
   if (ok)
      return evict (r, w);
   return mt_error_is_set (&w->err) ? false : mt_temporary_damaged (&w->err);
}

/* ---- rows in, rows out ---- */

static MtWinChunk *new_chunk (MtWinRows *r)
{
   MtWinChunk *c = r->spare ? r->spare : mt_x_calloc (1, sizeof *c);
   if (r->spare)
      mt_arena_reset (c->arena);
   else
      c->arena = mt_arena_new ("window", NULL);
   r->spare = NULL;
   c->rows = mt_alloc (c->arena, row_bytes (r) * ROWS_A_CHUNK);
   c->n = 0;
   c->bytes = 0;
   c->file_at = -1;
   if (r->chunk_at + r->chunk_count == r->chunk_cap) {
      if (r->chunk_at && r->chunk_count)
         memmove (r->chunks, r->chunks + r->chunk_at, r->chunk_count * sizeof *r->chunks);
      r->chunk_at = 0;
      if (r->chunk_count * 2 >= r->chunk_cap) {
         r->chunk_cap = mt_room ("pipeline", r->chunk_cap, r->chunk_cap + 1, 16, sizeof *r->chunks,
                                 sizeof r->chunk_cap);
         r->chunks = mt_x_realloc (r->chunks, r->chunk_cap * sizeof *r->chunks);
      }
   }
   r->chunks[r->chunk_at + r->chunk_count++] = c;
   put_newest (r, c);
   return c;
}

MtWinRow *mt_win_rows_add (MtWinRows *r, MtWork *w, MtArena **arena)
{
   MtWinChunk *c = r->chunk_count ? r->chunks[r->chunk_at + r->chunk_count - 1] : NULL;
   if (!c || r->end % ROWS_A_CHUNK == 0) {
      if (c && c->rows)
         count_bytes (r, c);
      c = new_chunk (r);
      if (!evict (r, w))
         return NULL;
   } else if (!c->rows && !read_chunk (r, c, w))
      return NULL;
   c->file_at = -1; /* the copy in the file does not have the new row */
   *arena = c->arena;
   c->n = (uint32_t) (r->end % ROWS_A_CHUNK) + 1;
   return row_of (r, c, r->end++);
}

const MtWinRow *mt_win_row (MtWinRows *r, uint64_t i, MtWork *w)
{
   MtWinChunk *c = r->chunks[r->chunk_at + (i / ROWS_A_CHUNK - r->first / ROWS_A_CHUNK)];
   if (!c->rows) {
      if (!read_chunk (r, c, w))
         return NULL;
   } else if (r->newest != c) {
      take_out (r, c);
      put_newest (r, c);
   }
   return row_of (r, c, i);
}

static void drop_chunk (MtWinRows *r, MtWinChunk *c)
{
   if (c->rows) {
      take_out (r, c);
      r->bytes -= c->bytes;
   }
   if (c->rows && !r->spare && mt_arena_bytes (c->arena) <= 1u << 20) {
      r->spare = c;
      return;
   }
   mt_arena_free (c->arena);
   free (c);
}

void mt_win_rows_drop (MtWinRows *r, uint64_t before)
{
   if (before > r->end)
      before = r->end;
   while (r->chunk_count && before / ROWS_A_CHUNK > r->first / ROWS_A_CHUNK) {
      drop_chunk (r, r->chunks[r->chunk_at++]);
      r->chunk_count--;
      r->first = (r->first / ROWS_A_CHUNK + 1) * ROWS_A_CHUNK;
   }
   if (before > r->first)
      r->first = before;
   if (!r->chunk_count) {
      r->chunk_at = 0;
      r->file_end = 0;
   }
}

void mt_win_rows_free (MtWinRows *r)
{
   for (size_t i = 0; i < r->chunk_count; i++) {
      mt_arena_free (r->chunks[r->chunk_at + i]->arena);
      free (r->chunks[r->chunk_at + i]);
   }
   if (r->spare) {
      mt_arena_free (r->spare->arena);
      free (r->spare);
   }
   free (r->chunks);
   mt_temporary_close (r->file);
}
