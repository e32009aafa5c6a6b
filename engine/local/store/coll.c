/* Collections of the embedded store: filling the last block, the list of blocks in memory, and the
 * end of a step (all writes between begin and commit). */
#include "base/memory.h"
#include "base/thread.h"
#include "engine/local/store/events.h"
#include "engine/local/store/record_int.h"
#include "engine/local/store/runs.h"

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#define MERGE_RUN 64u

/* ---- life ---- */

MtColl *mt_coll_new (MtStore *s, uint64_t id, const char *name, size_t name_len)
{
   MtArena *a = mt_arena_new ("collection", NULL);
   MtColl *c = MT_NEW (a, MtColl);
   atomic_init (&c->refs, 1);
   c->arena = a;
   c->store = s;
   c->id = id;
   c->name = mt_strndup (a, name, name_len);
   c->fd = -1;
   c->fields[0] = "_id";
   c->field_count = c->committed_fields = 1;
   if (!s->temporary)
      c->path = mt_printf (a, "%s/%016llx.seg", s->path, (unsigned long long) id);
   return c;
}

static void builder_reset (MtBlockBuilder *b)
{
   b->n = 0;
   b->documents = 0;
   memset (b->any, 0, sizeof b->any);
   mt_measuring_reset (b->measuring);
   free (b->pending);
   b->pending = NULL;
}

/* Discards the block whose columns are being made. The caller removes it from the list. */
static void forget_making (MtColl *c)
{
   if (c->making.running)
      pthread_join (c->making.thread, NULL);
   c->making.running = false;
   c->making.block = NULL;
}

static void forget_merge (MtColl *c)
{
   for (size_t i = 0; i < c->merged_count; i++) {
      mt_logged_unref (c->merged[i]->logged);
      c->merged[i]->logged = NULL;
   }
   free (c->before);
   free (c->merged);
   c->before = c->merged = NULL;
   c->merged_count = 0;
}

void mt_coll_unref (MtColl *c)
{
   if (!c || atomic_fetch_sub (&c->refs, 1) != 1)
      return;
   for (uint32_t i = 0; i < c->serial_count; i++)
      if (c->serials[i]) {
         mt_deleted_unref (c->serials[i]->deleted);
         mt_deleted_unref (c->serials[i]->seen);
         mt_logged_unref (c->serials[i]->logged);
         free (c->serials[i]->pending);
      }
   for (size_t i = 0; i < c->merged_count; i++)
      mt_deleted_unref (c->merged[i]->deleted);
   forget_merge (c);
   mt_events_forget (c);
   mt_buf_free (&c->event_log);
   free (c->undo);
   builder_reset (&c->builder);
   forget_making (c);
   free (c->builder.data);
   free (c->builder.measuring);
   free (c->making.data);
   mt_column_maker_free (c->making.columns);
   mt_index_drop (c);
   mt_finders_free (c);
   mt_runs_unref (c->runs);
   mt_mapped_unref (c->map);
   mt_rebuilt_free (c->rebuilt);
   if (c->fd >= 0)
      close (c->fd);
   free (c->blocks);
   free (c->serials);
   free (c->gone);
   mt_arena_free (c->arena);
}

MtColl *mt_store_coll (MtStore *s, const char *name)
{
   if (s->last && strcmp (s->last->name, name) == 0)
      return s->last;
   for (size_t i = 0; i < s->coll_count; i++)
      if (!s->colls[i]->dropped && strcmp (s->colls[i]->name, name) == 0)
         return s->last = s->colls[i];
   return NULL;
}

MtColl *mt_store_coll_by_id (MtStore *s, uint64_t id)
{
   for (size_t i = 0; i < s->coll_count; i++)
      if (s->colls[i]->id == id)
         return s->colls[i];
   return NULL;
}

void mt_store_keep (MtStore *s, MtColl *c)
{
   MT_GROW ("store", s->colls, s->coll_count, s->coll_cap, 16);
   s->colls[s->coll_count++] = c;
}

