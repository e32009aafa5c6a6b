/* What a hand-written loop makes of the same bytes: the measure that the engine is held against
 * (bench/results.md).
 *
 *    walker nest ROWS.bson NESTED.bson
 *       packs row documents as system C does: by vAppid, levels ts, iResult, vCmdid, sums at ts
 *    walker q1-rows|q2-rows|q1-nested|q2-nested FILE [THREADS]
 *       the question over a mapped file; prints groups, sum and the best of five runs in
 *       milliseconds
 *
 * Nothing here is general: the fields' names are compiled in, sub-documents that aren't asked for
 * are skipped by their length, and groups are kept in an open-addressing table. It reads what it
 * wrote itself or what `generate --format bson` made, and checks nothing. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void die (const char *what)
{
   fprintf (stderr, "walker: %s: %s\n", what, strerror (errno));
   exit (1);
}

static void *xrealloc (void *p, size_t n)
{
   p = realloc (p, n);
   if (!p)
      die ("memory");
   return p;
}

static int32_t i32 (const uint8_t *p)
{
   int32_t v;
   memcpy (&v, p, 4);
   return v;
}

static double f64 (const uint8_t *p)
{
   double v;
   memcpy (&v, p, 8);
   return v;
}

/* ---- elements ---- */

typedef struct El {
   uint8_t type;
   const char *name;
   const uint8_t *v;
} El;

static size_t value_size (uint8_t type, const uint8_t *v)
{
   switch (type) {
   case 0x01:
   case 0x09:
   case 0x12: return 8;
   case 0x02: return 4 + (size_t) i32 (v);
   case 0x03:
   case 0x04: return (size_t) i32 (v);
   case 0x07: return 12;
   case 0x08: return 1;
   case 0x0A: return 0;
   case 0x10: return 4;
   default: fprintf (stderr, "walker: BSON type %d isn't in this data\n", type); exit (1);
   }
}

/* Steps to the element at *p; false at the end of the document. */
static inline bool next (const uint8_t **p, El *e)
{
   const uint8_t *at = *p;
   if (!*at)
      return false;
   e->type = *at++;
   e->name = (const char *) at;
   while (*at)
      at++;
   e->v = at + 1;
   *p = e->v + value_size (e->type, e->v);
   return true;
}

static inline int64_t number (const El *e)
{
   switch (e->type) {
   case 0x10: return i32 (e->v);
   case 0x01: return (int64_t) f64 (e->v);
   default: return (int64_t) (uint32_t) i32 (e->v) | (int64_t) i32 (e->v + 4) << 32;
   }
}

/* ---- groups ---- */

typedef struct Group {
   int64_t time, sum;
   const char *text; /* NULL: not part of the key */
   uint32_t text_len, used;
} Group;

typedef struct Groups {
   Group *slots;
   size_t cap, count;
} Groups;

static uint64_t hash (int64_t time, const char *text, uint32_t len)
{
   uint64_t h = (uint64_t) time * 0x9e3779b97f4a7c15u;
   for (uint32_t i = 0; i < len; i++)
      h = (h ^ (uint8_t) text[i]) * 0x100000001b3u;
   return h ^ h >> 29;
}

static void groups_add (Groups *g, int64_t time, const char *text, uint32_t len, int64_t n);

static void groups_grow (Groups *g)
{
   Groups bigger = {.cap = g->cap ? g->cap * 2 : 4096};
   bigger.slots = calloc (bigger.cap, sizeof (Group));
   if (!bigger.slots)
      die ("memory");
   for (size_t i = 0; i < g->cap; i++)
      if (g->slots[i].used)
         groups_add (&bigger, g->slots[i].time, g->slots[i].text, g->slots[i].text_len,
                     g->slots[i].sum);
   free (g->slots);
   *g = bigger;
}

static void groups_add (Groups *g, int64_t time, const char *text, uint32_t len, int64_t n)
{
   if (g->count * 2 >= g->cap)
      groups_grow (g);
   size_t at = hash (time, text, len) & (g->cap - 1);
   for (;; at = (at + 1) & (g->cap - 1)) {
      Group *s = &g->slots[at];
      if (!s->used) {
         *s = (Group) {time, n, text, len, 1};
         g->count++;
         return;
      }
      if (s->time == time && s->text_len == len && (!len || memcmp (s->text, text, len) == 0)) {
         s->sum += n;
         return;
      }
   }
}

/* ---- the questions, a document each ---- */

typedef void (*DocFn) (const uint8_t *doc, Groups *g);

