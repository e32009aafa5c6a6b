/* Prepared statements of the library, and results as Arrow's C data interface. */
#include "include/mtsql.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static MtSession *session;

static void run (const char *sql)
{
   MtResult *r;
   MtError err;
   bool more = true;
   if (!mt_query (session, sql, -1, &r, &err))
      fail_msg ("%s: %s", sql, err.message);
   while (more)
      assert_true (mt_result_next (r, &more, &err));
   mt_result_free (r);
}

static int open_session (void **state)
{
   MtError err;
   assert_true (mt_open (&(MtOpenOptions) {0}, &session, &err));
   run ("CREATE TABLE t (ts timestamptz TIME NOT NULL, k text DIMENSION, v bigint MEASURE, n "
        "numeric(9,2), b bytea, d date) USING rows WITH (partition_by = 'day')");
   run ("INSERT INTO t SELECT '2024-05-01+00'::timestamptz + i * interval '1 hour', 'k' || i % 3, "
        "i, i / 4.0, '\\x00', '2024-05-01' FROM generate_series(0, 99) i");
   return 0;
}

static int close_session (void **state)
{
   mt_close (session);
   return 0;
}

static MtPrepared *prepare (const char *sql)
{
   MtPrepared *p;
   MtError err;
   if (!mt_prepare (session, sql, -1, &p, &err))
      fail_msg ("%s: %s", sql, err.message);
   return p;
}

static MtVal text (const char *s) { return mt_v_str (s, strlen (s)); }

/* Adds the rows of a result to `out`: "a,b;c,d;". */
static void read_rows (MtResult *r, MtBuf *out)
{
   MtError err;
   bool more;
   while (mt_result_next (r, &more, &err) && more)
      for (size_t i = 0; i < mt_result_columns (r); i++) {
         const char *s = mt_result_text (r, i, NULL);
         mt_buf_printf (out, "%s%c", s ? s : "NULL", i + 1 < mt_result_columns (r) ? ',' : ';');
      }
   mt_result_free (r);
}

static void gives (MtPrepared *p, const MtVal *values, size_t count, const char *rows)
{
   MtResult *r;
   MtError err;
   MtBuf out = {0};
   if (!mt_execute (p, values, count, &r, &err))
      fail_msg ("%s", err.message);
   read_rows (r, &out);
   assert_string_equal (out.p ? out.p : "", rows);
   mt_buf_free (&out);
}

static void fails (MtPrepared *p, const MtVal *values, size_t count, const char *sqlstate)
{
   MtResult *r;
   MtError err;
   if (mt_execute (p, values, count, &r, &err))
      fail_msg ("no error %s", sqlstate);
   assert_string_equal (err.sqlstate, sqlstate);
}

/* ---- prepared statements ---- */

static void types_are_inferred (void **state)
{
   MtPrepared *p = prepare ("SELECT v + $1, k = $2, $3::numeric, $4::int[] FROM t WHERE ts >= $5 "
                            "AND d < $6 LIMIT $7 OFFSET $8");
   const MtTypeId types[] = {MT_T_INT8,        MT_T_TEXT, MT_T_NUMERIC, mt_type_array (MT_T_INT4),
                             MT_T_TIMESTAMPTZ, MT_T_DATE, MT_T_INT8,    MT_T_INT8};
   assert_int_equal (mt_prepared_parameters (p), 8);
   for (size_t i = 0; i < 8; i++)
      assert_int_equal (mt_prepared_type (p, i).id, types[i]);
   MtVal values[] = {mt_v_int32 (1),
                     text ("k0"),
                     text ("1.50"),
                     text ("{1,NULL}"),
                     mt_v_date (1714521600000),
                     text ("2024-05-02"),
                     mt_v_int64 (2),
                     mt_v_int64 (1)};
   gives (p, values, 8, "2,f,1.50,{1,NULL};3,f,1.50,{1,NULL};");
   values[0] = mt_v_null ();
   values[6] = mt_v_int64 (1);
   gives (p, values, 8, "NULL,f,1.50,{1,NULL};");
   mt_prepared_free (p);
}

