/* Bloom filters: sets of hashes. A hash that was added is always found. Up to 1 in 100 other hashes
 * are found, too. */
#ifndef MT_BLOOM_H
#define MT_BLOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_BLOOM_PARTS 16

/* Zeroed: an empty set. Grows by further parts, each twice as large as the one before. */
typedef struct MtBloom {
   uint64_t *parts[MT_BLOOM_PARTS]; /* bits; owned */
   size_t part_count, count;        /* count: in the last part */
} MtBloom;

void mt_bloom_add (MtBloom *b, uint64_t hash);
bool mt_bloom_has (const MtBloom *b, uint64_t hash);
/* Empties it and releases its memory. */
void mt_bloom_clear (MtBloom *b);
size_t mt_bloom_bytes (const MtBloom *b);

#endif
