/* Generates the data of the tutorial's lessons: the feed of a call-monitoring system, with one row
 * for each combination of three dimensions, minute and feed partition; or with --data minute,
 * samples of a machine's gauges.
 *
 *    generate [--rows N] [--format csv|jsonl|bson] [--clean] [--describe] [--data calls|minute]
 *             [--no-header] [-o FILE]
 *
 * The same arguments give the same bytes on every machine. At full size (the default, 8,380,000
 * rows) the feed has exactly 271 minutes from 1428777120, 285,522 combinations of iResult, vCmdid
 * and vAppid, of which 5,927 are clean (only letters, digits, _ and -), and 13,115 pairs of minute
 * and vCmdid with a vAppid that isn't empty. Frequencies are skewed (Zipf), and one combination can
 * occur several times in a minute. With fewer rows there are proportionally fewer combinations.
 * Values that are not clean are like those of real feeds: empty strings, dots, dollars, quotes,
 * backslashes, tabs, line feeds, control characters, multi-byte and zero-width text, and ids of a
 * thousand characters.
 *
 * How it works: first the set of combinations is chosen. Each has one reserved row, in a minute of
 * its own, so that every combination occurs. All other rows are drawn from three Zipf distributions
 * (clean, not clean, empty vAppid) by Walker's alias method. */
#include <bson/bson.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FULL_ROWS 8380000
#define FULL_COMBOS 285522
#define FULL_CLEAN 5927
#define FULL_RARE 2275   /* pairs of minute and rare vCmdid: 13,115 - 271 * 40 */
#define FULL_EMPTY 34794 /* rows with vAppid = '' */
#define FIRST_TIME 1428777120
#define PERIODS 271

enum {
   RESULTS = 12,
   CLEAN_RESULTS = 10,
   CMDS = 120,
   COMMON_CMDS = 40,
   APPS = 6000,
   CLEAN_APPS = 1200
};

/* ---- numbers: xoshiro256**, seeded by splitmix64 (Blackman and Vigna, public domain) ---- */

typedef struct Rng {
   uint64_t s[4];
} Rng;

