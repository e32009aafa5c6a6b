/* Documents found by _id: what a model says, in the process that wrote them and in others, whatever
 * order the _ids have and whatever was replaced, deleted, rolled back, merged, written anew,
 * damaged or lost meanwhile. */
#include "base/bson.h"
#include "engine/local/store/coll_int.h"
#include "tests/unit/random.h"
#include "tests/unit/temp_folder.h"

#include <dirent.h>
#include <fcntl.h>

enum { ALL = 40000, PAD = 700 };

/* How _ids come. */
typedef enum Kind { ASCENDING, SCATTERED, TEXTS, DOCS, TURNS, MANY_TYPES, KINDS } Kind;

static Kind kind;
static int held[ALL], kept[ALL]; /* the version of each document; 0: it isn't there */
static uint64_t rnd;

static uint32_t next_random (uint32_t below) { return random_below (&rnd, below); }

static uint32_t scattered (int i) { return (uint32_t) i * 2654435761u; }

/* Valid until the second call after it. */
static MtVal id_of (int i)
{
   static char texts[2][40];
   static bson_t docs[2] = {BSON_INITIALIZER, BSON_INITIALIZER};
   static int turn;
   char *text = texts[turn = !turn];
   switch (kind) {
   case ASCENDING: return mt_v_int64 (i);
   case SCATTERED: return mt_v_int64 (scattered (i));
   case TURNS: /* in order for some blocks, then not, then in order again, but over the same */
      return mt_v_int64 (i / 10000 % 2 ? (int64_t) scattered (i) % 40000 * 100000 + i : i);
   case MANY_TYPES:
      if (i == 7777)
         return mt_v_null ();
      if (i % 5 == 0)
         return mt_v_double (i + 0.5);
      if (i % 5 == 1)
         return mt_v_date (i);
      if (i % 5 == 2)
         return mt_v_int32 (i);
      break;
   case DOCS: /* buckets of a few things, in the order of their times */
      bson_destroy (&docs[turn]);
      bson_init (&docs[turn]);
      BSON_APPEND_INT32 (&docs[turn], "thing", i % 30);
      BSON_APPEND_INT64 (&docs[turn], "from", i / 30);
      return mt_v_doc (&docs[turn]);
   case TEXTS:
   case KINDS: break;
   }
   snprintf (text, sizeof texts[0], "%08x-%d", scattered (i), i);
   return mt_v_str (text, strlen (text));
}

static MtStore *open_store (bool read_only)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, read_only, &s, &err));
   return s;
}

static bool put (MtStore *s, int i, int version, bool over)
{
   static const char pad[PAD] = "x";
   bson_t b = BSON_INITIALIZER;
   mt_doc_append (&b, "_id", id_of (i));
   BSON_APPEND_INT32 (&b, "v", version);
   BSON_APPEND_BINARY (&b, "pad", BSON_SUBTYPE_BINARY, (const uint8_t *) pad, PAD);
   bool ok = over ? mt_store_replace (s, "a", bson_get_data (&b), b.len, &err)
                  : mt_store_insert (s, "a", bson_get_data (&b), b.len, true, &err);
   bson_destroy (&b);
   return ok;
}

static void insert (MtStore *s, int i)
{
   if (held[i]) {
      assert_false (put (s, i, 1, false));
      assert_string_equal (err.sqlstate, MT_E_UNIQUE);
      mt_error_clear (&err);
      return;
   }
   OK (put (s, i, 1, false));
   held[i] = 1;
}

static void replace (MtStore *s, int i)
{
   OK (put (s, i, held[i] + 1, true));
   held[i]++;
}

static void delete (MtStore *s, int i)
{
   bool deleted;
   OK (mt_store_delete (s, "a", id_of (i), &deleted, &err));
   assert_int_equal (deleted, held[i] > 0);
   held[i] = 0;
}

static void finds (MtStore *s, int i)
{
   MtArena *a = mt_arena_new ("find", NULL);
   MtVal doc;
   bson_t d;
   bson_iter_t it;
   OK (mt_store_find (s, "a", id_of (i), a, &doc, &err));
   bool is_there = doc.type == MT_DOC;
   if (is_there != (held[i] > 0))
      fail_msg ("_id %d of kind %d: %s", i, (int) kind,
                is_there ? "it was found" : "it wasn't found");
   if (is_there) {
      assert_true (bson_init_static (&d, doc.p, doc.len) && bson_iter_init_find (&it, &d, "v"));
      assert_int_equal (bson_iter_int32 (&it), held[i]);
   }
   mt_arena_free (a);
}

