/* The spike behind docs/decisions/0001-local-store.md: LMDB, a log of deltas, and packed blocks
 * (the embedded store), measured alike.
 *
 *    make && cc -O2 -I. -D_GNU_SOURCE $(pkg-config --cflags libbson-1.0) \
 *       -o build/store_spike bench/spike/store_spike.c build/libmtsql.a -llmdb \
 *       $(pkg-config --libs libmongoc-1.0) -lm -lpthread && build/store_spike FOLDER
 *
 * Documents are synthetic; files are in the page cache when they are read. Each figure is of one
 * run. */
#include "engine/local/store/store.h"

#include <bson/bson.h>
#include <fcntl.h>
#include <lmdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SMALL_DOCS 3000000u /* of 150 bytes */
#define SPOTS 271u          /* documents of 1.85 MB: 500 MB */
#define SPOT_BYTES 1850000u
#define COUNTER_DOCS 1000u /* of 12 kB */
#define COUNTERS 1400u     /* int64 values in each */

static MtError err;
static const char *folder;

static double now (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

#define MUST(call) \
   do { \
      if (!(call)) { \
         fprintf (stderr, "%s:%d: %s: %s %s\n", __FILE__, __LINE__, #call, err.sqlstate, \
                  err.message); \
         exit (1); \
      } \
   } while (0)

static char *in_folder (const char *name)
{
   static char path[4096];
   snprintf (path, sizeof path, "%s/%s", folder, name);
   return path;
}

static double megabytes (const char *path)
{
   struct stat st;
   return stat (path, &st) == 0 ? 1e-6 * (double) st.st_blocks * 512 : 0;
}

/* ---- documents ---- */

/* 150 bytes: a record of a feed. The number in it is patched, so that building costs nothing. */
static uint8_t small[150];

static void make_small (void)
{
   bson_t b = BSON_INITIALIZER;
   char text[100];
   BSON_APPEND_INT64 (&b, "_id", 0);
   BSON_APPEND_INT64 (&b, "v", 1);
   size_t room = sizeof small - b.len - 8; /* type, "s", NUL, length, text, NUL */
   memset (text, 'x', sizeof text);
   bson_append_utf8 (&b, "s", 1, text, (int) room);
   if (b.len != sizeof small)
      abort ();
   memcpy (small, bson_get_data (&b), b.len);
   bson_destroy (&b);
}

static void number_small (int64_t n) { memcpy (small + 9, &n, 8); }

/* ---- LMDB ---- */

static MDB_env *lmdb_open (const char *name, unsigned flags)
{
   MDB_env *env;
   MUST (mdb_env_create (&env) == 0 && mdb_env_set_mapsize (env, (size_t) 4 << 30) == 0);
   MUST (mdb_env_open (env, in_folder (name), MDB_NOSUBDIR | flags, 0666) == 0);
   return env;
}

static void lmdb_bulk (void)
{
   MDB_env *env = lmdb_open ("bulk.mdb", 0);
   MDB_txn *txn;
   MDB_dbi dbi;
   double start = now ();
   MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0 &&
         mdb_dbi_open (txn, NULL, MDB_INTEGERKEY, &dbi) == 0);
   for (uint64_t i = 0; i < SMALL_DOCS; i++) {
      number_small ((int64_t) i);
      MUST (mdb_put (txn, dbi, &(MDB_val) {8, &i}, &(MDB_val) {sizeof small, small}, MDB_APPEND) ==
            0);
   }
   MUST (mdb_txn_commit (txn) == 0);
   double t = now () - start;
   printf ("lmdb    bulk insert, one txn   %9.0f docs/s  %6.1f MB on disk of %.1f\n",
           SMALL_DOCS / t, megabytes (in_folder ("bulk.mdb")), 1e-6 * SMALL_DOCS * sizeof small);
   MDB_cursor *c;
   MDB_val k, v;
   uint64_t sum = 0;
   start = now ();
   MUST (mdb_txn_begin (env, NULL, MDB_RDONLY, &txn) == 0 && mdb_cursor_open (txn, dbi, &c) == 0);
   for (int rc = mdb_cursor_get (c, &k, &v, MDB_FIRST); rc == 0;
        rc = mdb_cursor_get (c, &k, &v, MDB_NEXT))
      sum += *(uint64_t *) ((char *) v.mv_data + 9);
   t = now () - start;
   mdb_cursor_close (c);
   mdb_txn_abort (txn);
   mdb_env_close (env);
   MUST (sum == (uint64_t) SMALL_DOCS * (SMALL_DOCS - 1) / 2);
   printf ("lmdb    full scan              %9.0f MB/s    (nothing verified)\n",
           1e-6 * SMALL_DOCS * sizeof small / t);
}

