/* Read-only files: .bson, .json, .jsonl, folders of them, mongodump's layout; what is wrong is
 * named with its place. */
#include "engine/local/store/files.h"
#include "engine/read.h"
#include "tests/unit/temp_folder.h"

static char *place (const char *name)
{
   static char path[4096];
   snprintf (path, sizeof path, "%s/%s", folder, name);
   return path;
}

static void put (const char *name, const void *p, size_t n)
{
   FILE *f = fopen (place (name), "w");
   assert_non_null (f);
   assert_int_equal (fwrite (p, 1, n, f), n);
   fclose (f);
}

static void put_text (const char *name, const char *text) { put (name, text, strlen (text)); }

/* Documents {_id: i} for i < count, as BSON. */
static void put_bson (const char *name, int count)
{
   FILE *f = fopen (place (name), "w");
   assert_non_null (f);
   for (int i = 0; i < count; i++) {
      bson_t b = BSON_INITIALIZER;
      BSON_APPEND_INT32 (&b, "_id", i);
      fwrite (bson_get_data (&b), 1, b.len, f);
      bson_destroy (&b);
   }
   fclose (f);
}

static uint64_t count_in (MtFiles *f, const char *collection, int64_t *ids)
{
   MtSource *src;
   OK (mt_files_source (f, collection, &src, &err));
   uint64_t n = 0;
   *ids = 0;
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      static MtReader r; /* keeps its memory from block to block */
      mt_reader_init (&r, src, i, &err);
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; p < end; n++) {
         int32_t len;
         bson_t b;
         bson_iter_t it;
         OK (mt_need (&r, p, 4));
         memcpy (&len, p, 4);
         OK (mt_need (&r, p, (size_t) len));
         assert_true (bson_init_static (&b, p, (size_t) len));
         assert_true (bson_iter_init_find (&it, &b, "_id"));
         *ids += bson_iter_as_int64 (&it);
         p += len;
      }
      assert_false (mt_need (&r, r.block.data, r.block.size + 1));
   }
   MtCollStats st;
   mt_source_stats (src, &st);
   assert_int_equal (st.documents, n);
   mt_source_free (src);
   return n;
}

static void expect_names (MtFiles *f, const char *want)
{
   MtArena *a = mt_arena_new ("names", NULL);
   const char **names;
   size_t count;
   char got[1000] = "";
   OK (mt_files_collections (f, a, &names, &count, &err));
   for (size_t i = 0; i < count; i++)
      snprintf (got + strlen (got), sizeof got - strlen (got), "%s%s", i ? " " : "", names[i]);
   assert_string_equal (got, want);
   mt_arena_free (a);
}

static void test_bson (void **state)
{
   MtFiles *f;
   int64_t ids;
   put_bson ("big.bson", 200000); /* several blocks */
   put ("empty.bson", "", 0);
   OK (mt_files_open (place ("big.bson"), &f, &err));
   expect_names (f, "big");
   assert_int_equal (count_in (f, "big", &ids), 200000);
   assert_int_equal (ids, (int64_t) 200000 * 199999 / 2);
   assert_int_equal (count_in (f, "other", &ids), 0);
   mt_files_close (f);
   OK (mt_files_open (folder, &f, &err));
   expect_names (f, "big empty");
   assert_int_equal (count_in (f, "empty", &ids), 0);
   MtSource *src;
   OK (mt_files_source (f, "big", &src, &err));
   assert_true (mt_source_blocks (src) > 2);
   mt_files_close (f);
   MtBlock b;
   mt_source_block (src, 0, &b); /* a snapshot outlives its files */
   assert_int_equal (b.data[0], 14);
   mt_source_free (src);
}

static void test_json (void **state)
{
   MtFiles *f;
   int64_t ids;
   put_text (
      "lines.jsonl",
      "\xEF\xBB\xBF{\"_id\": 1}\n\n{\"_id\": {\"$numberLong\": \"2\"}, \"s\": \"}\\\"]{\"}\r\n{\"_id\": 3}");
   put_text ("array.json",
             "[\n  {\n    \"_id\": 10,\n    \"a\": [1, {\"b\": 2}]\n  },\n  {\"_id\": 20}\n]\n");
   put_text ("none.json", " [ ] ");
   put_text ("nothing.jsonl", "\n");
   put_text ("readme.txt", "not a collection");
   OK (mt_files_open (folder, &f, &err));
   expect_names (f, "array lines none nothing");
   assert_int_equal (count_in (f, "lines", &ids), 3);
   assert_int_equal (ids, 6);
   assert_int_equal (count_in (f, "array", &ids), 2);
   assert_int_equal (ids, 30);
   assert_int_equal (count_in (f, "none", &ids), 0);
   assert_int_equal (count_in (f, "nothing", &ids), 0);
   mt_files_close (f);
}

