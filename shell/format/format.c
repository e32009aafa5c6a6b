#include "shell/format/format_int.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void nothing (MtFmt *f) { (void) f; }
static void no_end (MtFmt *f, const char *const *footers)
{
   (void) f;
   (void) footers;
}

static const MtFormat formats[] = {
   {"aligned", nothing, mt_aligned_row, mt_aligned_finish, "columns of equal width, as in psql",
    false, false},
   {"wrapped", nothing, mt_aligned_row, mt_aligned_finish,
    "like aligned; wide values continue on the next line", false, false},
   {"unaligned", mt_unaligned_begin, mt_unaligned_row, mt_unaligned_finish,
    "values with a separator (\\pset fieldsep)", false, false},
   {"csv", mt_csv_begin, mt_fmt_csv_row, no_end, "comma-separated values", false, false},
   {"tsv", mt_tsv_begin, mt_tsv_row, no_end, "values with tabs between them", false, false},
   {"json", mt_json_begin, mt_json_row, mt_json_finish, "an array of objects", true, false},
   {"jsonl", nothing, mt_fmt_jsonl_row, no_end, "an object on each line", true, false},
   {"arrow", nothing, mt_aligned_row, mt_aligned_finish, "an Arrow IPC stream", true, true},
   {"markdown", mt_markdown_begin, mt_markdown_row, mt_markdown_finish, "a table of Markdown",
    false, false},
   {"html", mt_html_begin, mt_html_row, mt_html_finish, "a table of HTML", false, false},
   {"asciidoc", mt_asciidoc_begin, mt_asciidoc_row, mt_asciidoc_finish, "a table of AsciiDoc",
    false, false},
   {"latex", mt_latex_begin, mt_latex_row, mt_latex_finish, "a table of LaTeX", false, false},
   {0},
};

/* The arrays of formats that extensions have added. No lock is needed, because the shell has one
 * thread. */
static const MtFormat **added;
static size_t added_count, added_cap;

void mt_formats_add (const MtFormat *rows)
{
   for (size_t i = 0; i < added_count; i++)
      if (added[i] == rows)
         return;
   MT_GROW ("formats", added, added_count, added_cap, 4);
   added[added_count++] = rows;
}

const MtFormat *mt_format_at (size_t index)
{
   const MtFormat *f = formats;
   for (size_t list = 0;; f++) {
      while (!f->name) {
         if (list == added_count)
            return NULL;
         f = added[list++];
      }
      if (!index--)
         return f;
   }
}

const MtFormat *mt_format_named (const char *name)
{
   const MtFormat *f;
   for (size_t i = 0; (f = mt_format_at (i)) && strcmp (f->name, name) != 0;)
      i++;
   return f;
}

const MtFormat *mt_format_find (const char *name, bool *ambiguous)
{
   const MtFormat *found = NULL, *m;
   size_t n = strlen (name);
   if (ambiguous)
      *ambiguous = false;
   for (size_t i = 0; (m = mt_format_at (i)); i++) {
      if (strcmp (m->name, name) == 0)
         return m;
      if (n && strncmp (m->name, name, n) == 0) {
         if (found && ambiguous)
            *ambiguous = true;
         found = found ? found : m;
      }
   }
   return ambiguous && *ambiguous ? NULL : found;
}

MtFmtOptions mt_fmt_defaults (void)
{
   return (MtFmtOptions) {.format = formats,
                          .border = 1,
                          .footer = true,
                          .null = MT_STR (""),
                          .field_sep = MT_STR ("|"),
                          .record_sep = MT_STR ("\n"),
                          .csv_sep = ','};
}

static bool is_number (MtTypeId id) { return mt_type_is_number (id) || id == MT_T_OID; }

static MtCellKind kind_of (MtTypeId id)
{
   if (is_number (id))
      return MT_CELL_NUMBER;
   if (id == MT_T_BOOL)
      return MT_CELL_BOOL;
   if (id == MT_T_TIMESTAMP || id == MT_T_TIMESTAMPTZ)
      return MT_CELL_TIME;
   return mt_type_prints_json (id) ? MT_CELL_JSON : MT_CELL_TEXT;
}

MtFmtColumn mt_fmt_column (const char *name, MtType type)
{
   return (MtFmtColumn) {mt_str (name), is_number (type.id), kind_of (mt_type_element (type.id)),
                         mt_type_is_array (type.id)};
}

void mt_fmt_begin (MtFmt *f, const MtFmtOptions *o, const MtFmtColumn *columns, size_t n,
                   MtWrite write, void *ctx)
{
   *f = (MtFmt) {.o = o, .columns = columns, .n = n, .write = write, .ctx = ctx};
   f->arena = mt_arena_new ("rows to print", NULL);
   o->format->begin (f);
}

bool mt_fmt_row (MtFmt *f, const MtStr *cells)
{
   f->rows++;
   f->o->format->row (f, cells);
   mt_fmt_flush (f, false);
   return !f->broken;
}

bool mt_fmt_finish (MtFmt *f, const char *const *footers)
{
   f->o->format->finish (f, footers);
   mt_fmt_flush (f, true);
   bool ok = !f->broken;
   mt_fmt_abort (f);
   return ok;
}

void mt_fmt_abort (MtFmt *f)
{
   mt_fmt_flush (f, true);
   free (f->cells);
   mt_buf_free (&f->out);
   mt_arena_free (f->arena);
   f->cells = NULL;
   f->arena = NULL;
}