void mt_store_forget (MtStore *s, MtColl *c)
{
   size_t i = 0;
   while (s->colls[i] != c)
      i++;
   memmove (s->colls + i, s->colls + i + 1, (--s->coll_count - i) * sizeof *s->colls);
   s->last = NULL;
   mt_coll_unref (c);
}

/* ---- blocks ---- */

/* Sets the place of a block in the segment file. */
static void set_place (MtColl *c, MtStoreBlock *b, uint64_t offset, const MtBlockHead *h)
{
   b->offset = offset;
   b->data_at = h->data_at;
   b->rebuilt = h->rebuilt;
   b->columns = h->columns;
   b->columns.p = NULL;
   b->head_hash = h->hash;
   b->page_ok = MT_NEW_N (c->arena, atomic_uchar, mt_block_pages (mt_block_stored (b)));
}

/* Adds a block that has no place yet to the end of the list. */
static MtStoreBlock *add_block (MtColl *c, const MtBlockHead *h)
{
   MtStoreBlock *b = MT_NEW (c->arena, MtStoreBlock);
   b->size = h->size;
   b->documents = h->documents;
   b->serial = h->serial;
   MT_GROW ("store", c->blocks, c->block_count, c->block_cap, 16);
   c->blocks[c->block_count++] = b;
   MT_GROW ("store", c->serials, h->serial, c->serial_cap, 16);
   while (c->serial_count < h->serial)
      c->serials[c->serial_count++] = NULL;
   c->serials[c->serial_count++] = b;
   return b;
}

MtStoreBlock *mt_coll_add_block (MtColl *c, uint64_t offset, const MtBlockHead *h)
{
   MtStoreBlock *b = add_block (c, h);
   set_place (c, b, offset, h);
   return b;
}

MtLogged *mt_logged_hold (MtLogged *l)
{
   if (l)
      atomic_fetch_add (&l->refs, 1);
   return l;
}

void mt_logged_unref (MtLogged *l)
{
   if (l && atomic_fetch_sub (&l->refs, 1) == 1)
      free (l);
}

MtStoreBlock *mt_coll_add_logged (MtColl *c, const uint8_t *data, uint32_t size, uint32_t documents)
{
   enum { READ_BEYOND = 16 }; /* the bytes of a mapped block can be read in words */
   MtLogged *l = mt_malloc ("store", sizeof *l + size + READ_BEYOND);
   atomic_init (&l->refs, 1);
   if (size)
      memcpy (l->bytes, data, size);
   memset (l->bytes + size, 0, READ_BEYOND);
   MtBlockHead h = {.serial = c->serial_count, .size = size, .documents = documents};
   MtStoreBlock *b = mt_coll_add_block (c, 0, &h);
   b->logged = l;
   /* The documents come from a record of the log whose checksum was verified, so they need no
    * further check. */
   atomic_init (&b->head_ok, 1);
   for (size_t i = 0; i < mt_block_pages (size); i++)
      atomic_init (&b->page_ok[i], 1);
   c->logged_bytes += size;
   return b;
}

bool mt_coll_merge (MtColl *c, size_t first, size_t count, size_t with)
{
   if (first > c->block_count || count > c->block_count - first ||
       with > c->block_count - first - count)
      return false;
   size_t rest = c->block_count - with - first - count;
   MtStoreBlock **blocks = mt_malloc ("store", (c->block_cap + 1) * sizeof *blocks);
   memcpy (blocks, c->blocks, first * sizeof *blocks);
   if (with)
      memcpy (blocks + first, c->blocks + c->block_count - with, with * sizeof *blocks);
   memcpy (blocks + first + with, c->blocks + first + count, rest * sizeof *blocks);
   c->merged = mt_realloc ("store", c->merged, (c->merged_count + count + 1) * sizeof *c->merged);
   for (size_t i = first; i < first + count; i++) {
      MtStoreBlock *b = c->blocks[i];
      c->serials[b->serial] = NULL;
      c->merged[c->merged_count++] = b;
      c->logged_bytes -= b->logged ? b->size : 0;
      free (b->pending);
      b->pending = NULL;
      mt_deleted_unref (b->seen);
      b->seen = NULL;
   }
   if (c->before) {
      free (c->blocks);
   } else {
      c->before = c->blocks;
      c->before_cap = c->block_cap;
   }
   c->blocks = blocks;
   c->block_count -= count;
   mt_index_reshaped (c);
   return true;
}

