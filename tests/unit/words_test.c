/* Operators in other words have the same values as the operators themselves, to the last decimal. */
#include "engine/engine.h"
#include "functions/signature.h"
#include "planner/plan/words.h"
#include "tests/unit/random.h"

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

/* Appends a row of a sum and a count, which can be the sum of as many integers. */
static void add_row (MtArena *a, uint64_t *seed, bson_t *docs)
{
   bson_t *row = mt_doc_new (a);
   int64_t n = number (seed, 12), s = number (seed, 18);
   if (random_below (seed, 4) == 0) /* exact halves of the last decimal */
      n = INT64_C (1) << random_below (seed, 39);
   if (n > INT64_C (1000000000000))
      n = 1;
   mt_doc_add (row, "s", mt_v_int64 (random_below (seed, 2) ? s : -s));
   mt_doc_add (row, "n", mt_v_int64 (n));
   mt_doc_push (docs, mt_v_doc (row));
}

static void averages (void **state)
{
   MtArena *a = mt_arena_new ("words_test", NULL);
   MtEngine *engine;
   MtCursor *c;
   MtError err = {0};
   const bson_t *doc;
   uint64_t seed = 7;
   int n = 0;
   bson_t *docs = mt_doc_new (a), *own = mt_doc_new (a);
   MtPipe *pipe = mt_pipe_new (a);
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   for (int i = 0; i < CASES; i++)
      add_row (a, &seed, docs);
   mt_doc_printf (own, "own: {$_mtAvg: ['$s', '$n', 'integer']}");
   MtVal words = mt_server_words (a, &(MtCaps) {0}, mt_v_doc (own));
   mt_doc_add (own, "words", mt_doc_field (words, "own"));
   assert_int_equal (mt_doc_field (mt_doc_field (words, "own"), "$let").type, MT_DOC);
   mt_doc_add_int (own, "s", 1);
   mt_doc_add_int (own, "n", 1);
   mt_pipe_add_value (pipe, "$documents", mt_v_array (docs));
   mt_pipe_add (pipe, "$project", own);
   assert_true (
      mt_engine_aggregate (engine, &(MtAggregateArgs) {.pipeline = pipe->stages}, &c, &err));
   for (; mt_cursor_next (c, &doc, &err) && doc; n++) {
      MtVal row = mt_v_doc (doc), want = mt_doc_field (row, "own"),
            got = mt_doc_field (row, "words");
      if (want.type != got.type || (want.type == MT_DECIMAL && memcmp (want.p, got.p, 16)))
         fail_msg ("%s", bson_as_relaxed_extended_json (doc, NULL));
   }
   assert_int_equal (n, CASES);
   mt_cursor_free (c);
   mt_engine_close (engine);
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (averages)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
