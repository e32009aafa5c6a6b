/* Zones, buckets, and what PostgreSQL has no answer for. Times of time_bucket: TimescaleDB's
 * documented rules. */
#include "types/bucket.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <pthread.h>
#include <string.h>

#include <cmocka.h>

static const MtZone *zone (const char *name)
{
   const MtZone *z = NULL;
   MtError e;
   if (!mt_tz_find (name, strlen (name), &z, &e))
      fail_msg ("%s", e.message);
   return z;
}

static int64_t at (const char *text, const MtZone *z)
{
   int64_t ms = 0;
   MtError e;
   MtTimeEnv env = {.zone = z, .now_ms = 1583020800123}; /* 2020-03-01 00:00:00.123 UTC */
   if (!mt_timestamptz_in (text, strlen (text), &env, &ms, &e))
      fail_msg ("%s", e.message);
   return ms;
}

static MtInterval iv (const char *text)
{
   MtInterval i = {0, 0, 0};
   MtError e;
   if (!mt_interval_in (text, strlen (text), &i, &e))
      fail_msg ("%s", e.message);
   return i;
}

static void names (void **state)
{
   const struct {
      const char *asked, *name;
   } t[] = {{"america/new_york", "America/New_York"},
            {"ASIA/KOLKATA", "Asia/Kolkata"},
            {"utc", "UTC"},
            {"z", "UTC"},
            {"utc+3", "UTC+3"}};
   for (size_t i = 0; i < sizeof t / sizeof *t; i++)
      assert_string_equal (mt_tz_name (zone (t[i].asked)), t[i].name);
   assert_ptr_equal (zone ("Asia/Kolkata"), zone ("asia/kolkata"));
   assert_string_equal (mt_tz_name (mt_tz_fixed (19800)), "+05:30");
   assert_int_equal (mt_tz_offset (mt_tz_fixed (-12600), 0), -12600);
   static const char *const wrong[] = {
      "",        "nowhere",           "../etc/passwd", "/etc/passwd",       "America/",
      "America", "America//New_York", "zone.tab",      "America/New_York/x"};
   for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      const MtZone *z;
      MtError e;
      assert_false (mt_tz_find (wrong[i], strlen (wrong[i]), &z, &e));
      assert_string_equal (e.sqlstate, MT_E_PARAMETER);
      assert_false (mt_tz_find_mongo (wrong[i], strlen (wrong[i]), &z, &e));
   }
   /* MongoDB's offsets are east, PostgreSQL's names of offsets west. */
   const MtZone *z;
   assert_true (mt_tz_find_mongo ("+0530", 5, &z, NULL));
   assert_int_equal (mt_tz_offset (z, 0), 19800);
   assert_int_equal (mt_tz_offset (zone ("+05:30"), 0), -19800);
   assert_true (mt_tz_is_fixed (zone ("EST")));
   assert_false (mt_tz_is_fixed (zone ("Europe/Berlin")));
   const char *abbrev;
   bool dst;
   mt_tz_offset_info (zone ("Europe/Berlin"), at ("2020-07-01", NULL), &abbrev, &dst);
   assert_string_equal (abbrev, "CEST");
   assert_true (dst);
}

static void transitions (void **state)
{
   const MtZone *ny = zone ("America/New_York");
   int64_t t = at ("2021-01-01", NULL), next;
   assert_true (mt_tz_next_transition (ny, t, &next));
   assert_int_equal (next, at ("2021-03-14 07:00", NULL));
   assert_true (mt_tz_next_transition (ny, next, &next));
   assert_int_equal (next, at ("2021-11-07 06:00", NULL));
   assert_true (mt_tz_next_transition (ny, next - 1, &next));
   assert_int_equal (next, at ("2021-11-07 06:00", NULL));
   assert_false (mt_tz_next_transition (zone ("Asia/Kolkata"), t, &next));
   assert_false (mt_tz_next_transition (mt_tz_utc (), t, &next));
   for (int n = 0; n < 2000; n++) /* rules that change nothing end at once */
      assert_false (
         mt_tz_next_transition (zone ("AAA1BBB1"), t - n * INT64_C (86400000000), &next));
   /* The offset is constant up to the next transition and differs at it, far beyond the file's own
    * table too. */
   static const char *const zones[] = {"America/New_York",  "Europe/Dublin", "Australia/Lord_Howe",
                                       "Africa/Casablanca", "Asia/Tehran",   "EST5EDT"};
   for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
      const MtZone *z = zone (zones[i]);
      t = at ("1850-01-01", NULL);
      for (int n = 0; n < 1500 && mt_tz_next_transition (z, t, &next); n++) {
         assert_true (next > t);
         assert_int_equal (mt_tz_offset (z, next - 1), mt_tz_offset (z, t));
         assert_int_not_equal (mt_tz_offset (z, next), mt_tz_offset (z, t));
         int64_t from, to;
         mt_tz_span (z, next, &from, &to);
         assert_true (from <= next && next < to);
         t = next;
      }
   }
}