static void lmdb_spots (const uint8_t *big)
{
   MDB_env *env = lmdb_open ("spots.mdb", 0);
   MDB_txn *txn;
   MDB_dbi dbi;
   MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0 &&
         mdb_dbi_open (txn, NULL, MDB_INTEGERKEY, &dbi) == 0);
   for (uint64_t i = 0; i < SPOTS; i++)
      MUST (mdb_put (txn, dbi, &(MDB_val) {8, &i},
                     &(MDB_val) {SPOT_BYTES, (void *) (uintptr_t) big}, MDB_APPEND) == 0);
   MUST (mdb_txn_commit (txn) == 0);
   for (int verify = 0; verify < 2; verify++) {
      uint64_t sum = 0;
      double start = now ();
      MUST (mdb_txn_begin (env, NULL, MDB_RDONLY, &txn) == 0);
      for (uint64_t i = 0; i < SPOTS; i++) {
         MDB_val v;
         MUST (mdb_get (txn, dbi, &(MDB_val) {8, &i}, &v) == 0);
         sum += verify ? XXH3_64bits (v.mv_data, v.mv_size) : ((uint8_t *) v.mv_data)[i * 100];
      }
      mdb_txn_abort (txn);
      printf ("lmdb    271 spots of 500 MB    %9.3f ms      (%s; %llx)\n", 1e3 * (now () - start),
              verify ? "a checksum of each value: all of it read" : "nothing verified",
              (unsigned long long) sum & 0xf);
   }
   mdb_env_close (env);
}

typedef struct Counter {
   int64_t head[36];
   int64_t values[COUNTERS];
} Counter;

static void lmdb_fill_counters (MDB_env *env, MDB_dbi *dbi)
{
   static Counter c;
   MDB_txn *txn;
   MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0 &&
         mdb_dbi_open (txn, NULL, MDB_INTEGERKEY, dbi) == 0);
   for (uint64_t i = 0; i < COUNTER_DOCS; i++)
      MUST (mdb_put (txn, *dbi, &(MDB_val) {8, &i}, &(MDB_val) {sizeof c, &c}, MDB_APPEND) == 0);
   MUST (mdb_txn_commit (txn) == 0);
}

static void lmdb_inc (MDB_txn *txn, MDB_dbi dbi, uint64_t n)
{
   uint64_t doc = n * 2654435761u % COUNTER_DOCS;
   MDB_val k = {8, &doc}, old, v = {sizeof (Counter), NULL};
   MUST (mdb_get (txn, dbi, &k, &old) == 0);
   static Counter copy;
   memcpy (&copy, old.mv_data, sizeof copy); /* the old page may be the one that is written */
   MUST (mdb_put (txn, dbi, &k, &v, MDB_RESERVE) == 0);
   copy.values[n * 40503u % COUNTERS]++;
   memcpy (v.mv_data, &copy, sizeof copy);
}

static void lmdb_events (unsigned per_commit, unsigned events)
{
   unlink (in_folder ("inc.mdb"));
   MDB_env *env = lmdb_open ("inc.mdb", 0);
   MDB_dbi dbi;
   lmdb_fill_counters (env, &dbi);
   double start = now ();
   for (unsigned i = 0; i < events;) {
      MDB_txn *txn;
      MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0);
      for (unsigned k = 0; k < per_commit; k++)
         lmdb_inc (txn, dbi, i++);
      MUST (mdb_txn_commit (txn) == 0);
   }
   printf ("lmdb    $inc, %4u a commit    %9.0f events/s\n", per_commit, events / (now () - start));
   mdb_env_close (env);
}

