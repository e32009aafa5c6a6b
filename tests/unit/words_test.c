/* Operators in other words have the same values as the operators themselves, to the last
 * decimal. */
#include "engine/engine.h"
#include "functions/signature.h"
#include "planner/plan/words.h"
#include "tests/unit/random.h"
#include "types/datetime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CASES 5000

/* A number below 10^digits, often with few digits that aren't 0. */
static int64_t number (uint64_t *seed, uint32_t digits)
{
   int64_t bound = 1, n;
   for (uint32_t i = random_below (seed, digits + 1); i > 0; i--)
      bound *= 10;
   n = (int64_t) (random_next (seed) % (uint64_t) bound);
   switch (random_below (seed, 4)) {
   case 0: return bound + (int64_t) random_below (seed, 3) - 1;
   case 1: return bound / 8192 * 4096;
   default: return n;
   }
}

/* Appends a row of a sum and a count, which can be the sum of as many numbers with up to `decimals`
 * decimals. */
static void add_row (MtArena *a, uint64_t *seed, int decimals, bson_t *docs)
{
   bson_t *row = mt_doc_new (a);
   int64_t n = number (seed, 12), s = number (seed, 18);
   if (random_below (seed, 4) == 0) /* exact halves of the last decimal */
      n = INT64_C (1) << random_below (seed, 39);
   if (n > INT64_C (1000000000000))
      n = 1;
   s = random_below (seed, 2) ? s : -s;
   mt_doc_add (row, "s",
               decimals ? mt_num_to_val (a, mt_num_from_scaled (
                                               s, (int) random_below (seed, (uint64_t) decimals)))
                        : mt_v_int64 (s));
   mt_doc_add (row, "n", mt_v_int64 (n));
   mt_doc_push (docs, mt_v_doc (row));
}

/* Runs {$project: {own: expr, words: …}} over rows, and compares both. The test fails if they
 * differ in a bit, or if the expression has no other words. */
static void compare (MtArena *a, const bson_t *docs, const char *expr)
{
   MtEngine *engine;
   MtCursor *c;
   MtError err = {0};
   const bson_t *doc;
   int n = 0;
   bson_t *own = bson_new_from_json ((const uint8_t *) expr, -1, NULL);
   MtPipe *pipe = mt_pipe_new (a);
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   MtVal words = mt_server_words (a, &(MtCaps) {0}, mt_v_doc (own));
   assert_int_equal (mt_doc_field (mt_doc_field (words, "own"), "$let").type, MT_DOC);
   mt_doc_add (own, "words", mt_doc_field (words, "own"));
   mt_doc_add_int (own, "s", 1);
   mt_doc_add_int (own, "n", 1);
   mt_pipe_add_value (pipe, "$documents", mt_v_array (docs));
   mt_pipe_add (pipe, "$project", own);
   if (!mt_engine_aggregate (engine, &(MtAggregateArgs) {.pipeline = pipe->stages}, &c, &err))
      fail_msg ("%s", err.message);
   for (; mt_cursor_next (c, &doc, &err) && doc; n++) {
      MtVal row = mt_v_doc (doc), want = mt_doc_field (row, "own"),
            got = mt_doc_field (row, "words");
      bool same = want.type == got.type && want.len == got.len &&
                  (!want.len || memcmp (want.p, got.p, want.len) == 0);
      if (want.type == MT_DECIMAL)
         same = got.type == MT_DECIMAL && memcmp (want.p, got.p, 16) == 0;
      if (!same)
         fail_msg ("%s", bson_as_relaxed_extended_json (doc, NULL));
   }
   if (mt_error_is_set (&err))
      fail_msg ("%s", err.message);
   assert_int_equal (n, CASES);
   mt_cursor_free (c);
   mt_engine_close (engine);
   bson_destroy (own);
}

static void averages (void **state)
{
   MtArena *a = mt_arena_new ("words_test", NULL);
   uint64_t seed = 7;
   bson_t *docs = mt_doc_new (a);
   for (int i = 0; i < CASES; i++)
      add_row (a, &seed, 0, docs);
   compare (a, docs, "{\"own\": {\"$_mtAvg\": [\"$s\", \"$n\", \"integer\"]}}");
   mt_arena_free (a);
}

static void averages_of_decimals (void **state)
{
   MtArena *a = mt_arena_new ("words_test", NULL);
   uint64_t seed = 8;
   bson_t *docs = mt_doc_new (a);
   for (int i = 0; i < CASES; i++)
      add_row (a, &seed, i % 40 + 1, docs);
   compare (a, docs, "{\"own\": {\"$_mtAvg\": [\"$s\", \"$n\", \"decimal\"]}}");
   mt_arena_free (a);
}

/* Any time, most of them within ten thousand years or at the start or end of a year. */
static MtVal any_time (uint64_t *seed)
{
   int64_t range = MT_TS_END - MT_TS_FIRST, year = INT64_C (31556952000);
   switch (random_below (seed, 8)) {
   case 0: return mt_v_null ();
   case 1: return mt_v_date (random_below (seed, 2) ? MT_TS_INFINITY : MT_TS_MINUS_INFINITY);
   case 2: return mt_v_date (MT_TS_FIRST + (int64_t) (random_next (seed) % (uint64_t) range));
   case 3:
      return mt_v_date (mt_days_from_civil ((int64_t) random_below (seed, 14000) - 4000, 1, 1) *
                           MT_DAY_MS -
                        random_below (seed, 2));
   default:
      return mt_v_date ((int64_t) (random_next (seed) % (uint64_t) (10000 * year)) - 4000 * year);
   }
}

static void times (void **state)
{
   MtArena *a = mt_arena_new ("words_test", NULL);
   uint64_t seed = 11;
   bson_t *docs = mt_doc_new (a);
   for (int i = 0; i < CASES; i++) {
      bson_t *row = mt_doc_new (a);
      mt_doc_add (row, "s", any_time (&seed));
      mt_doc_push (docs, mt_v_doc (row));
   }
   compare (a, docs, "{\"own\": {\"$_mt_to_char\": [\"$s\", \"YYYY-MM-DD\", \"UTC\"]}}");
   compare (a, docs,
            "{\"own\": {\"$_mt_to_char\": [\"$s\", \"hh24:MI:SS,MS \\\"Tag\\\" dd.mm.yyyy\"]}}");
   mt_arena_free (a);
}

/* Templates and zones that have no other words. */
static void kept (void **state)
{
   static const char *const args[] = {"\"YYYY\", \"Europe/Berlin\"",
                                      "\"FMMM\"",
                                      "\"DDD\"",
                                      "\"DDth\"",
                                      "\"SSSS\"",
                                      "\"Mon\"",
                                      "\"100%\"",
                                      "\"\""};
   MtArena *a = mt_arena_new ("words_test", NULL);
   for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
      const char *json = mt_printf (a, "{\"own\": {\"$_mt_to_char\": [\"$s\", %s]}}", args[i]);
      bson_t *own = bson_new_from_json ((const uint8_t *) json, -1, NULL);
      MtVal words = mt_server_words (a, &(MtCaps) {0}, mt_v_doc (own));
      if (mt_doc_field (mt_doc_field (words, "own"), "$_mt_to_char").type != MT_ARRAY)
         fail_msg ("%s", json);
      bson_destroy (own);
   }
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (averages),
                                      cmocka_unit_test (averages_of_decimals),
                                      cmocka_unit_test (times), cmocka_unit_test (kept)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