static void finds_all (MtStore *s)
{
   for (int i = 0; i < ALL; i += 1 + (int) next_random (7)) /* in their order, and in none */
      finds (s, i % 3 ? i : (int) next_random (ALL));
}

static void begin (MtStore *s)
{
   OK (mt_store_begin (s, &err));
   memcpy (kept, held, sizeof held);
}

static void end (MtStore *s, bool commit)
{
   if (commit) {
      OK (mt_store_commit (s, &err));
   } else {
      mt_store_rollback (s);
      memcpy (held, kept, sizeof held);
   }
}

static void load (MtStore *s, int from, int to, int a_step)
{
   for (int i = from; i < to; i++) {
      if ((i - from) % a_step == 0)
         begin (s);
      insert (s, i);
      if ((i - from) % a_step == a_step - 1 || i == to - 1)
         end (s, true);
   }
}

static void change (MtStore *s, int from, int to, int times)
{
   while (times-- > 0) {
      int i = from + (int) next_random ((uint32_t) (to - from));
      switch (next_random (4)) {
      case 0: insert (s, i); break;
      case 1: delete (s, i); break;
      case 2: replace (s, i); break;
      default: finds (s, i);
      }
   }
}

/* Files of keys on disk. */
static int key_files (char **path)
{
   DIR *d = opendir (folder);
   int n = 0;
   assert_non_null (d);
   for (struct dirent *e; (e = readdir (d));)
      if (strstr (e->d_name, ".key") && !n++ && path)
         assert_true (asprintf (path, "%s/%s", folder, e->d_name) > 0);
   closedir (d);
   return n;
}

/* ---- tests ---- */

static void everything (void)
{
   MtStore *s = open_store (false), *other;
   load (s, 0, ALL / 2, 7000);
   finds_all (s);
   other = open_store (true);
   finds_all (other);
   load (s, ALL / 2, ALL / 4 * 3, 1000); /* bit by bit: runs are taken into others */
   finds_all (other);
   for (int round = 0; round < 12; round++) {
      begin (s);
      change (s, 0, ALL, round % 3 ? 300 : 30);
      end (s, round % 4 != 3);
      if (round % 5 == 0)
         finds_all (s);
   }
   mt_store_close (s);
   finds_all (other);
   mt_store_close (other);
   s = open_store (false);
   begin (s);
   change (s, ALL / 2, ALL, 3000); /* also where nothing was: some MiB */
   finds_all (s);
   end (s, true);
   for (int i = 0; i < (kind < TEXTS ? 70 : 5); i++) { /* a block each, merged at last */
      begin (s);
      change (s, 0, ALL, 2);
      end (s, true);
   }
   finds_all (s);
   begin (s);
   for (int i = 0; i < ALL; i++)
      if (i % 5)
         delete (s, i);
   end (s, true);
   finds_all (s); /* in a new segment */
   mt_store_close (s);
   s = open_store (true);
   finds_all (s);
   mt_store_close (s);
}

static void test_all_kinds (void **state)
{
   for (kind = 0; kind < KINDS; kind++) {
      memset (held, 0, sizeof held);
      everything ();
      assert_int_equal (teardown (state) | setup (state), 0);
   }
}

/* Those in order need no file, those in none have one. */
static void test_files (void **state)
{
   static const int files[KINDS] = {[SCATTERED] = 1, [TEXTS] = 1};
   for (kind = ASCENDING; kind <= TEXTS; kind++) {
      memset (held, 0, sizeof held);
      MtStore *s = open_store (false);
      load (s, 0, ALL, 20000);
      mt_store_close (s);
      assert_int_equal (key_files (NULL), files[kind]);
      assert_int_equal (teardown (state) | setup (state), 0);
   }
}

