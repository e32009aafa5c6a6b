/* Look-ups by an indexed field: for given values they find the documents of a block that may have
 * one of them, so that only these documents are read.
 *
 * Files of sorted keys (runs.c) cover most blocks; a look-up reads its keys there once for all
 * blocks. For the other blocks, a key table is built in memory from the block's documents. It is
 * built by the second look-up in the block, because for a single look-up a scan is cheaper. Any
 * thread may build it. A finished block and its key table never change. They are freed with the
 * collection. */
#include "base/memory.h"
#include "engine/local/store/runs.h"

#include <stdlib.h>

/* The maximum memory for the key tables of all blocks of a store. Blocks beyond it are scanned. */
#define KEYS_MOST_BYTES ((size_t) 1 << 30)
/* The maximum number of documents that runs (files of sorted keys) may return for one look-up. */
#define MOST_PLACES (1u << 20)
/* If a look-up finds more documents than this, reading them with several threads is worthwhile. */
#define MANY_PLACES (64u << 10)

typedef struct Entry {
   uint32_t hash, offset, ordinal;
} Entry;

/* The blocks with first <= serial number < end. */
typedef struct Span {
   uint32_t first, end;
} Span;

struct MtLookup {
   const MtSource *source;
   const MtVal *values;
   size_t count;
   uint32_t field;
   Span *known; /* the blocks that runs cover completely */
   size_t known_count;
   MtKeyPlaces places; /* sorted by the blocks' serial numbers */
};

typedef struct Keys {
   MtFinder base;  /* must be the first member */
   uint32_t shift; /* the documents with a hash are a list that begins at first[hash >> shift] */
   uint32_t *first;
   Entry entries[];
} Keys;

/* Fills out[] with the hash of the field's value and the place of each document of the block.
 * Returns false if a page is damaged; the scan that follows reports the damage. */
static bool read_hashes (const MtSource *s, const MtSourceBlock *b, const char *field, Entry *out)
{
   MtBlockWalk walk;
   MtRebuilt *rebuilt = NULL;
   uint32_t n = 0;
   bool end = false, ok = mt_block_walk (&walk, s->name, b->block, b->data, &rebuilt, NULL);
   if (ok)
      for (MtFieldWalk f = mt_field_walk (&walk, field);
           (ok = mt_field_next (&f, &end, NULL) && (end || n < b->documents)) && !end; n++)
         out[n] = (Entry) {mt_key_hash (f.value), f.offset, n};
   mt_rebuilt_free (rebuilt);
   return ok && n == b->documents;
}

static Keys *make (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   uint32_t bits = 1;
   while (bits < 24 && b->documents >> (bits + 1) > 1)
      bits++;
   size_t lists = (size_t) 1 << bits,
          bytes = sizeof (Keys) + b->documents * sizeof (Entry) + (lists + 1) * sizeof (uint32_t);
   if (atomic_fetch_add (&s->coll->store->key_bytes, bytes) + bytes > KEYS_MOST_BYTES) {
      atomic_fetch_sub (&s->coll->store->key_bytes, bytes);
      return NULL;
   }
   Keys *k = mt_calloc ("index of keys", 1, bytes);
   Entry *read = mt_malloc ("index of keys", (b->documents + 1) * sizeof *read);
   if (!read_hashes (s, b, s->fields[field], read)) {
      atomic_fetch_sub (&s->coll->store->key_bytes, bytes);
      free (k);
      free (read);
      return NULL;
   }
   k->base.field = field;
   k->shift = 32 - bits;
   k->first = (uint32_t *) (k->entries + b->documents);
   for (uint32_t i = 0; i < b->documents; i++)
      k->first[(read[i].hash >> k->shift) + 1]++;
   for (size_t i = 0; i < lists; i++)
      k->first[i + 1] += k->first[i];
   /* Go backwards, because entries are filled in from the end of each hash list. So a list is in
    * the order of the documents. */
   for (uint32_t i = b->documents; i-- > 0;)
      k->entries[--k->first[(read[i].hash >> k->shift) + 1]] = read[i];
   memmove (k->first, k->first + 1, lists * sizeof *k->first);
   k->first[lists] = b->documents;
   free (read);
   return k;
}

static const Keys *made_keys (MtStoreBlock *b, uint32_t field)
{
   return (const Keys *) mt_finder_of (&b->keys, field);
}

static const Keys *keys_of (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   const Keys *made = made_keys (b->block, field);
   if (made || !atomic_exchange_explicit (&b->block->looked_up, 1, memory_order_relaxed))
      return made;
   Keys *k = make (s, b, field);
   if (k)
      mt_finder_add (s->coll, &b->block->keys, &k->base);
   return k;
}

