/* The hash table of $group: it maps a group's key to the group's record. Open addressing: a bucket
 * holds the record's number and a part of its hash. Hashing and comparing depend on the types of
 * the keys. */
#include "base/memory.h"
#include "engine/local/group/group.h"

#include <math.h>
#include <stdlib.h>

static inline uint64_t mix (uint64_t a, uint64_t b)
{
   MtUint128 m = (MtUint128) (a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD6E8FEB86659FD93u);
   return (uint64_t) m ^ (uint64_t) (m >> 64);
}

static uint64_t hash_bytes (const uint8_t *p, size_t n, uint64_t seed)
{
   uint64_t h = seed ^ n;
   while (n > 16) {
      h = mix (h ^ mt_get64 (p), mt_get64 (p + 8));
      p += 16;
      n -= 16;
   }
   if (n >= 8)
      return mix (h ^ mt_get64 (p), mt_get64 (p + n - 8));
   if (n >= 4)
      return mix (h ^ mt_get32 (p), mt_get32 (p + n - 4));
   if (n)
      return mix (h ^ p[0], ((uint64_t) p[n / 2] << 8) | p[n - 1]);
   return mix (h, 0);
}

/* Returns the hash of a number. Equal numbers of different types have equal hashes. */
static uint64_t hash_number (MtVal v, uint64_t seed)
{
   double d = v.type == MT_DOUBLE ? v.d : 0;
   if (v.type == MT_DOUBLE && d == trunc (d) && fabs (d) < 9.2e18)
      return mix (seed, (uint64_t) (int64_t) d);
   if (v.type == MT_DECIMAL) {
      /* Find the 64-bit integer that equals the decimal by binary search. */
      MtVal lo = mt_v_int64 (INT64_MIN), hi = mt_v_int64 (INT64_MAX);
      if (mt_v_compare_numbers (v, lo) >= 0 && mt_v_compare_numbers (v, hi) <= 0) {
         int64_t a = INT64_MIN, b = INT64_MAX;
         while (a < b) {
            int64_t mid = (int64_t) (((MtInt128) a + b) >> 1);
            if (mt_v_compare_numbers (v, mt_v_int64 (mid)) <= 0)
               b = mid;
            else
               a = mid + 1;
         }
         if (mt_v_compare_numbers (v, mt_v_int64 (a)) == 0)
            return mix (seed, (uint64_t) a);
      }
   }
   return mt_x_hash (v, seed);
}

static inline uint64_t hash_value (MtVal v, uint64_t seed)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64: return mix (seed, (uint64_t) v.i);
   case MT_DATE: return mix (seed + MT_DATE, (uint64_t) v.i);
   case MT_STRING: return mt_x_order ? mt_x_hash (v, seed) : hash_bytes (v.p, v.len, seed);
   case MT_DOUBLE:
   case MT_DECIMAL: return hash_number (v, seed);
   case MT_NULL: return mix (seed, 0x6E);
   case MT_MISSING:
   case MT_UNDEFINED: return mix (seed, 0x6D);
   default: return mt_x_hash (v, seed);
   }
}

uint64_t mt_group_hash (const MtVal *keys, uint32_t n)
{
   uint64_t h = 0x5851F42D4C957F2D;
   for (uint32_t i = 0; i < n; i++)
      h = hash_value (keys[i], h);
   return h;
}

