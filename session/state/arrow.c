/* Converts the rows of a result to Arrow columns. */
#include "arrow/arrow.h"
#include "base/memory.h"
#include "session/state/session.h"

#include <errno.h>
#include <stdlib.h>

static MtArrow *open_columns (MtResult *r)
{
   const char **names = MT_NEW_N (r->arena, const char *, r->column_count + 1);
   MtType *types = MT_NEW_N (r->arena, MtType, r->column_count + 1);
   for (size_t i = 0; i < r->column_count; i++) {
      names[i] = r->columns[i].name;
      types[i] = r->columns[i].type;
   }
   return mt_arrow_open (&(MtArrowArgs) {names, types, r->column_count, &r->style});
}

/* Adds rows of the result to t until the batch is full or the rows end (*more false). */
static bool fill_batch (MtResult *r, MtArrow *t, bool *more, MtError *err)
{
   bool ok = true;
   while (ok && !mt_arrow_is_full (t) && (ok = mt_result_next (r, more, err)) && *more)
      if (!mt_arrow_add (t, r->values, err))
         ok = mt_result_failed (r);
   if (ok && !mt_memory_check (err))
      ok = mt_result_failed (r);
   return ok;
}

/* Passes the bytes in `out` to the sink, and empties `out`. Returns false if the sink wants no
 * more. */
static bool flush (const MtArrowSink *sink, MtBuf *out)
{
   bool going = !out->n || sink->write (sink->ctx, out->p, out->n);
   mt_buf_clear (out);
   return going;
}

bool mt_result_write_arrow (MtResult *r, const MtArrowSink *sink, uint64_t *rows, MtError *err)
{
   MT_RECORD_SHORTAGE (&r->session->shortage);
   MtBuf out = {0};
   MtArrow *t = open_columns (r);
   uint64_t before = r->rows;
   bool more = true, going = true, ok = true;
   r->unprinted = true;
   mt_arrow_put_start (t, sink->file ? MT_ARROW_FILE : MT_ARROW_STREAM, &out);
   while (ok && going && more && (ok = fill_batch (r, t, &more, err))) {
      if (more)
         mt_arrow_put_batch (t, &out);
      else
         mt_arrow_put_end (t, &out);
      ok = mt_memory_check (err) || mt_result_failed (r);
      going = ok && flush (sink, &out);
   }
   *rows = r->rows - before;
   mt_buf_free (&out);
   mt_arrow_close (t);
   return ok;
}

/* ---- Arrow's C stream interface ---- */

typedef struct Stream {
   MtResult *result;
   MtArrow *table;
   bool more;
   int code; /* the errno value that ended the stream; 0: none */
   MtError error;
   char text[sizeof ((MtError *) 0)->message + 8]; /* the text of the error */
} Stream;

static int get_schema (struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
   mt_arrow_schema (((Stream *) stream->private_data)->table, out);
   return 0;
}

static int failed (Stream *s)
{
   snprintf (s->text, sizeof s->text, "%s: %s", s->error.sqlstate, s->error.message);
   s->code = EIO;
   if (mt_error_is (&s->error, MT_E_CANCELED))
      s->code = ECANCELED;
   else if (mt_error_is (&s->error, MT_E_OUT_OF_MEMORY))
      s->code = ENOMEM;
   return s->code;
}

static int get_next (struct ArrowArrayStream *stream, struct ArrowArray *out)
{
   Stream *s = stream->private_data;
   MT_RECORD_SHORTAGE (&s->result->session->shortage);
   if (s->code)
      return s->code;
   mt_error_clear (&s->error);
   if (s->more && !fill_batch (s->result, s->table, &s->more, &s->error))
      return failed (s);
   *out = (struct ArrowArray) {0};
   if (mt_arrow_rows (s->table))
      mt_arrow_take (s->table, out);
   return 0;
}

static const char *get_last_error (struct ArrowArrayStream *stream)
{
   const Stream *s = stream->private_data;
   return *s->text ? s->text : NULL;
}

static void release (struct ArrowArrayStream *stream)
{
   Stream *s = stream->private_data;
   mt_arrow_close (s->table);
   mt_result_free (s->result);
   free (s);
   stream->release = NULL;
}

void mt_result_arrow (MtResult *r, struct ArrowArrayStream *out)
{
   Stream *s = mt_calloc ("arrow stream", 1, sizeof *s);
   *s = (Stream) {.result = r, .table = open_columns (r), .more = true};
   r->unprinted = true;
   *out = (struct ArrowArrayStream) {get_schema, get_next, get_last_error, release, s};
}
