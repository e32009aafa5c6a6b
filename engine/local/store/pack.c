/* Packing: VACUUM writes the blocks of a collection as one load would have written them, and the
 * manifest anew. A session that made many small commits packs what they left in the log. */
#include "engine/local/store/coll_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/record_int.h"

/* Blocks with fewer bytes of documents are merged. */
#define SMALL_BLOCK (MT_STORE_BLOCK / 2)

bool mt_coll_pack (MtColl *c, MtError *err)
{
   uint64_t live = 0, small = 0, gone = 0;
   size_t small_blocks = 0, from = c->block_count;
   for (size_t i = 0; i < c->block_count; i++) {
      const MtStoreBlock *b = c->blocks[i];
      uint64_t lost = b->deleted ? b->deleted->bytes : 0;
      bool is_small = b->size < SMALL_BLOCK;
      gone += lost;
      live += b->size - lost;
      small += is_small ? b->size - lost : 0;
      small_blocks += is_small;
   }
   if (c->created || (!gone && !c->gone_count && small_blocks <= 1))
      return true;
   /* A large collection with few small blocks keeps its segment. */
   if (2 * (small + gone) >= live)
      return mt_store_write_anew (c->store, c, err);
   while (from > 0 && c->blocks[from - 1]->size < SMALL_BLOCK)
      from--;
   return c->block_count - from < 2 ? mt_coll_move_logged (c, err)
                                    : mt_coll_move (c, from, c->block_count, true, err);
}

bool mt_store_pack (MtStore *s, const char *const *names, size_t count, MtError *err)
{
   if (!s->in_step)
      return mt_error (err, MT_E_INTERNAL, "packing needs an open step");
   for (size_t i = 0; i < count; i++) {
      MtColl *c = mt_store_coll (s, names[i]);
      if (!c)
         continue;
      if (mt_events_any (c) && !mt_events_fold (c, err))
         return false;
      c->packs = true;
   }
   s->packs = true;
   return true;
}

/* Returns whether this session has made so many commits that it is worth to pack the log. */
static bool is_log_long (const MtStore *s)
{
   enum { COMMITS = 64, BYTES = 32 << 10 };
   return s->commits_in_row >= COMMITS && s->log_length > BYTES;
}

void mt_store_pack_log (MtStore *s)
{
   enum { WORTH_IT = 8192 };
   MtError ignored;
   bool ok = true;
   if (s->temporary || s->read_only || s->in_step || s->frozen || s->broken || !is_log_long (s))
      return;
   mt_error_clear (&ignored);
   s->lock_timeout_ms = 0;
   s->cancel = NULL;
   if (!mt_store_begin (s, &ignored))
      return;
   for (size_t i = 0; ok && i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      if (c->logged_bytes >= WORTH_IT && !mt_events_any (c))
         ok = mt_coll_move_logged (c, &ignored);
   }
   s->packs = true;
   if (!ok || !mt_store_commit (s, &ignored))
      mt_store_rollback (s);
}
