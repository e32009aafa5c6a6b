#include "base/bloom.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* With 16 bits per hash and 8 probes, a full bit array contains 1 in 1,700 hashes that were not
 * added. */
enum { FIRST_BITS_LOG2 = 17, BITS_EACH = 16, PROBES = 8 };

static uint64_t bits_of (size_t part) { return UINT64_C (1) << (FIRST_BITS_LOG2 + part); }

/* Returns the position of the n-th of the bits that `hash` sets in an array of `bits` bits. The
 * positions have equal distances: the lower half of the hash is the start, the upper half the
 * distance (Kirsch and Mitzenmacher, 2006). */
static uint64_t place (uint64_t hash, int n, uint64_t bits)
{
   uint64_t step = (hash >> 32 | hash << 32) | 1;
   return (hash + (uint64_t) n * step) & (bits - 1);
}

static bool part_has (const uint64_t *part, uint64_t bits, uint64_t hash)
{
   for (int i = 0; i < PROBES; i++) {
      uint64_t at = place (hash, i, bits);
      if (!(part[at / 64] >> at % 64 & 1))
         return false;
   }
   return true;
}

bool mt_bloom_has (const MtBloom *b, uint64_t hash)
{
   for (size_t i = 0; i < b->part_count; i++)
      if (part_has (b->parts[i], bits_of (i), hash))
         return true;
   return false;
}

/* Adds another bit array if the last one is full. If the set has the maximum number of arrays, the
 * last array takes all further hashes. */
static void grow (MtBloom *b)
{
   bool full = b->part_count && b->count >= bits_of (b->part_count - 1) / BITS_EACH;
   if ((b->part_count && !full) || b->part_count == MT_BLOOM_PARTS)
      return;
   b->parts[b->part_count] = mt_calloc ("Bloom filter", bits_of (b->part_count) / 64,
                                        sizeof (uint64_t));
   b->part_count++;
   b->count = 0;
}

void mt_bloom_add (MtBloom *b, uint64_t hash)
{
   if (mt_bloom_has (b, hash))
      return;
   grow (b);
   size_t last = b->part_count - 1;
   for (int i = 0; i < PROBES; i++) {
      uint64_t at = place (hash, i, bits_of (last));
      b->parts[last][at / 64] |= UINT64_C (1) << at % 64;
   }
   b->count++;
}

void mt_bloom_clear (MtBloom *b)
{
   for (size_t i = 0; i < b->part_count; i++)
      free (b->parts[i]);
   *b = (MtBloom) {.part_count = 0};
}

size_t mt_bloom_bytes (const MtBloom *b)
{
   size_t n = 0;
   for (size_t i = 0; i < b->part_count; i++)
      n += bits_of (i) / 8;
   return n;
}
