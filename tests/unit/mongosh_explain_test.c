/* Every pipeline that EXPLAIN prints in the golden files is read as mongosh would read it, and
 * printed again as it was: types of numbers and all. What EXPLAIN shortened is refused. */
#include "types/mongosh.h"
#include "engine/shell_text.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Tally {
   int same, shortened, wrong;
} Tally;

static char *whole_file (const char *path)
{
   FILE *f = fopen (path, "r");
   assert_non_null (f);
   MtBuf b = {0};
   char part[4096];
   for (size_t n; (n = fread (part, 1, sizeof part, f));)
      mt_buf_add (&b, part, n);
   fclose (f);
   return b.p;
}

/* The stages between the brackets, without the column of spaces that psql's format puts before each
 * line. */
static char *unindented (const char *from, const char *to, size_t margin)
{
   MtBuf b = {0};
   for (const char *p = from; p < to;) {
      const char *end = memchr (p, '\n', (size_t) (to - p));
      end = end ? end + 1 : to;
      size_t skip = strspn (p, " ") < margin ? 0 : margin;
      mt_buf_add (&b, p + skip, (size_t) (end - p) - skip);
      p = end;
   }
   mt_buf_addc (&b, 0);
   return b.p;
}

/* text: " [\n … \n ]"; as it stands in the file behind `head`. */
static void check (const char *file, const char *text, bool marks, Tally *t)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtError err = {0};
   MtVal v;
   bson_t stages;
   if (!mt_mongosh_read (a, mt_str (text), &v, &err)) {
      bool shortened = strstr (text, "... /*");
      *(shortened ? &t->shortened : &t->wrong) += 1;
      if (!shortened)
         print_error ("%s: %s\n%s\n", file, err.message, text);
   } else {
      MtBuf again = {0};
      mt_buf_adds (&again, "[\n");
      if (bson_init_static (&stages, v.p, v.len))
         mt_shell_pipeline (&stages, (MtShellStyle) {.indent = 2, .whole = true, .mark = marks},
                            &again);
      mt_buf_adds (&again, "]");
      bool same = strcmp (again.p, text) == 0;
      *(same ? &t->same : &t->wrong) += 1;
      if (!same)
         print_error ("%s:\n%s\nis printed as\n%s\n", file, text, again.p);
      mt_buf_free (&again);
   }
   mt_arena_free (a);
}

static void check_file (const char *path, Tally *t)
{
   static const struct {
      const char *head;
      bool marks;
   } heads[] = {{".aggregate([\n", true}, {"in process: [\n", false}, {"in process, db.", false}};
   char *text = whole_file (path);
   for (char *line = text, *next; line && *line; line = next) {
      next = strchr (line, '\n');
      next = next ? next + 1 : NULL;
      size_t margin = strspn (line, " ");
      const char *open = NULL;
      bool marks = true;
      for (size_t i = 0; i < sizeof heads / sizeof *heads && next; i++) {
         char *at = strstr (line, heads[i].head);
         if (at && at < next) {
            marks = marks && heads[i].marks;
            open = strchr (at, '[');
         }
      }
      if (!open || open >= next || margin > 1)
         continue;
      char end[8];
      snprintf (end, sizeof end, "\n%*s]", (int) margin, "");
      char *close = strstr (open, end);
      assert_non_null (close);
      char *stages = unindented (open, close + strlen (end), margin);
      check (path, stages, marks, t);
      free (stages);
      next = close + 1;
   }
   free (text);
}

static void goldens_are_read_back (void **state)
{
   glob_t files;
   Tally t = {0};
   assert_int_equal (glob ("tests/sql/*/*.out", 0, NULL, &files), 0);
   for (size_t i = 0; i < files.gl_pathc; i++)
      check_file (files.gl_pathv[i], &t);
   globfree (&files);
   print_message ("%d read back, %d shortened\n", t.same, t.shortened);
   assert_int_equal (t.wrong, 0);
   assert_true (t.same > 150);
   assert_true (t.shortened > 3);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (goldens_are_read_back)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
