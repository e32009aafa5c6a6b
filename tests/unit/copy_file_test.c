/* COPY of a file, which a thread reads ahead, is told the same as COPY of the same text from STDIN,
 * which none does. */
#include "tests/unit/temp_folder.h"

#include "include/mtsql.h"

static MtSession *session;
static MtBuf text, said; /* what is copied; what the session said */
static size_t at;
static bool cancels;

static long read_text (void *ctx, char *buf, size_t n)
{
   size_t k = text.n - at < n ? text.n - at : n;
   memcpy (buf, text.p + at, k);
   at += k;
   return (long) k;
}

static void note (void *ctx, const char *severity, const char *message, const char *hint)
{
   mt_buf_printf (&said, "%s: %s (%s)\n", severity, message, hint ? hint : "");
}

static void progress (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows)
{
   if (cancels && strcmp (what, "COPY") == 0)
      mt_cancel (session);
}

static void run (const char *sql)
{
   MtResult *r = NULL;
   MtError e = {0};
   bool more = true;
   bool ok = mt_query (session, sql, -1, &r, &e);
   while (ok && (ok = mt_result_next (r, &more, &e)) && more)
      for (size_t i = 0; i < mt_result_columns (r); i++)
         mt_buf_printf (&said, "%s ", mt_result_text (r, i, NULL));
   if (ok)
      mt_buf_printf (&said, "%s\n", mt_result_tag (r));
   else
      mt_buf_printf (&said, "%s %s\n%s\n%s\n%s\n", e.sqlstate, e.message, e.detail, e.hint,
                     e.context);
   mt_result_free (r);
}

static const char *copied (const char *from, const char *with)
{
   char sql[4096];
   static char out[1 << 16];
   mt_buf_clear (&said);
   at = 0;
   run ("CREATE TABLE t (i integer NOT NULL, s text, ts timestamptz TIME NOT NULL) USING rows");
   run ("ALTER TABLE t ADD LAYOUT packed USING nested WITH (levels = 'ts, s')");
   mt_buf_clear (&said);
   snprintf (sql, sizeof sql, "COPY t FROM %s %s", from, with);
   run (sql);
   run ("SELECT count(*), sum(i), sum(length(s)) FROM t");
   run ("CHECK TABLE t");
   snprintf (out, sizeof out, "%s", said.p);
   run ("DROP TABLE t");
   return out;
}

static void open_session (void)
{
   MtOpenOptions o = {.read_stdin = read_text, .notice = note, .progress = progress};
   OK (mt_open (&o, &session, &err));
}

/* In a file and from STDIN; what both say has `part` in it. */
static void alike (const char *with, const char *part)
{
   char path[4096], quoted[4200];
   snprintf (path, sizeof path, "%s/rows", folder);
   snprintf (quoted, sizeof quoted, "'%s'", path);
   FILE *f = fopen (path, "w");
   assert_non_null (f);
   assert_true (text.n > 1 << 17);
   assert_int_equal (fwrite (text.p, 1, text.n, f), text.n);
   fclose (f);
   open_session ();
   char *here = strdup (copied ("STDIN", with));
   const char *file = copied (quoted, with);
   if (strcmp (here, file))
      fail_msg ("from STDIN:\n%.4000s\nfrom a file:\n%.4000s", here, file);
   if (!strstr (here, part))
      fail_msg ("\"%s\" isn't said:\n%.4000s", part, here);
   free (here);
   mt_close (session);
   mt_buf_free (&said);
}

/* bad: the line of that number, from 1, and each `every` behind it, are `fault`. */
static void csv (unsigned lines, unsigned bad, unsigned every, const char *fault)
{
   mt_buf_clear (&text);
   for (unsigned i = 1; i <= lines; i++)
      if (i == bad || (every && i > bad && (i - bad) % every == 0))
         mt_buf_printf (&text, "%s\n", fault);
      else
         mt_buf_printf (&text,
                        i % 5 ? "%u,word,2020-01-01 10:%02u:00+00\n"
                              : "%u,\"a \"\"quoted\"\" word\",2020-01-01 10:%02u:00+00\n",
                        i, i % 60);
}

static void rows_of_a_file (void **state)
{
   csv (10000, 0, 0, "");
   alike ("(FORMAT csv)", "COPY 10000");
   alike ("(FORMAT csv) WHERE i % 2 = 0", "COPY 5000");
}

static void faults_of_a_file (void **state)
{
   csv (10000, 7000, 0, "seven,a,2020-01-01 10:00:00+00");
   alike ("(FORMAT csv)", "COPY t, line 7000, column i: \"seven\"");
   csv (10000, 10000, 0, "1,a");
   alike ("(FORMAT csv)", "COPY t, line 10000: \"1,a\"");
   csv (10000, 9000, 0, ",a,2020-01-01 10:00:00+00");
   alike ("(FORMAT csv)", "COPY t, line 9000: \",a,2020-01-01 10:00:00+00\"");
   csv (10000, 300, 700, "1,a,soon");
   alike ("(FORMAT csv, ON_ERROR ignore)", "14 rows were skipped");
   alike ("(FORMAT csv, ON_ERROR ignore, LOG_VERBOSITY verbose)",
          "at line 9400 for column \"ts\": \"soon\"");
   alike ("(FORMAT csv, ON_ERROR ignore, REJECT_LIMIT 3)", "COPY t, line 2400");
}

static void faults_of_records (void **state)
{
   mt_buf_clear (&text);
   for (int i = 1; i <= 10000; i++)
      mt_buf_printf (&text,
                     i % 1000   ? "{\"i\":%d,\"s\":\"a\",\"ts\":\"2020-01-01 10:00:00+00\"}\n"
                     : i % 3000 ? "{\"s\":\"%d\"}\n"
                                : "{\"i\":\"%d\n",
                     i);
   alike ("(FORMAT jsonl, ON_ERROR ignore, LOG_VERBOSITY verbose)", "10 records were skipped");
   alike ("(FORMAT jsonl)", "COPY t, line 1000");
}

static void a_file_is_given_up (void **state)
{
   csv (100000, 0, 0, "");
   cancels = true;
   alike ("(FORMAT csv)", "57014");
   cancels = false;
}

static int end (void **state)
{
   mt_buf_free (&text);
   return 0;
}

int main (void)
{
   const struct CMUnitTest tests[] = {
#define TEST(x) cmocka_unit_test_setup_teardown (x, setup, teardown)
      TEST (rows_of_a_file),
      TEST (faults_of_a_file),
      TEST (faults_of_records),
      TEST (a_file_is_given_up),
   };
   return cmocka_run_group_tests (tests, NULL, end);
}
