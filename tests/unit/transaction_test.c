/* Transactions on a store that two sessions have open, as two processes would: what one sees of the
 * other. */
#include "include/mtsql.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Two {
   char path[64];
   MtSession *a, *b;
} Two;

static int open_two (void **state)
{
   Two *t = calloc (1, sizeof *t);
   MtError err;
   snprintf (t->path, sizeof t->path, "/tmp/mtsql-transaction-XXXXXX");
   assert_non_null (mkdtemp (t->path));
   assert_true (mt_open (&(MtOpenOptions) {.target = t->path}, &t->a, &err));
   assert_true (mt_open (&(MtOpenOptions) {.target = t->path}, &t->b, &err));
   *state = t;
   return 0;
}

static int close_two (void **state)
{
   Two *t = *state;
   char command[100];
   mt_close (t->a);
   mt_close (t->b);
   snprintf (command, sizeof command, "rm -rf %s", t->path);
   int rc = system (command);
   free (t);
   return rc;
}

/* The first column of all rows, with blanks between; the SQLSTATE where it fails. */
static const char *ask (MtSession *s, const char *sql)
{
   static char out[512];
   MtResult *r;
   MtError err = {0};
   bool more = true;
   out[0] = 0;
   if (!mt_query (s, sql, -1, &r, &err))
      return strcpy (out, err.sqlstate);
   while (more && mt_result_next (r, &more, &err) && more) {
      size_t n = strlen (out);
      snprintf (out + n, sizeof out - n, "%s%s", n ? " " : "", mt_result_text (r, 0, NULL));
   }
   mt_result_free (r);
   return mt_error_is_set (&err) ? strcpy (out, err.sqlstate) : out;
}

#define ASK(session, sql, expected) assert_string_equal (ask (session, sql), expected)

static void others_see_it_at_commit (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int, n int)", "");
   ASK (t->a, "INSERT INTO t VALUES (1, 1)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "INSERT INTO t VALUES (2, 2)", "");
   ASK (t->a, "UPDATE t SET n = n * 10", "");
   ASK (t->a, "CREATE TABLE u (x int)", "");
   ASK (t->a, "SELECT n FROM t ORDER BY k", "10 20");
   ASK (t->b, "SELECT n FROM t ORDER BY k", "1");
   ASK (t->b, "SELECT x FROM u", "42P01");
   ASK (t->b, "INSERT INTO t VALUES (3, 3)", "55P03"); /* one writer at a time */
   ASK (t->a, "COMMIT", "");
   ASK (t->b, "SELECT n FROM t ORDER BY k", "10 20");
   ASK (t->b, "SELECT x FROM u", "");
   ASK (t->b, "INSERT INTO t VALUES (3, 3)", "");
   ASK (t->a, "SELECT count(*) FROM t", "3");
}

static void for_update_takes_the_lock (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int)", "");
   ASK (t->a, "INSERT INTO t VALUES (1)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "SELECT k FROM t FOR UPDATE", "1");
   ASK (t->b, "INSERT INTO t VALUES (2)", "55P03");
   ASK (t->b, "SELECT k FROM t FOR UPDATE NOWAIT", "55P03");
   ASK (t->b, "SELECT k FROM t", "1");
   ASK (t->a, "UPDATE t SET k = k + 1", "");
   ASK (t->a, "COMMIT", "");
   ASK (t->b, "SELECT k FROM t FOR UPDATE NOWAIT", "2");
   ASK (t->a, "INSERT INTO t VALUES (3)", ""); /* outside of a block the lock ends at once */
}

static void the_lock_goes_with_what_was_written (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "SAVEPOINT s", "");
   ASK (t->b, "INSERT INTO t VALUES (1)", ""); /* nothing was written in a yet */
   ASK (t->a, "INSERT INTO t VALUES (2)", "");
   ASK (t->b, "INSERT INTO t VALUES (3)", "55P03");
   ASK (t->a, "ROLLBACK TO s", "");
   ASK (t->b, "INSERT INTO t VALUES (4)", "");
   ASK (t->a, "SELECT k FROM t ORDER BY 1", "1 4");
   ASK (t->a, "INSERT INTO t VALUES (5)", "");
   ASK (t->a, "SAVEPOINT r", "");
   ASK (t->a, "SELECT 1 / 0", "22012");
   ASK (t->b, "INSERT INTO t VALUES (6)", "55P03"); /* the savepoint may still be gone back to … */
   ASK (t->a, "ROLLBACK", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "INSERT INTO t VALUES (7)", "");
   ASK (t->a, "SELECT 1 / 0", "22012");
   ASK (t->b, "INSERT INTO t VALUES (8)", ""); /* … and where there is none, the error ends it */
   ASK (t->a, "COMMIT", "");
   ASK (t->a, "SELECT k FROM t ORDER BY 1", "1 4 8");
}

