/* The embedded store: steps, snapshots, ranges, deletions, merging, locking, damage. */
#include "engine/local/store/store.h"
#include "tests/unit/stored.h"
#include "tests/unit/temp_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>

static MtStore *open_store (bool read_only)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, read_only, &s, &err));
   return s;
}

/* {_id: id, v: v, t: text} */
static bson_t *doc_of (int64_t id, int64_t v, const char *text)
{
   bson_t *b = bson_new ();
   BSON_APPEND_INT64 (b, "_id", id);
   BSON_APPEND_INT64 (b, "v", v);
   BSON_APPEND_UTF8 (b, "t", text);
   return b;
}

static bool put (MtStore *s, const char *coll, int64_t id, int64_t v, const char *text, bool check)
{
   bson_t *b = doc_of (id, v, text);
   bool ok = mt_store_insert (s, coll, bson_get_data (b), b->len, check, &err);
   bson_destroy (b);
   return ok;
}

static bool put_over (MtStore *s, const char *coll, int64_t id, int64_t v, const char *text)
{
   bson_t *b = doc_of (id, v, text);
   bool ok = mt_store_replace (s, coll, bson_get_data (b), b->len, &err);
   bson_destroy (b);
   return ok;
}

/* v of the document with this _id; -1: there is none. */
static int64_t find_v (MtStore *s, const char *coll, int64_t id)
{
   return find_field (s, coll, id, "v", -1);
}

typedef struct Sum {
   int64_t documents, ids, vs;
} Sum;

/* Reads a snapshot whole; false with err set when it is damaged. */
/* Reads the columns of a block, as far as it has some. */
static bool read_columns (const MtReader *r)
{
   static const char *const names[] = {"_id", "v", "t"};
   for (int i = 0; i < 3; i++) {
      MtStoredColumn c;
      bool has;
      if (!mt_reader_column (r, mt_reader_level (r), names[i], &c, &has))
         return false;
   }
   return true;
}

static bool sum_source (MtSource *src, Sum *sum)
{
   *sum = (Sum) {0};
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      static MtReader r; /* keeps its memory from block to block */
      mt_reader_init (&r, src, i, &err);
      if (!read_columns (&r))
         return false;
      const uint8_t *p = r.block.data, *end = p + r.block.size;
      for (uint32_t k = 0; p < end; k++) {
         uint32_t n;
         if (!mt_need (&r, p, 4))
            return false;
         memcpy (&n, p, 4);
         if (!mt_need (&r, p, n))
            return false;
         if (!r.block.deleted || !mt_block_is_deleted (&r.block, k)) {
            sum->documents++;
            sum->ids += field_of (p, n, "_id");
            sum->vs += field_of (p, n, "v");
         }
         p += n;
      }
   }
   return true;
}

static Sum sum_of (MtStore *s, const char *coll)
{
   MtSource *src;
   Sum sum;
   OK (mt_store_source (s, coll, &src, &err));
   OK (sum_source (src, &sum));
   MtCollStats st;
   mt_source_stats (src, &st);
   assert_int_equal (st.documents, sum.documents);
   mt_source_free (src);
   return sum;
}

static Sum sum_anew (const char *coll)
{
   MtStore *s = open_store (true);
   Sum sum = sum_of (s, coll);
   mt_store_close (s);
   return sum;
}

/* ---- tests ---- */

static void test_empty (void **state)
{
   assert_false (mt_store_detect (folder));
   MtStore *s;
   FAILS (MT_E_UNDEFINED_FILE, mt_store_open (folder, false, false, &s, &err));
   s = open_store (false);
   assert_true (mt_store_detect (folder));
   assert_int_equal (sum_of (s, "nothing").documents, 0);
   mt_store_close (s);
}

