/* The local engine through its interface: targets, steps, _ids, pruning by ranges, read-only
 * files. */
#include "engine/engine.h"
#include "tests/unit/temp_folder.h"

static char *place (const char *name)
{
   static char path[4096];
   snprintf (path, sizeof path, "%s/%s", folder, name);
   return path;
}

static void put_text (const char *name, const char *text)
{
   FILE *f = fopen (place (name), "w");
   assert_non_null (f);
   fputs (text, f);
   fclose (f);
}

static MtEngine *open_engine (const char *target, bool create)
{
   MtEngine *e = NULL;
   MtEngineOptions o = {.create = create, .threads = 2};
   OK (mt_engine_open (target, &o, &e, &err));
   return e;
}

static bson_t *json (const char *text)
{
   bson_error_t error;
   bson_t *b = bson_new_from_json ((const uint8_t *) text, -1, &error);
   if (!b)
      fail_msg ("%s: %s", text, error.message);
   return b;
}

static bool insert (MtEngine *e, const char *coll, const char *text)
{
   bson_t *b = json (text);
   bool ok = mt_engine_insert (e, coll, b, true, &err);
   bson_destroy (b);
   return ok;
}

/* All documents that a pipeline gives, as text with a space between them. */
static void run (MtEngine *e, const char *coll, const char *pipeline, MtBuf *out, MtRunStats *stats)
{
   bson_t *p = json (pipeline);
   MtAggregateArgs args = {.collection = coll, .pipeline = p, .want_stats = true};
   MtCursor *c;
   const bson_t *doc;
   mt_buf_clear (out);
   OK (mt_engine_aggregate (e, &args, &c, &err));
   for (;;) {
      OK (mt_cursor_next (c, &doc, &err));
      if (!doc)
         break;
      if (out->n)
         mt_buf_addc (out, ' ');
      mt_v_to_json (mt_v_doc (doc), false, out);
   }
   if (stats)
      mt_cursor_stats (c, stats);
   mt_cursor_free (c);
   bson_destroy (p);
}

static void expect (MtEngine *e, const char *coll, const char *pipeline, const char *want)
{
   MtBuf out = {0};
   bson_t *w = json (want);
   run (e, coll, pipeline, &out, NULL);
   MtBuf text = {0};
   mt_v_to_json (mt_v_doc (w), false, &text);
   assert_string_equal (out.p ? out.p : "", text.p);
   bson_destroy (w);
   mt_buf_free (&text);
   mt_buf_free (&out);
}

static const char count_all[] = "{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}";

static void test_temporary (void **state)
{
   MtEngine *e = open_engine (NULL, true);
   const MtCaps *caps = mt_engine_caps (e);
   assert_string_equal (caps->engine, "local");
   assert_true (caps->atomic_write && caps->local_operators && caps->bytes_touched &&
                !caps->read_only);
   OK (insert (e, "a", "{\"_id\": 1, \"v\": 5}"));
   FAILS (MT_E_UNIQUE, insert (e, "a", "{\"_id\": 1, \"v\": 6}"));
   expect (e, "a", "{\"0\": {\"$match\": {\"v\": 5}}}", "{\"_id\": 1, \"v\": 5}");
   OK (mt_engine_begin (e, &err));
   OK (insert (e, "a", "{\"_id\": 2, \"v\": 5}"));
   OK (mt_engine_drop_collection (e, "a", &err));
   mt_engine_rollback (e);
   expect (e, "a", count_all, "{\"_id\": null, \"n\": 1}");
   OK (mt_engine_drop_collection (e, "a", &err));
   OK (mt_engine_drop_collection (e, "a", &err));
   bool has;
   OK (mt_engine_has_collection (e, "a", &has, &err));
   assert_false (has);
   OK (mt_engine_create_collection (e, "a", &err));
   FAILS (MT_E_DUPLICATE_TABLE, mt_engine_create_collection (e, "a", &err));
   FAILS (MT_E_PARAMETER, mt_engine_create_collection (e, "", &err));
   mt_engine_close (e);
}