static void test_marks (void **state)
{
   static int at_mark[ALL];
   for (kind = ASCENDING; kind <= SCATTERED; kind++) {
      MtStore *s = open_store (false);
      size_t mark;
      memset (held, 0, sizeof held);
      load (s, 0, 20000, 10000);
      begin (s);
      change (s, 0, 30000, 3000);
      OK (mt_store_mark (s, &mark, &err));
      memcpy (at_mark, held, sizeof held);
      change (s, 0, ALL, 5000);
      finds_all (s);
      mt_store_return (s, mark);
      memcpy (held, at_mark, sizeof held);
      finds_all (s);
      change (s, 0, ALL, 100);
      end (s, true);
      finds_all (s);
      mt_store_close (s);
      assert_int_equal (teardown (state) | setup (state), 0);
   }
}

/* A byte is another, the file ends early, isn't there: the blocks are looked through. */
static void test_damage (void **state)
{
   kind = SCATTERED;
   MtStore *s = open_store (false);
   load (s, 0, 20000, 10000);
   mt_store_close (s);
   char *path = NULL;
   struct stat st;
   assert_int_equal (key_files (&path), 1);
   assert_int_equal (stat (path, &st), 0);
   for (off_t at = 0; at < st.st_size; at += at < 80 ? 9 : st.st_size / 15) {
      uint8_t byte;
      int fd = open (path, O_RDWR);
      assert_int_equal (pread (fd, &byte, 1, at), 1);
      byte ^= 0x10;
      assert_int_equal (pwrite (fd, &byte, 1, at), 1);
      s = open_store (false);
      finds_all (s);
      begin (s);
      change (s, 0, ALL, 50);
      end (s, at % 2);
      mt_store_close (s);
      byte ^= 0x10;
      assert_int_equal (pwrite (fd, &byte, 1, at), 1);
      close (fd);
   }
   assert_int_equal (truncate (path, st.st_size / 3), 0);
   s = open_store (true);
   finds_all (s);
   mt_store_close (s);
   assert_int_equal (unlink (path), 0);
   s = open_store (false);
   finds_all (s);
   load (s, 20000, ALL, 10000);
   finds_all (s);
   mt_store_close (s);
   free (path);
}

/* Blocks that others took the place of, and just as many new ones: each is looked at. */
static void test_as_many_blocks (void **state)
{
   enum { MERGED = 64 };
   kind = ASCENDING;
   MtStore *s = open_store (false);
   for (int i = 0; i < 2 * MERGED; i++) {
      bson_t *b = BCON_NEW ("_id", BCON_INT64 (i), "v", BCON_INT32 (1));
      begin (s);
      if (i < MERGED)
         insert (s, i);
      else
         OK (mt_store_insert (s, "a", bson_get_data (b), b->len, false,
                              &err)); /* nobody looks for it */
      held[i] = 1;
      end (s, true);
      bson_destroy (b);
      if (i >= 2 * MERGED - 3)
         finds (s, i);
   }
   for (int i = 0; i < 3 * MERGED; i++)
      finds (s, i);
   mt_store_close (s);
}

/* A step that writes so many documents that their _ids go to disk before its end: it is rolled
 * back, goes back to a mark, is committed. */
enum { LARGE = 150000, LARGER = 220000 };

static void put_small (MtStore *s, int64_t id)
{
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", id);
   OK (mt_store_insert (s, "a", bson_get_data (&b), b.len, true, &err));
   bson_destroy (&b);
}

static void put_many (MtStore *s, int from, int to)
{
   for (int i = from; i < to; i++)
      put_small (s, scattered (i));
}

static void finds_below (MtStore *s, int upto)
{
   MtArena *a = mt_arena_new ("find", NULL);
   MtVal doc;
   for (int i = 0; i < LARGER; i += 1 + (int) next_random (20)) {
      OK (mt_store_find (s, "a", mt_v_int64 (scattered (i)), a, &doc, &err));
      assert_int_equal (doc.type == MT_DOC, i < upto);
   }
   mt_arena_free (a);
}

