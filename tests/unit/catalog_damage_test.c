/* A bit of a catalog is turned over, in a file and in a store, as it is and as older versions left
 * it: it opens with an error that says so, or its tables are what they were. MTSQL_TEST_LONG=1:
 * every bit. */
#include "include/mtsql.h"
#include "tests/unit/calls.h"

#include "tests/unit/temp_folder.h"

#include <dirent.h>
#include <fcntl.h>

typedef struct Bytes {
   uint8_t *p;
   size_t n;
} Bytes;

/* Owned by the caller. */
static char *in_folder (const char *name)
{
   char *path;
   assert_true (asprintf (&path, "%s/%s", folder, name) > 0);
   return path;
}

static Bytes read_bytes (const char *path)
{
   struct stat st;
   Bytes b;
   int fd = open (path, O_RDONLY);
   assert_true (fd >= 0 && fstat (fd, &st) == 0);
   b.n = (size_t) st.st_size;
   b.p = malloc (b.n + 1);
   assert_int_equal (read (fd, b.p, b.n), b.n);
   close (fd);
   return b;
}

static void write_bytes (const char *path, const uint8_t *p, size_t n)
{
   int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
   assert_true (fd >= 0);
   assert_int_equal (write (fd, p, n), n);
   close (fd);
}

static size_t step_of (size_t usual)
{
   const char *wanted = getenv ("MTSQL_TEST_LONG");
   return wanted && *wanted == '1' ? 1 : usual;
}

/* All cells of the answer; NULL: an error, which is in err. */
static char *answer (MtSession *s, const char *sql)
{
   MtScript script = {.sql = sql, .len = strlen (sql)};
   MtResult *r;
   MtBuf out = {0};
   bool more = true, ok;
   while ((ok = mt_script_next (s, &script, &r, &err)) && r) {
      while ((ok = mt_result_next (r, &more, &err)) && more)
         for (size_t i = 0; i < mt_result_columns (r); i++) {
            const char *text = mt_result_text (r, i, NULL);
            mt_buf_printf (&out, "%s|", text ? text : "NULL");
         }
      ok = ok && mt_result_verdict (r, &err);
      mt_result_free (r);
      if (!ok)
         break;
   }
   mt_script_close (s);
   if (ok)
      return out.p ? out.p : strdup ("");
   mt_buf_free (&out);
   return NULL;
}

static char *answer_of (const char *target, const char *catalog, bool read_only, const char *sql)
{
   MtSession *s;
   MtOpenOptions o = {.target = target, .catalog = catalog, .read_only = read_only};
   mt_error_clear (&err);
   if (!mt_open (&o, &s, &err))
      return NULL;
   char *out = answer (s, sql);
   mt_close (s);
   return out;
}

/* Damage says so, and nothing else is wrong. */
static void right_or_refused (const char *what, size_t at, char *now, const char *before)
{
   if (now && strcmp (now, before) != 0)
      fail_msg ("%s: bit %zu: %s instead of %s", what, at, now, before);
   if (!now && strcmp (err.sqlstate, MT_E_CORRUPT) != 0 && strcmp (err.sqlstate, MT_E_FEATURE) != 0)
      fail_msg ("%s: bit %zu: %s %s", what, at, err.sqlstate, err.message);
   free (now);
}

/* ---- --catalog FILE ---- */

static const char file_sql[] =
   "SELECT count(*), sum(n), min(k) FROM r; SELECT f(2); SELECT * FROM v";

static void damage_file (const char *what, const char *dump, const char *path, Bytes whole,
                         const char *before, bool refused)
{
   size_t lost = 0, step = step_of (3);
   for (size_t bit = 0; bit < whole.n * 8; bit += step) {
      whole.p[bit / 8] ^= (uint8_t) (1u << bit % 8);
      write_bytes (path, whole.p, whole.n);
      char *now = answer_of (dump, path, true, file_sql);
      lost += !now;
      if (refused)
         right_or_refused (what, bit, now, before);
      else
         free (now);
      whole.p[bit / 8] ^= (uint8_t) (1u << bit % 8);
   }
   assert_true (lost > 0);
   for (size_t n = 1; refused && n < whole.n; n += 5) { /* a part of the file */
      write_bytes (path, whole.p, n);
      right_or_refused (what, n, answer_of (dump, path, true, file_sql), before);
   }
}