static void test_ids (void **state)
{
   MtEngine *e = open_engine (NULL, true);
   for (int i = 0; i < 1000; i++)
      OK (insert (e, "a", "{\"v\": 1}"));
   expect (
      e, "a",
      "{\"0\": {\"$group\": {\"_id\": \"$_id\"}}, \"1\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}",
      "{\"_id\": null, \"n\": 1000}");
   OK (insert (e, "b", "{\"v\": 1, \"_id\": 7, \"w\": 2}")); /* _id goes first, as on a server */
   expect (e, "b", "{\"0\": {\"$match\": {}}}", "{\"_id\": 7, \"v\": 1, \"w\": 2}");
   FAILS (MT_E_PARAMETER, insert (e, "b", "{\"_id\": [1]}"));
   MtArena *a = mt_arena_new ("find", NULL);
   bson_t *doc;
   OK (mt_engine_find_id (e, a, "b", mt_v_double (7), &doc, &err));
   assert_non_null (doc);
   assert_int_equal (bson_count_keys (doc), 3);
   bool deleted;
   OK (mt_engine_delete_id (e, "b", mt_v_int32 (7), &deleted, &err));
   assert_true (deleted);
   OK (mt_engine_find_id (e, a, "b", mt_v_int32 (7), &doc, &err));
   assert_null (doc);
   mt_arena_free (a);
   mt_engine_close (e);
}

static void test_store_folder (void **state)
{
   MtEngine *e;
   MtEngineOptions no_create = {.threads = 1};
   FAILS (MT_E_UNDEFINED_FILE, mt_engine_open (place ("db"), &no_create, &e, &err));
   e = open_engine (place ("db"), true);
   OK (insert (e, "a", "{\"_id\": 1, \"v\": 5}"));
   mt_engine_close (e);
   e = open_engine (place ("db"), false);
   expect (e, "a", "{\"0\": {\"$match\": {}}}", "{\"_id\": 1, \"v\": 5}");
   MtEngine *other = open_engine (place ("db"), false);
   OK (mt_engine_begin (e, &err));
   OK (insert (e, "a", "{\"_id\": 2, \"v\": 6}"));
   FAILS (MT_E_LOCKED, insert (other, "a", "{\"_id\": 3, \"v\": 6}"));
   expect (other, "a", count_all, "{\"_id\": null, \"n\": 1}");
   OK (mt_engine_commit (e, &err));
   expect (other, "a", count_all, "{\"_id\": null, \"n\": 2}");
   mt_engine_close (other);
   mt_engine_close (e);
   MtEngineOptions read_only = {.read_only = true, .threads = 1};
   OK (mt_engine_open (place ("db"), &read_only, &e, &err));
   FAILS (MT_E_READ_ONLY, insert (e, "a", "{\"_id\": 9}"));
   expect (e, "a", count_all, "{\"_id\": null, \"n\": 2}");
   mt_engine_close (e);
}

static void test_pruning (void **state)
{
   MtEngine *e = open_engine (NULL, true);
   MtBuf out = {0};
   MtRunStats stats;
   OK (mt_engine_begin (e, &err));
   OK (mt_engine_create_index (e, "a", (const char *const[]) {"t", "x.y"}, 2, &err));
   for (int i = 0; i < 100000; i++) {
      bson_t b = BSON_INITIALIZER;
      BSON_APPEND_INT32 (&b, "t", i);
      BSON_APPEND_UTF8 (&b, "s", "some text that makes the document longer");
      OK (mt_engine_insert (e, "a", &b, false, &err));
      bson_destroy (&b);
   }
   OK (mt_engine_commit (e, &err));
   run (
      e, "a",
      "{\"0\": {\"$match\": {\"t\": {\"$gte\": 50000, \"$lt\": 50010}}}, \"1\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}",
      &out, &stats);
   bson_t *w = json (out.p);
   bson_iter_t it;
   assert_true (bson_iter_init_find (&it, w, "n"));
   assert_int_equal (bson_iter_as_int64 (&it), 10);
   bson_destroy (w);
   assert_true (stats.blocks_pruned > 0);
   assert_true (stats.docs_read < 50000);
   mt_buf_free (&out);
   mt_engine_close (e);
}

/* What only counts documents reads none: not those deleted, nor those of a step that isn't over,
 * are among them. */