static void test_commit_and_rollback (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 50000; i++) /* several blocks */
      OK (put (s, "a", i, 2 * i, "some text that makes the document as long as a real one is",
               false));
   assert_int_equal (sum_of (s, "a").documents, 0);  /* a snapshot has what was committed */
   assert_int_equal (find_v (s, "a", 49999), 99998); /* a find has the step's own */
   assert_int_equal (find_v (s, "a", 0), 0);
   OK (mt_store_commit (s, &err));
   Sum sum = sum_of (s, "a");
   assert_int_equal (sum.documents, 50000);
   assert_int_equal (sum.vs, 2 * sum.ids);
   assert_int_equal (sum_anew ("a").ids, sum.ids);

   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 50000; i++)
      OK (put (s, "a", 50000 + i, 1, "gone", false));
   OK (put (s, "b", 1, 1, "gone", false));
   OK (put_over (s, "a", 7, 1000, "gone"));
   OK (mt_store_drop (s, "nothing", &err));
   mt_store_rollback (s);
   assert_int_equal (sum_of (s, "a").ids, sum.ids);
   assert_int_equal (sum_of (s, "a").vs, sum.vs);
   assert_int_equal (find_v (s, "a", 7), 14);
   assert_int_equal (find_v (s, "a", 50000), -1);
   MtArena *a = mt_arena_new ("names", NULL);
   const char **names;
   size_t count;
   OK (mt_store_collections (s, a, &names, &count, &err));
   assert_int_equal (count, 1);
   assert_string_equal (names[0], "a");
   mt_arena_free (a);
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, sum.vs);
}

static void test_unfinished_step (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   OK (put (s, "a", 1, 10, "x", true));
   OK (mt_store_commit (s, &err));
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 30000; i++)
      OK (put (s, "a", 2 + i, 1, "a text of some length, so that blocks are written", false));
   mt_store_close (s); /* without commit */
   s = open_store (false);
   assert_int_equal (sum_of (s, "a").vs, 10);
   OK (mt_store_begin (s, &err));
   OK (put (s, "a", 2, 20, "x", true));
   OK (mt_store_commit (s, &err));
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, 30);
}

static void take (MtStore *s, int64_t id)
{
   bool deleted;
   OK (mt_store_delete (s, "a", mt_v_int64 (id), &deleted, &err));
   assert_true (deleted);
}

/* What sources saw of a step amidst it is forgotten when it ends, whatever order its deletions came
 * in. */
static void test_seen_deletions (void **state)
{
   MtStore *s = open_store (false);
   for (int i = 1; i <= 20; i++) { /* two blocks */
      if (i % 10 == 1)
         OK (mt_store_begin (s, &err));
      OK (put (s, "a", i, i, "x", true));
      if (i % 10 == 0)
         OK (mt_store_commit (s, &err));
   }
   OK (mt_store_begin (s, &err));
   take (s, 15);
   OK (mt_store_see (s, &err));
   assert_int_equal (sum_of (s, "a").documents, 19);
   take (s, 5);
   OK (mt_store_commit (s, &err));
   assert_int_equal (sum_of (s, "a").documents, 18);
   OK (mt_store_begin (s, &err));
   take (s, 16);
   OK (mt_store_commit (s, &err));
   assert_int_equal (sum_of (s, "a").documents, 17);
   assert_int_equal (sum_of (s, "a").ids, 210 - 15 - 5 - 16);
   mt_store_close (s);
}

static void test_ids (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   OK (put (s, "a", 1, 10, "x", true));
   FAILS (MT_E_UNIQUE, put (s, "a", 1, 11, "x", true));
   OK (put (s, "a", 2, 20, "x", true));
   OK (mt_store_commit (s, &err));
   OK (mt_store_begin (s, &err));
   FAILS (MT_E_UNIQUE, put (s, "a", 2, 11, "x", true));
   bool deleted;
   OK (mt_store_delete (s, "a", mt_v_double (2.0), &deleted, &err)); /* 2.0 is 2 */
   assert_true (deleted);
   OK (mt_store_delete (s, "a", mt_v_int64 (2), &deleted, &err));
   assert_false (deleted);
   assert_int_equal (find_v (s, "a", 2), -1);
   OK (put (s, "a", 2, 21, "x", true));
   OK (put_over (s, "a", 2, 22, "x"));
   OK (put_over (s, "a", 3, 30, "x"));
   assert_int_equal (find_v (s, "a", 2), 22);
   OK (mt_store_commit (s, &err));
   assert_int_equal (find_v (s, "a", 2), 22);
   assert_int_equal (sum_of (s, "a").vs, 62);
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, 62);
}

