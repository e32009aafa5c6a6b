/* Finds a document by its _id. A document's place (block, offset) is found in one of three ways:
 *
 *    keys on disk  for blocks that are not sorted by _id: runs, files of sorted keys (runs.c, field
 *                  "_id")
 *    order         for blocks that are sorted by _id: their value ranges lead to the block, and
 *                  marks (places of some documents) to the document in the block (order.c)
 *    the tail      for the newest blocks, some MiB, which are in no run yet, and for the block that
 *                  is being filled: a hash table in memory. It is built at the first search for an
 *                  _id within the tail's range. If an open step (an uncommitted batch) makes the
 *                  tail too large, the tail's keys are written to a run.
 *
 * All three can lead to deleted documents, so each search checks whether the document is deleted.
 * When a document is replaced, its entry in the hash table gets the new place, so a document that
 * is replaced often has only one entry. If a run's file cannot be read, its blocks count as part of
 * the tail. */
#include "engine/local/store/ids.h"
#include "base/memory.h"

#include <stdlib.h>

#define FREE UINT32_MAX
/* After a search, this many documents behind the found one are tried first in the next search.
 * Updates often come in the order of the documents. */
#define STEPS_AHEAD 4

struct MtIdIndex {
   /* the collection's runs (files of sorted keys) at the time when the index was built; a shared
    * reference */
   MtRunSet *runs;
   MtBlockRange *run_ids; /* bounds of _id for each run */
   /* The blocks that are sorted by _id, in the order of their _ids. Their runs have no keys. */
   MtStoreBlock **ordered;
   /* upto[i] is the largest _id in ordered[0..i], and from[i] the smallest _id in ordered[i..]. So
    * both arrays ascend, and a binary search finds the blocks that can have an _id. */
   MtVal *upto, *from;
   size_t ordered_count;
   size_t tail_from;  /* index of the tail's first block; runs cover the blocks before the tail */
   uint32_t covered;  /* all blocks before the tail have serials below this */
   MtBlockRange tail; /* bounds of _id in the tail's blocks before the index `tail_to` */
   bool any;
   size_t tail_to;
   MtIdEntry *entries; /* hash table of the tail's _ids; NULL: not built */
   size_t cap, used;   /* size of the hash table (a power of two), and number of its entries */
   /* If the hash table gets more entries than this, the _ids of the open step (an uncommitted
    * batch) are written to a run (a file of sorted keys) on disk. SIZE_MAX: that is not
    * possible. */
   size_t most;
   /* Where the document behind the last found one begins. `serial` is FREE if it is unknown. */
   MtIdEntry next;
   MtKeyPlaces places; /* memory for the places that runs return */
};

void mt_index_drop (MtColl *c)
{
   MtIdIndex *x = c->index;
   if (!x)
      return;
   mt_runs_unref (x->runs);
   free (x->run_ids);
   free (x->ordered);
   free (x->upto);
   free (x->from);
   free (x->entries);
   free (x->places.at);
   free (x);
   c->index = NULL;
}

/* ---- the tail ---- */

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
   if (c->index && c->index->entries)
      add (c->index, (MtIdEntry) {mt_key_hash (id), serial, offset, ordinal});
}

void mt_index_moved (MtColl *c, const MtIdEntry *old, uint32_t serial, uint32_t offset,
                     uint32_t ordinal)
{
   MtIdIndex *x = c->index;
   if (!x || !x->entries)
      return;
   for (size_t i = old->hash & (x->cap - 1); x->entries[i].serial != FREE;
        i = (i + 1) & (x->cap - 1)) {
      MtIdEntry *e = &x->entries[i];
      if (e->hash == old->hash && e->serial == old->serial && e->ordinal == old->ordinal) {
         *e = (MtIdEntry) {old->hash, serial, offset, ordinal};
         return;
      }
   }
   add (x, (MtIdEntry) {old->hash, serial, offset, ordinal});
}

static bool add_block (MtColl *c, MtIdIndex *x, const MtStoreBlock *b, MtError *err)
{
   MtBlockWalk walk;
   const uint8_t *doc;
   size_t len;
   if (!mt_order_walk (c, b, &walk, err))
      return false;
   for (uint32_t i = 0;; i++) {
      uint32_t at = (uint32_t) walk.offset;
      if (!mt_block_next (&walk, &doc, &len, err))
         return false;
      if (!doc)
         return true;
      if (!b->deleted || !(b->deleted->bits[i / 8] & (1u << i % 8)))
         add (x, (MtIdEntry) {mt_key_hash (mt_bson_field (doc, len, "_id")), b->serial, at, i});
   }
}

