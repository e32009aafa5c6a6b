/* What a server costs without mtsql: the same operations, sent by a bare libmongoc loop.
 *
 *    loop URI COLLECTION aggregate PIPELINE.json RUNS
 *       milliseconds of the fastest run, documents, bytes
 *    loop URI COLLECTION insert DOCUMENTS.bson
 *       milliseconds, documents, bytes; in batches of 1,000
 *    loop URI COLLECTION update UPDATES.bson
 *       the same of upserts ({q, u} each), unordered
 *    loop URI COLLECTION each KIND TEMPLATE.json SECONDS MOST SEED
 *       one operation after the other, KIND aggregate, insert or update: the template with a number
 *       from 1 to MOST wherever it says 424242; operations, documents read, seconds. SECONDS "100x"
 *       are 100 operations */
#include <mongoc/mongoc.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_DOCS 1000
#define BATCH_BYTES (8u << 20)

static double now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void stop (const char *what, const char *why)
{
   fprintf (stderr, "loop: %s: %s\n", what, why);
   exit (1);
}

static char *read_text (const char *path)
{
   FILE *f = fopen (path, "rb");
   char *text = calloc (1, 1 << 20);
   if (!f || !text || fread (text, 1, (1 << 20) - 1, f) == 0)
      stop (path, "can't be read");
   fclose (f);
   return text;
}

static bson_t *read_json (const char *path)
{
   bson_error_t e;
   char *text = read_text (path);
   bson_t *b = bson_new_from_json ((const uint8_t *) text, -1, &e);
   if (!b)
      stop (path, e.message);
   free (text);
   return b;
}

static void run_once (mongoc_collection_t *c, const bson_t *pipeline, long long *docs,
                      long long *bytes)
{
   bson_t *opts = BCON_NEW ("allowDiskUse", BCON_BOOL (true));
   mongoc_cursor_t *cursor = mongoc_collection_aggregate (c, MONGOC_QUERY_NONE, pipeline, opts,
                                                          NULL);
   const bson_t *doc;
   bson_error_t e;
   *docs = *bytes = 0;
   while (mongoc_cursor_next (cursor, &doc)) {
      ++*docs;
      *bytes += doc->len;
   }
   if (mongoc_cursor_error (cursor, &e))
      stop ("aggregate", e.message);
   mongoc_cursor_destroy (cursor);
   bson_destroy (opts);
}

static void aggregate (mongoc_collection_t *c, const char *path, int runs)
{
   bson_t *pipeline = read_json (path);
   double best = 0;
   long long docs = 0, bytes = 0;
   for (int i = 0; i < runs; i++) {
      double start = now_ms ();
      run_once (c, pipeline, &docs, &bytes);
      double took = now_ms () - start;
      if (i == 0 || took < best)
         best = took;
   }
   printf ("%.3f %lld %lld\n", best, docs, bytes);
   bson_destroy (pipeline);
}

/* ---- batches ---- */

static mongoc_bulk_operation_t *new_bulk (mongoc_collection_t *c, bool ordered)
{
   bson_t *opts = BCON_NEW ("ordered", BCON_BOOL (ordered));
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (c, opts);
   bson_destroy (opts);
   return bulk;
}

static void send_bulk (mongoc_bulk_operation_t *bulk)
{
   bson_error_t e;
   if (!mongoc_bulk_operation_execute (bulk, NULL, &e))
      stop ("write", e.message);
   mongoc_bulk_operation_destroy (bulk);
}

static void add_insert (mongoc_bulk_operation_t *bulk, const bson_t *doc)
{
   mongoc_bulk_operation_insert (bulk, doc);
}

static void part (const bson_t *doc, const char *name, bson_t *out)
{
   bson_iter_t it;
   uint32_t len;
   const uint8_t *p;
   if (!bson_iter_init_find (&it, doc, name) || !BSON_ITER_HOLDS_DOCUMENT (&it))
      stop (name, "isn't in the update");
   bson_iter_document (&it, &len, &p);
   bson_init_static (out, p, len);
}

static void add_update (mongoc_bulk_operation_t *bulk, const bson_t *doc)
{
   bson_t q, u;
   part (doc, "q", &q);
   part (doc, "u", &u);
   mongoc_bulk_operation_update_one (bulk, &q, &u, true);
}

static void write_all (mongoc_collection_t *c, const char *path, bool updates)
{
   bson_error_t e;
   const bson_t *doc;
   long long docs = 0, bytes = 0;
   size_t waiting = 0, weight = 0;
   bson_reader_t *r = bson_reader_new_from_file (path, &e);
   if (!r)
      stop (path, e.message);
   double start = now_ms ();
   mongoc_bulk_operation_t *bulk = new_bulk (c, !updates);
   while ((doc = bson_reader_read (r, NULL)) != NULL) {
      if (waiting == BATCH_DOCS || weight + doc->len > BATCH_BYTES) {
         send_bulk (bulk);
         bulk = new_bulk (c, !updates);
         waiting = weight = 0;
      }
      (updates ? add_update : add_insert) (bulk, doc);
      waiting++;
      weight += doc->len;
      docs++;
      bytes += doc->len;
   }
   if (waiting)
      send_bulk (bulk);
   else
      mongoc_bulk_operation_destroy (bulk);
   printf ("%.3f %lld %lld\n", now_ms () - start, docs, bytes);
   bson_reader_destroy (r);
}