static uint64_t rotl (uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t rng_next (Rng *r)
{
   uint64_t *s = r->s, result = rotl (s[1] * 5, 7) * 9, t = s[1] << 17;
   s[2] ^= s[0];
   s[3] ^= s[1];
   s[1] ^= s[2];
   s[0] ^= s[3];
   s[2] ^= t;
   s[3] = rotl (s[3], 45);
   return result;
}

static void rng_seed (Rng *r, uint64_t seed)
{
   for (int i = 0; i < 4; i++) {
      uint64_t z = seed += 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      r->s[i] = z ^ (z >> 31);
   }
}

/* Returns a random number from 0 to n - 1, for n < 2^32. Its bias of n / 2^32 does not matter
 * here. */
static uint32_t rng_below (Rng *r, uint32_t n)
{
   return (uint32_t) (((rng_next (r) >> 32) * n) >> 32);
}

static void *xalloc (size_t n, size_t size)
{
   void *p = calloc (n ? n : 1, size);
   if (!p) {
      fprintf (stderr, "generate: out of memory\n");
      exit (1);
   }
   return p;
}

/* ---- values: each kept in the forms in which it is printed ---- */

typedef struct Value {
   char *text;
   uint32_t text_len;
   char *csv, *json;
   uint32_t csv_len, json_len;
   bool clean;
} Value;

static bool is_clean (const char *s)
{
   if (!*s)
      return false;
   for (; *s; s++)
      if (!((*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9') ||
            *s == '_' || *s == '-'))
         return false;
   return true;
}

static char *as_csv (const char *s)
{
   char *out = xalloc (2 * strlen (s) + 3, 1), *p = out;
   bool quote = !*s || strpbrk (s, ",\"\r\n") || strcmp (s, "\\.") == 0;
   if (!quote)
      return strcpy (out, s);
   *p++ = '"';
   for (; *s; s++) {
      if (*s == '"')
         *p++ = '"';
      *p++ = *s;
   }
   *p = '"';
   return out;
}

static char *as_json (const char *s)
{
   char *out = xalloc (6 * strlen (s) + 3, 1), *p = out;
   *p++ = '"';
   for (; *s; s++) {
      if (*s == '"' || *s == '\\')
         p += sprintf (p, "\\%c", *s);
      else if ((unsigned char) *s < 0x20)
         p += sprintf (p, "\\u%04x", *s);
      else
         *p++ = *s;
   }
   *p = '"';
   return out;
}

static Value value (const char *s)
{
   Value v = {.text = strdup (s), .csv = as_csv (s), .json = as_json (s), .clean = is_clean (s)};
   v.text_len = (uint32_t) strlen (s);
   v.csv_len = (uint32_t) strlen (v.csv);
   v.json_len = (uint32_t) strlen (v.json);
   return v;
}

static Value value_f (const char *fmt, ...) __attribute__ ((format (printf, 1, 2)));
static Value value_f (const char *fmt, ...)
{
   char buf[4096];
   va_list ap;
   va_start (ap, fmt);
   vsnprintf (buf, sizeof buf, fmt, ap);
   va_end (ap);
   return value (buf);
}

/* Makes the values of iResult: ten clean ones, the most frequent first, and two others. */
static void make_results (Value *out)
{
   static const char *const text[RESULTS] = {"0",    "-502", "-1", "-500",  "200", "-2",
                                             "-403", "-10",  "1",  "-1001", "",    "-5.02"};
   for (int i = 0; i < RESULTS; i++)
      out[i] = value (text[i]);
}

/* Makes the values of vCmdid. The first COMMON_CMDS occur in every minute. */
static void make_cmds (Value *out)
{
   static const char *const dirty_common[6] = {"", "10000'", "${cmd}", "16.0", "a\\b", "18\t"};
   static const char *const dirty_rare[6] = {
      "%d\"", "%d.%d", "$%d", "{\"cmd\":%d}", "\xe5\x91\xbd\xe4\xbb\xa4%d", "%d\n"};
   static const char *const clean_first[3] = {"10000", "16", "18"};
   for (int i = 0; i < CMDS; i++) {
      if (i < 3)
         out[i] = value (clean_first[i]);
      else if (i < COMMON_CMDS - 6)
         out[i] = value_f ("%d", 10000 + 7 * i);
      else if (i < COMMON_CMDS)
         out[i] = value (dirty_common[i - (COMMON_CMDS - 6)]);
      else if (i < COMMON_CMDS + 50)
         out[i] = value_f ("%s%d", i % 3 ? "2" : "cmd_", 100 + i);
      else {
         char buf[64];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
         snprintf (buf, sizeof buf, dirty_rare[i % 6], 300 + i, i);
#pragma GCC diagnostic pop
         out[i] = value (buf);
      }
   }
}

enum { DIRTY_FORMS = 18 };

static Value long_value (unsigned id, size_t length)
{
   char buf[1001];
   int n = snprintf (buf, sizeof buf, "wx%06x,", id);
   for (size_t i = (size_t) n; i < length; i++)
      buf[i] = "0123456789abcdef./"[(i * 7 + id) % 18];
   buf[length] = 0;
   return value (buf);
}

/* Returns an id (vAppid) that is not clean. `form` chooses how it looks. Ids of different form or
 * number are different. */
static Value dirty_app (unsigned form, unsigned id, uint64_t hex)
{
   static const char *const words[] = {
      "NULL", "None", "null", "undefined", "NaN", "\\N", "(null)", "[object Object]", "N/A", "$",
      ".",    "..",   "\"",   "'",         "\\",  "\\.", " "};
   switch (form) {
   case 0: return value_f ("wx%016" PRIx64 ".%u", hex, id);
   case 1: return value_f ("$appid%u", id);
   case 2: return value_f ("${jndi:ldap://%u.example.org/a}", id);
   case 3: return value_f ("wx%u' OR '1'='1", id);
   case 4: return value_f ("\"wx%016" PRIx64 "\"", hex);
   case 5: return value_f ("C:\\apps\\%u\\wx", id);
   case 6: return value_f ("wx%016" PRIx64 "\t", hex);
   case 7: return value_f ("wx%u\r\nX-Id: 1", id);
   case 8: return value_f ("line %u\nline 2", id);
   case 9: return value_f ("\xe5\xba\x94\xe7\x94\xa8%u", id);
   case 10: return value_f ("\xf0\x9f\x8e\x88 caf\xc3\xa9 e\xcc\x81 %u", id);
   case 11: return value_f ("wx%016" PRIx64 "\xe2\x80\x8b", hex);
   case 12: return id % 5 == 0 ? long_value (id, 1000) : long_value (id, 257 + id % 100);
   case 13: return value_f (" wx%016" PRIx64 " ", hex);
   case 14: return value_f ("{\"appid\":\"wx%u\",\"v\":[1,2]}", id);
   case 15: return value_f ("http://m%u.example.org/?a=1&b=%%27%%20OR", id);
   case 16: return value_f ("\x1b[31m%u\x01\x7f", id);
   default: break;
   }
   unsigned w = id % (sizeof words / sizeof *words);
   unsigned turn = (id - CLEAN_APPS) / DIRTY_FORMS; /* the first of this form are the bare words */
   return turn < sizeof words / sizeof *words ? value (words[turn])
                                              : value_f ("%s,%u", words[w], id);
}

static void make_apps (Rng *r, Value *out)
{
   for (unsigned i = 0; i < CLEAN_APPS; i++)
      out[i] = i % 40 == 7 ? value_f ("appid_%u", i) : value_f ("wx%016" PRIx64, rng_next (r));
   out[CLEAN_APPS] = value ("");
   for (unsigned i = CLEAN_APPS + 1; i < APPS; i++) {
      uint64_t hex = rng_next (r);
      out[i] = dirty_app (i % DIRTY_FORMS, i, hex);
   }
}

/* ---- the feed ---- */

typedef struct Combo {
   uint16_t result, cmd, app;
   int16_t period; /* of its reserved row; -1: not chosen yet */
} Combo;

typedef struct Alias {
   uint32_t first, count; /* over combinations first … first + count - 1 */
   double share;          /* of the drawn rows */
   double *keep;
   uint32_t *other;
} Alias;

typedef struct Feed {
   Rng rng;
   uint64_t rows;
   Value results[RESULTS], cmds[CMDS], apps[APPS];
   Combo *combos;
   uint32_t combo_count, clean_count;
   uint64_t *seen; /* open addressing set of combinations chosen */
   size_t seen_cap;
   Alias draws[3];
   uint32_t *reserved; /* combinations by the minute of their reserved row */
   uint32_t reserved_at[PERIODS + 1];
} Feed;

static bool combo_add (Feed *f, unsigned result, unsigned cmd, unsigned app, int period)
{
   uint64_t key = 1 + (((uint64_t) app * CMDS + cmd) * RESULTS + result);
   size_t at = (size_t) (key * 0x9e3779b97f4a7c15u >> 20) & (f->seen_cap - 1);
   while (f->seen[at]) {
      if (f->seen[at] == key)
         return false;
      at = (at + 1) & (f->seen_cap - 1);
   }
   f->seen[at] = key;
   f->combos[f->combo_count++] = (Combo) {(uint16_t) result, (uint16_t) cmd, (uint16_t) app,
                                          (int16_t) period};
   return true;
}

static bool combo_is_clean (const Feed *f, const Combo *c)
{
   return f->results[c->result].clean && f->cmds[c->cmd].clean && f->apps[c->app].clean;
}

/* Returns a random index from 0 to n - 1, where small ones are more frequent: the product of two
 * uniform numbers falls off like a power law. */
static uint32_t skewed (Rng *r, uint32_t n)
{
   uint64_t a = rng_below (r, 1u << 16);
   uint64_t b = rng_below (r, 1u << 16);
   return (uint32_t) ((a * b >> 16) * n >> 16);
}

static unsigned common_cmd (Rng *r, bool clean)
{
   bool rare = !clean && rng_below (r, 8) == 0;
   return rare ? COMMON_CMDS - 6 + rng_below (r, 6) : skewed (r, COMMON_CMDS - 6);
}

static void choose_clean (Feed *f, uint32_t count)
{
   uint32_t first = f->combo_count;
   while (f->combo_count < first + count) {
      /* one random number per statement: C does not define the order in which function arguments
       * are evaluated */
      unsigned result = skewed (&f->rng, CLEAN_RESULTS);
      unsigned cmd = common_cmd (&f->rng, true);
      combo_add (f, result, cmd, skewed (&f->rng, CLEAN_APPS), -1);
   }
   f->clean_count = f->combo_count;
   f->draws[0] = (Alias) {.first = first, .count = count, .share = 0.60};
}

static void choose_empty (Feed *f, uint32_t count, uint32_t combos)
{
   uint32_t first = f->combo_count;
   while (f->combo_count < first + count) {
      unsigned result = skewed (&f->rng, RESULTS);
      combo_add (f, result, common_cmd (&f->rng, false), CLEAN_APPS, -1);
   }
   double rows = (double) f->rows * FULL_EMPTY / FULL_ROWS - count;
   f->draws[1] = (Alias) {
      .first = first, .count = count, .share = rows > 0 ? rows / (double) (f->rows - combos) : 0};
}

/* Adds the combinations of rare commands. Each is in its own minute, and its command has no other
 * rows. None is clean, so that the number of clean combinations does not change. */
static void choose_rare (Feed *f, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      unsigned cmd = COMMON_CMDS + i % (CMDS - COMMON_CMDS), turn = i / (CMDS - COMMON_CMDS);
      int period = (int) ((turn * 97 + cmd * 31) % PERIODS);
      Combo c;
      do {
         c = (Combo) {(uint16_t) rng_below (&f->rng, RESULTS), (uint16_t) cmd, 0, -1};
         c.app = (uint16_t) (CLEAN_APPS + 1 + rng_below (&f->rng, APPS - CLEAN_APPS - 1));
      } while (combo_is_clean (f, &c) || !combo_add (f, c.result, c.cmd, c.app, period));
   }
}

static void choose_dirty (Feed *f, uint32_t count)
{
   uint32_t first = f->combo_count;
   while (f->combo_count < first + count) {
      bool clean_app = rng_below (&f->rng, 32) == 0;
      unsigned app = clean_app ? skewed (&f->rng, CLEAN_APPS)
                               : CLEAN_APPS + 1 + skewed (&f->rng, APPS - CLEAN_APPS - 1);
      unsigned result = skewed (&f->rng, RESULTS), cmd = common_cmd (&f->rng, false);
      Combo c = {(uint16_t) result, (uint16_t) cmd, (uint16_t) app, -1};
      if (!combo_is_clean (f, &c))
         combo_add (f, c.result, c.cmd, c.app, -1);
   }
   f->draws[2] = (Alias) {.first = first, .count = count};
}

/* Builds the tables of Walker's alias method, for the weights 1 / (rank + 3)^(7/8). Uses square
 * roots, because sqrt () gives the same bits on all machines and pow () does not. */
static void alias_build (Alias *a)
{
   uint32_t n = a->count, small_count = 0, large_count = 0;
   double total = 0, *w = xalloc (n, sizeof *w);
   uint32_t *small = xalloc (n, sizeof *small), *large = xalloc (n, sizeof *large);
   a->keep = xalloc (n, sizeof *a->keep);
   a->other = xalloc (n, sizeof *a->other);
   for (uint32_t i = 0; i < n; i++)
      total += w[i] = 1.0 / (sqrt (i + 3.0) * sqrt (sqrt (i + 3.0)) * sqrt (sqrt (sqrt (i + 3.0))));
   for (uint32_t i = 0; i < n; i++) {
      w[i] *= n / total;
      if (w[i] < 1)
         small[small_count++] = i;
      else
         large[large_count++] = i;
   }
   while (small_count && large_count) {
      uint32_t s = small[--small_count], l = large[large_count - 1];
      a->keep[s] = w[s];
      a->other[s] = l;
      w[l] -= 1 - w[s];
      if (w[l] < 1) {
         large_count--;
         small[small_count++] = l;
      }
   }
   while (large_count)
      a->keep[large[--large_count]] = 1;
   while (small_count)
      a->keep[small[--small_count]] = 1;
   free (w);
   free (small);
   free (large);
}

static uint32_t alias_draw (Rng *r, const Alias *a)
{
   uint32_t i = rng_below (r, a->count);
   double u = (double) (rng_next (r) >> 11) * 0x1p-53;
   return a->first + (u < a->keep[i] ? i : a->other[i]);
}

/* Draws a random combination from one of the three distributions: clean, empty, or not clean. */
static uint32_t feed_draw (Feed *f)
{
   double u = (double) (rng_next (&f->rng) >> 11) * 0x1p-53;
   const Alias *a = &f->draws[2];
   if (u < f->draws[0].share)
      a = &f->draws[0];
   else if (u < f->draws[0].share + f->draws[1].share)
      a = &f->draws[1];
   return alias_draw (&f->rng, a);
}

static uint32_t scaled (uint64_t rows, uint32_t full, uint32_t least)
{
   uint64_t n = (rows * full + FULL_ROWS / 2) / FULL_ROWS;
   return n < least ? least : (uint32_t) n;
}

static void reserve_rows (Feed *f)
{
   for (uint32_t i = 0; i < f->combo_count; i++) {
      if (f->combos[i].period < 0)
         f->combos[i].period = (int16_t) rng_below (&f->rng, PERIODS);
      f->reserved_at[f->combos[i].period + 1]++;
   }
   for (int p = 0; p < PERIODS; p++)
      f->reserved_at[p + 1] += f->reserved_at[p];
   uint32_t fill[PERIODS];
   memcpy (fill, f->reserved_at, sizeof fill);
   f->reserved = xalloc (f->combo_count, sizeof *f->reserved);
   for (uint32_t i = 0; i < f->combo_count; i++)
      f->reserved[fill[f->combos[i].period]++] = i;
}

static Feed *feed_new (uint64_t rows, bool clean_only)
{
   Feed *f = xalloc (1, sizeof *f);
   rng_seed (&f->rng, 20150411);
   f->rows = rows;
   make_results (f->results);
   make_cmds (f->cmds);
   make_apps (&f->rng, f->apps);
   /* with more rows than the full size, use the combinations of the full size */
   uint64_t basis = rows < FULL_ROWS ? rows : FULL_ROWS;
   uint32_t combos = scaled (basis, FULL_COMBOS, 8), clean = scaled (basis, FULL_CLEAN, 2);
   uint32_t rare = scaled (basis, FULL_RARE, 1), empty = scaled (basis, 160, 1);
   f->seen_cap = 1u << 20;
   f->seen = xalloc (f->seen_cap, sizeof *f->seen);
   f->combos = xalloc (combos, sizeof *f->combos);
   choose_clean (f, clean);
   if (clean_only) {
      f->draws[0].share = 1;
      alias_build (&f->draws[0]);
   } else {
      choose_empty (f, empty, combos);
      choose_rare (f, rare);
      choose_dirty (f, combos - f->combo_count);
      for (int i = 0; i < 3; i++)
         alias_build (&f->draws[i]);
   }
   reserve_rows (f);
   return f;
}

static void values_free (Value *v, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      free (v[i].text);
      free (v[i].csv);
      free (v[i].json);
   }
}

