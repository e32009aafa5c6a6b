/* Keys on disk while they are made: a writer is killed at every kind of call, in the middle of a
 * run's file, between it and the commit that names it, while what it takes the place of is removed;
 * or the disk is full, calls fail, and writes are short. Afterwards the store has a whole step, and
 * every _id and every value of an indexed field leads to what a look through all documents shows.
 * KILLS and SEED in the environment: more of them, and others. */
#include "engine/local/store/store_int.h"
#include "tests/unit/random.h"
#include "tests/unit/stored.h"
#include "tests/unit/temp_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { A_STEP = 260, PAD = 6000, STEPS = 24, ALL = A_STEP * STEPS, USERS = 13 };

/* ---- calls that fail: these take the place of the C library's ---- */

typedef enum Fault { NO_FAULT, KILL, FAIL, STAY_FAILING, SHORT } Fault;

static Fault fault;
static int fault_after; /* calls */
static int fault_errno;
static bool keys_first; /* calls count from the first one on that writes keys */
static int faults;      /* that happened */

static bool is_key_file (int fd)
{
   char link[40], path[4096];
   snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
   ssize_t n = readlink (link, path, sizeof path);
   return n > 4 && memcmp (path + n - 4, ".key", 4) == 0;
}

static bool strikes (int fd)
{
   if (fault == NO_FAULT || (keys_first && (fd < 0 || !is_key_file (fd))))
      return false;
   keys_first = false;
   if (--fault_after > 0)
      return false;
   faults++;
   return true;
}

static int end_of (Fault f)
{
   if (f == KILL)
      kill (getpid (), SIGKILL);
   if (f != STAY_FAILING)
      fault = NO_FAULT;
   errno = fault_errno;
   return -1;
}

ssize_t pwrite (int fd, const void *p, size_t n, off_t at)
{
   if (!strikes (fd))
      return syscall (SYS_pwrite64, fd, p, n, at);
   ssize_t half = n > 512 ? syscall (SYS_pwrite64, fd, p, n / 2, at)
                          : 0; /* what lies in a sector is written whole or not at all */
   if (fault != SHORT)
      return end_of (fault);
   fault = NO_FAULT;
   return half > 0 ? half : syscall (SYS_pwrite64, fd, p, n, at);
}

ssize_t pwritev (int fd, const struct iovec *v, int n, off_t at)
{
   if (!strikes (fd))
      return syscall (SYS_pwritev, fd, v, n, at, 0);
   ssize_t first = syscall (SYS_pwritev, fd, v, 1, at, 0);
   if (fault != SHORT)
      return end_of (fault);
   fault = NO_FAULT;
   return first;
}

