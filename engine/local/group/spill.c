/* Writes the groups of a $group stage to temporary files when they take too much memory. The hash
 * of a group's key chooses one of MT_SPILL_PARTS parts of the file. Later the parts are read back
 * one at a time. */
#include "base/streams.h"
#include "base/temporary.h"
#include "engine/local/group/accum_int.h"
#include "engine/local/group/group_int.h"

#include <stdlib.h>

static uint32_t part_of (uint64_t hash) { return (uint32_t) (hash >> 20) % MT_SPILL_PARTS; }

static bool new_file (MtGroupState *st, MtError *err)
{
   MtStreams *file = mt_streams_new (MT_SPILL_PARTS, MT_SPILL_BLOCK_BYTES, err);
   if (!file)
      return false;
   st->files = mt_x_realloc (st->files, sizeof (MtStreams *));
   st->files[st->file_count++] = file;
   return true;
}

/* A group is written and read in chunks of this many bytes. Between two chunks the cancel flag is
 * checked, because a single group can be as large as work_mem. */
#define PIECE_BYTES ((size_t) 1 << 20)

static bool pack_rec (const MtGroupNode *g, MtRec *r, MtWork *w, MtBson *b)
{
   b->n = 0;
   /* Reserve 4 bytes for the length of the encoded group, which is filled in below. */
   mt_bson_bytes (b, &(uint32_t) {0}, 4);
   mt_bson_bytes (b, &r->hash, 8);
   for (uint32_t i = 0; i < g->part_count; i++)
      mt_pack (b, r->keys[i]);
   for (uint32_t i = 0; i < g->acc_count; i++) {
      const MtAcc *a = &g->accs[i];
      const void *state = mt_state_of (a, r);
      if (!a->row->save)
         mt_bson_bytes (b, state, a->row->size);
      else if (!a->row->save (a, state, w, b))
         return false;
   }
   uint32_t n = (uint32_t) b->n - 4;
   if (!b->failed)
      memcpy (b->p, &n, 4);
   return mt_memory_check (&w->err);
}

/* A function that writes, or one that reads, n bytes (at most PIECE_BYTES) of part `part` of the
 * file. */
typedef bool Transfer (MtWork *w, MtStreams *file, uint32_t part, uint8_t *p, size_t n);

static bool write_piece (MtWork *w, MtStreams *file, uint32_t part, uint8_t *p, size_t n)
{
   return mt_spill_stream (w, file, part, p, n);
}

static bool read_piece (MtWork *w, MtStreams *file, uint32_t part, uint8_t *p, size_t n)
{
   return mt_streams_read (file, part, p, n, &w->err);
}

static bool in_pieces (Transfer *transfer, MtWork *w, MtStreams *file, uint32_t part, uint8_t *p,
                       size_t n)
{
   for (size_t at = 0; at < n; at += PIECE_BYTES) {
      size_t piece = n - at < PIECE_BYTES ? n - at : PIECE_BYTES;
      if ((at && !mt_x_poll (w)) || !transfer (w, file, part, p + at, piece))
         return false;
   }
   return true;
}

bool mt_group_spill (const MtGroupNode *g, MtGroupState *st, MtWork *w)
{
   MtBson b = {0};
   bool ok = st->file_count || new_file (st, &w->err);
   for (uint32_t i = 0; i < st->table.count && ok; i++) {
      MtRec *r = mt_table_rec (&st->table, i);
      ok = mt_tick (w) && pack_rec (g, r, w, &b) &&
           in_pieces (write_piece, w, st->files[0], part_of (r->hash), b.p, b.n);
   }
   free (b.p);
   mt_table_clear (&st->table);
   st->current = NULL;
   return ok;
}

static bool load_state (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                        const uint8_t *end, MtWork *w)
{
   if (a->row->load)
      return a->row->load (a, t, state, p, end, w);
   if ((size_t) (end - *p) < a->row->size)
      return false;
   memcpy (state, *p, a->row->size);
   *p += a->row->size;
   return true;
}

/* Decodes one group, the bytes from p to end of a temporary file, and adds the group to st->table.
 * If the table already has a group with this key, the two states are merged. `scratch` has the
 * memory for the decoded state during a merge. Returns false if the bytes are damaged or a merge
 * fails. */
static bool load_rec (const MtGroupNode *g, MtGroupState *st, MtGroupTable *scratch, MtWork *w,
                      const uint8_t *p, const uint8_t *end)
{
   uint64_t hash;
   bool made;
   if (end - p < 8)
      return false;
   memcpy (&hash, p, 8);
   p += 8;
   for (uint32_t i = 0; i < g->part_count; i++)
      if (!mt_unpack (&p, end, &st->keys[i]))
         return false;
   MtRec *r = mt_table_find (&st->table, st->keys, g->part_count, hash, &made);
   for (uint32_t i = 0; i < g->acc_count; i++) {
      const MtAcc *a = &g->accs[i];
      if (made) {
         if (!load_state (a, &st->table, mt_state_of (a, r), &p, end, w))
            return false;
         continue;
      }
      void *state = mt_alloc (scratch->arena, a->row->size);
      if (!load_state (a, scratch, state, &p, end, w) ||
          !a->row->merge (a, &st->table, mt_state_of (a, r), state, w))
         return false;
   }
   return true;
}

static bool load_stream (const MtGroupNode *g, MtGroupState *st, MtGroupTable *scratch, MtWork *w,
                         MtStreams *file, uint32_t part)
{
   uint32_t n, records = 0;
   uint8_t *buf = NULL;
   size_t cap = 0;
   bool end = false, ok = mt_streams_rewind (file, part, false, &w->err);
   while (ok && (ok = mt_streams_next (file, part, &n, &end, &w->err)) && !end) {
      if (n > cap) {
         uint8_t *more = mt_try_realloc ("group", buf, 2 * (size_t) n);
         buf = more ? more : buf;
         cap = more ? 2 * (size_t) n : cap;
      }
      ok = mt_memory_check (&w->err) && in_pieces (read_piece, w, file, part, buf, n) &&
           mt_tick (w) && load_rec (g, st, scratch, w, buf, buf + n) &&
           mt_acc_fits (mt_table_bytes (&st->table), w);
      mt_arena_reset (scratch->arena);
      if (mt_rows_weigh (w->arena, ++records))
         mt_arena_reset (w->arena);
   }
   free (buf);
   if (!ok && !mt_error_is_set (&w->err))
      mt_temporary_damaged (&w->err);
   return ok;
}

bool mt_group_load (const MtGroupNode *g, MtGroupState *st, MtWork *w, uint32_t part)
{
   MtGroupTable scratch = {.arena = mt_arena_new ("group", NULL)};
   st->table.maps = true;
   bool ok = true;
   mt_table_clear (&st->table);
   for (uint32_t i = 0; i < st->file_count && ok; i++)
      ok = load_stream (g, st, &scratch, w, st->files[i], part);
   mt_arena_free (scratch.arena);
   return ok;
}

void mt_group_state_free (MtGroupState *st)
{
   for (uint32_t i = 0; i < st->file_count; i++)
      mt_streams_free (st->files[i]);
   free (st->files);
   mt_group_heap_free (st->first);
   mt_group_columns_free (st->columns);
   free (st->keys);
   free (st->batch.keys);
   free (st->batch.args);
   mt_table_free (&st->table);
   free (st);
}