static void test_bad_documents (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   static const uint8_t bad[] = {12, 0, 0, 0, 0x10, 'a', 0, 1, 0, 0, 0, 1}; /* no terminator */
   FAILS (MT_E_TEXT_REPRESENTATION, mt_store_insert (s, "a", bad, sizeof bad, false, &err));
   FAILS (MT_E_TEXT_REPRESENTATION, mt_store_insert (s, "a", bad, 3, false, &err));
   bson_t *b = bson_new ();
   for (int i = 0; i < 101; i++) {
      bson_t *outer = bson_new ();
      BSON_APPEND_DOCUMENT (outer, "d", b);
      bson_destroy (b);
      b = outer;
   }
   FAILS (MT_E_LIMIT, mt_store_insert (s, "a", bson_get_data (b), b->len, false, &err));
   bson_destroy (b);
   uint8_t *big = calloc (1, (16u << 20) + 100);
   bson_t *large = bson_new ();
   BSON_APPEND_INT64 (large, "_id", 1);
   BSON_APPEND_INT64 (large, "v", 1);
   assert_true (bson_append_binary (large, "b", 1, BSON_SUBTYPE_BINARY, big, 16u << 20));
   FAILS (MT_E_LIMIT, mt_store_insert (s, "a", bson_get_data (large), large->len, false, &err));
   bson_destroy (large);
   large = bson_new ();
   BSON_APPEND_INT64 (large, "_id", 1);
   BSON_APPEND_INT64 (large, "v", 1);
   assert_true (bson_append_binary (large, "b", 1, BSON_SUBTYPE_BINARY, big, (16u << 20) - 100));
   OK (mt_store_insert (s, "a", bson_get_data (large), large->len, false,
                        &err)); /* larger than a block */
   OK (put (s, "a", 2, 2, "x", true));
   OK (mt_store_commit (s, &err));
   assert_int_equal (sum_of (s, "a").documents, 2);
   bson_destroy (large);
   free (big);
   mt_store_close (s);
}

static void test_snapshot_stays (void **state)
{
   MtStore *s = open_store (false), *other = open_store (true);
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 1000; i++)
      OK (put (s, "a", i, 1, "x", false));
   OK (mt_store_commit (s, &err));
   MtSource *mine, *others;
   OK (mt_store_source (s, "a", &mine, &err));
   OK (mt_store_source (other, "a", &others, &err)); /* sees what another committed */
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 1000; i++)
      OK (put_over (s, "a", i, 100, "x"));
   OK (mt_store_commit (s, &err));
   Sum sum;
   OK (sum_source (mine, &sum));
   assert_int_equal (sum.vs, 1000);
   assert_int_equal (sum_of (s, "a").vs, 100000);
   assert_int_equal (sum_of (other, "a").vs, 100000);
   OK (mt_store_begin (s, &err));
   OK (mt_store_drop (s, "a", &err));
   OK (put (s, "a", 5, 5, "x", true)); /* another collection of that name */
   OK (mt_store_commit (s, &err));
   OK (sum_source (others, &sum));
   assert_int_equal (sum.vs, 1000);
   assert_int_equal (sum_of (other, "a").vs, 5);
   mt_source_free (mine);
   mt_store_close (s);
   mt_store_close (other);
   OK (sum_source (others, &sum)); /* even without its store */
   mt_source_free (others);
}

static void test_ranges (void **state)
{
   MtStore *s = open_store (false);
   char text[200];
   memset (text, 'z', sizeof text);
   text[199] = 0;
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 20000; i++)
      OK (put (s, "a", i, 20000 - i, i == 0 ? text : "abc", false));
   OK (mt_store_commit (s, &err));
   OK (mt_store_begin (s, &err));
   OK (mt_store_index (s, "a", (const char *const[]) {"v", "t", "none"}, 3, &err));
   for (int i = 20000; i < 40000; i++)
      OK (put (s, "a", i, 20000 - i, "abc", false));
   OK (mt_store_commit (s, &err));
   mt_store_close (s);
   s = open_store (true);
   MtSource *src;
   OK (mt_store_source (s, "a", &src, &err));
   assert_true (mt_source_blocks (src) >= 2);
   int64_t id = 0;
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      MtVal min, max;
      MtBlock b;
      mt_source_block (src, i, &b);
      assert_true (mt_block_range (src, i, "_id", &min, &max));
      assert_int_equal (min.i, id);
      assert_int_equal (max.i, id + b.documents - 1);
      assert_true (mt_block_range (src, i, "v", &min, &max));
      assert_int_equal (max.i, 20000 - id);
      assert_int_equal (min.i, 20000 - (id + b.documents - 1));
      assert_true (mt_block_range (src, i, "t", &min, &max));
      assert_true (mt_v_compare (min, mt_v_str ("abc", 3)) == 0);
      assert_true (mt_v_compare (max, i == 0 ? mt_v_str (text, 199) : mt_v_str ("abc", 3)) >= 0);
      assert_true (mt_block_range (src, i, "none", &min, &max));
      assert_true (mt_is_nullish (min) && mt_is_nullish (max));
      assert_false (mt_block_range (src, i, "other", &min, &max));
      id += b.documents;
   }
   mt_source_free (src);
   mt_store_close (s);
}

