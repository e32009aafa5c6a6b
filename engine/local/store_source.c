/* Snapshots of collections and the reader that steps over their blocks, verifying each page once a process. */
#include "engine/local/store_int.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define BLOCK_HEAD 64u

void mt_deleted_unref (MtDeleted *d)
{
   if (d && atomic_fetch_sub (&d->refs, 1) == 1)
      free (d);
}

/* ---- snapshots ---- */

size_t mt_source_blocks (const MtSource *s) { return s->count; }

void mt_source_block (const MtSource *s, size_t index, MtBlock *out)
{
   const MtSourceBlock *b = &s->blocks[index];
   *out = (MtBlock){.data = b->data, .size = b->size, .documents = b->documents};
   out->deleted = b->deleted ? b->deleted->count : 0;
   out->impl = b;
}

void mt_source_stats (const MtSource *s, MtCollStats *out) { *out = s->stats; }

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
   return false;
}

void mt_source_free (MtSource *s)
{
   if (!s)
      return;
   for (size_t i = 0; i < s->count; i++)
      mt_deleted_unref (s->blocks[i].deleted);
   mt_map_unref (s->map);
   mt_coll_unref (s->coll);
   if (s->release)
      s->release (s->owner);
   free (s->blocks);
   free (s->name);
   free (s);
}

MtSource *mt_source_new (const char *name, size_t room)
{
   MtSource *src = calloc (1, sizeof *src);
   if (src) {
      src->name = strdup (name);
      src->blocks = calloc (room ? room : 1, sizeof *src->blocks);
   }
   if (!src || !src->name || !src->blocks)
      abort ();
   return src;
}

static MtDeleted *seen_deleted (const MtStoreBlock *b) { return b->seen ? b->seen : b->deleted; }

static void snapshot_block (MtSource *src, MtStoreBlock *b)
{
   MtSourceBlock *o = &src->blocks[src->count++];
   o->block = b;
   o->data = src->map->base + b->offset + b->data_at;
   o->size = b->size;
   o->documents = b->documents;
   o->ranges = b->ranges;
   o->range_count = b->range_count;
   src->stats.documents += b->documents;
   src->stats.bytes += b->size;
   o->deleted = seen_deleted (b);
   if (o->deleted) {
      atomic_fetch_add (&o->deleted->refs, 1);
      src->stats.documents -= o->deleted->count;
      src->stats.bytes -= o->deleted->bytes;
   }
}

bool mt_store_refresh (MtStore *s, MtError *err) { return mt_manifest_refresh (s, err); }

bool mt_store_source (MtStore *s, const char *collection, MtSource **out, MtError *err)
{
   return mt_store_refresh (s, err) && mt_store_source_seen (s, collection, out, err);
}