/* ---- a log of deltas, folded into documents ---- */

typedef struct Delta {
   uint64_t doc;
   uint32_t slot, pad;
   int64_t add;
   uint64_t seq;
   uint8_t room[24]; /* a path, in earnest */
   uint64_t hash;
} Delta;

static Delta delta_of (uint64_t n)
{
   Delta d = {.doc = n * 2654435761u % COUNTER_DOCS,
              .slot = (uint32_t) (n * 40503u % COUNTERS),
              .add = 1,
              .seq = n};
   d.hash = XXH3_64bits (&d, offsetof (Delta, hash));
   return d;
}

static void delta_events (unsigned per_commit, unsigned events)
{
   int fd = open (in_folder ("delta.log"), O_RDWR | O_CREAT | O_TRUNC, 0666);
   MUST (fd >= 0);
   Delta *batch = malloc (per_commit * sizeof *batch);
   double start = now ();
   for (unsigned i = 0; i < events;) {
      for (unsigned k = 0; k < per_commit; k++)
         batch[k] = delta_of (i++);
      MUST (write (fd, batch, per_commit * sizeof *batch) ==
               (ssize_t) (per_commit * sizeof *batch) &&
            fdatasync (fd) == 0);
   }
   printf ("deltas  $inc, %4u a commit    %9.0f events/s\n", per_commit, events / (now () - start));
   free (batch);
   if (per_commit > 1) { /* folding: every document once, into a new block */
      start = now ();
      Counter *all = calloc (COUNTER_DOCS, sizeof *all);
      Delta d;
      FILE *f = fdopen (fd, "r");
      rewind (f);
      unsigned n = 0;
      while (fread (&d, sizeof d, 1, f) == 1) {
         MUST (d.hash == XXH3_64bits (&d, offsetof (Delta, hash)));
         all[d.doc].values[d.slot] += d.add;
         n++;
      }
      fclose (f);
      fd = open (in_folder ("folded"), O_RDWR | O_CREAT | O_TRUNC, 0666);
      MUST (n == events &&
            write (fd, all, COUNTER_DOCS * sizeof *all) == (ssize_t) (COUNTER_DOCS * sizeof *all) &&
            fdatasync (fd) == 0);
      free (all);
      printf ("deltas  folding                %9.0f events/s\n", events / (now () - start));
   }
   close (fd);
}

/* ---- packed blocks: the store ---- */

static void store_bulk (void)
{
   MtStore *s;
   MtSource *src;
   double start = now ();
   MUST (mt_store_open (in_folder ("store"), true, false, &s, &err) && mt_store_begin (s, &err));
   for (uint64_t i = 0; i < SMALL_DOCS; i++) {
      number_small ((int64_t) i);
      MUST (mt_store_insert (s, "small", small, sizeof small, false, &err));
   }
   double appended = now ();
   MUST (mt_store_commit (s, &err));
   double t = now ();
   printf (
      "blocks  bulk insert            %9.0f docs/s  %6.1f MB on disk of %.1f; %.0f docs/s with the "
      "commit's sync\n",
      SMALL_DOCS / (appended - start), 1e-6 * (double) mt_store_disk_bytes (s, "small"),
      1e-6 * SMALL_DOCS * sizeof small, SMALL_DOCS / (t - start));
   for (int again = 0; again < 2; again++) {
      uint64_t sum = 0;
      start = now ();
      MUST (mt_store_source (s, "small", &src, &err));
      for (size_t i = 0; i < mt_source_blocks (src); i++) {
         MtReader r;
         mt_reader_init (&r, src, i, &err);
         for (const uint8_t *p = r.block.data, *end = p + r.block.size; p < end;) {
            uint32_t n;
            uint64_t v;
            MUST (mt_need (&r, p, 4));
            memcpy (&n, p, 4);
            MUST (mt_need (&r, p, n));
            memcpy (&v, p + 9, 8);
            sum += v;
            p += n;
         }
      }
      mt_source_free (src);
      t = now () - start;
      MUST (sum == (uint64_t) SMALL_DOCS * (SMALL_DOCS - 1) / 2);
      printf ("blocks  full scan              %9.0f MB/s    (%s)\n",
              1e-6 * SMALL_DOCS * sizeof small / t,
              again ? "again: pages verified before" : "first: every page verified");
   }
   mt_store_close (s);
}

