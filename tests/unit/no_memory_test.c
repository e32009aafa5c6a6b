/* Each allocation of varied statements fails once. The statement then ends with 53200 or is served
 * from the reserve; the session answers the next one, and the store holds what was committed and
 * nothing else. This program's malloc decides which request fails, in the libraries too.
 *
 * MTSQL_TEST_LONG=1: up to 250 places of each statement, instead of a few. */
#include "base/memory.h"
#include "include/mtsql.h"
#include "tests/unit/calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

#include "tests/unit/temp_folder.h"

#ifdef __has_feature /* clang's way to say __SANITIZE_ADDRESS__ */
#if __has_feature(address_sanitizer)
#define WITH_ASAN
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(WITH_ASAN)
#define REAL(name) __interceptor_##name
#define REAL_ALIGNED __interceptor_aligned_alloc
#else
#define REAL(name) __libc_##name
#define REAL_ALIGNED __libc_memalign
#endif

void *REAL (malloc) (size_t size);
void *REAL (calloc) (size_t count, size_t size);
void *REAL (realloc) (void *p, size_t size);
void *REAL_ALIGNED (size_t align, size_t size);
void *aligned_alloc (size_t align, size_t size);
int posix_memalign (void **out, size_t align, size_t size);

/* ---- which request fails ---- */

#define LARGE ((size_t) 1 << 20)

static atomic_bool armed, short_of; /* short_of: one has failed; large ones fail from then on */
static atomic_long seen, failing;

static bool fails (size_t size)
{
   if (!atomic_load_explicit (&armed, memory_order_relaxed))
      return false;
   bool now = atomic_fetch_add (&seen, 1) + 1 == atomic_load (&failing);
   if (now)
      atomic_store (&short_of, true);
   if (now || (size > LARGE && atomic_load (&short_of)))
      errno = ENOMEM;
   return now || (size > LARGE && atomic_load (&short_of));
}

void *malloc (size_t size) { return fails (size) ? NULL : REAL (malloc) (size); }
void *calloc (size_t count, size_t size)
{
   return fails (count * size) ? NULL : REAL (calloc) (count, size);
}
void *realloc (void *p, size_t size) { return fails (size) ? NULL : REAL (realloc) (p, size); }
void *aligned_alloc (size_t align, size_t size)
{
   return fails (size) ? NULL : REAL_ALIGNED (align, size);
}

int posix_memalign (void **out, size_t align, size_t size)
{
   void *p = aligned_alloc (align, size);
   *out = p ? p : *out;
   return p ? 0 : ENOMEM;
}

static void arm (long place)
{
   atomic_store (&seen, 0);
   atomic_store (&failing, place);
   atomic_store (&short_of, false);
   atomic_store (&armed, true);
}

/* ---- statements ---- */

/* `adds`: rows that calls has more when it succeeded; undo takes them away again. */
typedef struct Case {
   const char *sql, *before, *undo;
   int adds;
} Case;

static const char *const schema[] = {
   "CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' NOT NULL, code text DIMENSION NOT NULL, app text DIMENSION NOT NULL, hits bigint MEASURE NOT NULL, took double precision MEASURE NOT NULL) USING rows",
   "ALTER TABLE calls ADD LAYOUT by_time USING nested WITH (levels = 'ts, code, app', presum = 'ts, code')",
   "INSERT INTO calls SELECT timestamptz '2024-01-01 00:00+00' + n * interval '1 minute', 'c' || n % 7, 'app ' || n % 13, n, n / 3.0 FROM generate_series(1, 3000) n",
   "CREATE TABLE words (id integer PRIMARY KEY, word text, tags text[], doc jsonb)",
   "INSERT INTO words SELECT n, repeat('w', n % 40), ARRAY['a', 'b' || n], jsonb_build_object('n', n, 'l', jsonb_build_array(n, n + 1)) FROM generate_series(1, 200) n",
   "CREATE VIEW busy AS SELECT code, sum(hits) AS hits FROM calls GROUP BY code",
   "PREPARE by_code (text) AS SELECT count(*), sum(hits) FROM calls WHERE code = $1",
   "SET work_mem = '64kB'",
};

/* Stands for mt_check_alerts. */
static const char check_alerts[] = "--check-alerts";

