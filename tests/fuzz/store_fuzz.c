/* libFuzzer: a store of any bytes opens, is read, checked, written and salvaged, or is refused with
 * a complete error.
 *
 * An input is a byte of flags, and then files: kind:1 id:1 length:2 bytes. So that mutations reach
 * what lies behind the checksums, these are mended first, unless a flag says no. `--seeds=FOLDER`
 * writes stores as such inputs, and ends. */
#include "engine/local/store/store_int.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { AS_IT_IS = 1, READ_ONLY = 2, SALVAGED = 4 };
enum { LOG, SEGMENT, RUN, MANIFEST, LOCK, KINDS };
enum { MOST_FILES = 16, LOG_START = 8192, RECORD_HEAD = 32, HEAD = 64 };
#define STORE_ID UINT64_C (0x0123456789abcdef)

typedef struct File {
   unsigned kind, id;
   uint8_t *p;
   size_t n;
} File;

static char folder[64], damaged[80], saved[80];

/* ---- files ---- */

static void empty (const char *path)
{
   DIR *d = opendir (path);
   char *file;
   for (struct dirent *e; d && (e = readdir (d));)
      if (e->d_name[0] != '.' && asprintf (&file, "%s/%s", path, e->d_name) > 0) {
         unlink (file);
         free (file);
      }
   if (d)
      closedir (d);
   rmdir (path);
}

static void clean_up (void)
{
   empty (damaged);
   empty (saved);
   rmdir (folder);
}