static void q1_rows (const uint8_t *doc, Groups *g)
{
   const uint8_t *p = doc + 4;
   for (El e; next (&p, &e);)
      if (!strcmp (e.name, "timestamp")) {
         groups_add (g, number (&e), NULL, 0, 1);
         return;
      }
}

static void q2_rows (const uint8_t *doc, Groups *g)
{
   const uint8_t *p = doc + 4;
   int64_t time = 0;
   El cmd = {0};
   for (El e; next (&p, &e);) {
      if (!strcmp (e.name, "timestamp"))
         time = number (&e);
      else if (!strcmp (e.name, "vCmdid"))
         cmd = e;
      else if (!strcmp (e.name, "vAppid") && i32 (e.v) == 1)
         return;
      else if (!strcmp (e.name, "totalCount")) {
         groups_add (g, time, (const char *) cmd.v + 4, (uint32_t) i32 (cmd.v) - 1, number (&e));
         return;
      }
   }
}

static void q1_nested (const uint8_t *doc, Groups *g)
{
   const uint8_t *p = doc + 4;
   for (El e; next (&p, &e);) {
      if (e.type != 0x04)
         continue;
      const uint8_t *list = e.v + 4;
      for (El item; next (&list, &item);) {
         const uint8_t *q = item.v + 4;
         int64_t time = 0;
         for (El f; next (&q, &f);) {
            if (*f.name == 'd')
               time = number (&f);
            else if (*f.name == 'c') {
               groups_add (g, time, NULL, 0, number (&f));
               break;
            }
         }
      }
   }
}

/* The sum of "0" over the records of a command's cell. */
static int64_t sum_records (const uint8_t *cell, const char **cmd, uint32_t *cmd_len)
{
   const uint8_t *p = cell + 4;
   int64_t sum = 0;
   for (El e; next (&p, &e);) {
      if (*e.name == 'd') {
         *cmd = (const char *) e.v + 4;
         *cmd_len = (uint32_t) i32 (e.v) - 1;
         continue;
      }
      const uint8_t *list = e.v + 4;
      for (El item; next (&list, &item);) {
         const uint8_t *q = item.v + 4;
         for (El f; next (&q, &f);)
            if (*f.name == '0')
               sum += number (&f);
      }
   }
   return sum;
}

static void each_list (const uint8_t *cell, int64_t time, int depth, Groups *g)
{
   const uint8_t *p = cell + 4;
   for (El e; next (&p, &e);) {
      if (*e.name == 'd' && depth == 0)
         time = number (&e);
      if (e.type != 0x04)
         continue;
      const uint8_t *list = e.v + 4;
      for (El item; next (&list, &item);) {
         if (depth < 1) {
            each_list (item.v, time, depth + 1, g);
            continue;
         }
         const char *cmd = "";
         uint32_t len = 0;
         int64_t sum = sum_records (item.v, &cmd, &len);
         groups_add (g, time, cmd, len, sum);
      }
   }
}

static void q2_nested (const uint8_t *doc, Groups *g)
{
   const uint8_t *p = doc + 4;
   for (El e; next (&p, &e);) {
      if (!strcmp (e.name, "vAppid") && i32 (e.v) == 1)
         return;
      if (e.type != 0x04)
         continue;
      const uint8_t *list = e.v + 4;
      for (El item; next (&list, &item);)
         each_list (item.v, 0, 0, g);
   }
}

/* ---- running ---- */

typedef struct Part {
   const uint8_t *from, *to;
   DocFn fn;
   Groups groups;
   pthread_t thread;
} Part;

static void *run_part (void *arg)
{
   Part *part = arg;
   for (const uint8_t *p = part->from; p < part->to; p += i32 (p))
      part->fn (p, &part->groups);
   return NULL;
}

