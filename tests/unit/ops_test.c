/* Operators of the local executor: every row's example, and tables of edges. Arguments are
 * constants here. */
#include "engine/local/expr/op.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const MtOpRow *const tables[] = {mt_ops_arithmetic, mt_ops_compare, mt_ops_string,
                                        mt_ops_date,       mt_ops_convert, mt_ops_array,
                                        mt_ops_stat,       mt_ops_hash,    mt_ops_encode};

static const MtOpRow *find (MtStr name)
{
   for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++)
         if (mt_str_is (name, r->name))
            return r;
   return NULL;
}

static MtVal parse (MtArena *a, const char *text, size_t n)
{
   bson_error_t e;
   char *wrapped = mt_printf (a, "{\"v\": %.*s}", (int) n, text);
   bson_t *b = bson_new_from_json ((const uint8_t *) wrapped, -1, &e);
   if (!b)
      fail_msg ("%s: %s", wrapped, e.message);
   MtVal v = mt_v_copy (a, mt_doc_get (mt_v_doc (b), "v", 1));
   bson_destroy (b);
   return v;
}

/* {"$literal": x} is x, "$missing" is a missing value; in arrays and documents too. */
static MtVal constant (MtVal v)
{
   if (v.type == MT_DOC && mt_doc_get (v, "$literal", 8).type != MT_MISSING)
      return mt_doc_get (v, "$literal", 8);
   return v.type == MT_STRING && v.len == 8 && memcmp (v.p, "$missing", 8) == 0 ? mt_v_missing ()
                                                                                : v;
}

static int arguments (MtArena *a, const MtOpRow *row, MtVal arg, MtVal *args)
{
   int n = 0;
   if (row->params && arg.type == MT_DOC) {
      for (const char *p = row->params; *p; n++) {
         size_t len = strcspn (p, ",");
         args[n] = constant (mt_doc_get (arg, p, p[len - 1] == '?' ? len - 1 : len));
         p += len + (p[len] == ',');
      }
      return n;
   }
   if (arg.type == MT_ARRAY) {
      size_t count;
      MtVal *list = mt_v_elements (a, arg, &count);
      for (; n < (int) count; n++)
         args[n] = constant (list[n]);
      return n;
   }
   args[0] = constant (arg);
   return 1;
}

/* Evaluates {"$op": arguments}; the answer as JSON, "missing", or "!SQLSTATE message". */
static const char *evaluate (MtArena *a, MtStr text)
{
   /* The operator's name is cut off by hand: libbson's reader has its own idea of some. */
   const char *open = memchr (text.p, '"', text.n),
              *close = open ? memchr (open + 1, '"', text.n) : NULL;
   assert_non_null (close);
   const MtOpRow *row = find ((MtStr) {open + 1, (size_t) (close - open - 1)});
   if (!row)
      fail_msg ("no operator in %.*s", (int) text.n, text.p);
   const char *from = strchr (close, ':') + 1;
   size_t n = (size_t) (text.p + text.n - from) - 1;
   MtVal args[32] = {{0}}, out = mt_v_missing ();
   int argc = arguments (a, row, parse (a, from, n), args);
   if ((row->min_args >= 0 && argc < row->min_args) || (row->max_args >= 0 && argc > row->max_args))
      fail_msg ("%s doesn't take %d arguments", row->name, argc);
   MtError err = {0};
   MtEval ev = {.arena = a, .err = &err, .user = row->user};
   if (!row->fn (&ev, args, argc, &out))
      return mt_printf (a, "!%s %s", err.sqlstate, err.message);
   if (mt_error_is_set (&err))
      fail_msg ("%s succeeds and sets an error", row->name);
   if (out.type == MT_MISSING)
      return "missing";
   MtBuf b = {0};
   mt_v_to_json (out, true, &b);
   char *json = mt_strdup (a, b.p);
   mt_buf_free (&b);
   return json;
}