/* The memory from which the block c->making is written to the segment file. */
typedef struct BlockParts {
   uint8_t *head; /* the header and the table of checksums */
   size_t head_bytes;
   size_t stored; /* bytes of documents that are stored */
   MtColumns columns;
} BlockParts;

/* Writes a block at `offset` of the segment file. On success c->length becomes the block's end. On
 * failure c->length is unchanged. */
static bool write_block (MtColl *c, uint64_t offset, const BlockParts *k, MtError *err)
{
   static uint8_t zeros[8];
   const MtColumns *columns = &k->columns;
   size_t gap = columns->p ? (size_t) (-(offset + k->head_bytes + k->stored) & 7) : 0;
   struct iovec parts[4] = {{k->head, k->head_bytes},
                            {c->making.data, k->stored},
                            {zeros, gap},
                            {(void *) (uintptr_t) columns->p, columns->bytes}};
   if (!mt_io_write_parts (c->fd, parts, columns->p ? 4 : 2, offset, c->path, err))
      return false;
   uint64_t before = c->length;
   c->length = offset + k->head_bytes + k->stored + gap + columns->bytes;
   c->unsynced += c->length - before;
   /* Start writing to the disk now, so that less is left to write when the commit syncs the
    * file. */
   if (c->unsynced >= 8u << 20) {
      sync_file_range (c->fd, (off_t) (c->length - c->unsynced), (off_t) c->unsynced,
                       SYNC_FILE_RANGE_WRITE);
      c->unsynced = 0;
   }
   return true;
}

/* Returns the header of a block with the table of its checksums, and sets h->hash. The result has
 * h->data_at bytes, which the caller frees. */
static uint8_t *make_head (const MtColl *c, MtBlockHead *h, size_t pages)
{
   uint8_t *p = mt_calloc ("store", 1, h->data_at);
   memcpy (p, MT_BLOCK_MAGIC, 4);
   mt_put32 (p + 4, MT_STORE_VERSION);
   mt_put64 (p + 8, c->id);
   mt_put32 (p + 16, h->serial);
   mt_put32 (p + 20, h->documents);
   mt_put32 (p + 24, h->size);
   mt_put32 (p + 28, (uint32_t) pages);
   mt_put32 (p + 32, h->data_at);
   for (uint32_t i = 0; i < pages; i++)
      mt_put32 (p + MT_BLOCK_SUM_AT (i), mt_block_page_sum (c->making.data, h->size, i));
   if (h->rebuilt) {
      mt_put32 (p + 36, 1);
      mt_put32 (p + 40, h->columns.bytes);
      mt_put32 (p + 44, h->columns.directory);
      mt_put64 (p + 48, h->columns.hash);
   }
   h->hash = mt_block_head_hash (p, pages);
   mt_put64 (p + 56, h->hash);
   return p;
}

/* Copies value ranges and the order of _ids from the buffer (c->builder) to the block `k` that was
 * filled in it. Then empties the buffer for the next block. */
static void finish_block (MtColl *c, MtStoreBlock *k)
{
   MtBlockBuilder *b = &c->builder;
   k->ranges = MT_NEW_N (c->arena, MtBlockRange, c->field_count);
   k->range_count = c->field_count;
   for (uint32_t i = 0; i < c->field_count; i++)
      k->ranges[i] = mt_range_keep (c->arena, b->ranges[i]);
   k->pending = b->pending;
   k->id_order = b->ids_ascend ? MT_IDS_ASCEND : MT_IDS_MIXED;
   b->pending = NULL;
   if (b->n >= MT_STORE_ALIGN_FROM)
      mt_builder_measures (c, k);
   builder_reset (b);
}

