/* The text of the line editor: places, changes, and the form of the history file. */
#include "shell/edit/history.h"
#include "shell/edit/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

static void test_clusters (void **state)
{
   static const struct {
      const char *text;
      int width;
   } cases[] = {{"a", 1},  {"e\u0301\u0302", 1}, {"東", 2},   {"👨\u200d👩\u200d👧", 2}, {"🇯🇵", 2},
                {"각", 2}, {"\xFF", 1},          {"\x01", -1}};
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      int width;
      char text[64];
      snprintf (text, sizeof text, "%sx", cases[i].text);
      assert_int_equal (mt_edit_cluster (text, strlen (text), &width), strlen (cases[i].text));
      assert_int_equal (width, cases[i].width);
   }
}

static void test_places (void **state)
{
   MtEditText t = {0};
   const char *text = "ab_1 + e\u0301x\n\n日本";
   mt_edit_replace (&t, 0, 0, text, strlen (text));
   size_t end = t.b.n;
   assert_int_equal (mt_edit_left (&t, end), end - 3);
   assert_int_equal (mt_edit_left (&t, 10), 7);
   assert_int_equal (mt_edit_right (&t, 7), 10);
   assert_int_equal (mt_edit_right (&t, end), end);
   assert_int_equal (mt_edit_left (&t, 0), 0);
   assert_int_equal (mt_edit_left (&t, 12), 11);
   assert_int_equal (mt_edit_word_right (&t, 0), 4);
   assert_int_equal (mt_edit_word_left (&t, 11), 7);
   assert_int_equal (mt_edit_line_start (&t, 12), 12);
   assert_int_equal (mt_edit_line_end (&t, 12), 12);
   assert_int_equal (mt_edit_line_end (&t, 13), end);
   mt_edit_text_free (&t);
}

/* Random changes, all of them undone and done again, lead through the same texts. */
static void test_undo (void **state)
{
   enum { STEPS = 300 };
   MtEditText t = {0};
   char *seen[STEPS + 1];
   size_t n = 0;
   srandom (7);
   seen[n++] = strdup ("");
   while (n <= STEPS) {
      size_t from = (size_t) random () % (t.b.n + 1), to = from + (size_t) random () % 4;
      to = to < t.b.n ? to : t.b.n;
      size_t done = t.done;
      mt_edit_replace (&t, from, to, "xyz", (size_t) random () % 4);
      if (t.done > done)
         seen[n++] = strdup (mt_edit_bytes (&t));
   }
   for (size_t i = STEPS; i-- > 0;) {
      assert_true (mt_edit_undo (&t));
      assert_string_equal (mt_edit_bytes (&t), seen[i]);
   }
   assert_false (mt_edit_undo (&t));
   for (size_t i = 1; i <= STEPS; i++) {
      assert_true (mt_edit_redo (&t));
      assert_string_equal (mt_edit_bytes (&t), seen[i]);
   }
   assert_false (mt_edit_redo (&t));
   for (size_t i = 0; i <= STEPS; i++)
      free (seen[i]);
   mt_edit_text_free (&t);
}

static void test_history_form (void **state)
{
   static const char *const texts[] = {"SELECT 1;", "a\n\n b", "-- 2026-01-02 03:04:05+00",
                                       "x\n  -- 2026-01-02 03:04:05+00\n-- 2026-01-02", "\\d"};
   MtHistory h = {.limit = 4}, back = {.limit = 4};
   for (size_t i = 0; i < 5; i++)
      mt_history_put (&h, texts[i], 1000 + (time_t) i);
   assert_int_equal (h.n, 4);
   FILE *f = tmpfile ();
   assert_true (mt_history_print (&h, 0, f));
   rewind (f);
   mt_history_read (&back, f);
   fclose (f);
   assert_int_equal (back.n, 4);
   for (size_t i = 0; i < 4; i++) {
      assert_string_equal (back.v[i].text, texts[i + 1]);
      assert_int_equal (back.v[i].at, 1001 + i);
   }
   mt_history_free (&h);
   mt_history_free (&back);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_clusters),
      cmocka_unit_test (test_places),
      cmocka_unit_test (test_undo),
      cmocka_unit_test (test_history_form),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