static void store_spots (const bson_t *big)
{
   MtStore *s;
   MtSource *src;
   MUST (mt_store_open (in_folder ("store"), true, false, &s, &err) && mt_store_begin (s, &err));
   for (uint64_t i = 0; i < SPOTS; i++)
      MUST (mt_store_insert (s, "spots", bson_get_data (big), big->len, false, &err));
   MUST (mt_store_commit (s, &err));
   mt_store_close (s);
   uint64_t sum = 0;
   double start = now ();
   MUST (mt_store_open (in_folder ("store"), false, true, &s, &err));
   double opened = now ();
   MUST (mt_store_source (s, "spots", &src, &err));
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      MtReader r;
      mt_reader_init (&r, src, i, &err);
      const uint8_t *p = r.block.data + i * 100;
      MUST (mt_need (&r, p, 64));
      sum += *p;
   }
   printf (
      "blocks  271 spots of 500 MB    %9.3f ms      (the pages read are verified; %llx); opening "
      "the store %.3f ms\n",
      1e3 * (now () - opened), (unsigned long long) sum & 0xf, 1e3 * (opened - start));
   mt_source_free (src);
   mt_store_close (s);
}

static void store_events (unsigned per_commit, unsigned events)
{
   MtStore *s;
   uint8_t doc[12000] = {0};
   bson_t b = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&b, "_id", 0);
   bson_append_binary (&b, "c", 1, BSON_SUBTYPE_BINARY, doc, 11960);
   memcpy (doc, bson_get_data (&b), b.len);
   char name[20];
   snprintf (name, sizeof name, "inc%u", per_commit);
   MUST (mt_store_open (in_folder ("store"), true, false, &s, &err));
   double start = now ();
   for (unsigned i = 0; i < events;) {
      MUST (mt_store_begin (s, &err));
      for (unsigned k = 0; k < per_commit; k++, i++) {
         int64_t id = i * 2654435761u % COUNTER_DOCS;
         memcpy (doc + 9, &id, 8);
         MUST (mt_store_replace (s, name, doc, b.len, &err));
      }
      MUST (mt_store_commit (s, &err));
   }
   printf ("blocks  replace 12 kB, %4u a commit %4.0f events/s  (%.1f MB on disk)\n", per_commit,
           events / (now () - start), 1e-6 * (double) mt_store_disk_bytes (s, name));
   mt_store_close (s);
   bson_destroy (&b);
}

/* ---- kill -9: what was acknowledged is there ---- */

static void writer_lmdb (int out)
{
   MDB_env *env = lmdb_open ("kill.mdb", 0);
   MDB_dbi dbi;
   uint64_t zero = 0;
   for (;;) {
      MDB_txn *txn;
      MDB_val k = {8, &zero}, v;
      MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0 &&
            mdb_dbi_open (txn, NULL, MDB_INTEGERKEY, &dbi) == 0);
      uint64_t n = mdb_get (txn, dbi, &k, &v) == 0 ? *(uint64_t *) v.mv_data + 1 : 1;
      MUST (mdb_put (txn, dbi, &k, &(MDB_val) {8, &n}, 0) == 0 && mdb_txn_commit (txn) == 0);
      MUST (write (out, &n, 8) == 8);
   }
}

static uint64_t check_lmdb (void)
{
   MDB_env *env = lmdb_open ("kill.mdb", 0);
   MDB_txn *txn;
   MDB_dbi dbi;
   uint64_t zero = 0, n = 0;
   MDB_val v;
   MUST (mdb_txn_begin (env, NULL, 0, &txn) == 0 &&
         mdb_dbi_open (txn, NULL, MDB_INTEGERKEY | MDB_CREATE, &dbi) == 0);
   if (mdb_get (txn, dbi, &(MDB_val) {8, &zero}, &v) == 0)
      n = *(uint64_t *) v.mv_data;
   mdb_txn_abort (txn);
   mdb_env_close (env);
   return n;
}