static void feed_free (Feed *f)
{
   values_free (f->results, RESULTS);
   values_free (f->cmds, CMDS);
   values_free (f->apps, APPS);
   for (int i = 0; i < 3; i++) {
      free (f->draws[i].keep);
      free (f->draws[i].other);
   }
   free (f->combos);
   free (f->seen);
   free (f->reserved);
   free (f);
}

/* Returns the number of rows before the end of minute p: evenly spread, plus a slow wave of 2 %.
 * The wave is a table, because sin () does not give the same bits on all machines. */
static uint64_t rows_before (const Feed *f, int p)
{
   static const int wave[16] = {0, 3, 6, 8, 9, 8, 6, 3, 0, -3, -6, -8, -9, -8, -6, -3};
   uint64_t even = f->rows * (uint64_t) p / PERIODS;
   if (p <= 0 || p >= PERIODS || f->rows < FULL_ROWS / 4)
      return even;
   return (uint64_t) ((int64_t) even + wave[p % 16] * (int64_t) (f->rows / PERIODS) / 400);
}

/* ---- rows out ---- */

typedef struct Row {
   int64_t time;
   const Value *result, *cmd, *app;
   uint32_t combo, cmd_index;
   int period;
   int64_t total;
   int64_t process_ms; /* integral, so that sums of doubles are exact */
} Row;

