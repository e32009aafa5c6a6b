/* The output of a pipeline: a cursor that returns documents or rows.
 *
 * Usually, a document is built for each row, and the caller reads its fields. But if the caller
 * uses mt_cursor_row, and the pipeline ends with the fields c0, c1, ..., no documents are built.
 * Then w->out has a record for each row: its size as in BSON, a flag for each column, the values,
 * and the bytes of values that would not stay valid. If a column's flag is set, its value's p is an
 * offset from the start of the record. */
#include "base/temporary.h"
#include "engine/local/exec/run.h"
#include "engine/local/exec/top.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT_MEMORY (16u << 20)
#define MOST_COLUMNS 1600 /* as in PostgreSQL */

/* ---- output that does not fit in memory ---- */

/* Moves the output in w->out to a file, because a single input row may produce any number of
 * documents. If there is only one document, it stays in memory for the caller. */
static bool put_aside (MtWork *w)
{
   if (!w->overflow && !(w->overflow = mt_temporary_stream (&w->err)))
      return false;
   if (!mt_temporary_write (w->overflow, w->out.p, w->out.n, &w->err))
      return false;
   w->overflowed = true;
   w->out.n = 0;
   return true;
}

/* Reads the next document of the file into w->out. At the end of the file, empties the file. */
static bool take_back (MtWork *w)
{
   uint32_t len;
   bool end;
   if (!mt_temporary_next (w->overflow, &len, &end, &w->err))
      return false;
   if (end) {
      w->overflowed = false;
      return mt_temporary_rewind (w->overflow, &w->err) &&
             (ftruncate (fileno (w->overflow), 0) == 0 || mt_temporary_failed (&w->err, "empty"));
   }
   w->out.n = w->out_at = 0;
   if (!mt_bson_room (&w->out, len))
      return mt_memory_check (&w->err);
   memcpy (w->out.p, &len, 4);
   w->out.n = len;
   return mt_temporary_read (w->overflow, w->out.p + 4, len - 4, &w->err);
}

/* If there are documents in the file, appends those in memory to it, and starts reading the file
 * from its beginning. */
static bool start_taking_back (MtWork *w)
{
   if (!w->overflowed)
      return true;
   return put_aside (w) && mt_temporary_rewind (w->overflow, &w->err);
}

/* ---- receiving rows ---- */

static bool push_document (const MtExecExpr *e, MtWork *w)
{
   size_t start = w->out.n;
   MtVal v;
   if (e->kind == MT_EX_BUILD) {
      mt_bson_begin (&w->out);
      if (!mt_build_doc (w, e->shape, &w->out))
         return false;
      mt_bson_end (&w->out, start);
      return true;
   }
   if (!mt_eval (e, w, &v))
      return false;
   if (v.type != MT_DOC)
      return mt_error (&w->err, MT_E_INTERNAL, "a result row is no document, but of type %s",
                       mt_v_type_name (v));
   mt_bson_bytes (&w->out, v.p, v.len);
   return true;
}

static bool push_row (const MtExec *x, MtWork *w)
{
   size_t start = w->out.n, n = x->column_count, values = start + 4 + n;
   if (!mt_bson_room (&w->out, 4 + n + n * sizeof (MtVal)))
      return true; /* the caller reports it */
   memset (w->out.p + start, 0, 4 + n);
   w->out.n = values + n * sizeof (MtVal);
   for (size_t i = 0; i < n; i++) {
      MtVal v = mt_v_missing ();
      if (x->columns[i] && !mt_build_value (w, x->columns[i], &v))
         return false;
      if (v.type == MT_MISSING)
         v = mt_v_null ();
      size_t bytes = mt_bytes_len (v);
      if (bytes && !mt_x_lasting (w, v.p)) {
         size_t at = w->out.n - start;
         mt_bson_bytes (&w->out, v.p, bytes);
         w->out.p[start + 4 + i] = 1;
         v.p = (const uint8_t *) (uintptr_t) at;
      }
      memcpy (w->out.p + values + i * sizeof v, &v, sizeof v);
   }
   uint32_t size = (uint32_t) (w->out.n - start);
   memcpy (w->out.p + start, &size, sizeof size);
   return true;
}

