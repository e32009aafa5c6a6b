/* What a long statement tells of itself is one thing at a time: the pipelines that it runs aren't
 * told of beside it. */
#include "include/mtsql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char told[4096]; /* each label once a time it changes */
static char last[64];

static void tell (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows)
{
   if (strcmp (what, last) == 0)
      return;
   snprintf (last, sizeof last, "%s", what);
   size_t n = strlen (told);
   snprintf (told + n, sizeof told - n, "%s%s", n ? ", " : "", what);
}

static const char *labels (MtSession *s, const char *sql)
{
   MtResult *r;
   MtError err = {0};
   bool more = true;
   told[0] = last[0] = 0;
   assert_true (mt_query (s, sql, -1, &r, &err));
   while (more && mt_result_next (r, &more, &err) && more)
      continue;
   mt_result_free (r);
   assert_false (mt_error_is_set (&err));
   return told;
}

static void one_thing_at_a_time (void **state)
{
   MtSession *s;
   MtError err;
   assert_true (mt_open (&(MtOpenOptions) {.progress = tell}, &s, &err));
   labels (
      s,
      "CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION NOT NULL, v bigint MEASURE NOT NULL) USING nested WITH (cluster_by = 'k')");
   labels (
      s,
      "INSERT INTO t SELECT '2024-01-01'::timestamptz + i * interval '1 second', 'k' || i % 500, i FROM generate_series (0, 39999) i");
   assert_string_equal (labels (s, "ALTER TABLE t ADD LAYOUT days USING per_day"),
                        "filling days from nested, packing");
   assert_string_equal (labels (s, "CHECK TABLE t"), "checking nested, checking days, comparing");
   mt_close (s);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (one_thing_at_a_time)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