static void values_are_like_literals (void **state)
{
   MtPrepared *p = prepare ("SELECT count(*), sum(n) FROM t WHERE ts >= $1 AND ts < $2 AND k = $3");
   MtVal values[] = {text ("2024-05-02 00:00+00"), text ("2024-05-03 00:00+00"), text ("k1")};
   gives (p, values, 3, "8,71.00;");
   values[2] = text ("it's none");
   gives (p, values, 3, "0,NULL;");
   mt_prepared_free (p);
}

/* The plan is made with the values: other partitions are not read. */
static void values_prune (void **state)
{
   MtBuf texts[2] = {0};
   const char *statements[] = {"EXPLAIN SELECT * FROM t WHERE ts = '2024-05-03'",
                               "EXPLAIN SELECT * FROM t WHERE ts = $1"};
   for (size_t i = 0; i < 2; i++) {
      MtResult *r;
      MtError err;
      MtPrepared *p = prepare (statements[i]);
      assert_int_equal (mt_prepared_parameters (p), i);
      assert_true (mt_execute (p, (MtVal[]) {text ("2024-05-03")}, i, &r, &err));
      read_rows (r, &texts[i]);
      mt_prepared_free (p);
   }
   assert_string_equal (texts[0].p, texts[1].p);
   assert_null (strstr (texts[0].p, "20240502"));
   mt_buf_free (&texts[0]);
   mt_buf_free (&texts[1]);
}

static void changes_have_parameters (void **state)
{
   MtPrepared *p = prepare ("INSERT INTO t (ts, k, v, b) VALUES ($1, $2, $3, $4) RETURNING v, b");
   MtVal values[] = {text ("2025-01-01+00"),
                     text ("new"),
                     mt_v_double (7),
                     {.type = MT_BINARY, .len = 2, .p = (const uint8_t *) "\1\2"}};
   gives (p, values, 4, "7,\\x0102;");
   mt_prepared_free (p);
   p = prepare ("UPDATE t SET v = v + $1 WHERE k = $2 RETURNING v");
   gives (p, (MtVal[]) {mt_v_int64 (3), text ("new")}, 2, "10;");
   mt_prepared_free (p);
   p = prepare ("DELETE FROM t WHERE k = $1 RETURNING v");
   gives (p, (MtVal[]) {text ("new")}, 1, "10;");
   gives (p, (MtVal[]) {text ("new")}, 1, "");
   mt_prepared_free (p);
}

/* The text is bound again for each run, so it sees changed tables. */
static void new_tables_and_cursors_have_parameters (void **state)
{
   MtVal one[] = {mt_v_int64 (97)}, two[] = {mt_v_int64 (98), text ("k2")};
   MtPrepared *create = prepare ("CREATE TEMPORARY TABLE late AS SELECT v, k FROM t WHERE v >= $1");
   MtPrepared *declare = prepare ("DECLARE c CURSOR WITH HOLD FOR SELECT v FROM t WHERE v < $1 AND "
                                  "k = $2 ORDER BY v DESC");
   assert_int_equal (mt_prepared_parameters (create), 1);
   assert_int_equal (mt_prepared_parameters (declare), 2);
   assert_int_equal (mt_prepared_type (declare, 0).id, MT_T_INT8);
   gives (create, one, 1, "");
   MtPrepared *rows = prepare ("SELECT v, k FROM late ORDER BY v"), *fetch = prepare ("FETCH 2 c");
   gives (rows, NULL, 0, "97,k1;98,k2;99,k0;");
   gives (declare, two, 2, "");
   gives (fetch, NULL, 0, "95;92;");
   gives (fetch, NULL, 0, "89;86;");
   fails (create, two, 2, MT_E_SYNTAX);
   MtPrepared *view = prepare ("CREATE MATERIALIZED VIEW m AS SELECT v FROM t WHERE v > $1");
   fails (view, NULL, 0, MT_E_UNDEFINED_PARAMETER);
   mt_prepared_free (view);
   run ("CLOSE c");
   run ("BEGIN");
   MtPrepared *short_lived = prepare ("DECLARE d CURSOR FOR SELECT $1 || k FROM late ORDER BY v"),
              *next = prepare ("FETCH ALL d");
   gives (short_lived, (MtVal[]) {text ("x")}, 1, "");
   gives (next, NULL, 0, "xk1;xk2;xk0;");
   run ("COMMIT");
   MtPrepared *all[] = {create, declare, rows, fetch, short_lived, next};
   for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      mt_prepared_free (all[i]);
   run ("DROP TABLE late");
}

