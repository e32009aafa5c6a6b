/* Bloom filters: sets of hashes. A hash that was added is always found. Up to 1 in 100 other hashes
 * are found, too. */
#ifndef MT_BLOOM_H
#define MT_BLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_BLOOM_PARTS 16

/* A set of hashes. A zeroed structure is an empty set. The set grows by further parts, each twice
 * as large as the part before. */
typedef struct MtBloom {
   uint64_t *parts[MT_BLOOM_PARTS]; /* the bits of each part; owned */
   /* the number of parts, and the number of hashes in the last part */
   size_t part_count, count;
} MtBloom;

void mt_bloom_add (MtBloom *b, uint64_t hash);
bool mt_bloom_has (const MtBloom *b, uint64_t hash);
/* Removes all hashes from the set and releases the set's memory. */
void mt_bloom_clear (MtBloom *b);
size_t mt_bloom_bytes (const MtBloom *b);

#endif
