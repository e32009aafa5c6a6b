/* A thread that reads ahead changes nothing of what COPY's readers say: rows, faults, and where
 * they are. */
#include "copy/copy.h"
#include "tests/unit/layout_tables.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BATCH = 512 }; /* rows that go over at once */

static MtError err;
static const MtTextStyle style = {.extra_float_digits = 1};
static MtColumn columns[2] = {{.name = "i", .field = "i"}, {.name = "s", .field = "s"}};
static MtTable t = {.name = "t", .columns = columns, .column_count = 2, .time_column = -1};

static int setup (void **state)
{
   columns[0].type = mt_type (MT_T_INT4);
   columns[1].type = mt_type (MT_T_TEXT);
   mt_error_clear (&err);
   return 0;
}

/* Lines made while they are read: what `line` prints for each, from 1. */
typedef struct Source {
   int (*line) (char *to, size_t n, unsigned number);
   unsigned next, last, broken; /* 0: none */
   char rest[256];
   size_t rest_n;
} Source;

static long read_lines (void *ctx, char *buf, size_t n)
{
   Source *s = ctx;
   size_t got = 0;
   if (s->broken && s->next > s->broken)
      return -1;
   while (got < n && got < 5000) {
      if (!s->rest_n && s->next <= s->last) {
         s->rest_n = (size_t) s->line (s->rest, sizeof s->rest, s->next++);
      }
      if (!s->rest_n)
         break;
      size_t k = s->rest_n < n - got ? s->rest_n : n - got;
      memcpy (buf + got, s->rest, k);
      memmove (s->rest, s->rest + k, s->rest_n -= k);
      got += k;
   }
   return (long) got;
}

static unsigned fault_first, fault_every; /* numbers of lines that are at fault */
static bool is_fault (unsigned n)
{
   return fault_every ? n >= fault_first && (n - fault_first) % fault_every == 0 : n == fault_first;
}

static int csv_line (char *to, size_t n, unsigned number)
{
   return snprintf (to, n,
                    is_fault (number) ? "x%u,a\n"
                    : number % 3      ? "%u,text\n"
                                      : "%u,\"quo\"\"ted\"\n",
                    number);
}

static int text_line (char *to, size_t n, unsigned number)
{
   return snprintf (to, n,
                    is_fault (number) ? "x%u\ta\n"
                    : number % 3      ? "%u\ttext\n"
                                      : "%u\ta\\tb\n",
                    number);
}

static int jsonl_line (char *to, size_t n, unsigned number)
{
   return snprintf (to, n,
                    is_fault (number) ? "{\"i\":\"x%u\"}\n"
                    : number % 3      ? "{\"i\":%u,\"s\":\"text\"}\n"
                                      : "{\"i\":%u,\"s\":\"a\\u0041\\n\"}\n",
                    number);
}

static int empty_line (char *to, size_t n, unsigned number) { return snprintf (to, n, "\n"); }

static MtCopyIn *reader (const char *format, Source *from, bool ahead)
{
   MtCopyInArgs args = {.table = &t, .style = &style, .read = read_lines, .ctx = from};
   MtCopyIn *in;
   assert_true (mt_copy_in_open (format, &args, &in, &err));
   if (ahead)
      mt_copy_in_ahead (in);
   return in;
}

static void say_row (const MtCopyIn *in, const MtVal *row, MtBuf *out)
{
   MtCopyBad bad;
   mt_copy_in_bad (in, &bad);
   assert_null (bad.column);
   mt_error_clear (&err);
   mt_error (&err, MT_E_NOT_NULL, "it");
   mt_copy_in_context (in, &err);
   mt_buf_printf (out, "%lld %.*s at %llu, %llu: %s\n", (long long) row[0].i, (int) row[1].len,
                  row[1].p, (unsigned long long) mt_copy_in_line (in),
                  (unsigned long long) bad.line, err.context);
}

static bool say_fault (const MtCopyIn *in, MtBuf *out)
{
   MtCopyBad bad;
   bool more = mt_copy_in_bad (in, &bad);
   mt_buf_printf (out, "fault at %llu, %s \"%s\": %s, %s\n", (unsigned long long) bad.line,
                  bad.column, bad.text, err.message, err.context);
   return more;
}

