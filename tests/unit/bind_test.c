/* The binder: statements to typed trees, errors with place and hint (tests/unit/data/bind.txt), and
 * its limits. */
#include "planner/emit/eval.h"
#include "functions/signature.h"
#include "tests/unit/bind_env.h"

#include "query/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void print_query (MtArena *a, const MtQuery *q, MtBuf *out)
{
   for (int i = 0; i < q->arm_count; i++) {
      mt_buf_adds (out, "{ ");
      print_query (a, q->arms[i], out);
      mt_buf_adds (out, "} ");
   }
   for (int i = 0; i < q->target_count; i++) {
      const MtX *x = q->targets[i].expr;
      mt_buf_printf (out, "%s%s: %s%s = ", i ? ", " : "", q->targets[i].name,
                     mt_type_display (a, x->type), x->nullable ? "" : " not null");
      mt_x_print (x, q, out);
   }
   if (q->distinct)
      mt_buf_adds (out, " DISTINCT");
   if (q->where) {
      mt_buf_adds (out, " WHERE ");
      mt_x_print (q->where, q, out);
   }
   if (q->grouped)
      mt_buf_printf (out, " GROUPED BY %d:", q->key_count);
   for (int i = 0; i < q->key_count; i++) {
      mt_buf_adds (out, " ");
      mt_x_print (q->keys[i], q, out);
   }
   if (q->having) {
      mt_buf_adds (out, " HAVING ");
      mt_x_print (q->having, q, out);
   }
   for (int i = 0; i < q->sort_count; i++) {
      mt_buf_adds (out, i ? ", " : " SORT ");
      mt_x_print (q->sort[i].expr, q, out);
      mt_buf_printf (out, "%s%s", q->sort[i].descending ? " desc" : "",
                     q->sort[i].nulls_first ? " nulls first" : "");
   }
   if (q->limit >= 0)
      mt_buf_printf (out, " LIMIT %lld", (long long) q->limit);
   if (q->offset)
      mt_buf_printf (out, " OFFSET %lld", (long long) q->offset);
}

static void answer (const char *sql, MtBuf *out)
{
   MtArena *a = mt_arena_new ("bind_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   if (bind_env_sql (a, &env, sql, &q, &err))
      print_query (a, q, out);
   else
      bind_env_error (&err, out);
   mt_arena_free (a);
}

static void statements (void **state)
{
   int count;
   assert_int_equal (bind_env_file ("tests/unit/data/bind.txt", answer, &count), 0);
   assert_true (count >= 80);
}

static void window_examples (void **state)
{
   size_t n;
   const MtWindowFunc *f = mt_builtin_windows (&n);
   assert_true (n >= 15);
   for (size_t i = 0; i < n; i++) {
      MtBuf out = {0};
      answer (f[i].example, &out);
      if (!f[i].summary || !strstr (f[i].example, f[i].name) || !out.p ||
          strncmp (out.p, "x: integer", 10))
         fail_msg ("%s: %s gives %s", f[i].name, f[i].example, out.p);
      mt_buf_free (&out);
   }
}

/* 1+1+… with so many terms: bound up to the limit, refused beyond it, never a crash. */
static void depth (void **state)
{
   static const int terms[] = {400, 20000};
   for (int i = 0; i < 2; i++) {
      MtBuf sql = {0}, out = {0};
      mt_buf_adds (&sql, "SELECT 1");
      for (int j = 1; j < terms[i]; j++)
         mt_buf_adds (&sql, "+1");
      answer (sql.p, &out);
      if (i == 0)
         assert_string_equal (out.p, "?column?: integer not null = 400");
      else
         assert_memory_equal (out.p, "ERROR 54001", 11);
      mt_buf_free (&sql);
      mt_buf_free (&out);
   }
}

/* An SQL function is inlined; its strictness and its parameters' names hold. */
static void sql_functions (void **state)
{
   static const MtFunc twice = {
      .name = "twice", .signature = "x int4 -> int4", .flags = MT_F_NOT_STRICT, .sql = "x * 2"};
   static const MtFunc strict = {.name = "zero_if", .signature = "int4 -> int4", .sql = "0"};
   static const MtFunc loop = {
      .name = "loop", .signature = "int4 -> int4", .flags = MT_F_NOT_STRICT, .sql = "loop($1)"};
   const MtFunc *const user[] = {&twice, &strict, &loop};
   static const char *const cases[][2] = {
      {"SELECT twice(a) FROM calls", "(a * 2)"},
      {"SELECT twice(21)", "42"},
      {"SELECT zero_if(a) FROM calls", "CASE WHEN (a IS NULL) THEN NULL ELSE 0 END"},
      {"SELECT zero_if(NULL)", "NULL"},
      {"SELECT loop(1)", NULL},
   };
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("bind_test", NULL);
      MtBindEnv env = bind_env ();
      MtError err = {0};
      MtQuery *q;
      MtBuf out = {0};
      env.user_functions = user;
      env.user_function_count = 3;
      bool ok = bind_env_sql (a, &env, cases[i][0], &q, &err);
      assert_int_equal (ok, cases[i][1] != NULL);
      if (ok) {
         mt_x_print (q->targets[0].expr, q, &out);
         assert_string_equal (out.p, cases[i][1]);
      } else
         assert_string_equal (err.sqlstate, MT_E_TOO_COMPLEX);
      mt_buf_free (&out);
      mt_arena_free (a);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (statements),
                                      cmocka_unit_test (window_examples), cmocka_unit_test (depth),
                                      cmocka_unit_test (sql_functions)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