static void test_json_long (void **state)
{
   FILE *o = fopen (place ("long.jsonl"), "w");
   for (int i = 0; i < 50000; i++) /* documents lie across the reads' ends */
      fprintf (o, "{\"_id\": %d, \"text\": \"%0*d\"}\n", i, i % 300 + 1, i);
   fclose (o);
   MtFiles *f;
   int64_t ids;
   OK (mt_files_open (place ("long.jsonl"), &f, &err));
   assert_int_equal (count_in (f, "long", &ids), 50000);
   assert_int_equal (ids, (int64_t) 50000 * 49999 / 2);
   mt_files_close (f);
}

static void test_mongodump (void **state)
{
   MtFiles *f;
   int64_t ids;
   mkdir (place ("one"), 0777);
   mkdir (place ("two"), 0777);
   put_bson ("one/a.bson", 3);
   put_text ("one/a.metadata.json", "{\"indexes\": []}");
   put_bson ("one/b.bson", 4);
   put_bson ("two/b.bson", 5);
   put_text ("prelude.json", "{}");
   OK (mt_files_open (folder, &f, &err));
   expect_names (f, "a one.b two.b");
   assert_int_equal (count_in (f, "a", &ids), 3);
   assert_int_equal (count_in (f, "one.b", &ids), 4);
   assert_int_equal (count_in (f, "two.b", &ids), 5);
   mt_files_close (f);
   put_bson ("one/a.jsonl", 1);
   mt_error_clear (&err);
   assert_false (mt_files_open (place ("one"), &f, &err));
   assert_string_equal (err.sqlstate, MT_E_DUPLICATE_TABLE);
}

static void expect_error (const char *name, const char *state, const char *text)
{
   assert_string_equal (err.sqlstate, state);
   assert_non_null (strstr (err.message, place (name)));
   if (!strstr (err.message, text))
      fail_msg ("\"%s\" is not in: %s", text, err.message);
}

static long read_file (void *file, char *buf, size_t n) { return (long) fread (buf, 1, n, file); }

/* A file has the same error as a collection of the target, and as a stream. */
static void expect_bad (const char *name, const char *state, const char *text)
{
   MtFiles *f;
   MtSource *src;
   const bson_t *doc;
   OK (mt_files_open (place (name), &f, &err));
   mt_error_clear (&err);
   assert_false (mt_files_source (f, "x", &src, &err));
   expect_error (name, state, text);
   mt_files_close (f);
   FILE *file = fopen (place (name), "r");
   MtUnpack *u = mt_unpack_open (read_file, file, place (name), MT_E_CORRUPT);
   MtDocStream *s = (strstr (name, ".bson") ? mt_bson_stream : mt_json_stream) (u, place (name));
   mt_error_clear (&err);
   while (s->next (s, &doc, &err))
      assert_non_null (doc);
   expect_error (name, state, text);
   mt_doc_stream_close (s);
   mt_unpack_close (u);
   fclose (file);
}

static void test_bad_bson (void **state)
{
   static const char good[] = "\x0e\0\0\0\x10_id\0\1\0\0\0";
   char b[100];
   memcpy (b, good, 14);
   memcpy (b + 14, good, 14);
   put ("x.bson", b, 27);
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 14: the file ends within a document");
   put ("x.bson", b, 17);
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 14: the file ends within a document");
   b[14] = 4;
   put ("x.bson", b, 28);
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 14: not a document's length");
   b[14] = 14;
   b[18] = 0x20;
   put ("x.bson", b, 28);
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 18: a malformed element");
   b[18] = 0x12; /* 8 bytes where there are 4 */
   put ("x.bson", b, 28);
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 18: a malformed element");
   memcpy (b + 14, "\x0e\0\0\0\x02s\0\2\0\0\0\xff\0\0", 14);
   put ("x.bson", b, 28);
   expect_bad ("x.bson", MT_E_ENCODING, "not valid UTF-8 in the element at offset 18");
   put_text ("x.bson", "this is text and nothing else");
   expect_bad ("x.bson", MT_E_CORRUPT, "offset 0");
}

static void test_bad_json (void **state)
{
   put_text ("x.jsonl", "{\"_id\": 1}\n{\"_id\": }\n");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 2:");
   put_text ("x.jsonl", "{\"_id\": 1}\n\n{\"_id\": 1");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 3: the file ends within a document");
   put_text ("x.jsonl", "{\"_id\": 1}\n17\n");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 2: a document was expected");
   put_text ("x.jsonl", "[{\"_id\": 1}\n,{\"_id\": 2}");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 2: the file ends within the array");
   put_text ("x.jsonl", "[{\"_id\": 1}\n{\"_id\": 2}]");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 2: a document was expected");
   put_text ("x.jsonl", "[{\"_id\": 1},]");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 1: a document was expected");
   put_text ("x.jsonl", "[]\n[]");
   expect_bad ("x.jsonl", MT_E_TEXT_REPRESENTATION, "line 2: something follows");
   char deep[3000] = "{\"_id\": ";
   memset (deep + 8, '[', 1000);
   memset (deep + 1008, ']', 1000);
   strcpy (deep + 2008, "}");
   put_text ("x.jsonl", deep);
   MtFiles *f;
   MtSource *src;
   OK (mt_files_open (place ("x.jsonl"), &f, &err));
   mt_error_clear (&err);
   assert_false (mt_files_source (f, "x", &src, &err)); /* libbson's limit or ours */
   assert_true (strcmp (err.sqlstate, MT_E_TEXT_REPRESENTATION) == 0 ||
                strcmp (err.sqlstate, MT_E_LIMIT) == 0);
   mt_files_close (f);
}