static void local_times (void **state)
{
   /* Every instant's local time leads back to it, or to the second instant of the same local
    * time. */
   static const char *const zones[] = {"America/New_York", "Europe/Dublin", "Australia/Lord_Howe",
                                       "Asia/Kolkata"};
   for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
      const MtZone *z = zone (zones[i]);
      for (int64_t t = at ("2019-01-01", NULL); t < at ("2023-01-01", NULL); t += 977000) {
         int64_t back = mt_tz_to_utc (z, mt_tz_to_local (z, t));
         assert_true (back == t || (back > t && mt_tz_to_local (z, back) == mt_tz_to_local (z, t)));
      }
   }
}

static void words_for_days (void **state)
{
   const MtZone *ny = zone ("America/New_York");
   assert_int_equal (at ("now", NULL), 1583020800123);
   assert_int_equal (at ("today", NULL), at ("2020-03-01", NULL));
   assert_int_equal (at ("today", ny), at ("2020-02-29 00:00-05", NULL));
   assert_int_equal (at ("tomorrow 10:00", NULL), at ("2020-03-02 10:00", NULL));
   assert_int_equal (at ("yesterday", NULL), at ("2020-02-29", NULL));
   MtTimeEnv env = {.zone = ny, .now_ms = 1583020800123};
   int32_t days;
   assert_true (mt_date_in ("today", 5, &env, &days, NULL));
   assert_int_equal (days, mt_days_from_civil (2020, 2, 29));
   int64_t ms;
   assert_true (mt_timestamp_in ("now", 3, &env, &ms, NULL));
   assert_int_equal (ms, at ("2020-02-29 19:00:00.123", NULL));
}