static void make_folder (void)
{
   const char *tmp = getenv ("TMPDIR");
   snprintf (folder, sizeof folder, "%.40s/fuzz-XXXXXX",
             tmp                              ? tmp
             : access ("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                              : "/tmp");
   if (!mkdtemp (folder))
      fuzz_fail ("can't make %s", folder);
   snprintf (damaged, sizeof damaged, "%s/store", folder);
   snprintf (saved, sizeof saved, "%s/saved", folder);
   atexit (clean_up);
}

static void put_file (const char *name, const void *head, size_t head_n, const void *p, size_t n)
{
   char path[160];
   snprintf (path, sizeof path, "%s/%s", damaged, name);
   FILE *f = fopen (path, "wb");
   if (!f || fwrite (head, 1, head_n, f) != head_n || fwrite (p, 1, n, f) != n || fclose (f) != 0)
      fuzz_fail ("can't write %s", path);
}

/* ---- checksums ---- */

/* What the log says of a block's or a run's hash becomes what it is now. */
static void replace_hash (File *log, uint64_t old, uint64_t now)
{
   for (uint8_t *p = log ? log->p : NULL;
        p && (p = memmem (p, (size_t) (log->p + log->n - p), &old, 8)); p += 8)
      mt_put64 (p, now);
}

static void mend_pages (uint8_t *head, uint8_t *data, size_t size, uint64_t hash_of_head, File *log)
{
   size_t pages = (size + MT_STORE_PAGE - 1) / MT_STORE_PAGE;
   for (size_t i = 0; i < pages; i++) {
      size_t at = i * MT_STORE_PAGE, n = size - at < MT_STORE_PAGE ? size - at : MT_STORE_PAGE;
      mt_put32 (head + HEAD + 4 * i, (uint32_t) XXH3_64bits (data + at, n));
   }
   uint64_t now = XXH3_64bits_withSeed (head + HEAD, 4 * pages, hash_of_head);
   if (now != mt_get64 (head + 56))
      replace_hash (log, mt_get64 (head + 56), now);
   mt_put64 (head + 56, now);
}

static void mend_segment (File *f, File *log)
{
   if (f->n < HEAD)
      return;
   memcpy (f->p, "mtsqlseg", 8);
   mt_put32 (f->p + 8, MT_STORE_VERSION);
   mt_put64 (f->p + 16, STORE_ID);
   mt_put64 (f->p + 24, f->id);
   mt_put64 (f->p + 56, XXH3_64bits (f->p, 56));
   for (uint8_t *p = f->p + HEAD; (p = memmem (p, (size_t) (f->p + f->n - p), "MTBK", 4)); p += 4) {
      size_t left = (size_t) (f->p + f->n - p);
      uint64_t size = left < HEAD ? 0 : mt_get32 (p + 24),
               data_at = left < HEAD ? 0 : mt_get32 (p + 32);
      if (data_at >= HEAD + 4 * ((size + MT_STORE_PAGE - 1) / MT_STORE_PAGE) &&
          data_at + size <= left)
         mend_pages (p, p + data_at, size, XXH3_64bits (p, 56), log);
   }
}

static void mend_run (File *f, File *log)
{
   if (f->n < HEAD)
      return;
   memcpy (f->p, "mtsqlkey", 8);
   mt_put32 (f->p + 8, 1);
   mt_put64 (f->p + 16, STORE_ID);
   mt_put64 (f->p + 24, f->id);
   uint64_t entries = mt_get64 (f->p + 48), bits = mt_get32 (f->p + 36);
   if (entries > f->n || bits > 24)
      return;
   size_t size = entries * 12 + ((UINT64_C (1) << bits) + 1) * 4,
          pages = (size + MT_STORE_PAGE - 1) / MT_STORE_PAGE;
   size_t body = (HEAD + 4 * pages + MT_STORE_PAGE - 1) / MT_STORE_PAGE * MT_STORE_PAGE;
   if (body + size <= f->n)
      mend_pages (f->p, f->p + body, size, XXH3_64bits (f->p, 56), log);
}

/* Makes a chain of the log's records, and the slots that belong to it. */
static void mend_log (File *log, uint8_t slots[LOG_START])
{
   uint64_t seq = 1, chain = 0;
   size_t at = 0;
   for (; log && log->n - at >= RECORD_HEAD; at += RECORD_HEAD + mt_get32 (log->p + at + 4)) {
      uint8_t *p = log->p + at;
      if (memcmp (p, "MREC", 4) != 0 || mt_get32 (p + 4) > log->n - at - RECORD_HEAD)
         break;
      seq = at ? seq + 1 : mt_get64 (p + 8);
      mt_put64 (p + 8, seq);
      mt_put64 (p + 16, chain);
      chain = XXH3_64bits_withSeed (p + RECORD_HEAD, mt_get32 (p + 4), XXH3_64bits (p, 24));
      mt_put64 (p + 24, chain);
   }
   memset (slots, 0, LOG_START);
   for (unsigned older = 0; older < 2; older++) {
      uint8_t *p = slots + ((seq - older) & 1) * 4096;
      memcpy (p, "mtsqlst\n", 8);
      mt_put32 (p + 8, MT_STORE_VERSION);
      mt_put64 (p + 16, STORE_ID);
      mt_put64 (p + 24, seq - older);
      mt_put64 (p + 32, LOG_START + (older ? 0 : at));
      mt_put64 (p + 40, older ? 0 : chain);
      mt_put64 (p + 56, XXH3_64bits (p, 56));
   }
}

/* ---- a store from an input ---- */

static size_t cut_files (uint8_t *p, size_t n, File *files)
{
   size_t count = 0;
   while (n >= 4 && count < MOST_FILES) {
      File *f = &files[count++];
      size_t length = p[2] | (size_t) p[3] << 8;
      *f = (File) {p[0] % KINDS, p[1], p + 4, length < n - 4 ? length : n - 4};
      p += 4 + f->n;
      n -= 4 + f->n;
   }
   return count;
}

static void write_store (uint8_t *p, size_t n, bool mend)
{
   File files[MOST_FILES], *log = NULL;
   uint8_t slots[LOG_START] = {0};
   char name[48];
   size_t count = cut_files (p, n, files);
   mkdir (damaged, 0777);
   for (size_t i = 0; i < count; i++)
      log = files[i].kind == LOG ? &files[i] : log;
   for (size_t i = 0; mend && i < count; i++)
      if (files[i].kind == SEGMENT)
         mend_segment (&files[i], log);
      else if (files[i].kind == RUN)
         mend_run (&files[i], log);
   mend_log (log, slots);
   put_file ("MANIFEST", slots, sizeof slots, log ? log->p : p, log ? log->n : 0);
   for (size_t i = 0; i < count; i++) {
      snprintf (name, sizeof name,
                files[i].kind == SEGMENT    ? "%016x.seg"
                : files[i].kind == RUN      ? "%016x.%08x.key"
                : files[i].kind == MANIFEST ? "MANIFEST"
                                            : "LOCK",
                files[i].id, 0);
      if (files[i].kind != LOG)
         put_file (name, "", 0, files[i].p, files[i].n);
   }
}

/* ---- what is done with it ---- */

static const char *const statements[] = {
   "SELECT count(*), min(k), max(name), sum(n) FROM r",
   "SELECT * FROM r ORDER BY k",
   "SELECT * FROM r WHERE k = 3",
   "SET layout = 'packed'; SELECT at, sum(n) FROM r GROUP BY at; RESET layout",
   "SELECT metric, sum(hits) FROM c GROUP BY metric",
   "CHECK TABLE r",
   "CHECK TABLE c",
   "SELECT * FROM plain",
   "INSERT INTO r VALUES (1000, '2024-01-02', 'new', 1)",
   "INSERT INTO c VALUES ('2024-01-01 00:01+00', 'a', 1)",
   "UPDATE r SET n = n + 1 WHERE k < 5",
   "DELETE FROM r WHERE k = 2",
   "REPAIR TABLE r",
   "VACUUM",
   "DROP TABLE r",
};

static void use (const char *target, bool read_only)
{
   MtError err;
   MtSession *s = fuzz_open (target, read_only, &err);
   if (!s)
      return;
   for (size_t i = 0; i < FUZZ_COUNT (statements); i++)
      fuzz_run (s, statements[i], strlen (statements[i]), &err);
   fuzz_close (s);
}

static void ignore_line (void *ctx, const char *text) {}

static void salvage (void)
{
   static MtSession *s;
   MtError err;
   bool whole;
   mt_error_clear (&err);
   if (!s)
      s = fuzz_store (NULL, 0);
   if (mt_salvage (s, damaged, saved, (MtReport) {ignore_line, NULL}, &whole, &err))
      use (saved, false);
   else
      fuzz_check_error (&err, -1);
   empty (saved);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   if (!*folder)
      make_folder ();
   if (size < 1)
      return 0;
   uint8_t *copy = (uint8_t *) fuzz_copy (data, size);
   write_store (copy + 1, size - 1, !(*copy & AS_IT_IS));
   if (*copy & SALVAGED)
      salvage ();
   else
      use (damaged, *copy & READ_ONLY);
   empty (damaged);
   free (copy);
   return 0;
}

/* ---- seeds ---- */

static const char *const scripts[] = {
   "CREATE TABLE plain (a integer, b text);"
   "INSERT INTO plain VALUES (1, 'x'), (2, NULL)",

   "CREATE TABLE r (k bigint DIMENSION NOT NULL, at timestamptz TIME NOT NULL, name text, n bigint "
   "MEASURE NOT NULL) USING rows;"
   "ALTER TABLE r ADD LAYOUT packed USING nested WITH (levels = 'at, k', presum = 'at');"
   "INSERT INTO r SELECT i, timestamptz '2024-01-01' + i * interval '1 s', 'name ' || i, i FROM "
   "generate_series(1, 20) i;"
   "DELETE FROM r WHERE k % 5 = 0;"
   "CREATE INDEX ON r (k);"
   "INSERT INTO r VALUES (99, '2024-01-01', 'x', 7)",

   "CREATE TABLE c (at timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT NULL, "
   "hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics;"
   "INSERT INTO c VALUES ('2024-01-01 00:01+00', 'a', 1), ('2024-01-01 00:02+00', 'b', 2);"
   "INSERT INTO c VALUES ('2024-01-01 00:01+00', 'a', 4)",

   "CREATE TABLE r (k bigint, at timestamptz, name text, n bigint);"
   "INSERT INTO r SELECT i, '2024-01-01', repeat('y', 900), i FROM generate_series(1, 12) i;"
   "VACUUM r;"
   "TRUNCATE r;"
   "INSERT INTO r VALUES (1)",
};

/* Each is a commit. */
static void each_statement (MtSession *s, const char *script)
{
   for (size_t left = strlen (script), end; left; script += end, left -= end) {
      MtScanState state;
      if (!mt_scan_statement (script, left, &end, &state))
         end = left;
      char *one = fuzz_text (script, end);
      fuzz_must (s, one);
      free (one);
   }
}

static void add_file (MtBuf *out, const char *name, bool as_it_is)
{
   static uint8_t p[UINT16_MAX];
   char path[400], *end;
   unsigned long id = strtoul (name, &end, 16);
   bool manifest = strcmp (name, "MANIFEST") == 0, segment = strcmp (end, ".seg") == 0;
   if (!manifest && !segment)
      return;
   snprintf (path, sizeof path, "%s/%s", damaged, name);
   FILE *f = fopen (path, "rb");
   if (!f || (manifest && !as_it_is && fseek (f, LOG_START, SEEK_SET) != 0))
      fuzz_fail ("can't read %s", path);
   size_t n = fread (p, 1, sizeof p, f);
   fclose (f);
   uint8_t head[4] = {segment    ? SEGMENT
                      : as_it_is ? MANIFEST
                                 : LOG,
                      segment ? (uint8_t) id : 0, (uint8_t) n, (uint8_t) (n >> 8)};
   mt_buf_add (out, head, sizeof head);
   mt_buf_add (out, p, n);
}

static void write_seed (const char *to, size_t number, uint8_t flags)
{
   MtBuf out = {0};
   char path[4096];
   mt_buf_addc (&out, (char) flags);
   DIR *d = opendir (damaged);
   for (struct dirent *e; d && (e = readdir (d));)
      add_file (&out, e->d_name, flags & AS_IT_IS);
   closedir (d);
   snprintf (path, sizeof path, "%s/store-%zu-%d", to, number, flags);
   FILE *f = fopen (path, "wb");
   if (!f || fwrite (out.p, 1, out.n, f) != out.n || fclose (f) != 0)
      fuzz_fail ("can't write %s", path);
   mt_buf_free (&out);
}

int LLVMFuzzerInitialize (int *argc, char ***argv)
{
   static const char option[] = "--seeds=";
   for (int i = 1; i < *argc; i++)
      if (strncmp ((*argv)[i], option, sizeof option - 1) == 0) {
         make_folder ();
         for (size_t n = 0; n < FUZZ_COUNT (scripts); n++) {
            MtError err;
            MtSession *s = fuzz_open (damaged, false, &err);
            if (!s)
               fuzz_fail ("%s", err.message);
            each_statement (s, scripts[n]);
            fuzz_close (s);
            for (uint8_t flags = 0; flags <= (AS_IT_IS | SALVAGED); flags++)
               write_seed ((*argv)[i] + sizeof option - 1, n, flags);
            empty (damaged);
         }
         exit (0);
      }
   return 0;
}
