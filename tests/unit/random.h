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

/* A number for each i, all of whose bits look random: splitmix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t random_of (uint64_t i)
{
   uint64_t z = i * UINT64_C (0x9e3779b97f4a7c15) + UINT64_C (0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
   return z ^ z >> 31;
}

#endif
