/* Prints aligned and wrapped tables exactly as psql 15 does. */
#include "shell/format/format_int.h"

#include <stdlib.h>
#include <string.h>

typedef enum Mark { MARK_NONE, MARK_WRAP, MARK_NEWLINE } Mark;

/* A cell of the row that is being printed, and how much of it was printed. */
typedef struct Cell {
   MtLine *lines;
   size_t count, line; /* line == count: no line is left */
   size_t done;        /* bytes of the current line that are printed */
   Mark mark;
} Cell;

typedef struct Table {
   MtFmt *f;
   MtArena *a;
   MtDrawing d;
   int border;
   int *width; /* the printed width of each column */
   int *header_width;
   int total, header_total;
   Cell *cells;
} Table;

static void rule (Table *t, MtRulePos pos)
{
   const MtRule *r = &t->d.rule[pos];
   MtBuf *out = &t->f->out;
   size_t n = t->f->n;
   if (t->border == 1)
      mt_buf_adds (out, r->h);
   else if (t->border == 2)
      mt_buf_printf (out, "%s%s", r->left, r->h);
   for (size_t i = 0; i < n; i++) {
      mt_fmt_repeat (t->f, r->h, t->width[i]);
      if (i + 1 < n && t->border == 0)
         mt_buf_addc (out, ' ');
      else if (i + 1 < n)
         mt_buf_printf (out, "%s%s%s", r->h, r->mid, r->h);
   }
   if (t->border == 2)
      mt_buf_printf (out, "%s%s", r->h, r->right);
   else if (t->border == 1)
      mt_buf_adds (out, r->h);
   mt_buf_addc (out, '\n');
}

static void title (Table *t)
{
   MtStr s = mt_str (t->f->o->title);
   MtBuf shown = {0};
   int width, lines;
   mt_text_add_all_visible (&shown, s.p, s.n);
   mt_text_size ((MtStr) {shown.p, shown.n}, &width, &lines);
   if (width < t->total)
      mt_fmt_pad (t->f, (t->total - width) / 2);
   mt_buf_add (&t->f->out, shown.p, shown.n);
   mt_buf_addc (&t->f->out, '\n');
   mt_buf_free (&shown);
}

/* Prints the next line of a header cell. Returns whether the cell has further lines. */
static bool header_cell (Table *t, size_t i, bool first_line)
{
   MtBuf *out = &t->f->out;
   Cell *c = &t->cells[i];
   bool ended = c->line >= c->count;
   if (t->border != 0 || (!t->d.wrap_right_border && i > 0))
      mt_buf_adds (out, first_line ? " " : t->d.header_newline_left);
   if (!ended) {
      const MtLine *l = &c->lines[c->line++];
      int space = t->width[i] - l->width;
      mt_fmt_pad (t->f, space / 2);
      mt_buf_add (out, l->p, l->n);
      mt_fmt_pad (t->f, (space + 1) / 2);
   } else {
      mt_fmt_pad (t->f, t->width[i]);
   }
   bool more = c->line < c->count;
   if (t->border != 0 || t->d.wrap_right_border)
      mt_buf_adds (out, more ? t->d.header_newline_right : " ");
   if (t->border != 0 && i + 1 < t->f->n)
      mt_buf_adds (out, t->d.rule[MT_RULE_DATA].mid);
   return more;
}

static void header (Table *t)
{
   MtFmt *f = t->f;
   if (t->border == 2)
      rule (t, MT_RULE_TOP);
   for (size_t i = 0; i < f->n; i++) {
      t->cells[i] = (Cell) {0};
      t->cells[i].count = mt_text_lines (t->a, f->columns[i].name, &t->cells[i].lines);
   }
   bool more = f->n > 0, first = true;
   while (more) {
      more = false;
      if (t->border == 2)
         mt_buf_adds (&f->out, t->d.rule[MT_RULE_DATA].left);
      for (size_t i = 0; i < f->n; i++)
         more |= header_cell (t, i, first);
      if (t->border == 2)
         mt_buf_adds (&f->out, t->d.rule[MT_RULE_DATA].right);
      mt_buf_addc (&f->out, '\n');
      first = false;
   }
   rule (t, MT_RULE_MIDDLE);
}