static void tables_may_change (void **state)
{
   run ("CREATE TEMP TABLE c (ts timestamptz TIME, a int) USING rows");
   run ("INSERT INTO c VALUES ('2024-01-01', 1)");
   MtPrepared *p = prepare ("SELECT a FROM c WHERE a = $1");
   gives (p, (MtVal[]) {mt_v_int32 (1)}, 1, "1;");
   run ("ALTER TABLE c ADD COLUMN x text");
   gives (p, (MtVal[]) {mt_v_int32 (1)}, 1, "1;");
   run ("DROP TABLE c");
   fails (p, (MtVal[]) {mt_v_int32 (1)}, 1, "42P01");
   run ("CREATE TEMP TABLE c (ts timestamptz TIME, a int, b int) USING rows");
   gives (p, (MtVal[]) {mt_v_int32 (1)}, 1, "");
   mt_prepared_free (p);
}

static void wrong_statements_are_refused (void **state)
{
   static const struct {
      const char *sql, *sqlstate;
      int start;
   } rows[] = {{"SELECT $1; SELECT 2", "42601", 10},
               {"SELECT $1 || nothing", "42703", 13},
               {"SELECT $2 + 1", "42P18", -1},
               {"SELECT $0", "42P02", 7},
               {"CREATE TABLE x AS SELECT 1 +", "42601", 28},
               {"SELECT", NULL, 0},
               {"SELECT 1;  -- one", NULL, 0},
               {"", NULL, 0}};
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      MtPrepared *p = NULL;
      MtError err;
      bool ok = mt_prepare (session, rows[i].sql, -1, &p, &err);
      assert_int_equal (ok, rows[i].sqlstate == NULL);
      if (!ok) {
         assert_string_equal (err.sqlstate, rows[i].sqlstate);
         assert_int_equal (err.span.start, rows[i].start);
      }
      mt_prepared_free (p);
   }
   MtPrepared *p = prepare ("SHOW server_version_num");
   gives (p, NULL, 0, "150000;");
   mt_prepared_free (p);
}

static void wrong_values_are_refused (void **state)
{
   MtPrepared *p = prepare ("SELECT $1::int, $2::timestamptz, $3::text");
   MtVal good[] = {mt_v_int64 (1), mt_v_null (), text ("x")};
   gives (p, good, 3, "1,NULL,x;");
   fails (p, good, 2, "42601");
   fails (p, (MtVal[]) {text ("many"), good[1], good[2]}, 3, "22P02");
   fails (p, (MtVal[]) {mt_v_int64 (INT64_C (1) << 40), good[1], good[2]}, 3, "22003");
   fails (p, (MtVal[]) {mt_v_double (1.5), good[1], good[2]}, 3, "22003");
   fails (p, (MtVal[]) {mt_v_bool (true), good[1], good[2]}, 3, "42804");
   fails (p, (MtVal[]) {good[0], text ("2024-13-01"), good[2]}, 3, "22008");
   fails (p, (MtVal[]) {good[0], good[1], text ("\xff")}, 3, "22021");
   fails (p, (MtVal[]) {good[0], good[1], mt_v_str ("a\0b", 3)}, 3, "22021");
   gives (p, good, 3, "1,NULL,x;");
   mt_prepared_free (p);
}

/* An error within a transaction block leaves the block failed, as that of mt_query does. */
static void errors_fail_the_block (void **state)
{
   MtPrepared *p = prepare ("SELECT $1::int");
   run ("BEGIN");
   fails (p, (MtVal[]) {text ("x")}, 1, "22P02");
   assert_int_equal (mt_transaction_state (session), MT_TRANSACTION_FAILED);
   fails (p, (MtVal[]) {text ("1")}, 1, "25P02");
   run ("ROLLBACK");
   gives (p, (MtVal[]) {text ("1")}, 1, "1;");
   mt_prepared_free (p);
}

