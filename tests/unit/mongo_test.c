/* The engine on a server. What needs one runs against MTSQL_TEST_URI
 * (tests/servers/mongo_engine_test.py) and is skipped without. */
#include "engine/engine.h"
#include "tests/unit/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MtEngine *e;

static int setup (void **state)
{
   const char *uri = getenv ("MTSQL_TEST_URI");
   char target[1000];
   mt_error_clear (&err);
   e = NULL;
   if (!uri)
      return 0;
   snprintf (target, sizeof target, "%s/mtsql_unit_%ld", uri, (long) getpid ());
   if (!mt_engine_open (target, NULL, &e, &err)) {
      fprintf (stderr, "%s\n", err.message);
      return -1;
   }
   return 0;
}

static int teardown (void **state)
{
   if (!e)
      return 0;
   MtArena *a = mt_arena_new ("names", NULL);
   const char **names;
   size_t count;
   mt_engine_rollback (e);
   if (mt_engine_collections (e, a, &names, &count, &err))
      for (size_t i = 0; i < count; i++)
         mt_engine_drop_collection (e, names[i], &err);
   mt_arena_free (a);
   mt_engine_close (e);
   return 0;
}

#define NEEDS_SERVER() \
   do { \
      if (!e) \
         skip (); \
   } while (0)

static bson_t *json (const char *text)
{
   bson_error_t error;
   bson_t *b = bson_new_from_json ((const uint8_t *) text, -1, &error);
   if (!b)
      fail_msg ("%s: %s", text, error.message);
   return b;
}

static bool insert (const char *coll, const char *text)
{
   bson_t *b = json (text);
   bool ok = mt_engine_insert (e, coll, b, true, &err);
   bson_destroy (b);
   return ok;
}

static bool replace (const char *coll, const char *text)
{
   bson_t *b = json (text);
   bool ok = mt_engine_replace (e, coll, b, &err);
   bson_destroy (b);
   return ok;
}

/* Runs a pipeline to its end; the last document's field n, or the number of documents when it has
 * none. */
static bool run (const char *coll, const char *pipeline, int64_t *n)
{
   bson_t *p = json (pipeline);
   MtAggregateArgs args = {.collection = coll, .pipeline = p};
   MtCursor *c;
   const bson_t *doc;
   bson_iter_t it;
   int64_t documents = 0, value = -1;
   bool ok = mt_engine_aggregate (e, &args, &c, &err);
   if (ok) {
      while ((ok = mt_cursor_next (c, &doc, &err)) && doc) {
         documents++;
         if (bson_iter_init_find (&it, doc, "n"))
            value = bson_iter_as_int64 (&it);
      }
      mt_cursor_free (c);
   }
   bson_destroy (p);
   *n = value >= 0 ? value : documents;
   return ok;
}

static int64_t count_of (const char *coll)
{
   int64_t n;
   OK (run (coll, "{\"0\": {\"$match\": {}}}", &n));
   return n;
}

static int64_t v_of (const char *coll, int id)
{
   MtArena *a = mt_arena_new ("find", NULL);
   bson_t *doc;
   bson_iter_t it;
   OK (mt_engine_find_id (e, a, coll, mt_v_int32 (id), &doc, &err));
   int64_t v = doc && bson_iter_init_find (&it, doc, "v") ? bson_iter_as_int64 (&it) : -1;
   mt_arena_free (a);
   return v;
}

static void test_no_server (void **state)
{
   MtEngine *none;
   FAILS (MT_E_CONNECT, mt_engine_open ("mongodb://127.0.0.1:1/x", NULL, &none, &err));
   FAILS (MT_E_CONNECT, mt_engine_open ("mongodb://", NULL, &none, &err));
}

static void test_caps (void **state)
{
   NEEDS_SERVER ();
   const MtCaps *caps = mt_engine_caps (e);
   assert_string_equal (caps->engine, "mongo");
   assert_true (caps->version[0] != 0);
   const char *sets = getenv (
      "MTSQL_TEST_ATOMIC"); /* "1": it is known to have transactions; "0": to have none */
   if (sets)
      assert_int_equal (caps->atomic_write, *sets == '1');
   assert_int_equal (caps->atomic_write, caps->atomic_bytes > 0);
   for (size_t i = 0; caps->lacking && caps->lacking[i]; i++)
      printf ("server %s lacks %s\n", caps->version, caps->lacking[i]);
}

static void test_write_and_read (void **state)
{
   NEEDS_SERVER ();
   OK (mt_engine_begin (e, &err));
   for (int i = 0; i < 2500; i++) {
      char text[100];
      snprintf (text, sizeof text, i % 2 ? "{\"v\": %d}" : "{\"_id\": %d, \"v\": 1}", i);
      OK (insert (i % 3 ? "a" : "b", text));
   }
   OK (mt_engine_commit (e, &err));
   assert_int_equal (count_of ("a") + count_of ("b"), 2500);
   assert_int_equal (count_of ("a"), 1666);
   int64_t n;
   OK (run ("a", "{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}", &n));
   assert_int_equal (n, 1666);
   assert_int_equal (v_of ("a", 2), 1);
   assert_int_equal (v_of ("a", 6), -1);
   OK (replace ("a", "{\"_id\": 2, \"v\": 5}"));
   OK (replace ("a", "{\"_id\": 6, \"v\": 7}"));
   assert_int_equal (v_of ("a", 2), 5);
   assert_int_equal (v_of ("a", 6), 7);
   bool deleted;
   OK (mt_engine_delete_id (e, "a", mt_v_int32 (6), &deleted, &err));
   assert_true (deleted);
   OK (mt_engine_delete_id (e, "a", mt_v_int32 (6), &deleted, &err));
   assert_false (deleted);
   MtCollStats st;
   OK (mt_engine_stats (e, "a", &st, &err));
   assert_in_range (st.documents, mt_engine_caps (e)->exact_stats ? 1666 : 1,
                    1666); /* estimates lag behind */
   assert_in_range (st.bytes, st.documents * 20, st.documents * 40);
   OK (mt_engine_stats (e, "missing", &st, &err));
   assert_int_equal (st.documents, 0);
   OK (mt_engine_create_index (e, "a", (const char *const[]) {"v", "x.y"}, 2, &err));
}