static void buckets (void **state)
{
   const struct {
      const char *width, *ts, *zone, *origin, *offset, *want;
   } t[] = {
      {"5 min", "2020-01-01 12:34:56", NULL, NULL, NULL, "2020-01-01 12:30"},
      {"1 day", "1999-12-31 23:59", NULL, NULL, NULL, "1999-12-31"},
      {"7 days", "2020-01-01 12:00", NULL, NULL, NULL, "2019-12-30"},
      {"1 week", "1999-12-31", NULL, NULL, NULL, "1999-12-27"},
      {"3 days", "2000-01-02", NULL, NULL, NULL, "1999-12-31"},
      {"3 days", "2000-01-03", NULL, NULL, NULL, "2000-01-03"},
      {"1 month", "2020-02-29 12:00", NULL, NULL, NULL, "2020-02-01"},
      {"3 months", "1999-12-31", NULL, NULL, NULL, "1999-10-01"},
      {"5 months", "1999-12-31", NULL, NULL, NULL, "1999-08-01"},
      {"2 years", "2021-06-01", NULL, NULL, NULL, "2020-01-01"},
      {"1 day", "2020-06-01 02:00", "America/New_York", NULL, NULL, "2020-05-31 00:00-04"},
      {"1 month", "2020-06-01 02:00", "America/New_York", NULL, NULL, "2020-05-01 00:00-04"},
      {"1 day", "2021-03-15 01:00", "America/New_York", NULL, NULL, "2021-03-14 00:00-05"},
      {"1 hour", "2020-01-01 12:34:56", NULL, "2020-01-01 00:15", NULL, "2020-01-01 12:15"},
      {"1 hour", "2020-01-01 12:10", NULL, "2030-01-01 00:15", NULL, "2020-01-01 11:15"},
      {"1 hour", "2020-01-01 12:10", NULL, NULL, "15 min", "2020-01-01 11:15"},
      {"1 day", "2020-01-01 04:00", NULL, NULL, "6 hours", "2019-12-31 06:00"},
      {"7 min", "2000-01-03 00:06:59.999", NULL, NULL, NULL, "2000-01-03 00:00"},
      {"1 month", "2020-01-20", NULL, "2019-05-17", NULL, "2020-01-01"},
      {"3 months", "2020-01-20", NULL, "2019-05-17", NULL, "2019-11-01"},
      /* clocks that are changed: TimescaleDB's own cases */
      {"1 day", "2021-03-26 01:00+03", "Asia/Amman", NULL, "15 min", "2021-03-24 22:15"},
      {"30 seconds", "2025-10-26 02:00+02", "Europe/Berlin", NULL, "-15 seconds",
       "2025-10-25 23:59:45"},
      {"1 hour", "2021-03-26 01:30+03", "Asia/Amman", NULL, "-15 min", "2021-03-25 21:45"},
      {"1 hour", "2025-10-26 02:30+01", "Europe/Berlin", NULL, "15 min", "2025-10-26 01:15"},
      {"1 hour", "2021-03-25 22:00", "Asia/Amman", NULL, "15 min", "2021-03-25 21:15"},
      {"1 hour", "2025-10-26 01:00", "Europe/Berlin", NULL, "15 min", "2025-10-26 00:15"},
      {"30 min", "2021-03-26 01:30+03", "Asia/Amman", NULL, "1 hour", "2021-03-25 22:30"},
      {"1 hour", "2024-11-03 01:30-04", "America/New_York", "2000-01-01 05:00", NULL,
       "2024-11-03 01:00-04"},
      /* the hour that comes twice */
      {"1 hour", "2024-10-27 02:30+02", "Europe/Berlin", NULL, NULL, "2024-10-27 02:00+02"},
      {"1 hour", "2024-10-27 02:30+01", "Europe/Berlin", NULL, NULL, "2024-10-27 02:00+01"},
      {"2 hours", "2024-10-27 02:30+02", "Europe/Berlin", NULL, NULL, "2024-10-27 01:00+02"},
      {"3 hours", "2024-10-27 02:30+01", "Europe/Berlin", NULL, NULL, "2024-10-27 00:00+02"},
      {"1 hour", "2024-04-07 01:45+11", "Australia/Lord_Howe", NULL, NULL, "2024-04-07 01:00+11"},
      {"1 hour", "2024-04-07 01:45+10:30", "Australia/Lord_Howe", NULL, NULL,
       "2024-04-07 01:00+10:30"},
      /* the midnight that comes twice */
      {"1 day", "2021-10-29 00:30+03", "Asia/Amman", NULL, NULL, "2021-10-29 00:00+03"},
      {"1 day", "2021-10-29 00:30+02", "Asia/Amman", NULL, NULL, "2021-10-29 00:00+02"},
      {"1 day", "2021-10-28 23:30+03", "Asia/Amman", NULL, NULL, "2021-10-28 00:00+03"},
      /* the day that is left out */
      {"1 day", "2011-12-31 05:00+14", "Pacific/Apia", NULL, NULL, "2011-12-31 00:00+14"},
      {"12 hours", "2011-12-29 13:00-10", "Pacific/Apia", NULL, NULL, "2011-12-29 12:00-10"},
   };
   for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
      int64_t got;
      MtError e;
      MtBuckets b = {.width = iv (t[i].width),
                     .zone = t[i].zone ? zone (t[i].zone) : NULL,
                     .has_origin = t[i].origin};
      if (t[i].origin)
         b.origin = at (t[i].origin, NULL);
      if (t[i].offset)
         b.offset = iv (t[i].offset);
      if (!mt_bucket_start (&b, at (t[i].ts, NULL), &got, &e))
         fail_msg ("%zu: %s", i, e.message);
      if (got != at (t[i].want, NULL))
         fail_msg ("%zu: %lld, not %s", i, (long long) got, t[i].want);
   }
   int64_t got;
   MtError e;
   MtBuckets b = {.width = iv ("0")};
   assert_false (mt_bucket_start (&b, 0, &got, &e));
   assert_string_equal (e.message, "period must be greater than 0");
   b.width = iv ("1 month 1 day");
   assert_false (mt_bucket_start (&b, 0, &got, &e));
   assert_string_equal (e.sqlstate, MT_E_FEATURE);
}

/* Between one start and mt_bucket_next's answer all times have one start, which isn't after
 * them. */
static void next_buckets (void **state)
{
   static const char *const zones[] = {"Europe/Berlin",   "America/New_York", "Australia/Lord_Howe",
                                       "Pacific/Chatham", "Asia/Amman",       "America/St_Johns",
                                       "Pacific/Apia",    "Atlantic/Azores",  "UTC"};
   static const char *const widths[] = {"7 min",   "20 min",  "45 min",  "1 hour",
                                        "2 hours", "5 hours", "1 day",   "36 hours",
                                        "1 week",  "1 month", "5 months"};
   for (size_t z = 0; z < sizeof zones / sizeof *zones; z++)
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
         MtBuckets b = {.width = iv (widths[w]),
                        .zone = zone (zones[z]),
                        .offset = iv (z % 2 ? "0" : "-17 min")};
         int64_t t = at ("1993-01-01", NULL), start, next, other;
         for (int change = 0; change < 6 && (change == 0 || mt_tz_next_transition (b.zone, t, &t));
              change++) {
            int64_t until = t + 2 * MT_DAY_MS;
            for (int64_t from = t - 2 * MT_DAY_MS; from < until; from = next) {
               assert_true (mt_bucket_start (&b, from, &start, NULL) && start <= from);
               assert_true (mt_bucket_next (&b, from, &next, NULL) && next > from);
               for (int64_t between = from; between < next && between < until; between += 180000)
                  if (!mt_bucket_start (&b, between, &other, NULL) || other != start)
                     fail_msg ("%s, %s: %lld", zones[z], widths[w], (long long) between);
               assert_true (mt_bucket_start (&b, next - 1, &other, NULL) && other == start);
            }
         }
      }
}

