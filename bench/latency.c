/* What one statement costs inside a process that has the store open.
 *
 *    latency TARGET RUNS < STATEMENTS
 *       of each line: median ms from its text to the plan, median ms to its last row's text, rows,
 *       median ms of the processor, on all threads
 *
 * Lines that begin with "!" run once and print nothing. */
#include "bench/arguments.h"
#include "mtsql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms (clockid_t clock)
{
   struct timespec t;
   clock_gettime (clock, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void stop (const char *what, const MtError *e)
{
   fprintf (stderr, "latency: %s: %s\n", what, e->message);
   exit (1);
}

static int by_value (const void *a, const void *b)
{
   double x = *(const double *) a, y = *(const double *) b;
   return (x > y) - (x < y);
}

typedef struct Times {
   double plan_ms, all_ms, processor_ms;
} Times;

/* Sorts n numbers. */
static double median (double *v, long n)
{
   qsort (v, (size_t) n, sizeof *v, by_value);
   return v[n / 2];
}

/* Runs a statement to its end; its rows' text is made and counted, as a shell would before it
 * prints. */
static unsigned long run (MtSession *s, const char *sql, Times *out)
{
   MtError err;
   MtResult *r;
   unsigned long rows = 0, bytes = 0;
   bool more = true;
   double start = now_ms (CLOCK_MONOTONIC), processor = now_ms (CLOCK_PROCESS_CPUTIME_ID),
          execute_ms;
   if (!mt_query (s, sql, -1, &r, &err))
      stop (sql, &err);
   for (; more; rows += more) {
      if (!mt_result_next (r, &more, &err))
         stop (sql, &err);
      for (size_t i = 0; more && i < mt_result_columns (r); i++) {
         size_t n = 0;
         mt_result_text (r, i, &n);
         bytes += n;
      }
   }
   out->all_ms = now_ms (CLOCK_MONOTONIC) - start;
   out->processor_ms = now_ms (CLOCK_PROCESS_CPUTIME_ID) - processor;
   mt_result_times (r, &out->plan_ms, &execute_ms);
   mt_result_free (r);
   return rows + (bytes == (unsigned long) -1);
}

int main (int argc, char **argv)
{
   MtError err;
   MtSession *s;
   char line[1 << 16];
   long runs;
   if (argc != 3 || !mt_is_target (argv[1]) || !mt_whole_number (argv[2], 1, &runs)) {
      fprintf (stderr, "usage: latency TARGET RUNS < STATEMENTS\n");
      return 2;
   }
   if (!mt_open (&(MtOpenOptions) {.target = argv[1]}, &s, &err))
      stop (argv[1], &err);
   double *plan = calloc ((size_t) runs, sizeof *plan), *all = calloc ((size_t) runs, sizeof *all),
          *processor = calloc ((size_t) runs, sizeof *processor);
   while (plan && all && processor && fgets (line, sizeof line, stdin)) {
      unsigned long rows = 0;
      Times t;
      line[strcspn (line, "\n")] = '\0';
      if (line[0] == '!') {
         run (s, line + 1, &t);
         continue;
      }
      for (long i = 0; i < runs; i++) {
         rows = run (s, line, &t);
         plan[i] = t.plan_ms;
         all[i] = t.all_ms;
         processor[i] = t.processor_ms;
      }
      printf ("%.4f\t%.4f\t%lu\t%.4f\n", median (plan, runs), median (all, runs), rows,
              median (processor, runs));
   }
   free (plan);
   free (all);
   free (processor);
   mt_close (s);
   return 0;
}
