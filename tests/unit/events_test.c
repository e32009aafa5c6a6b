/* Increments of the embedded store: totals over documents, rollback and places, snapshots,
 * replaying, folding, group commit. */
#include "engine/engine.h"
#include "engine/local/store/patch.h"
#include "engine/local/store/store.h"
#include "tests/unit/temp_folder.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static MtStore *open_store (void)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, false, &s, &err));
   return s;
}

/* Adds n to day, and to minute.H.M, of the document `id`, whose day is given when it is made. */
static bool hit (MtStore *s, const char *id, int minute, int64_t n)
{
   char path[40];
   bson_t amounts = BSON_INITIALIZER, first = BSON_INITIALIZER;
   snprintf (path, sizeof path, "minute.%02d.%02d", minute / 60, minute % 60);
   BSON_APPEND_INT64 (&amounts, "day", n);
   BSON_APPEND_INT32 (&amounts, path, (int32_t) n);
   BSON_APPEND_UTF8 (&first, "meta.name", id);
   bool ok = mt_store_increment (s, "c", mt_v_str (id, strlen (id)), &amounts, &first, &err);
   bson_destroy (&amounts);
   bson_destroy (&first);
   return ok;
}

static void hit_once (MtStore *s, const char *id, int minute, int64_t n)
{
   OK (mt_store_begin (s, &err));
   OK (hit (s, id, minute, n));
   OK (mt_store_commit (s, &err));
}

/* The document as text; "" when there is none. */
static const char *found (MtStore *s, const char *id)
{
   static char text[40000];
   MtArena *a = mt_arena_new ("found", NULL);
   MtBuf out = {0};
   MtVal doc;
   OK (mt_store_find (s, "c", mt_v_str (id, strlen (id)), a, &doc, &err));
   if (doc.type == MT_DOC)
      mt_v_to_json (doc, false, &out);
   snprintf (text, sizeof text, "%s", out.p ? out.p : "");
   mt_buf_free (&out);
   mt_arena_free (a);
   return text;
}

/* The sum of `day` over the documents of a source, and how many there are. */
static int64_t total (MtSource *src, int *documents)
{
   int64_t sum = 0;
   *documents = 0;
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      static MtReader r; /* keeps its memory from block to block */
      OK (mt_reader_init (&r, src, i, &err));
      uint32_t k = 0;
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; p < end; k++) {
         bson_t b;
         bson_iter_t it;
         int32_t n;
         OK (mt_need (&r, p, 4));
         memcpy (&n, p, 4);
         OK (mt_need (&r, p, (size_t) n));
         if (!r.block.deleted || !mt_block_is_deleted (&r.block, k)) {
            assert_true (bson_init_static (&b, p, (size_t) n) &&
                         bson_iter_init_find (&it, &b, "day"));
            sum += bson_iter_as_int64 (&it);
            ++*documents;
         }
         p += n;
      }
   }
   return sum;
}

static int64_t total_now (MtStore *s, int *documents)
{
   MtSource *src;
   OK (mt_store_source (s, "c", &src, &err));
   int64_t sum = total (src, documents);
   mt_source_free (src);
   return sum;
}

static uint64_t bytes_now (MtStore *s)
{
   MtSource *src;
   MtCollStats stats;
   OK (mt_store_source (s, "c", &src, &err));
   mt_source_stats (src, &stats);
   mt_source_free (src);
   return stats.bytes;
}

/* A store whose collection has a document "a" of before. */
static MtStore *with_a (void)
{
   MtStore *s = open_store ();
   hit_once (s, "a", 61, 5);
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":5,\"minute\":{\"01\":{\"01\":5}}}");
   return s;
}