typedef struct Out {
   FILE *file;
   char *buf;
   size_t n, cap;
   uint64_t written;
   bool failed;
} Out;

static void out_flush (Out *o)
{
   if (o->n && fwrite (o->buf, 1, o->n, o->file) != o->n)
      o->failed = true;
   o->written += o->n;
   o->n = 0;
}

static char *out_need (Out *o, size_t more)
{
   if (o->n + more > o->cap)
      out_flush (o);
   return o->buf + o->n;
}

static char *put (char *p, const char *s, size_t n)
{
   memcpy (p, s, n);
   return p + n;
}

static char *put_int (char *p, int64_t v)
{
   char tmp[24];
   int n = 0;
   do
      tmp[n++] = (char) ('0' + v % 10);
   while (v /= 10);
   while (n)
      *p++ = tmp[--n];
   return p;
}

static void write_csv (Out *o, const Row *r)
{
   char *p = out_need (o, 128 + r->result->csv_len + r->cmd->csv_len + r->app->csv_len);
   p = put_int (p, r->time);
   *p++ = ',';
   p = put (p, r->result->csv, r->result->csv_len);
   *p++ = ',';
   p = put (p, r->cmd->csv, r->cmd->csv_len);
   *p++ = ',';
   p = put (p, r->app->csv, r->app->csv_len);
   *p++ = ',';
   p = put_int (p, r->total);
   *p++ = ',';
   p = put_int (p, r->process_ms);
   *p++ = '\n';
   o->n = (size_t) (p - o->buf);
}

