/* Sources (snapshots of a collection) and the reader of their blocks. A process verifies each page
 * of a file only once. */
#include "base/memory.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/runs.h"

#include <math.h>
#include <stdlib.h>

/* ---- snapshots ---- */

size_t mt_source_blocks (const MtSource *s) { return s->count; }

void mt_source_block (const MtSource *s, size_t index, MtBlock *out)
{
   const MtSourceBlock *b = &s->blocks[index];
   *out = (MtBlock) {.data = b->data, .size = b->size, .documents = b->documents};
   out->deleted = b->deleted ? b->deleted->count : 0;
   out->lasting = b->data;
   out->lasting_bytes = b->size;
   out->columns = b->block && b->block->columns.bytes > 0;
   if (out->columns)
      out->lasting_bytes = mt_block_end (b->block) - b->block->offset - b->block->data_at;
   out->impl = b;
}

/* Sets *out to the number and total size of the source's documents. Sizes of documents with
 * increments are estimates until the documents are built. */
void mt_source_stats (const MtSource *s, MtCollStats *out)
{
   *out = s->stats;
   for (size_t i = 0; s->events && i < s->count; i++)
      if (s->blocks[i].made)
         out->bytes += s->blocks[i].size - s->blocks[i].guess;
}

bool mt_source_check (const MtSource *s, MtError *err) { return mt_mapped_check (s->map, err); }

bool mt_source_whole (const MtSource *s, MtError *err)
{
   return mt_mapped_whole (s->map, s->map_used, err);
}

bool mt_block_is_deleted (const MtBlock *b, uint32_t ordinal)
{
   const MtDeleted *d = ((const MtSourceBlock *) b->impl)->deleted;
   return d && ordinal < d->documents && (d->bits[ordinal / 8] & (1u << ordinal % 8)) != 0;
}

bool mt_block_range (const MtSource *s, size_t index, const char *field, MtVal *min, MtVal *max)
{
   const MtSourceBlock *b = &s->blocks[index];
   for (uint32_t i = 0; i < s->field_count && i < b->range_count; i++)
      if (strcmp (s->fields[i], field) == 0) {
         if (!b->ranges[i].kept)
            return false;
         *min = b->ranges[i].min;
         *max = b->ranges[i].max;
         return true;
      }
   MtRangeParts parts;
   if (!mt_block_parts (s, index, field, &parts))
      return false;
   *min = parts.nans ? mt_v_double (NAN) : parts.least;
   if (parts.nulls)
      *min = mt_v_null ();
   *max = parts.greatest;
   return true;
}

bool mt_block_parts (const MtSource *s, size_t index, const char *field, MtRangeParts *out)
{
   const MtSourceBlock *b = &s->blocks[index];
   return b->measures && mt_measure_parts (b->measures, b->measure_bytes, field, out);
}

bool mt_block_column_range (const MtSource *s, size_t index, const char *const *path,
                            uint32_t depth, MtRangeParts *out)
{
   const MtSourceBlock *at = &s->blocks[index];
   MtStoreBlock *b = at->block;
   if (!b || !b->columns.bytes)
      return false;
   MtColumns c = mt_block_columns (b, at->data);
   return mt_columns_range (&c, b->documents, &b->columns_ok, path, depth, out);
}

void mt_source_free (MtSource *s)
{
   if (!s)
      return;
   for (size_t i = 0; i < s->count; i++) {
      mt_deleted_unref (s->blocks[i].deleted);
      mt_logged_unref (s->blocks[i].logged);
      free (s->blocks[i].made);
   }
   mt_events_unref (s->events);
   free (s->ranges);
   pthread_mutex_destroy (&s->making);
   mt_mapped_unref (s->map);
   mt_runs_unref (s->runs);
   mt_coll_unref (s->coll);
   if (s->release)
      s->release (s->owner);
   free (s->blocks);
   free (s->name);
   free (s);
}

MtSource *mt_source_new (const char *name, size_t room)
{
   MtSource *src = mt_calloc ("source", 1, sizeof *src);
   src->name = mt_heap_printf ("%s", name);
   src->blocks = mt_calloc ("source", room ? room : 1, sizeof *src->blocks);
   if (pthread_mutex_init (&src->making, NULL) != 0)
      mt_no_memory ("source", sizeof src->making);
   return src;
}

static MtDeleted *seen_deleted (const MtStoreBlock *b) { return b->seen ? b->seen : b->deleted; }

