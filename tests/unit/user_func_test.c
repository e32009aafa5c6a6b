/* Functions from outside: CREATE FUNCTION in SQL, as a template, in C; and step functions of time
 * against the grain of buckets. */
#include "planner/emit/eval.h"
#include "functions/signature.h"
#include "tests/unit/bind_env.h"

#include "types/datetime.h"
#include "query/function.h"
#include "planner/cut/step.h"
#include "analyze/routines/module.h"
#include "analyze/routines/user_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char library[4096]; /* build/tests/x -> build/extensions/example.so */

/* Creates a function and evaluates a statement with it: the text, or the error of either. */
static void answer (const char *create, const char *sql, bool through_bson, MtBuf *out)
{
   MtArena *a = mt_arena_new ("user_func_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtStmt *st;
   const MtFunc *f = NULL;
   MtQuery *q;
   MtVal v;
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_parse (a, create, strlen (create), &st, &err);
   ok = ok && mt_func_from_create (a, &env, st, true, &f, &err);
   if (ok && through_bson)
      ok = mt_func_to_bson (&env, st, &doc, &err) &&
           mt_func_from_bson (a, &env, &doc, true, &f, &err);
   env.user_functions = &f;
   env.user_function_count = 1;
   ok = ok && bind_env_sql (a, &env, sql, &q, &err) &&
        mt_eval_const (a, q->targets[0].expr, &env, &v, &err);
   if (!ok)
      mt_buf_printf (out, "ERROR %s %s", err.sqlstate, err.message);
   else if (mt_is_nullish (v))
      mt_buf_adds (out, "NULL");
   else
      assert_true (mt_value_print (q->targets[0].expr->type, v, &env.style, out, &err));
   bson_destroy (&doc);
   mt_arena_free (a);
}

static void languages (void **state)
{
   static const struct {
      const char *create, *sql, *want;
   } cases[] = {
      {"CREATE FUNCTION celsius (f double precision) RETURNS double precision LANGUAGE sql AS 'SELECT (f - 32) * 5 / 9'",
       "SELECT celsius(212)", "100"},
      {"CREATE FUNCTION inc (int) RETURNS bigint LANGUAGE sql AS '$1 + 1'",
       "SELECT inc(inc(1)::int)", "3"},
      {"CREATE FUNCTION k (int) RETURNS int LANGUAGE sql AS '7'", "SELECT k(NULL)", "7"},
      {"CREATE FUNCTION k (int) RETURNS int STRICT LANGUAGE sql AS '7'", "SELECT k(NULL)", "NULL"},
      {"CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS 'x + y'", "SELECT 1",
       "ERROR 42703 column \"y\" does not exist"},
      {"CREATE FUNCTION bad (x int) RETURNS date LANGUAGE sql AS 'x'", "SELECT 1",
       "ERROR 42P13 return type mismatch in function declared to return date"},
      {"CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS 'x +'", "SELECT 1",
       "ERROR 42601 syntax error at end of input"},
      {"CREATE FUNCTION hyp (float8, float8) RETURNS float8 LANGUAGE mql IMMUTABLE STRICT AS '{\"$sqrt\": {\"$add\": [{\"$pow\": [\"$1\", 2]}, {\"$pow\": [\"$2\", 2]}]}}'",
       "SELECT hyp(3, 4)", "5"},
      {"CREATE FUNCTION bad (x int) RETURNS int LANGUAGE sql AS 'SELECT 1, 2'", "SELECT 1",
       "ERROR 42P13 return type mismatch in function declared to return integer"},
      {"CREATE FUNCTION bad (x int) RETURNS int LANGUAGE mql AS '{\"$add\": [\"$1.a\", \"$$ROOT\"]}'",
       "SELECT 1", "ERROR 42P17 template refers to a field \"1.a\""},
      {"CREATE FUNCTION add (x int, y int = 2, z int DEFAULT x) RETURNS int LANGUAGE sql AS 'x'",
       "SELECT 1", "ERROR 0A000 cannot use column reference in DEFAULT expression"},
      {"CREATE FUNCTION add (x int, y int = 2, z int DEFAULT length('abc')) RETURNS int LANGUAGE mql AS '{\"$add\": [\"$x\", \"$y\", \"$z\"]}'",
       "SELECT add(1, z => 10)", "13"},
      {"CREATE FUNCTION hyp (float8) RETURNS float8 LANGUAGE mql STRICT AS '{\"$sqrt\": \"$1\"}'",
       "SELECT hyp(NULL)", "NULL"},
      {"CREATE FUNCTION bad (float8) RETURNS float8 LANGUAGE mql AS '{\"$sqrt\": \"$2\"}'",
       "SELECT 1", "ERROR 42P02 there is no parameter $2"},
      {"CREATE FUNCTION bad (float8) RETURNS float8 LANGUAGE mql AS '{\"$sqrt\": '", "SELECT 1",
       "ERROR 42601 syntax error at end of input"},
      {"CREATE FUNCTION bad (float8) RETURNS float8 LANGUAGE mql AS '{\"$add\": [\"$1\", \"$other\"]}'",
       "SELECT 1", "ERROR 42P17 template refers to a field \"other\""},
      {"CREATE FUNCTION f (int) RETURNS int LANGUAGE plpgsql AS 'x'", "SELECT 1",
       "ERROR 42704 language \"plpgsql\" does not exist"},
      {"CREATE FUNCTION f (int) RETURNS int LANGUAGE c AS '/no/such/file.so'", "SELECT 1",
       "ERROR 58P01 could not load library"},
   };
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      for (int bson = 0; bson < 2; bson++) {
         MtBuf out = {0};
         answer (cases[i].create, cases[i].sql, bson, &out);
         if (strncmp (out.p, cases[i].want, strlen (cases[i].want)))
            fail_msg ("%s: %s: %s", cases[i].create, cases[i].sql, out.p);
         mt_buf_free (&out);
      }
}

static void c_library (void **state)
{
   MtBuf create = {0}, out = {0};
   mt_buf_printf (
      &create, "CREATE FUNCTION words (t text) RETURNS int STRICT LANGUAGE c AS '%s', 'word_count'",
      library);
   answer (create.p, "SELECT words('to be or  not')", false, &out);
   assert_string_equal (out.p, "4");
   mt_buf_clear (&out);
   answer (create.p, "SELECT words(NULL)", true, &out);
   assert_string_equal (out.p, "NULL");
   mt_buf_clear (&out);
   mt_buf_clear (&create);
   mt_buf_printf (
      &create, "CREATE FUNCTION words (t text) RETURNS int LANGUAGE c AS '%s', 'nothing'", library);
   answer (create.p, "SELECT 1", false, &out);
   assert_memory_equal (out.p, "ERROR 42883", 11);
   mt_buf_free (&out);
   mt_buf_free (&create);
}

static void module (void **state)
{
   MtArena *a = mt_arena_new ("user_func_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   MtVal v;
   const MtModule *m;
   MtModuleRows rows;
   assert_true (mt_extension_open (library, &m, &err) && mt_module_rows (a, m, &rows, &err));
   env.user_functions = rows.functions;
   env.user_function_count = rows.function_count;
   assert_int_equal (env.user_function_count, 2);
   assert_true (bind_env_sql (
      a, &env, "SELECT round(haversine_km(52.52, 13.405, 48.137, 11.575)::numeric)", &q, &err));
   assert_true (mt_eval_const (a, q->targets[0].expr, &env, &v, &err));
   MtBuf out = {0};
   assert_true (mt_value_print (q->targets[0].expr->type, v, &env.style, &out, &err));
   assert_string_equal (out.p, "504");
   assert_false (bind_env_sql (a, &env, "SELECT haversine_km(99, 0, 0, 0)", &q, &err));
   assert_string_equal (err.sqlstate, MT_E_NUMERIC_RANGE);
   mt_buf_free (&out);
   mt_arena_free (a);
}

/* ---- steps ---- */

/* Brute force over every minute: does x change only at starts of the grain? */
static bool changes_on_grain (MtArena *a, const MtX *x, int64_t grain_ms, int64_t lo, int64_t hi,
                              const MtBindEnv *env)
{
   MtVal row[BIND_ENV_COLUMNS] = {{0}}, before = mt_v_missing (), now;
   MtError err;
   for (int64_t t = lo; t <= hi; t += 60000) {
      row[0] = mt_v_date (t);
      assert_true (mt_eval_row (a, x, row, env, &now, &err));
      if (t > lo && mt_v_compare (before, now) != 0 && t % grain_ms != 0)
         return false;
      before = now;
   }
   return true;
}

static const struct {
   MtUnit unit;
   int64_t ms;
} grains[] = {{MT_UNIT_MINUTE, 60000}, {MT_UNIT_HOUR, 3600000}, {MT_UNIT_DAY, 86400000}};

typedef struct Found {
   int aligned, not_aligned, missed;
} Found;

static void check_step (const char *expr, int64_t lo, int64_t hi, Found *found)
{
   MtArena *a = mt_arena_new ("user_func_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   assert_true (bind_env_sql (a, &env, mt_printf (a, "SELECT %s FROM calls", expr), &q, &err));
   const MtX *x = q->targets[0].expr;
   for (int g = 0; g < 3; g++) {
      bool says = mt_step_boundaries_aligned (x, 0, grains[g].unit, lo, hi, &env.style);
      bool is = changes_on_grain (a, x, grains[g].ms, lo, hi, &env);
      if (says && !is)
         fail_msg ("%s is not constant on %s", expr, mt_unit_name (grains[g].unit));
      if (is &&
          !says) /* allowed, but a missed cut: only where boundaries are those of coarser steps */
         print_message ("%s would be constant on %s\n", expr, mt_unit_name (grains[g].unit));
      found->aligned += says;
      found->not_aligned += !says;
      found->missed += is && !says;
   }
   mt_arena_free (a);
}

/* Around changes of clocks that are odd: by half an hour, at or beside midnight, of a day. */
static void steps_of_clocks (void **state)
{
   static const struct {
      const char *zone;
      int64_t at;
   } changes[] = {
      {"Europe/Berlin", INT64_C (1729990800000)},
      {"Europe/Berlin", INT64_C (1743296400000)},
      {"Australia/Lord_Howe", INT64_C (1712415600000)},
      {"Pacific/Chatham", INT64_C (1712412000000)},
      {"America/Goose_Bay", INT64_C (1257044460000)},
      {"America/Havana", INT64_C (1446354000000)},
      {"Pacific/Apia", INT64_C (1325239200000)},
      {"America/Caracas", INT64_C (1197183600000)},
      {"America/St_Johns", INT64_C (1257042660000)},
   };
   static const char *const exprs[] = {
      "date_trunc('hour', ts, '%s')",
      "date_trunc('day', ts, '%s')",
      "date_trunc('month', ts, '%s')",
      "time_bucket('10 min', ts, '%s')",
      "time_bucket('45 min', ts, '%s')",
      "time_bucket('1 hour', ts, '%s')",
      "time_bucket('2 hours', ts, '%s')",
      "time_bucket('12 hours', ts, '%s')",
      "time_bucket('1 day', ts, '%s')",
      "time_bucket('36 hours', ts, '%s')",
      "time_bucket('1 week', ts, '%s')",
      "time_bucket('1 month', ts, '%s')",
      "time_bucket('1 day', ts, '%s', NULL, interval '30 min')",
      "time_bucket('2 hours', ts, '%s', timestamptz '2030-01-01 00:20+00', NULL)",
   };
   Found found = {0};
   for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
      for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
         char expr[200];
         snprintf (expr, sizeof expr, exprs[i], changes[c].zone);
         check_step (expr, changes[c].at - 30 * INT64_C (3600000),
                     changes[c].at + 30 * INT64_C (3600000), &found);
      }
   assert_true (found.aligned > 100 && found.not_aligned > 100 && !found.missed);
}

static void steps (void **state)
{
   static const char *const exprs[] = {
      "date_trunc('hour', ts)",
      "date_trunc('day', ts)",
      "date_trunc('week', ts)",
      "date_trunc('month', ts)",
      "date_trunc('day', ts, 'Asia/Tokyo')",
      "date_trunc('day', ts, 'Asia/Kolkata')",
      "date_trunc('hour', ts, 'Asia/Kolkata')",
      "date_trunc('day', ts, 'Europe/Berlin')",
      "date_trunc('week', ts, 'America/New_York')",
      "date_trunc('month', ts, 'Asia/Kathmandu')",
      "time_bucket('5 min', ts)",
      "time_bucket('7 min', ts)",
      "time_bucket('6 hours', ts)",
      "time_bucket('3 days', ts)",
      "time_bucket('1 month', ts)",
      "time_bucket('1 day', ts, 'Europe/Berlin')",
      "time_bucket('6 hours', ts, 'Europe/Berlin')",
      "time_bucket('1 day', ts, 'Australia/Lord_Howe')",
      "time_bucket('1 day', ts, interval '90 min')",
      "time_bucket('2 hours', ts, timestamptz '2020-01-01 00:30+00')",
      "extract(hour FROM ts)",
      "extract(dow FROM ts)",
      "extract(minute FROM ts)",
      "ts::date",
      "date_bin('15 min', ts, timestamptz '2020-01-01 00:05+00')",
      "extract(month FROM ts)",
   };
   /* Around the spring change of 2020 in Berlin, and New York's; and a range without changes. */
   static const int64_t ranges[][2] = {{INT64_C (1583020800000), INT64_C (1585872000000)},
                                       {INT64_C (1592179200000), INT64_C (1592697600000)}};
   Found found = {0};
   for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++)
      for (int r = 0; r < 2; r++)
         check_step (exprs[i], ranges[r][0], ranges[r][1], &found);
   assert_true (found.aligned > 60 && found.not_aligned > 30);
}

int main (int argc, char **argv)
{
   const char *slash = strrchr (argv[0], '/');
   snprintf (library, sizeof library, "%.*s/../extensions/example.so",
             slash ? (int) (slash - argv[0]) : 1, slash ? argv[0] : ".");
   const struct CMUnitTest tests[] = {cmocka_unit_test (languages), cmocka_unit_test (c_library),
                                      cmocka_unit_test (module), cmocka_unit_test (steps),
                                      cmocka_unit_test (steps_of_clocks)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
