/* The emitter: filters and values as MongoDB's language (tests/unit/data/emit.txt). A line "WHERE x" is a filter, others are values. */
#include "tests/unit/bind_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void answer (const char *text, MtBuf *out)
{
   MtArena *a = mt_arena_new ("emit_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   MtPlace places[BIND_ENV_COLUMNS];
   bool filter = strncmp (text, "WHERE ", 6) == 0, ok;
   bson_t doc = BSON_INITIALIZER;
   for (size_t i = 0; i < BIND_ENV_COLUMNS; i++)
      places[i] = (MtPlace){.path = bind_env_columns[i].name, .may_be_missing = !bind_env_columns[i].not_null, .nullable = !bind_env_columns[i].not_null, .can_match = true};
   MtEmit e = {.a = a, .style = &env.style, .columns = places};
   ok = bind_env_sql (a, &env, mt_printf (a, filter ? "SELECT 1 FROM calls %s" : "SELECT %s FROM calls", text), &q, &err);
   if (ok && filter)
      ok = !q->where || mt_emit_match (&e, q->where, &doc, &err);
   else if (ok)
      ok = mt_emit_value (&e, q->targets[0].expr, &doc, "v", &err);
   if (ok) {
      mt_buf_adds (out, e.local_only ? "LOCAL " : "");
      mt_v_to_json (mt_v_doc (&doc), false, out);
   } else
      bind_env_error (&err, out);
   bson_destroy (&doc);
   mt_arena_free (a);
}

static void expressions (void **state)
{
   int count;
   assert_int_equal (bind_env_file ("tests/unit/data/emit.txt", answer, &count), 0);
   assert_true (count >= 60);
}

/* A column stored as seconds since 1970: constants are compared in that form, exactly. */
static bool to_seconds (const MtPlace *p, MtArena *a, MtVal constant, MtVal *out, bool *exact)
{
   int64_t s = constant.i / 1000;
   *exact = constant.i % 1000 == 0;
   *out = mt_v_int64 (s);
   return true;
}

static void stored_forms (void **state)
{
   static const char *const cases[][2] = {
      {"ts >= '2020-01-01'", "{\"t\":{\"$gte\":1577836800}}"},
      {"ts >= '2020-01-01 00:00:00.5'", "{\"t\":{\"$gt\":1577836800}}"},
      {"ts < '2020-01-01 00:00:00.5'", "{\"t\":{\"$lte\":1577836800}}"},
      {"ts = '2020-01-01 00:00:00.5'", "{\"t\":{\"$in\":[]}}"},
      {"ts <> '2020-01-01 00:00:00.5'", "{\"t\":{\"$ne\":null}}"},
      {"ts IN ('2020-01-01', '2020-01-01 00:00:00.5')", "{\"t\":{\"$in\":[1577836800]}}"},
   };
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("emit_test", NULL);
      MtBindEnv env = bind_env ();
      MtError err = {0};
      MtQuery *q;
      MtBuf out = {0};
      bson_t doc = BSON_INITIALIZER;
      MtPlace places[BIND_ENV_COLUMNS] = {{.path = "t", .can_match = true, .encode = to_seconds}};
      MtEmit e = {.a = a, .style = &env.style, .columns = places};
      assert_true (bind_env_sql (a, &env, mt_printf (a, "SELECT 1 FROM calls WHERE %s", cases[i][0]), &q, &err));
      assert_true (mt_emit_match (&e, q->where, &doc, &err));
      mt_v_to_json (mt_v_doc (&doc), false, &out);
      MtBuf flat = {0};
      for (size_t j = 0; j < out.n; j++)
         if (out.p[j] != ' ')
            mt_buf_addc (&flat, out.p[j]);
      assert_string_equal (flat.p, cases[i][1]);
      mt_buf_free (&out);
      mt_buf_free (&flat);
      bson_destroy (&doc);
      mt_arena_free (a);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (expressions), cmocka_unit_test (stored_forms)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
