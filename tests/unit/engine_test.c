/* Runs the tables tests/engine/NAME.json: documents, a pipeline, and what comes out. Each case runs
 * over a store, over a cursor's documents, and with so little memory that everything that can spill
 * does. A case without documents has those of the case before. "error" is a part of the error's
 * text, and "code" MongoDB's number of it. "collation" is the option of aggregate. */
#include "base/bson.h"
#include "engine/engine.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef MT_TEST_TABLES
#define MT_TEST_TABLES "tests/engine"
#endif

typedef struct Rows {
   char **text;
   size_t n, cap;
} Rows;

static void rows_add (Rows *r, const bson_t *doc)
{
   MtBuf b = {0};
   mt_v_to_json (mt_v_doc (doc), true, &b);
   if (r->n == r->cap) {
      r->cap = r->cap ? r->cap * 2 : 16;
      r->text = realloc (r->text, r->cap * sizeof *r->text);
   }
   r->text[r->n++] = b.p;
}

static void rows_free (Rows *r)
{
   for (size_t i = 0; i < r->n; i++)
      free (r->text[i]);
   free (r->text);
   *r = (Rows) {0};
}

static int by_text (const void *a, const void *b)
{
   return strcmp (*(char *const *) a, *(char *const *) b);
}

static bool collect (MtCursor *c, Rows *out, MtError *err)
{
   const bson_t *doc;
   bool ok;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc)
      rows_add (out, doc);
   mt_cursor_free (c);
   return ok;
}

/* ---- tables ---- */

typedef struct Case {
   const char *file, *name;
   bson_t doc, pipeline, options; /* options: {collation}, or {} */
   MtVal docs, other, expected, error;
   int64_t code;
   bool ordered, no_collection;
} Case;

static bool sub_bson (MtVal v, bson_t *out) { return bson_init_static (out, v.p, v.len); }

static void insert_all (MtEngine *e, const char *coll, MtVal docs)
{
   MtDocIter it = mt_doc_iter (docs);
   MtStr key;
   MtVal v;
   MtError err = {0};
   bson_t doc;
   while (mt_doc_next (&it, &key, &v)) {
      assert_true (sub_bson (v, &doc));
      if (!mt_engine_insert (e, coll, &doc, false, &err))
         fail_msg ("insert: %s", err.message);
   }
}

static MtEngine *engine_with (const Case *k, size_t work_mem, unsigned threads)
{
   MtEngineOptions options = {.create = true, .threads = threads, .work_mem = work_mem};
   MtEngine *e = NULL;
   MtError err = {0};
   if (!mt_engine_open (NULL, &options, &e, &err) || !mt_engine_begin (e, &err))
      fail_msg ("open: %s", err.message);
   insert_all (e, "c", k->docs);
   MtDocIter it = mt_doc_iter (k->other);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v)) {
      char *name = strndup (key.p, key.n);
      insert_all (e, name, v);
      free (name);
   }
   if (!mt_engine_commit (e, &err))
      fail_msg ("commit: %s", err.message);
   return e;
}

static bool run_on_store (const Case *k, size_t work_mem, Rows *out, MtError *err)
{
   MtEngine *e = engine_with (k, work_mem, 1);
   MtAggregateArgs args = {.collection = k->no_collection ? NULL : "c",
                           .pipeline = &k->pipeline,
                           .options = &k->options,
                           .want_stats = true};
   MtCursor *c;
   bool ok = mt_engine_aggregate (e, &args, &c, err) && collect (c, out, err);
   mt_engine_close (e);
   return ok;
}

typedef struct List {
   MtDocIter it;
   bson_t doc;
} List;

static bool list_next (void *ctx, const bson_t **doc, MtError *err)
{
   List *l = ctx;
   MtStr key;
   MtVal v;
   *doc = NULL;
   if (mt_doc_next (&l->it, &key, &v) && sub_bson (v, &l->doc))
      *doc = &l->doc;
   return true;
}

static bool run_over (const Case *k, Rows *out, MtError *err)
{
   List l = {.it = mt_doc_iter (k->docs)};
   MtCursor *c;
   return mt_local_aggregate_over (list_next, &l, &k->pipeline, NULL, &c, err) &&
          collect (c, out, err);
}