static void add_builder (MtColl *c, MtIdIndex *x)
{
   const MtBlockBuilder *b = &c->builder;
   size_t at = 0;
   for (uint32_t i = 0; i < b->documents; i++) {
      size_t len = mt_get32 (b->data + at);
      add (x, (MtIdEntry) {mt_key_hash (mt_bson_field (b->data + at, len, "_id")), c->serial_count,
                           (uint32_t) at, i});
      at += len;
   }
}

static bool build_tail (MtColl *c, MtIdIndex *x, MtError *err)
{
   uint64_t documents = c->builder.documents;
   for (size_t i = x->tail_from; i < c->block_count; i++)
      documents += c->blocks[i]->documents;
   size_t cap = 64;
   while (cap / 8 * 5 < documents + 16)
      cap *= 2;
   resize (x, cap);
   bool ok = true;
   for (size_t i = x->tail_from; ok && i < c->block_count; i++)
      ok = mt_cancel_check (c->store->cancel, err) && add_block (c, x, c->blocks[i], err);
   if (ok)
      add_builder (c, x);
   else
      mt_index_drop (c);
   return ok;
}

static bool holds (const MtBlockRange *r, MtVal id)
{
   return !r->kept || (mt_v_compare (r->min, id) <= 0 && mt_v_compare (id, r->max) <= 0);
}

static void widen_by_block (MtBlockRange *r, bool *any, const MtStoreBlock *b)
{
   if (b->range_count == 0 || !b->ranges->kept) {
      *any = true;
      r->kept = false;
   } else {
      mt_range_widen (r, any, b->ranges->min);
      mt_range_widen (r, any, b->ranges->max);
   }
}

static bool tail_may_hold (const MtColl *c, MtIdIndex *x, MtVal id)
{
   const MtBlockBuilder *b = &c->builder;
   for (; x->tail_to < c->block_count; x->tail_to++)
      widen_by_block (&x->tail, &x->any, c->blocks[x->tail_to]);
   return (x->any && holds (&x->tail, id)) || (b->documents > 0 && holds (&b->ranges[0], id));
}

/* ---- which blocks the runs (files of sorted keys) cover ---- */

static bool is_ordered (const MtRunInfo *i) { return i->field == 0 && i->entries == 0; }

static MtBlockRange range_of (const MtStoreBlock *b)
{
   if (b->range_count == 0 || !b->ranges->kept)
      return (MtBlockRange) {true, {.type = MT_MINKEY}, {.type = MT_MAXKEY}};
   return b->ranges[0];
}

/* Adds the sorted blocks of a run without keys to x->ordered, and extends x->upto. */
static void add_ordered (MtColl *c, MtIdIndex *x, const MtRunInfo *run)
{
   for (uint32_t s = run->first; s < run->end; s++)
      if (c->serials[s]) {
         MtVal max = range_of (c->serials[s]).max;
         size_t n = x->ordered_count++;
         x->ordered[n] = c->serials[s];
         x->upto[n] = n && mt_v_compare (x->upto[n - 1], max) > 0 ? x->upto[n - 1] : max;
      }
}

static void add_runs (MtColl *c, MtIdIndex *x)
{
   uint32_t count = x->runs ? x->runs->count : 0, covered = UINT32_MAX, end = 0;
   x->run_ids = mt_calloc ("index of ids", count + 1u, sizeof *x->run_ids);
   x->ordered = mt_malloc ("index of ids", (c->serial_count + 1u) * sizeof *x->ordered);
   x->upto = mt_malloc ("index of ids", (c->serial_count + 1u) * sizeof *x->upto);
   x->from = mt_malloc ("index of ids", (c->serial_count + 1u) * sizeof *x->from);
   for (uint32_t i = 0; i < count; i++) {
      const MtRunInfo *run = mt_run_info (x->runs->runs[i]);
      bool any = false;
      if (run->field != 0)
         continue;
      if (!mt_run_usable (x->runs->runs[i]) && run->first < covered)
         covered = run->first;
      end = run->end > end ? run->end : end;
      if (is_ordered (run))
         add_ordered (c, x, run);
      for (uint32_t s = run->first; s < run->end; s++)
         if (c->serials[s])
            widen_by_block (&x->run_ids[i], &any, c->serials[s]);
   }
   for (size_t i = x->ordered_count; i-- > 0;) {
      MtVal min = range_of (x->ordered[i]).min;
      x->from[i] = i + 1 < x->ordered_count && mt_v_compare (x->from[i + 1], min) < 0
                      ? x->from[i + 1]
                      : min;
   }
   x->most = covered < end ? SIZE_MAX : c->store->step_ids;
   covered = covered < end ? covered : end;
   x->covered = covered;
   while (x->tail_from < c->block_count && c->blocks[x->tail_from]->serial < covered)
      x->tail_from++;
   x->tail_to = x->tail_from;
}

