/* How many look-ups a second one client is answered: statements in turn, each with a number of its
 * own, one after the other.
 *
 *    lookups TARGET SECONDS MOST SEED [SET…] STATEMENT…
 *       each statement has one %llu, which is a number from 1 to MOST; a SET before them is for all
 *
 * Says "ready" when the first few were answered, which read what the others find in memory, and are
 * not counted; then asks, and prints queries, rows, seconds, and the median, 99th percentile and
 * greatest ms of a query, with tabs between. An error ends it. */
#include "bench/arguments.h"
#include "mtsql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void stop (const char *what, const MtError *e)
{
   fprintf (stderr, "lookups: %s: %s %s\n", what, e->sqlstate, e->message);
   exit (1);
}

static int by_value (const void *a, const void *b)
{
   float x = *(const float *) a, y = *(const float *) b;
   return (x > y) - (x < y);
}

/* splitmix64 (Vigna, public domain) */
static unsigned long long next_number (unsigned long long *state)
{
   unsigned long long z = *state += 0x9e3779b97f4a7c15u;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
   return z ^ (z >> 31);
}

static unsigned long run (MtSession *s, const char *sql)
{
   MtError err;
   MtResult *r;
   unsigned long rows = 0;
   bool more = true;
   if (!mt_query (s, sql, -1, &r, &err))
      stop (sql, &err);
   for (; more; rows += more) {
      if (!mt_result_next (r, &more, &err))
         stop (sql, &err);
      for (size_t i = 0; more && i < mt_result_columns (r); i++)
         mt_result_text (r, i, NULL);
   }
   mt_result_free (r);
   return rows;
}

/* sql with a number in the place of its %llu. */
static void with_number (const char *sql, unsigned long long n, char *out, size_t size)
{
   const char *at = strstr (sql, "%llu");
   if (at)
      snprintf (out, size, "%.*s%llu%s", (int) (at - sql), sql, n, at + 4);
   else
      snprintf (out, size, "%s", sql);
}

int main (int argc, char **argv)
{
   MtError err;
   MtSession *s;
   char sql[4096];
   double seconds;
   long most, first;
   if (argc < 6 || !mt_is_target (argv[1]) || !mt_seconds (argv[2], &seconds) ||
       !mt_whole_number (argv[3], 1, &most) || !mt_whole_number (argv[4], 0, &first)) {
      fprintf (stderr, "usage: lookups TARGET SECONDS MOST SEED [SET…] STATEMENT…\n");
      return 2;
   }
   unsigned long long seed = (unsigned long long) first;
   if (!mt_open (&(MtOpenOptions) {.target = argv[1]}, &s, &err))
      stop (argv[1], &err);
   for (; argc > 6 && strncmp (argv[5], "SET ", 4) == 0; argc--, argv++)
      run (s, argv[5]);
   for (int i = 0; i < 8; i++) {
      with_number (argv[5 + i % (argc - 5)], next_number (&seed) % (unsigned long long) most + 1,
                   sql, sizeof sql);
      run (s, sql);
   }
   puts ("ready");
   fflush (stdout);
   size_t n = 0, cap = 1 << 16;
   float *ms = malloc (cap * sizeof *ms);
   unsigned long rows = 0;
   double start = now_ms (), end = start, was = start;
   for (; ms && end - start < seconds * 1e3; n++, was = end) {
      with_number (argv[5 + n % (size_t) (argc - 5)],
                   next_number (&seed) % (unsigned long long) most + 1, sql, sizeof sql);
      rows += run (s, sql);
      end = now_ms ();
      if (n == cap)
         ms = realloc (ms, (cap *= 2) * sizeof *ms);
      if (ms)
         ms[n] = (float) (end - was);
   }
   if (!ms || !n)
      return 1;
   qsort (ms, n, sizeof *ms, by_value);
   printf ("%zu\t%lu\t%.3f\t%.3f\t%.3f\t%.3f\n", n, rows, (end - start) / 1e3, (double) ms[n / 2],
           (double) ms[n * 99 / 100], (double) ms[n - 1]);
   free (ms);
   mt_close (s);
   return 0;
}
