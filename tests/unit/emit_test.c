/* The emitter: filters and values as MongoDB's language (tests/unit/data/emit.txt). A line "WHERE
 * x" is a filter, others are values. */
#include "base/bson.h"
#include "planner/emit/eval.h"
#include "functions/signature.h"
#include "tests/unit/bind_env.h"

#include "types/datetime.h"
#include "engine/engine.h"

#include <math.h>

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
      places[i] = (MtPlace) {.path = bind_env_columns[i].name,
                             .may_be_missing = !bind_env_columns[i].not_null,
                             .nullable = !bind_env_columns[i].not_null,
                             .can_match = true};
   MtEmit e = {.a = a, .err = &err, .style = &env.style, .columns = places};
   ok = bind_env_sql (
      a, &env, mt_printf (a, filter ? "SELECT 1 FROM calls %s" : "SELECT %s FROM calls", text), &q,
      &err);
   if (ok && filter)
      ok = !q->where || mt_emit_match (&e, q->where, &doc);
   else if (ok)
      ok = mt_emit_value (&e, q->targets[0].expr, &doc, "v");
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

/* ---- what the pipeline says is what the C functions say, over rows with NULL, missing fields and
 * NaN ---- */

#define DOC_COUNT 24

static MtVal field_value (MtArena *a, int column, int doc)
{
   static const char *const texts[] = {"", "x", "abc", "$x", "aB", "a.b(c", "a%b", "y"};
   int pick = (doc * 7 + column * 5 + doc / 5) % 9;
   const MtColumn *c = &bind_env_columns[column];
   if (!c->not_null && pick == 0)
      return mt_v_missing ();
   if (!c->not_null && pick == 1)
      return mt_v_null ();
   switch (c->type.id) {
   case MT_T_INT4: return mt_v_int32 (pick - 4);
   case MT_T_INT8: return mt_v_int64 (pick * 3 - 10);
   case MT_T_FLOAT8:
      return mt_v_double (pick == 2   ? (double) NAN
                          : pick == 3 ? (double) INFINITY
                                      : pick * 1.5 - 4);
   case MT_T_NUMERIC:
      return mt_num_to_val (a, pick == 2 ? mt_num_from_double ((double) NAN)
                                         : mt_num_from_scaled (pick * 125 - 500, 2));
   case MT_T_BOOL: return mt_v_bool (pick % 2);
   case MT_T_TIMESTAMPTZ:
      return mt_v_date (INT64_C (1577836800000) + (int64_t) doc * 5000000123 -
                        (doc % 3) * INT64_C (900000000007));
   case MT_T_DATE: return mt_v_from_days (18262 + pick - 3);
   case MT_T_INTERVAL:
      return mt_v_interval (a, (MtInterval) {pick % 2, pick - 3, INT64_C (3600000000) * pick});
   default: return mt_v_str (texts[pick % 8], strlen (texts[pick % 8]));
   }
}

static bool first_value (MtArena *a, MtEngine *engine, const bson_t *doc, const char *op,
                         const bson_t *spec, bool *found, MtVal *out, MtError *err)
{
   bson_t pipeline = BSON_INITIALIZER, stage, docs, literal;
   MtCursor *c = NULL;
   const bson_t *got = NULL;
   bson_iter_t it;
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "0", &stage);
   BSON_APPEND_ARRAY_BEGIN (&stage, "$documents", &docs);
   BSON_APPEND_DOCUMENT_BEGIN (&docs, "0", &literal);
   BSON_APPEND_DOCUMENT (&literal, "$literal", doc);
   bson_append_document_end (&docs, &literal);
   bson_append_array_end (&stage, &docs);
   bson_append_document_end (&pipeline, &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "1", &stage);
   BSON_APPEND_DOCUMENT (&stage, op, spec);
   bson_append_document_end (&pipeline, &stage);
   bool ok = mt_engine_aggregate (engine, &(MtAggregateArgs) {.pipeline = &pipeline}, &c, err) &&
             mt_cursor_next (c, &got, err);
   *found = ok && got;
   *out = *found && bson_iter_init_find (&it, got, "v") ? mt_v_copy (a, mt_v_from_iter (&it))
                                                        : mt_v_missing ();
   mt_cursor_free (c);
   bson_destroy (&pipeline);
   return ok;
}

