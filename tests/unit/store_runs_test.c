/* Keys on disk: look-ups by an indexed field give what a scan gives, in this process and in another
 * that has just begun, whatever grew, was deleted, rolled back, written anew, dropped, damaged or
 * lost meanwhile. */
#include "tests/unit/random.h"
#include "engine/local/store/store.h"
#include "tests/unit/temp_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALL = 240000, USERS = 3001, PAD = 200 };

static bool gone[ALL]; /* by _id */

static int user_of (int id) { return (int) ((uint64_t) id * 2654435761u % USERS); }

static MtStore *open_store (bool read_only)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, read_only, &s, &err));
   return s;
}

/* {_id, user, t: a date in order, pad} */
static void put (MtStore *s, const char *coll, int id)
{
   char pad[PAD];
   bson_t b = BSON_INITIALIZER;
   uint64_t state = (uint64_t)
      id; /* texts that differ, so that the documents are large as stored */
   for (int i = 0; i < PAD - 1; i++)
      pad[i] = (char) ('a' + random_below (&state, 26));
   pad[PAD - 1] = 0;
   BSON_APPEND_INT32 (&b, "_id", id);
   BSON_APPEND_INT64 (&b, "user", user_of (id));
   BSON_APPEND_DATE_TIME (&b, "t", id);
   BSON_APPEND_UTF8 (&b, "pad", pad);
   OK (mt_store_insert (s, coll, bson_get_data (&b), b.len, false, &err));
   bson_destroy (&b);
}

static void load (MtStore *s, const char *coll, int from, int to)
{
   OK (mt_store_begin (s, &err));
   for (int i = from; i < to; i++)
      put (s, coll, i);
   OK (mt_store_commit (s, &err));
}

static void make (MtStore *s, const char *coll)
{
   OK (mt_store_begin (s, &err));
   OK (mt_store_index (s, coll, (const char *const[]) {"user", "t"}, 2, &err));
   OK (mt_store_commit (s, &err));
}

/* Files whose names end so. */
static int files (const char *suffix)
{
   DIR *d = opendir (folder);
   int n = 0;
   assert_non_null (d);
   for (struct dirent *e; (e = readdir (d));) {
      size_t len = strlen (e->d_name), k = strlen (suffix);
      n += len > k && strcmp (e->d_name + len - k, suffix) == 0;
   }
   closedir (d);
   return n;
}

/* The documents of a user that the look-up names, in order, are those below `upto` that aren't
 * gone. Returns how many blocks it didn't know. */
static size_t finds (MtStore *s, const char *coll, int user, int upto)
{
   MtSource *src;
   MtHit hits[MT_BLOCK_HITS];
   MtVal v = mt_v_int32 (user); /* another type of number */
   size_t unknown = 0, found;
   int id = -1;
   OK (mt_store_source (s, coll, &src, &err));
   MtLookup *l = mt_lookup_new (src, "user", &v, 1);
   for (size_t b = 0; b < mt_source_blocks (src); b++) {
      static MtReader r; /* keeps its memory from block to block */
      if (!mt_lookup_block (l, b, hits, &found)) {
         assert_false (mt_lookup_none (l, b));
         unknown++;
         continue;
      }
      assert_true (!mt_lookup_none (l, b) || found == 0);
      OK (mt_reader_init (&r, src, b, &err));
      for (size_t i = 0; i < found; i++) {
         const uint8_t *doc = r.block.data + hits[i].offset;
         uint32_t len;
         bson_t d;
         bson_iter_t it;
         OK (mt_need (&r, doc, 4));
         memcpy (&len, doc, 4);
         OK (mt_need (&r, doc, len));
         if (r.block.deleted && mt_block_is_deleted (&r.block, hits[i].ordinal))
            continue;
         assert_true (bson_init_static (&d, doc, len) && bson_iter_init_find (&it, &d, "_id"));
         for (id++; id < upto && (user_of (id) != user || gone[id]); id++)
            ;
         if (!unknown)
            assert_int_equal (bson_iter_int32 (&it), id);
      }
   }
   for (id++; !unknown && id < upto; id++)
      assert_true (user_of (id) != user || gone[id]);
   mt_lookup_free (l);
   mt_source_free (src);
   return unknown;
}

/* With those that were looked through the first time. */
static void finds_all (MtStore *s, const char *coll, int upto)
{
   for (int user = 0; user < USERS; user += 271)
      for (int k = 0; k < 3 && finds (s, coll, user, upto) > 0; k++)
         assert_int_not_equal (k, 2);
}

static void test_another_process (void **state)
{
   MtStore *s = open_store (false), *other = open_store (true);
   make (s, "a");
   load (s, "a", 0, ALL / 2);
   assert_int_equal (files (".key"), 1); /* none of the dates, which ranges tell apart */
   assert_int_equal (finds (s, "a", 5, ALL / 2), 0);
   assert_int_equal (finds (other, "a", 5, ALL / 2), 0);
   load (s, "a", ALL / 2, ALL);
   finds_all (other, "a", ALL);
   mt_store_close (other);
   mt_store_close (s);
   s = open_store (true);
   finds_all (s, "a", ALL);
   mt_store_close (s);
}