static void expect_rows (const Case *k, const char *how, Rows *got)
{
   Rows want = {0};
   MtDocIter it = mt_doc_iter (k->expected);
   MtStr key;
   MtVal v;
   bson_t doc;
   while (mt_doc_next (&it, &key, &v))
      if (sub_bson (v, &doc))
         rows_add (&want, &doc);
   if (!k->ordered && want.n && got->n) {
      qsort (want.text, want.n, sizeof *want.text, by_text);
      qsort (got->text, got->n, sizeof *got->text, by_text);
   }
   for (size_t i = 0; i < want.n && i < got->n; i++)
      if (strcmp (want.text[i], got->text[i]) != 0)
         fail_msg ("%s: %s (%s), row %zu\n  wanted %s\n  got    %s", k->file, k->name, how, i,
                   want.text[i], got->text[i]);
   if (want.n != got->n)
      fail_msg ("%s: %s (%s): wanted %zu rows, got %zu\n  e.g. %s", k->file, k->name, how, want.n,
                got->n, got->n ? got->text[0] : "");
   rows_free (&want);
}

static void expect (const Case *k, const char *how, bool ok, Rows *got, const MtError *err)
{
   if (k->error.type == MT_STRING || k->code) {
      char text[sizeof err->message + 16];
      snprintf (text, sizeof text, "%s: %s", err->sqlstate, err->message);
      if (k->code && (ok || err->code != k->code))
         fail_msg ("%s: %s (%s)\n  wanted the code %d\n  got    %d, %s", k->file, k->name, how,
                   (int) k->code, (int) err->code, ok ? "rows" : text);
      if (k->error.type == MT_STRING && (ok || !strstr (text, (const char *) k->error.p)))
         fail_msg ("%s: %s (%s)\n  wanted error %s\n  got    %s", k->file, k->name, how,
                   (const char *) k->error.p, ok ? "rows" : text);
   } else if (!ok)
      fail_msg ("%s: %s (%s): %s: %s", k->file, k->name, how, err->sqlstate, err->message);
   else
      expect_rows (k, how, got);
   rows_free (got);
}

static void run_case (void **state)
{
   const Case *k = *state;
   Rows got = {0};
   MtError err = {0};
   bool ok = run_on_store (k, 0, &got, &err);
   expect (k, "store", ok, &got, &err);
   err = (MtError) {0};
   ok = run_on_store (k, 1, &got, &err);
   bool needs_memory = !ok && strcmp (err.sqlstate, MT_E_OUT_OF_MEMORY) ==
                                 0; /* $facet and $lookup hold their input */
   if (needs_memory)
      rows_free (&got);
   else
      expect (k, "store, no memory", ok, &got, &err);
   if (k->no_collection || k->other.type == MT_DOC || !bson_empty (&k->options))
      return;
   err = (MtError) {0};
   ok = run_over (k, &got, &err);
   expect (k, "over documents", ok, &got, &err);
}

static void load_case (MtArena *arena, Case *k, const char *file, MtVal v)
{
   MtVal copy = mt_v_copy (arena, v);
   k->file = file;
   k->docs = mt_doc_get (copy, "docs", 4);
   if (k->docs.type == MT_MISSING)
      k->docs = k[-1].docs;
   k->code = mt_doc_get (copy, "code", 4).i;
   k->other = mt_doc_get (copy, "other", 5);
   k->expected = mt_doc_get (copy, "expected", 8);
   k->error = mt_doc_get (copy, "error", 5);
   k->ordered = mt_doc_get (copy, "ordered", 7).i == 1;
   k->no_collection = mt_doc_get (copy, "no_collection", 13).i == 1;
   bson_init (&k->options);
   if (mt_doc_field (copy, "collation").type == MT_DOC)
      mt_doc_add (&k->options, "collation", mt_doc_field (copy, "collation"));
   k->name = (const char *) mt_doc_get (copy, "name", 4).p;
   if (!k->name || !sub_bson (mt_doc_get (copy, "pipeline", 8), &k->pipeline)) {
      fprintf (stderr, "%s: a case without name or pipeline\n", file);
      exit (1);
   }
}

/* libbson's parser takes {"$type": …} for the old form of binary data: it is hidden from it. */
static void swap_type (char *p, size_t n, const char *from, const char *to)
{
   size_t len = strlen (from);
   for (char *at = p; (at = memmem (at, n - (size_t) (at - p), from, len)) != NULL; at += len)
      memcpy (at, to, len);
}