static double now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static const uint8_t *map_file (const char *path, size_t *size)
{
   struct stat st;
   int fd = open (path, O_RDONLY);
   if (fd < 0 || fstat (fd, &st))
      die (path);
   *size = (size_t) st.st_size;
   void *p = mmap (NULL, *size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
   if (p == MAP_FAILED)
      die (path);
   close (fd);
   return p;
}

enum { MAX_THREADS = 64 };

static double run_once (const uint8_t *data, size_t size, DocFn fn, int threads, size_t *count,
                        int64_t *sum)
{
   Part parts[MAX_THREADS] = {0};
   double start = now_ms ();
   const uint8_t *p = data, *end = data + size;
   for (int i = 0; i < threads; i++) {
      const uint8_t *goal = data + size / (size_t) threads * (size_t) (i + 1);
      parts[i] = (Part) {.from = p, .fn = fn};
      while (p < end && (p < goal || i + 1 == threads))
         p += i32 (p);
      parts[i].to = p;
      if (pthread_create (&parts[i].thread, NULL, run_part, &parts[i]))
         die ("thread");
   }
   Groups all = {0};
   for (int i = 0; i < threads; i++) {
      pthread_join (parts[i].thread, NULL);
      for (size_t j = 0; j < parts[i].groups.cap; j++) {
         Group *s = &parts[i].groups.slots[j];
         if (s->used)
            groups_add (&all, s->time, s->text, s->text_len, s->sum);
      }
      free (parts[i].groups.slots);
   }
   double ms = now_ms () - start;
   *count = all.count;
   *sum = 0;
   for (size_t j = 0; j < all.cap; j++)
      *sum += all.slots[j].used ? all.slots[j].sum : 0;
   free (all.slots);
   return ms;
}

static int question (const char *name, const char *path, int threads)
{
   static const struct {
      const char *name;
      DocFn fn;
   } all[] = {{"q1-rows", q1_rows},
              {"q2-rows", q2_rows},
              {"q1-nested", q1_nested},
              {"q2-nested", q2_nested}};
   DocFn fn = NULL;
   for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      if (!strcmp (all[i].name, name))
         fn = all[i].fn;
   if (!fn || threads < 1 || threads > MAX_THREADS) {
      fprintf (stderr, "walker: unknown question or number of threads: %s\n", name);
      return 1;
   }
   size_t size, count = 0;
   const uint8_t *data = map_file (path, &size);
   int64_t sum = 0;
   double best = 1e300;
   for (int i = 0; i < 5; i++) {
      double ms = run_once (data, size, fn, threads, &count, &sum);
      best = ms < best ? ms : best;
   }
   printf ("{\"question\": \"%s\", \"threads\": %d, \"groups\": %zu, \"sum\": %lld, \"ms\": %.3f, "
           "\"bytes\": %zu}\n",
           name, threads, count, (long long) sum, best, size);
   return 0;
}

/* ---- packing ---- */

typedef struct Rec {
   const char *app, *result, *cmd; /* each behind its length */
   int64_t time;
   int32_t total;
   double process;
} Rec;

static int text_cmp (const char *a, const char *b)
{
   int32_t m = i32 ((const uint8_t *) a - 4), n = i32 ((const uint8_t *) b - 4);
   int c = memcmp (a, b, (size_t) (m < n ? m : n));
   return c ? c : (m > n) - (m < n);
}

static int rec_cmp (const void *x, const void *y)
{
   const Rec *a = x, *b = y;
   int c = text_cmp (a->app, b->app);
   if (!c)
      c = (a->time > b->time) - (a->time < b->time);
   if (!c)
      c = text_cmp (a->result, b->result);
   return c ? c : text_cmp (a->cmd, b->cmd);
}

typedef struct Buf {
   uint8_t *p;
   size_t n, cap;
} Buf;

static void put (Buf *b, const void *v, size_t n)
{
   if (b->n + n > b->cap)
      b->p = xrealloc (b->p, b->cap = (b->n + n) * 2);
   memcpy (b->p + b->n, v, n);
   b->n += n;
}

static void put_name (Buf *b, uint8_t type, const char *name)
{
   put (b, &type, 1);
   put (b, name, strlen (name) + 1);
}

static void put_int (Buf *b, const char *name, int32_t v)
{
   put_name (b, 0x10, name);
   put (b, &v, 4);
}
static void put_double (Buf *b, const char *name, double v)
{
   put_name (b, 0x01, name);
   put (b, &v, 8);
}

static void put_text (Buf *b, const char *name, const char *text)
{
   put_name (b, 0x02, name);
   put (b, text - 4, 4 + (size_t) i32 ((const uint8_t *) text - 4));
}

static size_t open_doc (Buf *b, uint8_t type, const char *name)
{
   if (name)
      put_name (b, type, name);
   put (b, "\0\0\0\0", 4);
   return b->n - 4;
}

static size_t open_item (Buf *b, unsigned index)
{
   char name[12];
   snprintf (name, sizeof name, "%u", index);
   return open_doc (b, 0x03, name);
}

static void close_doc (Buf *b, size_t at)
{
   put (b, "", 1);
   int32_t size = (int32_t) (b->n - at);
   memcpy (b->p + at, &size, 4);
}

/* Records of one list element: [from, to) agree up to this level. */
static const Rec *run_end (const Rec *from, const Rec *to, int level)
{
   const Rec *p = from + 1;
   while (p < to && (level > 0 ? p->time == from->time : true) &&
          (level > 1 ? text_cmp (p->result, from->result) == 0 : true) &&
          (level > 2 ? text_cmp (p->cmd, from->cmd) == 0 : true))
      p++;
   return p;
}

static void put_sums (Buf *b, const Rec *from, const Rec *to, const char *n, const char *total,
                      const char *process)
{
   int64_t t = 0;
   double d = 0;
   for (const Rec *r = from; r < to; r++) {
      t += r->total;
      d += r->process;
   }
   put_int (b, n, (int32_t) (to - from));
   put_int (b, total, (int32_t) t);
   put_double (b, process, d);
}

static unsigned put_level (Buf *b, const Rec *from, const Rec *to, int level)
{
   unsigned levels = 0, index = 0;
   size_t list = open_doc (b, 0x04, level == 4 ? "v" : "_");
   while (from < to) {
      const Rec *end = level == 4 ? from + 1 : run_end (from, to, level);
      size_t item = open_item (b, index++);
      levels += level < 4;
      if (level == 4) {
         put_int (b, "0", from->total);
         put_double (b, "1", from->process);
      } else if (level == 1) {
         put_double (b, "d", (double) from->time);
         put_sums (b, from, end, "c", "0", "1");
      } else
         put_text (b, "d", level == 2 ? from->result : from->cmd);
      if (level < 4)
         levels += put_level (b, from, end, level + 1);
      close_doc (b, item);
      from = end;
   }
   close_doc (b, list);
   return levels;
}

static Rec *read_rows (const uint8_t *data, size_t size, size_t *count)
{
   Rec *recs = NULL;
   size_t n = 0, cap = 0;
   for (const uint8_t *doc = data; doc < data + size; doc += i32 (doc)) {
      if (n == cap)
         recs = xrealloc (recs, (cap = cap ? cap * 2 : 1 << 20) * sizeof *recs);
      Rec *r = &recs[n++];
      const uint8_t *p = doc + 4;
      for (El e; next (&p, &e);)
         switch (e.name[0]) {
         case 't':
            if (e.name[1] == 'i')
               r->time = number (&e);
            else
               r->total = (int32_t) number (&e);
            break;
         case 'i': r->result = (const char *) e.v + 4; break;
         case 'd': r->process = f64 (e.v); break;
         case 'v':
            if (e.name[1] == 'C')
               r->cmd = (const char *) e.v + 4;
            else
               r->app = (const char *) e.v + 4;
            break;
         default: break;
         }
   }
   *count = n;
   return recs;
}

enum { MAX_RECORDS = 20000 }; /* keeps a document under 50,000 elements and far under 16 MB */

static int nest (const char *from, const char *to)
{
   size_t size, count, docs = 0;
   const uint8_t *data = map_file (from, &size);
   Rec *recs = read_rows (data, size, &count);
   qsort (recs, count, sizeof *recs, rec_cmp);
   FILE *out = fopen (to, "wb");
   if (!out)
      die (to);
   Buf b = {0};
   for (size_t i = 0; i < count;) {
      size_t j = i + 1;
      while (j < count && j - i < MAX_RECORDS && text_cmp (recs[j].app, recs[i].app) == 0)
         j++;
      b.n = 0;
      size_t doc = open_doc (&b, 0, NULL);
      put_int (&b, "_id", (int32_t) docs++);
      put_text (&b, "vAppid", recs[i].app);
      put_double (&b, "min_timestamp", (double) recs[i].time);
      put_double (&b, "max_timestamp", (double) recs[j - 1].time);
      put_sums (&b, recs + i, recs + j, "count", "sum_totalCount", "sum_dProcessTime");
      put_level (&b, recs + i, recs + j, 1);
      close_doc (&b, doc);
      if (fwrite (b.p, 1, b.n, out) != b.n)
         die (to);
      i = j;
   }
   if (fclose (out))
      die (to);
   printf ("{\"documents\": %zu, \"rows\": %zu}\n", docs, count);
   free (b.p);
   free (recs);
   return 0;
}

int main (int argc, char **argv)
{
   if (argc == 4 && !strcmp (argv[1], "nest"))
      return nest (argv[2], argv[3]);
   if (argc == 3 || argc == 4)
      return question (argv[1], argv[2], argc == 4 ? atoi (argv[3]) : 1);
   fprintf (stderr, "usage: walker nest ROWS.bson NESTED.bson | walker QUESTION FILE [THREADS]\n");
   return 1;
}