static const Case cases[] = {
   {.sql = "SELECT 1 + 1"},
   {.sql = "SELECT * FROM calls WHERE hits < 40"},
   {.sql =
       "SELECT code, count(*), sum(hits), avg(took), min(app), max(ts) FROM calls GROUP BY code ORDER BY code"},
   {.sql = "SELECT app, ts, count(DISTINCT code) FROM calls GROUP BY app, ts"},
   {.sql = "SELECT * FROM calls ORDER BY took DESC, app"},
   {.sql =
       "SELECT app, string_agg(code, ',' ORDER BY hits), array_agg(hits) FROM calls WHERE hits < 500 GROUP BY app"},
   {.sql =
       "SELECT code, jsonb_agg(hits), jsonb_object_agg(hits, took) FROM calls WHERE hits < 60 GROUP BY code"},
   {.sql =
       "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took), mode() WITHIN GROUP (ORDER BY code) FROM calls WHERE hits < 900"},
   {.sql = "SELECT histogram(took, 0, 1000, 10), first(hits, ts), last(hits, ts) FROM calls"},
   {.sql = "SELECT a.hits, b.word FROM calls a JOIN words b ON a.hits = b.id WHERE a.hits < 300"},
   {.sql = "SELECT a.code, count(*) FROM calls a JOIN calls b USING (ts) GROUP BY a.code"},
   {.sql =
       "SELECT w.id, x.hits FROM words w, LATERAL (SELECT hits FROM calls WHERE hits > w.id ORDER BY hits LIMIT 2) x WHERE w.id < 5"},
   {.sql = "SELECT word FROM words WHERE id IN (SELECT hits FROM calls WHERE code = 'c3')"},
   {.sql =
       "SELECT hits, rank() OVER (PARTITION BY code ORDER BY took), sum(hits) OVER (PARTITION BY app ORDER BY ts ROWS 3 PRECEDING) FROM calls"},
   {.sql = "SELECT time_bucket('1 hour', ts) AS h, count(*) FROM calls GROUP BY h ORDER BY h"},
   {.sql =
       "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 300) SELECT sum(n) FROM t"},
   {.sql = "SELECT code FROM calls UNION SELECT word FROM words EXCEPT SELECT 'c1'"},
   {.sql =
       "SELECT doc ->> 'n', doc -> 'l' -> 0, jsonb_path_query_first(doc, '$.l[1]'), jsonb_set(doc, '{n}', '5') FROM words WHERE doc @> '{\"n\": 7}'"},
   {.sql =
       "SELECT regexp_replace(word, 'w+', 'x', 'g'), word ~ '^w{3,5}$', regexp_matches(word, '(w)(w)') FROM words WHERE id < 50"},
   {.sql =
       "SELECT lpad(word, 60, 'ab'), upper(word), replace(word, 'w', 'xyz'), format('%s-%10s', word, id), md5(word), encode(word::bytea, 'base64') FROM words"},
   {.sql =
       "SELECT unnest(tags), array_length(tags, 1), array_append(tags, 'z'), array_to_string(tags, '-') FROM words"},
   {.sql =
       "SELECT to_char(ts, 'YYYY-MM-DD HH24:MI'), ts AT TIME ZONE 'Europe/Berlin', date_trunc('month', ts), extract(dow FROM ts) FROM calls WHERE hits < 100"},
   {.sql = "SELECT * FROM busy ORDER BY hits"},
   {.sql =
       "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ORDER BY 1, 2"},
   {.sql = "EXPLAIN SELECT code, sum(hits) FROM calls WHERE ts < '2024-01-02' GROUP BY code"},
   {.sql = "EXPLAIN ANALYZE SELECT app, count(*) FROM calls GROUP BY app"},
   {.sql = "EXECUTE by_code('c2')"},
   {"FETCH 20 FROM c", "BEGIN; DECLARE c CURSOR FOR SELECT * FROM calls ORDER BY took", "ROLLBACK",
    0},
   {"INSERT INTO calls VALUES ('2025-01-01', 'new', 'app', 1, 2)", NULL,
    "DELETE FROM calls WHERE code = 'new'", 1},
   {"INSERT INTO calls SELECT ts + interval '1 year', 'new', app, hits, took FROM calls WHERE hits <= 300",
    NULL, "DELETE FROM calls WHERE code = 'new'", 300},
   {"COPY calls FROM STDIN WITH (FORMAT csv)", NULL, "DELETE FROM calls WHERE code = 'new'", 40},
   {.sql = "COPY calls TO STDOUT WITH (FORMAT csv, HEADER)"},
   {"INSERT INTO words VALUES (3, 'again', NULL, NULL) ON CONFLICT (id) DO UPDATE SET word = 'changed'",
    "BEGIN", "ROLLBACK", 0},
   {"UPDATE calls SET hits = hits + 1 WHERE code = 'c4'", "BEGIN", "ROLLBACK", 0},
   {"DELETE FROM calls WHERE hits < 100", "BEGIN", "ROLLBACK", -99},
   {"CREATE TABLE more (ts timestamptz TIME NOT NULL, k text DIMENSION, v bigint MEASURE) USING rows",
    NULL, "DROP TABLE IF EXISTS more", 0},
   {"CREATE TABLE more AS SELECT id, word FROM words", NULL, "DROP TABLE IF EXISTS more", 0},
   {"CREATE MATERIALIZED VIEW more AS SELECT id, word FROM words", NULL,
    "DROP MATERIALIZED VIEW IF EXISTS more", 0},
   {"CREATE MATERIALIZED VIEW more WITH (continuous) AS SELECT time_bucket('1 hour', ts) AS h, sum(hits) AS hits FROM calls GROUP BY h",
    NULL, "DROP MATERIALIZED VIEW IF EXISTS more", 0},
   {"CALL refresh_continuous_aggregate('more', NULL, NULL, force => true)",
    "CREATE MATERIALIZED VIEW IF NOT EXISTS more WITH (continuous) AS SELECT time_bucket('1 hour', ts) AS h, sum(hits) AS hits FROM calls GROUP BY h",
    NULL, 0},
   {"INSERT INTO calls VALUES ('2024-01-01 00:30+00', 'new', 'app', 1, 2)", NULL,
    "DELETE FROM calls WHERE code = 'new'", 1},
   {"SELECT * FROM more",
    "BEGIN; INSERT INTO calls VALUES ('2024-01-01 00:30+00', 'new', 'app', 1, 2)", "ROLLBACK", 0},
   {"DROP MATERIALIZED VIEW more", "BEGIN", "ROLLBACK", 0},
   {.sql = "DROP MATERIALIZED VIEW IF EXISTS more"},
   {"ALTER TABLE calls ADD LAYOUT more USING nested WITH (levels = 'code, ts, app', presum = 'code')",
    "BEGIN", "ROLLBACK", 0},
   {"ALTER TABLE words ADD COLUMN more integer DEFAULT 4", "BEGIN", "ROLLBACK", 0},
   {"DROP TABLE words", "BEGIN", "ROLLBACK", 0},
   {"CREATE INDEX more ON words (word)", NULL, "DROP INDEX IF EXISTS more", 0},
   {"CREATE FUNCTION more(x integer) RETURNS integer LANGUAGE sql AS 'SELECT x + 1'", NULL,
    "DROP FUNCTION IF EXISTS more", 0},
   {"CREATE ALERT more AS SELECT code, sum(hits) FROM calls GROUP BY code FOR '1 s' NOTIFY 'a \"b\"'",
    NULL, "DROP ALERT IF EXISTS more", 0},
   {"ALTER ALERT more RENAME TO less", "CREATE OR REPLACE ALERT more AS SELECT 1 AS one",
    "DROP ALERT IF EXISTS more, less", 0},
   {check_alerts,
    "CREATE OR REPLACE ALERT more AS SELECT code, sum(hits) FROM calls GROUP BY code HAVING sum(hits) > 0 NOTIFY 'a'",
    NULL, 0},
   {check_alerts,
    "CREATE OR REPLACE ALERT more AS SELECT avg(hits) FROM calls WHERE hits < 0 HAVING avg(hits) > 0",
    NULL, 0},
   {.sql = "SELECT * FROM pg_alerts"},
   {.sql = "CHECK TABLE calls"},
   {.sql = "ANALYZE calls"},
   {.sql = "VACUUM words"},
   {"ROLLBACK", "BEGIN; INSERT INTO calls VALUES ('2025-01-01', 'new', 'app', 1, 2)", "ROLLBACK",
    0},
   {"COMMIT", "BEGIN; INSERT INTO calls VALUES ('2025-01-01', 'new', 'app', 1, 2)",
    "ROLLBACK; DELETE FROM calls WHERE code = 'new'", 1},
};