static void calendar (void **state)
{
   int64_t year;
   int month, day;
   for (int64_t d = -800000; d < 800000; d += 13) {
      mt_civil_from_days (d, &year, &month, &day);
      assert_true (month >= 1 && month <= 12 && day >= 1 && day <= mt_days_in_month (year, month));
      assert_int_equal (mt_days_from_civil (year, month, day), d);
   }
   assert_int_equal (mt_iso_dow (0), 4);
}

static void *find_zones (void *arg)
{
   static const char *const zones[] = {"Europe/Paris", "Europe/Rome", "Asia/Tokyo", "Europe/Paris",
                                       "EST",          "UTC+4",       "Asia/Seoul"};
   for (int i = 0; i < 200; i++) {
      const MtZone *z = NULL;
      if (!mt_tz_find (zones[i % 7], strlen (zones[i % 7]), &z, NULL) || mt_tz_offset (z, 0) == 1)
         return "failed";
   }
   return NULL;
}

static void threads_share_zones (void **state)
{
   pthread_t t[4];
   void *result;
   for (int i = 0; i < 4; i++)
      assert_int_equal (pthread_create (&t[i], NULL, find_zones, NULL), 0);
   for (int i = 0; i < 4; i++) {
      pthread_join (t[i], &result);
      assert_null (result);
   }
}

/* Texts near the usual form, read with and without the space that makes them unusual. */
static void usual_form (void **state)
{
   static const char pieces[] = "0123456789-:.+ TZz";
   uint64_t random = 7;
   int read = 0;
   for (int i = 0; i < 20000; i++) {
      char text[48] = " ";
      MtTimeEnv env = {.zone = zone ("America/New_York")};
      MtError e[2];
      int64_t ms[2] = {1, 1};
      uint32_t z = random_below (&random, 4),
               n = (uint32_t) snprintf (
                  text + 1, sizeof text - 1, "%04u-%02u-%02u%c%02u:%02u",
                  random_below (&random, 3) ? 2019 : random_below (&random, 10000),
                  random_below (&random, 14), random_below (&random, 33), "T "[z & 1],
                  random_below (&random, 26), random_below (&random, 62));
      if (random_below (&random, 3))
         n += (uint32_t) snprintf (text + 1 + n, sizeof text - 1 - n, ":%02u",
                                   random_below (&random, 62));
      if (!random_below (&random, 3))
         n += (uint32_t) snprintf (text + 1 + n, sizeof text - 1 - n, ".%u",
                                   random_below (&random, 1u << random_below (&random, 28)));
      if (z > 1)
         n += (uint32_t) snprintf (text + 1 + n, sizeof text - 1 - n,
                                   z & 1 ? "%c%02u" : "%c%02u:%02u",
                                   "+-"[random_below (&random, 2)], random_below (&random, 17),
                                   random_below (&random, 61));
      if (!random_below (&random, 4))
         text[1 + random_below (&random, n)] = pieces[random_below (&random, sizeof pieces - 1)];
      bool usual = mt_timestamptz_in (text + 1, n, &env, &ms[0], &e[0]),
           slow = mt_timestamptz_in (text, n + 1, &env, &ms[1], &e[1]);
      if (usual != slow || ms[0] != ms[1] || (!usual && strcmp (e[0].sqlstate, e[1].sqlstate)))
         fail_msg ("\"%s\": %lld, with a space %lld", text + 1, (long long) ms[0],
                   (long long) ms[1]);
      read += usual;
   }
   assert_true (read > 5000 && read < 19000);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (names),
      cmocka_unit_test (transitions),
      cmocka_unit_test (local_times),
      cmocka_unit_test (words_for_days),
      cmocka_unit_test (buckets),
      cmocka_unit_test (calendar),
      cmocka_unit_test (threads_share_zones),
      cmocka_unit_test (usual_form),
      cmocka_unit_test (next_buckets),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
