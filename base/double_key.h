/* Converts doubles to 64-bit integers that sort in the same order. */
#ifndef MT_DOUBLE_KEY_H
#define MT_DOUBLE_KEY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Converts a double to an unsigned key whose order is SQL's order of doubles: NaN is the largest
 * number. The key of -0 is less than that of 0. */
static inline uint64_t mt_key_of_double (double d)
{
   uint64_t bits;
   d = d != d ? NAN : d;
   memcpy (&bits, &d, 8);
   return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static inline double mt_double_of_key (uint64_t key)
{
   double d;
   uint64_t bits = key >> 63 ? key & ~(1ull << 63) : ~key;
   memcpy (&d, &bits, 8);
   return d;
}

#endif