/* Prints as much of the cell's current line as fits into the column. Returns its width. */
static int cell_text (Table *t, size_t i)
{
   Cell *c = &t->cells[i];
   const MtLine *l = &c->lines[c->line];
   /* A line with as many columns as bytes has only characters of one column. */
   bool whole = c->done == 0 && l->width == (int) l->n && l->width <= t->width[i];
   int used = whole ? l->width : t->width[i];
   size_t bytes = whole ? l->n : mt_text_fit (l->p + c->done, l->n - c->done, &used);
   if (used > t->width[i]) /* a single character is wider than the column */
      used = t->width[i];
   if (t->f->columns[i].right)
      mt_fmt_pad (t->f, t->width[i] - used);
   mt_buf_add (&t->f->out, l->p + c->done, bytes);
   c->done += bytes;
   if (c->done >= l->n) {
      c->line++;
      c->done = 0;
   }
   return used;
}

static Mark next_mark (const Cell *c)
{
   if (c->line >= c->count)
      return MARK_NONE;
   if (c->done)
      return MARK_WRAP;
   return c->line ? MARK_NEWLINE : MARK_NONE;
}

static void divider (Table *t, const Cell *next)
{
   const char *s = t->d.rule[MT_RULE_DATA].mid;
   if (next->mark == MARK_WRAP)
      s = t->d.mid_wrap;
   else if (next->mark == MARK_NEWLINE)
      s = t->d.mid_newline;
   else if (next->line >= next->count)
      s = t->d.mid_blank;
   mt_buf_adds (&t->f->out, s);
}

static const char *left_mark (const Table *t, Mark mark)
{
   switch (mark) {
   case MARK_NONE: return " ";
   case MARK_WRAP: return t->d.wrap_left;
   case MARK_NEWLINE: return t->d.newline_left;
   }
   return "";
}

static void data_cell (Table *t, size_t i)
{
   MtBuf *out = &t->f->out;
   Cell *c = &t->cells[i];
   bool inner = i + 1 < t->f->n, spaces = t->border == 2 || inner;
   if (t->border != 0)
      mt_buf_adds (out, left_mark (t, c->mark));
   bool empty = c->line >= c->count;
   int used = t->width[i];
   if (!empty)
      used = cell_text (t, i);
   else if (spaces)
      mt_fmt_pad (t->f, t->width[i]);
   c->mark = next_mark (c);
   /* A left-aligned cell without further lines is not padded; `used` is its whole width. */

   if (!t->f->columns[i].right && (spaces || c->mark != MARK_NONE))
      mt_fmt_pad (t->f, t->width[i] - used);
   if (c->mark == MARK_WRAP)
      mt_buf_adds (out, t->d.wrap_right);
   else if (c->mark == MARK_NEWLINE)
      mt_buf_adds (out, t->d.newline_right);
   else if (spaces)
      mt_buf_addc (out, ' ');
   if (t->border != 0 && inner)
      divider (t, &t->cells[i + 1]);
}

static void data_row (Table *t, const MtStr *cells)
{
   MtFmt *f = t->f;
   for (size_t i = 0; i < f->n; i++) {
      t->cells[i] = (Cell) {0};
      t->cells[i].count = mt_text_lines (t->a, mt_fmt_cell (f, cells[i]), &t->cells[i].lines);
   }
   bool more = true;
   while (more) {
      more = false;
      if (t->border == 2)
         mt_buf_adds (&f->out, t->d.rule[MT_RULE_DATA].left);
      for (size_t i = 0; i < f->n; i++)
         data_cell (t, i);
      for (size_t i = 0; i < f->n; i++)
         more |= t->cells[i].line < t->cells[i].count;
      if (t->border == 2)
         mt_buf_adds (&f->out, t->d.rule[MT_RULE_DATA].right);
      mt_buf_addc (&f->out, '\n');
   }
}

/* For the wrapped format: reduces column widths until the table fits, those columns first whose
 * widths vary most. No column becomes narrower than its header. */
static void shrink (Table *t, const double *average)
{
   MtFmt *f = t->f;
   int target = f->o->columns;
   if (target <= 0 || target < t->header_total)
      return;
   int *native = MT_NEW_N (t->a, int, f->n);
   memcpy (native, t->width, f->n * sizeof *native);
   while (t->total > target) {
      double worst_ratio = 0;
      size_t worst = f->n;
      for (size_t i = 0; i < f->n; i++) {
         if (average[i] > 0 && t->width[i] > t->header_width[i]) {
            double ratio = t->width[i] / average[i] + native[i] * 0.01;
            if (ratio > worst_ratio) {
               worst_ratio = ratio;
               worst = i;
            }
         }
      }
      if (worst == f->n)
         return;
      t->width[worst]--;
      t->total--;
   }
}