static uint64_t check_deltas (void)
{
   int fd = open (in_folder ("kill.log"), O_RDWR | O_CREAT, 0666);
   Delta d;
   uint64_t n = 0;
   while (pread (fd, &d, sizeof d, (off_t) (n * sizeof d)) == sizeof d &&
          d.hash == XXH3_64bits (&d, offsetof (Delta, hash)) && d.seq == n)
      n++;
   MUST (ftruncate (fd, (off_t) (n * sizeof d)) == 0);
   close (fd);
   return n;
}

static void writer_deltas (int out)
{
   uint64_t n = check_deltas ();
   int fd = open (in_folder ("kill.log"), O_RDWR | O_APPEND, 0666);
   for (;;) {
      Delta d = delta_of (n++);
      MUST (write (fd, &d, sizeof d) == sizeof d && fdatasync (fd) == 0 && write (out, &n, 8) == 8);
   }
}

static uint64_t check_store (void)
{
   MtStore *s;
   MtSource *src;
   MtCollStats st;
   MUST (mt_store_open (in_folder ("kill"), true, false, &s, &err) &&
         mt_store_source (s, "a", &src, &err));
   mt_source_stats (src, &st);
   mt_source_free (src);
   mt_store_close (s);
   return st.documents;
}

static void writer_store (int out)
{
   MtStore *s;
   uint64_t n = check_store ();
   MUST (mt_store_open (in_folder ("kill"), true, false, &s, &err));
   for (;;) {
      number_small ((int64_t) n++);
      MUST (mt_store_begin (s, &err) &&
            mt_store_insert (s, "a", small, sizeof small, false, &err) &&
            mt_store_commit (s, &err));
      MUST (write (out, &n, 8) == 8);
   }
}

static void kill_writers (const char *what, void (*writer) (int), uint64_t (*check) (void))
{
   uint64_t total = 0;
   for (int i = 0; i < 20; i++) {
      int fds[2];
      MUST (pipe (fds) == 0);
      pid_t pid = fork ();
      if (pid == 0) {
         close (fds[0]);
         writer (fds[1]);
      }
      close (fds[1]);
      usleep (20000 + 7919 * (unsigned) i);
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
      uint64_t n = 0, acknowledged = total;
      while (read (fds[0], &n, 8) == 8)
         acknowledged = n;
      close (fds[0]);
      total = check ();
      MUST (total >= acknowledged && total <= acknowledged + 1);
   }
   printf ("%-7s 20 times kill -9         %9llu commits acknowledged, none lost\n", what,
           (unsigned long long) total);
}

int main (int argc, char **argv)
{
   if (argc != 2 || (mkdir (argv[1], 0777) != 0 && access (argv[1], W_OK) != 0)) {
      fprintf (stderr, "usage: store_spike FOLDER\n");
      return 2;
   }
   folder = argv[1];
   setvbuf (stdout, NULL, _IOLBF, 0);
   make_small ();
   uint8_t *bytes = malloc (SPOT_BYTES);
   for (size_t i = 0; i < SPOT_BYTES; i++)
      bytes[i] = (uint8_t) (i * 2654435761u >> 13);
   bson_t big = BSON_INITIALIZER;
   BSON_APPEND_INT64 (&big, "_id", 1);
   bson_append_binary (&big, "b", 1, BSON_SUBTYPE_BINARY, bytes, SPOT_BYTES - 40);
   lmdb_bulk ();
   store_bulk ();
   lmdb_spots (bytes);
   store_spots (&big);
   lmdb_events (1, 3000);
   lmdb_events (1000, 100000);
   delta_events (1, 3000);
   delta_events (1000, 1000000);
   store_events (1, 3000);
   store_events (1000, 100000);
   kill_writers ("lmdb", writer_lmdb, check_lmdb);
   kill_writers ("deltas", writer_deltas, check_deltas);
   kill_writers ("blocks", writer_store, check_store);
   bson_destroy (&big);
   free (bytes);
   return 0;
}