/* ---- running them ---- */

static int faults;

#define wrong(...) \
   do { \
      print_error (__VA_ARGS__); \
      print_error ("\n"); \
      faults++; \
   } while (0)

static long stdin_line;

static long feed (void *ctx, char *buf, size_t n)
{
   (void) ctx;
   if (stdin_line >= 40)
      return 0;
   long line = stdin_line++;
   return snprintf (buf, n, "2025-02-01 00:%02ld:00+00,new,app,%ld,1.5\n", line, line + 1);
}

static bool drop_out (void *ctx, const char *buf, size_t n) { return true; }

static bool take_notice (void *ctx, const MtAlertNotice *n, MtError *e) { return true; }
static void keep_error (void *ctx, const char *alert, const MtError *e) { *(MtError *) ctx = *e; }

static bool run_alerts (MtSession *s, MtError *e)
{
   MtError own = {0};
   MtAlertOutcome out;
   MtAlertCheck check = {.notify = take_notice, .failed = keep_error, .ctx = &own};
   if (!mt_check_alerts (s, &check, &out, e))
      return false;
   if (out.failed)
      *e = own;
   return !out.failed;
}

/* "": it succeeded; else the SQLSTATE. */
static const char *run_one (MtSession *s, const char *sql, long len, char *cell, size_t cell_size)
{
   static char state[6];
   MtResult *r;
   MtError e = {0};
   bool more = true, checks = sql == check_alerts,
        ok = checks ? run_alerts (s, &e) : mt_query (s, sql, len, &r, &e);
   if (ok && !checks) {
      while ((ok = mt_result_next (r, &more, &e)) && more)
         if (cell && mt_result_columns (r) && mt_result_text (r, 0, NULL))
            snprintf (cell, cell_size, "%s", mt_result_text (r, 0, NULL));
      ok = ok && mt_result_verdict (r, &e);
      mt_result_free (r);
   }
   memcpy (state, e.sqlstate, sizeof state);
   if (!ok && strcmp (state, MT_E_OUT_OF_MEMORY) != 0)
      fprintf (stderr, "%.*s: %s: %s\n", len < 0 ? 200 : (int) len, sql, e.sqlstate, e.message);
   return ok ? "" : state;
}