static void a_snapshot_stays (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int)", "");
   ASK (t->a, "CREATE TABLE u (k int)", "");
   ASK (t->a, "INSERT INTO t VALUES (1)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "SELECT k FROM t", "1");
   ASK (t->b, "INSERT INTO t VALUES (2)", "");
   ASK (t->a, "SELECT k FROM t ORDER BY 1", "1 2"); /* read committed */
   ASK (t->a, "COMMIT", "");
   ASK (t->a, "BEGIN ISOLATION LEVEL REPEATABLE READ", "");
   ASK (t->b, "INSERT INTO t VALUES (3)", "");
   ASK (t->a, "SELECT count(*) FROM t", "3"); /* the snapshot is that of the first query */
   ASK (t->b, "DELETE FROM t", "");
   ASK (t->b, "INSERT INTO u VALUES (4)", "");
   ASK (t->b, "CREATE TABLE v (k int)", "");
   ASK (t->a, "SELECT k FROM t ORDER BY 1", "1 2 3");
   ASK (t->a, "SELECT k FROM u", "");
   ASK (t->a, "SELECT k FROM v", "42P01");
   ASK (t->a, "ROLLBACK", "");
   ASK (t->a, "BEGIN ISOLATION LEVEL SERIALIZABLE", "");
   ASK (t->a, "SELECT count(*) FROM t", "0");
   ASK (t->b, "INSERT INTO t VALUES (5)", "");
   ASK (t->a, "INSERT INTO t SELECT count(*) FROM t", "40001");
   ASK (t->a, "SELECT 1", "25P02");
   ASK (t->a, "COMMIT", "");
   ASK (t->a, "SELECT k FROM t", "5");
}

static void what_is_open_at_the_end_is_undone (void **state)
{
   Two *t = *state;
   MtError err;
   ASK (t->a, "CREATE TABLE t (k int)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "INSERT INTO t VALUES (1)", "");
   ASK (t->a, "TRUNCATE t", "");
   ASK (t->a, "INSERT INTO t VALUES (2)", "");
   assert_int_equal (mt_transaction_state (t->a), MT_TRANSACTION_OPEN);
   mt_close (t->a);
   ASK (t->b, "SELECT count(*) FROM t", "0");
   ASK (t->b, "INSERT INTO t VALUES (3)", "");
   assert_true (mt_open (&(MtOpenOptions) {.target = t->path}, &t->a, &err));
   ASK (t->a, "SELECT k FROM t", "3");
}

/* An error that comes with the rows, and not with the statement, ends the block, too. */
static void an_error_among_rows_counts (void **state)
{
   Two *t = *state;
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "SELECT 1 / (1000 - i) FROM generate_series(1, 2000) AS g (i)", "22012");
   assert_int_equal (mt_transaction_state (t->a), MT_TRANSACTION_FAILED);
   ASK (t->a, "SELECT 1", "25P02");
   ASK (t->a, "ROLLBACK", "");
   assert_int_equal (mt_transaction_state (t->a), MT_TRANSACTION_NONE);
   ASK (t->a, "SELECT 1", "1");
}

static void many_statements (void **state)
{
   Two *t = *state;
   char sql[100];
   ASK (t->a, "CREATE TABLE t (k int, n int)", "");
   ASK (t->a, "BEGIN", "");
   for (int i = 0; i < 300; i++) {
      snprintf (sql, sizeof sql, "INSERT INTO t VALUES (%d, 0)", i);
      ASK (t->a, sql, "");
      snprintf (sql, sizeof sql, "UPDATE t SET n = n + 1 WHERE k = %d", i / 2);
      ASK (t->a, sql, "");
      if (i % 10 == 3)
         ASK (t->a, "SAVEPOINT s", "");
      if (i % 10 == 7)
         ASK (t->a, "ROLLBACK TO s", ""); /* 4 of 10 are undone */
   }
   ASK (t->a, "SELECT count(*) FROM t", "180");
   ASK (t->b, "SELECT count(*) FROM t", "0");
   ASK (t->a, "COMMIT", "");
   ASK (t->b, "SELECT count(*) FROM t", "180");
   ASK (t->b, "SELECT count(*) FROM t WHERE k % 10 IN (4, 5, 6, 7)", "0");
}