/* ---- Arrow ---- */

static struct ArrowArrayStream arrow (const char *sql)
{
   MtResult *r;
   MtError err;
   struct ArrowArrayStream stream;
   if (!mt_query (session, sql, -1, &r, &err))
      fail_msg ("%s", err.message);
   mt_result_arrow (r, &stream);
   return stream;
}

static void arrays_outlive_the_stream (void **state)
{
   struct ArrowArrayStream stream = arrow (
      "SELECT i::int8 AS a, CASE WHEN i % 2 = 0 THEN 't' || i END AS b, ARRAY[i] AS c FROM "
      "generate_series(1, 100000) i");
   struct ArrowSchema schema;
   struct ArrowArray first, second, end;
   assert_int_equal (stream.get_schema (&stream, &schema), 0);
   assert_string_equal (schema.format, "+s");
   assert_int_equal (schema.n_children, 3);
   assert_string_equal (schema.children[0]->format, "l");
   assert_string_equal (schema.children[1]->name, "b");
   assert_string_equal (schema.children[2]->children[0]->format, "i");
   assert_int_equal (stream.get_next (&stream, &first), 0);
   assert_int_equal (stream.get_next (&stream, &second), 0);
   assert_int_equal (stream.get_next (&stream, &end), 0);
   assert_null (end.release);
   stream.release (&stream);
   run ("SELECT 1");
   assert_int_equal (first.length, 65536);
   assert_int_equal (second.length, 100000 - 65536);
   const int64_t *a = second.children[0]->buffers[1];
   const int32_t *at = first.children[1]->buffers[1];
   assert_null (first.children[0]->buffers[0]);
   assert_int_equal (a[0], 65537);
   assert_int_equal (first.children[1]->null_count, 32768);
   assert_int_equal (*(const uint8_t *) first.children[1]->buffers[0], 0xAA);
   assert_memory_equal ((const char *) first.children[1]->buffers[2] + at[1], "t2", 2);
   /* a child that was moved away is not released twice */
   struct ArrowArray moved = *first.children[2];
   first.children[2]->release = NULL;
   first.release (&first);
   assert_int_equal (((const int32_t *) moved.children[0]->buffers[1])[9], 10);
   moved.release (&moved);
   second.release (&second);
   schema.release (&schema);
}

static void errors_end_the_stream (void **state)
{
   struct ArrowArrayStream stream = arrow ("SELECT 1 / (i - 3) FROM generate_series(1, 5) i");
   struct ArrowArray out = {0};
   assert_int_equal (stream.get_next (&stream, &out), EIO);
   assert_string_equal (stream.get_last_error (&stream), "22012: division by zero");
   assert_int_equal (stream.get_next (&stream, &out), EIO);
   stream.release (&stream);
   stream = arrow (
      "SELECT CASE i WHEN 2 THEN timestamp 'infinity' END FROM generate_series(1, 3) i");
   assert_int_equal (stream.get_next (&stream, &out), EIO);
   assert_memory_equal (stream.get_last_error (&stream), "22008: ", 7);
   stream.release (&stream);
   assert_null (stream.release);
   stream = arrow ("SELECT 1"); /* released before it was read */
   stream.release (&stream);
   run ("SELECT 1");
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (types_are_inferred),
      cmocka_unit_test (values_are_like_literals),
      cmocka_unit_test (values_prune),
      cmocka_unit_test (changes_have_parameters),
      cmocka_unit_test (new_tables_and_cursors_have_parameters),
      cmocka_unit_test (tables_may_change),
      cmocka_unit_test (wrong_statements_are_refused),
      cmocka_unit_test (wrong_values_are_refused),
      cmocka_unit_test (errors_fail_the_block),
      cmocka_unit_test (arrays_outlive_the_stream),
      cmocka_unit_test (errors_end_the_stream),
   };
   return cmocka_run_group_tests (tests, open_session, close_session);
}