int fdatasync (int fd)
{
   return strikes (fd) && fault != SHORT ? end_of (fault) : (int) syscall (SYS_fdatasync, fd);
}
int fsync (int fd)
{
   return strikes (fd) && fault != SHORT ? end_of (fault) : (int) syscall (SYS_fsync, fd);
}
int ftruncate (int fd, off_t n)
{
   return strikes (fd) && fault != SHORT ? end_of (fault) : (int) syscall (SYS_ftruncate, fd, n);
}
int unlink (const char *path)
{
   return strikes (-1) && fault == KILL ? end_of (fault)
                                        : (int) syscall (SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- steps, and what there is after so many ---- */

static uint64_t rnd;

static uint32_t next_random (uint32_t below) { return random_below (&rnd, below); }

/* "k" has its _ids in no order, "o" in their order. */
static const char *const colls[] = {"k", "o"};

static int64_t id_of (int coll, int i) { return coll ? i : (int64_t) ((uint32_t) i * 2654435761u); }

static bool put (MtStore *s, int coll, int i, int step)
{
   static const char pad[PAD] = "x";
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", id_of (coll, i));
   BSON_APPEND_INT32 (&b, "step", step);
   BSON_APPEND_INT32 (&b, "user", (i + step) % USERS);
   BSON_APPEND_BINARY (&b, "pad", BSON_SUBTYPE_BINARY, (const uint8_t *) pad, coll ? PAD / 3 : PAD);
   bool ok = mt_store_replace (s, colls[coll], bson_get_data (&b), b.len, &err);
   bson_destroy (&b);
   return ok;
}

/* Of a step n: the documents that it makes, replaces and deletes. After STEPS of them both
 * collections are dropped. */
static int replaced (int n, int k)
{
   return (int) (((uint32_t) (n * 31 + k) * 2246822519u) %
                 (uint32_t) ((n - 1) % STEPS * A_STEP + 1));
}
static int deleted (int n, int k) { return replaced (n + 7 * STEPS, k); }

static bool change (MtStore *s, int coll, int n)
{
   bool ignored, ok = true;
   int from = (n - 1) % STEPS * A_STEP;
   for (int i = from; ok && i < from + A_STEP; i++)
      ok = put (s, coll, i, n);
   for (int k = 0; ok && k < 9; k++)
      ok = put (s, coll, replaced (n, k), n) &&
           mt_store_delete (s, colls[coll], mt_v_int64 (id_of (coll, deleted (n, k))), &ignored,
                            &err);
   return ok;
}

static bool do_step (MtStore *s, int n)
{
   static const char *const fields[] = {"user"};
   bson_t *last = BCON_NEW ("_id", BCON_INT32 (1), "step", BCON_INT32 (n));
   bool ok = mt_store_begin (s, &err);
   for (int coll = 0; ok && coll < 2; coll++) {
      if ((n - 1) % STEPS == 0)
         ok = mt_store_drop (s, colls[coll], &err) &&
              mt_store_index (s, colls[coll], fields, 1, &err);
      ok = ok && change (s, coll, n);
   }
   ok = ok && mt_store_replace (s, "last", bson_get_data (last), last->len, &err) &&
        mt_store_commit (s, &err);
   bson_destroy (last);
   return ok;
}

/* Of each document the step that wrote it last; 0: it isn't there. */
static void expect (int step, int want[ALL])
{
   memset (want, 0, ALL * sizeof *want);
   for (int n = step ? (step - 1) / STEPS * STEPS + 1 : 1; n <= step; n++) {
      int from = (n - 1) % STEPS * A_STEP;
      for (int i = from; i < from + A_STEP; i++)
         want[i] = n;
      for (int k = 0; k < 9; k++) {
         want[replaced (n, k)] = n;
         want[deleted (n, k)] = 0;
      }
   }
}

/* Documents of a user: by the look-up where it knows, by all of a block where it doesn't. */
static int users (MtStore *s, const char *coll, int user)
{
   MtSource *src;
   MtHit hits[MT_BLOCK_HITS];
   MtVal v = mt_v_int32 (user);
   size_t found;
   int n = 0;
   OK (mt_store_source (s, coll, &src, &err));
   MtLookup *l = mt_lookup_new (src, "user", &v, 1);
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      static MtReader r; /* keeps its memory from block to block */
      uint32_t len, k = 0;
      bool knows = mt_lookup_block (l, i, hits, &found);
      OK (mt_reader_init (&r, src, i, &err));
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; knows ? k < found : p < end;
           k++, p += knows ? 0 : len) {
         const uint8_t *doc = knows ? r.block.data + hits[k].offset : p;
         OK (mt_need (&r, doc, 4));
         memcpy (&len, doc, 4);
         OK (mt_need (&r, doc, len));
         bool gone = r.block.deleted && mt_block_is_deleted (&r.block, knows ? hits[k].ordinal : k);
         n += !gone && field_of (doc, len, "user") == user;
      }
   }
   mt_lookup_free (l);
   mt_source_free (src);
   return n;
}

/* The store has a whole step, and all look-ups say so. */
static int check (MtStore *s)
{
   static int want[ALL];
   int step = (int) find_field (s, "last", 1, "step", 0);
   expect (step, want);
   for (int coll = 0; coll < 2; coll++) {
      int owned[USERS] = {0};
      for (int i = 0; i < ALL; i++) {
         int n = (int) find_field (s, colls[coll], id_of (coll, i), "step", 0);
         if (n != want[i])
            fail_msg ("step %d: document %d of \"%s\" is of step %d instead of %d", step, i,
                      colls[coll], n, want[i]);
         owned[(i + n) % USERS] += n > 0;
      }
      for (int u = 0; u < USERS; u++)
         assert_int_equal (users (s, colls[coll], u), owned[u]);
   }
   return step;
}