/* ---- one after the other ---- */

#define PLACE "424242"

typedef struct Each {
   mongoc_collection_t *c;
   const char *kind;
   char *template;
   unsigned long long most, state;
   long long docs;
} Each;

/* splitmix64 (Vigna, public domain), as in lookups.c */
static unsigned long long next_number (unsigned long long *state)
{
   unsigned long long z = *state += 0x9e3779b97f4a7c15u;
   z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
   z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
   return z ^ (z >> 31);
}

static bson_t *next_document (Each *x)
{
   char number[24], text[16384];
   size_t n = 0;
   const char *at = x->template, *found;
   bson_error_t e;
   int digits = snprintf (number, sizeof number, "%llu", next_number (&x->state) % x->most + 1);
   while ((found = strstr (at, PLACE)) != NULL &&
          n + (size_t) (found - at) + sizeof number < sizeof text) {
      memcpy (text + n, at, (size_t) (found - at));
      n += (size_t) (found - at);
      memcpy (text + n, number, (size_t) digits);
      n += (size_t) digits;
      at = found + strlen (PLACE);
   }
   if (n + strlen (at) + 1 > sizeof text)
      stop ("template", "is too long");
   memcpy (text + n, at, strlen (at) + 1);
   bson_t *b = bson_new_from_json ((const uint8_t *) text, -1, &e);
   if (!b)
      stop (text, e.message);
   return b;
}

static void one (Each *x)
{
   bson_error_t e;
   bson_t *doc = next_document (x), q, u;
   long long docs = 0, bytes = 0;
   if (strcmp (x->kind, "aggregate") == 0) {
      run_once (x->c, doc, &docs, &bytes);
      x->docs += docs;
   } else if (strcmp (x->kind, "insert") == 0) {
      if (!mongoc_collection_insert_one (x->c, doc, NULL, NULL, &e))
         stop ("insert", e.message);
   } else {
      bson_t *opts = BCON_NEW ("upsert", BCON_BOOL (true));
      part (doc, "q", &q);
      part (doc, "u", &u);
      if (!mongoc_collection_update_one (x->c, &q, &u, opts, NULL, &e))
         stop ("update", e.message);
      bson_destroy (opts);
   }
   bson_destroy (doc);
}

static void each (mongoc_collection_t *c, char **argv)
{
   Each x = {.c = c,
             .kind = argv[0],
             .template = read_text (argv[1]),
             .most = strtoull (argv[3], NULL, 10),
             .state = strtoull (argv[4], NULL, 10)};
   char *unit;
   double much = strtod (argv[2], &unit), seconds = *unit ? HUGE_VAL : much;
   long long most = *unit ? (long long) much : LLONG_MAX;
   for (int i = 0; i < 8; i++)
      one (&x);
   long long n = 0;
   x.docs = 0;
   double start = now_ms (), end = start;
   for (; n < most && end - start < seconds * 1e3; n++, end = now_ms ())
      one (&x);
   printf ("%lld %lld %.3f\n", n, x.docs, (end - start) / 1e3);
   free (x.template);
}

int main (int argc, char **argv)
{
   const char *what = argc > 4 ? argv[3] : "";
   bool aggregates = argc == 6 && strcmp (what, "aggregate") == 0,
        updates = argc == 5 && strcmp (what, "update") == 0;
   bool eaches = argc == 9 && strcmp (what, "each") == 0,
        inserts = argc == 5 && strcmp (what, "insert") == 0;
   if (!aggregates && !inserts && !updates && !eaches)
      stop ("usage",
            "loop URI COLLECTION (aggregate PIPELINE.json RUNS | insert DOCUMENTS.bson | update "
            "UPDATES.bson | each KIND TEMPLATE.json SECONDS MOST SEED)");
   mongoc_init ();
   bson_error_t e;
   mongoc_uri_t *uri = mongoc_uri_new_with_error (argv[1], &e);
   if (!uri || !mongoc_uri_get_database (uri))
      stop (argv[1], uri ? "names no database" : e.message);
   mongoc_client_t *client = mongoc_client_new_from_uri (uri);
   mongoc_collection_t *c = mongoc_client_get_collection (client, mongoc_uri_get_database (uri),
                                                          argv[2]);
   if (aggregates)
      aggregate (c, argv[4], atoi (argv[5]));
   else if (eaches)
      each (c, argv + 4);
   else
      write_all (c, argv[4], updates);
   mongoc_collection_destroy (c);
   mongoc_client_destroy (client);
   mongoc_uri_destroy (uri);
   mongoc_cleanup ();
   return 0;
}