static void adding (void **state)
{
   int n;
   MtStore *s = with_a ();
   hit_once (s, "a", 62, 2);
   hit_once (s, "a", 61, 1);
   hit_once (s, "b", 0, 7);
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":8,\"minute\":{\"01\":{\"01\":6,\"02\":2}}}");
   assert_string_equal (
      found (s, "b"),
      "{\"_id\":\"b\",\"meta\":{\"name\":\"b\"},\"day\":7,\"minute\":{\"00\":{\"00\":7}}}");
   assert_int_equal (total_now (s, &n), 15);
   assert_int_equal (n, 2);
   mt_store_close (s);
   s = open_store (); /* the log says the same */
   assert_int_equal (total_now (s, &n), 15);
   hit_once (s, "a", 61, 1);
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":9,\"minute\":{\"01\":{\"01\":7,\"02\":2}}}");
   mt_store_close (s);
}

static void taking_back (void **state)
{
   int n;
   size_t mark;
   MtStore *s = with_a ();
   OK (mt_store_begin (s, &err));
   OK (hit (s, "a", 61, 10));
   OK (hit (s, "x", 1, 1));
   OK (mt_store_mark (s, &mark, &err));
   for (int i = 0; i < 300; i++)
      OK (hit (s, i % 2 ? "a" : "y", i, 1));
   OK (mt_store_see (s, &err));
   assert_int_equal (total_now (s, &n), 316);
   mt_store_return (s, mark);
   assert_string_equal (found (s, "y"), "");
   OK (hit (s, "z", 61, 100));
   OK (hit (s, "a", 61, 100));
   OK (mt_store_commit (s, &err));
   assert_int_equal (total_now (s, &n), 216);
   assert_int_equal (n, 3);
   uint64_t bytes = bytes_now (s);
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < 300; i++)
      OK (hit (s, i % 2 ? "a" : "y", i, 1));
   mt_store_rollback (s);
   assert_int_equal (total_now (s, &n), 216);
   assert_int_equal (bytes_now (s), bytes);
   mt_store_close (s);
   s = open_store ();
   assert_int_equal (total_now (s, &n), 216);
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":115,\"minute\":{\"01\":{\"01\":115}}}");
   mt_store_close (s);
}

static void snapshots (void **state)
{
   int n;
   MtSource *before, *after;
   MtStore *s = with_a ();
   OK (mt_store_source (s, "c", &before, &err));
   for (int i = 0; i < 200; i++) {
      char id[16];
      snprintf (id, sizeof id, "m%d", i);
      hit_once (s, id, i, 1);
   }
   hit_once (s, "a", 61, 1);
   OK (mt_store_source (s, "c", &after, &err));
   hit_once (s, "a", 61, 1);
   assert_int_equal (total (before, &n), 5);
   assert_int_equal (total (after, &n), 206);
   assert_int_equal (n, 201);
   MtVal min, max;
   assert_true (mt_block_range (after, mt_source_blocks (after) - 1, "_id", &min, &max));
   assert_true (mt_v_compare (min, max) < 0);
   mt_source_free (before);
   mt_source_free (after);
   mt_store_close (s);
}

/* Whatever else is done to the documents sees what was added. */
static void folding (void **state)
{
   int n;
   bool deleted;
   MtStore *s = with_a ();
   hit_once (s, "a", 61, 1);
   OK (mt_store_begin (s, &err));
   OK (hit (s, "b", 1, 1));
   bson_t *other = BCON_NEW ("_id", "b", "day", BCON_INT64 (40));
   OK (mt_store_replace (s, "c", bson_get_data (other), other->len, &err));
   OK (hit (s, "b", 61, 2));
   OK (hit (s, "a", 61, 2));
   OK (mt_store_delete (s, "c", mt_v_str ("none", 4), &deleted, &err));
   assert_string_equal (found (s, "b"),
                        "{\"_id\":\"b\",\"day\":42,\"minute\":{\"01\":{\"01\":2}}}");
   OK (mt_store_commit (s, &err));
   assert_int_equal (total_now (s, &n), 50);
   hit_once (s, "b", 61, 1);
   OK (mt_store_begin (s, &err)); /* a rolled back fold folds nothing */
   OK (mt_store_delete (s, "c", mt_v_str ("b", 1), &deleted, &err));
   assert_true (deleted);
   OK (mt_store_see (s, &err));
   assert_int_equal (total_now (s, &n), 8);
   mt_store_rollback (s);
   assert_int_equal (total_now (s, &n), 51);
   mt_store_close (s);
   s = open_store ();
   assert_int_equal (total_now (s, &n), 51);
   OK (mt_store_begin (s, &err));
   assert_false (mt_store_insert (s, "c", bson_get_data (other), other->len, true, &err));
   assert_string_equal (err.sqlstate, "23505");
   mt_error_clear (&err);
   mt_store_rollback (s);
   bson_destroy (other);
   mt_store_close (s);
}

