/* Generates an Arcanum feed (extensions/ARCANUM.md): XML that says which mobile telephone was seen
 * at which cell tower, about 600 bytes a record.
 *
 *    feed [--records N] [--users N] [--towers N] [--rate N] [--start SECONDS] [--bad N] [--seed N]
 *         [-o FILE]
 *    feed --csv …
 *         writes user, tower and milliseconds of each correct record as CSV
 *    feed --towers-csv [--towers N] [-o FILE]
 *         writes where each tower stood, and when
 *    feed --pace --statement 'COPY … FROM STDIN …' [--batches N] …
 *         writes records at the rate at which they happen, as statements for mtsql's standard input
 *
 * The same arguments give the same bytes on every machine. There are `rate` records for each second
 * from `start` on; one in 20 comes up to a minute late. One in `bad` is invalid (0: none). One in
 * 1,000 names a tower that is in no table. --pace writes `batches` statements a second. At the end
 * it prints on standard error how long it took and how late the latest batch was written, because
 * the reader can be slower. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Feed {
   uint64_t records, users, towers, rate, start, bad, seed, batches;
   const char *statement, *file;
   bool csv, towers_csv, pace;
   FILE *out;
} Feed;

static void stop (const char *what, const char *which)
{
   fprintf (stderr, "feed: %s%s\n", what, which);
   exit (1);
}

/* Returns a pseudo-random number that depends only on z: splitmix64 (Vigna, public domain). */
static uint64_t mixed (uint64_t z)
{
   z += 0x9e3779b97f4a7c15u;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
   return z ^ (z >> 31);
}

/* ---- time ---- */

/* Writes a time like 2013-05-01T10:00:00.000Z, by Hinnant's algorithm for converting days to a
 * date. */
static void put_time (FILE *out, uint64_t ms)
{
   uint64_t s = ms / 1000, day = s / 86400, z = day + 719468, era = z / 146097,
            doe = z - era * 146097;
   uint64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
            doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
   uint64_t d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9,
            y = yoe + era * 400 + (m <= 2);
   fprintf (out,
            "%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64 "T%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64
            ".%03" PRIu64 "Z",
            y, m, d, s / 3600 % 24, s / 60 % 60, s % 60, ms % 1000);
}

