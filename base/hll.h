/* HyperLogLog: estimates how many different hashes a set has, in 2^bits bytes whatever their number.
 * Sources: Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm" (2007); for the estimate, O. Ertl, "New cardinality estimation
 * algorithms for HyperLogLog sketches" (2017), which needs no correction for small numbers. The
 * standard error is 1.04 / sqrt (2^bits). */
#ifndef MT_HLL_H
#define MT_HLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MT_HLL_MIN_BITS = 4, MT_HLL_MAX_BITS = 18 };

/* A register has the largest rank of the hashes that belong to it: the number of leading zeros
 * behind the first `bits` bits, plus 1. 0: there was no such hash. */
#define MT_HLL_MAX_RANK(bits) (64 - (bits) + 1)

/* Returns the register of a hash, and its rank. All 64 bits of the hash must be well mixed. */
uint32_t mt_hll_register (uint64_t hash, int bits, uint8_t *rank);

/* Adds a hash to a set of 2^bits registers; zeros are an empty set. Returns whether the hash changed
 * the set. A hash that was added before changes nothing, so the hashes that do are a sample of the
 * different ones. */
bool mt_hll_add (uint8_t *registers, int bits, uint64_t hash);

/* Returns the estimated number of different hashes of a set of 2^bits registers. */
double mt_hll_count (const uint8_t *registers, int bits);
/* Does the same. of_rank: by rank, how many registers have it; 64 numbers. */
double mt_hll_estimate (const uint32_t *of_rank, int bits);

#endif
