/* What the torture scripts drive: fills an embedded store until it is killed, checks one, and flips
 * bits in one.
 *
 *    store_torture write FOLDER
 *       commits step after step, printing the number of each step after its commit; also replaces
 *       and deletes, drops and makes collections, merges and compacts on the way
 *    store_torture check FOLDER N
 *       the store holds step N or the next one, whole; prints which
 *    store_torture watch FOLDER SECONDS
 *       reads while another process writes
 *    store_torture flip FOLDER FLIPS SEED
 *       flips one bit at a time in a copy of what `write` left; every answer is the right one or an
 *       error with a code
 *    store_torture faults FOLDER COUNT SEED
 *       lets one system call after the other fail while steps are made
 *    store_torture put FOLDER COLLECTION
 *       puts BSON documents from standard input in the place of those with their _ids
 *
 * Step n: collection "log" gets 1 + n % 50 documents {_id, step}, "last" has one document {_id: 1,
 * step: n}, document n - 10 of "keys" is deleted and n inserted, and every 97th step drops and
 * makes "scratch". */
#include "base/limits.h"
#include "engine/local/store/store.h"
#include "tests/unit/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static MtError err;
static bool watching; /* a writer goes on meanwhile */

static void die (const char *what)
{
   fprintf (stderr, "%s: %s %s\n", what, err.sqlstate, err.message);
   exit (1);
}

static bool put (MtStore *s, const char *coll, int64_t id, int64_t step, bool over)
{
   static const char filler[] =
      "some text that makes the document as long as a document often is, so that pages are filled";
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", id);
   BSON_APPEND_INT64 (&b, "step", step);
   BSON_APPEND_UTF8 (&b, "text", filler);
   bool ok = over ? mt_store_replace (s, coll, bson_get_data (&b), b.len, &err)
                  : mt_store_insert (s, coll, bson_get_data (&b), b.len, false, &err);
   bson_destroy (&b);
   return ok;
}

/* ---- what a store holds ---- */

typedef struct Seen {
   int64_t log_documents, log_sum, last_step, last_documents, keys, keys_sum, scratch;
   uint64_t hash; /* of all bytes of living documents */
} Seen;

static int64_t field (const uint8_t *doc, uint32_t len, const char *name)
{
   bson_t b;
   bson_iter_t it;
   if (!bson_init_static (&b, doc, len) || !bson_iter_init_find (&it, &b, name))
      return -1;
   return bson_iter_as_int64 (&it);
}

static bool sum (MtStore *s, const char *coll, int64_t *documents, int64_t *steps, uint64_t *hash)
{
   MtSource *src;
   *documents = *steps = 0;
   if (!mt_store_source_seen (s, coll, &src, &err))
      return false;
   bool ok = true;
   MtReader r = {.span = 0};
   for (size_t i = 0; ok && i < mt_source_blocks (src); i++) {
      uint32_t n, k = 0;
      ok = mt_reader_init (&r, src, i, &err);
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; ok && p < end; p += n, k++) {
         ok = mt_need (&r, p, 4);
         memcpy (&n, p, 4);
         ok = ok && mt_need (&r, p, n);
         if (ok && !(r.block.deleted && mt_block_is_deleted (&r.block, k))) {
            ++*documents;
            *steps += field (p, n, "step");
            for (uint32_t j = 0; j < n; j++)
               *hash = (*hash ^ p[j]) * 0x100000001b3u;
         }
      }
   }
   mt_reader_end (&r);
   mt_source_free (src);
   return ok;
}

static bool look_in (MtStore *s, Seen *seen)
{
   int64_t ignored;
   memset (seen, 0, sizeof *seen);
   mt_error_clear (&err);
   uint64_t *h = &seen->hash;
   bool ok = sum (s, "log", &seen->log_documents, &seen->log_sum, h) &&
             sum (s, "last", &seen->last_documents, &seen->last_step, h) &&
             sum (s, "keys", &seen->keys, &seen->keys_sum, h) &&
             sum (s, "scratch", &seen->scratch, &ignored, h);
   if (ok && !watching) { /* through the index, too */
      MtArena *a = mt_arena_new ("find", NULL);
      MtVal doc;
      ok = mt_store_find (s, "last", mt_v_int64 (1), a, &doc, &err);
      if (ok && seen->last_documents == 1 &&
          (doc.type != MT_DOC || field (doc.p, doc.len, "step") != seen->last_step)) {
         fprintf (stderr, "the index and the documents differ\n");
         exit (1);
      }
      mt_arena_free (a);
   }
   return ok;
}

