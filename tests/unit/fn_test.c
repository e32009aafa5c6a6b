/* Functions: PostgreSQL's answers (tests/unit/data/functions.tsv, made by
 * tests/oracle/functions.py), and every row's example; each both by the C functions and as a
 * pipeline's expression in the local executor. */
#include "base/bson.h"
#include "planner/emit/eval.h"
#include "functions/signature.h"
#include "tests/unit/bind_env.h"

#include "engine/engine.h"
#include "analyze/block/block.h"
#include "analyze/calls/fold.h"
#include "planner/plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void print_value (const MtX *x, MtVal v, const MtTextStyle *style, MtBuf *out, MtError *err)
{
   mt_buf_printf (out, "%s\t", mt_type_info (x->type.id)->display);
   if (mt_is_nullish (v))
      mt_buf_adds (out, "NULL");
   else if (!mt_value_print (x->type, v, style, out, err))
      mt_buf_printf (out, "PRINT %s", err->message);
}

/* "type \t text" or "ERROR \t state" */
static void evaluate (const char *sql, MtBuf *out)
{
   MtArena *a = mt_arena_new ("fn_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtQuery *q;
   MtVal v;
   bool ok = bind_env_sql (a, &env, sql, &q, &err) &&
             mt_eval_const (a, q->targets[0].expr, &env, &v, &err);
   if (ok)
      print_value (q->targets[0].expr, v, &env.style, out, &err);
   else
      mt_buf_printf (out, "ERROR\t%s", err.sqlstate);
   mt_arena_free (a);
}

static void oracle (void **state)
{
   char line[4096], sql[4200];
   MtBuf got = {0};
   int count = 0, bad = 0;
   FILE *f = fopen ("tests/unit/data/functions.tsv", "r");
   assert_non_null (f);
   while (fgets (line, sizeof line, f)) {
      line[strcspn (line, "\n")] = 0;
      char *tab = strchr (line, '\t');
      assert_non_null (tab);
      *tab++ = 0;
      snprintf (sql, sizeof sql, "SELECT %s", line);
      mt_buf_clear (&got);
      evaluate (sql, &got);
      count++;
      if (strcmp (tab, got.p)) {
         fprintf (stderr, "%s\n   PostgreSQL %s\n   here       %s\n", sql, tab, got.p);
         bad++;
      }
   }
   fclose (f);
   mt_buf_free (&got);
   assert_true (count >= 400);
   assert_int_equal (bad, 0);
}

/* Where the result begins: " => " may stand in a call, too. */
static const char *last_arrow (const char *example)
{
   const char *at = NULL;
   for (const char *p = example; (p = strstr (p, " => ")); p++)
      at = p;
   return at;
}

/* "SELECT f(1) => 2" */
static int check_example (const char *name, const char *example)
{
   MtBuf got = {0};
   const char *arrow = last_arrow (example);
   int bad = 0;
   if (!arrow) {
      fprintf (stderr, "%s: its example says no result: %s\n", name, example);
      return 1;
   }
   char *sql = strndup (example, (size_t) (arrow - example));
   evaluate (sql, &got);
   const char *value = strchr (got.p, '\t') + 1;
   if (strcmp (value, arrow + 4) && !(strcmp (value, "NULL") == 0 && arrow[4] == 0)) {
      fprintf (stderr, "%s: %s\n   got %s\n", name, example, got.p);
      bad = 1;
   }
   free (sql);
   mt_buf_free (&got);
   return bad;
}

/* Sets, and what fills gaps: their examples are queries, below. */
static bool needs_rows (const MtFunc *f)
{
   return f->flags & MT_F_SET || strstr (f->example, " FROM (");
}

static void examples (void **state)
{
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   int bad = 0;
   assert_true (n > 300);
   for (size_t i = 0; i < n; i++) {
      assert_non_null (f[i].summary);
      assert_non_null (f[i].example);
      assert_true (f[i].op || f[i].sql || f[i].mql);
      bad += needs_rows (&f[i]) ? 0 : check_example (f[i].name, f[i].example);
   }
   assert_int_equal (bad, 0);
}

/* ---- templates and operators in the executor give what the C functions give ---- */

static MtEngine *engine;

/* f's arguments as fields of a document, so that nothing is folded. */
static MtX *over_fields (MtArena *a, const MtX *x, bson_t *row, MtPlace *places)
{
   MtX *call = MT_NEW (a, MtX);
   *call = *x;
   call->call.args = MT_NEW_N (a, MtX *, (size_t) x->call.argc + 1);
   for (int i = 0; i < x->call.argc; i++) {
      MtX *c = MT_NEW (a, MtX);
      char *name = mt_printf (a, "f%d", i);
      *c = *x->call.args[i];
      if (c->kind == MT_X_CONST) {
         bson_t literal; /* a text may begin with $ */
         BSON_APPEND_DOCUMENT_BEGIN (row, name, &literal);
         mt_doc_append (&literal, "$literal", c->value);
         bson_append_document_end (row, &literal);
         places[i] = (MtPlace) {.path = name, .may_be_missing = true, .nullable = true};
         c->kind = MT_X_COLUMN;
         c->column = i;
         c->nullable = true;
      }
      call->call.args[i] = c;
   }
   call->nullable = true;
   return call;
}

static bool run_pipeline (MtArena *a, const MtX *x, const MtPlace *places, const bson_t *row,
                          MtVal *out, MtError *err)
{
   MtEmit e = {.a = a, .err = err, .columns = places};
   bson_t pipeline = BSON_INITIALIZER, stage, docs, project;
   MtCursor *c = NULL;
   const bson_t *doc = NULL;
   bson_iter_t it;
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "0", &stage);
   BSON_APPEND_ARRAY_BEGIN (&stage, "$documents", &docs);
   BSON_APPEND_DOCUMENT (&docs, "0", row);
   bson_append_array_end (&stage, &docs);
   bson_append_document_end (&pipeline, &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&pipeline, "1", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$project", &project);
   BSON_APPEND_INT32 (&project, "_id", 0);
   bool ok = mt_emit_value (&e, x, &project, "v");
   bson_append_document_end (&stage, &project);
   bson_append_document_end (&pipeline, &stage);
   ok = ok && mt_engine_aggregate (engine, &(MtAggregateArgs) {.pipeline = &pipeline}, &c, err) &&
        mt_cursor_next (c, &doc, err);
   if (ok)
      *out = doc && bson_iter_init_find (&it, doc, "v") ? mt_v_copy (a, mt_v_from_iter (&it))
                                                        : mt_v_missing ();
   mt_cursor_free (c);
   bson_destroy (&pipeline);
   return ok;
}

static MtX *unfolded (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtError *err)
{
   MtBinder b = mt_binder_new (a, env, err);
   MtScope s = {.clause = MT_CLAUSE_SELECT};
   MtX *x;
   if (!mt_bind_x (&b, &s, e, &x))
      return NULL;
   for (int i = 0; x->kind == MT_X_CALL && i < x->call.argc;
        i++) /* arguments are folded, the call itself isn't */
      if (!mt_fold (&b, &x->call.args[i]))
         return NULL;
   return x;
}

/* The example's outermost call, its arguments as constants and then as fields. */
static int compare_ways (const MtFunc *f, bool fields, int *compared)
{
   MtArena *a = mt_arena_new ("fn_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtStmt *st;
   int bad = 0;
   bson_t row = BSON_INITIALIZER;
   char *sql = mt_strndup (a, f->example, (size_t) (last_arrow (f->example) - f->example));
   if (mt_parse (a, sql, strlen (sql), &st, &err)) {
      MtX *x = unfolded (a, &env, st->select->plain.targets->expr, &err);
      if (x && x->kind == MT_X_CALL && x->call.fn == f && !x->is_volatile) {
         MtPlace places[16] = {{0}};
         ++*compared;
         MtVal want = mt_v_missing (), got = mt_v_missing ();
         MtX *call = fields ? over_fields (a, x, &row, places) : x;
         if (!mt_eval_const (a, x, &env, &want, &err) ||
             !run_pipeline (a, call, places, &row, &got, &err) ||
             (mt_is_nullish (want) != mt_is_nullish (got)) ||
             (!mt_is_nullish (want) && (want.type != got.type || mt_v_compare (want, got) != 0))) {
            MtBuf b = {0};
            mt_v_to_json (want, true, &b);
            mt_buf_adds (&b, " but ");
            mt_v_to_json (got, true, &b);
            fprintf (stderr, "%s %s: %s: %s %s\n", f->name, f->signature, f->example, b.p,
                     err.message);
            mt_buf_free (&b);
            bad = 1;
         }
      }
   }
   bson_destroy (&row);
   mt_arena_free (a);
   return bad;
}

static void templates (void **state)
{
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   int bad = 0, compared = 0;
   MtError err;
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   for (size_t i = 0; i < n; i++)
      for (int fields = 0; fields < 2; fields++)
         bad += compare_ways (&f[i], fields, &compared);
   mt_engine_close (engine);
   assert_int_equal (bad, 0);
   assert_true (compared > 400);
}

/* ---- written in SQL or as templates ---- */

typedef struct Written {
   const char *what;
   unsigned flag;
   int sql, mql, both, c;
} Written;

/* A row is C as soon as it has an operator, template or not. */
static void count_row (Written *w, const MtFunc *f)
{
   if (f->op)
      *(f->mql ? &w->both : &w->c) += 1;
   else
      *(f->sql ? &w->sql : &w->mql) += 1;
}

static void written (void **state)
{
   Written kinds[] = {{"functions", 0, 0, 0, 0, 0},
                      {"operators", MT_F_OPERATOR, 0, 0, 0, 0},
                      {"casts", MT_F_CAST, 0, 0, 0, 0}};
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   for (size_t i = 0; i < n; i++) {
      for (size_t j = 0; j < i; j++)
         assert_false (strcmp (f[i].name, f[j].name) == 0 &&
                       strcmp (f[i].signature, f[j].signature) == 0);
      for (size_t k = 0; k < 3 && f[i].name[0] != '$'; k++)
         if ((f[i].flags & (MT_F_OPERATOR | MT_F_CAST)) == kinds[k].flag)
            count_row (&kinds[k], &f[i]);
   }
   for (size_t k = 0; k < 3; k++)
      print_message (
         "%s: %d in SQL, %d templates, %d templates with an operator in C, %d in C alone\n",
         kinds[k].what, kinds[k].sql, kinds[k].mql, kinds[k].both, kinds[k].c);
   const Written *w = &kinds[0];
   assert_true (3 * (w->sql + w->mql) >= w->sql + w->mql + w->both + w->c);
}

/* ---- aggregates ---- */

static bool run_query (MtArena *a, const MtBindEnv *env, const char *sql, MtBuf *out, MtError *err)
{
   MtQuery *q;
   MtPlan *plan;
   MtCursor *c = NULL;
   const bson_t *doc = NULL;
   bson_iter_t it;
   MtPlanSettings settings = {
      .optimize = true, .style = env->style, .caps = mt_engine_caps (engine)};
   bool ok = bind_env_sql (a, env, sql, &q, err) && mt_plan_query (a, q, &settings, &plan, err) &&
             mt_engine_aggregate (engine, &(MtAggregateArgs) {.pipeline = plan->remote}, &c, err) &&
             mt_cursor_next (c, &doc, err);
   if (ok && doc && bson_iter_init_find (&it, doc, "c0"))
      print_value (q->targets[0].expr, mt_v_from_iter (&it), &env->style, out, err);
   mt_cursor_free (c);
   return ok;
}

/* The first column of the first row. */
static int check_first_row (const char *name, const char *example)
{
   MtArena *a = mt_arena_new ("fn_test", NULL);
   MtBindEnv env = bind_env ();
   MtError err = {0};
   MtBuf got = {0};
   const char *arrow = last_arrow (example);
   int bad = 1;
   if (!arrow)
      fprintf (stderr, "%s: its example says no result: %s\n", name, example);
   else if (!run_query (a, &env, mt_strndup (a, example, (size_t) (arrow - example)), &got, &err))
      fprintf (stderr, "%s: %s\n   %s\n", name, example, err.message);
   else if (!got.p || !strchr (got.p, '\t') || strcmp (strchr (got.p, '\t') + 1, arrow + 4))
      fprintf (stderr, "%s: %s\n   got %s\n", name, example, got.p ? got.p : "nothing");
   else
      bad = 0;
   mt_buf_free (&got);
   mt_arena_free (a);
   return bad;
}

static void aggregates (void **state)
{
   size_t n;
   const MtAgg *g = mt_builtin_aggregates (&n);
   int bad = 0;
   MtError err;
   assert_true (n > 100);
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   for (size_t i = 0; i < n; i++)
      bad += check_first_row (g[i].name, g[i].example);
   mt_engine_close (engine);
   assert_int_equal (bad, 0);
}

static void sets (void **state)
{
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   int bad = 0, count = 0;
   MtError err;
   assert_true (
      mt_engine_open (NULL, &(MtEngineOptions) {.create = true, .threads = 1}, &engine, &err));
   assert_true (mt_engine_register_ops (engine, mt_sql_ops (), &err));
   for (size_t i = 0; i < n; i++)
      if (needs_rows (&f[i])) {
         bad += check_first_row (f[i].name, f[i].example);
         count++;
      }
   mt_engine_close (engine);
   assert_int_equal (bad, 0);
   assert_true (count > 10);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (oracle),     cmocka_unit_test (examples),
                                      cmocka_unit_test (templates),  cmocka_unit_test (written),
                                      cmocka_unit_test (aggregates), cmocka_unit_test (sets)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
