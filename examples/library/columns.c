/* Reads a result by columns (Arrow's C data interface): a loop over an array of numbers instead of
 * a function call for each value.
 *
 *    cc columns.c $(pkg-config --cflags --libs mtsql) */
#include <mtsql.h>

#include <stdio.h>

/* Adds up the values of a column of doubles that are not NULL, and counts them. */
static void add (const struct ArrowArray *column, double *sum, int64_t *count)
{
   const uint8_t *valid = column->buffers[0]; /* NULL: no value is NULL */
   const double *values = column->buffers[1];
   for (int64_t i = 0; i < column->length; i++)
      if (!valid || valid[i / 8] >> i % 8 & 1) {
         *sum += values[i];
         ++*count;
      }
}

static int read_all (struct ArrowArrayStream *stream)
{
   struct ArrowSchema schema;
   struct ArrowArray batch;
   double sum = 0;
   int64_t count = 0, rows = 0;
   int batches = 0, code = stream->get_schema (stream, &schema);
   if (code)
      return code;
   for (int64_t i = 0; i < schema.n_children; i++)
      printf ("column %s: %s\n", schema.children[i]->name, schema.children[i]->format);
   schema.release (&schema);
   while (!(code = stream->get_next (stream, &batch)) && batch.release) {
      rows += batch.length;
      batches++;
      add (batch.children[1], &sum, &count);
      batch.release (&batch);
   }
   printf ("%lld rows in %d batches, %lld values, sum %.1f\n", (long long) rows, batches,
           (long long) count, sum);
   return code;
}

int main (void)
{
   MtSession *s;
   MtResult *r;
   MtError err;
   struct ArrowArrayStream stream;
   if (!mt_open (&(MtOpenOptions) {.target = NULL}, &s, &err) ||
       !mt_query (s,
                  "SELECT i AS n, CASE WHEN i % 4 > 0 THEN i / 2.0::float8 END AS half "
                  "FROM generate_series(1, 100000) AS i",
                  -1, &r, &err)) {
      fprintf (stderr, "%s: %s\n", err.sqlstate, err.message);
      return 1;
   }
   mt_result_arrow (r, &stream); /* the stream owns the result now */
   int code = read_all (&stream);
   if (code)
      fprintf (stderr, "%s\n", stream.get_last_error (&stream));
   stream.release (&stream);
   mt_close (s);
   return code != 0;
}
