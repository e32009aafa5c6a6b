/* Which documents of a time a change asks for: those that may have records of it by what their root
 * says, where that is a $match. */
#include "engine/engine.h"
#include "planner/plan/affected.h"
#include "tests/unit/layout_tables.h"
#include "layouts/descriptor/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define STORE(rest) \
   "{'keeps': 'sums', 'key': ['metric'], 'stores': [{'collection': 'c', " rest "}]}"
#define MINUTES \
   "'sub': {'is': 'map', 'at': 'm', 'bind': [{'part': 'minute', 'of': 'day', 'encoding': 'text'}], 'agg': {'measures': {'hits': ''}}}"

static const int64_t from_ms = 1577869200000,
                     to_ms = 1577872800000; /* 2020-01-01 09:00 to 10:00 UTC */

static const struct {
   const char *json, *pipeline;
} cases[] = {
   {STORE (
       "'root': {'is': 'document', 'bind': [{'trunc': 'day', 'at': 'd', 'encoding': 'date'}, {'column': 'metric'}], " MINUTES
       "}"),
    "[{'$match':{'d':{'$gte':{'$date':'2020-01-01T00:00:00Z'},'$lt':{'$date':'2020-01-02T00:00:00Z'}}}}]"},
   /* The day is told by a part of the _id: the stages behind the first one look at it closer, and
      make fields. */
   {STORE (
       "'id': [{'trunc': 'day', 'encoding': {'format': '%Y%m%d'}}, '/', {'column': 'metric'}], 'root': {'is': 'document', 'bind': [{'trunc': 'day', 'from': 'id'}, {'column': 'metric', 'from': 'id'}], " MINUTES
       "}"),
    "[{'$match':{'_id':{'$gte':'20200101/','$lt':'202001010'}}}]"},
   {STORE (
       "'root': {'is': 'document', 'bind': [{'column': 'metric', 'at': '_id'}], 'sub': {'is': 'map', 'at': 'd', 'bind': [{'trunc': 'day', 'encoding': {'format': '%Y%m%d'}}], 'agg': {'measures': {'hits': ''}}}}"),
    "[]"}, /* one document of all times */
};

static void pipelines (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtEngine *e;
   MtError err;
   mt_error_clear (&err);
   if (!mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &e, &err))
      fail_msg ("%s", err.message);
   MtPlanSettings settings = {.optimize = true, .caps = mt_engine_caps (e)};
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtTable *t = mt_test_table (a, "hits");
      const bson_t *got;
      MtBuf text = {0};
      t->layouts = MT_NEW (a, MtLayout);
      t->layout_count = 1;
      if (!mt_layout_parse (a, t, "l", mt_test_json (a, cases[i].json), t->layouts, &err) ||
          !mt_pipeline_within (a, mt_way_of_documents (a, t, t->layouts, 0),
                               mt_ranges_one (a, from_ms, to_ms), &settings, &got, &err))
         fail_msg ("%s", err.message);
      mt_v_to_json (mt_v_array (got), false, &text);
      for (char *p = text.p; *p; p++)
         *p = *p == '"' ? '\'' : *p;
      assert_string_equal (text.p, cases[i].pipeline);
      mt_buf_free (&text);
   }
   mt_engine_close (e);
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (pipelines)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