static bson_t *load_table (const char *file)
{
   MtBuf b = {0};
   char path[1024], buf[65536];
   size_t n;
   snprintf (path, sizeof path, "%s/%s", MT_TEST_TABLES, file);
   FILE *f = fopen (path, "r");
   mt_buf_adds (&b, "{\"cases\":");
   while (f && (n = fread (buf, 1, sizeof buf, f)) > 0)
      mt_buf_add (&b, buf, n);
   mt_buf_adds (&b, "}");
   if (f)
      fclose (f);
   swap_type (b.p, b.n, "\"$type\"", "\"%type\"");
   bson_error_t err;
   bson_t *table = bson_new_from_json ((const uint8_t *) b.p, (ssize_t) b.n, &err);
   mt_buf_free (&b);
   if (!table) {
      fprintf (stderr, "%s: %s\n", path, err.message);
      exit (1);
   }
   swap_type ((char *) (uintptr_t) bson_get_data (table), table->len, "%type", "$type");
   return table;
}

#define MAX_CASES 2000

static size_t load_file (MtArena *arena, const char *file, Case *cases, size_t n)
{
   bson_t *table = load_table (file);
   MtDocIter it = mt_doc_iter (mt_doc_get (mt_v_doc (table), "cases", 5));
   MtStr key;
   MtVal v;
   char *name = mt_strdup (arena, file);
   while (mt_doc_next (&it, &key, &v) && n < MAX_CASES)
      load_case (arena, &cases[n++], name, v);
   bson_destroy (table);
   return n;
}

static size_t load_all (MtArena *arena, Case *cases)
{
   struct dirent **list;
   int files = scandir (MT_TEST_TABLES, &list, NULL, alphasort);
   size_t n = 0;
   for (int i = 0; i < files; i++) {
      size_t len = strlen (list[i]->d_name);
      if (len > 5 && strcmp (list[i]->d_name + len - 5, ".json") == 0)
         n = load_file (arena, list[i]->d_name, cases, n);
      free (list[i]);
   }
   if (files >= 0)
      free (list);
   return n;
}

/* ---- larger inputs: threads, spilling, cancelling ---- */

#define BIG_DOCS 60000

static MtEngine *big_engine (size_t work_mem, unsigned threads)
{
   MtEngineOptions options = {.create = true, .threads = threads, .work_mem = work_mem};
   MtEngine *e = NULL;
   MtError err = {0};
   if (!mt_engine_open (NULL, &options, &e, &err) || !mt_engine_begin (e, &err))
      fail_msg ("open: %s", err.message);
   for (int i = 0; i < BIG_DOCS; i++) {
      char s[64];
      snprintf (s, sizeof s, "key-%d", i * 7919 % 5003);
      bson_t *doc = BCON_NEW ("_id", BCON_INT32 (i), "a", BCON_INT32 (i % 97), "s", BCON_UTF8 (s),
                              "x", BCON_DOUBLE (i * 0.1), "v", "[", BCON_INT32 (i % 3),
                              BCON_INT32 (i % 5), "]", "pad",
                              BCON_UTF8 ("abcdefghijklmnopqrstuvwxyz"));
      if (!mt_engine_insert (e, "c", doc, false, &err))
         fail_msg ("insert: %s", err.message);
      bson_destroy (doc);
   }
   if (!mt_engine_commit (e, &err))
      fail_msg ("commit: %s", err.message);
   return e;
}

static bson_t *pipeline_of (const char *json)
{
   bson_error_t err;
   bson_t *b = bson_new_from_json ((const uint8_t *) json, -1, &err);
   if (!b)
      fail_msg ("%s: %s", json, err.message);
   return b;
}