static void use_map (MtSource *src, const MtStoreBlock *b)
{
   uint64_t end = mt_block_end (b);
   if (end > src->map_used)
      src->map_used = end;
}

static void snapshot_block (MtSource *src, MtStoreBlock *b, MtDeleted *deleted)
{
   if (deleted && deleted->count >= b->documents) {
      mt_deleted_unref (deleted);
      return;
   }
   MtSourceBlock *o = &src->blocks[src->count++];
   o->block = b;
   o->data = mt_coll_data (src->coll, b);
   o->logged = mt_logged_hold (b->logged);
   use_map (src, b);
   o->size = b->size;
   o->documents = b->documents;
   o->ranges = b->ranges;
   o->range_count = b->range_count;
   o->measures = b->measures;
   o->measure_bytes = b->measure_bytes;
   src->stats.documents += b->documents;
   src->stats.bytes += b->size;
   o->deleted = deleted;
   if (o->deleted) {
      src->stats.documents -= o->deleted->count;
      src->stats.bytes -= o->deleted->bytes;
   }
}

static MtDeleted *held (MtDeleted *d)
{
   if (d)
      atomic_fetch_add (&d->refs, 1);
   return d;
}

/* ---- documents with increments: blocks of their own, made when they are first read ---- */

/* Returns the index in o->order of the first document whose block has serial number `serial` or a
 * greater one. */