static void test_collections (void **state)
{
   NEEDS_SERVER ();
   bool has;
   OK (mt_engine_create_collection (e, "c", &err));
   FAILS (MT_E_DUPLICATE_TABLE, mt_engine_create_collection (e, "c", &err));
   OK (mt_engine_has_collection (e, "c", &has, &err));
   assert_true (has);
   OK (mt_engine_begin (e, &err));
   OK (mt_engine_drop_collection (e, "c", &err));
   OK (mt_engine_has_collection (e, "c", &has, &err));
   assert_false (has);
   mt_engine_rollback (e);
   OK (mt_engine_has_collection (e, "c", &has, &err));
   assert_true (has);
   OK (mt_engine_drop_collection (e, "c", &err));
   OK (mt_engine_drop_collection (e, "c", &err));
   OK (mt_engine_has_collection (e, "c", &has, &err));
   assert_false (has);
   FAILS (MT_E_PARAMETER, mt_engine_create_collection (e, "a$b", &err));
}

static void test_rollback (void **state)
{
   NEEDS_SERVER ();
   OK (insert ("a", "{\"_id\": 1, \"v\": 1}"));
   OK (insert ("a", "{\"_id\": 2, \"v\": 2}"));
   OK (insert ("a", "{\"v\": 3}"));
   OK (mt_engine_begin (e, &err));
   OK (mt_engine_create_collection (e, "made", &err));
   for (int i = 0; i < 1500; i++) {
      char text[100];
      snprintf (text, sizeof text, i % 2 ? "{\"v\": %d}" : "{\"_id\": %d, \"v\": 1}", 100 + i);
      OK (insert ("a", text));
   }
   OK (replace ("a", "{\"_id\": 1, \"v\": 10}"));
   OK (replace ("a", "{\"_id\": 50, \"v\": 50}"));
   bool deleted, has;
   OK (mt_engine_delete_id (e, "a", mt_v_int32 (2), &deleted, &err));
   assert_int_equal (count_of ("a"), 1503);
   mt_engine_rollback (e);
   assert_int_equal (count_of ("a"), 3);
   assert_int_equal (v_of ("a", 1), 1);
   assert_int_equal (v_of ("a", 2), 2);
   OK (mt_engine_has_collection (e, "made", &has, &err));
   assert_false (has);
}

static void test_duplicate_spares_the_old (void **state)
{
   NEEDS_SERVER ();
   OK (insert ("a", "{\"_id\": 1, \"v\": 1}"));
   FAILS (MT_E_UNIQUE, insert ("a", "{\"_id\": 1, \"v\": 2}"));
   OK (mt_engine_begin (e, &err));
   OK (insert ("a", "{\"_id\": 0, \"v\": 2}"));
   OK (insert ("a", "{\"_id\": 1, \"v\": 2}"));
   OK (insert ("a", "{\"_id\": 2, \"v\": 2}"));
   FAILS (MT_E_UNIQUE, mt_engine_commit (e, &err)); /* rolled back */
   assert_int_equal (count_of ("a"), 1);
   assert_int_equal (v_of ("a", 1), 1);
}

static void test_errors (void **state)
{
   NEEDS_SERVER ();
   int64_t n;
   OK (insert ("a", "{\"_id\": 1, \"v\": \"x\"}"));
   FAILS (MT_E_FEATURE, run ("a", "{\"0\": {\"$nosuchstage\": {}}}", &n));
   FAILS (
      MT_E_DIVISION_BY_ZERO,
      run (
         "a",
         "{\"0\": {\"$project\": {\"x\": {\"$divide\": [1, \"$zero\"]}}}, \"1\": {\"$match\": {\"x\": {\"$divide\": 1}}}}",
         &n) ||
         run ("a", "{\"0\": {\"$project\": {\"x\": {\"$divide\": [\"$_id\", 0]}}}}", &n));
   FAILS (MT_E_TEXT_REPRESENTATION,
          run ("a", "{\"0\": {\"$project\": {\"x\": {\"$toInt\": \"$v\"}}}}", &n));
   MtCancel cancel = {0};
   atomic_init (&cancel.requested, true);
   mt_engine_set_cancel (e, &cancel);
   FAILS (MT_E_CANCELED, run ("a", "{\"0\": {\"$match\": {}}}", &n));
   mt_engine_set_cancel (e, NULL);
   assert_int_equal (count_of ("a"), 1);
}

int main (void)
{
#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_no_server),
      T (test_caps),
      T (test_write_and_read),
      T (test_collections),
      T (test_rollback),
      T (test_duplicate_spares_the_old),
      T (test_errors),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