static void refused (void **state)
{
   MtStore *s = with_a ();
   bson_t *amounts = BCON_NEW ("day", BCON_INT64 (1), "meta.name.x", BCON_INT64 (1)),
          *text = BCON_NEW ("day", BCON_INT64 (1), "meta.name", BCON_INT64 (1)),
          *most = BCON_NEW ("day", BCON_INT64 (INT64_MAX)), none = BSON_INITIALIZER;
   OK (mt_store_begin (s, &err));
   assert_false (mt_store_increment (s, "c", mt_v_str ("a", 1), amounts, &none, &err));
   assert_string_equal (
      err.message,
      "cannot create field \"meta.name.x\" in a document of collection \"c\": a part of the path is of type string");
   mt_error_clear (&err);
   assert_false (mt_store_increment (s, "c", mt_v_str ("a", 1), text, &none, &err));
   assert_string_equal (
      err.message,
      "cannot add to field \"meta.name\" of a document of collection \"c\": it is of type string");
   mt_error_clear (&err);
   assert_false (mt_store_increment (s, "c", mt_v_str ("a", 1), most, &none, &err));
   assert_string_equal (err.sqlstate, "22003");
   mt_error_clear (&err);
   OK (hit (s, "a", 62, 1));
   OK (mt_store_commit (s, &err));
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":6,\"minute\":{\"01\":{\"01\":5,\"02\":1}}}");
   mt_store_close (s);
   s = open_store ();
   assert_string_equal (
      found (s, "a"),
      "{\"_id\":\"a\",\"meta\":{\"name\":\"a\"},\"day\":6,\"minute\":{\"01\":{\"01\":5,\"02\":1}}}");
   mt_store_close (s);
   bson_destroy (amounts);
   bson_destroy (text);
   bson_destroy (most);
}

/* The manifest is written anew again and again: with totals of what isn't folded. */
static void compacting (void **state)
{
   int n;
   MtStore *s = with_a ();
   for (int i = 0; i < 40; i++) {
      OK (mt_store_begin (s, &err));
      for (int k = 0; k < 400; k++)
         OK (hit (s, k % 3 ? "a" : "b", (i * 400 + k) % 1440, 1));
      OK (mt_store_commit (s, &err));
   }
   assert_int_equal (total_now (s, &n), 16005);
   mt_store_close (s);
   s = open_store ();
   assert_int_equal (total_now (s, &n), 16005);
   mt_store_close (s);
}

/* What could be taken over in part only is taken over whole when it comes again. */
static void coming_again (void **state)
{
   int n;
   char *hidden = NULL, *segment = NULL;
   static char pad[100000]; /* so that the block is in the segment */
   memset (pad, 'x', sizeof pad - 1);
   bson_t *b = BCON_NEW ("_id", "a", "day", BCON_INT64 (5), "pad", pad);
   MtStore *s = open_store ();
   OK (mt_store_begin (s, &err));
   OK (mt_store_insert (s, "c", bson_get_data (b), b->len, true, &err));
   OK (mt_store_commit (s, &err));
   OK (mt_store_begin (s, &err));
   OK (hit (s, "z", 1, 10)); /* no block can have it */
   OK (hit (s, "a", 1, 100));
   OK (mt_store_commit (s, &err));
   mt_store_close (s);
   s = open_store ();
   assert_true (asprintf (&segment, "%s/%016x.seg", folder, 1) > 0 &&
                asprintf (&hidden, "%s/hidden", folder) > 0);
   assert_int_equal (rename (segment, hidden), 0);
   MtArena *a = mt_arena_new ("found", NULL);
   MtVal doc;
   for (int i = 0; i < 2; i++) {
      assert_false (mt_store_find (s, "c", mt_v_str ("z", 1), a, &doc, &err));
      assert_string_equal (err.sqlstate, "58P01");
      mt_error_clear (&err);
   }
   assert_int_equal (rename (hidden, segment), 0);
   assert_int_equal (total_now (s, &n), 115);
   assert_int_equal (n, 2);
   mt_arena_free (a);
   free (segment);
   free (hidden);
   bson_destroy (b);
   mt_store_close (s);
}

