/* Bloom filters: sets of hashes that can contain too much. A hash that was added is always found.
 * At most 1 in 100 other hashes are found, too. */
#ifndef MT_BLOOM_H
#define MT_BLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_BLOOM_PARTS 16

/* A set of hashes, in bit arrays. A zeroed structure is an empty set. When an array is full, the
 * set gets another one of twice the size. */
typedef struct MtBloom {
   uint64_t *parts[MT_BLOOM_PARTS]; /* the bits of each part; owned */
   /* the number of bit arrays, and the number of hashes that the last one contains */
   size_t part_count, count;
} MtBloom;

void mt_bloom_add (MtBloom *b, uint64_t hash);
bool mt_bloom_has (const MtBloom *b, uint64_t hash);
/* Removes all hashes from the set and releases the set's memory. */
void mt_bloom_clear (MtBloom *b);
size_t mt_bloom_bytes (const MtBloom *b);

#endif
