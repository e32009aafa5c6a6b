/* HyperLogLog: the number of different hashes, within its error. */
#include "base/hll.h"
#include "tests/unit/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the headers that it needs */
#include <cmocka.h>

static uint8_t registers[1 << MT_HLL_MAX_BITS];

static void clear (void) { memset (registers, 0, sizeof registers); }

static void test_empty (void **state)
{
   clear ();
   for (int bits = MT_HLL_MIN_BITS; bits <= MT_HLL_MAX_BITS; bits++)
      assert_true (mt_hll_count (registers, bits) == 0);
}

/* The estimate has no bias: over many sets of each size, it is right on average. At 12 bits, 2.5
 * and 5 times as many values as registers are where the older estimate was wrong. */
static void test_bias (void **state)
{
   static const struct {
      int bits;
      uint64_t n;
   } cases[] = {{4, 40}, {4, 100}, {6, 160}, {6, 20000}, {12, 10000}, {12, 20000}};
   for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      uint64_t next = 1000000 * k;
      double sum = 0, sets = cases[k].bits < 12 ? 2000 : 100;
      for (int set = 0; set < sets; set++) {
         clear ();
         for (uint64_t i = 0; i < cases[k].n; i++)
            mt_hll_add (registers, cases[k].bits, random_of (next++));
         sum += mt_hll_count (registers, cases[k].bits);
      }
      double off = sum / sets / (double) cases[k].n - 1,
             error = 1.04 / sqrt (sets * (double) (1 << cases[k].bits));
      assert_true (fabs (off) < 4 * error);
   }
}

/* The register and the rank of hashes at the ends, and of one bit. */
static void test_register (void **state)
{
   uint8_t rank;
   for (int bits = MT_HLL_MIN_BITS; bits <= MT_HLL_MAX_BITS; bits++) {
      assert_int_equal (mt_hll_register (0, bits, &rank), 0);
      assert_int_equal (rank, MT_HLL_MAX_RANK (bits));
      assert_int_equal (mt_hll_register (UINT64_MAX, bits, &rank), (1 << bits) - 1);
      assert_int_equal (rank, 1);
      mt_hll_register (1, bits, &rank);
      assert_int_equal (rank, 64 - bits);
   }
}

/* All registers at their ends: the largest estimate, without an endless loop. */
static void test_full (void **state)
{
   memset (registers, MT_HLL_MAX_RANK (4), 16);
   assert_true (mt_hll_count (registers, 4) > 1e18);
   registers[0] = 0;
   assert_true (mt_hll_count (registers, 4) > 16);
}

/* Four standard errors: 6.5%. Each value is added three times. */
static void test_sizes (void **state)
{
   static const uint64_t sizes[] = {1, 10, 100, 3000, 10000, 20000, 300000, 3000000};
   for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      clear ();
      uint64_t n = sizes[k], changed = 0;
      for (uint64_t i = 0; i < 3 * n; i++)
         changed += mt_hll_add (registers, 12, random_of (i % n));
      double off = mt_hll_count (registers, 12) / (double) n - 1;
      assert_true (off > -0.065 && off < 0.065);
      assert_true (changed <= n);
      for (uint64_t i = 0; i < n; i++)
         assert_false (mt_hll_add (registers, 12, random_of (i)));
   }
}

/* Hashes at the ends of the range. */
static void test_ends (void **state)
{
   clear ();
   assert_true (mt_hll_add (registers, 12, 0));
   assert_false (mt_hll_add (registers, 12, 0));
   assert_true (mt_hll_add (registers, 12, UINT64_MAX));
   assert_true (mt_hll_count (registers, 12) > 1.9 && mt_hll_count (registers, 12) < 2.1);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_empty),    cmocka_unit_test (test_sizes),
      cmocka_unit_test (test_ends),     cmocka_unit_test (test_bias),
      cmocka_unit_test (test_register), cmocka_unit_test (test_full)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