static void test_array_has_no_range (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   OK (mt_store_index (s, "a", (const char *const[]) {"v"}, 1, &err));
   bson_t *b = bson_new_from_json ((const uint8_t *) "{\"_id\": 1, \"v\": [1, 100]}", -1, NULL);
   OK (mt_store_insert (s, "a", bson_get_data (b), b->len, true, &err));
   bson_destroy (b);
   OK (mt_store_commit (s, &err));
   MtSource *src;
   MtVal min, max;
   OK (mt_store_source (s, "a", &src, &err));
   assert_false (mt_block_range (src, 0, "v", &min, &max));
   mt_source_free (src);
   mt_store_close (s);
}

static void test_many_small_commits (void **state)
{
   MtStore *s = NULL;
   OK (mt_store_open (NULL, true, false, &s, &err)); /* temporary: nothing is synced */
   for (int i = 0; i < 3000; i++) {
      OK (mt_store_begin (s, &err));
      OK (put_over (s, "a", i % 700, i, "x"));
      OK (mt_store_commit (s, &err));
   }
   int64_t want = 0;
   for (int i = 2300; i < 3000; i++)
      want += i;
   assert_int_equal (sum_of (s, "a").vs, want);
   assert_int_equal (find_v (s, "a", 0), 2800);
   MtSource *src;
   OK (mt_store_source (s, "a", &src, &err));
   assert_true (mt_source_blocks (src) < 100);
   mt_source_free (src);
   mt_store_close (s);

   s = open_store (false);
   for (int i = 0; i < 300; i++) {
      OK (mt_store_begin (s, &err));
      OK (put_over (s, "a", i % 70, i, "x"));
      OK (mt_store_commit (s, &err));
   }
   Sum sum = sum_of (s, "a");
   assert_int_equal (sum.documents, 70);
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, sum.vs);
}

static void test_room_is_taken_back (void **state)
{
   MtStore *s = open_store (false);
   char text[10000];
   memset (text, 'x', sizeof text - 1);
   text[sizeof text - 1] = 0;
   OK (mt_store_begin (s, &err));
   OK (mt_store_index (s, "a", (const char *const[]) {"v"}, 1, &err));
   OK (mt_store_commit (s, &err));
   MtSource *early = NULL;
   for (int k = 0; k < 12; k++) {
      OK (mt_store_begin (s, &err));
      for (int i = 0; i < 500; i++)
         OK (put_over (s, "a", i, k * 500 + i, text));
      OK (mt_store_commit (s, &err));
      if (k == 1)
         OK (mt_store_source (s, "a", &early, &err));
      assert_true (mt_store_disk_bytes (s, "a") < 5 * 5000000 + (16 << 20));
   }
   assert_int_equal (sum_of (s, "a").vs, 11 * 500 * 500 + 499 * 250);
   assert_int_equal (find_v (s, "a", 499), 11 * 500 + 499);
   assert_int_equal (mt_store_disk_bytes (s, "a") < 40000000, 1); /* of 60 MB written */
   Sum sum;
   OK (sum_source (early, &sum)); /* though its file is gone */
   assert_int_equal (sum.vs, 500 * 500 + 499 * 250);
   mt_source_free (early);
   mt_store_close (s);
   s = open_store (true);
   assert_int_equal (sum_of (s, "a").vs, 11 * 500 * 500 + 499 * 250);
   MtSource *src;
   MtVal min, max;
   OK (mt_store_source (s, "a", &src, &err));
   assert_true (mt_block_range (src, 0, "v", &min, &max));
   mt_source_free (src);
   mt_store_close (s);
   int files = 0;
   DIR *d = opendir (folder);
   for (struct dirent *e; d && (e = readdir (d));)
      files += strstr (e->d_name, ".seg") != NULL;
   closedir (d);
   assert_int_equal (files, 1);
}

