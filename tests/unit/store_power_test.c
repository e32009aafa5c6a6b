/* Power is lost while a store is written: of the bytes that no sync has followed yet, each sector
 * may be on the disk or not. Afterwards the store opens, has all commits up to some number, and
 * that is at least the last one that was acknowledged. Also counts the syncs and the bytes of
 * single writes. LOSSES and SEED in the environment: more of them, and others. */
#include "engine/local/store/manifest_int.h"
#include "tests/unit/random.h"
#include "tests/unit/stored.h"
#include "tests/unit/temp_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { SECTOR = 512, MOST = 100000 };

/* ---- what isn't synced: these take the place of the C library's functions ---- */

/* Bytes of a file before a write that is not synced yet. */
typedef struct Before {
   char *path;
   off_t at, size; /* size: of the file */
   size_t n;
   uint8_t *bytes; /* those behind the file's end are zeros */
   bool dropped;   /* a sync failed, so that no later one writes these bytes */
} Before;

static Before befores[MOST];
static size_t before_count;
static bool recording;
static int writes_left; /* power is lost at this many writes and syncs from now */
static uint64_t rnd;
static atomic_int syncs;
static bool fail_sync; /* the next sync fails */

static char *path_of (int fd)
{
   char link[40], path[4096];
   snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
   ssize_t n = readlink (link, path, sizeof path - 1);
   return n > 0 ? strndup (path, (size_t) n) : strdup ("");
}

static void remember (int fd, off_t at, size_t n)
{
   struct stat st;
   if (!recording || before_count == MOST || fstat (fd, &st) != 0)
      return;
   Before *b = &befores[before_count++];
   *b = (Before) {path_of (fd), at, st.st_size, n, calloc (1, n + 1), false};
   for (Before *d = befores; d < b; d++) /* these are written again */
      if (d->at >= at && d->at + (off_t) d->n <= at + (off_t) n && !strcmp (d->path, b->path))
         d->dropped = false;
   ssize_t got = pread (fd, b->bytes, n, at);
   if (got < 0) { /* it is open for writing only */
      int again = open (b->path, O_RDONLY);
      got = pread (again, b->bytes, n, at);
      close (again);
   }
}

static void drop_writes (const char *path)
{
   for (size_t i = 0; i < before_count; i++)
      befores[i].dropped |= strcmp (befores[i].path, path) == 0;
}

static void forget (const char *path)
{
   size_t kept = 0;
   for (size_t i = 0; i < before_count; i++)
      if (strcmp (befores[i].path, path) == 0 && !befores[i].dropped) {
         free (befores[i].path);
         free (befores[i].bytes);
      } else {
         befores[kept++] = befores[i];
      }
   before_count = kept;
}

/* Returns from which write on a sector is lost. */
static size_t lost_from (const char *path, off_t sector, uint64_t mood)
{
   uint64_t h = mood;
   for (const char *p = path; *p; p++)
      h = h * 31 + (uint8_t) *p;
   h = random_of (h + (uint64_t) sector * 1000003);
   return mood % 5 == 0 || h % 3 == 0 ? 0 : h % 3 == 1 ? SIZE_MAX : h / 3 % (before_count + 1);
}

static void lose_write (size_t i, uint64_t mood)
{
   const Before *b = &befores[i];
   int fd = open (b->path, O_RDWR);
   for (off_t at = b->at, end = b->at + (off_t) b->n, next; fd >= 0 && at < end; at = next) {
      next = (at / SECTOR + 1) * SECTOR;
      next = next < end ? next : end;
      if (b->dropped || lost_from (b->path, at / SECTOR, mood) <= i)
         syscall (SYS_pwrite64, fd, b->bytes + (at - b->at), (size_t) (next - at), at);
   }
   if (fd >= 0 && mood % 3 == 0 && lost_from (b->path, b->at / SECTOR, mood) <= i) {
      struct stat st; /* nor was the file's size written */
      if (fstat (fd, &st) == 0 && b->size < st.st_size && b->at >= b->size)
         syscall (SYS_ftruncate, fd, b->size);
   }
   close (fd);
}

static void lose_power (void)
{
   uint64_t mood = random_next (&rnd);
   recording = false;
   for (size_t i = before_count; i-- > 0;)
      lose_write (i, mood);
   kill (getpid (), SIGKILL);
}

