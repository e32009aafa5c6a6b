#include "base/hll.h"

#include <math.h>

uint32_t mt_hll_register (uint64_t hash, int bits, uint8_t *rank)
{
   uint64_t rest = hash << bits | (uint64_t) 1 << (bits - 1);
   *rank = (uint8_t) (__builtin_clzll (rest) + 1);
   return (uint32_t) (hash >> (64 - bits));
}

bool mt_hll_add (uint8_t *registers, int bits, uint64_t hash)
{
   uint8_t rank;
   uint32_t i = mt_hll_register (hash, bits, &rank);
   if (registers[i] >= rank)
      return false;
   registers[i] = rank;
   return true;
}

/* The function sigma of Ertl's estimate, which accounts for the registers that are 0. x: their
 * share of all registers. */
static double sigma (double x)
{
   double weight = 1, sum = x, before;
   if (x == 1)
      return INFINITY;
   do {
      x *= x;
      before = sum;
      sum += x * weight;
      weight *= 2;
   } while (sum != before);
   return sum;
}

/* The function tau of Ertl's estimate, which accounts for the registers that have the largest rank.
 * x: the share of all other registers. */
static double tau (double x)
{
   double weight = 1, sum = 1 - x, before;
   if (x == 0 || x == 1)
      return 0;
   do {
      x = sqrt (x);
      before = sum;
      weight /= 2;
      sum -= (1 - x) * (1 - x) * weight;
   } while (sum != before);
   return sum / 3;
}

double mt_hll_estimate (const uint32_t *of_rank, int bits)
{
   const double m = ldexp (1, bits), alpha = 0.7213 / (1 + 1.079 / m);
   int last = MT_HLL_MAX_RANK (bits);
   double z = m * tau (1 - of_rank[last] / m);
   for (int rank = last - 1; rank > 0; rank--)
      z = (z + of_rank[rank]) / 2;
   return alpha * m * m / (z + m * sigma (of_rank[0] / m));
}

double mt_hll_count (const uint8_t *registers, int bits)
{
   uint32_t of_rank[64] = {0};
   for (size_t i = 0; i < (size_t) 1 << bits; i++)
      of_rank[registers[i] & 63]++;
   return mt_hll_estimate (of_rank, bits);
}
