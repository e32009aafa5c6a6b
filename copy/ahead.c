/* Reading ahead for COPY FROM: a thread reads and parses the next records while the caller uses the
 * previous ones.
 *
 * The thread passes rows to the caller in batches, of which a few may wait. It copies the data that
 * rows borrow from the reader. After an error, the thread pauses until the caller requests the next
 * row. So the reader still is at the record with the error, and reports it as without a thread. */
#include "copy/copy_int.h"
#include "base/memory.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 16, BATCH_ROWS = 512, BATCH_BYTES = 1 << 18 }; /* the limits of a batch */
enum { MANY_FAULTS = 100 };

typedef struct Batch {
   MtArena *a;          /* the data of the rows */
   MtVal *values;       /* the values of at most BATCH_ROWS rows */
   MtCopyPlace *places; /* the place of each row */
   size_t count;
   uint64_t bytes; /* bytes of the file up to the batch's end */
   bool end;       /* the input ends after the batch's rows */
   bool failed;    /* after the batch's rows comes the error `err` */
   MtError err;
} Batch;

struct MtCopyAhead {
   /* The reader. The thread uses it; the caller may use it only when the thread pauses after an
    * error, or at the end of the file. */
   MtCopyIn *in;
   long (*read) (void *ctx, char *buf, size_t n);
   void *ctx;
   pthread_t thread;
   pthread_mutex_t mutex; /* protects `given` and `done` */
   pthread_cond_t changed;
   /* The number of batches that the thread has passed to the caller, and of those that the caller
    * has finished. */
   uint64_t given, done;
   bool stopped; /* the last batch ended with an error */
   atomic_bool quit;
   Batch batches[BATCHES];
   /* The batch from which the caller takes rows; NULL: none. Only the caller uses this member and
    * those after it. */
   Batch *batch;
   size_t at;       /* number of rows of `batch` that are used up */
   bool failed;     /* the error of `batch` was reported */
   unsigned faults; /* number of errors reported so far */
   /* The line, position and text of the row that the caller has taken last. NULL: there is none,
    * and the thread pauses. */
   const MtCopyPlace *place;
};

/* ---- functions of the thread ---- */

static long read_unless_over (void *ctx, char *buf, size_t n)
{
   MtCopyAhead *h = ctx;
   return atomic_load_explicit (&h->quit, memory_order_relaxed) ? -1 : h->read (h->ctx, buf, n);
}

/* Copies a value of a row to arena a. If the value's text is within `from`, the text of the record,
 * the result points into `to`, a copy of `from`. */
static MtVal moved (MtArena *a, MtVal v, MtStr from, const char *to)
{
   if (v.type == MT_DATE || v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DOUBLE)
      return v;
   uintptr_t at = (uintptr_t) v.p - (uintptr_t) from.p;
   if (v.type != MT_STRING || !from.p || at > from.n || v.len > from.n - at)
      return mt_v_copy (a, v);
   v.p = (const uint8_t *) to + at;
   return v;
}

static size_t keep_row (const MtCopyIn *in, Batch *b)
{
   size_t columns = in->x.table->column_count, bytes = in->record.n;
   char *record = mt_strndup (b->a, in->record.p, in->record.n);
   MtVal *to = b->values + b->count * columns;
   for (size_t i = 0; i < columns; i++) {
      to[i] = moved (b->a, in->row[i], in->record, record);
      bytes += in->row[i].type == MT_STRING ? in->row[i].len : 0;
   }
   b->places[b->count++] = (MtCopyPlace) {
      {in->record.p ? record : NULL, in->record.n}, in->line, in->pos};
   return bytes;
}

static void fill (MtCopyIn *in, Batch *b)
{
   const MtVal *row;
   size_t bytes = 0;
   mt_arena_reset (b->a);
   mt_error_clear (&b->err);
   b->count = 0;
   b->end = b->failed = false;
   while (b->count < BATCH_ROWS && bytes < BATCH_BYTES && !b->end && !b->failed)
      if (!mt_copy_in_read (in, &row, &b->err))
         b->failed = true;
      else if (!row)
         b->end = true;
      else
         bytes += keep_row (in, b);
   b->bytes = in->bytes;
}