/* Compares n bytes without calling memcmp for n <= 16, because most keys are short strings. */
static inline bool same_bytes (const uint8_t *a, const uint8_t *b, size_t n)
{
   if (n > 16)
      return memcmp (a, b, n) == 0;
   if (n >= 8)
      return mt_get64 (a) == mt_get64 (b) && mt_get64 (a + n - 8) == mt_get64 (b + n - 8);
   if (n >= 4)
      return mt_get32 (a) == mt_get32 (b) && mt_get32 (a + n - 4) == mt_get32 (b + n - 4);
   return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

static inline bool same (MtVal a, MtVal b)
{
   if (a.type == b.type) {
      switch (a.type) {
      case MT_INT32:
      case MT_INT64:
      case MT_DATE:
      case MT_BOOL: return a.i == b.i;
      case MT_STRING:
         return (a.len == b.len && same_bytes (a.p, b.p, a.len)) ||
                (mt_x_order && mt_x_compare (a, b) == 0);
      case MT_DOUBLE: return a.d == b.d || (a.d != a.d && b.d != b.d);
      case MT_NULL:
      case MT_MISSING: return true;
      default: return mt_x_compare (a, b) == 0;
      }
   }
   if (mt_is_number (a) && mt_is_number (b))
      return mt_v_compare_numbers (a, b) == 0;
   return false;
}

/* ---- records ---- */

void mt_table_init (MtGroupTable *t, const MtGroupNode *g)
{
   *t = (MtGroupTable) {.arena = mt_arena_new ("groups", NULL), .rec_size = g->rec_size};
   t->maps = g->part_count == 0;
   t->room_at = (uint32_t) (sizeof (MtRec) + g->part_count * sizeof (MtVal));
   t->room = g->part_count * MT_KEY_ROOM;
   t->mask = 255;
   t->buckets = mt_x_calloc (t->mask + 1u, sizeof *t->buckets);
}

void mt_table_clear (MtGroupTable *t)
{
   uint32_t chunks = (t->count + MT_RECS_A_CHUNK - 1) / MT_RECS_A_CHUNK;
   for (uint32_t i = 0; i < chunks; i++)
      free (t->chunks[i]);
   t->count = 0;
   t->chunk_bytes = 0;
   mt_arena_reset (t->arena);
   if (t->mask > 4095) {
      free (t->buckets);
      t->mask = 255;
      t->buckets = mt_x_calloc (t->mask + 1u, sizeof *t->buckets);
   } else
      memset (t->buckets, 0, (t->mask + 1u) * sizeof *t->buckets);
}

void mt_table_free (MtGroupTable *t)
{
   if (!t->arena)
      return;
   mt_table_clear (t);
   free (t->chunks);
   free (t->buckets);
   mt_arena_free (t->arena);
}

size_t mt_table_bytes (const MtGroupTable *t)
{
   return t->chunk_bytes + (t->mask + 1u) * sizeof *t->buckets + mt_arena_bytes (t->arena);
}

MtRec *mt_table_rec (const MtGroupTable *t, uint32_t i)
{
   return (MtRec *) (void *) (t->chunks[i / MT_RECS_A_CHUNK] +
                              (size_t) (i % MT_RECS_A_CHUNK) * t->rec_size);
}

static void grow_buckets (MtGroupTable *t)
{
   uint32_t mask = t->mask * 2 + 1;
   MtBucket *b = mt_try_calloc ("group", (size_t) mask + 1, sizeof *b);
   /* If the larger table cannot be allocated, continue with the old buckets while they have room.
    * The statement will fail soon, at the next check of memory. */
   if (!b && t->count < t->mask)
      return;
   if (!b)
      mt_no_memory ("group", ((size_t) mask + 1) * sizeof *b);
   for (uint32_t i = 0; i < t->count; i++) {
      uint64_t hash = mt_table_rec (t, i)->hash;
      uint32_t at = (uint32_t) hash & mask;
      while (b[at].rec)
         at = (at + 1) & mask;
      b[at] = (MtBucket) {(uint32_t) (hash >> 32), i + 1};
   }
   free (t->buckets);
   t->buckets = b;
   t->mask = mask;
}

static MtRec *new_rec (MtGroupTable *t)
{
   uint32_t chunk = t->count / MT_RECS_A_CHUNK;
   if (t->count % MT_RECS_A_CHUNK == 0) {
      MT_GROW ("pipeline", t->chunks, chunk, t->chunk_cap, 16);
      size_t bytes = t->rec_size * MT_RECS_A_CHUNK;
      t->chunks[chunk] = mt_x_aligned (64, (bytes + 63) & ~(size_t) 63);
      t->chunk_bytes += bytes;
   }
   return mt_table_rec (t, t->count++);
}

/* Copies the bytes of a key value into the free room of the group's record, or into the arena if
 * they don't fit. So comparing keys needn't read the original documents. *used counts the bytes
 * used in the record. Returns the value with its new address. */
static MtVal keep_key (MtGroupTable *t, MtRec *r, uint32_t *used, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   if (n == 0)
      return v;
   if (n > t->room - *used)
      return mt_x_own (t->arena, v);
   v.p = memcpy ((uint8_t *) r + t->room_at + *used, v.p, n);
   *used += n;
   return v;
}

MtRec *mt_table_find (MtGroupTable *t, const MtVal *keys, uint32_t n, uint64_t hash, bool *made)
{
   uint32_t tag = (uint32_t) (hash >> 32), at = (uint32_t) hash & t->mask;
   for (; t->buckets[at].rec; at = (at + 1) & t->mask) {
      if (t->buckets[at].tag != tag)
         continue;
      MtRec *r = mt_table_rec (t, t->buckets[at].rec - 1);
      uint32_t i = 0;
      while (i < n && same (r->keys[i], keys[i]))
         i++;
      if (i == n) {
         *made = false;
         return r;
      }
   }
   MtRec *r = new_rec (t);
   uint32_t used = 0;
   r->hash = hash;
   for (uint32_t i = 0; i < n; i++)
      r->keys[i] = keep_key (t, r, &used, keys[i]);
   t->buckets[at] = (MtBucket) {tag, t->count};
   *made = true;
   if (t->count > t->mask / 2)
      grow_buckets (t);
   return r;
}