/* Some make keys in the midst of a step. */
static MtStore *open_store (bool read_only)
{
   MtStore *s = NULL;
   OK (mt_store_open (folder, true, read_only, &s, &err));
   if (next_random (2))
      s->step_ids = 100;
   return s;
}

static int look (void)
{
   MtStore *s = open_store (true);
   int step = check (s);
   mt_store_close (s);
   return step;
}

static int from_environment (const char *name, int otherwise)
{
   return getenv (name) ? atoi (getenv (name)) : otherwise;
}

/* ---- kills ---- */

/* The child's: goes on until it is killed, or a while. */
_Noreturn static void write_on (_Atomic int *acknowledged)
{
   MtStore *s = open_store (false);
   int until = *acknowledged + 4;
   fault = KILL;
   while (*acknowledged < until) {
      if (!do_step (s, *acknowledged + 1))
         _exit (1);
      ++*acknowledged;
   }
   mt_store_close (s);
   _exit (0);
}

static void test_kills (void **state)
{
   int kills = from_environment ("KILLS", 16), killed = 0;
   _Atomic int *acknowledged = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                     -1, 0);
   assert_ptr_not_equal (acknowledged, MAP_FAILED);
   *acknowledged = 0;
   for (int i = 0; i < 4 * kills && killed < kills; i++) {
      int status;
      keys_first = next_random (4) > 0;
      fault_after = 1 + (int) next_random (keys_first ? 12 : 80);
      pid_t pid = fork ();
      if (pid == 0)
         write_on (acknowledged);
      assert_int_equal (waitpid (pid, &status, 0), pid);
      killed += WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL;
      if (!WIFSIGNALED (status))
         assert_int_equal (status, 0);
      int step = look ();
      assert_in_range (step, *acknowledged, *acknowledged + 1);
      *acknowledged = step;
   }
   assert_int_equal (killed, kills);
   assert_true (*acknowledged >= kills / 4);
   munmap ((void *) acknowledged, 4096);
}

/* ---- failures ---- */

static void test_failures (void **state)
{
   int count = from_environment ("KILLS", 16), step = 0;
   MtStore *s = open_store (false);
   faults = 0;
   for (int i = 0; i < 4 * count && faults < count; i++) {
      keys_first = next_random (4) > 0;
      fault_after = 1 + (int) next_random (keys_first ? 8 : 60);
      fault_errno = next_random (2) ? ENOSPC : EIO;
      fault = FAIL + next_random (3);
      bool done = true;
      for (int n = 0; n < 3 && (done = do_step (s, step + 1)); n++)
         step++;
      if (!done)
         assert_true (strcmp (err.sqlstate, MT_E_IO) == 0 ||
                      strcmp (err.sqlstate, MT_E_DISK_FULL) == 0);
      mt_store_rollback (s);
      fault = NO_FAULT;
      mt_error_clear (&err);
      int found = look ();
      assert_in_range (found, step, step + !done);
      bool refuses = !mt_store_begin (s, &err); /* the outcome of its commit is left open */
      mt_store_rollback (s);
      mt_error_clear (&err);
      if (refuses || i % 5 == 0) {
         mt_store_close (s);
         s = open_store (false);
      }
      step = found;
      assert_int_equal (check (s), step);
      OK (do_step (s, ++step)); /* goes on as if nothing had been */
   }
   assert_int_equal (check (s), step);
   mt_store_close (s);
   assert_int_equal (faults >= count, 1);
}

static int fresh (void **state)
{
   rnd = (uint64_t) from_environment ("SEED", 1) * 0x9E3779B97F4A7C15u + 1;
   fault = NO_FAULT;
   return setup (state);
}

int main (void)
{
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown (f, fresh, teardown)
   const struct CMUnitTest tests[] = {IN_FOLDER (test_kills), IN_FOLDER (test_failures)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