static void one_more (void)
{
   if (recording && --writes_left <= 0)
      lose_power ();
}

ssize_t pwrite (int fd, const void *p, size_t n, off_t at)
{
   remember (fd, at, n);
   ssize_t w = syscall (SYS_pwrite64, fd, p, n, at);
   one_more ();
   return w;
}

ssize_t pwritev (int fd, const struct iovec *v, int n, off_t at)
{
   size_t all = 0;
   for (int i = 0; i < n; i++)
      all += v[i].iov_len;
   remember (fd, at, all);
   ssize_t w = syscall (SYS_pwritev, fd, v, n, at, 0);
   one_more ();
   return w;
}

static int synced (int fd, long call)
{
   one_more ();
   bool fails = fail_sync;
   int r = fails ? -1 : (int) syscall (call, fd);
   atomic_fetch_add (&syncs, 1);
   if (recording) {
      char *path = path_of (fd);
      (fails ? drop_writes : forget) (path);
      free (path);
   }
   fail_sync = false;
   if (fails)
      errno = EIO;
   return r;
}

int fdatasync (int fd) { return synced (fd, SYS_fdatasync); }
int fsync (int fd) { return synced (fd, SYS_fsync); }

int rename (const char *from, const char *to)
{
   char *path = recording ? realpath (to, NULL) : NULL;
   if (path)
      forget (path);
   free (path);
   return (int) syscall (SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

/* ---- steps ---- */

enum { BULK = 2500, BULK_EVERY = 37, DROP_EVERY = 23, PACK_EVERY = 31, BULK_IDS = 1000000 };

static bool put (MtStore *s, const char *coll, int64_t id, int64_t step)
{
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", id);
   BSON_APPEND_INT64 (&b, "step", step);
   BSON_APPEND_UTF8 (&b, "text", "as long as a short row of a table");
   bool ok = mt_store_replace (s, coll, bson_get_data (&b), b.len, &err);
   bson_destroy (&b);
   return ok;
}

/* Step n adds document n, deletes n - 5 if n is a multiple of 7, and says in "last" that it was. */
static bool do_step (MtStore *s, int64_t n)
{
   bool deleted, ok = mt_store_begin (s, &err) && put (s, "log", n, n) && put (s, "last", 1, n);
   if (ok && n % 7 == 0)
      ok = mt_store_delete (s, "log", mt_v_int64 (n - 5), &deleted, &err);
   for (int i = 0; ok && n % BULK_EVERY == 0 && i < BULK; i++)
      ok = put (s, "bulk", BULK_IDS + i, n);
   if (ok && n % DROP_EVERY == 0)
      ok = mt_store_drop (s, "short", &err);
   ok = ok && put (s, "short", n, n);
   if (ok && n % PACK_EVERY == 0)
      ok = mt_store_pack (s, (const char *[]) {"log", "last", "bulk", "none"}, 4, &err);
   return ok && mt_store_commit (s, &err);
}

static int64_t count_of (MtStore *s, const char *coll)
{
   MtSource *src;
   MtCollStats stats;
   int64_t n = 0;
   OK (mt_store_source (s, coll, &src, &err));
   mt_source_stats (src, &stats);
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      static MtReader r; /* keeps its memory from block to block */
      uint32_t len, k = 0;
      OK (mt_reader_init (&r, src, i, &err));
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; p < end; p += len, k++) {
         OK (mt_need (&r, p, 4));
         memcpy (&len, p, 4);
         OK (mt_need (&r, p, len));
         n += !(r.block.deleted && mt_block_is_deleted (&r.block, k));
      }
   }
   assert_int_equal (stats.documents, n);
   mt_source_free (src);
   return n;
}