static const char *const big_pipelines[] = {
   "{\"0\": {\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": 1}, \"x\": {\"$sum\": \"$x\"}, \"lo\": {\"$min\": \"$s\"}, \"hi\": {\"$max\": \"$_id\"}, "
   "\"first\": {\"$first\": \"$_id\"}, \"last\": {\"$last\": \"$s\"}}}}",
   "{\"0\": {\"$match\": {\"a\": {\"$gte\": 3}}}, \"1\": {\"$unwind\": \"$v\"}, \"2\": {\"$group\": {\"_id\": {\"s\": \"$s\", \"v\": \"$v\"}, "
   "\"n\": {\"$sum\": \"$a\"}, \"top\": {\"$top\": {\"sortBy\": {\"_id\": -1}, \"output\": \"$_id\"}}}}}",
   "{\"0\": {\"$sort\": {\"a\": -1, \"s\": 1, \"_id\": 1}}, \"1\": {\"$project\": {\"a\": 1, \"s\": 1}}}",
   "{\"0\": {\"$sort\": {\"x\": -1}}, \"1\": {\"$limit\": 500}}",
   "{\"0\": {\"$group\": {\"_id\": \"$s\", \"all\": {\"$push\": \"$_id\"}, \"set\": {\"$addToSet\": \"$a\"}}}, \"1\": {\"$unwind\": \"$set\"}, "
   "\"2\": {\"$sort\": {\"_id\": 1, \"set\": 1}}}",
   "{\"0\": {\"$match\": {\"_id\": {\"$gte\": 59990}}}}",
   "{\"0\": {\"$group\": {\"_id\": \"$s\", \"m\": {\"$_mtMoments\": \"$a\"}, \"p\": {\"$_mtPairs\": [\"$_id\", \"$a\"]}, \"and\": {\"$_mtBitAnd\": \"$_id\"}, "
   "\"xor\": {\"$_mtBitXor\": \"$_id\"}, \"or\": {\"$_mtBitOr\": \"$a\"}, \"t\": {\"$_mtTally\": [{\"$mod\": [\"$_id\", 7]}, 7]}, "
   "\"mode\": {\"$_mtSorted\": {\"input\": \"$a\", \"order\": [{\"at\": -1, \"down\": false, \"nulls\": false}], \"take\": \"mode\"}}, "
   "\"half\": {\"$_mtSorted\": {\"input\": \"$_id\", \"order\": [{\"at\": -1, \"down\": true, \"nulls\": false}], \"take\": \"continuous\", \"share\": 0.5}}, "
   "\"all\": {\"$_mtSorted\": {\"input\": [\"$_id\", \"$a\"], \"order\": [{\"at\": 1, \"down\": true, \"nulls\": false}], \"take\": \"all\"}}}}, "
   "\"1\": {\"$set\": {\"m\": {\"$map\": {\"input\": {\"$concatArrays\": [\"$m\", \"$p\"]}, \"in\": {\"$round\": [\"$$this\", 3]}}}, \"p\": null}}}",
   "{\"0\": {\"$group\": {\"_id\": {\"$mod\": [\"$_id\", 11]}, \"all\": {\"$_mtSorted\": {\"input\": [\"$_id\", \"$s\"], \"order\": [{\"at\": 0, \"down\": true, "
   "\"nulls\": false}], \"distinct\": true, \"take\": \"all\"}}, \"set\": {\"$addToSet\": \"$_id\"}}}, \"1\": {\"$set\": {\"set\": {\"$size\": \"$set\"}}}}",
   "{\"0\": {\"$match\": {\"_id\": {\"$lt\": 3000}}}, \"1\": {\"$project\": {\"_id\": 1, \"a\": 1, \"s\": {\"$concat\": [\"$s\", \"!\"]}}}, \"2\": {\"$_mtJoin\": "
   "{\"coll\": \"c\", \"pipeline\": [{\"$match\": {\"a\": {\"$gt\": 50}, \"_id\": {\"$lt\": 9000}}}, {\"$project\": {\"_id\": 0, \"b\": \"$a\", \"t\": \"$s\"}}], "
   "\"left\": [\"$a\"], \"right\": [\"$b\"], \"input\": [\"_id\", \"a\", \"s\"], \"on\": {\"$lt\": [\"$s\", \"$t\"]}, \"keepLeft\": true, \"keepRight\": true, \"fields\": [\"b\", \"t\"]}}, "
   "\"3\": {\"$group\": {\"_id\": {\"a\": \"$a\", \"b\": \"$b\"}, \"n\": {\"$sum\": 1}, \"lo\": {\"$min\": \"$t\"}, \"hi\": {\"$max\": \"$s\"}}}}",
   "{\"0\": {\"$sort\": {\"a\": 1, \"_id\": 1}}, \"1\": {\"$_mtWindow\": {\"partitionBy\": [\"$a\"], \"sortBy\": [\"$_id\"], \"windows\""
   ": [{\"output\": {\"n\": {\"$rowNumber\": {}}, \"d\": {\"$denseRank\": {}}, \"t\": {\"$ntile\": 7}, \"c\": {\"$cumeDist\": {}}, \""
   "l\": {\"$shift\": {\"value\": \"$s\", \"n\": -3}}, \"e\": {\"$shift\": {\"value\": \"$_id\", \"n\": 200, \"default\": -1}}, "
   "\"q\": {\"$ema\": {\"value\": \"$_id\", \"n\": [0.25]}}, \"y\": {\"$holtWinters\": {\"value\": \"$_id\", \"n\": [3, 0.5, 0.25, 0.75]}}}}, {\"fra"
   "me\": {\"mode\": \"rows\", \"from\": {\"preceding\": 5}, \"to\": {\"following\": 2}}, \"output\": {\"f\": {\"$firstValue\": \"$s\"}"
   ", \"k\": {\"$nthValue\": {\"value\": \"$_id\", \"n\": 4}}, \"m\": {\"$min\": \"$s\"}, \"x\": {\"$sum\": \"$_id\"}}}, {\"frame\": {\"mod"
   "e\": \"rows\", \"from\": \"unbounded\", \"to\": \"unbounded\", \"exclude\": \"current row\"}, \"output\": {\"o\": {\"$sum\": \"$_id\""
   "}, \"w\": {\"$max\": \"$s\"}}}]}}, \"2\": {\"$project\": {\"n\": 1, \"d\": 1, \"t\": 1, \"c\": 1, \"l\": 1, \"e\": 1, \"f\": 1, \"k\": 1"
   ", \"m\": 1, \"x\": 1, \"o\": 1, \"w\": 1, \"q\": 1, \"y\": 1}}}",
   "{\"0\": {\"$sort\": {\"s\": 1, \"_id\": 1}}, \"1\": {\"$_mtWindow\": {\"partitionBy\": [], \"sortBy\": [\"$s\"], \"windows\":"
   " [{\"output\": {\"r\": {\"$rank\": {}}, \"p\": {\"$percentRank\": {}}}}, {\"frame\": {\"mode\": \"range\", \"from\": \"unboun"
   "ded\", \"to\": \"current\"}, \"output\": {\"u\": {\"$sum\": \"$_id\"}, \"v\": {\"$lastValue\": \"$_id\"}}}, {\"frame\": {\"mo"
   "de\": \"groups\", \"from\": {\"preceding\": 3}, \"to\": {\"following\": 1}, \"exclude\": \"ties\"}, \"output\": {\"g\": {\"$s"
   "um\": \"$a\"}, \"h\": {\"$max\": \"$_id\"}, \"i\": {\"$nthValue\": {\"value\": \"$_id\", \"n\": {\"$add\": [\"$a\", 1]}}}}}, "
   "{\"frame\": {\"mode\": \"rows\", \"from\": \"current\", \"to\": \"unbounded\", \"exclude\": \"group\"}, \"output\": {\"b\": {"
   "\"$sum\": 1}, \"z\": {\"$min\": \"$s\"}}}]}}, \"2\": {\"$sort\": {\"a\": 1, \"_id\": -1}}, \"3\": {\"$_mtWindow\": {\"partiti"
   "onBy\": [\"$a\"], \"sortBy\": [], \"windows\": [{\"output\": {\"n\": {\"$rowNumber\": {}}}}]}}, \"4\": {\"$unset\": [\"pad\","
   " \"v\"]}}",
   "{\"0\": {\"$sort\": {\"_id\": 1}}, \"1\": {\"$_mtWindow\": {\"partitionBy\": [], \"sortBy\": [\"$_id\"], \"windows\": [{\"output\""
   ": {\"l\": {\"$shift\": {\"value\": \"$a\", \"n\": {\"$subtract\": [\"$a\", 50]}}}}}, {\"frame\": {\"mode\": \"range\", \"from\": {\"a"
   "t\": {\"$subtract\": [\"$_id\", 700]}}, \"to\": {\"at\": {\"$subtract\": [\"$_id\", 200]}}, \"by\": \"$_id\"}, \"output\": {\"n\": "
   "{\"$sum\": 1}, \"x\": {\"$max\": \"$a\"}}}]}}, \"2\": {\"$project\": {\"l\": 1, \"n\": 1, \"x\": 1}}}",
};