/* Returns the width of all borders and blanks around n columns. */
static int frame_width (int border, int n)
{
   switch (border) {
   case 0: return n;
   case 1: return n * 3 - (n > 0);
   default: return n * 3 + 1;
   }
}

static void measure (Table *t)
{
   MtFmt *f = t->f;
   int lines, w, base = frame_width (t->border, (int) f->n);
   double *average = MT_NEW_N (t->a, double, f->n);
   t->total = t->header_total = base;
   for (size_t i = 0; i < f->n; i++) {
      mt_text_size (f->columns[i].name, &t->header_width[i], &lines);
      t->width[i] = t->header_width[i];
   }
   for (size_t k = 0; k < f->held * f->n; k++) {
      mt_text_size (mt_fmt_cell (f, f->cells[k]), &w, &lines);
      if (w > t->width[k % f->n])
         t->width[k % f->n] = w;
      average[k % f->n] += w;
   }
   for (size_t i = 0; i < f->n; i++) {
      /* like psql, computes the average as an integer */
      average[i] = f->held ? (double) ((unsigned long) average[i] / f->held) : 0;
      t->total += t->width[i];
      t->header_total += t->header_width[i];
   }
   if (strcmp (f->o->format->name, "wrapped") == 0)
      shrink (t, average);
}

static bool too_wide (const Table *t)
{
   int columns = t->f->o->columns;
   return t->f->o->expanded == MT_EXPANDED_AUTO && columns > 0 && t->f->n > 0 &&
          (columns < t->header_total || columns < t->total);
}

static void table_end (Table *t, const char *const *footers)
{
   MtFmt *f = t->f;
   char scratch[64];
   const char *list[2];
   if (t->border == 2)
      rule (t, MT_RULE_BOTTOM);
   if (!f->o->tuples_only) {
      for (const char *const *p = mt_fmt_footers (f, footers, scratch, list); *p; p++) {
         mt_text_add_all_visible (&f->out, *p, strlen (*p));
         mt_buf_addc (&f->out, '\n');
      }
   }
   mt_buf_addc (&f->out, '\n');
}

static void aligned_chunk (MtFmt *f, bool last, const char *const *footers)
{
   Table t = {.f = f, .a = mt_arena_new ("table", NULL), .d = mt_fmt_drawing (f->o)};
   t.border = f->o->border > 2 ? 2 : f->o->border;
   t.width = MT_NEW_N (t.a, int, f->n);
   t.header_width = MT_NEW_N (t.a, int, f->n);
   t.cells = MT_NEW_N (t.a, Cell, f->n);
   measure (&t);
   if (too_wide (&t)) {
      mt_arena_free (t.a);
      mt_vertical_chunk (f, last, footers);
      return;
   }
   if (!f->started && !f->o->tuples_only) {
      if (f->o->title)
         title (&t);
      header (&t);
   }
   MtArena *whole = t.a, *lines = mt_arena_new ("display lines", whole);
   t.a = lines;
   for (size_t r = 0; r < f->held && !f->broken; r++) {
      data_row (&t, f->cells + r * f->n);
      if (r % 256 == 255)
         mt_arena_reset (lines);
      mt_fmt_flush (f, false);
   }
   if (last)
      table_end (&t, footers);
   mt_arena_free (whole);
}

static void chunk (MtFmt *f, bool last, const char *const *footers)
{
   if (f->o->expanded == MT_EXPANDED_ON)
      mt_vertical_chunk (f, last, footers);
   else
      aligned_chunk (f, last, footers);
   f->started = true;
   f->printed += f->held;
   f->held = f->held_bytes = 0;
   mt_arena_reset (f->arena);
}

void mt_aligned_row (MtFmt *f, const MtStr *cells)
{
   mt_fmt_hold (f, cells);
   if ((f->o->chunk_rows && f->held >= f->o->chunk_rows) || f->held_bytes > MT_FORMAT_CHUNK_BYTES)
      chunk (f, false, NULL);
}

void mt_aligned_finish (MtFmt *f, const char *const *footers) { chunk (f, true, footers); }