/* Checks that exactly the first steps are there, at least `least` of them. Returns their number. */
static int64_t check (MtStore *s, int64_t least)
{
   int64_t last = find_field (s, "last", 1, "step", 0);
   assert_true (last >= least);
   assert_int_equal (count_of (s, "last"), last > 0);
   assert_int_equal (count_of (s, "log"), last - last / 7);
   assert_int_equal (count_of (s, "bulk"), last >= BULK_EVERY ? BULK : 0);
   assert_int_equal (count_of (s, "short"), last < DROP_EVERY ? last : last % DROP_EVERY + 1);
   for (int64_t i = last > 20 ? last - 20 : 1; i <= last; i++) {
      bool gone = (i + 5) % 7 == 0 && i + 5 <= last;
      assert_int_equal (find_field (s, "log", i, "step", -1), gone ? -1 : i);
   }
   if (last >= BULK_EVERY)
      assert_int_equal (find_field (s, "bulk", BULK_IDS + 7, "step", -1),
                        last / BULK_EVERY * BULK_EVERY);
   return last;
}

static MtStore *open_store (void)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, false, &s, &err));
   return s;
}

static void write_on (int64_t last, int64_t *acknowledged, bool lazy, int losing_at)
{
   MtStore *s = open_store ();
   if (lazy)
      mt_store_set_delay (s, 3600000);
   recording = true;
   writes_left = losing_at;
   for (int64_t n = last + 1;; n++) {
      if (!do_step (s, n) || (lazy && n % 50 == 0 && !mt_store_sync (s, &err)))
         _exit (1);
      if (!lazy || n % 50 == 0)
         *acknowledged = n;
   }
}