#define PUT(p, literal) put ((p), literal, sizeof (literal) - 1)

static void write_jsonl (Out *o, const Row *r)
{
   char *p = out_need (o, 256 + r->result->json_len + r->cmd->json_len + r->app->json_len);
   p = PUT (p, "{\"timestamp\":");
   p = put_int (p, r->time);
   p = PUT (p, ",\"iResult\":");
   p = put (p, r->result->json, r->result->json_len);
   p = PUT (p, ",\"vCmdid\":");
   p = put (p, r->cmd->json, r->cmd->json_len);
   p = PUT (p, ",\"vAppid\":");
   p = put (p, r->app->json, r->app->json_len);
   p = PUT (p, ",\"totalCount\":");
   p = put_int (p, r->total);
   p = PUT (p, ",\"dProcessTime\":");
   p = put_int (p, r->process_ms);
   p = PUT (p, "}\n");
   o->n = (size_t) (p - o->buf);
}

/* Writes a row as one BSON document, as other software stores it: first an ObjectId made of the
 * time and a counter. */
static void write_bson (Out *o, const Row *r)
{
   static uint32_t counter;
   uint8_t id[12] = {0};
   for (int i = 0; i < 4; i++) {
      id[i] = (uint8_t) (r->time >> (24 - 8 * i));
      id[8 + i] = (uint8_t) (counter >> (24 - 8 * i));
   }
   counter++;
   bson_oid_t oid;
   bson_oid_init_from_data (&oid, id);
   bson_t doc = BSON_INITIALIZER;
   BSON_APPEND_OID (&doc, "_id", &oid);
   BSON_APPEND_INT32 (&doc, "timestamp", (int32_t) r->time);
   bson_append_utf8 (&doc, "iResult", 7, r->result->text, (int) r->result->text_len);
   bson_append_utf8 (&doc, "vCmdid", 6, r->cmd->text, (int) r->cmd->text_len);
   bson_append_utf8 (&doc, "vAppid", 6, r->app->text, (int) r->app->text_len);
   BSON_APPEND_INT32 (&doc, "totalCount", (int32_t) r->total);
   BSON_APPEND_DOUBLE (&doc, "dProcessTime", (double) r->process_ms);
   char *p = out_need (o, doc.len);
   memcpy (p, bson_get_data (&doc), doc.len);
   o->n += doc.len;
   bson_destroy (&doc);
}

