/* Mapped files that lose their bytes: by truncation, in several threads. Faults of others. */
#include "base/error.h"
#include "base/mapped.h"
#include "base/memory.h"
#include "base/thread.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "tests/unit/temp_folder.h"

enum { PAGES = 40, PAGE = 4096, SIZE = PAGES * PAGE };

static MtMapped *map_new (const char *path)
{
   static uint8_t bytes[SIZE];
   memset (bytes, 'x', sizeof bytes);
   int fd = open (path, O_RDWR | O_CREAT | O_TRUNC, 0666);
   assert_int_equal (write (fd, bytes, SIZE), SIZE);
   MtMapped *m = mt_mapped_new (fd, SIZE, path);
   assert_non_null (m);
   close (fd);
   return m;
}

static size_t sum (const MtMapped *m)
{
   size_t n = 0;
   for (size_t i = 0; i < m->size; i++)
      n += m->base[i];
   return n;
}

static void *sum_elsewhere (void *m) { return (void *) sum (m); }

static char *path_of (const char *name)
{
   char *path;
   assert_true (asprintf (&path, "%s/%s", folder, name) > 0);
   return path;
}

static void test_truncated (void **state)
{
   (void) state;
   MtShortage shortage = {0}, other = {0};
   char *path = path_of ("f"), *name = path_of ("whole");
   MT_RECORD_SHORTAGE (&shortage);
   MtMapped *m = map_new (path), *whole = map_new (name);
   assert_int_equal (sum (m), 'x' * SIZE);
   assert_int_equal (truncate (path, 3 * PAGE + 100), 0);
   assert_true (mt_mapped_check (m, &err) && !mt_mapped_any_lost ());
   /* whoever reads it, the loss is of those who mapped it */
   MtShortage **outer = &(MtShortage *) {mt_memory_enter (&other)};
   assert_int_equal (sum (m), 'x' * (3 * PAGE + 100));
   assert_true (mt_memory_check (&err));
   mt_memory_leave (outer);
   assert_false (mt_memory_check (&err));
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   assert_non_null (strstr (err.message, path));
   assert_true (mt_mapped_any_lost ());
   mt_memory_forgive (&shortage);
   assert_true (mt_memory_check (&err));     /* the next statement */
   assert_false (mt_mapped_check (m, &err)); /* as long as it doesn't use this */
   assert_string_equal (err.sqlstate, MT_E_CORRUPT);
   assert_true (mt_mapped_whole (whole, SIZE, &err));
   assert_int_equal (sum (whole), 'x' * SIZE);
   mt_mapped_unref (m);
   mt_mapped_unref (whole);
   assert_false (mt_mapped_any_lost ());
   free (path);
   free (name);
}

/* The rest of the last page is zeros, and no fault says so. */
static void test_within_a_page (void **state)
{
   (void) state;
   MtShortage shortage = {0};
   char *path = path_of ("f"), *aside = path_of ("aside");
   MT_RECORD_SHORTAGE (&shortage);
   MtMapped *m = map_new (path);
   assert_int_equal (truncate (path, SIZE - 10), 0);
   assert_int_equal (sum (m), 'x' * (SIZE - 10));
   assert_true (mt_mapped_check (m, &err));
   assert_true (mt_mapped_whole (m, SIZE - 10, &err));
   assert_false (mt_mapped_whole (m, SIZE, &err));
   assert_false (mt_memory_check (&err));
   mt_mapped_unref (m);
   mt_memory_forgive (&shortage);
   m = map_new (path); /* a new file under the name, and none: the mapped one is whole */
   assert_int_equal (rename (path, aside), 0);
   assert_true (mt_mapped_whole (m, SIZE, &err));
   MtMapped *n = map_new (path);
   assert_int_equal (truncate (path, 10), 0);
   assert_true (mt_mapped_whole (m, SIZE, &err));
   assert_false (mt_mapped_whole (n, SIZE, &err));
   mt_mapped_unref (m);
   mt_mapped_unref (n);
   free (path);
   free (aside);
}