static void *make_columns (void *making)
{
   MtBlockMaking *m = making;
   MT_RECORD_SHORTAGE (NULL); /* without memory there are no columns, and the statement goes on */
   m->head.columns = mt_columns_make (&m->columns, m->data, m->head.size, m->head.documents,
                                      &m->head.rebuilt);
   return NULL;
}

/* Moves the block in the buffer to c->making, and adds it to the list. behind: a thread makes its
 * columns while the next block is filled. */
static bool begin_making (MtColl *c, bool behind, MtError *err)
{
   MtBlockBuilder *b = &c->builder;
   MtBlockMaking *m = &c->making;
   if (!mt_coll_open (c, true, err))
      return false;
   if (c->serial_count >= UINT32_MAX - 1)
      return mt_error (err, MT_E_LIMIT, "collection \"%s\" has too many blocks", c->name);
   m->head = (MtBlockHead) {
      .serial = c->serial_count, .documents = b->documents, .size = (uint32_t) b->n};
   m->block = add_block (c, &m->head);
   finish_block (c, m->block);
   uint8_t *data = m->data;
   size_t cap = m->cap;
   m->data = b->data;
   m->cap = b->cap;
   b->data = data;
   b->cap = cap;
   m->running = behind && mt_thread_start (&m->thread, make_columns, m);
   if (!m->running)
      make_columns (m);
   return true;
}

bool mt_coll_settle (MtColl *c, MtError *err)
{
   MtBlockMaking *m = &c->making;
   if (!m->block)
      return true;
   if (m->running)
      pthread_join (m->thread, NULL);
   m->running = false;
   MtBlockHead h = m->head;
   uint32_t stored = h.rebuilt ? 0 : h.size;
   uint64_t offset = (c->length + 7) & ~(uint64_t) 7;
   size_t pages = mt_block_pages (stored), head = MT_BLOCK_SUM_AT (pages);
   h.data_at = (uint32_t) (head + 7) & ~7u;
   if (stored >= MT_STORE_ALIGN_FROM)
      h.data_at = (uint32_t) (((offset + head + 4095) & ~(uint64_t) 4095) - offset);
   uint8_t *p = make_head (c, &h, pages);
   bool ok = write_block (c, offset, &(BlockParts) {p, h.data_at, stored, h.columns}, err);
   free (p);
   if (!ok)
      return false;
   set_place (c, m->block, offset, &h);
   mt_record_block (c->store, c, m->block);
   m->block = NULL;
   return true;
}

static bool flush_to_segment (MtColl *c, MtError *err)
{
   return mt_coll_settle (c, err) && (c->builder.documents == 0 || begin_making (c, false, err)) &&
          mt_coll_settle (c, err);
}

/* Returns whether the block in the buffer is small enough to be written to the manifest's log
 * instead of the segment file. */
static bool is_logged (const MtColl *c)
{
   return !c->store->temporary && c->builder.n < MT_STORE_SMALL &&
          c->length == c->committed_length && /* else the step syncs the segment anyway */
          c->store->record.n + c->builder.n <= MT_STORE_LOGGED_STEP &&
          c->logged_bytes < MT_STORE_LOGGED_ALL;
}

/* Like mt_coll_flush. behind: the block may be written later, by mt_coll_settle. */
static bool flush (MtColl *c, bool behind, MtError *err)
{
   MtBlockBuilder *b = &c->builder;
   if (!mt_coll_settle (c, err))
      return false;
   if (b->documents == 0)
      return true;
   if (!is_logged (c))
      return begin_making (c, behind, err) && (behind || mt_coll_settle (c, err));
   MtStoreBlock *k = mt_coll_add_logged (c, b->data, (uint32_t) b->n, b->documents);
   finish_block (c, k);
   mt_record_block (c->store, c, k);
   return true;
}

bool mt_coll_flush (MtColl *c, MtError *err) { return flush (c, false, err); }