/* ---- what a feed has, counted ---- */

typedef struct Counts {
   uint64_t rows, empty_app, total, process_ms, repeated;
   uint8_t *combo_seen, *cmd_seen;
   int *combo_last; /* the minute in which it was seen last, + 1 */
   uint64_t per_period[PERIODS];
   uint8_t q2[PERIODS][CMDS];
} Counts;

static void count_row (Counts *c, const Row *r)
{
   c->rows++;
   c->total += (uint64_t) r->total;
   c->process_ms += (uint64_t) r->process_ms;
   c->combo_seen[r->combo] = 1;
   c->repeated += c->combo_last[r->combo] == r->period + 1;
   c->combo_last[r->combo] = r->period + 1;
   c->per_period[r->period]++;
   if (r->app->text_len)
      c->q2[r->period][r->cmd_index] = 1;
   else
      c->empty_app++;
}

static void counts_print (const Counts *c, const Feed *f, FILE *file)
{
   uint64_t combos = 0, clean = 0, periods = 0, q2 = 0, least = UINT64_MAX, most = 0;
   for (uint32_t i = 0; i < f->combo_count; i++)
      if (c->combo_seen[i]) {
         combos++;
         clean += combo_is_clean (f, &f->combos[i]);
      }
   for (int p = 0; p < PERIODS; p++) {
      periods += c->per_period[p] > 0;
      least = c->per_period[p] < least ? c->per_period[p] : least;
      most = c->per_period[p] > most ? c->per_period[p] : most;
      for (int m = 0; m < CMDS; m++)
         q2 += c->q2[p][m];
   }
   fprintf (file, "rows                        %" PRIu64 "\n", c->rows);
   fprintf (file, "periods                     %" PRIu64 "\n", periods);
   fprintf (file, "rows a period               %" PRIu64 " .. %" PRIu64 "\n", least, most);
   fprintf (file, "combinations                %" PRIu64 "\n", combos);
   fprintf (file, "clean combinations          %" PRIu64 "\n", clean);
   fprintf (file, "rows repeating a combination %" PRIu64 "\n", c->repeated);
   fprintf (file, "rows with vAppid = ''       %" PRIu64 "\n", c->empty_app);
   fprintf (file, "timestamp, vCmdid pairs     %" PRIu64 "\n", q2);
   fprintf (file, "sum of totalCount           %" PRIu64 "\n", c->total);
   fprintf (file, "sum of dProcessTime         %" PRIu64 "\n", c->process_ms);
}

