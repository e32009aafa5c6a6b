/* Documents put aside come back in order, from memory and from a file. */
#include "base/spool.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the headers that it needs */
#include <cmocka.h>

static void add (MtSpool *s, int n, size_t filler)
{
   MtError err;
   bson_t doc = BSON_INITIALIZER;
   char *text = calloc (1, filler + 1);
   assert_non_null (text);
   memset (text, 'x', filler);
   BSON_APPEND_INT32 (&doc, "n", n);
   BSON_APPEND_UTF8 (&doc, "filler", text);
   assert_true (mt_spool_add (s, &doc, &err));
   bson_destroy (&doc);
   free (text);
}

static void expect (MtSpool *s, int count)
{
   MtError err;
   const bson_t *doc;
   bson_iter_t it;
   assert_true (mt_spool_rewind (s, &err));
   for (int i = 0; i < count; i++) {
      assert_true (mt_spool_next (s, &doc, &err));
      assert_non_null (doc);
      assert_true (bson_iter_init_find (&it, doc, "n"));
      assert_int_equal (bson_iter_int32 (&it), i);
   }
   assert_true (mt_spool_next (s, &doc, &err));
   assert_null (doc);
}

static void test_few (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSpool *s = mt_spool_new (a);
   expect (s, 0);
   for (int i = 0; i < 10; i++)
      add (s, i, 10);
   expect (s, 10);
   expect (s, 10); /* as often as wanted */
   mt_arena_free (a);
}

/* Documents across the ends of what is read at once, and one that is larger than it. */
static void test_many (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSpool *s = mt_spool_new (a);
   for (int i = 0; i < 3000; i++)
      add (s, i, i == 1500 ? 3u << 20 : (size_t) (i * 7 % 2000));
   expect (s, 3000);
   expect (s, 3000);
   mt_arena_free (a);
}

/* A temporary folder that can't be written to is an error, and no loss in silence. */
static void test_no_folder (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSpool *s = mt_spool_new (a);
   MtError err;
   bson_t doc = BSON_INITIALIZER;
   const char *old = getenv ("TMPDIR");
   char *kept = old ? strdup (old) : NULL;
   setenv ("TMPDIR", "/dev/null/none", 1);
   char *text = calloc (1, 2u << 20);
   assert_non_null (text);
   memset (text, 'y', (2u << 20) - 1);
   BSON_APPEND_UTF8 (&doc, "filler", text);
   assert_false (mt_spool_add (s, &doc, &err));
   assert_string_equal (err.sqlstate, MT_E_IO);
   if (kept)
      setenv ("TMPDIR", kept, 1);
   else
      unsetenv ("TMPDIR");
   free (kept);
   free (text);
   bson_destroy (&doc);
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (test_few), cmocka_unit_test (test_many),
                                      cmocka_unit_test (test_no_folder)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