/* Ends the log behind the last commit, if its writer was killed before it could tell of it. */
static void mend (const char *folder)
{
   MtStore *s;
   if (!mt_store_open (folder, false, false, &s, &err) || !mt_store_begin (s, &err))
      die ("mend");
   mt_store_rollback (s);
   mt_store_close (s);
}

static bool look (const char *folder, Seen *seen)
{
   MtStore *s;
   mt_error_clear (&err);
   if (!mt_store_open (folder, false, true, &s, &err))
      return false;
   if (mt_store_warning (s))
      err = *mt_store_warning (s);
   bool ok = !mt_store_warning (s) && look_in (s, seen);
   mt_store_close (s);
   return ok;
}

static void expect (int64_t step, Seen *want)
{
   memset (want, 0, sizeof *want);
   for (int64_t n = 1; n <= step; n++) {
      want->log_documents += 1 + n % 50;
      want->log_sum += n * (1 + n % 50);
      if (n > step - 10) {
         want->keys++;
         want->keys_sum += n;
      }
   }
   want->last_step = step;
   want->last_documents = step > 0;
   want->scratch = step % 97;
}

/* ---- the commands ---- */

static bool do_step (MtStore *s, int64_t n)
{
   bool deleted;
   if (!mt_store_begin (s, &err))
      return false;
   for (int64_t i = 0; i < 1 + n % 50; i++)
      if (!put (s, "log", n * 100 + i, n, false))
         return false;
   if (!put (s, "last", 1, n, true) || !put (s, "keys", n, n, true) ||
       !mt_store_delete (s, "keys", mt_v_int64 (n - 10), &deleted, &err))
      return false;
   if (n % 97 == 0 && !mt_store_drop (s, "scratch", &err))
      return false;
   if (n % 97 && !put (s, "scratch", n, n, false))
      return false;
   return mt_store_commit (s, &err);
}

/* A step that never is. */
static bool give_up (MtStore *s)
{
   if (!mt_store_begin (s, &err))
      return false;
   for (int64_t i = 0; i < 20000; i++)
      if (!put (s, "log", -i, 1000000, false))
         return false;
   if (!put (s, "last", 1, 1000000, true))
      return false;
   mt_store_rollback (s);
   return true;
}

_Noreturn static void cmd_write (const char *folder)
{
   MtStore *s;
   Seen seen;
   int64_t step = 0;
   if (mt_store_detect (folder)) {
      if (!look (folder, &seen))
         die ("look");
      step = seen.last_step;
   }
   if (!mt_store_open (folder, true, false, &s, &err))
      die ("open");
   for (;;) {
      if ((++step % 13 == 0 && !give_up (s)) || !do_step (s, step))
         die ("step");
      printf ("%lld\n", (long long) step);
      fflush (stdout);
   }
}

static int cmd_check (const char *folder, int64_t acknowledged)
{
   Seen seen, want;
   if (!look (folder, &seen))
      die ("check");
   expect (seen.last_step, &want);
   want.hash = seen.hash;
   if (seen.last_step < acknowledged || seen.last_step > acknowledged + 1 ||
       memcmp (&seen, &want, sizeof seen) != 0) {
      fprintf (
         stderr,
         "acknowledged %lld, found step %lld: log %lld/%lld, keys %lld/%lld, scratch %lld/%lld\n",
         (long long) acknowledged, (long long) seen.last_step, (long long) seen.log_documents,
         (long long) want.log_documents, (long long) seen.keys, (long long) want.keys,
         (long long) seen.scratch, (long long) want.scratch);
      return 1;
   }
   printf ("%lld\n", (long long) seen.last_step);
   return 0;
}

/* Looks again and again while a writer goes on: each look has to be of one step, whole, and never
 * of an earlier one. */
static int cmd_watch (const char *folder, double seconds)
{
   MtStore *kept = NULL;
   int64_t latest = 0, until = mt_now_ms () + (int64_t) (1000 * seconds);
   int looks = 0;
   watching = true;
   while (!mt_store_detect (folder) && mt_now_ms () < until)
      usleep (1000);
   if (!mt_store_open (folder, false, true, &kept, &err))
      die ("open");
   for (; mt_now_ms () < until; looks++) {
      Seen seen, want;
      if (looks % 2 ? !look (folder, &seen)
                    : !mt_store_refresh (kept, &err) || !look_in (kept, &seen))
         die ("watch");
      expect (seen.last_step, &want);
      want.hash = seen.hash;
      if (memcmp (&seen, &want, sizeof seen) != 0 || seen.last_step < latest) {
         fprintf (stderr, "look %d: step %lld after %lld isn't whole\n", looks,
                  (long long) seen.last_step, (long long) latest);
         return 1;
      }
      latest = seen.last_step;
   }
   mt_store_close (kept);
   printf ("%d looks at %lld steps, each whole\n", looks, (long long) latest);
   return looks > 10 && latest > 10 ? 0 : 1;
}