bool mt_coll_append (MtColl *c, const uint8_t *doc, size_t len, MtError *err)
{
   MtBlockBuilder *b = &c->builder;
   if (b->n > 0 && b->n + len > MT_STORE_BLOCK) {
      if (!flush (c, true, err))
         return false;
      mt_index_flushed (c);
   }
   /* Enlarge the buffer only while the block is empty, because the block's value ranges point into
    * it. */
   if (b->n + len > b->cap) {
      size_t cap = len > MT_STORE_BLOCK ? len : MT_STORE_BLOCK;
      uint8_t *data = mt_try_malloc ("store",
                                     cap + 8); /* 8: see mt_builder_take and mt_columns_make */
      if (!data)
         return mt_memory_check (err);
      free (b->data);
      b->data = data;
      b->cap = cap;
   }
   uint8_t *p = b->data + b->n;
   memcpy (p, doc, len);
   MtVal id = mt_builder_take (c, p, len);
   /* The block is sorted by _id if each new _id becomes the maximum of the range. */
   b->ids_ascend = (b->ids_ascend || b->documents == 0) && b->ranges[0].kept &&
                   b->ranges[0].max.type == id.type && b->ranges[0].max.i == id.i;
   b->n += len;
   b->documents++;
   return true;
}

/* ---- making the open step's writes visible to sources ---- */

void mt_coll_see (MtColl *c)
{
   for (; c->seen_gone < c->gone_count; c->seen_gone++) {
      const MtGone *g = &c->gone[c->seen_gone];
      MtStoreBlock *b = c->serials[g->serial];
      if (!b->seen && b->deleted) {
         atomic_fetch_add (&b->deleted->refs, 1);
         b->seen = b->deleted;
      }
      mt_deleted_add (&b->seen, b, g->ordinal, g->bytes);
   }
   c->seen_blocks = c->block_count;
   c->seen_folded = c->folded;
}

/* Frees the bitmaps of documents that the open step (an uncommitted batch) has deleted, which only
 * readers within the step use. All of c->gone is read, because a commit may have sorted it. */
static void forget_seen (MtColl *c)
{
   for (size_t i = 0; i < c->gone_count; i++) {
      MtStoreBlock *b = c->gone[i].serial < c->serial_count ? c->serials[c->gone[i].serial] : NULL;
      if (b) {
         mt_deleted_unref (b->seen);
         b->seen = NULL;
      }
   }
   c->seen_gone = 0;
}

/* Shortens the lists of blocks, of serial numbers and of fields to the given lengths, to undo
 * additions. */
static void cut_blocks (MtColl *c, size_t blocks, uint32_t serials, uint32_t fields)
{
   for (uint32_t i = serials; i < c->serial_count; i++)
      if (c->serials[i]) {
         c->logged_bytes -= c->serials[i]->logged ? c->serials[i]->size : 0;
         mt_logged_unref (c->serials[i]->logged);
         c->serials[i]->logged = NULL;
         mt_deleted_unref (c->serials[i]->seen);
         free (c->serials[i]->pending);
      }
   c->serial_count = serials;
   c->block_count = blocks;
   mt_runs_cut (c, serials);
   mt_index_reshaped (c);
   c->field_count = fields;
   for (size_t i = 0; i < blocks; i++)
      if (c->blocks[i]->range_count > fields)
         c->blocks[i]->range_count = fields;
}

