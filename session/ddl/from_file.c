/* CREATE TABLE … FROM 'file': passes the rows of a CSV file from its reader directly to the table's
 * writer. Other queries over files run as pipelines. */
#include "session/ddl/ddl.h"

#include "session/core/core.h"
#include "session/dml/dml.h"

enum { REPORT_MS = 100 };

MtFileTable *mt_file_of_query (const MtSession *s, const MtQuery *q)
{
   bool plain = !q->arm_count && q->rel.kind == MT_REL_TABLE && !q->windows && !q->where &&
                !q->grouped && !q->distinct && !q->sort_count && q->limit < 0 && !q->offset &&
                !q->gapfill && q->target_count == q->visible_count &&
                q->target_count == q->rel.column_count;
   for (int i = 0; plain && i < q->target_count; i++)
      plain = q->targets[i].expr->kind == MT_X_COLUMN && q->targets[i].expr->column == i;
   MtFileTable *f = plain ? mt_file_of_table (s, q->rel.table) : NULL;
   return f && mt_file_form (f) ? f : NULL;
}

void mt_tell_counters (MtSession *s, const MtTable *t, const MtFileTable *file)
{
   MtBuf names = {0};
   size_t n = 0;
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].counter)
         mt_buf_printf (&names, "%s\"%s\"", n++ ? ", " : "", t->columns[i].name);
   const char *many = n == 1 ? "" : "s", *kind = n == 1 ? "a COUNTER" : "COUNTERs";
   if (n)
      mt_notice (s, "NOTICE",
                 "If that is wrong, add counters => false to read_csv, or change the statements of "
                 "\\infer.",
                 "column%s %s of \"%s\" became %s: the name%s and a sample of %s say so", many,
                 names.p, t->name, kind, many, mt_file_path (file, 0));
   mt_buf_free (&names);
}

typedef struct Filling {
   MtSession *session;
   MtFileRows *rows;
   MtWriteStep *write;
   int64_t reported_ms;
} Filling;

static void report (Filling *f, uint64_t count)
{
   MtSession *s = f->session;
   int64_t now = mt_now_ms ();
   uint64_t total, done;
   if (now - f->reported_ms < REPORT_MS)
      return;
   f->reported_ms = now;
   done = mt_file_rows_bytes (f->rows, &total);
   s->progress.report (s->progress.ctx, "Create table", done, total, count);
}

static bool add_rows (Filling *f, uint64_t *count, MtError *err)
{
   const MtVal *row;
   for (*count = 0;; ++*count) {
      if (!mt_file_rows_next (f->rows, &row, err))
         return false;
      if (!row)
         return true;
      if (!mt_writer_add (f->write->writer, row, err)) {
         mt_file_rows_context (f->rows, err);
         return false;
      }
      if ((*count & 1023) == 0)
         report (f, *count);
   }
}

bool mt_fill_from_file (MtStatement *st, const MtTable *t, MtFileTable *file, MtTable *filled,
                        uint64_t *count, MtError *err)
{
   MtWriteStep w;
   Filling f = {.session = st->session, .rows = mt_file_rows_open (st->session, file), .write = &w};
   bool ok = mt_write_open (st, t, NULL, &w, err);
   if (ok) {
      ok = add_rows (&f, count, err) && mt_write_finish (&w, filled, err);
      mt_write_close (&w);
   }
   mt_file_rows_close (f.rows);
   return ok;
}