/* Finds the collection and maps its segment; *out NULL when it has no documents. */
static bool find_mapped (MtStore *s, const char *collection, MtColl **out, MtError *err)
{
   MtError e;
   for (int tries = 0;; tries++) {
      MtColl *c = mt_store_coll (s, collection);
      *out = c && c->seen_blocks > 0 ? c : NULL;
      if (!*out || mt_coll_map (c, s->in_step ? c->length : c->committed_length, &e))
         return true;
      if (err)
         *err = e;
      if (s->frozen && strcmp (e.sqlstate, MT_E_UNDEFINED_FILE) == 0)
         return mt_error (err, MT_E_SNAPSHOT_TOO_OLD, "snapshot too old: collection \"%s\" was written anew or dropped meanwhile", collection);
      /* another process dropped it, or wrote it anew, after its manifest was read: look once more */
      if (tries || strcmp (e.sqlstate, MT_E_UNDEFINED_FILE) != 0 || s->in_step || !mt_manifest_refresh (s, err))
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
   MtSource *src = mt_source_new (collection, c->seen_blocks);
   atomic_fetch_add (&c->refs, 1);
   atomic_fetch_add (&c->map->refs, 1);
   src->coll = c;
   src->map = c->map;
   src->field_count = c->committed_fields;
   memcpy (src->fields, c->fields, sizeof src->fields);
   for (size_t i = 0; i < c->seen_blocks; i++) {
      const MtDeleted *d = seen_deleted (c->blocks[i]);
      if (!d || d->count < c->blocks[i]->documents)
         snapshot_block (src, c->blocks[i]);
   }
   src->stats.stored_bytes = s->in_step ? c->length : c->committed_length;
   *out = src;
   return true;
}

/* ---- verifying ---- */

static bool bad_block (const char *name, const MtStoreBlock *b, uint64_t at, const char *what, MtError *err)
{
   return mt_error (err, MT_E_CORRUPT, "collection \"%s\" is damaged at offset %llu of its segment file: %s", name,
                    (unsigned long long) (b->offset + at), what);
}

/* The header and the table, against the hash that the manifest has. */
static bool verify_head (const char *name, MtStoreBlock *b, const uint8_t *head, MtError *err)
{
   size_t pages = (b->size + (size_t) MT_STORE_PAGE - 1) / MT_STORE_PAGE;
   uint64_t hash = XXH3_64bits_withSeed (head + BLOCK_HEAD, 4 * pages, XXH3_64bits (head, 56));
   if (hash != b->head_hash)
      return bad_block (name, b, 0, "the block header's checksum is wrong", err);
   if (mt_get32 (head + 20) != b->documents || mt_get32 (head + 24) != b->size || mt_get32 (head + 32) != b->data_at)
      return bad_block (name, b, 0, "the block header and the manifest differ", err);
   atomic_store_explicit (&b->head_ok, 1, memory_order_release);
   return true;
}

bool mt_block_verify (const char *name, const MtStoreBlock *block, const uint8_t *data, size_t from, size_t n, MtError *err)
{
   MtStoreBlock *b = (MtStoreBlock *) (uintptr_t) block; /* what was verified is remembered in the block */
   const uint8_t *head = data - b->data_at;
   if (!atomic_load_explicit (&b->head_ok, memory_order_acquire) && !verify_head (name, b, head, err))
      return false;
   size_t last = (from + n - 1) / MT_STORE_PAGE;
   for (size_t i = from / MT_STORE_PAGE; i <= last; i++) {
      if (atomic_load_explicit (&b->page_ok[i], memory_order_relaxed))
         continue;
      size_t at = i * MT_STORE_PAGE, len = b->size - at < MT_STORE_PAGE ? b->size - at : MT_STORE_PAGE;
      if ((uint32_t) XXH3_64bits (data + at, len) != mt_get32 (head + BLOCK_HEAD + 4 * i))
         return bad_block (name, b, b->data_at + at, "a page's checksum is wrong", err);
      atomic_store_explicit (&b->page_ok[i], 1, memory_order_relaxed);
   }
   return true;
}

bool mt_block_next (const char *name, const MtStoreBlock *b, const uint8_t *data, size_t *offset, const uint8_t **doc,
                    size_t *len, MtError *err)
{
   *doc = NULL;
   if (*offset == b->size)
      return true;
   if (b->size - *offset < 5)
      return bad_block (name, b, b->data_at + *offset, "no document", err);
   if (!mt_block_verify (name, b, data, *offset, 4, err))
      return false;
   uint32_t n = mt_get32 (data + *offset);
   if (n < 5 || n > b->size - *offset)
      return bad_block (name, b, b->data_at + *offset, "a document's length is wrong", err);
   if (!mt_block_verify (name, b, data, *offset, n, err))
      return false;
   *doc = data + *offset;
   *len = n;
   *offset += n;
   return true;
}

/* ---- readers ---- */

void mt_reader_init (MtReader *r, const MtSource *s, size_t block_index, MtError *err)
{
   *r = (MtReader){.source = s, .err = err};
   mt_source_block (s, block_index, &r->block);
   r->lo = r->block.data;
}

static bool outside (MtReader *r, const uint8_t *p)
{
   return mt_error (r->err, MT_E_CORRUPT, "collection \"%s\" is damaged: a document reaches beyond its block at offset %lld",
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
   if (!mt_block_verify (r->source->name, b, data, from, n, r->err))
      return false;
   size_t lo = from / MT_STORE_PAGE * MT_STORE_PAGE;
   size_t hi = (from + n + MT_STORE_PAGE - 1) / MT_STORE_PAGE * MT_STORE_PAGE;
   size_t known = (size_t) (r->lo - data);
   if (r->span > 0 && known <= lo && known + r->span >= lo) /* goes on where what is known ends */
      lo = known;
   while (hi < size && atomic_load_explicit (&b->page_ok[hi / MT_STORE_PAGE], memory_order_relaxed))
      hi += MT_STORE_PAGE;
   r->lo = data + lo;
   r->span = (hi < size ? hi : size) - lo;
   return true;
}