void mt_coll_return (MtColl *c, const MtMarkColl *m)
{
   bool changed = c->builder.documents > 0 || c->gone_count > m->gone ||
                  c->serial_count > m->serials;
   builder_reset (&c->builder);
   forget_making (c);
   c->dropped = m->dropped;
   c->folded = c->seen_folded = m->folded;
   mt_events_return (c, m->log, m->undo, m->refs);
   if (!changed && c->field_count == m->fields)
      return;
   for (size_t i = m->gone; i < c->gone_count; i++) {
      const MtGone *g = &c->gone[i];
      if (g->serial < m->serials)
         c->serials[g->serial]->pending[g->ordinal / 8] &= (uint8_t) ~(1u << g->ordinal % 8);
   }
   forget_seen (c);
   c->gone_count = m->gone;
   cut_blocks (c, m->blocks, m->serials, m->fields);
   c->tailed |= c->length > m->length;
   c->length = m->length;
   /* at its committed length the file must be prepared again for writing, because a new file has no
    * header yet */
   c->writing &= m->length > c->committed_length;
   c->unsynced = 0;
   mt_index_drop (c);
   mt_coll_see (c);
}

/* ---- the ends of a step ---- */

static void unmerge (MtColl *c)
{
   for (size_t i = 0; i < c->merged_count; i++) {
      MtStoreBlock *b = c->merged[i];
      c->serials[b->serial] = b;
      c->logged_bytes += b->logged ? b->size : 0;
   }
   c->merged_count = 0;
   free (c->blocks);
   c->blocks = c->before;
   c->block_cap = c->before_cap;
   c->before = NULL;
}

static void step_over (MtColl *c)
{
   forget_seen (c);
   for (size_t i = 0; i < c->gone_count; i++) {
      uint32_t serial = c->gone[i].serial;
      if (serial < c->serial_count && c->serials[serial]) {
         free (c->serials[serial]->pending);
         c->serials[serial]->pending = NULL;
      }
   }
   c->gone_count = 0;
   c->writing = c->created = c->dropped = c->tailed = c->packs = false;
   c->unsynced = 0;
   mt_coll_spare_fd (c);
}

/* Truncates the segment file to `length`. If this fails, the next step truncates the file when it
 * opens it. Until then readers ignore the bytes behind `length`. */
static void cut_tail (MtColl *c, uint64_t length)
{
   if (c->fd >= 0 && c->fd_writes && ftruncate (c->fd, (off_t) length) != 0)
      c->writing = false;
}

void mt_coll_rollback (MtColl *c, bool keep_file)
{
   bool changed = c->builder.documents > 0 || c->gone_count > 0 ||
                  c->serial_count > c->committed_serials;
   bool longer = c->tailed || c->length > c->committed_length;
   builder_reset (&c->builder);
   forget_making (c);
   if (c->before)
      unmerge (c);
   forget_merge (c);
   mt_events_step_over (c, false);
   if (longer && !keep_file)
      cut_tail (c, c->committed_length);
   step_over (c);
   cut_blocks (c, c->committed_blocks, c->committed_serials, c->committed_fields);
   c->seen_blocks = c->block_count;
   c->length = c->committed_length;
   if (changed)
      mt_index_drop (c);
}

void mt_coll_committed (MtColl *c)
{
   c->committed_blocks = c->seen_blocks = c->block_count;
   c->committed_serials = c->serial_count;
   c->committed_fields = c->field_count;
   c->committed_length = c->length;
   if (c->tailed)
      cut_tail (c, c->length);
   for (size_t i = 0; i < c->merged_count; i++) {
      mt_deleted_unref (c->merged[i]->deleted);
      c->merged[i]->deleted = NULL;
   }
   forget_merge (c);
   mt_events_step_over (c, true);
   step_over (c);
}

/* ---- merging small blocks ---- */

static bool copy_living (MtColl *c, const MtColl *from, MtBlockWalk walk, MtError *err)
{
   const MtStoreBlock *b = walk.block;
   const uint8_t *doc;
   size_t len;
   for (uint32_t i = 0;; i++) {
      size_t at = walk.offset;
      if (!mt_block_next (&walk, &doc, &len, err))
         return false;
      if (!doc)
         return true;
      if (mt_coll_is_gone (b, i))
         continue;
      if (!mt_coll_append (c, doc, len, err))
         return false;
      if (c == from && c->index) {
         MtIdEntry old = {0, b->serial, (uint32_t) at, i};
         MtVal id = mt_bson_field (doc, len, "_id");
         old.hash = mt_key_hash (id);
         mt_index_moved (c, &old, c->serial_count, (uint32_t) (c->builder.n - len),
                         c->builder.documents - 1);
      }
   }
}

