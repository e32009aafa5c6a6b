/* The index on _id: a hash table in memory, built when it is first needed.
 *
 * Entries aren't taken out when a document is deleted: a find looks whether what it found is alive. A replaced document's
 * entry is moved to the new place, so that one key replaced often keeps one entry. */
#include "engine/local/store_int.h"
#include "base/memory.h"

#include <stdlib.h>

#define FREE UINT32_MAX

void mt_index_drop (MtColl *c)
{
   if (c->index)
      free (c->index->entries);
   free (c->index);
   c->index = NULL;
}

static void place (MtIdEntry *entries, size_t cap, MtIdEntry e)
{
   size_t i = e.hash & (cap - 1);
   while (entries[i].serial != FREE)
      i = (i + 1) & (cap - 1);
   entries[i] = e;
}

static void resize (MtIdIndex *x, size_t cap)
{
   MtIdEntry *entries = mt_malloc ("index of ids", cap * sizeof *entries);
   memset (entries, 0xFF, cap * sizeof *entries);
   for (size_t i = 0; i < x->cap; i++)
      if (x->entries[i].serial != FREE)
         place (entries, cap, x->entries[i]);
   free (x->entries);
   x->entries = entries;
   x->cap = cap;
}

static void add (MtIdIndex *x, MtIdEntry e)
{
   if (x->used + 1 > x->cap / 8 * 5)
      resize (x, x->cap * 2);
   place (x->entries, x->cap, e);
   x->used++;
}

void mt_index_added (MtColl *c, MtVal id, uint32_t serial, uint32_t offset, uint32_t ordinal)
{
   if (c->index)
      add (c->index, (MtIdEntry){(uint32_t) mt_v_hash (id, 0), serial, offset, ordinal});
}

void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset, uint32_t ordinal)
{
   MtIdIndex *x = c->index;
   for (size_t i = old->hash & (x->cap - 1); x->entries[i].serial != FREE; i = (i + 1) & (x->cap - 1)) {
      MtIdEntry *e = &x->entries[i];
      if (e->hash == old->hash && e->serial == old->serial && e->ordinal == old->ordinal) {
         *e = (MtIdEntry){old->hash, serial, offset, ordinal};
         return;
      }
   }
   add (x, (MtIdEntry){old->hash, serial, offset, ordinal});
}

/* ---- building ---- */

static bool add_block (MtColl *c, MtIdIndex *x, const MtStoreBlock *b, MtError *err)
{
   const uint8_t *data = c->map->base + b->offset + b->data_at, *doc;
   size_t offset = 0, len;
   for (uint32_t i = 0;; i++) {
      uint32_t at = (uint32_t) offset;
      if (!mt_block_next (c->name, b, data, &offset, &doc, &len, err))
         return false;
      if (!doc)
         return true;
      if (b->deleted && (b->deleted->bits[i / 8] & (1u << i % 8)))
         continue;
      add (x, (MtIdEntry){(uint32_t) mt_v_hash (mt_bson_field (doc, len, "_id"), 0), b->serial, at, i});
   }
}

static void add_builder (MtColl *c, MtIdIndex *x)
{
   const MtBuilder *b = &c->builder;
   size_t at = 0;
   for (uint32_t i = 0; i < b->documents; i++) {
      size_t len = mt_get32 (b->data + at);
      add (x, (MtIdEntry){(uint32_t) mt_v_hash (mt_bson_field (b->data + at, len, "_id"), 0), c->serial_count, (uint32_t) at, i});
      at += len;
   }
}

static bool build (MtColl *c, MtError *err)
{
   MtIdIndex *x = mt_calloc ("index of ids", 1, sizeof *x);
   uint64_t documents = c->builder.documents;
   for (size_t i = 0; i < c->block_count; i++)
      documents += c->blocks[i]->documents;
   size_t cap = 64;
   while (cap / 8 * 5 < documents + 16)
      cap *= 2;
   resize (x, cap);
   bool ok = c->block_count == 0 || mt_coll_map (c, c->length, err);
   for (size_t i = 0; ok && i < c->block_count; i++)
      ok = mt_cancel_check (c->store->cancel, err) && add_block (c, x, c->blocks[i], err);
   if (ok)
      add_builder (c, x);
   c->index = x;
   if (!ok)
      mt_index_drop (c);
   return ok;
}

/* ---- finding ---- */

static bool holds (const MtRange *r, MtVal id)
{
   return !r->kept || (mt_v_compare (r->min, id) <= 0 && mt_v_compare (id, r->max) <= 0);
}

bool mt_index_may_hold (MtColl *c, MtVal id)
{
   const MtBuilder *b = &c->builder;
   if (c->index)
      return true;
   if (c->all_ids_of > c->block_count) { /* a step was rolled back */
      c->all_ids_of = 0;
      c->any_ids = false;
   }
   for (; c->all_ids_of < c->block_count; c->all_ids_of++) {
      const MtRange *r = c->blocks[c->all_ids_of]->ranges;
      if (c->blocks[c->all_ids_of]->range_count == 0 || !r->kept) {
         c->any_ids = true;
         c->all_ids.kept = false;
      } else {
         mt_range_widen (&c->all_ids, &c->any_ids, r->min);
         mt_range_widen (&c->all_ids, &c->any_ids, r->max);
      }
   }
   return (c->any_ids && holds (&c->all_ids, id)) || (b->documents > 0 && holds (&b->ranges[0], id));
}

/* The document that an entry leads to; *doc NULL when it was deleted. */
static bool entry_doc (MtColl *c, const MtIdEntry *e, const uint8_t **doc, size_t *len, MtError *err)
{
   const MtBuilder *k = &c->builder;
   unsigned bit = 1u << e->ordinal % 8;
   *doc = NULL;
   if (e->serial == c->serial_count) { /* in the block that is being filled */
      if (e->ordinal < k->documents && !(k->pending && (k->pending[e->ordinal / 8] & bit))) {
         *doc = k->data + e->offset;
         *len = mt_get32 (*doc);
      }
      return true;
   }
   const MtStoreBlock *b = e->serial < c->serial_count ? c->serials[e->serial] : NULL;
   if (!b || (b->deleted && (b->deleted->bits[e->ordinal / 8] & bit)) || (b->pending && (b->pending[e->ordinal / 8] & bit)))
      return true;
   uint64_t end = b->offset + b->data_at + b->size;
   if ((!c->map || end > c->map->size || end > c->map_seen) && !mt_coll_map (c, end, err))
      return false;
   size_t at = e->offset;
   return mt_block_next (c->name, b, c->map->base + b->offset + b->data_at, &at, doc, len, err);
}

bool mt_index_find (MtColl *c, MtVal id, MtIdEntry *found, const uint8_t **doc, size_t *len, MtError *err)
{
   found->serial = FREE;
   *doc = NULL;
   if (!mt_index_may_hold (c, id))
      return true;
   if (!c->index && !build (c, err))
      return false;
   const MtIdIndex *x = c->index;
   uint32_t hash = (uint32_t) mt_v_hash (id, 0);
   for (size_t i = hash & (x->cap - 1); x->entries[i].serial != FREE; i = (i + 1) & (x->cap - 1)) {
      if (x->entries[i].hash != hash)
         continue;
      if (!entry_doc (c, &x->entries[i], doc, len, err))
         return false;
      if (*doc && mt_v_compare (mt_bson_field (*doc, *len, "_id"), id) == 0) {
         *found = x->entries[i];
         return true;
      }
      *doc = NULL;
   }
   return true;
}