/* Passes over documents of the given lengths, but reads each second one. */
static void expect_passed (const char *name, const size_t *lengths, size_t count)
{
   FILE *file = fopen (place (name), "r");
   MtUnpack *u = mt_unpack_open (read_file, file, place (name), MT_E_CORRUPT);
   MtDocStream *s = (strstr (name, ".bson") ? mt_bson_stream : mt_json_stream) (u, place (name));
   const bson_t *doc;
   MtStr raw = MT_STR ("");
   mt_error_clear (&err);
   for (size_t i = 0; i < count; i++) {
      if (i % 2 == 0)
         OK (s->pass (s, &raw, &err));
      else
         OK (s->next (s, &doc, &err));
      if (i % 2 == 0)
         assert_int_equal (raw.n, lengths[i]);
      else
         assert_true (bson_has_field (doc, "_id"));
   }
   OK (s->pass (s, &raw, &err));
   assert_null (raw.p);
   OK (s->next (s, &doc, &err));
   assert_null (doc);
   mt_doc_stream_close (s);
   mt_unpack_close (u);
   fclose (file);
}

static void test_pass (void **state)
{
   enum { LONG = 900000 }; /* more than one buffer */
   static char text[LONG + 1];
   size_t lengths[5], json[5];
   FILE *b = fopen (place ("x.bson"), "w"), *j = fopen (place ("x.json"), "w");
   fputs (" [", j);
   for (int i = 0; i < 5; i++) {
      bson_t doc = BSON_INITIALIZER;
      memset (text, i % 4 ? 'x' : '{', LONG);
      text[i % 4 ? LONG : i] = 0;
      BSON_APPEND_UTF8 (&doc, "_id", text);
      lengths[i] = doc.len;
      fwrite (bson_get_data (&doc), 1, doc.len, b);
      json[i] = (size_t) fprintf (j, "{\"_id\": \"%s\\\"]\"}", text);
      fputs (i < 4 ? ",\n" : "] ", j);
      bson_destroy (&doc);
   }
   fclose (b);
   fclose (j);
   expect_passed ("x.bson", lengths, 5);
   expect_passed ("x.json", json, 5);
   put_text ("x.bson", "\5\0\0");
   put_text ("x.json", "[{\"a\": }, {\"a\": 1");
   const char *const names[] = {"x.bson", "x.json"};
   for (int i = 0; i < 2; i++) {
      FILE *file = fopen (place (names[i]), "r");
      MtUnpack *u = mt_unpack_open (read_file, file, place (names[i]), MT_E_CORRUPT);
      MtDocStream *s = (i ? mt_json_stream : mt_bson_stream) (u, place (names[i]));
      MtStr raw;
      if (i) /* what is within brackets is not read */
         OK (s->pass (s, &raw, &err));
      assert_false (s->pass (s, &raw, &err));
      expect_error (names[i], i ? MT_E_TEXT_REPRESENTATION : MT_E_CORRUPT,
                    "the file ends within a document");
      assert_null (raw.p);
      mt_doc_stream_close (s);
      mt_unpack_close (u);
      fclose (file);
   }
}

static void test_no_target (void **state)
{
   MtFiles *f;
   mt_error_clear (&err);
   assert_false (mt_files_open (place ("missing.bson"), &f, &err));
   assert_string_equal (err.sqlstate, MT_E_UNDEFINED_FILE);
   put_text ("x.txt", "x");
   assert_false (mt_files_open (place ("x.txt"), &f, &err));
   assert_string_equal (err.sqlstate, MT_E_FEATURE);
   assert_false (mt_files_open (folder, &f, &err)); /* nothing but x.txt */
   assert_string_equal (err.sqlstate, MT_E_UNDEFINED_FILE);
   put_text ("0000000000000001.seg", "x");
   assert_false (
      mt_files_open (folder, &f, &err)); /* a store without its manifest isn't an empty folder */
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   assert_false (mt_files_none (folder));
   mkdir (place ("d"), 0777);
   assert_true (mt_files_none (place ("d")));
}

int main (void)
{
#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)
   const struct CMUnitTest tests[] = {
      T (test_bson),     T (test_json),     T (test_json_long), T (test_mongodump),
      T (test_bad_bson), T (test_bad_json), T (test_pass),      T (test_no_target),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