static void run_big (const char *json, size_t work_mem, unsigned threads, Rows *out)
{
   MtEngine *e = big_engine (work_mem, threads);
   bson_t *p = pipeline_of (json);
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *c;
   MtError err = {0};
   if (!mt_engine_aggregate (e, &args, &c, &err) || !collect (c, out, &err))
      fail_msg ("%s: %s", json, err.message);
   bson_destroy (p);
   mt_engine_close (e);
   qsort (out->text, out->n, sizeof *out->text, by_text);
}

static void same_answers (void **state)
{
   static const struct {
      size_t work_mem;
      unsigned threads;
   } ways[] = {{0, 2}, {100000, 1}, {100000, 2}};
   for (size_t i = 0; i < sizeof big_pipelines / sizeof *big_pipelines; i++) {
      Rows want = {0};
      run_big (big_pipelines[i], 0, 1, &want);
      assert_true (want.n >= 10);
      for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
         Rows got = {0};
         run_big (big_pipelines[i], ways[k].work_mem, ways[k].threads, &got);
         assert_int_equal (got.n, want.n);
         for (size_t r = 0; r < got.n; r++)
            assert_string_equal (got.text[r], want.text[r]);
         rows_free (&got);
      }
      rows_free (&want);
   }
}

static void canceling (void **state)
{
   MtEngine *e = big_engine (0, 2);
   MtCancel cancel = {0};
   MtError err = {0};
   bson_t *p = pipeline_of (big_pipelines[0]);
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *c;
   const bson_t *doc;
   mt_engine_set_cancel (e, &cancel);
   assert_true (mt_engine_aggregate (e, &args, &c, &err));
   atomic_store (&cancel.requested, true);
   assert_false (mt_cursor_next (c, &doc, &err));
   assert_string_equal (err.sqlstate, MT_E_CANCELED);
   mt_cursor_free (c);
   bson_destroy (p);
   mt_engine_close (e);
}

