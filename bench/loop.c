/* What a server costs without mtsql: the same pipelines and the same documents, sent by a bare libmongoc loop.
 *
 *    loop URI COLLECTION aggregate PIPELINE.json RUNS   milliseconds of the fastest run, documents, bytes
 *    loop URI COLLECTION insert DOCUMENTS.bson          milliseconds, documents, bytes */
#include <mongoc/mongoc.h>

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

static bson_t *read_json (const char *path)
{
   bson_error_t e;
   FILE *f = fopen (path, "rb");
   char *text = calloc (1, 1 << 20);
   if (!f || !text || fread (text, 1, (1 << 20) - 1, f) == 0)
      stop (path, "can't be read");
   fclose (f);
   bson_t *b = bson_new_from_json ((const uint8_t *) text, -1, &e);
   if (!b)
      stop (path, e.message);
   free (text);
   return b;
}

static void run_once (mongoc_collection_t *c, const bson_t *pipeline, long long *docs, long long *bytes)
{
   bson_t *opts = BCON_NEW ("allowDiskUse", BCON_BOOL (true));
   mongoc_cursor_t *cursor = mongoc_collection_aggregate (c, MONGOC_QUERY_NONE, pipeline, opts, NULL);
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

static void flush (mongoc_bulk_operation_t **bulk, mongoc_collection_t *c)
{
   bson_error_t e;
   if (*bulk && !mongoc_bulk_operation_execute (*bulk, NULL, &e))
      stop ("insert", e.message);
   if (*bulk)
      mongoc_bulk_operation_destroy (*bulk);
   *bulk = mongoc_collection_create_bulk_operation_with_opts (c, NULL);
}

static void insert (mongoc_collection_t *c, const char *path)
{
   bson_error_t e;
   mongoc_bulk_operation_t *bulk = NULL;
   const bson_t *doc;
   long long docs = 0, bytes = 0;
   size_t waiting = 0, weight = 0;
   bson_reader_t *r = bson_reader_new_from_file (path, &e);
   if (!r)
      stop (path, e.message);
   double start = now_ms ();
   flush (&bulk, c);
   while ((doc = bson_reader_read (r, NULL)) != NULL) {
      if (waiting == BATCH_DOCS || weight + doc->len > BATCH_BYTES) {
         flush (&bulk, c);
         waiting = weight = 0;
      }
      mongoc_bulk_operation_insert (bulk, doc);
      waiting++;
      weight += doc->len;
      docs++;
      bytes += doc->len;
   }
   if (waiting)
      flush (&bulk, c);
   printf ("%.3f %lld %lld\n", now_ms () - start, docs, bytes);
   mongoc_bulk_operation_destroy (bulk);
   bson_reader_destroy (r);
}

int main (int argc, char **argv)
{
   bool aggregates = argc == 6 && strcmp (argv[3], "aggregate") == 0, inserts = argc == 5 && strcmp (argv[3], "insert") == 0;
   if (!aggregates && !inserts)
      stop ("usage", "loop URI COLLECTION aggregate PIPELINE.json RUNS | loop URI COLLECTION insert DOCUMENTS.bson");
   mongoc_init ();
   bson_error_t e;
   mongoc_uri_t *uri = mongoc_uri_new_with_error (argv[1], &e);
   if (!uri || !mongoc_uri_get_database (uri))
      stop (argv[1], uri ? "names no database" : e.message);
   mongoc_client_t *client = mongoc_client_new_from_uri (uri);
   mongoc_collection_t *c = mongoc_client_get_collection (client, mongoc_uri_get_database (uri), argv[2]);
   if (aggregates)
      aggregate (c, argv[4], atoi (argv[5]));
   else
      insert (c, argv[4]);
   mongoc_collection_destroy (c);
   mongoc_client_destroy (client);
   mongoc_uri_destroy (uri);
   mongoc_cleanup ();
   return 0;
}
