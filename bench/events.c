/* Writes a second through a simulated day: hits that increment a day, an hour and a minute of day
 * documents, each hit a step of its own.
 *
 *    events TARGET [--form flat|hierarchical] [--preallocate] [--series N] [--seconds S]
 *           [--prepare S] [--window MS] [--many]
 *
 * A day passes in S seconds; the series are hit in turn, as fast as it goes. Prints the writes a
 * second in each of its 24 hours, then `read` and the sum that a query gives at once (it must be
 * the number of hits), and `at` and how long that took. --preallocate makes all documents with
 * their slots at 0 before the day begins, and each hit tomorrow's with probability 1/2000
 * (hierarchical 1/1500); where that takes longer than --prepare seconds, only the series that have
 * one by then are hit (`series` says how many). --window: commits wait so long for each other at
 * most (embedded store; 0: each syncs). --many: hits are sent without waiting for each, as
 * unordered bulks of 1,000 (servers), or steps of 1,000. */
#include "bench/arguments.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Bench {
   MtEngine *e;
   bool hierarchical, preallocate;
   long series, seconds, prepare, window, step;
   char (*ids)[2][40]; /* by series: today's _id, tomorrow's */
   bson_t first[2];
   bson_t slots; /* all of them, 0 */
   uint64_t random;
} Bench;

static const char *const days[] = {"20101010", "20101011"};