/* False: the pipeline and the C functions differ. */
static bool same_answer (MtArena *a, const MtBindEnv *env, MtEngine *engine, const char *text,
                         const MtX *x, const bson_t *spec, bool filter, int d)
{
   MtVal row[BIND_ENV_COLUMNS], want = mt_v_missing (), got = mt_v_missing ();
   MtError err = {0}, err2 = {0};
   bson_t doc = BSON_INITIALIZER;
   bool found = false;
   for (size_t i = 0; i < BIND_ENV_COLUMNS; i++) {
      row[i] = field_value (a, (int) i, d);
      if (row[i].type != MT_MISSING)
         mt_doc_append (&doc, bind_env_columns[i].name, row[i]);
   }
   bool ok = mt_eval_row (a, x, row, env, &want, &err);
   bool ok2 = first_value (a, engine, &doc, filter ? "$match" : "$project", spec, &found, &got,
                           &err2);
   bool same = ok == ok2;
   if (ok && ok2 && filter)
      same = found == (want.type == MT_BOOL && want.i);
   else if (ok && ok2)
      same = mt_is_nullish (want) ? got.type == MT_NULL
                                  : got.type == want.type && mt_v_compare (want, got) == 0;
   if (!same) {
      MtBuf b = {0};
      mt_v_to_json (mt_v_doc (&doc), false, &b);
      mt_buf_adds (&b, "\n   functions: ");
      mt_v_to_json (want, true, &b);
      mt_buf_printf (&b, " %s\n   pipeline: %s ", err.message, found ? "found" : "");
      mt_v_to_json (got, true, &b);
      fprintf (stderr, "%s over %s %s\n", text, b.p, err2.message);
      mt_buf_free (&b);
   }
   bson_destroy (&doc);
   return same;
}

static int check_rows (MtEngine *engine, const char *text, int *compared)
{
   MtArena *a = mt_arena_new ("emit_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   MtPlace places[BIND_ENV_COLUMNS];
   bool filter = strncmp (text, "WHERE ", 6) == 0;
   bson_t spec = BSON_INITIALIZER;
   int bad = 0;
   for (size_t i = 0; i < BIND_ENV_COLUMNS; i++)
      places[i] = (MtPlace) {.path = bind_env_columns[i].name,
                             .may_be_missing = !bind_env_columns[i].not_null,
                             .nullable = !bind_env_columns[i].not_null,
                             .can_match = true};
   MtEmit e = {.a = a, .err = &err, .style = &env.style, .columns = places};
   assert_true (bind_env_sql (
      a, &env, mt_printf (a, filter ? "SELECT 1 FROM calls %s" : "SELECT %s FROM calls", text), &q,
      &err));
   const MtX *x = filter ? q->where : q->targets[0].expr;
   if (x && !x->is_volatile) {
      BSON_APPEND_INT32 (&spec, "_id", 0);
      if (filter)
         bson_reinit (&spec);
      assert_true (filter ? mt_emit_match (&e, x, &spec) : mt_emit_value (&e, x, &spec, "v"));
      for (int d = 0; d < DOC_COUNT; d++, ++*compared)
         bad += !same_answer (a, &env, engine, text, x, &spec, filter, d);
   }
   bson_destroy (&spec);
   mt_arena_free (a);
   return bad;
}

static void rows (void **state)
{
   char line[4096];
   int bad = 0, compared = 0;
   MtError err;
   MtEngine *engine;
   FILE *f = fopen ("tests/unit/data/emit.txt", "r");
   assert_non_null (f);
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   while (fgets (line, sizeof line, f)) {
      line[strcspn (line, "\n")] = 0;
      if (line[0] && line[0] != '#' && strncmp (line, "=> ", 3))
         bad += check_rows (engine, line, &compared);
   }
   fclose (f);
   mt_engine_close (engine);
   assert_true (compared > 2000);
   assert_int_equal (bad, 0);
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
      MtEmit e = {.a = a, .err = &err, .style = &env.style, .columns = places};
      assert_true (bind_env_sql (
         a, &env, mt_printf (a, "SELECT 1 FROM calls WHERE %s", cases[i][0]), &q, &err));
      assert_true (mt_emit_match (&e, q->where, &doc));
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
   const struct CMUnitTest tests[] = {cmocka_unit_test (expressions), cmocka_unit_test (rows),
                                      cmocka_unit_test (stored_forms)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
