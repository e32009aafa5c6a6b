/* mt_aggregate is a statement of its own: cancelled by what comes while it runs, and by
 * statement_timeout. */
#include "include/mtsql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char SHORT[] = "[{$documents: [{a: 1}]}]";
static const char LONG[] =
   "[{$documents: [{b: 1}]}, {$project: {a: {$range: [0, 900000]}}}, {$unwind: '$a'}, {$group: {_id: '$a'}}, {$sort: {_id: -1}}, {$limit: 1}]";

static MtSession *session;
static MtError err;

static int setup (void **state)
{
   (void) state;
   const char *dir = getenv ("TMPDIR");
   static char folder[200];
   snprintf (folder, sizeof folder, "%s/mtsql-aggregate-XXXXXX", dir ? dir : "/tmp");
   return mkdtemp (folder) && mt_open (&(MtOpenOptions) {.target = folder}, &session, &err)
             ? (rmdir (folder), 0)
             : -1;
}

static int teardown (void **state)
{
   (void) state;
   mt_close (session);
   return 0;
}

static bool count (void *ctx, const char *line, size_t n)
{
   ++*(int *) ctx;
   return line && n;
}

/* Cancels at the first line. */
static bool cancel (void *ctx, const char *line, size_t n)
{
   mt_cancel (session);
   return count (ctx, line, n);
}

static void set (const char *sql)
{
   MtResult *r;
   assert_true (mt_query (session, sql, -1, &r, &err));
   mt_result_free (r);
}

static void an_earlier_cancel_is_forgotten (void **state)
{
   int lines = 0;
   (void) state;
   mt_cancel (session);
   mt_cancel (session);
   assert_true (mt_aggregate (session, &(MtPipelineRun) {.collection = "", .text = SHORT}, count,
                              &lines, &err));
   assert_int_equal (lines, 1);
}

static void a_cancel_ends_it (void **state)
{
   int lines = 0;
   (void) state;
   const char *many = "[{$documents: [{a: {$range: [0, 100000]}}]}, {$unwind: '$a'}]";
   assert_false (mt_aggregate (session, &(MtPipelineRun) {.collection = "", .text = many}, cancel,
                               &lines, &err));
   assert_string_equal (err.message, "canceling statement due to user request");
   assert_true (lines < 100000);
}

static void it_keeps_the_time_limit (void **state)
{
   int lines = 0;
   (void) state;
   set ("SET statement_timeout = '1ms'");
   assert_false (mt_aggregate (session, &(MtPipelineRun) {.collection = "", .text = LONG}, count,
                               &lines, &err));
   assert_string_equal (err.message, "canceling statement due to statement timeout");
   set ("SET statement_timeout = 0");
   assert_true (mt_aggregate (session, &(MtPipelineRun) {.collection = "", .text = SHORT}, count,
                              &lines, &err));
}

/* The search for a match polls, too: one that backtracks, and one by a DFA, which takes minutes. */
static void it_ends_within_a_match (void **state)
{
   static const char *const patterns[] = {"^(a|aa)*c|(?>b)$", "(?:a|aa)*[cd]"};
   enum { N = 200000 };
   char *pipeline = malloc (N + 200);
   (void) state;
   set ("SET statement_timeout = '20ms'");
   for (int i = 0; i < 2; i++) {
      int lines = 0, n = sprintf (pipeline, "[{$documents: [{s: '");
      memset (pipeline + n, 'a', N);
      sprintf (pipeline + n + N, "'}]}, {$match: {s: {$regex: '%s'}}}]", patterns[i]);
      assert_false (mt_aggregate (session, &(MtPipelineRun) {.collection = "", .text = pipeline},
                                  count, &lines, &err));
      assert_string_equal (err.message, "canceling statement due to statement timeout");
   }
   set ("SET statement_timeout = 0");
   free (pipeline);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (an_earlier_cancel_is_forgotten),
      cmocka_unit_test (a_cancel_ends_it),
      cmocka_unit_test (it_keeps_the_time_limit),
      cmocka_unit_test (it_ends_within_a_match),
   };
   return cmocka_run_group_tests (tests, setup, teardown);
}