static void losses (bool lazy)
{
   const char *many = getenv ("LOSSES"), *seed = getenv ("SEED");
   int64_t *acknowledged = mmap (NULL, sizeof *acknowledged, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   assert_true (acknowledged != MAP_FAILED);
   rnd = seed ? strtoull (seed, NULL, 10) + 1 : 4711;
   int64_t last = 0;
   mt_store_close (open_store ());
   for (int i = 0, n = many ? atoi (many) : 30; i < n; i++) {
      int losing_at = 1 + (int) random_below (&rnd, i % 4 ? 150 : 1200), status;
      pid_t pid = fork ();
      if (pid == 0)
         write_on (last, acknowledged, lazy, losing_at);
      random_next (&rnd); /* the child's next one */
      assert_int_equal (waitpid (pid, &status, 0), pid);
      assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      MtStore *s = NULL; /* twice: by reading alone, and after the next step */
      OK (mt_store_open (folder, false, true, &s, &err));
      last = check (s, *acknowledged);
      mt_store_close (s);
      s = open_store ();
      OK (do_step (s, ++last));
      assert_int_equal (check (s, last), last);
      mt_store_close (s);
      s = open_store ();
      assert_null (mt_store_warning (s)); /* the step has repaired the end of the log */
      mt_store_close (s);
      *acknowledged = last;
   }
   assert_true (last > 100);
   munmap (acknowledged, sizeof *acknowledged);
}

static void test_power_loss (void **state)
{
   (void) state;
   losses (false);
}

static void test_power_loss_without_waiting (void **state)
{
   (void) state;
   losses (true);
}

/* ---- what single writes cost ---- */

static uint64_t bytes_of_folder (void)
{
   static const char *const names[] = {"MANIFEST", "0000000000000001.seg"};
   uint64_t all = 0;
   for (size_t i = 0; i < 2; i++) {
      char path[4096];
      struct stat st;
      snprintf (path, sizeof path, "%s/%s", folder, names[i]);
      all += stat (path, &st) == 0 ? (uint64_t) st.st_size : 0;
   }
   return all;
}

static void test_single_writes (void **state)
{
   (void) state;
   enum { COUNT = 10000, DOC = 77 };
   MtStore *s = open_store (), *other = open_store ();
   int before = atomic_load (&syncs);
   for (int i = 0; i < COUNT; i++) {
      OK (mt_store_begin (s, &err) && put (s, "a", i, i) && mt_store_commit (s, &err));
      if (i % 97 == 0)
         assert_int_equal (count_of (other, "a"), i + 1);
   }
   /* one each; and now and then those of the log when it is written anew, and of the segment */
   assert_in_range (atomic_load (&syncs) - before, COUNT, COUNT + COUNT / 50);
   /* Most blocks were moved to the segment, which has their columns instead of the documents. */
   assert_in_range (bytes_of_folder (), COUNT * DOC / 10, COUNT * DOC / 2);
   assert_int_equal (find_field (other, "a", 4711, "step", -1), 4711);
   mt_store_close (s);
   mt_store_close (other);
   s = open_store ();
   assert_int_equal (count_of (s, "a"), COUNT);
   mt_store_set_delay (s, 3600000);
   before = atomic_load (&syncs);
   for (int i = 0; i < 500; i++)
      OK (mt_store_begin (s, &err) && put (s, "b", i, i) && mt_store_commit (s, &err));
   assert_in_range (atomic_load (&syncs) - before, 0, 10);
   other = open_store (); /* others see at once what isn't synced */
   assert_int_equal (count_of (other, "b"), 500);
   OK (mt_store_sync (s, &err));
   mt_store_close (other);
   mt_store_close (s);
}

/* A step of many small blocks, which goes back to marks, and is undone or committed. */
static void test_marks (void **state)
{
   (void) state;
   MtStore *s = open_store ();
   int64_t there = 0;
   size_t mark;
   for (int step = 0; step < 30; step++) {
      OK (mt_store_begin (s, &err));
      for (int i = 0; i < 100; i++) {
         OK (put (s, "a", there + i, step));
         OK (mt_store_mark (s, &mark, &err));
         OK (put (s, "a", there + 500, step) && put (s, "a", there, step + 1));
         OK (mt_store_see (s, &err));
         assert_int_equal (count_of (s, "a"), there + i + 2);
         mt_store_return (s, mark);
         mt_store_unmark (s, mark);
      }
      if (step % 3 == 0) {
         mt_store_rollback (s);
         assert_int_equal (count_of (s, "a"), there);
         continue;
      }
      OK (mt_store_commit (s, &err));
      there += 100;
      assert_int_equal (count_of (s, "a"), there);
   }
   mt_store_close (s);
   s = open_store ();
   assert_int_equal (count_of (s, "a"), there);
   assert_int_equal (find_field (s, "a", there - 1, "step", -1), 29);
   mt_store_close (s);
}

/* ---- what lies behind the log ---- */

static char *in_folder (const char *name)
{
   static char path[4096];
   snprintf (path, sizeof path, "%s/%s", folder, name);
   return path;
}

/* Does steps in a process that is killed before it syncs them. */
static void do_and_be_killed (int64_t first, int64_t last)
{
   pid_t pid = fork ();
   if (pid == 0) {
      MtStore *s = open_store ();
      mt_store_set_delay (s, 3600000);
      for (int64_t n = first; n <= last; n++)
         if (!do_step (s, n))
            _exit (1);
      _exit (0);
   }
   int status;
   assert_int_equal (waitpid (pid, &status, 0), pid);
   assert_int_equal (status, 0);
}

/* A store that was opened before the end of a torn log was cut off sees the commits after it. */
static void test_reader_of_torn_log (void **state)
{
   (void) state;
   MtStore *s = open_store (), *reader = NULL;
   OK (do_step (s, 1));
   mt_store_close (s);
   do_and_be_killed (2, 4);
   int fd = open (in_folder ("MANIFEST"), O_RDWR);
   struct stat st;
   assert_int_equal (fstat (fd, &st), 0);
   assert_int_equal (pwrite (fd, "torn", 4, st.st_size - 4), 4);
   close (fd);
   OK (mt_store_open (folder, false, true, &reader, &err));
   assert_non_null (mt_store_warning (reader));
   assert_int_equal (check (reader, 3), 3);
   s = open_store ();
   for (int64_t n = 4; n <= 6; n++) {
      OK (do_step (s, n));
      assert_int_equal (check (reader, n), n);
   }
   mt_store_close (reader);
   mt_store_close (s);
}

/* The first step removes what a power loss left behind sectors that were lost. */
static void test_rest_behind_zeros (void **state)
{
   (void) state;
   static const char rest[] = "the rest of a commit";
   MtStore *s = open_store ();
   OK (do_step (s, 1));
   mt_store_close (s);
   int fd = open (in_folder ("MANIFEST"), O_RDWR);
   struct stat st;
   assert_int_equal (fstat (fd, &st), 0);
   assert_int_equal (pwrite (fd, rest, sizeof rest, st.st_size + 10000), sizeof rest);
   s = open_store ();
   OK (do_step (s, 2));
   assert_int_equal (check (s, 2), 2);
   mt_store_close (s);
   assert_int_equal (fstat (fd, &st), 0);
   char *all = calloc (1, (size_t) st.st_size);
   assert_int_equal (pread (fd, all, (size_t) st.st_size, 0), st.st_size);
   assert_null (memmem (all, (size_t) st.st_size, rest, sizeof rest));
   free (all);
   close (fd);
}

/* A record behind the slots is a commit, except in a store of an older program. */
static void test_record_behind_slots (void **state)
{
   (void) state;
   for (uint32_t version = MT_STORE_VERSION_LOG; version >= MT_STORE_VERSION_LOG - 1; version--) {
      int64_t there = version == MT_STORE_VERSION_LOG ? 2 : 1;
      uint8_t slots[MT_LOG_START];
      MtStore *s = open_store ();
      OK (do_step (s, 1));
      mt_store_close (s);
      int fd = open (in_folder ("MANIFEST"), O_RDWR);
      assert_int_equal (pread (fd, slots, sizeof slots, 0), sizeof slots);
      for (int i = 0; i < 2; i++) {
         MtSlot t;
         assert_true (mt_slot_read (slots + 4096 * i, &t));
         t.version = version;
         mt_slot_write (slots + 4096 * i, &t);
      }
      do_and_be_killed (2, 2);
      assert_int_equal (pwrite (fd, slots, sizeof slots, 0), sizeof slots);
      close (fd);
      OK (mt_store_open (folder, false, true, &s, &err));
      assert_int_equal (check (s, there), there);
      mt_store_close (s);
      s = open_store ();
      OK (do_step (s, there + 1));
      assert_int_equal (check (s, there + 1), there + 1);
      mt_store_close (s);
      s = open_store ();
      assert_int_equal (check (s, there + 1), there + 1);
      mt_store_close (s);
      unlink (in_folder ("MANIFEST"));
      unlink (in_folder ("LOCK"));
   }
}

/* Makes steps, of which the sync of some fails. Then the store is opened again. */
static void fail_and_go_on (int64_t last, int64_t *acknowledged, int64_t *reopened, bool lazy)
{
   MtStore *s = open_store ();
   recording = true;
   writes_left = INT_MAX;
   for (int64_t n = last + 1, tries = 0; n < last + 90; n++, tries++) {
      fail_sync = tries % 7 == 3;
      if (fail_sync && lazy)
         mt_store_set_delay (s, 100000);
      bool ok = do_step (s, n) && (!lazy || mt_store_sync (s, &err));
      if (!ok && strcmp (err.sqlstate, MT_E_IO) != 0)
         _exit (1);
      if (ok) {
         *acknowledged = n;
         continue;
      }
      fail_sync = false;
      if (mt_store_begin (s, &err)) { /* only the segment couldn't be synced */
         mt_store_rollback (s);
      } else {
         mt_store_close (s);
         s = open_store ();
         (*reopened)++;
      }
      n = find_field (s, "last", 1, "step", 0);
   }
   lose_power ();
}

/* After a failed sync the system doesn't write the bytes any more. */
static void test_failed_sync (void **state)
{
   int64_t *acknowledged = mmap (NULL, 2 * sizeof *acknowledged, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   int status;
   (void) state;
   rnd = 42;
   mt_store_close (open_store ());
   for (int64_t i = 0, last = 0; i < 10; i++) {
      pid_t pid = fork ();
      if (pid == 0)
         fail_and_go_on (last, acknowledged, acknowledged + 1, i % 2);
      random_next (&rnd);
      assert_int_equal (waitpid (pid, &status, 0), pid);
      assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      MtStore *s = open_store ();
      last = check (s, *acknowledged);
      assert_true (last > 80 * (i + 1));
      mt_store_close (s);
   }
   assert_true (acknowledged[1] > 60);
   munmap (acknowledged, 2 * sizeof *acknowledged);
}

int main (void)
{
#define T(f) cmocka_unit_test_setup_teardown (f, setup, teardown)
   const struct CMUnitTest tests[] = {
      T (test_power_loss),          T (test_power_loss_without_waiting),
      T (test_single_writes),       T (test_marks),
      T (test_reader_of_torn_log),  T (test_rest_behind_zeros),
      T (test_record_behind_slots), T (test_failed_sync),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
