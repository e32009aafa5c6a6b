/* Keys of blocks: which documents of a block can hold a value in an indexed field, so that a look-up steps on these alone.
 *
 * They are in memory only, made from a block's documents when a second look-up comes to it (one alone is better served by the scan itself), by whichever
 * thread comes first. A block never changes, so neither do its keys; they are released with the collection. */
#include "engine/local/store_int.h"

#include <stdlib.h>

/* Of all collections of a store; what is beyond is scanned. */
#define KEYS_MOST_BYTES ((size_t) 1 << 30)

typedef struct Entry {
   uint32_t hash, offset, ordinal;
} Entry;

struct MtBlockKeys {
   MtBlockKeys *next;    /* another field's, of the same block */
   MtBlockKeys *older;   /* of the collection */
   uint32_t field, shift; /* the list of a hash is first[hash >> shift] */
   uint32_t *first;
   Entry entries[];
};

static uint32_t hash_of (MtVal v) { return (uint32_t) (mt_v_hash (v, 0) * UINT64_C (0x9E3779B97F4A7C15) >> 32); }

/* The hashes in the documents' order; false: a page is damaged, which is for a scan to say. */
static bool read_hashes (const MtSource *s, const MtSourceBlock *b, const char *field, Entry *out)
{
   const uint8_t *doc;
   size_t offset = 0, len;
   for (uint32_t i = 0;; i++) {
      uint32_t at = (uint32_t) offset;
      if (!mt_block_next (s->name, b->block, b->data, &offset, &doc, &len, NULL))
         return false;
      if (!doc)
         return i == b->documents;
      if (i == b->documents)
         return false;
      out[i] = (Entry){hash_of (mt_bson_field (doc, len, field)), at, i};
   }
}

static MtBlockKeys *make (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   uint32_t bits = 1;
   while (bits < 24 && b->documents >> (bits + 1) > 1)
      bits++;
   size_t lists = (size_t) 1 << bits, bytes = sizeof (MtBlockKeys) + b->documents * sizeof (Entry) + (lists + 1) * sizeof (uint32_t);
   if (atomic_fetch_add (&s->coll->store->key_bytes, bytes) + bytes > KEYS_MOST_BYTES) {
      atomic_fetch_sub (&s->coll->store->key_bytes, bytes);
      return NULL;
   }
   MtBlockKeys *k = calloc (1, bytes);
   Entry *read = malloc ((b->documents + 1) * sizeof *read);
   if (!k || !read)
      abort ();
   if (!read_hashes (s, b, s->fields[field], read)) {
      atomic_fetch_sub (&s->coll->store->key_bytes, bytes);
      free (k);
      free (read);
      return NULL;
   }
   k->field = field;
   k->shift = 32 - bits;
   k->first = (uint32_t *) (k->entries + b->documents);
   for (uint32_t i = 0; i < b->documents; i++)
      k->first[(read[i].hash >> k->shift) + 1]++;
   for (size_t i = 0; i < lists; i++)
      k->first[i + 1] += k->first[i];
   for (uint32_t i = b->documents; i-- > 0;) /* from the end: each list's end moves to its beginning */
      k->entries[--k->first[(read[i].hash >> k->shift) + 1]] = read[i];
   memmove (k->first, k->first + 1, lists * sizeof *k->first);
   k->first[lists] = b->documents;
   free (read);
   return k;
}

static const MtBlockKeys *made_keys (const MtStoreBlock *b, uint32_t field)
{
   const MtBlockKeys *k = atomic_load_explicit (&b->keys, memory_order_acquire);
   while (k && k->field != field)
      k = k->next;
   return k;
}

static uint32_t field_number (const MtSource *s, const char *field)
{
   uint32_t f = 0;
   while (f < s->field_count && strcmp (s->fields[f], field) != 0)
      f++;
   return f;
}

uint64_t mt_source_unfindable (const MtSource *s, const char *field, uint64_t enough)
{
   uint32_t f = field_number (s, field);
   uint64_t bytes = 0;
   for (size_t i = 0; i < s->count && bytes < enough; i++)
      bytes += s->blocks[i].block && made_keys (s->blocks[i].block, f) ? 0 : s->blocks[i].size;
   return bytes;
}