static uint32_t first_of (const MtEvents *o, uint32_t serial)
{
   uint32_t lo = 0, hi = o->doc_count;
   while (lo < hi) {
      uint32_t mid = lo + (hi - lo) / 2;
      if (o->docs[o->order[mid]].serial < serial)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

/* Returns how many of the collection's indexed fields, from the first on, are not changed by any
 * increment. The blocks' value ranges for these fields stay valid. */
static uint32_t steady_ranges (const MtColl *c, const MtEvents *o)
{
   uint32_t steady = c->committed_fields;
   for (uint32_t p = 0; p < o->path_count; p++)
      for (uint32_t i = 1; i < steady; i++) {
         size_t n = strlen (c->fields[i]);
         const uint8_t *path = o->bytes + o->paths[p].at;
         if (o->paths[p].n >= n && memcmp (path, c->fields[i], n) == 0 &&
             (o->paths[p].n == n || path[n] == '.'))
            steady = i;
      }
   return steady;
}

/* Returns a copy of the block's bitmap of deleted documents in which `count` further documents are
 * marked: those with increments. The source has their current versions in an extra block. */
static MtDeleted *without (const MtStoreBlock *b, const MtEvents *o, const uint32_t *docs,
                           uint32_t count)
{
   const MtDeleted *old = seen_deleted (b);
   size_t n = (b->documents + 7) / 8;
   MtDeleted *d = mt_calloc ("store", 1, sizeof *d + n);
   atomic_init (&d->refs, 1);
   d->documents = b->documents;
   if (old) {
      memcpy (d->bits, old->bits, n);
      d->count = old->count;
      d->bytes = old->bytes;
   }
   for (uint32_t i = 0; i < count; i++) {
      const MtEventDoc *e = &o->docs[docs[i]];
      d->bits[e->ordinal / 8] |= (uint8_t) (1u << e->ordinal % 8);
      d->count++;
      d->bytes += e->stored;
   }
   return d;
}

static MtSourceBlock *add_made (MtSource *src, const uint32_t *docs, uint32_t count)
{
   MtSourceBlock *m = &src->blocks[src->count++];
   *m = (MtSourceBlock) {.docs = docs, .documents = count};
   src->stats.documents += count;
   for (uint32_t i = 0; i < count; i++)
      m->guess += src->events->docs[docs[i]].stored + src->events->docs[docs[i]].grown;
   src->stats.bytes += m->guess;
   return m;
}

static void snapshot_changed (MtSource *src, MtStoreBlock *b, uint32_t steady)
{
   const MtEvents *o = src->events;
   uint32_t from = first_of (o, b->serial), to = from;
   while (to < o->doc_count && o->docs[o->order[to]].serial == b->serial)
      to++;
   if (from == to) {
      snapshot_block (src, b, held (seen_deleted (b)));
      return;
   }
   snapshot_block (src, b, without (b, o, o->order + from, to - from));
   MtSourceBlock *m = add_made (src, o->order + from, to - from);
   m->base = b;
   m->base_data = mt_coll_data (src->coll, b);
   m->logged = mt_logged_hold (b->logged);
   use_map (src, b);
   m->ranges = b->ranges;
   m->range_count = b->range_count < steady ? b->range_count : steady;
}

enum { NEW_A_BLOCK = 64 };

static void snapshot_new (MtSource *src)
{
   const MtEvents *o = src->events;
   uint32_t at = first_of (o, MT_NO_DOC);
   src->ranges = mt_calloc ("store", o->made / NEW_A_BLOCK + 1, sizeof *src->ranges);
   for (MtBlockRange *r = src->ranges; at < o->doc_count; at += NEW_A_BLOCK, r++) {
      uint32_t count = o->doc_count - at < NEW_A_BLOCK ? o->doc_count - at : NEW_A_BLOCK;
      MtSourceBlock *m = add_made (src, o->order + at, count);
      *r = (MtBlockRange) {true, mt_events_id (o, o->order[at]),
                           mt_events_id (o, o->order[at + count - 1])};
      m->ranges = r;
      m->range_count = 1;
   }
}

static bool make_block (const MtSource *src, MtSourceBlock *m, MtError *err)
{
   MtBuf all = {0}, one = {0};
   MtRebuilt *rebuilt = NULL;
   MtBlockWalk walk;
   bool ok = !m->base || mt_block_walk (&walk, src->name, m->base, m->base_data, &rebuilt, err);
   for (uint32_t i = 0; ok && i < m->documents; i++) {
      const uint8_t *base = NULL;
      size_t n;
      walk.offset = src->events->docs[m->docs[i]].offset;
      ok = !m->base || mt_block_next (&walk, &base, &n, err);
      if (!ok)
         break;
      mt_events_build (src->events, m->docs[i], base, &one);
      mt_buf_add (&all, one.p, one.n);
      if (all.n > INT32_MAX)
         ok = mt_error (err, MT_E_LIMIT, "collection \"%s\" has too many increments that wait",
                        src->name);
   }
   mt_buf_free (&one);
   mt_rebuilt_free (rebuilt);
   if (!ok) {
      mt_buf_free (&all);
      return false;
   }
   m->made = (uint8_t *) all.p;
   m->data = m->made;
   m->size = (uint32_t) all.n;
   return true;
}

bool mt_store_refresh (MtStore *s, MtError *err) { return mt_manifest_refresh (s, err); }

bool mt_store_source (MtStore *s, const char *collection, MtSource **out, MtError *err)
{
   return mt_store_refresh (s, err) && mt_store_source_seen (s, collection, out, err);
}

/* Prepares a collection for reading: maps the visible part of its segment file, and applies queued
 * increments. */
static bool get_ready (MtStore *s, MtColl *c, MtError *err)
{
   if (c->seen_blocks > 0 && !mt_coll_map (c, s->in_step ? c->length : c->committed_length, err))
      return false;
   return c->seen_folded || mt_events_catch_up (c, err);
}

/* Finds a collection and prepares it for reading. *out is NULL if it does not exist or is empty. */
static bool find_mapped (MtStore *s, const char *collection, MtColl **out, MtError *err)
{
   MtError e;
   for (int tries = 0;; tries++) {
      MtColl *c = mt_store_coll (s, collection);
      *out = c && (c->seen_blocks > 0 || mt_events_any (c)) ? c : NULL;
      if (!*out || get_ready (s, c, &e))
         return true;
      if (err)
         *err = e;
      if (s->frozen && mt_error_is (&e, MT_E_UNDEFINED_FILE))
         return mt_error (
            err, MT_E_SNAPSHOT_TOO_OLD,
            "snapshot too old: collection \"%s\" was written anew or dropped meanwhile",
            collection);
      /* The segment file is gone: another process dropped or rewrote the collection after this
       * process read the manifest. Read the manifest again and retry once. */
      if (tries || !mt_error_is (&e, MT_E_UNDEFINED_FILE) || s->in_step ||
          !mt_manifest_refresh (s, err))
         return false;
   }
}

bool mt_store_source_seen (MtStore *s, const char *collection, MtSource **out, MtError *err)
{
   MtColl *c;
   if (!find_mapped (s, collection, &c, err))
      return false;
   if (!c) {
      *out = mt_source_new (collection, 0);
      return true;
   }
   MtEvents *o = c->seen_folded || !c->events || c->events->doc_count == 0 ? NULL : c->events;
   MtSource *src = mt_source_new (collection, c->seen_blocks * (o ? 2 : 1) +
                                                 (o ? o->made / NEW_A_BLOCK + 1 : 0));
   atomic_fetch_add (&c->refs, 1);
   src->coll = c;
   if (c->seen_blocks)
      src->map = mt_mapped_hold (c->map);
   src->runs = mt_runs_hold (c);
   src->field_count = c->committed_fields;
   memcpy (src->fields, c->fields, sizeof src->fields);
   if (o) {
      mt_events_sort (o);
      atomic_fetch_add (&o->refs, 1);
      src->events = o;
   }
   uint32_t steady = o ? steady_ranges (c, o) : 0;
   for (size_t i = 0; i < c->seen_blocks; i++)
      if (o)
         snapshot_changed (src, c->blocks[i], steady);
      else
         snapshot_block (src, c->blocks[i], held (seen_deleted (c->blocks[i])));
   if (o && o->made)
      snapshot_new (src);
   src->stats.stored_bytes = (s->in_step ? c->length : c->committed_length) + c->logged_bytes;
   *out = src;
   return true;
}

/* ---- readers ---- */

bool mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err)
{
   MtSourceBlock *b = &s->blocks[block_index];
   bool ok = mt_source_check (s, err);
   *r = (MtReader) {.source = s, .err = err, .rebuilt = r->rebuilt};
   if (ok && b->docs) {
      pthread_mutex_t *making = (pthread_mutex_t *) (uintptr_t) &s->making;
      pthread_mutex_lock (making);
      ok = b->made || make_block (s, b, err);
      pthread_mutex_unlock (making);
   }
   mt_source_block (s, block_index, &r->block);
   if (ok && b->block) {
      MtBlockWalk walk;
      ok = mt_block_walk (&walk, s->name, b->block, b->data, &r->rebuilt, err);
      r->block.data = walk.data;
   }
   r->lo = r->block.data;
   return ok;
}

void mt_reader_end (MtReader *r)
{
   mt_rebuilt_free (r->rebuilt);
   r->rebuilt = NULL;
}

static bool outside (MtReader *r, const uint8_t *p)
{
   return mt_error (
      r->err, MT_E_CORRUPT,
      "collection \"%s\" is damaged: a document reaches beyond its block at offset %lld",
      r->source->name, (long long) (p - r->block.data));
}

bool mt_need_slow (MtReader *r, const uint8_t *p, size_t n)
{
   const uint8_t *data = r->block.data;
   size_t size = r->block.size;
   if (p < data || (size_t) (p - data) > size || n > size - (size_t) (p - data))
      return outside (r, p);
   const MtStoreBlock *b = ((const MtSourceBlock *) r->block.impl)->block;
   if (!b) {
      r->lo = data;
      r->span = size;
      return true;
   }
   size_t from = (size_t) (p - data);
   if (b->rebuilt) {
      size_t to = from + n;
      if (!mt_block_rebuild (r->source->name, b, r->rebuilt, &from, &to, r->err))
         return false;
      r->lo = data + from;
      r->span = to - from;
      return true;
   }
   if (!mt_block_verify (r->source->name, b, data, from, n, r->err))
      return false;
   size_t lo = from / MT_STORE_PAGE * MT_STORE_PAGE;
   size_t hi = (from + n + MT_STORE_PAGE - 1) / MT_STORE_PAGE * MT_STORE_PAGE;
   size_t known = (size_t) (r->lo - data);
   /* Join the new verified bytes with those that the reader already had, if they are adjacent. */
   if (r->span > 0 && known <= lo && known + r->span >= lo)
      lo = known;
   while (hi < size && atomic_load_explicit (&b->page_ok[hi / MT_STORE_PAGE], memory_order_relaxed))
      hi += MT_STORE_PAGE;
   r->lo = data + lo;
   r->span = (hi < size ? hi : size) - lo;
   return true;
}

bool mt_reader_column (const MtReader *r, MtColumnLevel level, const char *field,
                       MtStoredColumn *out, bool *has)
{
   /* Cast away const, because the block stores which of its columns are verified. */
   MtStoreBlock *b = ((const MtSourceBlock *) r->block.impl)->block;
   *has = false;
   if (!b || !b->columns.bytes)
      return true;
   MtColumns c = mt_block_columns (b, ((const MtSourceBlock *) r->block.impl)->data);
   if (mt_columns_find (&c, level, &b->columns_ok, field, out, has))
      return true;
   mt_error (r->err, MT_E_CORRUPT,
             "collection \"%s\" is damaged at offset %llu of its segment file: the checksum of a "
             "column is wrong",
             r->source->name, (unsigned long long) mt_block_columns_at (b));
   return !b->rebuilt &&
          mt_error_hint (r->err, "SET enable_columns = off reads the documents instead.");
}
