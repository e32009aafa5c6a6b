/* Uses a prepared statement with parameters, as a program that serves requests does.
 *
 *    cc parameters.c $(pkg-config --cflags --libs mtsql) */
#include <mtsql.h>

#include <stdio.h>

/* Prints an error, with a mark under the position in the statement where it occurred. Returns 1. */
static int report (const char *sql, const MtError *err)
{
   fprintf (stderr, "%s: %s\n", err->sqlstate, err->message);
   if (err->span.start >= 0)
      fprintf (stderr, "%s\n%*s^\n", sql, (int) err->span.start, "");
   return 1;
}

static bool run (MtSession *s, const char *sql, MtError *err)
{
   MtResult *r;
   if (!mt_query (s, sql, -1, &r, err))
      return false;
   mt_result_free (r);
   return true;
}

/* Inserts one reading per hour of a house. Times are passed as text, numbers as numbers. */
static bool insert (MtPrepared *p, const char *house, int hours, MtError *err)
{
   for (int hour = 0; hour < hours; hour++) {
      char time[32];
      MtResult *r;
      int n = snprintf (time, sizeof time, "2024-05-01 %02d:00+00", hour);
      MtVal values[] = {mt_v_str (time, (size_t) n), mt_v_str (house, strlen (house)),
                        mt_v_int64 (400 + 10 * hour)};
      if (!mt_execute (p, values, 3, &r, err))
         return false;
      mt_result_free (r);
   }
   return true;
}

/* Prints the sum of a house's readings from a time on, given in milliseconds since 1970. */
static bool print_sum (MtPrepared *p, const char *house, int64_t since_ms, MtError *err)
{
   MtVal values[] = {mt_v_str (house, strlen (house)), mt_v_date (since_ms)};
   MtResult *r;
   bool more;
   if (!mt_execute (p, values, 2, &r, err))
      return false;
   bool ok = mt_result_next (r, &more, err);
   if (ok && more)
      printf ("%s: %s\n", house, mt_result_text (r, 0, NULL));
   mt_result_free (r);
   return ok;
}

int main (void)
{
   static const char insert_sql[] = "INSERT INTO power VALUES ($1, $2, $3)",
                     sum_sql[] = "SELECT sum(watts) FROM power WHERE house = $1 AND time >= $2";
   MtSession *s;
   MtPrepared *adding, *summing;
   MtError err;
   if (!mt_open (&(MtOpenOptions) {.target = NULL}, &s, &err)) /* a temporary store */
      return report ("", &err);
   if (!run (s, "CREATE TABLE power (time timestamptz TIME, house text, watts bigint) USING rows",
             &err) ||
       !mt_prepare (s, insert_sql, -1, &adding, &err))
      return report (insert_sql, &err);
   if (!mt_prepare (s, sum_sql, -1, &summing, &err))
      return report (sum_sql, &err);
   bool ok = run (s, "BEGIN", &err) && insert (adding, "north", 24, &err) &&
             insert (adding, "o'brien", 12, &err) && run (s, "COMMIT", &err) &&
             print_sum (summing, "north", 1714557600000, &err) &&
             print_sum (summing, "o'brien", 1714521600000, &err);
   mt_prepared_free (adding);
   mt_prepared_free (summing);
   mt_close (s);
   return ok ? 0 : report ("", &err);
}