/* ---- running ---- */

typedef struct Options {
   uint64_t rows;
   const char *format, *output, *data;
   bool clean, describe, no_header;
} Options;

typedef void (*RowFn) (Out *o, const Row *r);

static void fill_row (Feed *f, Row *r, uint32_t combo)
{
   const Combo *c = &f->combos[combo];
   r->combo = combo;
   r->cmd_index = c->cmd;
   r->result = &f->results[c->result];
   r->cmd = &f->cmds[c->cmd];
   r->app = &f->apps[c->app];
   uint64_t u = rng_next (&f->rng);
   /* three rows in four count one call; the process time depends on the command */
   r->total = (u & 3) ? 1 : 1 + (int64_t) ((u >> 2 & 31) * (u >> 7 & 7));
   r->process_ms = (int64_t) ((u >> 16 & 63) + (u >> 22 & 15) * c->cmd) *
                   ((u >> 40 & 255) ? 1 : 100);
}

static void run_calls (Feed *f, Out *o, RowFn write, Counts *counts)
{
   for (int p = 0; p < PERIODS; p++) {
      uint64_t left = rows_before (f, p + 1) - rows_before (f, p);
      const uint32_t *reserved = f->reserved + f->reserved_at[p];
      uint32_t reserved_left = f->reserved_at[p + 1] - f->reserved_at[p];
      Row r = {.time = FIRST_TIME + 60 * (int64_t) p, .period = p};
      for (; left; left--) {
         bool take = reserved_left && rng_below (&f->rng, (uint32_t) left) < reserved_left;
         fill_row (f, &r, take ? reserved[--reserved_left] : feed_draw (f));
         if (counts)
            count_row (counts, &r);
         else
            write (o, &r);
      }
   }
}

/* Writes samples of a machine's gauges: five series, one sample a second. In each minute two or
 * three seconds are missing. */
static void run_minute (Out *o, const Options *opt)
{
   static const char *const series[5] = {"memory_used", "cpu_user", "disk.read", "net_in", "load"};
   Rng rng;
   rng_seed (&rng, 7);
   bool json = strcmp (opt->format, "jsonl") == 0;
   uint64_t made = 0;
   if (!json && !opt->no_header)
      o->n = (size_t) (PUT (o->buf, "ts,type,value\n") - o->buf);
   for (int64_t t = FIRST_TIME; made < opt->rows; t++)
      for (int s = 0; s < 5 && made < opt->rows; s++) {
         uint64_t u = rng_next (&rng);
         if ((t + 7 * s) % 23 == 5)
            continue;
         int64_t v = 1000 * (s + 1) + (int64_t) (u & 1023);
         char *p = out_need (o, 256);
         p += sprintf (p,
                       json ? "{\"ts\":%" PRId64 ",\"type\":\"%s\",\"value\":%" PRId64 "}\n"
                            : "%" PRId64 ",%s,%" PRId64 "\n",
                       t, series[s], v);
         o->n = (size_t) (p - o->buf);
         made++;
      }
}