/* All that a reader says, faults left out. */
static MtBuf told (const char *format, Source from, bool ahead)
{
   MtBuf out = {0};
   MtCopyIn *in = reader (format, &from, ahead);
   const MtVal *row = NULL;
   bool more = true;
   while (more) {
      mt_error_clear (&err);
      if (!mt_copy_in_next (in, &row, &err))
         more = say_fault (in, &out);
      else if (row)
         say_row (in, row, &out);
      else
         more = false;
   }
   mt_buf_printf (&out, "%llu bytes, line %llu", (unsigned long long) mt_copy_in_bytes (in),
                  (unsigned long long) mt_copy_in_line (in));
   mt_copy_in_close (in);
   return out;
}

static void same (const char *format, Source from)
{
   MtBuf here = told (format, from, false), ahead = told (format, from, true);
   if (strcmp (here.p, ahead.p))
      fail_msg ("%s, faults from %u every %u:\n%.3000s\nand ahead:\n%.3000s", format, fault_first,
                fault_every, here.p, ahead.p);
   mt_buf_free (&here);
   mt_buf_free (&ahead);
}

static void rows_and_faults_are_told_alike (void **state)
{
   static const unsigned first[] = {1,         2,         BATCH,         BATCH + 1,
                                    BATCH + 2, 3 * BATCH, 5 * BATCH - 7, 5 * BATCH},
                         every[] = {0, 1, 2, BATCH - 1, BATCH, BATCH + 1};
   for (size_t i = 0; i < sizeof first / sizeof *first; i++)
      for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
         fault_first = first[i];
         fault_every = every[k];
         same ("csv", (Source) {.line = csv_line, .next = 1, .last = 5 * BATCH});
         same ("text", (Source) {.line = text_line, .next = 1, .last = 5 * BATCH});
         same ("jsonl", (Source) {.line = jsonl_line, .next = 1, .last = 5 * BATCH});
      }
}

static void any_number_of_rows (void **state)
{
   static const unsigned last[] = {0, 1, BATCH - 1, BATCH, BATCH + 1, 20 * BATCH};
   fault_first = fault_every = 0;
   for (size_t i = 0; i < sizeof last / sizeof *last; i++)
      same ("csv", (Source) {.line = csv_line, .next = 1, .last = last[i]});
}

static void a_source_that_fails (void **state)
{
   fault_first = fault_every = 0;
   same ("csv", (Source) {.line = csv_line, .next = 1, .last = 1000, .broken = 0});
   for (unsigned broken = 1; broken < 20 * BATCH; broken = 3 * broken + 100) {
      errno = EAGAIN; /* an older error's, which is nothing to the source */
      same ("csv", (Source) {.line = csv_line, .next = 1, .last = 100 * BATCH, .broken = broken});
   }
}

/* The thread is at work, waits for room, waits behind a fault, or finds no record at all. */
static void given_up_in_the_middle (void **state)
{
   static const unsigned rows[] = {0, 1, BATCH - 1, BATCH, 10 * BATCH};
   for (fault_first = 0; fault_first <= 1500; fault_first += 1500)
      for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
         Source endless = {.line = csv_line, .next = 1, .last = UINT32_MAX};
         MtCopyIn *in = reader ("csv", &endless, true);
         const MtVal *row;
         for (unsigned k = 0; k < rows[i]; k++)
            if (!mt_copy_in_next (in, &row, &err))
               break;
         mt_copy_in_close (in);
      }
   Source nothing = {.line = empty_line, .next = 1, .last = UINT32_MAX};
   mt_copy_in_close (reader ("jsonl", &nothing, true));
}

int main (void)
{
   const struct CMUnitTest tests[] = {
#define TEST(x) cmocka_unit_test_setup (x, setup)
      TEST (rows_and_faults_are_told_alike),
      TEST (any_number_of_rows),
      TEST (a_source_that_fails),
      TEST (given_up_in_the_middle),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