/* What is expected, in the same form. */
static const char *expected (MtArena *a, const char *text)
{
   if (text[0] == '!' || strcmp (text, "missing") == 0)
      return text;
   MtBuf b = {0};
   mt_v_to_json (parse (a, text, strlen (text)), true, &b);
   char *json = mt_strdup (a, b.p);
   mt_buf_free (&b);
   return json;
}

static int check (const char *line)
{
   MtArena *a = mt_arena_new ("test", NULL);
   const char *arrow = strstr (line, " => ");
   if (!arrow)
      fail_msg ("no answer in: %s", line);
   const char *got = evaluate (a, (MtStr) {line, (size_t) (arrow - line)}),
              *want = expected (a, arrow + 4);
   /* An error is told by its code and the beginning of its text. */
   bool same = want[0] == '!' ? strncmp (got, want, strlen (want)) == 0 : strcmp (got, want) == 0;
   if (!same)
      fprintf (stderr, "%s\n   got: %s\n", line, got);
   mt_arena_free (a);
   return !same;
}

static void examples (void **state)
{
   int rows = 0, wrong = 0;
   for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++) {
         assert_non_null (r->summary);
         assert_non_null (r->example);
         assert_true (find (mt_str (r->name)) == r);
         wrong += check (r->example);
         rows++;
      }
   assert_true (rows > 100);
   assert_int_equal (wrong, 0);
}

static void edges (void **state)
{
   char path[] = __FILE__, file[512], line[2048];
   int lines = 0, wrong = 0;
   *strrchr (path, '/') = 0;
   snprintf (file, sizeof file, "%s/data/operators.txt", path);
   FILE *f = fopen (file, "r");
   if (!f)
      fail_msg ("no %s", file);
   while (fgets (line, sizeof line, f)) {
      line[strcspn (line, "\n")] = 0;
      if (!line[0] || line[0] == '#')
         continue;
      wrong += check (line);
      lines++;
   }
   fclose (f);
   assert_true (lines > 200);
   if (wrong)
      fail_msg ("%d of %d differ", wrong, lines);
}

/* No operator may crash on arguments of any types; what it answers must be a sound value. */
static void any_types (void **state)
{
   static const char pool[] =
      "[null, 1, {\"$numberLong\": \"-9223372036854775808\"}, 1.5, {\"$numberDouble\": \"NaN\"}, {\"$numberDecimal\": \"-1.5\"}, \"\", \"a\\u00e9\", true,"
      "{}, {\"a\": 1}, [], [1, \"x\"], {\"$date\": \"2020-01-01T00:00:00Z\"}, {\"$oid\": \"5ab9cbfa31c2ab715d42129e\"}, {\"$minKey\": 1},"
      "{\"$binary\": {\"base64\": \"AAE=\", \"subType\": \"00\"}}, {\"$regularExpression\": {\"pattern\": \"a\", \"options\": \"i\"}}, \"day\", -1, \"int\"]";
   MtArena *root = mt_arena_new ("pool", NULL);
   size_t n;
   MtVal *v = mt_v_elements (root, parse (root, pool, strlen (pool)), &n);
   v[n - 1] = mt_v_missing ();
   int answers = 0;
   for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
      for (const MtOpRow *r = tables[t]; r->name; r++) {
         int argc = r->max_args > 0 ? r->max_args : 2;
         for (size_t i = 0; i < n * n; i++) {
            MtArena *a = mt_arena_new ("op", NULL);
            MtVal args[32], out = mt_v_missing ();
            MtError err = {0};
            MtEval ev = {.arena = a, .err = &err, .user = r->user};
            for (int k = 0; k < argc; k++)
               args[k] = v[k == 0 ? i % n : k == 1 ? i / n : (i * 7 + (size_t) k * 5) % n];
            bool ok = r->fn (&ev, args, argc, &out);
            assert_int_equal (ok, !mt_error_is_set (&err));
            MtBuf b = {0};
            if (ok)
               mt_v_to_json (out, false, &b);
            answers += ok;
            mt_buf_free (&b);
            mt_arena_free (a);
         }
      }
   assert_true (answers > 1000);
   mt_arena_free (root);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (examples), cmocka_unit_test (edges),
                                      cmocka_unit_test (any_types)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