static void locks_are_waited_for (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "INSERT INTO t VALUES (1)", "");
   ASK (t->b, "SET lock_timeout = '20ms'", "");
   ASK (t->b, "INSERT INTO t VALUES (2)", "55P03");
   ASK (t->b, "SET lock_timeout = '1h'", "");
   ASK (t->b, "SET statement_timeout = '20ms'", "");
   ASK (t->b, "INSERT INTO t VALUES (2)", "57014"); /* cancelled while it waits */
   ASK (t->b, "RESET statement_timeout", "");
   ASK (t->a, "COMMIT", "");
   ASK (t->b, "INSERT INTO t VALUES (2)", "");
}

/* ---- who waited goes by what there is then ---- */

typedef struct Waiting {
   MtSession *session;
   const char *sql;
   char sqlstate[6];
} Waiting;

static void *run_waiting (void *p)
{
   Waiting *w = p;
   MtResult *r;
   MtError err = {0};
   if (mt_query (w->session, w->sql, -1, &r, &err))
      mt_result_free (r);
   memcpy (w->sqlstate, err.sqlstate, 5);
   return NULL;
}

/* b runs a statement while a's block, which did `held`, is open for a moment more. */
static const char *meanwhile (Two *t, const char *held, const char *sql)
{
   static Waiting w;
   pthread_t thread;
   w = (Waiting) {.session = t->b, .sql = sql};
   ASK (t->b, "SELECT 1", "1");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, held, "");
   assert_int_equal (pthread_create (&thread, NULL, run_waiting, &w), 0);
   usleep (50000);
   ASK (t->a, "COMMIT", "");
   pthread_join (thread, NULL);
   return w.sqlstate;
}

static void who_waited_reads_the_catalog_again (void **state)
{
   Two *t = *state;
   ASK (t->a, "CREATE TABLE t (k int PRIMARY KEY, n int)", "");
   ASK (t->b, "SET lock_timeout = '1h'", "");
   assert_string_equal (meanwhile (t, "ALTER TABLE t ADD COLUMN x int DEFAULT 1",
                                   "ALTER TABLE t ADD COLUMN y int DEFAULT 2"),
                        "");
   assert_string_equal (
      meanwhile (t, "ALTER TABLE t ADD COLUMN z int DEFAULT 3", "INSERT INTO t VALUES (1, 1)"), "");
   ASK (t->a, "SELECT x || ' ' || y || ' ' || z FROM t", "1 2 3");
   assert_string_equal (meanwhile (t, "ALTER TABLE t RENAME TO u",
                                   "INSERT INTO t VALUES (2, 2) ON CONFLICT DO NOTHING"),
                        "42P01");
   assert_string_equal (meanwhile (t, "CREATE TABLE v AS SELECT 1 AS one",
                                   "CREATE TABLE v AS SELECT 2 AS two"),
                        "42P07");
   ASK (t->b, "SELECT one FROM v", "1");
   assert_string_equal (meanwhile (t, "DROP TABLE v", "TRUNCATE v"), "42P01");
   assert_string_equal (meanwhile (t, "CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM u",
                                   "INSERT INTO u VALUES (3, 3)"),
                        "");
   assert_string_equal (meanwhile (t, "DROP MATERIALIZED VIEW m", "REFRESH MATERIALIZED VIEW m"),
                        "42P01");
   ASK (t->b, "SELECT count(*) FROM u", "2");
   ASK (t->b, "SELECT n FROM m", "42P01");
}

/* Bounds that the first commit saved ahead are what both go by: neither tells the other of what
 * lies within them. */