/* Of another process; it commits what the store at hand sees when it looks next. */
static void in_child (void (*f) (MtStore *s))
{
   pid_t pid = fork ();
   if (pid == 0) {
      f (open_store ());
      raise (SIGKILL);
   }
   int status;
   assert_int_equal (waitpid (pid, &status, 0), pid);
   assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
}

static void add_now (MtStore *s) { hit_once (s, "a", 61, 1); }

static void add_later (MtStore *s)
{
   mt_store_set_delay (s, 3600000);
   hit_once (s, "a", 61, 10);
   hit_once (s, "a", 61, 10);
}

static void add_and_sync (MtStore *s)
{
   add_later (s);
   OK (mt_store_sync (s, &err));
}

static void add_and_put (MtStore *s)
{
   bson_t *b = BCON_NEW ("_id", "other");
   add_later (s);
   OK (mt_store_begin (s, &err));
   OK (mt_store_insert (s, "d", bson_get_data (b), b->len, true,
                        &err)); /* its commit takes those before it along */
   OK (mt_store_commit (s, &err));
   bson_destroy (b);
}

static void add_and_wait (MtStore *s)
{
   mt_store_set_delay (s, 1);
   hit_once (s, "a", 61, 10);
   for (int i = 0; i < 2000; i++) {
      MtStore *other = open_store ();
      bool there = strstr (found (other, "a"), "\"day\":96") != NULL;
      mt_store_close (other);
      if (there)
         return;
      usleep (10000);
   }
   _exit (1);
}

static void groups (void **state)
{
   int n;
   MtStore *s = with_a ();
   in_child (add_now);
   assert_int_equal (total_now (s, &n), 6);
   in_child (add_later); /* nobody synced it, and nobody else was told of it */
   assert_int_equal (total_now (s, &n), 6);
   MtStore *other = open_store (); /* it is in the log */
   assert_int_equal (total_now (other, &n), 26);
   mt_store_close (other);
   in_child (add_and_sync);
   assert_int_equal (total_now (s, &n), 46);
   in_child (add_and_put);
   assert_int_equal (total_now (s, &n), 66);
   mt_store_set_delay (s, 3600000);
   hit_once (s, "a", 61, 10);
   hit_once (s, "a", 61, 10);
   assert_int_equal (total_now (s, &n), 86); /* the session itself sees it at once */
   other = open_store ();
   assert_int_equal (total_now (other, &n), 66);
   assert_false (mt_store_begin (other, &err)); /* what waits holds the lock */
   assert_string_equal (err.sqlstate, "55P03");
   mt_error_clear (&err);
   mt_store_close (s);
   assert_int_equal (total_now (other, &n), 86);
   mt_store_close (other);
   in_child (add_and_wait);
}

/* ---- patches ---- */