static double now_s (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void wait_until (double s)
{
   double left = s - now_s ();
   if (left > 0)
      nanosleep (&(struct timespec) {(time_t) left, (long) ((left - (double) (time_t) left) * 1e9)},
                 NULL);
}

/* ---- towers ---- */

/* Writes v as degrees; v is in units of 0.00001 degrees. */
static void put_degrees (FILE *out, uint64_t v)
{
   fprintf (out, "%" PRIu64 ".%05" PRIu64, v / 100000, v % 100000);
}

static void put_place (FILE *out, uint64_t r)
{
   put_degrees (out, 4730000 + r % 750000);
   fputc (',', out);
   put_degrees (out, 590000 + (r >> 32) % 910000);
   fputc ('\n', out);
}

/* Writes the table of towers as CSV. Most towers have always stood at one place; one in four was
 * moved in the first half hour of the feed. */
static void put_towers (const Feed *f)
{
   fputs ("tower,valid_from,valid_to,latitude,longitude\n", f->out);
   for (uint64_t i = 1; i <= f->towers; i++) {
      bool moved = i % 4 == 0;
      uint64_t when = (f->start + mixed (i) % 1800) * 1000;
      fprintf (f->out, "%" PRIu64 ",,", i);
      if (moved)
         put_time (f->out, when);
      fputc (',', f->out);
      put_place (f->out, mixed (2 * i));
      if (!moved)
         continue;
      fprintf (f->out, "%" PRIu64 ",", i);
      put_time (f->out, when);
      fputs (",,", f->out);
      put_place (f->out, mixed (2 * i + 1));
   }
}

/* ---- records ---- */

static const char *const types[] = {"LU", "CALL", "SMS", "PDP", "PAGE"};
static const char *const causes[] = {"periodic <update>", "normal & clear", "handover", "user busy",
                                     "IMSI attach"};

static void put_record (const Feed *f, uint64_t i)
{
   uint64_t r = mixed (f->seed * 0x10001 + i), late = r % 20 == 0 ? mixed (r) % 60000 : 0,
            ms = f->start * 1000 + i * 1000 / f->rate;
   uint64_t user = (r >> 8) % f->users + 1,
            tower = (mixed (user) + ms / 600000 * (user % 5)) % f->towers + 1;
   unsigned wrong = f->bad && i % f->bad == f->bad - 1 ? 1 + (unsigned) (i / f->bad % 3) : 0;
   unsigned a = (unsigned) (mixed (r + 1) >> 40), b = (unsigned) (mixed (r + 2) >> 40);
   ms = ms > late ? ms - late : 0;
   if ((r >> 40) % 1000 == 0)
      tower += f->towers;
   if (f->csv) {
      if (!wrong)
         fprintf (f->out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", user, tower, ms);
      return;
   }
   fprintf (f->out, "  <a:record seq=\"%" PRIu64 "\" type=\"%s\">\n    <a:subscriber id=\"", i,
            types[a % 5]);
   if (wrong == 1)
      fputs ("unknown", f->out);
   else
      fprintf (f->out, "%" PRIu64, user);
   fprintf (f->out,
            "\" imsi=\"26201%010" PRIu64 "\"><a:network>Nord &amp; S\xC3\xBC"
            "d &#71;SM</a:network><a:tac>%08u</a:tac></a:subscriber>\n",
            user * 7919, a);
   fprintf (f->out,
            "    <a:location><a:cell id=\"%" PRIu64
            "\" lac=\"%u\" rac=\"%u\"/><v:timing advance=\"%u\"/></a:location>\n",
            tower, a % 9973, b % 255, a % 64);
   fputs ("    <a:event>", f->out);
   if (wrong != 2) {
      fputs ("<a:time>", f->out);
      if (wrong == 3)
         fputs ("yesterday, ", f->out);
      put_time (f->out, ms);
      fputs ("</a:time>", f->out);
   }
   fprintf (f->out, "<a:cause code=\"%u\"><![CDATA[%s]]></a:cause></a:event>\n", b % 97,
            causes[b % 5]);
   fprintf (f->out,
            "    <v:probe serial=\"%08x\"><v:counter name=\"rx\">%u</v:counter><v:counter "
            "name=\"tx\">%u</v:counter><!-- %s --></v:probe>\n  </a:record>\n",
            a ^ b, a, b, a % 2 ? "checked" : "not checked");
}

static void put_head (const Feed *f)
{
   fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a:feed xmlns:a=\"urn:arcanum:feed:1\" "
          "xmlns:v=\"urn:vendor:probe\" source=\"msc-07\">\n",
          f->out);
}

static void put_feed (const Feed *f)
{
   if (!f->csv)
      put_head (f);
   for (uint64_t i = 0; i < f->records; i++)
      put_record (f, i);
   if (!f->csv)
      fputs ("</a:feed>\n", f->out);
}

/* Writes the feed in batches, each a COPY statement. A batch is written at the time when its last
 * record happens. */
static void put_paced (const Feed *f)
{
   double start = now_s (), latest = 0;
   for (uint64_t i = 0, batch = 1; i < f->records; batch++) {
      uint64_t end = batch * f->rate / f->batches;
      end = end < f->records ? end : f->records;
      if (end == i)
         continue;
      double due = start + (double) end / (double) f->rate;
      wait_until (due);
      fprintf (f->out, "%s\n", f->statement);
      put_head (f);
      for (; i < end; i++)
         put_record (f, i);
      fputs ("</a:feed>\n\\.\n", f->out);
      fflush (f->out);
      latest = now_s () - due > latest ? now_s () - due : latest;
   }
   fprintf (stderr, "feed: %" PRIu64 " records in %.1f s, %.2f s late at most\n", f->records,
            now_s () - start, latest);
}

/* ---- arguments ---- */

static uint64_t number (const char *option, const char *text)
{
   char *end;
   errno = 0;
   unsigned long long v = text ? strtoull (text, &end, 10) : 0;
   if (!text || !*text || *end || errno || *text == '-')
      stop ("a number is needed after ", option);
   return v;
}

static void read_arguments (Feed *f, int argc, char **argv)
{
   struct {
      const char *name;
      uint64_t *to;
   } numbers[] = {{"--records", &f->records}, {"--users", &f->users},    {"--towers", &f->towers},
                  {"--rate", &f->rate},       {"--start", &f->start},    {"--bad", &f->bad},
                  {"--seed", &f->seed},       {"--batches", &f->batches}};
   for (int i = 1; i < argc; i++) {
      size_t k = 0;
      while (k < sizeof numbers / sizeof *numbers && strcmp (argv[i], numbers[k].name) != 0)
         k++;
      if (k < sizeof numbers / sizeof *numbers) {
         *numbers[k].to = number (argv[i], argv[i + 1]);
         i++;
      } else if (strcmp (argv[i], "--towers-csv") == 0)
         f->towers_csv = true;
      else if (strcmp (argv[i], "--csv") == 0)
         f->csv = true;
      else if (strcmp (argv[i], "--pace") == 0)
         f->pace = true;
      else if (strcmp (argv[i], "--statement") == 0 && argv[i + 1])
         f->statement = argv[++i];
      else if (strcmp (argv[i], "-o") == 0 && argv[i + 1])
         f->file = argv[++i];
      else
         stop ("unknown option: ", argv[i]);
   }
   if (!f->users || !f->towers || !f->rate || !f->batches || f->pace != (f->statement != NULL) ||
       (f->csv && f->pace))
      stop ("numbers but --records and --bad can't be 0, --pace and --statement go together, and "
            "--pace is of XML",
            "");
}

int main (int argc, char **argv)
{
   Feed f = {.records = 100000,
             .users = 1000,
             .towers = 200,
             .rate = 40,
             .start = 1367402400,
             .batches = 10,
             .out = stdout};
   read_arguments (&f, argc, argv);
   if (f.file && !(f.out = fopen (f.file, "w")))
      stop (f.file, " can't be written");
   if (f.towers_csv)
      put_towers (&f);
   else if (f.pace)
      put_paced (&f);
   else
      put_feed (&f);
   if (fflush (f.out) != 0 || ferror (f.out))
      stop ("could not write: ", strerror (errno));
   return 0;
}
