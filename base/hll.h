/* HyperLogLog: estimates the number of distinct hashes in a set. The memory is always 2^bits bytes.
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

/* The largest possible rank. The first `bits` bits of a hash select its register. The hash's rank
 * is 1 + the number of leading zeros in its other bits. A register contains the largest rank of its
 * hashes, or 0 if there was none. */
#define MT_HLL_MAX_RANK(bits) (64 - (bits) + 1)

/* Returns the index of the register for a hash, and stores the hash's rank in *rank. The hash must
 * be well distributed in all 64 bits. */
uint32_t mt_hll_register (uint64_t hash, int bits, uint8_t *rank);

/* Adds a hash to a set of 2^bits registers. If all registers are zero, the set is empty. Returns
 * whether a register changed. A hash that was added before never changes one. So the hashes that
 * change a register are a sample of the distinct ones. */
bool mt_hll_add (uint8_t *registers, int bits, uint64_t hash);

/* Returns the estimated number of distinct hashes that were added to the registers. */
double mt_hll_count (const uint8_t *registers, int bits);
/* Like mt_hll_count, from a histogram: of_rank[r] is the number of registers with rank r. The array
 * has 64 elements. */
double mt_hll_estimate (const uint32_t *of_rank, int bits);

#endif