/* Rows that a window holds back are pumped after the input's end: that stops, too. */
static void canceling_windows (void **state)
{
   MtEngine *e = big_engine (0, 1);
   MtCancel cancel = {0};
   MtError err = {0};
   bson_t *p = pipeline_of (
      "{\"0\": {\"$_mtWindow\": {\"windows\": [{\"frame\": {\"mode\": \"rows\", \"from\": \"current\", \"to\": \"unbounded\"}, "
      "\"output\": {\"n\": {\"$sum\": \"$a\"}, \"s\": {\"$max\": \"$s\"}}}]}}}");
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *c;
   const bson_t *doc;
   int rows = 1;
   mt_engine_set_cancel (e, &cancel);
   assert_true (mt_engine_aggregate (e, &args, &c, &err) && mt_cursor_next (c, &doc, &err) && doc);
   atomic_store (&cancel.requested, true);
   while (mt_cursor_next (c, &doc, &err) && doc)
      rows++;
   assert_string_equal (err.sqlstate, MT_E_CANCELED);
   assert_true (rows < BIG_DOCS);
   mt_cursor_free (c);
   bson_destroy (p);
   mt_engine_close (e);
}

/* What a pipeline doesn't ask for isn't stepped on. */
static void bytes_stepped_on (void **state)
{
   MtEngine *e = big_engine (0, 1);
   MtError err = {0};
   bson_t *p = pipeline_of ("{\"0\": {\"$group\": {\"_id\": null, \"n\": {\"$sum\": \"$a\"}}}}");
   MtAggregateArgs args = {.collection = "c", .pipeline = p, .want_stats = true};
   MtCursor *c;
   const bson_t *doc;
   MtRunStats st;
   assert_true (mt_engine_aggregate (e, &args, &c, &err));
   do
      assert_true (mt_cursor_next (c, &doc, &err));
   while (doc);
   mt_cursor_stats (c, &st);
   assert_int_equal (st.docs_read, BIG_DOCS);
   assert_true (st.bytes_read < st.bytes_total / 3);
   assert_int_equal (st.stage_count, 1);
   assert_string_equal (st.stages[0].stage, "$group");
   assert_int_equal (st.stages[0].docs_in, BIG_DOCS);
   assert_int_equal (st.stages[0].docs_out, 1);
   mt_cursor_free (c);
   bson_destroy (p);
   mt_engine_close (e);
}

/* Bytes that several stages step on count once; what a stage computes is part of it. */
static void bytes_count_once (void **state)
{
   MtEngine *e = big_engine (0, 1);
   MtError err = {0};
   bson_t *p = pipeline_of (
      "{\"0\": {\"$project\": {\"b\": {\"$add\": [\"$a\", 1]}, \"pad\": 1}}, \"1\": {\"$replaceRoot\": {\"newRoot\": {\"b\": {\"$add\": [\"$b\", 1]}}}}}");
   MtAggregateArgs args = {.collection = "c", .pipeline = p, .want_stats = true};
   MtCursor *c;
   const bson_t *doc;
   MtRunStats st;
   assert_true (mt_engine_aggregate (e, &args, &c, &err));
   do
      assert_true (mt_cursor_next (c, &doc, &err));
   while (doc);
   mt_cursor_stats (c, &st);
   assert_true (st.bytes_read > 0 && st.bytes_read <= st.bytes_total);
   assert_int_equal (st.stage_count, 2);
   assert_string_equal (st.stages[0].stage, "$project");
   assert_string_equal (st.stages[1].stage, "$replaceRoot");
   assert_int_equal (st.stages[1].docs_in, BIG_DOCS);
   mt_cursor_free (c);
   bson_destroy (p);
   mt_engine_close (e);
}