/* Holds a reference to the mapping, because appending to the same collection can replace the
 * mapping while documents are copied from it. */
bool mt_coll_copy_living (MtColl *c, const MtColl *from, const MtStoreBlock *b, MtError *err)
{
   MtMapped *map = b->logged ? NULL : mt_mapped_hold (from->map);
   MtRebuilt *rebuilt = NULL;
   MtBlockWalk walk;
   bool ok = mt_block_walk (&walk, from->name, b, mt_coll_data (from, b), &rebuilt, err) &&
             copy_living (c, from, walk, err) && mt_mapped_whole (map, mt_block_end (b), err);
   mt_rebuilt_free (rebuilt);
   mt_mapped_unref (map);
   return ok;
}

bool mt_coll_join (MtColl *c, size_t first, size_t count, MtError *err)
{
   uint64_t bytes = 0;
   if (first > c->block_count || count > c->block_count - first || c->builder.documents)
      return false;
   for (size_t i = first; i < first + count; i++)
      bytes += c->blocks[i]->logged ? c->blocks[i]->size : MT_STORE_BLOCK;
   if (bytes >= MT_STORE_BLOCK)
      return false;
   for (size_t i = first; i < first + count; i++)
      if (!mt_coll_copy_living (c, c, c->blocks[i], err))
         return false;
   MtBlockBuilder *b = &c->builder;
   size_t with = b->documents > 0;
   if (with)
      finish_block (c, mt_coll_add_logged (c, b->data, (uint32_t) b->n, b->documents));
   return mt_coll_merge (c, first, count, with);
}

bool mt_coll_move (MtColl *c, size_t from, size_t end, bool stored_too, MtError *err)
{
   if (!mt_coll_map (c, c->length, err))
      return false;
   for (size_t i = from; i < end; i++)
      if ((stored_too || c->blocks[i]->logged) && !mt_coll_copy_living (c, c, c->blocks[i], err))
         return false;
   if (!flush_to_segment (c, err))
      return false;
   while (from < end) {
      size_t n = 0;
      while (from + n < end && (stored_too || c->blocks[from + n]->logged))
         n++;
      if (!n) {
         from++;
         continue;
      }
      mt_record_merge (c->store, c, from, n, 0);
      if (!mt_coll_merge (c, from, n, 0))
         return mt_error (err, MT_E_INTERNAL, "blocks of collection \"%s\" can't be merged",
                          c->name);
      end -= n;
   }
   return true;
}

bool mt_coll_move_logged (MtColl *c, MtError *err)
{
   return mt_coll_move (c, 0, c->block_count, false, err);
}

bool mt_coll_compact (MtColl *c, MtError *err)
{
   size_t last = c->block_count, first = last, newest = last;
   uint64_t logged = 0;
   bool all_logged = true, wrote = false;
   /* find the small blocks at the end (from index first on), and this step's blocks (from index
    * newest on) */
   for (; first > 0 && c->blocks[first - 1]->size < MT_STORE_SMALL; first--)
      all_logged &= c->blocks[first - 1]->logged != NULL;
   for (; newest > 0; newest--) {
      const MtStoreBlock *b = c->blocks[newest - 1];
      if (!b->logged && b->serial < c->committed_serials)
         break;
      wrote |= !b->logged;
      logged += b->logged ? b->size : 0;
   }
   /* If the step writes to the segment, the segment is synced in any case. So move this step's
    * blocks of the log there, too. */
   if ((wrote && logged) || logged >= MT_STORE_LOGGED_MOST)
      return mt_coll_move (c, newest, last, false, err);
   if (last - first < MERGE_RUN)
      return true;
   if (!all_logged)
      return mt_coll_move (c, first, last, true, err);
   mt_record_join (c->store, c, first, last - first);
   return mt_coll_join (c, first, last - first, err);
}