static void test_bit_by_bit (void **state)
{
   MtStore *s = open_store (false);
   bool deleted;
   make (s, "a");
   for (int i = 0; i < ALL; i += 800) {
      load (s, "a", i, i + 800);
      if (i % 48000 == 0)
         finds_all (s, "a", i + 800);
   }
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < ALL; i += 3) {
      OK (mt_store_delete (s, "a", mt_v_int32 (i), &deleted, &err));
      gone[i] = true;
   }
   OK (mt_store_commit (s, &err));
   finds_all (s, "a", ALL);
   mt_store_close (s); /* and removes what was replaced */
   assert_in_range (files (".key"), 1, 3);
   s = open_store (true);
   finds_all (s, "a", ALL);
   mt_store_close (s);
}

/* An index that comes later; serials of a step that was rolled back are given again. */
static void test_later (void **state)
{
   MtStore *s = open_store (false);
   load (s, "a", 0, ALL / 2);
   assert_int_equal (files (".key"), 0);
   make (s, "a");
   assert_int_equal (files (".key"), 1);
   finds_all (s, "a", ALL / 2);
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < ALL / 2; i++)
      put (s, "a", i);
   mt_store_rollback (s);
   finds_all (s, "a", ALL / 2);
   load (s, "a", ALL / 2, ALL);
   finds_all (s, "a", ALL);
   OK (mt_store_begin (s, &err));
   OK (mt_store_drop (s, "a", &err));
   OK (mt_store_commit (s, &err));
   mt_store_close (s);
   assert_int_equal (files (".key"), 0);
}

/* Most are deleted: what is left is written into a new segment, which gets its own. */
static void test_written_anew (void **state)
{
   MtStore *s = open_store (false);
   bool deleted;
   make (s, "a");
   load (s, "a", 0, ALL);
   OK (mt_store_begin (s, &err));
   for (int i = 0; i < ALL; i++)
      if (i % 4) {
         OK (mt_store_delete (s, "a", mt_v_int32 (i), &deleted, &err));
         gone[i] = true;
      }
   OK (mt_store_commit (s, &err));
   assert_int_equal (files (".seg"), 2); /* the old one a second longer */
   finds_all (s, "a", ALL);
   mt_store_close (s);
   assert_int_equal (files (".seg"), 1);
   assert_int_equal (files (".key"), 1);
   s = open_store (true);
   finds_all (s, "a", ALL);
   mt_store_close (s);
}

static char *key_file (void)
{
   DIR *d = opendir (folder);
   char *path = NULL;
   assert_non_null (d);
   for (struct dirent *e; !path && (e = readdir (d));)
      if (strstr (e->d_name, ".key"))
         assert_true (asprintf (&path, "%s/%s", folder, e->d_name) > 0);
   closedir (d);
   assert_non_null (path);
   return path;
}

/* A byte is another, the file ends early, isn't there: blocks are looked through. */
static void test_damage (void **state)
{
   MtStore *s = open_store (false);
   make (s, "a");
   load (s, "a", 0, ALL / 2);
   mt_store_close (s);
   char *path = key_file ();
   struct stat st;
   assert_int_equal (stat (path, &st), 0);
   for (off_t at = 0; at < st.st_size; at += at < 200 ? 7 : st.st_size / 40) {
      uint8_t byte;
      int fd = open (path, O_RDWR);
      assert_int_equal (pread (fd, &byte, 1, at), 1);
      byte ^= 0x40;
      assert_int_equal (pwrite (fd, &byte, 1, at), 1);
      s = open_store (true);
      finds_all (s, "a", ALL / 2);
      mt_store_close (s);
      byte ^= 0x40;
      assert_int_equal (pwrite (fd, &byte, 1, at), 1);
      close (fd);
   }
   assert_int_equal (truncate (path, st.st_size / 2), 0);
   s = open_store (true);
   finds_all (s, "a", ALL / 2);
   mt_store_close (s);
   assert_int_equal (unlink (path), 0);
   s = open_store (false);
   finds_all (s, "a", ALL / 2);
   load (s, "a", ALL / 2, ALL);
   finds_all (s, "a", ALL);
   mt_store_close (s);
   free (path);
}

/* What a killed writer left is removed by the next one; what is known stays. */
static void test_leftovers (void **state)
{
   MtStore *s = open_store (false);
   make (s, "a");
   load (s, "a", 0, ALL / 2);
   mt_store_close (s);
   char *known = key_file (), *left;
   assert_true (asprintf (&left, "%.*s00000077.key", (int) strlen (known) - 12, known) > 0);
   int fd = open (left, O_CREAT | O_WRONLY, 0666);
   assert_true (fd >= 0);
   close (fd);
   assert_int_equal (files (".key"), 2);
   s = open_store (false);
   load (s, "b", 0, 10);
   assert_int_equal (files (".key"), 1);
   assert_int_equal (access (known, F_OK), 0);
   finds_all (s, "a", ALL / 2);
   mt_store_close (s);
   free (left);
   free (known);
}

static int fresh (void **state)
{
   memset (gone, 0, sizeof gone);
   return setup (state);
}

int main (void)
{
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown (f, fresh, teardown)
   const struct CMUnitTest tests[] = {
      IN_FOLDER (test_another_process), IN_FOLDER (test_bit_by_bit), IN_FOLDER (test_later),
      IN_FOLDER (test_written_anew),    IN_FOLDER (test_damage),     IN_FOLDER (test_leftovers)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