MtFlow mt_output_push (const MtExecNode *n, MtWork *w)
{
   const MtExec *x = w->exec;
   size_t start = w->out.n;
   w->count[n->id].in++;
   if (!(x->columns ? push_row (x, w) : push_document (((const MtEvalNode *) n)->expr, w)))
      return MT_FAIL;
   if (w->out.failed) {
      mt_memory_check (&w->err);
      return MT_FAIL;
   }
   if (w->out.n > OUT_MEMORY && (start > 0 || w->overflowed) && !put_aside (w))
      return MT_FAIL;
   return MT_GO;
}

/* ---- the cursor ---- */

/* Fails if a mapped file that the pipeline reads has lost bytes: values that were already read may
 * be wrong. */
static bool is_whole (const MtExec *x, MtError *err)
{
   return !x->source || (mt_source_whole (x->source, err) && mt_lookup_whole (x->lookup, err));
}

/* Runs the pipeline until there is output. *size: the size in bytes of the next document or record,
 * which begins at w->out_at. 0: the output has ended. */
static bool next_output (MtExec *x, uint32_t *size, MtError *err)
{
   MtWork *w = x->main;
   *size = 0;
   if (mt_error_is_set (&w->err)) {
      *err = w->err;
      return false;
   }
   while (w->out_at >= w->out.n && (w->overflowed || !x->ended)) {
      int64_t start = mt_now_us ();
      w->out.n = w->out_at = 0;
      bool ok = w->overflowed ? take_back (w) : mt_exec_advance (x) && start_taking_back (w);
      x->us += mt_now_us () - start;
      if (!is_whole (x, &w->err))
         ok = false;
      if (!ok) {
         if (!mt_error_is_set (&w->err))
            mt_error (&w->err, MT_E_INTERNAL, "a query failed without an error");
         *err = w->err;
         return false;
      }
   }
   if (w->out_at < w->out.n) {
      memcpy (size, w->out.p + w->out_at, 4);
      x->rows_out++;
   }
   return true;
}

static bool cursor_next (MtCursor *c, const bson_t **doc, MtError *err)
{
   MtExec *x = (MtExec *) c;
   MtWork *w = x->main;
   uint32_t size;
   *doc = NULL;
   if (!next_output (x, &size, err))
      return false;
   if (!size)
      return true;
   if (!bson_init_static (&x->doc, w->out.p + w->out_at, size))
      return mt_x_malformed (err);
   w->out_at += size;
   *doc = &x->doc;
   return true;
}

/* If the pipeline ends with a document that has only the fields c0, c1, …, stores the shapes
 * (descriptions) of these n columns, so that rows need no documents. */
static void find_columns (MtExec *x, size_t n)
{
   const MtExecNode *last = x->nodes[x->node_count - 1];
   const MtExecExpr *e = ((const MtEvalNode *) last)->expr;
   const MtShape *s = e->kind == MT_EX_BUILD ? e->shape : NULL;
   if (!s || s->base || n == 0 || n > MOST_COLUMNS)
      return;
   const MtShape **columns = MT_NEW_N (x->arena, const MtShape *, n);
   for (uint32_t i = 0; i < s->count; i++) {
      const char *name = s->fields[i].name;
      size_t at = mt_row_column ((MtStr) {name, strlen (name)});
      if (at >= n)
         return;
      columns[at] = s->fields[i].shape;
   }
   x->columns = columns;
   x->column_count = n;
}

static bool cursor_row (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err)
{
   MtExec *x = (MtExec *) c;
   MtWork *w = x->main;
   uint32_t size;
   if (!x->by_rows)
      find_columns (x, n);
   x->by_rows = true;
   if (!x->columns)
      return mt_row_of_next (c, values, n, more, err);
   if (!next_output (x, &size, err))
      return false;
   *more = size > 0;
   if (!*more)
      return is_whole (x, err);
   const uint8_t *record = w->out.p + w->out_at, *own = record + 4;
   memcpy (values, own + n, n * sizeof *values);
   for (size_t i = 0; i < n; i++)
      if (own[i])
         values[i].p = record + (uintptr_t) values[i].p;
   w->out_at += size;
   return true;
}

static void cursor_free (MtCursor *c)
{
   MtExec *x = (MtExec *) c;
   mt_work_free (x->main);
   mt_cursor_free (x->feed);
   mt_doc_stream_close (x->stream);
   mt_top_free (x->top);
   mt_lookup_free (x->lookup);
   mt_source_free (x->source);
   mt_arena_free (x->arena);
   free (x);
}

const MtCursorVt mt_exec_cursor_vt = {
   .next = cursor_next, .row = cursor_row, .stats = mt_exec_stats, .free = cursor_free};
