/* Lists that grow: on the heap and in arenas, with capacities of either width. */
#include "base/arena.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_room (void **state)
{
   (void) state;
   assert_int_equal (mt_room ("list", 0, 1, 8, 16, 4), 8);
   assert_int_equal (mt_room ("list", 0, 9, 8, 16, 4), 16);
   assert_int_equal (mt_room ("list", 8, 9, 8, 16, 8), 16);
   assert_int_equal (mt_room ("list", 16, 1000, 8, 16, 8), 1024);
   assert_int_equal (mt_room ("list", 16, 16, 8, 16, 8), 16);
   assert_int_equal (mt_room ("list", 1u << 30, (1u << 30) + 1, 8, 1, 4),
                     INT32_MAX); /* doubled it wouldn't fit */
   assert_int_equal (mt_room ("list", 0, 5, 4, 0, 8), 8);
   assert_true (mt_room ("list", (size_t) 1 << 61, ((size_t) 1 << 61) + 1, 8, 2, 8) ==
                PTRDIFF_MAX / 2); /* nor would the bytes */
}

/* How a process ends that asks for that. */
static bool aborts (size_t cap, size_t need, size_t size, size_t cap_bytes)
{
   int status;
   pid_t child = fork ();
   if (child == 0) {
      close (STDERR_FILENO);
      mt_room ("list", cap, need, 8, size, cap_bytes);
      _exit (0);
   }
   assert_int_equal (waitpid (child, &status, 0), child);
   return WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT;
}

static void test_most (void **state)
{
   (void) state;
   assert_true (aborts (INT32_MAX, (size_t) INT32_MAX + 1, 1, 4));
   assert_true (aborts (0, SIZE_MAX / 8, 16, 8));
   assert_false (aborts (0, SIZE_MAX / 64, 16, 8));
}

static void test_heap (void **state)
{
   (void) state;
   int *list = NULL, count = 0, cap = 0;
   for (; count < 1000; count++) {
      MT_GROW ("numbers", list, count, cap, 4);
      list[count] = count;
   }
   assert_int_equal (cap, 1024);
   for (int i = 0; i < count; i++)
      assert_int_equal (list[i], i);
   free (list);
}

static void test_arena (void **state)
{
   (void) state;
   MtArena *a = mt_arena_new ("numbers", NULL);
   uint32_t *list = NULL, *early = NULL, cap = 0;
   size_t count = 0;
   for (; count < 1000; count++) {
      MT_GROW_IN (a, list, count, cap, 4);
      list[count] = (uint32_t) count;
      early = count == 3 ? list : early;
   }
   assert_int_equal (cap, 1024);
   assert_int_equal (list[cap - 1], 0);
   for (size_t i = 0; i < count; i++)
      assert_int_equal (list[i], i);
   assert_int_equal (early[3], 3); /* the old place is there until the arena goes */
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (test_room), cmocka_unit_test (test_most),
                                      cmocka_unit_test (test_heap), cmocka_unit_test (test_arena)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