/* ---- failing system calls: these take the place of the C library's ---- */

static int fault_after; /* calls until one fails; 0: none will */
static int fault_errno;
static bool fault_stays; /* and all after it */

static bool fails (void)
{
   if (fault_after == 0)
      return false;
   if (fault_after > 1) {
      fault_after--;
      return false;
   }
   if (!fault_stays)
      fault_after = 0;
   errno = fault_errno;
   return true;
}

ssize_t pwrite (int fd, const void *p, size_t n, off_t at)
{
   if (!fails ())
      return syscall (SYS_pwrite64, fd, p, n, at);
   if (n > 512) /* half of it is written, the rest fails; what lies within a sector is written whole
                   or not at all */
      (void) !syscall (SYS_pwrite64, fd, p, n / 2, at);
   return -1;
}

ssize_t pwritev (int fd, const struct iovec *v, int n, off_t at)
{
   return fails () ? syscall (SYS_pwritev, fd, v, 1, at, 0)
                   : syscall (SYS_pwritev, fd, v, n, at, 0);
}

int fdatasync (int fd) { return fails () ? -1 : (int) syscall (SYS_fdatasync, fd); }
int fsync (int fd) { return fails () ? -1 : (int) syscall (SYS_fsync, fd); }
int ftruncate (int fd, off_t n) { return fails () ? -1 : (int) syscall (SYS_ftruncate, fd, n); }
int rename (const char *from, const char *to)
{
   return fails () ? -1 : (int) syscall (SYS_rename, from, to);
}

static uint64_t rnd;
static uint64_t next_random (void) { return random_next (&rnd); }

static int flip_one (const char *path, off_t at, int bit)
{
   uint8_t c;
   int fd = open (path, O_RDWR);
   if (fd < 0 || pread (fd, &c, 1, at) != 1)
      return -1;
   c ^= (uint8_t) (1 << bit);
   ssize_t w = pwrite (fd, &c, 1, at);
   close (fd);
   return w == 1 ? 0 : -1;
}

static int cmd_flip (const char *folder, int flips, uint64_t seed)
{
   Seen want, seen;
   char files[64][300];
   int count = 0, errors = 0, harmless = 0;
   mend (folder);
   DIR *d = opendir (folder);
   for (struct dirent *e; d && (e = readdir (d)) && count < 64;)
      if (e->d_name[0] != '.' && strcmp (e->d_name, "LOCK") != 0)
         snprintf (files[count++], sizeof files[0], "%s", e->d_name);
   closedir (d);
   if (!look (folder, &want))
      die ("before");
   rnd = seed * 2654435761u + 1;
   for (int i = 0; i < flips; i++) {
      char path[700];
      struct stat st;
      snprintf (path, sizeof path, "%s/%s", folder,
                files[i % count]); /* all kinds of files alike */
      if (stat (path, &st) != 0 || st.st_size == 0)
         continue;
      off_t at = (off_t) (next_random () % (uint64_t) st.st_size);
      if (i % 3 == 0 && at > 400) /* heads more often than their share of bytes */
         at %= 400;
      int bit = (int) (next_random () % 8);
      if (flip_one (path, at, bit) != 0)
         die ("flip");
      if (!look (folder, &seen)) {
         if (strcmp (err.sqlstate, MT_E_CORRUPT) != 0 && strcmp (err.sqlstate, MT_E_FEATURE) != 0)
            die ("wrong code");
         errors++;
      } else if (memcmp (&seen, &want, sizeof seen) != 0) {
         fprintf (stderr, "a wrong answer after bit %d of %s at %lld was flipped\n", bit, path,
                  (long long) at);
         return 1;
      } else {
         harmless++;
      }
      if (flip_one (path, at, bit) != 0)
         die ("flip back");
   }
   printf ("%d flips in %d files: %d errors, %d without effect, 0 wrong answers\n", flips, count,
           errors, harmless);
   return errors > flips / 10 ? 0 : 1; /* many flips hit replaced documents and empty space */
}

