/* What the libFuzzer targets share. A target is one file: everything is static. */
#ifndef MT_FUZZ_H
#define MT_FUZZ_H

#include "base/arena.h"
#include "base/cancel.h"
#include "base/str.h"
#include "include/mtsql.h"
#include "copy/copy.h"
#include "session/state/session.h"

#include <pthread.h>
#include <sanitizer/lsan_interface.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv);
const char *__asan_default_options (void);

/* A request beyond this fails, so that a statement ends with 53200 instead of the fuzzer. */
const char *__asan_default_options (void)
{
   return "max_allocation_size_mb=128:allocator_may_return_null=1";
}

static inline _Noreturn void fuzz_fail (const char *fmt, ...)
   __attribute__ ((format (printf, 1, 2)));
static inline _Noreturn void fuzz_fail (const char *fmt, ...)
{
   va_list ap;
   va_start (ap, fmt);
   fputs ("fuzz: ", stderr);
   vfprintf (stderr, fmt, ap);
   fputc ('\n', stderr);
   va_end (ap);
   abort ();
}

#define FUZZ_COUNT(list) (sizeof (list) / sizeof *(list))
#define FUZZ_COLUMN(column, of) \
   {.name = column, .type = {.id = (MtTypeId) (of), .mod1 = -1, .mod2 = -1}, .field = column}

/* A copy whose end is watched. Owned by the caller: free (). */
static inline char *fuzz_copy (const void *p, size_t n)
{
   char *copy = malloc (n ? n : 1);
   if (!copy)
      abort ();
   if (n)
      memcpy (copy, p, n);
   return copy;
}

/* A text that ends with a zero. */
static inline char *fuzz_text (const void *p, size_t n)
{
   char *copy = malloc (n + 1);
   if (!copy)
      abort ();
   if (n)
      memcpy (copy, p, n);
   copy[n] = 0;
   return copy;
}

/* Cuts off what lies before the first zero byte, or newline if `line`: options in front of a file.
 */
static inline MtStr fuzz_cut (const uint8_t **data, size_t *size, char at)
{
   const uint8_t *end = *size ? memchr (*data, at, *size) : NULL;
   MtStr first = {(const char *) *data, end ? (size_t) (end - *data) : 0};
   if (end) {
      *data += first.n + 1;
      *size -= first.n + 1;
   }
   return first;
}

/* ---- errors ---- */

/* An error is complete: a class that users may meet, a message of valid UTF-8, and a place within
 * the text (len < 0: there is none). */
static inline void fuzz_check_error (const MtError *err, long len)
{
   if (strlen (err->sqlstate) != 5 || !*err->message)
      fuzz_fail ("an error without a state or a message: \"%s\" \"%s\"", err->sqlstate,
                 err->message);
   if (strcmp (err->sqlstate, "XX000") == 0)
      fuzz_fail ("an internal error: %s", err->message);
   if (!mt_utf8_valid (err->message, strlen (err->message)) ||
       !mt_utf8_valid (err->hint, strlen (err->hint)) ||
       !mt_utf8_valid (err->detail, strlen (err->detail)))
      fuzz_fail ("an error that is no UTF-8: %s", err->message);
   if (len >= 0 && err->span.start >= 0 &&
       (err->span.start > len || err->span.len < 0 || err->span.len > len - err->span.start))
      fuzz_fail ("an error outside of its text: %s at %d, %d of %ld", err->message, err->span.start,
                 err->span.len, len);
}

/* ---- bytes in pieces, for readers ---- */

typedef struct FuzzBytes {
   const uint8_t *p;
   size_t n, piece;
} FuzzBytes;

static inline long fuzz_read (void *ctx, char *buf, size_t n)
{
   FuzzBytes *b = ctx;
   size_t k = b->n < n ? b->n : n;
   k = k < b->piece ? k : b->piece;
   if (!k)
      return 0;
   memcpy (buf, b->p, k);
   b->p += k;
   b->n -= k;
   return (long) k;
}

/* Reads all records of a COPY file, `piece` bytes at a time; each goes to row (), and those at
 * fault are passed over. Returns how many there were, good and bad; 0 also when the options are
 * refused. */