static void test_counting (void **state)
{
   static const char count[] =
      "{\"0\": {\"$group\": {\"_id\": 7, \"n\": {\"$sum\": 1}, \"m\": {\"$sum\": 2}}}}";
   MtEngine *e = open_engine (NULL, true);
   MtBuf out = {0};
   MtRunStats stats;
   bool deleted;
   run (e, "a", count, &out, NULL);
   assert_int_equal (out.n, 0);
   OK (mt_engine_begin (e, &err));
   for (int i = 0; i < 1000; i++) {
      bson_t b = BSON_INITIALIZER;
      BSON_APPEND_INT32 (&b, "_id", i);
      OK (mt_engine_insert (e, "a", &b, false, &err));
      bson_destroy (&b);
   }
   OK (mt_engine_commit (e, &err));
   OK (mt_engine_delete_id (e, "a", mt_v_int32 (7), &deleted, &err));
   run (e, "a", count, &out, &stats);
   assert_string_equal (out.p, "{\"_id\":7,\"n\":999,\"m\":1998}");
   assert_int_equal (stats.docs_read, 0);
   assert_int_equal (stats.blocks_read, 0);
   OK (mt_engine_begin (e, &err));
   OK (insert (e, "a", "{\"_id\": 7}"));
   mt_engine_rollback (e);
   expect (e, "a", count, "{\"_id\": 7, \"n\": 999, \"m\": 1998}");
   expect (
      e, "a",
      "{\"0\": {\"$match\": {\"_id\": {\"$lt\": 9}}}, \"1\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": 1}}}}",
      "{\"_id\": null, \"n\": 8}");
   expect (
      e, "a",
      "{\"0\": {\"$group\": {\"_id\": {\"$lt\": [\"$_id\", 10]}, \"n\": {\"$sum\": 1}}}, \"1\": {\"$match\": {\"_id\": true}}}",
      "{\"_id\": true, \"n\": 9}");
   mt_buf_free (&out);
   mt_engine_close (e);
}

static void test_files (void **state)
{
   MtEngine *e;
   put_text ("x.jsonl", "{\"_id\": 1, \"v\": 1}\n{\"_id\": 2, \"v\": 2}\n");
   put_text ("y.json", "[{\"_id\": 1, \"v\": 10}]");
   e = open_engine (folder, true);
   assert_true (mt_engine_caps (e)->read_only);
   FAILS (MT_E_READ_ONLY, insert (e, "x", "{\"_id\": 9}"));
   expect (e, "x", "{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": \"$v\"}}}}",
           "{\"_id\": null, \"n\": 3}");
   MtCollStats st;
   OK (mt_engine_stats (e, "x", &st, &err));
   assert_int_equal (st.documents, 2);
   MtArena *a = mt_arena_new ("find", NULL);
   bson_t *doc;
   OK (mt_engine_find_id (e, a, "y", mt_v_int32 (1), &doc, &err));
   assert_non_null (doc);
   OK (mt_engine_find_id (e, a, "y", mt_v_int32 (2), &doc, &err));
   assert_null (doc);
   mt_arena_free (a);
   mt_engine_close (e);
   mkdir (place ("empty"), 0777);
   e = open_engine (place ("empty"), true); /* becomes a store */
   OK (insert (e, "a", "{\"_id\": 1}"));
   mt_engine_close (e);
   put_text ("z.jsonl", "{\"_id\": }\n");
   e = open_engine (place ("z.jsonl"), true);
   FAILS (MT_E_TEXT_REPRESENTATION, mt_engine_stats (e, "z", &st, &err));
   assert_non_null (strstr (err.message, "z.jsonl"));
   assert_non_null (strstr (err.message, "line 1"));
   mt_engine_close (e);
}

static void test_limits (void **state)
{
   MtEngine *e = open_engine (NULL, true);
   uint8_t *big = calloc (1, 17u << 20);
   bson_t b = BSON_INITIALIZER;
   assert_true (bson_append_binary (&b, "b", 1, BSON_SUBTYPE_BINARY, big, 16u << 20));
   FAILS (MT_E_LIMIT, mt_engine_insert (e, "a", &b, false, &err));
   bson_destroy (&b);
   free (big);
   mt_engine_close (e);
}

/* An engine's own ascend, and another engine's have other bytes behind the time. */
static void test_new_ids (void **state)
{
   MtEngine *e = open_engine (NULL, true), *other = open_engine (NULL, true);
   bson_oid_t was, id;
   mt_engine_new_id (e, &was);
   for (int i = 0; i < 1000; i++, was = id) {
      mt_engine_new_id (e, &id);
      assert_true (bson_oid_compare (&was, &id) < 0);
      assert_memory_equal (was.bytes + 4, id.bytes + 4, 5);
   }
   mt_engine_new_id (other, &was);
   assert_memory_not_equal (was.bytes + 4, id.bytes + 4, 5);
   mt_engine_close (other);
   mt_engine_close (e);
}

int main (void)
{
#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)
   const struct CMUnitTest tests[] = {
      T (test_temporary), T (test_ids),   T (test_store_folder), T (test_pruning),
      T (test_counting),  T (test_files), T (test_limits),       T (test_new_ids),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