static void test_nameless (void **state)
{
   (void) state;
   MtShortage shortage = {0};
   MT_RECORD_SHORTAGE (&shortage);
   FILE *f = tmpfile ();
   assert_int_equal (ftruncate (fileno (f), SIZE), 0);
   MtMapped *m = mt_mapped_new (fileno (f), SIZE, NULL);
   assert_int_equal (ftruncate (fileno (f), 0), 0);
   assert_int_equal (sum (m), 0);
   assert_false (mt_memory_check (&err));
   assert_string_equal (err.sqlstate, MT_E_IO);
   mt_mapped_unref (m);
   fclose (f);
}

/* Threads of a statement fault at once. More mappings than the table has places at first. */
static void test_threads (void **state)
{
   (void) state;
   enum { MANY = 600, THREADS = 4 };
   MtShortage shortage = {0};
   MtMapped *all[MANY];
   pthread_t threads[THREADS];
   char *path = path_of ("f");
   MT_RECORD_SHORTAGE (&shortage);
   for (int i = 0; i < MANY; i++)
      all[i] = map_new (path);
   assert_int_equal (truncate (path, PAGE), 0);
   for (int round = 0; round < MANY; round += 50) {
      for (int i = 0; i < THREADS; i++)
         assert_true (mt_thread_start (&threads[i], sum_elsewhere, all[round]));
      for (int i = 0; i < THREADS; i++) {
         void *found;
         pthread_join (threads[i], &found);
         assert_int_equal ((size_t) found, 'x' * PAGE);
      }
      assert_false (mt_mapped_check (all[round], &err));
      assert_true (mt_mapped_check (all[round + 1], &err));
   }
   for (int i = 0; i < MANY; i++)
      mt_mapped_unref (all[i]);
   assert_false (mt_mapped_any_lost ());
   free (path);
}

/* ---- a program that has a handler of its own: cmocka is one, too ---- */

static sigjmp_buf back;
static void *volatile fault_at;

static void own_handler (int sig, siginfo_t *info, void *context)
{
   (void) sig, (void) context;
   fault_at = info->si_addr;
   siglongjmp (back, 1);
}

/* Reads a page of a file that has none, which mt_mapped_new hasn't mapped. */
static void fault (void)
{
   FILE *f = tmpfile ();
   volatile uint8_t *p = mmap (NULL, PAGE, PROT_READ, MAP_SHARED, fileno (f), 0);
   if (sigsetjmp (back, 1) == 0)
      (void) p[17];
   assert_ptr_equal (fault_at, p + 17);
   munmap ((void *) p, PAGE);
   fclose (f);
}

static void test_others (void **state)
{
   struct sigaction a = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO};
   char *path = path_of ("f");
   sigaction (SIGBUS, &a, NULL);
   mt_mapped_unref (map_new (path)); /* installs the handler in front of it */
   free (path);
   for (int i = 0; i < 5; i++)
      fault ();
   if (sigsetjmp (back, 1) == 0) {
      raise (SIGBUS); /* sent, not a fault */
      fail ();
   }
   test_truncated (state);
}

/* A handler that hands back each signal: each of the two takes the other for the older one. */
static struct sigaction other;

static void circular_handler (int sig, siginfo_t *info, void *context)
{
   other.sa_sigaction (sig, info, context);
}

static void test_circle (void **state)
{
   (void) state;
   char *path = path_of ("f");
   pid_t child = fork ();
   int status;
   if (child == 0) {
      struct sigaction a = {.sa_sigaction = circular_handler, .sa_flags = SA_SIGINFO};
      mt_mapped_unref (map_new (path));
      sigaction (SIGBUS, &a, &other);
      mt_mapped_unref (map_new (path));
      raise (SIGBUS);
      _exit (0);
   }
   assert_int_equal (waitpid (child, &status, 0), child);
   assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGBUS);
   free (path);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (test_truncated, setup, teardown),
      cmocka_unit_test_setup_teardown (test_within_a_page, setup, teardown),
      cmocka_unit_test_setup_teardown (test_nameless, setup, teardown),
      cmocka_unit_test_setup_teardown (test_threads, setup, teardown),
      cmocka_unit_test_setup_teardown (test_others, setup, teardown),
      cmocka_unit_test_setup_teardown (test_circle, setup, teardown),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