/* The store has the step, or the one after it when that one's outcome was left open. */
static int64_t expect_step (const char *folder, int64_t step, bool open, int round)
{
   Seen seen, want;
   if (!look (folder, &seen))
      die ("after a fault");
   expect (seen.last_step, &want);
   want.hash = seen.hash;
   if (memcmp (&seen, &want, sizeof seen) != 0 ||
       (seen.last_step != step && !(open && seen.last_step == step + 1))) {
      fprintf (stderr, "fault %d: step %lld was acknowledged, %lld is there\n", round,
               (long long) step, (long long) seen.last_step);
      exit (1);
   }
   return seen.last_step;
}

static int cmd_faults (const char *folder, int count, uint64_t seed)
{
   MtStore *s;
   int64_t step = 0;
   int failed = 0, unknown = 0;
   rnd = seed * 2654435761u + 1;
   if (!mt_store_open (folder, true, false, &s, &err))
      die ("open");
   for (int i = 0; i < count; i++) {
      fault_errno = next_random () % 2 ? ENOSPC : EIO;
      fault_stays = next_random () % 2;
      fault_after = 1 + (int) (next_random () % 40);
      while (fault_after) {
         mt_error_clear (&err);
         if (do_step (s, step + 1)) {
            step++;
            continue;
         }
         if (strcmp (err.sqlstate, MT_E_IO) != 0 && strcmp (err.sqlstate, MT_E_DISK_FULL) != 0)
            die ("wrong code");
         failed++;
         mt_store_rollback (s);
         break;
      }
      fault_after = 0;
      int64_t found = expect_step (folder, step, true, i);
      bool refuses = !mt_store_begin (s, &err);
      if (!refuses)
         mt_store_rollback (s);
      if (found != step && !refuses && found != step + 1)
         return 1;
      unknown += refuses;
      if (refuses || i % 7 == 0) {
         mt_store_close (s);
         if (!mt_store_open (folder, false, false, &s, &err))
            die ("open again");
      }
      step = found;
      mt_error_clear (&err);
      if (!do_step (s, step + 1)) /* goes on as if nothing had been */
         die ("after a fault");
      expect_step (folder, ++step, false, i);
   }
   mt_store_close (s);
   printf ("%d faults, %d steps failed, %d of them with the outcome open; every step whole\n",
           count, failed, unknown);
   return failed > count / 3 && unknown > 0 ? 0 : 1;
}

/* ---- put ---- */

/* One step. The collection comes to be, if need be. */
static int cmd_put (const char *folder, const char *coll)
{
   MtStore *s;
   static uint8_t doc[MT_MAX_DOC_BYTES];
   uint32_t len;
   if (!mt_store_open (folder, true, false, &s, &err) || !mt_store_begin (s, &err))
      die ("put");
   while (fread (doc, 4, 1, stdin) == 1) {
      memcpy (&len, doc, 4);
      if (len < 5 || len > sizeof doc || fread (doc + 4, len - 4, 1, stdin) != 1 ||
          !mt_store_replace (s, coll, doc, len, &err))
         die ("put");
   }
   if (!mt_store_commit (s, &err))
      die ("put");
   mt_store_close (s);
   return 0;
}

int main (int argc, char **argv)
{
   if (argc == 4 && strcmp (argv[1], "put") == 0)
      return cmd_put (argv[2], argv[3]);
   if (argc == 3 && strcmp (argv[1], "write") == 0)
      cmd_write (argv[2]); /* until it is killed */
   if (argc == 4 && strcmp (argv[1], "check") == 0)
      return cmd_check (argv[2], atoll (argv[3]));
   if (argc == 5 && strcmp (argv[1], "faults") == 0)
      return cmd_faults (argv[2], atoi (argv[3]), (uint64_t) atoll (argv[4]));
   if (argc == 4 && strcmp (argv[1], "watch") == 0)
      return cmd_watch (argv[2], atof (argv[3]));
   if (argc == 5 && strcmp (argv[1], "flip") == 0)
      return cmd_flip (argv[2], atoi (argv[3]), (uint64_t) atoll (argv[4]));
   fprintf (
      stderr,
      "usage: store_torture write FOLDER | check FOLDER STEP | watch FOLDER SECONDS | flip FOLDER FLIPS SEED | faults FOLDER COUNT SEED | put FOLDER COLLECTION\n");
   return 2;
}