/* Several statements, of which each must succeed. */
static void run_all (MtSession *s, const char *sql)
{
   while (sql && *sql) {
      size_t n = strcspn (sql, ";");
      assert_string_equal (run_one (s, sql, (long) n, NULL, 0), "");
      sql += n + strspn (sql + n, "; ");
   }
}

static long count_calls (MtSession *s)
{
   char cell[64] = "";
   assert_string_equal (run_one (s, "SELECT count(*) FROM calls", -1, cell, sizeof cell), "");
   return atol (cell);
}

/* One statement whose allocation number `place` fails. *over: it made fewer. */
static bool inject (MtSession *s, const Case *c, long place, bool *over)
{
   run_all (s, c->before);
   bool block = mt_transaction_state (s) != MT_TRANSACTION_NONE &&
                strncmp (c->sql, "COMMIT", 6) != 0;
   stdin_line = 0;
   arm (place);
   const char *state = run_one (s, c->sql, -1, NULL, 0);
   atomic_store (&armed, false);
   *over = atomic_load (&seen) < place;
   bool ok = !*state;
   if (!ok && strcmp (state, MT_E_OUT_OF_MEMORY) != 0)
      wrong ("%s: allocation %ld: %s", c->sql, place, state);
   if (*over && !ok)
      wrong ("%s: nothing failed, and yet it ended with %s", c->sql, state);
   if (!block) {
      long now = count_calls (s);
      if (now != 3000 + (ok ? c->adds : 0))
         wrong ("%s: allocation %ld: %ld rows after it %s", c->sql, place, now,
                ok ? "succeeded" : "failed");
   }
   if (c->undo && (ok || block || mt_transaction_state (s) != MT_TRANSACTION_NONE))
      run_all (s, c->undo);
   return ok;
}

static MtSession *open_store (void)
{
   MtSession *s;
   MtOpenOptions o = {.target = folder, .read_stdin = feed, .write_stdout = drop_out};
   assert_true (mt_open (&o, &s, &err));
   for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
      run_all (s, schema[i]);
   return s;
}

static void each_allocation (void **state)
{
   const char *wanted = getenv ("MTSQL_TEST_LONG");
   long most = wanted && *wanted == '1' ? 250 : 8, injected = 0, ended = 0;
   (void) state;
   mt_memory_serve_driver ();
   MtSession *s = open_store ();
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      bool over;
      inject (s, &cases[i], LONG_MAX, &over); /* how many there are */
      long all = atomic_load (&seen), step = all / most + 1;
      for (long place = 1 + (long) i % step; place <= all; place += step, injected++)
         ended += !inject (s, &cases[i], place, &over);
      run_all (s, "CHECK TABLE calls; CHECK TABLE words");
   }
   mt_close (s);
   print_message ("%ld injected, %ld statements ended\n", injected, ended);
   assert_int_equal (faults, 0);
   assert_true (ended > injected / 2);
}

/* A store opens, or says why not, whatever fails. */
static void each_allocation_of_opening (void **state)
{
   MtOpenOptions o = {.target = folder};
   MtSession *s;
   long place = 1;
   (void) state;
   mt_close (open_store ());
   for (bool over = false; !over; place += 1 + place / 16) {
      arm (place);
      bool ok = mt_open (&o, &s, &err);
      atomic_store (&armed, false);
      over = atomic_load (&seen) < place;
      if (!ok)
         assert_string_equal (err.sqlstate, MT_E_OUT_OF_MEMORY);
      else
         mt_close (s);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (each_allocation, setup, teardown),
      cmocka_unit_test_setup_teardown (each_allocation_of_opening, setup, teardown),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