static int by_ordinal (const void *p, const void *q)
{
   uint32_t x = ((const MtHit *) p)->ordinal, y = ((const MtHit *) q)->ordinal;
   return x < y ? -1 : x > y;
}

/* Appends the places of the documents with this hash to `hits`, in the order of the documents.
 * Returns false if there are more than MT_BLOCK_HITS. */
static bool add_hits (const Keys *k, uint32_t hash, MtHit *hits, size_t *found)
{
   for (uint32_t i = k->first[hash >> k->shift]; i < k->first[(hash >> k->shift) + 1]; i++) {
      if (k->entries[i].hash != hash)
         continue;
      if (*found == MT_BLOCK_HITS)
         return false;
      hits[(*found)++] = (MtHit) {k->entries[i].offset, k->entries[i].ordinal};
   }
   return true;
}

static const Keys *newest_keys (const MtSource *s, size_t index)
{
   return (const Keys *) atomic_load_explicit (&s->blocks[index].block->keys, memory_order_acquire);
}

/* Prefetches the key tables of blocks behind block `index` into the CPU's cache. Most blocks have
 * no matching document, so waiting for memory would take most of the time. The pointers of a block
 * must be followed one after the other, so each of them is prefetched a few blocks later than the
 * one before. */
static void fetch_ahead (const MtSource *s, size_t index, uint32_t field, uint32_t hash)
{
   enum { TABLE = 4, LIST = 8, HEAD = 12, BLOCK = 16 };
   const Keys *k;
   if (index + BLOCK >= s->count)
      return;
   __builtin_prefetch (&s->blocks[index + BLOCK].block->keys);
   if ((k = newest_keys (s, index + HEAD)) != NULL)
      __builtin_prefetch (k);
   if ((k = newest_keys (s, index + LIST)) != NULL && k->base.field == field)
      __builtin_prefetch (&k->first[hash >> k->shift]);
   if ((k = newest_keys (s, index + TABLE)) != NULL && k->base.field == field)
      __builtin_prefetch (&k->entries[k->first[hash >> k->shift]]);
}

/* Sorts `hits` and removes duplicates. Returns the new count. A document occurs twice if two values
 * of the look-up have the same hash. */
static size_t each_once (MtHit *hits, size_t count)
{
   size_t n = 0;
   qsort (hits, count, sizeof *hits, by_ordinal);
   for (size_t i = 0; i < count; i++)
      if (!n || hits[n - 1].ordinal != hits[i].ordinal)
         hits[n++] = hits[i];
   return n;
}

static bool find_in_memory (const MtLookup *l, size_t index, MtHit *hits, size_t *found)
{
   const Keys *k = keys_of (l->source, &l->source->blocks[index], l->field);
   if (!k)
      return false;
   if (l->count == 1)
      fetch_ahead (l->source, index, l->field, mt_key_hash (l->values[0]));
   for (size_t i = 0; i < l->count; i++)
      if (!add_hits (k, mt_key_hash (l->values[i]), hits, found))
         return false;
   if (l->count > 1)
      *found = each_once (hits, *found);
   return true;
}

/* ---- keys on disk ---- */