static void *run (void *ctx)
{
   MtCopyAhead *h = ctx;
   bool end = false;
   pthread_mutex_lock (&h->mutex);
   while (!end) {
      while (!h->quit && (h->stopped || h->given - h->done == BATCHES))
         pthread_cond_wait (&h->changed, &h->mutex);
      if (h->quit)
         break;
      Batch *b = &h->batches[h->given % BATCHES];
      pthread_mutex_unlock (&h->mutex);
      fill (h->in, b);
      pthread_mutex_lock (&h->mutex);
      end = b->end;
      h->stopped = b->failed;
      h->given++;
      pthread_cond_broadcast (&h->changed);
   }
   pthread_mutex_unlock (&h->mutex);
   return NULL;
}

/* ---- functions of the caller ---- */

static void destroy (MtCopyAhead *h)
{
   for (size_t i = 0; i < BATCHES; i++) {
      mt_arena_free (h->batches[i].a);
      free (h->batches[i].values);
      free (h->batches[i].places);
   }
   pthread_cond_destroy (&h->changed);
   pthread_mutex_destroy (&h->mutex);
   free (h);
}

MtCopyAhead *mt_copy_ahead_open (MtCopyIn *in)
{
   MtCopyAhead *h = mt_calloc ("COPY", 1, sizeof *h);
   h->in = in;
   h->read = in->x.read;
   h->ctx = in->x.ctx;
   pthread_mutex_init (&h->mutex, NULL);
   mt_cond_init (&h->changed);
   for (size_t i = 0; i < BATCHES; i++) {
      h->batches[i].a = mt_arena_new ("copy ahead", NULL);
      h->batches[i].values = mt_calloc ("COPY", BATCH_ROWS * (in->x.table->column_count + 1),
                                        sizeof (MtVal));
      h->batches[i].places = mt_calloc ("COPY", BATCH_ROWS, sizeof (MtCopyPlace));
   }
   in->x.read = read_unless_over;
   in->x.ctx = h;
   if (mt_thread_start (&h->thread, run, h))
      return h;
   in->x.read = h->read;
   in->x.ctx = h->ctx;
   destroy (h);
   return NULL;
}

void mt_copy_ahead_close (MtCopyAhead *h)
{
   if (!h)
      return;
   pthread_mutex_lock (&h->mutex);
   h->quit = true;
   pthread_cond_broadcast (&h->changed);
   pthread_mutex_unlock (&h->mutex);
   pthread_join (h->thread, NULL);
   h->in->x.read = h->read;
   h->in->x.ctx = h->ctx;
   destroy (h);
}

static void take (MtCopyAhead *h)
{
   pthread_mutex_lock (&h->mutex);
   while (h->given == h->done)
      pthread_cond_wait (&h->changed, &h->mutex);
   h->batch = &h->batches[h->done % BATCHES];
   h->at = 0;
   h->failed = false;
   pthread_mutex_unlock (&h->mutex);
}

static void give_back (MtCopyAhead *h)
{
   pthread_mutex_lock (&h->mutex);
   h->done++;
   h->stopped = h->stopped && !h->batch->failed;
   pthread_cond_broadcast (&h->changed);
   pthread_mutex_unlock (&h->mutex);
   h->batch = NULL;
}

bool mt_copy_ahead_next (MtCopyAhead *h, const MtVal **row, MtError *err)
{
   for (;;) {
      if (!h->batch)
         take (h);
      Batch *b = h->batch;
      if (h->at < b->count) {
         h->place = &b->places[h->at];
         *row = b->values + h->at++ * h->in->x.table->column_count;
         return true;
      }
      h->place = NULL;
      if (b->end) {
         *row = NULL;
         return true;
      }
      if (b->failed && !h->failed) {
         h->failed = true;
         h->faults++;
         *err = b->err;
         return false;
      }
      give_back (h);
   }
}

/* Call it only after an error, when the caller has taken all rows of the thread's batches. */
bool mt_copy_ahead_is_vain (const MtCopyAhead *h) { return h->failed && h->faults >= MANY_FAULTS; }

const MtCopyPlace *mt_copy_ahead_place (const MtCopyAhead *h) { return h->place; }
uint64_t mt_copy_ahead_bytes (const MtCopyAhead *h) { return h->batch ? h->batch->bytes : 0; }