static void patches (void **state)
{
   bson_t *b = BCON_NEW ("_id", BCON_INT32 (1), "n", BCON_INT32 (5), "m", "{", "a", "{", "x",
                         BCON_DOUBLE (1.5), "}", "}", "t", "end");
   MtPatch p = {0};
   mt_buf_add (&p.doc, bson_get_data (b), b->len);
   static const char *const paths[] = {"m.a.x",   "m.a.y",   "m.a.x", "n",
                                       "m.b.c.d", "m.b.c.e", "k",     "m.a.z"};
   for (size_t i = 0; i < 8; i++)
      mt_patch_set (&p, (MtStr) {paths[i], strlen (paths[i])},
                    i % 2 ? mt_v_int64 ((int64_t) i) : mt_v_int32 ((int32_t) i), i == 1 || i > 3);
   MtBuf text = {0};
   bson_t made;
   assert_true (bson_init_static (&made, (const uint8_t *) p.doc.p, p.doc.n));
   assert_true (bson_validate (&made, BSON_VALIDATE_NONE, NULL));
   mt_v_to_json (mt_v_doc (&made), false, &text);
   assert_string_equal (
      text.p,
      "{\"_id\":1,\"n\":3,\"m\":{\"a\":{\"x\":2,\"y\":1,\"z\":7},\"b\":{\"c\":{\"d\":4,\"e\":5}}},\"t\":\"end\",\"k\":6}");
   mt_buf_free (&text);
   mt_buf_free (&p.doc);
   bson_destroy (b);
}

static void sums (void **state)
{
   uint8_t room[16], half[16];
   bson_decimal128_t d;
   MtVal v;
   OK (mt_patch_add (mt_v_int32 (INT32_MAX), mt_v_int32 (1), room, &v, &err));
   assert_true (v.type == MT_INT64 && v.i == INT64_C (2147483648));
   OK (mt_patch_add (mt_v_int64 (1), mt_v_double (0.5), room, &v, &err));
   assert_true (v.type == MT_DOUBLE && v.d == 1.5);
   assert_true (bson_decimal128_from_string ("0.5", &d));
   memcpy (half, &d, 16);
   OK (mt_patch_add ((MtVal) {.type = MT_DECIMAL, .len = 16, .p = half}, mt_v_int32 (1), room, &v,
                     &err));
   assert_int_equal (v.type, MT_DECIMAL);
   assert_int_equal (mt_v_compare_numbers (v, mt_v_double (1.5)), 0);
   assert_false (mt_patch_add (mt_v_int64 (INT64_MIN), mt_v_int64 (-1), room, &v, &err));
   assert_string_equal (err.sqlstate, "22003");
   mt_error_clear (&err);
}

/* A large document made beside those that wait: nothing is folded, and what was made is added to
 * where it lies. */
static void making (void **state)
{
   int n;
   MtStore *s = with_a ();
   bson_t none = BSON_INITIALIZER, slots = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&slots, "day", 0);
   for (int i = 0; i < 1440; i++) {
      char path[40];
      snprintf (path, sizeof path, "minute.%02d.%02d", i / 60, i % 60);
      BSON_APPEND_INT32 (&slots, path, 0);
   }
   for (int i = 0; i < 70; i++) {
      char id[16];
      snprintf (id, sizeof id, "p%d", i);
      hit_once (s, "a", 61, 1);
      OK (mt_store_begin (s, &err));
      OK (hit (s, "w", i, 1));
      OK (mt_store_increment (s, "c", mt_v_str (id, strlen (id)), &none, &slots, &err));
      assert_int_equal (mt_store_made (s), i ? 1 : 2);
      assert_false (mt_store_only_increments (s));
      OK (hit (s, id, 70, 1));
      OK (mt_store_increment (s, "c", mt_v_str (id, strlen (id)), &none, &slots, &err));
      OK (mt_store_commit (s, &err));
      hit_once (s, id, 71, 1);
   }
   assert_int_equal (total_now (s, &n), 5 + 70 + 70 + 140);
   assert_int_equal (n, 72);
   assert_non_null (strstr (found (s, "p1"), "\"day\":2"));
   assert_non_null (strstr (found (s, "p1"), "\"09\":0,\"10\":1,\"11\":1,\"12\":0"));
   mt_store_close (s);
   s = open_store ();
   assert_int_equal (total_now (s, &n), 285);
   bson_destroy (&slots);
   mt_store_close (s);
}

#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)

int main (void)
{
   const struct CMUnitTest tests[] = {T (adding),  T (taking_back), T (snapshots),    T (folding),
                                      T (refused), T (compacting),  T (coming_again), T (groups),
                                      T (making),  T (patches),     T (sums)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