static inline size_t fuzz_copy_in (const char *format, MtCopyInArgs args, FuzzBytes bytes,
                                   void (*row) (void *ctx, const MtVal *row), void *ctx)
{
   MtCopyIn *in;
   MtError err;
   MtCopyBad bad;
   const MtVal *values;
   size_t records = 0;
   for (size_t i = 0; i < args.option_count; i++) /* a statement is UTF-8 */
      if (!mt_utf8_valid (args.options[i].name, strlen (args.options[i].name)) ||
          (args.options[i].value &&
           !mt_utf8_valid (args.options[i].value, strlen (args.options[i].value))))
         return 0;
   args.read = fuzz_read;
   args.ctx = &bytes;
   mt_error_clear (&err);
   if (!mt_copy_in_open (format, &args, &in, &err)) {
      fuzz_check_error (&err, -1);
      return 0;
   }
   for (;; records++, mt_error_clear (&err)) {
      bool ok = mt_copy_in_next (in, &values, &err);
      if (ok == mt_error_is_set (&err))
         fuzz_fail ("a record that is %s: %s", ok ? "well" : "at fault", err.message);
      if (!ok) {
         fuzz_check_error (&err, -1);
         if (!strstr (err.context, "COPY t, line "))
            fuzz_fail ("an error without its line: %s (%s)", err.message, err.context);
      }
      if (ok ? !values : !mt_copy_in_bad (in, &bad))
         break;
      if (ok && row)
         row (ctx, values);
   }
   mt_copy_in_close (in);
   return records;
}

/* ---- sessions ---- */

/* Cancels statements of the session that run for longer than this. */
#define FUZZ_STATEMENT_MS 2000

static _Atomic (MtSession *) fuzz_running;
static _Atomic int64_t fuzz_since_ms;
static pthread_mutex_t fuzz_watching = PTHREAD_MUTEX_INITIALIZER;

static inline void *fuzz_watch (void *unused)
{
   for (;; usleep (100000)) {
      pthread_mutex_lock (&fuzz_watching);
      MtSession *s = atomic_load (&fuzz_running);
      if (s && mt_now_ms () - atomic_load (&fuzz_since_ms) > FUZZ_STATEMENT_MS)
         mt_cancel (s);
      pthread_mutex_unlock (&fuzz_watching);
   }
   return unused;
}

static inline void fuzz_begin_watch (MtSession *s)
{
   static bool started;
   pthread_t thread;
   if (!started && pthread_create (&thread, NULL, fuzz_watch, NULL) != 0)
      abort ();
   started = true;
   atomic_store (&fuzz_since_ms, mt_now_ms ());
   atomic_store (&fuzz_running, s);
}

static inline void fuzz_end_watch (void)
{
   pthread_mutex_lock (&fuzz_watching);
   atomic_store (&fuzz_running, NULL);
   pthread_mutex_unlock (&fuzz_watching);
}

/* Reads all rows of a result, and frees it. False: *err has why. */
static inline bool fuzz_read_rows (MtResult *r, uint64_t *rows, MtError *err)
{
   bool more = true, ok;
   size_t columns = mt_result_columns (r), n;
   for (*rows = 0; (ok = mt_result_next (r, &more, err)) && more; ++*rows)
      for (size_t i = 0; i < columns; i++) {
         const char *text = mt_result_text (r, i, &n);
         if (text && text[n])
            fuzz_fail ("a text without its end");
      }
   ok = ok && mt_result_verdict (r, err);
   mt_result_free (r);
   return ok;
}

/* Runs a text of statements until one fails. The error, if any, is complete. */
static inline bool fuzz_run (MtSession *s, const char *sql, size_t len, MtError *err)
{
   MtScript script = {.sql = sql, .len = len};
   MtResult *r = NULL;
   uint64_t rows;
   bool ok;
   mt_error_clear (err);
   fuzz_begin_watch (s);
   while ((ok = mt_script_next (s, &script, &r, err)) && r && (ok = fuzz_read_rows (r, &rows, err)))
      r = NULL;
   mt_script_close (s);
   fuzz_end_watch ();
   if (!ok)
      fuzz_check_error (err, (long) len);
   return ok;
}

/* The same for what has to succeed. */
static inline void fuzz_must (MtSession *s, const char *sql)
{
   MtError err;
   if (!fuzz_run (s, sql, strlen (sql), &err))
      fuzz_fail ("%s: %s %s", sql, err.sqlstate, err.message);
}

static inline bool fuzz_drop (void *ctx, const char *buf, size_t n) { return true; }
static inline long fuzz_no_input (void *ctx, char *buf, size_t n) { return 0; }

/* A session that may touch no file, with one thread; target NULL: on a temporary store. NULL: *err
 * has why. */