static int usage (const char *why, const char *what)
{
   fprintf (
      stderr,
      "generate: %s%s\nusage: generate [--rows N] [--format csv|jsonl|bson] [--clean] [--describe] "
      "[--data calls|minute] [--no-header] [-o FILE]\n",
      why, what);
   return 1;
}

static int describe (Feed *f)
{
   Counts *c = xalloc (1, sizeof *c);
   c->combo_seen = xalloc (f->combo_count, 1);
   c->combo_last = xalloc (f->combo_count, sizeof *c->combo_last);
   run_calls (f, NULL, NULL, c);
   counts_print (c, f, stdout);
   free (c->combo_seen);
   free (c->combo_last);
   free (c);
   return 0;
}

static RowFn writer_of (const char *format)
{
   static const struct {
      const char *format;
      RowFn write;
   } writers[] = {{"csv", write_csv}, {"jsonl", write_jsonl}, {"bson", write_bson}};
   for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
      if (strcmp (format, writers[i].format) == 0)
         return writers[i].write;
   return NULL;
}

static int run (const Options *opt)
{
   RowFn write = writer_of (opt->format);
   bool minute = strcmp (opt->data, "minute") == 0;
   if (!write || (minute && write == write_bson))
      return usage ("unknown format: ", opt->format);
   if (!minute && strcmp (opt->data, "calls") != 0)
      return usage ("unknown data: ", opt->data);
   Feed *f = minute ? NULL : feed_new (opt->rows, opt->clean);
   if (f && f->combo_count > opt->rows) {
      feed_free (f);
      return usage ("at least 100 rows are needed", "");
   }
   if (f && opt->describe) {
      int rc = describe (f);
      feed_free (f);
      return rc;
   }
   Out o = {.cap = 1 << 20, .buf = xalloc (1 << 20, 1)};
   o.file = opt->output ? fopen (opt->output, "wb") : stdout;
   if (!o.file) {
      fprintf (stderr, "generate: %s: %s\n", opt->output, strerror (errno));
      return 1;
   }
   if (f && write == write_csv && !opt->no_header)
      o.n = (size_t) (PUT (o.buf, "timestamp,iResult,vCmdid,vAppid,totalCount,dProcessTime\n") -
                      o.buf);
   if (minute)
      run_minute (&o, opt);
   else
      run_calls (f, &o, write, NULL);
   out_flush (&o);
   o.failed |= fclose (o.file) != 0;
   if (o.failed)
      fprintf (stderr, "generate: %s: %s\n", opt->output ? opt->output : "standard output",
               strerror (errno));
   free (o.buf);
   if (f)
      feed_free (f);
   return o.failed;
}

int main (int argc, char **argv)
{
   Options opt = {.rows = FULL_ROWS, .format = "csv", .data = "calls"};
   for (int i = 1; i < argc; i++) {
      const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
      char *end;
      if (strcmp (a, "--clean") == 0)
         opt.clean = true;
      else if (strcmp (a, "--describe") == 0)
         opt.describe = true;
      else if (strcmp (a, "--no-header") == 0)
         opt.no_header = true;
      else if (!next)
         return usage ("unknown option, or its value is missing: ", a);
      else if (strcmp (a, "--rows") == 0) {
         opt.rows = strtoull (next, &end, 10);
         if (*end || !opt.rows || opt.rows > UINT32_MAX)
            return usage ("not a number of rows: ", next);
         i++;
      } else if (strcmp (a, "--format") == 0)
         opt.format = argv[++i];
      else if (strcmp (a, "--data") == 0)
         opt.data = argv[++i];
      else if (strcmp (a, "-o") == 0)
         opt.output = argv[++i];
      else
         return usage ("unknown option: ", a);
   }
   return run (&opt);
}