static void test_large_step (void **state)
{
   MtStore *s = open_store (false), *other;
   size_t mark;
   s->step_ids = 20000;
   begin (s);
   put_small (s, -1);
   end (s, true);
   begin (s);
   put_many (s, 0, LARGE);
   assert_true (key_files (NULL) > 0);
   finds_below (s, LARGE);
   end (s, false);
   assert_int_equal (key_files (NULL), 0);
   finds_below (s, 0);
   begin (s);
   put_many (s, 0, LARGE - 70000);
   OK (mt_store_mark (s, &mark, &err));
   put_many (s, LARGE - 70000, LARGER);
   assert_true (key_files (NULL) > 0);
   mt_store_return (s, mark);
   assert_in_range (key_files (NULL), 0, 1);
   finds_below (s, LARGE - 70000);
   put_many (s, LARGE - 70000, LARGE);
   finds_below (s, LARGE);
   end (s, true);
   other = open_store (true);
   assert_true (key_files (NULL) > 0);
   finds_below (s, LARGE);
   finds_below (other, LARGE);
   mt_store_close (other);
   mt_store_close (s);
}

static void put_padded (MtStore *s, int64_t id, size_t bytes)
{
   static const uint8_t pad[1 << 20];
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", id);
   BSON_APPEND_BINARY (&b, "pad", BSON_SUBTYPE_BINARY, pad, (uint32_t) bytes);
   OK (mt_store_replace (s, "a", bson_get_data (&b), b.len, &err));
   bson_destroy (&b);
}

/* Small blocks are merged while the step's _ids go to disk, for which the file is mapped anew: it
 * has just become longer than its mapping. */
static void test_merge_beyond_mapping (void **state)
{
   (void) state;
   enum { MAPPED = 64 << 20, LARGE_DOC = 1000000, SMALL_DOC = 30000, STEPS = 64 };
   int64_t id = 1;
   MtStore *s = open_store (false);
   s->step_ids = 10;
   begin (s);
   put_padded (s, id++, 100000);
   end (s, true);
   MtColl *c = s->colls[0];
   OK (mt_coll_map (c, c->length, &err));
   assert_in_range (c->map->size, MAPPED, MAPPED + (1 << 20));
   size_t size = c->map->size, full = size - STEPS * SMALL_DOC;
   while (c->length + SMALL_DOC < full) {
      size_t room = full - c->length;
      begin (s);
      put_padded (s, id++, room < LARGE_DOC ? room : LARGE_DOC);
      end (s, true);
   }
   for (int step = 0; step < STEPS; step++) {
      begin (s);
      put_padded (s, scattered ((int) id++), SMALL_DOC);
      put_padded (s, scattered ((int) id++), SMALL_DOC);
      end (s, true);
   }
   assert_in_range (c->block_count, 1, 100); /* merged */
   assert_true (c->map->size > size);
   MtArena *a = mt_arena_new ("find", NULL);
   for (int64_t i = id - 2 * STEPS; i < id; i++) {
      MtVal doc;
      OK (mt_store_find (s, "a", mt_v_int64 (scattered ((int) i)), a, &doc, &err));
      assert_int_equal (doc.type, MT_DOC);
   }
   mt_arena_free (a);
   mt_store_close (s);
}

static size_t file_size (const char *path)
{
   struct stat st;
   assert_int_equal (stat (path, &st), 0);
   return (size_t) st.st_size;
}

/* What a step wrote behind a mark that it went back to isn't left in the file, whatever becomes of
 * the step. */
static void test_nothing_behind (void **state)
{
   (void) state;
   MtStore *s = open_store (false);
   begin (s);
   put_padded (s, 1, 100);
   end (s, true);
   MtColl *c = s->colls[0];
   size_t before = c->length;
   for (int commit = 0; commit < 2; commit++) {
      size_t mark;
      begin (s);
      OK (mt_store_mark (s, &mark, &err));
      for (int64_t id = 2; id < 10; id++)
         put_padded (s, id, 1000000);
      assert_true (file_size (c->path) > before);
      mt_store_return (s, mark);
      end (s, commit);
      assert_int_equal (file_size (c->path), before);
   }
   mt_store_close (s);
}

static int fresh (void **state)
{
   memset (held, 0, sizeof held);
   rnd = 0x9E3779B97F4A7C15u;
   return setup (state);
}

int main (void)
{
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown (f, fresh, teardown)
   const struct CMUnitTest tests[] = {IN_FOLDER (test_all_kinds),
                                      IN_FOLDER (test_files),
                                      IN_FOLDER (test_marks),
                                      IN_FOLDER (test_damage),
                                      IN_FOLDER (test_as_many_blocks),
                                      IN_FOLDER (test_large_step),
                                      IN_FOLDER (test_merge_beyond_mapping),
                                      IN_FOLDER (test_nothing_behind)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
