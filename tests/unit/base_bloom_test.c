/* Bloom filters forget nothing, and take few others for what they have. */
#include "base/bloom.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
/* after the headers that it needs */
#include <cmocka.h>

static void test_empty (void **state)
{
   MtBloom b = {.part_count = 0};
   for (uint64_t i = 0; i < 1000; i++)
      assert_false (mt_bloom_has (&b, random_of (i)));
   assert_int_equal (mt_bloom_bytes (&b), 0);
   mt_bloom_clear (&b);
}

/* From one part to several: 300,000 are in six. */
static void test_sizes (void **state)
{
   static const uint64_t sizes[] = {1, 100, 10000, 300000};
   for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      MtBloom b = {.part_count = 0};
      uint64_t n = sizes[k], wrong = 0;
      for (uint64_t i = 0; i < n; i++)
         mt_bloom_add (&b, random_of (i));
      for (uint64_t i = 0; i < n; i++)
         assert_true (mt_bloom_has (&b, random_of (i)));
      for (uint64_t i = 0; i < 100000; i++)
         wrong += mt_bloom_has (&b, random_of (1000000 + i));
      assert_in_range (wrong, 0, 1000);
      assert_in_range (mt_bloom_bytes (&b), n * 16 / 8 / 2, 16384 + n * 16 / 8 * 4);
      mt_bloom_clear (&b);
      assert_false (mt_bloom_has (&b, random_of (0)));
   }
}

/* What is there already takes no room. */
static void test_again (void **state)
{
   MtBloom b = {.part_count = 0};
   for (int i = 0; i < 100000; i++)
      mt_bloom_add (&b, random_of (7));
   assert_int_equal (b.part_count, 1);
   assert_int_equal (b.count, 1);
   mt_bloom_clear (&b);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (test_empty), cmocka_unit_test (test_sizes),
                                      cmocka_unit_test (test_again)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