static int by_place (const void *p, const void *q)
{
   const MtKeyPlace *x = p, *y = q;
   if (x->serial != y->serial)
      return x->serial < y->serial ? -1 : 1;
   return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

/* Appends the places of documents that have a value of the look-up, according to one run (a file of
 * sorted keys), to l->places. Returns false and appends nothing if the run's file cannot be read or
 * has too many such places. */
static bool read_run (MtLookup *l, MtRun *run)
{
   size_t before = l->places.count;
   for (size_t i = 0; i < l->count; i++)
      if (!mt_run_find (run, l->source->coll, mt_key_hash (l->values[i]), MOST_PLACES,
                        &l->places)) {
         l->places.count = before;
         return false;
      }
   return true;
}

static void read_runs (MtLookup *l)
{
   const MtRunSet *set = l->source->runs;
   l->known = mt_calloc ("index of keys", set->count + 1u, sizeof *l->known);
   for (uint32_t i = 0; i < set->count; i++) {
      const MtRunInfo *info = mt_run_info (set->runs[i]);
      if (info->field == l->field && info->entries && read_run (l, set->runs[i]))
         l->known[l->known_count++] = (Span) {info->first, info->end};
   }
   if (l->places.count > 1)
      qsort (l->places.at, l->places.count, sizeof *l->places.at, by_place);
}

/* Returns whether l->places has all matching documents of the block, because a run (a file of
 * sorted keys) covers the block. Blocks without a value range are never known, because runs leave
 * out blocks whose values are arrays. */
static bool is_known (const MtLookup *l, const MtSourceBlock *b)
{
   if (!b->block || l->field >= b->range_count || !b->ranges[l->field].kept)
      return false;
   /* Binary search: the known ranges of blocks are sorted and do not overlap. */
   size_t lo = 0, hi = l->known_count;
   while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (l->known[mid].end <= b->block->serial)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo < l->known_count && l->known[lo].first <= b->block->serial;
}

/* Returns the index of the first element of l->places that lies in block `serial` or in a later
 * block. */
static size_t first_place (const MtLookup *l, uint32_t serial)
{
   size_t lo = 0, hi = l->places.count;
   while (lo < hi) {
      size_t mid = lo + (hi - lo) / 2;
      if (l->places.at[mid].serial < serial)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

static bool find_on_disk (const MtLookup *l, const MtSourceBlock *b, MtHit *hits, size_t *found)
{
   uint32_t serial = b->block->serial;
   for (size_t i = first_place (l, serial); i < l->places.count && l->places.at[i].serial == serial;
        i++) {
      const MtKeyPlace *p = &l->places.at[i];
      if (*found && hits[*found - 1].ordinal == p->ordinal)
         continue;
      if (*found == MT_BLOCK_HITS || p->offset >= b->size || p->ordinal >= b->documents)
         return false;
      hits[(*found)++] = (MtHit) {p->offset, p->ordinal};
   }
   return true;
}

/* ---- look-ups ---- */

static uint32_t field_number (const MtSource *s, const char *field)
{
   uint32_t f = 0;
   while (f < s->field_count && strcmp (s->fields[f], field) != 0)
      f++;
   return f;
}

MtLookup *mt_lookup_new (const MtSource *s, const char *field, const MtVal *values, size_t count)
{
   MtLookup *l = mt_malloc ("look-up", sizeof *l);
   *l = (MtLookup) {
      .source = s, .values = values, .count = count, .field = field_number (s, field)};
   if (s->runs && l->field < s->field_count)
      read_runs (l);
   return l;
}

void mt_lookup_free (MtLookup *l)
{
   if (l) {
      free (l->places.at);
      free (l->known);
   }
   free (l);
}

bool mt_lookup_whole (const MtLookup *l, MtError *err)
{
   return !l || mt_runs_whole (l->source->runs, err);
}

bool mt_lookup_none (const MtLookup *l, size_t block)
{
   const MtSourceBlock *b = &l->source->blocks[block];
   if (!is_known (l, b))
      return false;
   size_t i = first_place (l, b->block->serial);
   return i == l->places.count || l->places.at[i].serial != b->block->serial;
}

bool mt_lookup_block (const MtLookup *l, size_t index, MtHit *hits, size_t *found)
{
   const MtSourceBlock *b = &l->source->blocks[index];
   *found = 0;
   if (!l->source->coll || !b->block || l->field >= l->source->field_count ||
       l->field >= b->range_count || !b->ranges[l->field].kept)
      return false;
   return is_known (l, b) ? find_on_disk (l, b, hits, found)
                          : find_in_memory (l, index, hits, found);
}

uint64_t mt_lookup_unknown (const MtLookup *l, uint64_t enough)
{
   const MtSource *s = l->source;
   uint64_t bytes = 0;
   if (l->places.count > MANY_PLACES)
      return enough;
   for (size_t i = 0; i < s->count && bytes < enough; i++)
      if (!is_known (l, &s->blocks[i]))
         bytes += s->blocks[i].block && made_keys (s->blocks[i].block, l->field)
                     ? 0
                     : s->blocks[i].size;
   return bytes;
}

/* ---- finders: keys and marks, added to their lists by any thread without a lock ---- */

MtFinder *mt_finder_of (_Atomic (MtFinder *) *list, uint32_t field)
{
   MtFinder *f = atomic_load_explicit (list, memory_order_acquire);
   while (f && f->field != field)
      f = f->next;
   return f;
}

void mt_finder_add (MtColl *c, _Atomic (MtFinder *) *list, MtFinder *f)
{
   f->older = atomic_load (&c->finders);
   while (!atomic_compare_exchange_weak (&c->finders, &f->older, f))
      ;
   f->next = atomic_load (list);
   while (!atomic_compare_exchange_weak (list, &f->next, f))
      ;
}

void mt_finders_free (MtColl *c)
{
   for (MtFinder *f = atomic_load (&c->finders), *older; f; f = older) {
      older = f->older;
      free (f);
   }
}
