/* Numbers that look random, and are the same in each run: xorshift64 (Marsaglia, 2003). A state is
 * anything but 0. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next (uint64_t *x)
{
   *x ^= *x << 13;
   *x ^= *x >> 7;
   *x ^= *x << 17;
   return *x;
}

static inline uint32_t random_below (uint64_t *x, uint32_t below)
{
   return (uint32_t) (random_next (x) % below);
}

#endif