/* Documents that a $match rejects are not read to their end, though those that pass are wanted
 * whole. */
static void rejected_early (void **state)
{
   MtEngine *e = big_engine (0, 1);
   MtError err = {0};
   bson_t *p = pipeline_of (
      "{\"0\": {\"$match\": {\"_id\": {\"$gte\": 0}}}, \"1\": {\"$match\": {\"a\": 5, \"_id\": {\"$mod\": [1000, 5]}}}}");
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *c;
   const bson_t *doc;
   MtRunStats st;
   size_t rows = 0;
   assert_true (mt_engine_aggregate (e, &args, &c, &err));
   for (;; rows++) {
      assert_true (mt_cursor_next (c, &doc, &err));
      if (!doc)
         break;
      assert_true (bson_has_field (doc, "pad"));
   }
   mt_cursor_stats (c, &st);
   size_t want = 0;
   for (int i = 0; i < BIG_DOCS; i++)
      want += i % 97 == 5 && i % 1000 == 5;
   assert_int_equal (rows, want);
   assert_true (st.bytes_read < st.bytes_total / 3);
   mt_cursor_free (c);
   bson_destroy (p);
   mt_engine_close (e);
}

/* Where the store keeps ranges of a field, blocks out of a $match's range are not opened. */
static void pruning (void **state)
{
   static const char *const fields[] = {"_id"};
   MtEngine *e = big_engine (0, 1);
   MtError err = {0};
   bson_t *p = pipeline_of ("{\"0\": {\"$match\": {\"_id\": {\"$gte\": 59990}}}}");
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *c;
   MtRunStats st;
   Rows rows = {0};
   const bson_t *doc;
   assert_true (mt_engine_create_index (e, "c", fields, 1, &err));
   assert_true (mt_engine_aggregate (e, &args, &c, &err));
   for (;;) {
      assert_true (mt_cursor_next (c, &doc, &err));
      if (!doc)
         break;
      rows_add (&rows, doc);
   }
   mt_cursor_stats (c, &st);
   assert_int_equal (rows.n, 10);
   assert_true (st.blocks_pruned > 0);
   assert_true (st.docs_read < BIG_DOCS);
   rows_free (&rows);
   mt_cursor_free (c);
   MtOpenedBlocks o;
   bson_t *others = pipeline_of ("{\"0\": {\"$skip\": 1}}"),
          *wrong = pipeline_of ("{\"0\": {\"$match\": {\"$no\": 1}}}");
   assert_true (mt_engine_opened (e, "c", p, &o));
   assert_int_equal (o.step, 1);
   assert_int_equal (o.opened, st.blocks_read);
   assert_int_equal (o.blocks, st.blocks_read + st.blocks_pruned);
   assert_true (o.opened_bytes > 0 && o.opened_bytes < o.bytes);
   assert_false (mt_engine_opened (e, "c", others, &o));
   assert_false (mt_engine_opened (e, "c", wrong, &o));
   assert_false (mt_engine_opened (e, "none", p, &o));
   mt_engine_set_reading (e, (MtReading) {.all_blocks = true});
   assert_false (mt_engine_opened (e, "c", p, &o));
   bson_destroy (others);
   bson_destroy (wrong);
   bson_destroy (p);
   mt_engine_close (e);
}

/* Reads a pipeline by rows and by documents, in step: the values are the same. */
static void same_rows (MtEngine *e, const char *json, uint64_t least)
{
   enum { COLUMNS = 5 };
   bson_t *p = pipeline_of (json);
   MtAggregateArgs args = {.collection = "c", .pipeline = p};
   MtCursor *by_row, *by_document;
   MtVal row[COLUMNS];
   MtError err = {0};
   const bson_t *doc;
   bool more;
   uint64_t rows = 0;
   assert_true (mt_engine_aggregate (e, &args, &by_row, &err));
   assert_true (mt_engine_aggregate (e, &args, &by_document, &err));
   for (;; rows++) {
      assert_true (mt_cursor_row (by_row, row, COLUMNS, &more, &err));
      assert_true (mt_cursor_next (by_document, &doc, &err));
      assert_int_equal (more, doc != NULL);
      if (!more)
         break;
      for (size_t i = 0; i < COLUMNS; i++) {
         char name[] = {'c', (char) ('0' + i)};
         MtVal v = mt_doc_get (mt_v_doc (doc), name, sizeof name);
         assert_int_equal (row[i].type, v.type == MT_MISSING ? MT_NULL : v.type);
         assert_int_equal (mt_v_compare (row[i], v), 0);
      }
   }
   assert_true (mt_cursor_row (by_row, row, COLUMNS, &more, &err) && !more);
   assert_true (rows >= least);
   mt_cursor_free (by_row);
   mt_cursor_free (by_document);
   bson_destroy (p);
}