static double now (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void stop (const char *what, const MtError *e)
{
   fprintf (stderr, "events: %s: %s\n", what, e->message);
   exit (1);
}

static void must (bool ok, const char *what, const MtError *e)
{
   if (!ok)
      stop (what, e);
}

static void minute_path (const Bench *b, long minute, char path[32])
{
   if (b->hierarchical)
      snprintf (path, 32, "minute.%02ld.%02ld", minute / 60, minute % 60);
   else
      snprintf (path, 32, "minute.%04ld", minute);
}

static void add_paths (const Bench *b, bson_t *to, long minute, int n)
{
   char path[32];
   snprintf (path, sizeof path, "hourly.%02ld", minute / 60);
   if (n || minute % 60 == 0)
      BSON_APPEND_INT32 (to, path, n);
   minute_path (b, minute, path);
   BSON_APPEND_INT32 (to, path, n);
}

static void increment (Bench *b, long series, int day, const bson_t *amounts)
{
   MtError err;
   const char *id = b->ids[series][day];
   must (mt_engine_increment (b->e, "daily", mt_v_str (id, strlen (id)),
                              &(MtIncrement) {.amounts = amounts, .first = &b->first[day]}, &err),
         "increment", &err);
}

/* A hit within the open step. */
static void hit (Bench *b, long series, long minute)
{
   bson_t amounts = BSON_INITIALIZER;
   BSON_APPEND_INT32 (&amounts, "daily", 1);
   add_paths (b, &amounts, minute, 1);
   increment (b, series, 0, &amounts);
   bson_destroy (&amounts);
   b->random = b->random * 6364136223846793005u + 1442695040888963407u;
   if (b->preallocate && (b->random >> 33) % (b->hierarchical ? 1500 : 2000) == 0)
      increment (b, series, 1, &b->slots);
}

static void begin (Bench *b)
{
   MtError err;
   must (mt_engine_begin (b->e, &err), "begin", &err);
}

static void commit (Bench *b)
{
   MtError err;
   must (mt_engine_commit (b->e, &err), "commit", &err);
}

static void set_up (Bench *b)
{
   MtError err;
   b->ids = calloc ((size_t) b->series, sizeof *b->ids);
   if (!b->ids)
      abort ();
   for (long i = 0; i < b->series; i++)
      for (int d = 0; d < 2; d++)
         snprintf (b->ids[i][d], sizeof b->ids[i][d], "%s/metric-%ld", days[d], i + 1);
   for (int d = 0; d < 2; d++) {
      bson_init (&b->first[d]);
      BSON_APPEND_DATE_TIME (&b->first[d], "metadata.date", INT64_C (1286668800000) + 86400000 * d);
   }
   bson_init (&b->slots);
   BSON_APPEND_INT32 (&b->slots, "daily", 0);
   for (long m = 0; m < 1440; m++)
      add_paths (b, &b->slots, m, 0);
   begin (b);
   must (mt_engine_drop_collection (b->e, "daily", &err), "drop", &err);
   commit (b);
   begin (b);
   must (mt_engine_create_collection (b->e, "daily", &err), "create", &err);
   commit (b);
   double start = now ();
   for (long i = 0; b->preallocate && i < b->series; i++) {
      begin (b);
      increment (b, i, 0, &b->slots);
      commit (b);
      if (now () - start > (double) b->prepare)
         b->series = i + 1;
   }
   printf ("series\t%ld\n", b->series);
   mt_engine_set_commit_delay (b->e, b->window);
}

static unsigned long run (Bench *b)
{
   double start = now (), hour_start = start;
   unsigned long all = 0, before = 0;
   long series = 0;
   for (long hour = 0, minute = 0; hour < 24;) {
      begin (b);
      for (long k = 0; k < b->step; k++, all++) {
         hit (b, series, minute);
         series = series + 1 == b->series ? 0 : series + 1;
      }
      commit (b);
      double t = now ();
      minute = (long) ((t - start) / (double) b->seconds * 1440);
      if (minute / 60 > hour) {
         printf ("%ld\t%.0f\n", hour, (double) (all - before) / (t - hour_start));
         fflush (stdout);
         before = all;
         hour_start = t;
         hour++;
         minute = hour * 60; /* a hit that took very long leaves no hour out */
         start = t - (double) hour * (double) b->seconds / 24;
      }
   }
   MtError err;
   double synced = now ();
   must (mt_engine_sync (b->e, &err), "sync", &err);
   printf ("sync\t%.3f\n", now () - synced);
   return all;
}

static void read_back (Bench *b, unsigned long hits)
{
   MtError err;
   MtCursor *c;
   const bson_t *doc = NULL;
   bson_iter_t it;
   double start = now ();
   int64_t sum = 0;
   bson_t *p = BCON_NEW ("0", "{", "$match", "{", "daily", "{", "$gt", BCON_INT32 (0), "}", "}",
                         "}", "1", "{", "$group", "{", "_id", BCON_NULL, "n", "{", "$sum", "$daily",
                         "}", "}", "}");
   must (mt_engine_aggregate (b->e, &(MtAggregateArgs) {.collection = "daily", .pipeline = p}, &c,
                              &err) &&
            mt_cursor_next (c, &doc, &err),
         "read", &err);
   if (doc && bson_iter_init_find (&it, doc, "n"))
      sum = bson_iter_as_int64 (&it);
   mt_cursor_free (c);
   bson_destroy (p);
   printf ("read\t%lld\nhits\t%lu\nat\t%.4f\n", (long long) sum, hits, now () - start);
   if ((unsigned long) sum != hits)
      exit (1);
}

/* One document by its _id, as a chart would. */
static void read_one (Bench *b)
{
   MtError err;
   MtCursor *c;
   const bson_t *doc = NULL;
   double start = now ();
   bson_t *p = BCON_NEW ("0", "{", "$match", "{", "_id", b->ids[b->series / 2][0], "}", "}");
   must (mt_engine_aggregate (b->e, &(MtAggregateArgs) {.collection = "daily", .pipeline = p}, &c,
                              &err) &&
            mt_cursor_next (c, &doc, &err),
         "read", &err);
   mt_cursor_free (c);
   bson_destroy (p);
   printf ("one\t%.4f\n", now () - start);
}

static bool form (const char *text, bool *hierarchical)
{
   *hierarchical = !strcmp (text, "hierarchical");
   return *hierarchical || !strcmp (text, "flat");
}

/* False: these aren't arguments of this program. */
static bool options (Bench *b, int argc, char **argv)
{
   const struct {
      const char *name;
      long *to, least;
   } numbers[] = {{"--series", &b->series, 1},
                  {"--seconds", &b->seconds, 1},
                  {"--prepare", &b->prepare, 0},
                  {"--window", &b->window, 0}};
   bool ok = argc > 1 && mt_is_target (argv[1]);
   for (int i = 2; ok && i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      size_t k = 0;
      while (k < sizeof numbers / sizeof *numbers && strcmp (argv[i], numbers[k].name) != 0)
         k++;
      if (!strcmp (argv[i], "--preallocate"))
         b->preallocate = true;
      else if (!strcmp (argv[i], "--many"))
         b->step = 1000;
      else if (!strcmp (argv[i], "--form"))
         ok = form (value, &b->hierarchical), i++;
      else if (k < sizeof numbers / sizeof *numbers)
         ok = mt_whole_number (value, numbers[k].least, numbers[k].to), i++;
      else
         ok = false;
   }
   return ok;
}

int main (int argc, char **argv)
{
   MtError err;
   Bench b = {.series = 100, .seconds = 24, .prepare = 60, .window = 200, .step = 1, .random = 1};
   if (!options (&b, argc, argv)) {
      fprintf (
         stderr,
         "usage: events TARGET [--form flat|hierarchical] [--preallocate] [--series N] [--seconds "
         "S] [--prepare S] [--window MS] [--many]\n");
      return 2;
   }
   must (mt_engine_open (argv[1], &(MtEngineOptions) {.create = true}, &b.e, &err), argv[1], &err);
   set_up (&b);
   unsigned long hits = run (&b);
   read_one (&b);
   read_back (&b, hits);
   mt_engine_close (b.e);
   bson_destroy (&b.first[0]);
   bson_destroy (&b.first[1]);
   bson_destroy (&b.slots);
   free (b.ids);
   return 0;
}