static void test_manifest_compaction (void **state)
{
   MtStore *s = open_store (false), *other = open_store (true);
   char text[4000];
   memset (text, 'x', sizeof text - 1);
   text[sizeof text - 1] = 0;
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 2000; i++)
      OK (put (s, "a", i, 1, "x", false));
   OK (mt_store_commit (s, &err));
   MtSource *early;
   OK (mt_store_source (other, "a", &early, &err));
   struct stat before, after;
   char path[4096];
   snprintf (path, sizeof path, "%s/MANIFEST", folder);
   assert_int_equal (stat (path, &before), 0);
   for (int k = 0; k < 60; k++) { /* deletions of 2,000 documents are 8 kB in the log */
      OK (mt_store_begin (s, &err));
      for (int i = 0; i < 2000; i++)
         OK (put_over (s, "a", i, k, "x"));
      OK (mt_store_commit (s, &err));
   }
   assert_int_equal (stat (path, &after), 0);
   assert_true (before.st_ino != after.st_ino);
   assert_int_equal (sum_of (s, "a").vs, 2000 * 59);
   assert_int_equal (sum_of (other, "a").vs, 2000 * 59);
   Sum sum;
   OK (sum_source (early, &sum));
   assert_int_equal (sum.vs, 2000);
   mt_source_free (early);
   mt_store_close (other);
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, 2000 * 59);
}

/* The size of the store's files. */
static off_t size_of_store (void)
{
   DIR *d = opendir (folder);
   struct stat st;
   off_t all = 0;
   assert_non_null (d);
   for (struct dirent *e; (e = readdir (d));)
      if (e->d_name[0] != '.' && fstatat (dirfd (d), e->d_name, &st, 0) == 0)
         all += st.st_size;
   closedir (d);
   return all;
}

static void write_rows (MtStore *s, int64_t from, int64_t to, int64_t a_step)
{
   for (int64_t i = from; i < to; i += a_step) {
      OK (mt_store_begin (s, &err));
      for (int64_t k = i; k < i + a_step; k++)
         OK (put (s, "c", k, k, "sixty-four bytes of a text, which is the same in all documents",
                  true));
      OK (mt_store_commit (s, &err));
   }
}

static void pack (MtStore *s)
{
   OK (mt_store_begin (s, &err));
   OK (mt_store_pack (s, (const char *[]) {"none", "c"}, 2, &err));
   OK (mt_store_commit (s, &err));
}

/* The session has packed nothing, because it was killed. */
static void write_rows_and_be_killed (int64_t rows)
{
   int status;
   if (fork () == 0) {
      write_rows (open_store (false), 0, rows, 1);
      _exit (0);
   }
   assert_true (wait (&status) > 0 && status == 0);
}

/* Packed small steps take as much as a single one. Readers of other processes keep their
 * snapshots. */
static void test_pack (void **state)
{
   enum { ROWS = 5000 };
   int64_t sum = (int64_t) ROWS * (ROWS - 1) / 2;
   MtSource *before;
   MtStore *s = open_store (false);
   write_rows (s, 0, ROWS, ROWS);
   mt_store_close (s);
   off_t once = size_of_store ();
   teardown (state);
   setup (state);
   write_rows_and_be_killed (ROWS);
   assert_true (size_of_store () > once + (64 << 10));
   MtStore *reader = open_store (true);
   OK (mt_store_source (reader, "c", &before, &err));
   s = open_store (false);
   pack (s);
   Sum now = sum_of (s, "c"), then;
   assert_true (now.documents == ROWS && now.ids == sum && now.vs == sum);
   mt_store_close (s);
   assert_true (size_of_store () < once + once / 8 + 4096);
   OK (sum_source (before, &then));
   assert_true (then.documents == ROWS && then.ids == sum);
   mt_source_free (before);
   assert_int_equal (sum_of (reader, "c").vs, sum);
   mt_store_close (reader);
}

/* Changes of the same step are packed, too. A rollback undoes the packing. */
static void test_pack_changes (void **state)
{
   enum { ROWS = 3000 };
   bool deleted;
   MtStore *s = open_store (false);
   write_rows (s, 0, ROWS, 10);
   OK (mt_store_begin (s, &err));
   for (int64_t i = 0; i < ROWS / 2; i++)
      OK (mt_store_delete (s, "c", mt_v_int64 (i), &deleted, &err) && deleted);
   OK (put (s, "c", ROWS, ROWS, "new", true));
   OK (mt_store_pack (s, (const char *[]) {"c"}, 1, &err));
   OK (mt_store_commit (s, &err));
   Sum now = sum_of (s, "c");
   assert_int_equal (now.documents, ROWS - ROWS / 2 + 1);
   assert_int_equal (find_v (s, "c", 7), -1);
   assert_int_equal (find_v (s, "c", ROWS), ROWS);
   OK (mt_store_begin (s, &err));
   OK (put_over (s, "c", ROWS - 1, 1, "x"));
   OK (mt_store_pack (s, (const char *[]) {"c"}, 1, &err));
   mt_store_rollback (s);
   assert_int_equal (find_v (s, "c", ROWS - 1), ROWS - 1);
   pack (s);
   pack (s);
   mt_store_close (s);
   assert_int_equal (sum_anew ("c").vs, now.vs);
}