static inline MtSession *fuzz_open (const char *target, bool read_only, MtError *err)
{
   MtSession *s;
   MtOpenOptions o = {.target = target,
                      .read_only = read_only,
                      .restricted = true,
                      .read_stdin = fuzz_no_input,
                      .write_stdout = fuzz_drop};
   mt_error_clear (err);
   if (!mt_open (&o, &s, err)) {
      fuzz_check_error (err, -1);
      return NULL;
   }
   mt_engine_set_threads (s->engine, 1);
   fuzz_must (s, "SET work_mem = '1MB'; SET sweep_interval = 0");
   return s;
}

/* Closes a session. Now and then the program is looked through for leaks, which is too slow for
 * each input: a session keeps memory from one input to the next. */
static inline void fuzz_close (MtSession *s)
{
   static unsigned closed;
   mt_close (s);
   if (++closed % 8 == 0 && __lsan_do_recoverable_leak_check ())
      fuzz_fail ("a leak");
}

/* A temporary store with these statements' tables. */
static inline MtSession *fuzz_store (const char *const *statements, size_t count)
{
   MtError err;
   MtSession *s = fuzz_open (NULL, false, &err);
   if (!s)
      fuzz_fail ("no store: %s", err.message);
   for (size_t i = 0; i < count; i++)
      fuzz_must (s, statements[i]);
   return s;
}

/* ---- tables of several layouts, few rows each ---- */

static const char *const fuzz_tables[] = {
   "CREATE TABLE calls (ts timestamptz TIME PERIOD '60 s' FIELD 'timestamp' NOT NULL, iResult text "
   "DIMENSION, vCmdid text DIMENSION, vAppid text DIMENSION, "
   "totalCount bigint MEASURE NOT NULL, dProcessTime double precision MEASURE NOT NULL) USING rows",
   "ALTER TABLE calls ADD LAYOUT packed USING nested WITH (levels = 'ts, vCmdid, iResult, vAppid', "
   "presum = 'ts, vCmdid')",
   "ALTER TABLE calls ADD LAYOUT daily USING per_day",
   "INSERT INTO calls SELECT timestamptz '2015-04-10 20:00+00' + i * interval '37 min', (i % "
   "3)::text, '100' || i % 5, 'a' || i % 4, i * 3, i / 7.0 FROM generate_series(1, 60) i",
   "CREATE TABLE hits (ts timestamptz TIME PERIOD '1 min' NOT NULL, metric text DIMENSION NOT "
   "NULL, hits bigint MEASURE COUNTER NOT NULL) USING daily_metrics",
   "INSERT INTO hits SELECT timestamptz '2024-02-28 23:00+00' + i * interval '5 min', 'm' || i % "
   "3, i FROM generate_series(1, 30) i",
   "CREATE TABLE places (u integer DIMENSION NOT NULL, ts timestamptz TIME NOT NULL, cell text, x "
   "double precision) USING rows",
   "ALTER TABLE places ADD LAYOUT newest USING latest WITH (key = 'u')",
   "INSERT INTO places SELECT i % 5, timestamptz '2024-01-01 00:00+00' + i * interval '1 h', 'c' "
   "|| i, i / 3.0 FROM generate_series(1, 20) i",
   "CREATE TABLE words (id integer PRIMARY KEY, word text, price numeric(10, 2), tags text[], doc "
   "jsonb, day date, at timestamp, span interval, raw bytea, ok boolean)",
   "INSERT INTO words SELECT n, repeat('wé', n % 5), n * 1.25, ARRAY['a', 'b' || n, NULL], "
   "jsonb_build_object('n', n, 'l', jsonb_build_array(n, NULL, 'x')), date '2024-01-30' + n, "
   "timestamp '2024-03-31 01:30' + n * interval '1 hour', n * interval '1 month 2 days', "
   "decode(lpad(n::text, 4, '0'), 'hex'), n % 3 = 0 FROM generate_series(1, 12) n",
   "INSERT INTO words (id) VALUES (0)",
   "CREATE TABLE t (a integer, b text, c double precision)",
   "INSERT INTO t VALUES (1, 'x', 1.5), (2, 'y', 'NaN'), (3, NULL, 'Infinity'), (NULL, 'x', -0.0)",
   "CREATE VIEW busy AS SELECT vCmdid, sum(totalCount) AS total FROM calls GROUP BY vCmdid",
   "CREATE MATERIALIZED VIEW hourly AS SELECT time_bucket('1 hour', ts) AS h, sum(totalCount) AS "
   "total FROM calls GROUP BY h",
   "CREATE FUNCTION twice(x integer) RETURNS integer LANGUAGE sql AS 'SELECT x * 2'",
};

#endif