static void both_count (void **state)
{
   Two *t = *state;
   ASK (
      t->a,
      "CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, m text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics",
      "");
   ASK (t->a, "SET timezone = 'Asia/Tokyo'", "");
   ASK (t->a, "INSERT INTO t VALUES ('2020-01-01 10:00+00', 'a', 1)", "");
   ASK (t->b, "INSERT INTO t VALUES ('2020-01-01 16:00+00', 'a', 10)", "");
   ASK (t->a, "SELECT sum(n) FROM t GROUP BY date_trunc('day', ts) ORDER BY 1", "1 10");
   mt_close (t->a); /* saves what it counted */
   MtError err;
   assert_true (mt_open (&(MtOpenOptions) {.target = t->path}, &t->a, &err));
   ASK (t->a, "SET timezone = 'Asia/Tokyo'", "");
   ASK (t->a, "SELECT sum(n) FROM t GROUP BY date_trunc('day', ts) ORDER BY 1", "1 10");
}

/* What a session counted is saved at its end if that can be at once. */
static void an_end_waits_for_nobody (void **state)
{
   Two *t = *state;
   MtError err;
   ASK (
      t->a,
      "CREATE TABLE t (ts timestamptz TIME PERIOD '1 min' NOT NULL, m text DIMENSION NOT NULL, n bigint MEASURE COUNTER NOT NULL) USING daily_metrics",
      "");
   ASK (t->b, "SET lock_timeout = '1h'", "");
   ASK (t->b, "INSERT INTO t VALUES ('2020-01-01', 'a', 1)", "");
   ASK (t->b, "INSERT INTO t VALUES ('2020-01-01', 'a', 2)", "");
   ASK (t->a, "BEGIN", "");
   ASK (t->a, "INSERT INTO t VALUES ('2020-01-01', 'a', 4)", "");
   mt_close (t->b);
   ASK (t->a, "COMMIT", "");
   assert_true (mt_open (&(MtOpenOptions) {.target = t->path}, &t->b, &err));
   ASK (t->b, "SELECT sum(n) FROM t", "7");
}

/* As PQexec: the last result, and its end is the transaction's, also when nobody reads so far. */
static void a_text_is_one_transaction (void **state)
{
   Two *t = *state;
   MtResult *r;
   MtError err = {0};
   ASK (t->a,
        "CREATE TABLE t (k int); INSERT INTO t VALUES (1); SELECT k FROM t; SELECT k + 1 FROM t",
        "2");
   ASK (t->b, "SELECT k FROM t", "1");
   ASK (t->a, "INSERT INTO t VALUES (2); SELECT 1 / 0", "22012");
   ASK (t->a, "INSERT INTO t VALUES (2); SELECT 1 / (k - 2) FROM t WHERE k = 2", "22012");
   ASK (t->a, "INSERT INTO t VALUES (2); SELECT 1 / (k - 2) FROM t WHERE k = 2; SELECT 1", "22012");
   ASK (t->a, "INSERT INTO t VALUES (2); SELEC", "42601");
   assert_int_equal (mt_transaction_state (t->a), MT_TRANSACTION_NONE);
   ASK (t->b, "SELECT k FROM t", "1");
   assert_true (mt_query (t->a, "INSERT INTO t VALUES (3); SELECT k FROM t", -1, &r, &err));
   ASK (t->b, "SELECT k FROM t ORDER BY k", "1");
   mt_result_free (r);
   ASK (t->b, "SELECT k FROM t ORDER BY k", "1 3");
   assert_true (
      mt_query (t->a, "INSERT INTO t VALUES (4); SELECT 1 / (k - 4) FROM t", -1, &r, &err));
   mt_result_free (r); /* the rows that nobody read have the error */
   ASK (t->b, "SELECT k FROM t ORDER BY k", "1 3");
   assert_false (mt_query (t->a, "SELECT 1; SELECT nothing", -1, &r, &err));
   assert_int_equal (err.span.start, 17);
}

#define TEST(name) cmocka_unit_test_setup_teardown (name, open_two, close_two)

int main (void)
{
   const struct CMUnitTest tests[] = {
      TEST (others_see_it_at_commit),
      TEST (for_update_takes_the_lock),
      TEST (the_lock_goes_with_what_was_written),
      TEST (a_snapshot_stays),
      TEST (what_is_open_at_the_end_is_undone),
      TEST (an_error_among_rows_counts),
      TEST (many_statements),
      TEST (locks_are_waited_for),
      TEST (who_waited_reads_the_catalog_again),
      TEST (both_count),
      TEST (an_end_waits_for_nobody),
      TEST (a_text_is_one_transaction),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