static void test_lock (void **state)
{
   MtStore *s = open_store (false), *other = open_store (false);
   OK (mt_store_begin (s, &err));
   FAILS (MT_E_LOCKED, mt_store_begin (other, &err));
   assert_non_null (strstr (err.message, folder));
   assert_non_null (strstr (err.detail, "LOCK"));
   OK (put (s, "a", 1, 1, "x", false));
   OK (mt_store_commit (s, &err));
   OK (mt_store_begin (other, &err));
   OK (put (other, "a", 2, 2, "x", true));
   FAILS (MT_E_UNIQUE, put (other, "a", 1, 2, "x", true));
   OK (mt_store_commit (other, &err));
   assert_int_equal (sum_of (s, "a").vs, 3);
   assert_int_equal (find_v (s, "a", 2), 2); /* s has built its index now */
   OK (mt_store_begin (other, &err));
   OK (put (other, "a", 3, 3, "x", true));
   OK (put_over (other, "a", 2, 22, "x"));
   OK (mt_store_commit (other, &err));
   assert_int_equal (find_v (s, "a", 3), 3);
   assert_int_equal (find_v (s, "a", 2), 22);
   OK (mt_store_begin (s, &err));
   FAILS (MT_E_UNIQUE, put (s, "a", 3, 2, "x", true));
   mt_store_rollback (s);
   mt_store_close (s);
   mt_store_close (other);
   s = open_store (true);
   FAILS (MT_E_READ_ONLY, mt_store_begin (s, &err));
   mt_store_close (s);
}

static void test_disk_full (void **state)
{
   MtStore *s = open_store (false);
   OK (mt_store_begin (s, &err));
   OK (put (s, "a", 1, 1, "x", false));
   OK (mt_store_commit (s, &err));
   struct rlimit old, small = {512 << 10, RLIM_INFINITY};
   signal (SIGXFSZ, SIG_IGN);
   getrlimit (RLIMIT_FSIZE, &old);
   small.rlim_max = old.rlim_max;
   setrlimit (RLIMIT_FSIZE,
              &small); /* EFBIG, the nearest that can be had without a disk of one's own */
   OK (mt_store_begin (s, &err));
   bool ok = true;
   mt_error_clear (&err);
   for (int i = 0; ok && i < 200000; i++)
      ok = put (s, "a", 2 + i, INT64_C (7919) * i * i, "a text, so that blocks are written", false);
   assert_false (ok);
   assert_string_equal (err.sqlstate, MT_E_DISK_FULL);
   FAILS (MT_E_DISK_FULL, mt_store_commit (s, &err)); /* the step can't be committed any more */
   setrlimit (RLIMIT_FSIZE, &old);
   assert_int_equal (sum_of (s, "a").vs, 1);
   OK (mt_store_begin (s, &err));
   OK (put (s, "a", 2, 2, "x", true));
   OK (mt_store_commit (s, &err));
   mt_store_close (s);
   assert_int_equal (sum_anew ("a").vs, 3);
}

static void poke (const char *name, long at, uint8_t flip)
{
   char path[4096];
   uint8_t c;
   snprintf (path, sizeof path, "%s/%s", folder, name);
   int fd = open (path, O_RDWR);
   assert_true (fd >= 0);
   struct stat st;
   fstat (fd, &st);
   if (at < 0)
      at += st.st_size;
   assert_int_equal (pread (fd, &c, 1, at), 1);
   c ^= flip;
   assert_int_equal (pwrite (fd, &c, 1, at), 1);
   close (fd);
}

static void cut (const char *name, long by)
{
   char path[4096];
   struct stat st;
   snprintf (path, sizeof path, "%s/%s", folder, name);
   assert_int_equal (stat (path, &st), 0);
   assert_int_equal (truncate (path, by < 0 ? st.st_size + by : by), 0);
}

