/* Streams of the rows of CSV files, which the engine reads as documents. */
#include "session/files/files_int.h"

#include "base/bson.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct MtFileRows {
   MtSession *session;
   MtFileTable *f; /* has a reference */
   MtArena *arena;
   size_t at; /* the index of the next file to open */
   bool open;
   MtFileInput input;
   MtCopyIn *in;
   MtPresetOption options[10];
   size_t option_count;
   MtTextStyle style;
};

/* ---- opening ---- */

static void add_option (MtFileRows *r, const char *name, const char *value)
{
   r->options[r->option_count++] = (MtPresetOption) {name, value, MT_NO_SPAN};
}

static const char *as_text (MtFileRows *r, char c) { return mt_printf (r->arena, "%c", c); }

/* Sets COPY's options from the detected form of the CSV file. If the file has no quotes, the quote
 * is a byte that no text contains. */
static void set_options (MtFileRows *r)
{
   const MtSniffed *form = &r->f->form;
   char quote = form->quote ? form->quote : '\b';
   add_option (r, "delimiter", as_text (r, form->delimiter));
   add_option (r, "quote", as_text (r, quote));
   add_option (r, "escape", as_text (r, form->quote ? form->escape : quote));
   add_option (r, "header", form->header ? "true" : "false");
   add_option (r, "skip", mt_printf (r->arena, "%lld", (long long) form->skip));
   add_option (r, "encoding", form->encoding);
   add_option (r, "datestyle", mt_order_words[form->order]);
   add_option (r, "decimal_separator", as_text (r, form->decimal));
   if (form->epoch)
      add_option (r, "epoch", mt_epoch_word (form->epoch));
}

MtFileRows *mt_file_rows_open (MtSession *s, MtFileTable *f)
{
   MtArena *a = mt_arena_new ("rows of a file", NULL);
   MtFileRows *r = MT_NEW (a, MtFileRows);
   *r = (MtFileRows) {.session = s, .f = f, .arena = a};
   r->style = (MtTextStyle) {.zone = s->settings.zone, .now_ms = s->statement_ms};
   mt_file_hold (f);
   set_options (r);
   return r;
}

static bool open_next (MtFileRows *r, MtError *err)
{
   enum { AHEAD_BYTES = 1 << 20 };
   const MtFileTable *f = r->f;
   if (!mt_file_input_open (r->session, f->files[r->at].path, MT_NO_SPAN, &r->input, err))
      return false;
   MtCopyInArgs args = {.table = &f->table,
                        .options = r->options,
                        .option_count = r->option_count,
                        .force_null = f->null_forced,
                        .force_not_null = f->kept,
                        .nulls = f->form.nulls,
                        .null_count = f->form.null_count,
                        .skip_empty = true,
                        .header = r->at ? f->form.titles : NULL,
                        .source = f->files[r->at].path,
                        .style = &r->style,
                        .read = mt_file_input_read,
                        .ctx = &r->input};
   r->open = mt_copy_in_open ("csv", &args, &r->in, err);
   if (!r->open)
      mt_file_input_close (&r->input);
   else if (r->input.before.st_size >= AHEAD_BYTES)
      mt_copy_in_ahead (r->in);
   r->at++;
   return r->open;
}

static void close_current (MtFileRows *r)
{
   if (!r->open)
      return;
   mt_copy_in_close (r->in);
   mt_file_input_close (&r->input);
   r->in = NULL;
   r->open = false;
}

/* ---- rows ---- */

static bool type_was_given (const MtFileTable *f, const char *column)
{
   for (size_t i = 0; i < f->form.column_count; i++)
      if (strcmp (f->form.columns[i].name, column) == 0)
         return f->form.columns[i].given;
   return false;
}

/* If the error is about a value whose column's type comes from a sample, adds a hint to give the
 * type. Returns false. */
static bool row_failed (MtFileRows *r, MtError *err)
{
   MtCopyBad bad;
   if (mt_error_is_set (&r->input.io)) {
      *err = r->input.io;
      return false;
   }
   mt_copy_in_bad (r->in, &bad);
   if (bad.column && !*err->hint && !type_was_given (r->f, bad.column))
      mt_error_hint (err,
                     "The column's type comes from a sample. Give it another one: read_csv ('%s', "
                     "types => '%s text').",
                     r->input.path, bad.column);
   return false;
}

bool mt_file_rows_next (MtFileRows *r, const MtVal **row, MtError *err)
{
   for (;;) {
      if (!r->open && r->at == r->f->count) {
         *row = NULL;
         return true;
      }
      if (!r->open && !open_next (r, err))
         return false;
      if (!mt_copy_in_next (r->in, row, err))
         return row_failed (r, err);
      if (*row)
         return true;
      if (!mt_file_input_same (&r->input, err))
         return false;
      close_current (r);
   }
}

void mt_file_rows_context (const MtFileRows *r, MtError *err)
{
   if (r->open)
      mt_copy_in_context (r->in, err);
}

uint64_t mt_file_rows_bytes (const MtFileRows *r, uint64_t *total)
{
   uint64_t done = r->open ? mt_copy_in_bytes (r->in) : 0;
   *total = 0;
   for (size_t i = 0; i < r->f->count; i++) {
      *total += (uint64_t) r->f->files[i].size;
      done += i + 1 < r->at ? (uint64_t) r->f->files[i].size : 0;
   }
   if (done > *total) /* a compressed file can have more bytes than its size says */
      *total = 0;
   return done;
}

void mt_file_rows_close (MtFileRows *r)
{
   if (!r)
      return;
   close_current (r);
   mt_file_release (r->session, r->f);
   mt_arena_free (r->arena);
}

/* ---- documents ---- */

typedef struct RowStream {
   MtDocStream base;
   MtFileRows *rows;
   const MtColumn *columns;
   size_t count;
   MtBson bytes;
   bson_t doc;
} RowStream;

static bool next_doc (MtDocStream *base, const bson_t **doc, MtError *err)
{
   RowStream *s = (RowStream *) base;
   const MtVal *row;
   *doc = NULL;
   if (!mt_file_rows_next (s->rows, &row, err))
      return false;
   if (!row)
      return true;
   mt_bson_start (&s->bytes);
   for (size_t i = 0; i < s->count; i++)
      if (!mt_is_nullish (row[i]))
         mt_bson_put (&s->bytes, s->columns[i].field, row[i]);
   if (!mt_bson_finish (&s->bytes, &s->doc))
      return mt_memory_check (err);
   *doc = &s->doc;
   return true;
}

static void close_stream (MtDocStream *base)
{
   RowStream *s = (RowStream *) base;
   mt_file_rows_close (s->rows);
   mt_bson_free (&s->bytes);
   free (s);
}

bool mt_file_stream_open (void *ctx, const char *collection, MtDocStream **out, MtError *err)
{
   MtSession *session = ctx;
   MtFileTable *f = session->files;
   while (f && strcmp (f->collection, collection) != 0)
      f = f->next;
   if (!f)
      return mt_error (err, MT_E_INTERNAL, "the file of \"%s\" is not known", collection);
   if (f->kind != MT_KIND_CSV) {
      *out = mt_file_documents (session, f);
      return true;
   }
   RowStream *s = mt_aligned ("file", _Alignof (RowStream), sizeof *s);
   s->base = (MtDocStream) {next_doc, close_stream, NULL};
   s->rows = mt_file_rows_open (session, f);
   s->columns = f->table.columns;
   s->count = f->table.column_count;
   *out = &s->base;
   return true;
}