static void rows_and_documents (void **state)
{
   MtEngine *e = big_engine (0, 1);
   same_rows (
      e,
      "{\"0\": {\"$project\": {\"_id\": 0, \"c0\": \"$a\", \"c1\": \"$s\", \"c3\": {\"x\": \"$a\", \"y\": "
      "{\"z\": \"$s\"}}, \"c4\": {\"$concat\": [\"$s\", \"-\"]}}}}",
      BIG_DOCS);
   same_rows (
      e,
      "{\"0\": {\"$project\": {\"_id\": 0, \"c0\": \"$nothing\", \"c2\": {\"$literal\": \"text\"}}}}",
      BIG_DOCS);
   /* other names: documents are made, and taken apart */
   same_rows (e, "{\"0\": {\"$match\": {\"_id\": {\"$lt\": 9}}}}", 9);
   same_rows (
      e,
      "{\"0\": {\"$match\": {\"_id\": {\"$lt\": 9}}}, \"1\": {\"$addFields\": {\"c1\": \"$a\"}}}",
      9);
   same_rows (e, "{\"0\": {\"$project\": {\"_id\": 0, \"c1\": \"$a\", \"c7\": \"$s\"}}}", BIG_DOCS);
   /* behind a blocking stage */
   same_rows (
      e,
      "{\"0\": {\"$sort\": {\"s\": 1, \"_id\": -1}}, \"1\": {\"$project\": {\"_id\": 0, \"c1\": \"$s\", \"c0\": \"$_id\"}}}",
      BIG_DOCS);
   /* a document that makes more rows than memory may hold */
   same_rows (
      e,
      "{\"0\": {\"$limit\": 1}, \"1\": {\"$project\": {\"r\": {\"$range\": [0, 700000]}}}, \"2\": {\"$unwind\": \"$r\"}, "
      "\"3\": {\"$project\": {\"_id\": 0, \"c0\": \"$r\", \"c1\": {\"$toString\": \"$r\"}}}}",
      700000);
   same_rows (
      e, "{\"0\": {\"$match\": {\"$expr\": false}}, \"1\": {\"$project\": {\"c0\": \"$a\"}}}", 0);
   mt_engine_close (e);
}

int main (void)
{
   static Case cases[MAX_CASES];
   static struct CMUnitTest tests[MAX_CASES + 9];
   MtArena *arena = mt_arena_new ("cases", NULL);
   size_t n = load_all (arena, cases), t = 0;
   if (n < 150) {
      fprintf (stderr, "only %zu cases in %s\n", n, MT_TEST_TABLES);
      return 1;
   }
   for (size_t i = 0; i < n; i++)
      tests[t++] = (struct CMUnitTest) {
         .name = cases[i].name, .test_func = run_case, .initial_state = &cases[i]};
   tests[t++] = (struct CMUnitTest) {.name = "same answers with threads and spills",
                                     .test_func = same_answers};
   tests[t++] = (struct CMUnitTest) {.name = "canceling", .test_func = canceling};
   tests[t++] = (struct CMUnitTest) {.name = "canceling windows", .test_func = canceling_windows};
   tests[t++] = (struct CMUnitTest) {.name = "bytes stepped on", .test_func = bytes_stepped_on};
   tests[t++] = (struct CMUnitTest) {.name = "bytes count once", .test_func = bytes_count_once};
   tests[t++] = (struct CMUnitTest) {.name = "rejected early", .test_func = rejected_early};
   tests[t++] = (struct CMUnitTest) {.name = "pruning", .test_func = pruning};
   tests[t++] = (struct CMUnitTest) {.name = "rows and documents", .test_func = rows_and_documents};
   int failed = _cmocka_run_group_tests ("engine", tests, t, NULL, NULL);
   mt_arena_free (arena);
   return failed;
}
