#include "shell/format/format_int.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 64 << 10 };

static void nothing (MtFmt *f) { (void) f; }
static void no_end (MtFmt *f, const char *const *footers)
{
   (void) f;
   (void) footers;
}

const MtFormat mt_formats[] = {
   {"aligned", "a table for reading, as psql prints it", nothing, mt_aligned_row,
    mt_aligned_finish},
   {"wrapped", "aligned, with wide values wrapped to the window", nothing, mt_aligned_row,
    mt_aligned_finish},
   {"unaligned", "values with a separator between them", mt_unaligned_begin, mt_unaligned_row,
    mt_unaligned_finish},
   {"csv", "comma-separated values; NULL is empty, an empty string is \"\"", mt_csv_begin,
    mt_fmt_csv_row, no_end},
   {"tsv", "tab-separated values, escaped as COPY does; NULL is \\N", mt_tsv_begin, mt_tsv_row,
    no_end},
   {"json", "one array of objects", mt_json_begin, mt_json_row, mt_json_finish},
   {"jsonl", "one JSON object a line", nothing, mt_fmt_jsonl_row, no_end},
   {"markdown", "a table for Markdown", mt_markdown_begin, mt_markdown_row, mt_markdown_finish},
   {"html", "a table for HTML, as psql prints it", mt_html_begin, mt_html_row, mt_html_finish},
   {"asciidoc", "a table for AsciiDoc", mt_asciidoc_begin, mt_asciidoc_row, mt_asciidoc_finish},
   {"latex", "a tabular for LaTeX", mt_latex_begin, mt_latex_row, mt_latex_finish},
   {0},
};