static bool read_all (void)
{
   MtStore *s;
   MtSource *src;
   Sum sum;
   mt_error_clear (&err);
   if (!mt_store_open (folder, false, true, &s, &err))
      return false;
   bool ok = mt_store_source (s, "a", &src, &err);
   if (ok) {
      ok = sum_source (src, &sum);
      mt_source_free (src);
   }
   mt_store_close (s);
   return ok;
}

static void test_damage (void **state)
{
   MtStore *s = open_store (false);
   for (int k = 0; k < 3; k++) {
      OK (mt_store_begin (s, &err));
      for (int i = 0; i < 3000; i++) /* less is in the log */
         OK (put (s, "a", 3000 * k + i, 1, "x", false));
      OK (mt_store_commit (s, &err));
   }
   mt_store_close (s);
   const char *seg = "0000000000000001.seg";
   assert_true (read_all ());
   static const struct {
      const char *file;
      long at;
   } places[] = {
      {"MANIFEST", 8192}, {"MANIFEST", 8192 + 4}, {"MANIFEST", 8300}, {NULL, 0},  {NULL, 20},
      {NULL, 64},         {NULL, 64 + 64},        {NULL, 5000},       {NULL, -1},
   };
   for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
      const char *file = places[i].file ? places[i].file : seg;
      poke (file, places[i].at, 4);
      FAILS (MT_E_CORRUPT, read_all ());
      if (places[i].file)
         assert_non_null (strstr (err.message, "MANIFEST"));
      poke (file, places[i].at, 4);
      assert_true (read_all ());
   }
   poke ("MANIFEST", 30, 4);
   poke ("MANIFEST", 4096 + 30, 4);
   FAILS (MT_E_CORRUPT, read_all ()); /* both head slots */
   poke ("MANIFEST", 30, 4);
   poke ("MANIFEST", 4096 + 30, 4);
   cut (seg, -1);
   FAILS (MT_E_CORRUPT, read_all ());
   cut ("MANIFEST", 9000);
   FAILS (MT_E_CORRUPT, read_all ());
   cut ("MANIFEST", 0);
   FAILS (MT_E_CORRUPT, read_all ());
}

/* A store with commits of one document each: `_id` and v are 1, 2, …. */
static void commit_each (int64_t first, int64_t last)
{
   MtStore *s = open_store (false);
   for (int64_t i = first; i <= last; i++) {
      OK (mt_store_begin (s, &err));
      OK (put (s, "a", i, i, "x", true));
      OK (mt_store_commit (s, &err));
   }
   mt_store_close (s);
}

/* The sum of v; `warns`: what the warning must have, NULL: no warning. */
static int64_t read_warned (const char *warns)
{
   MtStore *s = open_store (true);
   if (warns) {
      assert_non_null (mt_store_warning (s));
      assert_non_null (strstr (mt_store_warning (s)->message, warns));
      assert_true (mt_store_warning (s)->hint[0] != 0);
   } else {
      assert_null (mt_store_warning (s));
   }
   int64_t vs = sum_of (s, "a").vs;
   assert_int_equal (sum_of (s, "a").vs, vs);
   mt_store_close (s);
   return vs;
}

static void test_one_damaged_slot (void **state)
{
   static const long slots[] = {30, 4096 + 30, 0, 4096};
   int64_t n = 3, sum = 6;
   commit_each (1, 3);
   for (size_t i = 0; i < 8; i++) { /* each slot is the newer one at some time */
      poke ("MANIFEST", slots[i % 4], 4);
      assert_int_equal (read_warned ("a head slot's checksum is wrong"), sum);
      commit_each (n + 1, n + 1);
      sum += ++n;
      assert_int_equal (read_warned (NULL), sum);
   }
}

/* Another process reads while the slot is damaged, and while it is written again. */
static void test_damaged_slot_beside_a_reader (void **state)
{
   for (long at = 30; at < 5000; at += 4096) {
      commit_each (at, at + 1);
      MtStore *reader = open_store (true);
      int64_t sum = sum_of (reader, "a").vs;
      poke ("MANIFEST", at, 4);
      assert_int_equal (sum_of (reader, "a").vs, sum);
      commit_each (at + 2, at + 2);
      assert_int_equal (sum_of (reader, "a").vs, sum + at + 2);
      mt_store_close (reader);
   }
}