static const MtBlockKeys *keys_of (const MtSource *s, const MtSourceBlock *b, uint32_t field)
{
   const MtBlockKeys *made = made_keys (b->block, field);
   if (made)
      return made;
   if (!atomic_exchange_explicit (&b->block->asked, 1, memory_order_relaxed))
      return NULL;
   MtBlockKeys *k = make (s, b, field);
   if (!k)
      return NULL;
   k->older = atomic_load (&s->coll->keys);
   while (!atomic_compare_exchange_weak (&s->coll->keys, &k->older, k))
      ;
   k->next = atomic_load (&b->block->keys); /* another thread may have made the same: either will do */
   while (!atomic_compare_exchange_weak (&b->block->keys, &k->next, k))
      ;
   return k;
}

static int by_ordinal (const void *p, const void *q)
{
   uint32_t x = ((const MtHit *) p)->ordinal, y = ((const MtHit *) q)->ordinal;
   return x < y ? -1 : x > y;
}

/* Adds the documents with a hash; those of one hash are in their order. */
static bool add_hits (const MtBlockKeys *k, uint32_t hash, MtHit *hits, size_t *found)
{
   for (uint32_t i = k->first[hash >> k->shift]; i < k->first[(hash >> k->shift) + 1]; i++) {
      if (k->entries[i].hash != hash)
         continue;
      if (*found == MT_BLOCK_HITS)
         return false;
      hits[(*found)++] = (MtHit){k->entries[i].offset, k->entries[i].ordinal};
   }
   return true;
}

/* A look-up goes from block to block, and finds nothing in most: what it needs of those to come is fetched meanwhile, each part when that before it has come. */
static void fetch_ahead (const MtSource *s, size_t index, uint32_t field, uint32_t hash)
{
   enum { TABLE = 4, LIST = 8, HEAD = 12, BLOCK = 16 };
   const MtBlockKeys *k;
   if (index + BLOCK >= s->count)
      return;
   __builtin_prefetch (&s->blocks[index + BLOCK].block->keys);
   if ((k = atomic_load_explicit (&s->blocks[index + HEAD].block->keys, memory_order_acquire)) != NULL)
      __builtin_prefetch (k);
   if ((k = atomic_load_explicit (&s->blocks[index + LIST].block->keys, memory_order_acquire)) != NULL && k->field == field)
      __builtin_prefetch (&k->first[hash >> k->shift]);
   if ((k = atomic_load_explicit (&s->blocks[index + TABLE].block->keys, memory_order_acquire)) != NULL && k->field == field)
      __builtin_prefetch (&k->entries[k->first[hash >> k->shift]]);
}

bool mt_block_find (const MtSource *s, size_t index, const char *field, const MtVal *values, size_t count, MtHit *hits, size_t *found)
{
   const MtSourceBlock *b = &s->blocks[index];
   uint32_t f = field_number (s, field);
   *found = 0;
   if (!s->coll || !b->block || f >= s->field_count || f >= b->range_count || !b->ranges[f].kept)
      return false;
   const MtBlockKeys *k = keys_of (s, b, f);
   if (!k)
      return false;
   if (count == 1)
      fetch_ahead (s, index, f, hash_of (values[0]));
   for (size_t i = 0; i < count; i++)
      if (!add_hits (k, hash_of (values[i]), hits, found))
         return false;
   if (count < 2)
      return true;
   qsort (hits, *found, sizeof *hits, by_ordinal);
   size_t n = 0;
   for (size_t i = 0; i < *found; i++) /* values may share a hash */
      if (!n || hits[n - 1].ordinal != hits[i].ordinal)
         hits[n++] = hits[i];
   *found = n;
   return true;
}

void mt_keys_free (MtColl *c)
{
   for (MtBlockKeys *k = atomic_load (&c->keys), *older; k; k = older) {
      older = k->older;
      free (k);
   }
}
