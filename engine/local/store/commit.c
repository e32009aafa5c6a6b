/* Commits a step (all writes between begin and commit). Afterwards the store may write increments
 * into their documents, rewrite segment files with much unused space, and write runs (files of
 * sorted keys). */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/runs.h"

#include <stdlib.h>

/* A segment file is rewritten if it is larger than twice its documents plus this many bytes. */
#define ROOM_TO_WASTE (16u << 20)
#define REMOVAL_MS 1000

static int by_serial (const void *a, const void *b)
{
   const MtGone *x = a, *y = b;
   if (x->serial != y->serial)
      return x->serial < y->serial ? -1 : 1;
   return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static void record_all_gone (MtStore *s, MtColl *c)
{
   qsort (c->gone, c->gone_count, sizeof *c->gone, by_serial);
   for (size_t i = 0, k; i < c->gone_count; i = k) {
      for (k = i + 1; k < c->gone_count && c->gone[k].serial == c->gone[i].serial; k++)
         ;
      mt_record_gone (s, c, c->gone + i, k - i);
   }
}

/* Writes the collection as one load would have written it, if that frees space (mt_store_pack). The
 * new segment can belong to another collection of the name, and c is dropped. */
static bool pack (MtColl *c, MtError *err);

/* Writes and syncs everything that must be on disk before the manifest refers to it. */
static bool prepare (MtStore *s, MtError *err)
{
   bool made = false;
   for (size_t i = 0; i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      if (c->dropped)
         continue;
      if (!mt_coll_flush (c, err))
         return false;
      if (c->gone_count)
         record_all_gone (s, c);
      /* Merging blocks moves documents. That would invalidate increments, which refer to documents
       * by block and offset. */
      bool steady = c->folded || !mt_events_any (c);
      bool changed = c->block_count != c->committed_blocks || c->gone_count;
      if (c->packs ? !pack (c, err) : steady && changed && !mt_coll_compact (c, err))
         return false;
      if (c->dropped) /* its documents are in another segment now */
         continue;
      if (c->length == c->committed_length || s->temporary)
         continue;
      made |= c->committed_length == 0;
      if (!mt_io_sync (c->fd, c->path, err))
         return false;
   }
   return !made || mt_io_sync_dir (s->path, err);
}

static void apply_step (MtStore *s)
{
   s->last = NULL;
   mt_store_forget_marks (s, 0);
   for (size_t i = s->coll_count; i-- > 0;) {
      MtColl *c = s->colls[i];
      if (c->dropped) {
         if (c->path && c->length > 0)
            mt_store_remove_files_later (s, c);
         mt_store_forget (s, c);
         continue;
      }
      for (size_t k = 0; k < c->gone_count; k++) {
         const MtGone *g = &c->gone[k];
         if (c->serials[g->serial])
            mt_coll_apply_gone (c->serials[g->serial], g->ordinal, g->bytes);
      }
      c->grown += c->length - c->committed_length;
      if (c->field_count > c->committed_fields)
         c->grown = UINT64_MAX;
      mt_coll_committed (c);
   }
   s->committed_next_id = s->next_id;
   s->in_step = false;
}

/* ---- taking back room ---- */

static bool is_wasteful (const MtColl *c)
{
   uint64_t live = 0;
   for (size_t i = 0; i < c->block_count; i++) {
      const MtStoreBlock *b = c->blocks[i];
      if (b->logged)
         continue;
      uint64_t stored = mt_block_end (b) - b->offset, gone = b->deleted ? b->deleted->bytes : 0;
      live += stored - stored * (gone < b->size ? gone : b->size) / (b->size + 1u);
   }
   /* Rewriting moves documents. That would invalidate increments, which refer to documents by block
    * and offset. */
   return c->committed_length > 2 * live + ROOM_TO_WASTE && !mt_events_any (c);
}

/* Writes the documents that are not deleted into a new segment file, which replaces the old one at
 * the commit. */
static bool write_anew (MtStore *s, MtColl *old, MtError *err)
{
   MtColl *c = mt_coll_new (s, s->next_id++, old->name, strlen (old->name));
   c->created = true;
   mt_store_keep (s, c);
   for (; c->field_count < old->field_count; c->field_count++)
      c->fields[c->field_count] = mt_strdup (c->arena, old->fields[c->field_count]);
   mt_record_drop (s, old);
   mt_record_create (s, c);
   mt_record_fields (s, c);
   old->dropped = true;
   s->last = NULL;
   if (old->block_count > 0 && !mt_coll_map (old, old->length, err))
      return false;
   for (size_t i = 0; i < old->block_count; i++)
      if (!mt_coll_copy_living (c, old, old->blocks[i], err))
         return false;
   return true;
}

/* Writes the record of the open step (an uncommitted batch) to the log: this is the commit.
 * *unknown is set if an error leaves it unknown whether the record was written. */
static bool write_record (MtStore *s, bool *unknown, MtError *err)
{
   bool wait = s->record.n == 0 && s->delay_ms > 0 && !s->temporary;
   for (size_t i = 0; i < s->coll_count; i++) {
      const MtColl *c = s->colls[i];
      if (c->event_log.n && !c->folded && !c->dropped)
         mt_record_events (&s->record, c, c->event_log.p, c->event_log.n);
   }
   if (s->record.n == 0)
      return true;
   return wait ? mt_store_is_whole (s, err) && mt_group_add (s, unknown, err)
               : mt_store_commit_record (s, unknown, err);
}

/* Ends a step that the store began itself for maintenance after a user's commit. Commits if `ok`;
 * undoes the step if not, or if the commit fails. The writer's lock is still held. */
static void finish_own_step (MtStore *s, bool ok)
{
   MtError ignored;
   bool unknown = false;
   mt_error_clear (&ignored);
   if (ok && prepare (s, &ignored) && mt_store_commit_record (s, &unknown, &ignored)) {
      apply_step (s);
   } else {
      s->broken |= unknown;
      mt_store_undo_step (s);
   }
   s->in_step = false;
}

/* Rewrites segment files of which much is unused space. If that fails (a full disk), the files stay
 * as they are. */
static void take_back_room (MtStore *s)
{
   MtError ignored;
   bool any = false, ok = true;
   mt_error_clear (&ignored);
   mt_buf_clear (&s->record);
   s->in_step = true;
   for (size_t i = 0, n = s->coll_count; ok && i < n; i++)
      if (is_wasteful (s->colls[i])) {
         ok = write_anew (s, s->colls[i], &ignored);
         any = true;
      }
   if (any)
      finish_own_step (s, ok);
   s->in_step = false;
}

/* Moves blocks from the log to the segment files if the blocks of all collections together exceed
 * MT_STORE_LOGGED_ALL bytes. */
static void move_many (MtStore *s)
{
   enum { WORTH_IT = 8192 };
   MtError ignored;
   bool ok = true;
   uint64_t bytes = 0;
   for (size_t i = 0; i < s->coll_count; i++)
      bytes += s->colls[i]->logged_bytes;
   if (bytes < MT_STORE_LOGGED_ALL)
      return;
   mt_error_clear (&ignored);
   mt_buf_clear (&s->record);
   s->in_step = true;
   for (size_t i = 0; ok && i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      /* Moving blocks moves documents. That would invalidate increments, which refer to documents
       * by block and offset. */
      if (c->logged_bytes >= WORTH_IT && !mt_events_any (c))
         ok = mt_coll_move_logged (c, &ignored);
   }
   finish_own_step (s, ok);
}

/* Writes the increments into their documents if the increments of all collections take more memory
 * than MT_EVENTS_MEMORY. */
static void fold_many (MtStore *s)
{
   MtError ignored;
   bool ok = true;
   size_t bytes = 0;
   for (size_t i = 0; i < s->coll_count; i++)
      bytes += mt_events_bytes (s->colls[i]->events);
   if (bytes < MT_EVENTS_MEMORY)
      return;
   mt_error_clear (&ignored);
   mt_buf_clear (&s->record);
   s->in_step = true;
   for (size_t i = 0; ok && i < s->coll_count; i++)
      ok = !mt_events_any (s->colls[i]) || mt_events_fold (s->colls[i], &ignored);
   finish_own_step (s, ok);
}

/* Replaces a manifest whose log has grown too long by a short one with the same state. If that
 * fails, the old manifest stays. */
static void compact_manifest (MtStore *s)
{
   MtError ignored;
   mt_error_clear (&ignored);
   if ((!s->packs && !mt_manifest_compact_due (s)) || !mt_group_publish (s, &ignored))
      return;
   s->packs = false;
   mt_group_enter (s);
   mt_manifest_compact (s, &ignored);
   mt_group_leave (s);
}

bool mt_store_commit (MtStore *s, MtError *err)
{
   if (!s->in_step)
      return true;
   bool unknown = false;
   uint64_t before = s->seq;
   if (s->failed) {
      if (err)
         *err = s->failure;
      mt_store_rollback (s);
      return false;
   }
   if (!prepare (s, err) || !write_record (s, &unknown, err)) {
      s->broken |= unknown;
      mt_store_rollback (s);
      if (unknown)
         mt_error_hint (err, "Open the store again to see whether the changes were committed.");
      return false;
   }
   apply_step (s);
   fold_many (s);
   move_many (s);
   take_back_room (s);
   mt_store_make_runs (s);
   mt_store_remove_old (s, REMOVAL_MS);
   mt_buf_clear (&s->record);
   compact_manifest (s);
   mt_store_let_go (s);
   /* The lock was released before the sync. So other writers can append their commits now and share
    * one sync. */
   if (s->seq == before || mt_group_settle (s, err))
      return true;
   s->broken = true;
   return mt_error_hint (err, "Open the store again to see whether the changes were committed.");
}

/* ---- packing ----
 *
 * VACUUM writes the blocks of a collection as one load would have written them, and the manifest
 * anew. A session that made many small commits packs what they left in the log. */

/* Blocks with fewer bytes of documents are merged. */
#define SMALL_BLOCK (MT_STORE_BLOCK / 2)

static bool pack (MtColl *c, MtError *err)
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
      return write_anew (c->store, c, err);
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