static void a_file (void **state)
{
   static const char documents[] =
      "{\"_id\": 1, \"k\": \"a\", \"n\": 5}\n{\"_id\": 2, \"k\": \"b\", \"n\": 7}\n";
   char *dump = in_folder ("c.jsonl"), *path = in_folder ("catalog");
   write_bytes (dump, (const uint8_t *) documents, sizeof documents - 1);
   char *made = answer_of (
      dump, path, true,
      "CREATE TABLE r (k text DIMENSION, n bigint MEASURE) USING rows WITH (collection "
      "= 'c'); CREATE VIEW v AS SELECT sum(n) FROM r; "
      "CREATE FUNCTION f(x integer) RETURNS integer LANGUAGE sql AS 'SELECT x * 21'");
   if (!made)
      fail_msg ("%s", err.message);
   free (made);
   char *before = answer_of (dump, path, true, file_sql);
   assert_string_equal (before, "2|12|a|42|12|");
   Bytes whole = read_bytes (path), older = whole;
   damage_file ("the file", dump, path, whole, before, true);
   uint8_t *second = (uint8_t *) memchr (whole.p, '\n', whole.n) + 1;
   older = (Bytes) {second, whole.n - (size_t) (second - whole.p)};
   write_bytes (path, older.p, older.n);
   char *read = answer_of (dump, path, true, file_sql);
   assert_string_equal (read, before); /* without the checksum, as older versions wrote it */
   damage_file ("the file without a checksum", dump, path, older, before, false);
   free (read);
   free (before);
   free (whole.p);
   free (dump);
   free (path);
}

/* ---- the catalog's collection in a store ---- */

static const char store_sql[] =
   "SELECT count(*), sum(n), min(k) FROM r; SELECT f(2); SELECT * FROM v; CHECK TABLE r";

static void ignore_line (void *ctx, const char *text) { (void) ctx, (void) text; }

static void empty_folder (const char *path)
{
   DIR *d = opendir (path);
   for (struct dirent *e; d && (e = readdir (d));) {
      char file[600];
      snprintf (file, sizeof file, "%s/%s", path, e->d_name);
      unlink (file);
   }
   if (d)
      closedir (d);
   rmdir (path);
}

/* What is saved is right, or misses what the report says. */
static void salvage (const char *what, size_t bit, const char *store, const char *before)
{
   MtSession *s;
   bool whole;
   char *new_store = in_folder ("saved");
   assert_true (mt_open (&(MtOpenOptions) {0}, &s, &err));
   if (mt_salvage (s, store, new_store, (MtReport) {ignore_line, NULL}, &whole, &err)) {
      char *now = answer_of (new_store, NULL, true, store_sql);
      if (whole && (!now || strcmp (now, before) != 0))
         fail_msg ("%s: bit %zu: saved as whole, but %s instead of %s", what, bit,
                   now ? now : err.message, before);
      free (now);
   } else if (strcmp (err.sqlstate, MT_E_CORRUPT) != 0) {
      fail_msg ("%s: bit %zu: salvage: %s %s", what, bit, err.sqlstate, err.message);
   }
   mt_close (s);
   empty_folder (new_store);
   free (new_store);
}

static void damage_store (const char *store, const char *name, const char *before)
{
   char path[600];
   snprintf (path, sizeof path, "%s/%s", store, name);
   Bytes whole = read_bytes (path);
   size_t step = step_of (37), tried = 0;
   for (size_t bit = 0; bit < whole.n * 8; bit += step) {
      if (step > 1 && whole.p[bit / 8] == 0 && bit % 5)
         continue;
      whole.p[bit / 8] ^= (uint8_t) (1u << bit % 8);
      write_bytes (path, whole.p, whole.n);
      right_or_refused (name, bit, answer_of (store, NULL, true, store_sql), before);
      if (tried++ % 4 == 0)
         salvage (name, bit, store, before);
      whole.p[bit / 8] ^= (uint8_t) (1u << bit % 8);
   }
   write_bytes (path, whole.p, whole.n);
   free (whole.p);
}

static bool has_catalog (const char *path)
{
   Bytes b = read_bytes (path);
   bool has = memmem (b.p, b.n, "dimension", 9) != NULL;
   free (b.p);
   return has;
}

static void a_store (void **state)
{
   char *store = in_folder ("store"), path[600];
   char *made = answer_of (
      store, NULL, false,
      "CREATE TABLE r (k text DIMENSION, n bigint MEASURE) USING rows; INSERT INTO r "
      "VALUES ('a', 5), ('b', 7); CREATE VIEW v AS SELECT sum(n) FROM r; "
      "CREATE FUNCTION f(x integer) RETURNS integer LANGUAGE sql AS 'SELECT x * 21'");
   if (!made)
      fail_msg ("%s", err.message);
   free (made);
   free (answer_of (
      store, NULL, false,
      "ALTER TABLE r RENAME TO s; ALTER TABLE s RENAME TO r")); /* generations of a document */
   char *before = answer_of (store, NULL, true, store_sql);
   assert_non_null (before);
   damage_store (store, "MANIFEST", before);
   size_t segments = 0;
   DIR *d = opendir (store);
   for (struct dirent *e; (e = readdir (d));) {
      snprintf (path, sizeof path, "%s/%s", store, e->d_name);
      if (strstr (e->d_name, ".seg") && has_catalog (path)) {
         damage_store (store, e->d_name, before);
         segments++;
      }
   }
   closedir (d);
   assert_int_equal (segments, 0); /* so few documents are in the log */
   free (before);
   free (store);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (a_file, setup, teardown),
      cmocka_unit_test_setup_teardown (a_store, setup, teardown),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