void mt_index_reshaped (MtColl *c)
{
   MtIdIndex *x = c->index;
   if (!x)
      return;
   x->tail_to = x->tail_from;
   x->any = false;
   x->next.serial = FREE;
   /* Merging removes only small blocks at the end of the collection, where no run (a file of sorted
    * keys) ends. So the tail usually still begins at the same block. If not, the index is freed and
    * built again. */
   if (x->tail_from > c->block_count ||
       (x->tail_from && c->blocks[x->tail_from - 1]->serial >= x->covered) ||
       (x->tail_from < c->block_count && c->blocks[x->tail_from]->serial < x->covered))
      mt_index_drop (c);
}

static MtIdIndex *index_of (MtColl *c)
{
   if (c->index && c->index->runs != c->runs)
      mt_index_drop (c);
   if (!c->index) {
      MtIdIndex *x = c->index = mt_calloc ("index of ids", 1, sizeof *x);
      x->next.serial = FREE;
      x->runs = mt_runs_hold (c);
      add_runs (c, x);
   }
   return c->index;
}

void mt_index_flushed (MtColl *c)
{
   MtIdIndex *x = c->index;
   MtError ignored;
   if (!x || x->used < x->most)
      return;
   mt_error_clear (&ignored);
   if (mt_coll_settle (c, &ignored) && mt_runs_of_step (c, &ignored))
      mt_index_drop (c);
   else
      x->most = SIZE_MAX;
}

/* ---- finding ---- */

typedef struct Search {
   MtVal id;
   uint32_t hash;
   bool lost; /* the file of a run cannot be read, so its blocks must become part of the tail */
   MtFoundDoc *found;
} Search;

/* Reads the document at the place that an index entry names. found->doc is NULL if it is
 * deleted. */
static bool entry_doc (MtColl *c, const MtIdEntry *e, MtFoundDoc *found, MtError *err)
{
   const MtBlockBuilder *k = &c->builder;
   found->doc = NULL;
   /* the document is in the block that is being filled, which is still in memory */
   if (e->serial == c->serial_count) {
      if (e->ordinal < k->documents &&
          !(k->pending && (k->pending[e->ordinal / 8] & (1u << e->ordinal % 8)))) {
         found->doc = k->data + e->offset;
         found->len = mt_get32 (found->doc);
      }
      return true;
   }
   const MtStoreBlock *b = e->serial < c->serial_count ? c->serials[e->serial] : NULL;
   if (!b || e->ordinal >= b->documents || e->offset >= b->size || mt_coll_is_gone (b, e->ordinal))
      return true;
   MtBlockWalk walk;
   if (!mt_order_walk (c, b, &walk, err))
      return false;
   walk.offset = e->offset;
   return mt_block_next (&walk, &found->doc, &found->len, err);
}

static bool has_id (const MtFoundDoc *found, MtVal id)
{
   return mt_v_compare (mt_bson_field (found->doc, found->len, "_id"), id) == 0;
}

/* Reads the document that the index entry e names into s->found. s->found->doc is NULL if that
 * document has another _id (only the hash is equal) or is deleted. Returns false on a read
 * error. */
static bool is_it (MtColl *c, const MtIdEntry *e, Search *s, MtError *err)
{
   MtFoundDoc *found = s->found;
   if (!entry_doc (c, e, found, err))
      return false;
   if (found->doc && has_id (found, s->id))
      found->at = *e;
   else
      found->doc = NULL;
   return true;
}

static bool find_in_tail (MtColl *c, Search *s, MtError *err)
{
   MtIdIndex *x = c->index;
   if (!tail_may_hold (c, x, s->id))
      return true;
   if (!x->entries && !build_tail (c, x, err))
      return false;
   for (size_t i = s->hash & (x->cap - 1); !s->found->doc && x->entries[i].serial != FREE;
        i = (i + 1) & (x->cap - 1))
      if (x->entries[i].hash == s->hash && !is_it (c, &x->entries[i], s, err))
         return false;
   return true;
}