const MtFormat *mt_format_find (const char *name, bool *ambiguous)
{
   const MtFormat *found = NULL;
   size_t n = strlen (name);
   if (ambiguous)
      *ambiguous = false;
   for (const MtFormat *m = mt_formats; m->name; m++) {
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
   return (MtFmtOptions) {.format = mt_formats,
                          .border = 1,
                          .footer = true,
                          .null = MT_STR (""),
                          .field_sep = MT_STR ("|"),
                          .record_sep = MT_STR ("\n"),
                          .csv_sep = ','};
}

static MtCellKind kind_of (MtTypeId id)
{
   if (mt_type_is_number (id))
      return MT_CELL_NUMBER;
   if (id == MT_T_BOOL)
      return MT_CELL_BOOL;
   return id == MT_T_JSONB || id == MT_T_DOCUMENT ? MT_CELL_JSON : MT_CELL_TEXT;
}

MtFmtColumn mt_fmt_column (const char *name, MtType type)
{
   return (MtFmtColumn) {mt_str (name), mt_type_is_number (type.id),
                         kind_of (mt_type_element (type.id)), mt_type_is_array (type.id)};
}

void mt_fmt_flush (MtFmt *f, bool all)
{
   if (f->out.n == 0 || (!all && f->out.n < FLUSH_BYTES))
      return;
   if (!f->broken)
      f->broken = !f->write (f->ctx, f->out.p, f->out.n);
   mt_buf_clear (&f->out);
}

void mt_fmt_repeat (MtFmt *f, const char *s, int n)
{
   for (int i = 0; i < n; i++)
      mt_buf_adds (&f->out, s);
}

void mt_fmt_pad (MtFmt *f, int n)
{
   static const char spaces[] = "                                                                ";
   while (n > 0) {
      int m = n < (int) sizeof spaces - 1 ? n : (int) sizeof spaces - 1;
      mt_buf_add (&f->out, spaces, (size_t) m);
      n -= m;
   }
}

const char *const *mt_fmt_footers (const MtFmt *f, const char *const *given, char scratch[64],
                                   const char *list[2])
{
   if (given)
      return given;
   list[0] = list[1] = NULL;
   if (f->o->footer) {
      snprintf (scratch, 64, f->rows == 1 ? "(%llu row)" : "(%llu rows)",
                (unsigned long long) f->rows);
      list[0] = scratch;
   }
   return list;
}

void mt_fmt_hold (MtFmt *f, const MtStr *cells)
{
   if (f->held == f->cap) {
      MtStr *more = mt_try_room ("cells", f->cells, &f->cap, f->held + 1, 64,
                                 f->n * sizeof *f->cells, sizeof f->cap);
      if (!more)
         return; /* the statement fails */
      f->cells = more;
   }
   for (size_t i = 0; i < f->n; i++) {
      MtStr c = cells[i];
      if (c.p) {
         c.p = mt_try_strndup (f->arena, c.p, c.n);
         c.n = c.p ? c.n : 0;
         f->held_bytes += c.n;
      }
      f->cells[f->held * f->n + i] = c;
   }
   f->held_bytes += f->n * sizeof (MtStr);
   f->held++;
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

static const char *pick (bool is_double, const char *one, const char *two)
{
   return is_double ? two : one;
}

/* Unicode's joints, by whether the line across (h) and the line down (v) are double. */
static const char *joint (const char *const set[4], bool h, bool v)
{
   return set[(h ? 2 : 0) + (v ? 1 : 0)];
}

static MtDrawing unicode_drawing (const MtFmtOptions *o)
{
   bool b = o->double_border, c = o->double_column, h = o->double_header;
   static const char *const
      top_left[] = {"┌", "╓", "╒", "╔"},
      *const top_mid[] = {"┬", "╥", "╤", "╦"}, *const top_right[] = {"┐", "╖", "╕", "╗"},
      *const left[] = {"├", "╟", "╞", "╠"}, *const mid[] = {"┼", "╫", "╪", "╬"},
      *const right[] = {"┤", "╢", "╡", "╣"}, *const bottom_left[] = {"└", "╙", "╘", "╚"},
      *const bottom_mid[] = {"┴", "╨", "╧", "╩"}, *const bottom_right[] = {"┘", "╜", "╛", "╝"};
   const char *bv = pick (b, "│", "║"), *cv = pick (c, "│", "║"), *bh = pick (b, "─", "═"),
              *hh = pick (h, "─", "═");
   return (MtDrawing) {
      .rule = {{bh, joint (top_left, b, b), joint (top_mid, b, c), joint (top_right, b, b)},
               {hh, joint (left, h, b), joint (mid, h, c), joint (right, h, b)},
               {bh, joint (bottom_left, b, b), joint (bottom_mid, b, c),
                joint (bottom_right, b, b)},
               {"", bv, cv, bv}},
      .mid_newline = cv,
      .mid_wrap = cv,
      .mid_blank = cv,
      .header_newline_left = " ",
      .header_newline_right = "↵",
      .newline_left = " ",
      .newline_right = "↵",
      .wrap_left = "…",
      .wrap_right = "…",
      .wrap_right_border = true};
}

MtDrawing mt_fmt_drawing (const MtFmtOptions *o)
{
   static const MtDrawing ascii = {.rule = {{"-", "+", "+", "+"},
                                            {"-", "+", "+", "+"},
                                            {"-", "+", "+", "+"},
                                            {"", "|", "|", "|"}},
                                   .mid_newline = "|",
                                   .mid_wrap = "|",
                                   .mid_blank = "|",
                                   .header_newline_left = " ",
                                   .header_newline_right = "+",
                                   .newline_left = " ",
                                   .newline_right = "+",
                                   .wrap_left = ".",
                                   .wrap_right = ".",
                                   .wrap_right_border = true};
   static const MtDrawing old_ascii = {.rule = {{"-", "+", "+", "+"},
                                                {"-", "+", "+", "+"},
                                                {"-", "+", "+", "+"},
                                                {"", "|", "|", "|"}},
                                       .mid_newline = ":",
                                       .mid_wrap = ";",
                                       .mid_blank = " ",
                                       .header_newline_left = "+",
                                       .header_newline_right = " ",
                                       .newline_left = " ",
                                       .newline_right = " ",
                                       .wrap_left = " ",
                                       .wrap_right = " ",
                                       .old_ascii = true};
   switch (o->line_style) {
   case MT_LINE_ASCII: return ascii;
   case MT_LINE_OLD_ASCII: return old_ascii;
   case MT_LINE_UNICODE: break;
   }
   return unicode_drawing (o);
}