static void test_damaged_last_commit (void **state)
{
   commit_each (1, 3);
   poke ("MANIFEST", -1, 4);
   assert_int_equal (read_warned ("the last commit can't be read"), 3);
   MtStore *s = open_store (false);
   assert_true (mt_store_is_read_only (s));
   FAILS (MT_E_CORRUPT, mt_store_begin (s, &err));
   assert_non_null (strstr (err.hint, "--salvage"));
   assert_int_equal (sum_of (s, "a").vs, 3);
   mt_store_close (s);
   for (long slot = 30; slot < 5000; slot += 4096) { /* with a damaged slot, too */
      poke ("MANIFEST", slot, 4);
      assert_int_equal (read_warned ("the last commit can't be read"), 3);
      poke ("MANIFEST", slot, 4);
   }
   poke ("MANIFEST", -1, 4);
   assert_int_equal (read_warned (NULL), 6);
   cut ("MANIFEST", -1);
   assert_int_equal (read_warned ("the last commit can't be read"), 3);
}

static void copy_manifest (const char *from, const char *to)
{
   char command[9000];
   snprintf (command, sizeof command, "cp '%s/%s' '%s/%s'", folder, from, folder, to);
   assert_int_equal (system (command), 0);
}

static void test_old_manifest (void **state)
{
   commit_each (1, 3);
   copy_manifest ("MANIFEST", "old");
   commit_each (4, 4);
   copy_manifest ("MANIFEST", "new");
   MtStore *s;
   copy_manifest ("old", "MANIFEST");
   for (int read_only = 0; read_only < 2; read_only++) {
      FAILS (MT_E_CORRUPT, mt_store_open (folder, false, read_only, &s, &err));
      assert_non_null (strstr (err.message, "is an old copy"));
      assert_non_null (strstr (err.hint, "--salvage"));
   }
   copy_manifest ("new", "MANIFEST");
   assert_int_equal (read_warned (NULL), 10);
   commit_each (5, 5);
   assert_int_equal (read_warned (NULL), 15);
}

static void test_many_collections (void **state)
{
   struct rlimit old, few = {400, 0};
   getrlimit (RLIMIT_NOFILE, &old);
   few.rlim_max = old.rlim_max;
   setrlimit (RLIMIT_NOFILE, &few);
   MtStore *s = open_store (false);
   char name[20];
   for (int k = 0; k < 3; k++) {
      for (int from = 0; from < 900; from += 300) {
         OK (mt_store_begin (s, &err));
         for (int i = from; i < from + 300; i++) {
            snprintf (name, sizeof name, "c%d", i);
            OK (put (s, name, k, i, "x", true));
         }
         OK (mt_store_commit (s, &err));
      }
   }
   MtSource *src[900];
   Sum sum;
   for (int i = 0; i < 900; i++) {
      snprintf (name, sizeof name, "c%d", i);
      OK (mt_store_source (s, name, &src[i], &err));
   }
   mt_store_close (s);
   for (int i = 0; i < 900; i++) {
      OK (sum_source (src[i], &sum));
      assert_int_equal (sum.vs, 3 * i);
      mt_source_free (src[i]);
   }
   setrlimit (RLIMIT_NOFILE, &old);
}

static void test_temporary (void **state)
{
   MtStore *s = NULL;
   OK (mt_store_open (NULL, true, false, &s, &err));
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 50000; i++)
      OK (put (s, "a", i, 1, "some text that makes the document longer", i % 100 == 0));
   OK (mt_store_commit (s, &err));
   assert_int_equal (sum_of (s, "a").vs, 50000);
   OK (mt_store_begin (s, &err));
   OK (mt_store_drop (s, "a", &err));
   mt_store_rollback (s);
   assert_int_equal (sum_of (s, "a").vs, 50000);
   mt_store_close (s);
}

int main (void)
{
#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)
   const struct CMUnitTest tests[] = {
      T (test_empty),
      T (test_commit_and_rollback),
      T (test_unfinished_step),
      T (test_ids),
      T (test_seen_deletions),
      T (test_bad_documents),
      T (test_snapshot_stays),
      T (test_ranges),
      T (test_array_has_no_range),
      T (test_many_small_commits),
      T (test_room_is_taken_back),
      T (test_manifest_compaction),
      T (test_pack),
      T (test_pack_changes),
      T (test_lock),
      T (test_disk_full),
      T (test_damage),
      T (test_one_damaged_slot),
      T (test_damaged_slot_beside_a_reader),
      T (test_damaged_last_commit),
      T (test_old_manifest),
      T (test_many_collections),
      T (test_temporary),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