static bool find_in_run (MtColl *c, MtRun *run, Search *s, MtError *err)
{
   MtIdIndex *x = c->index;
   x->places.count = 0;
   if (!mt_run_find (run, c, s->hash, SIZE_MAX, &x->places)) {
      s->lost = !mt_run_usable (run);
      return s->lost || mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   }
   /* Try the newest document first: older versions of it are deleted. */
   for (size_t i = x->places.count; i-- > 0 && !s->found->doc;) {
      const MtKeyPlace *p = &x->places.at[i];
      MtIdEntry e = {s->hash, p->serial, p->offset, p->ordinal};
      if (!is_it (c, &e, s, err))
         return false;
   }
   return true;
}

static bool find_in_runs (MtColl *c, Search *s, MtError *err)
{
   const MtIdIndex *x = c->index;
   for (uint32_t i = 0; x->runs && i < x->runs->count && !s->found->doc && !s->lost; i++) {
      const MtRunInfo *run = mt_run_info (x->runs->runs[i]);
      if (run->field == 0 && !is_ordered (run) && mt_run_usable (x->runs->runs[i]) &&
          holds (&x->run_ids[i], s->id) && !find_in_run (c, x->runs->runs[i], s, err))
         return false;
   }
   return true;
}

static bool find_in_order (MtColl *c, const Search *s, MtError *err)
{
   const MtIdIndex *x = c->index;
   /* Binary search for the first block whose largest _id (upto) is at least the searched _id. */
   size_t lo = 0, hi = x->ordered_count;
   while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (mt_v_compare (x->upto[mid], s->id) < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   for (; !s->found->doc && lo < x->ordered_count && mt_v_compare (x->from[lo], s->id) <= 0; lo++) {
      MtStoreBlock *b = x->ordered[lo];
      MtBlockRange r = range_of (b);
      if (c->serials[b->serial] == b && holds (&r, s->id) &&
          !mt_order_find (c, b, s->id, s->found, err))
         return false;
   }
   return true;
}

/* Searches the next few documents behind the last found one for the _id. found->doc is NULL if it
 * is not there. */
static bool find_next (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err)
{
   MtIdEntry e = c->index->next;
   const MtStoreBlock *b = e.serial < c->serial_count ? c->serials[e.serial] : NULL;
   for (int i = 0; b && i < STEPS_AHEAD && e.offset < b->size; i++, e.ordinal++) {
      MtBlockWalk walk;
      if (!mt_order_walk (c, b, &walk, err))
         return false;
      walk.offset = e.offset;
      if (!mt_block_next (&walk, &found->doc, &found->len, err))
         return false;
      if (found->doc && !mt_coll_is_gone (b, e.ordinal) && has_id (found, id)) {
         found->at = e;
         found->at.hash = mt_key_hash (id);
         return true;
      }
      e.offset = (uint32_t) walk.offset;
   }
   c->index->next.serial = FREE;
   found->doc = NULL;
   return true;
}

/* Searches for the _id in the tail (the newest blocks), then in sorted blocks, then in runs.
 * Searches again if a run's file turned out to be unreadable. */
static bool find_anywhere (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err)
{
   Search s = {.id = id, .hash = mt_key_hash (id), .found = found};
   do {
      s.lost = false;
      index_of (c);
      if (!find_in_tail (c, &s, err) || (!found->doc && !find_in_order (c, &s, err)) ||
          (!found->doc && !find_in_runs (c, &s, err)))
         return false;
      if (s.lost)
         mt_index_drop (c);
   } while (s.lost);
   return true;
}

bool mt_index_find (MtColl *c, MtVal id, MtFoundDoc *found, MtError *err)
{
   *found = (MtFoundDoc) {.at = {.serial = FREE}};
   if (!mt_mapped_check (c->map, err))
      return false;
   index_of (c);
   if (!find_next (c, id, found, err) || (!found->doc && !find_anywhere (c, id, found, err)))
      return false;
   const MtIdEntry *at = &found->at;
   if (found->doc && at->serial < c->serial_count)
      c->index->next = (MtIdEntry) {0, at->serial, at->offset + (uint32_t) found->len,
                                    at->ordinal + 1};
   return true;
}
