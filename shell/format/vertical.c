/* The expanded form of aligned and wrapped tables: a block for each record, with one line for each
 * column, as in psql 15. */
#include "shell/format/format_int.h"

#include <stdio.h>
#include <string.h>

typedef struct Vertical {
   MtFmt *f;
   MtArena *a;
   MtDrawing d;
   int border;
   int name_width, data_width;
   bool name_lines, data_lines; /* a name or a value has several lines */
} Vertical;

/* Prints the horizontal line above a record (numbered from 1), or, with record 0, below the last
 * one. */
static void record_line (Vertical *v, uint64_t record, int name_width, MtRulePos pos)
{
   const MtRule *r = &v->d.rule[pos];
   MtBuf *out = &v->f->out;
   int used = 0;
   if (v->border == 2)
      mt_buf_printf (out, "%s%s", r->left, r->h);
   else if (v->border == 1)
      mt_buf_adds (out, r->h);
   if (record) {
      char text[48];
      used = snprintf (text, sizeof text, v->border == 0 ? "* Record %llu" : "[ RECORD %llu ]",
                       (unsigned long long) record);
      mt_buf_adds (out, text);
   }
   if (v->border != 2)
      used++;
   const char *fill = v->border > 0 ? r->h : " ";
   mt_fmt_repeat (v->f, fill, name_width - used);
   used -= name_width;
   if (v->border > 0) {
      if (used-- <= 0)
         mt_buf_adds (out, r->h);
      if (used-- <= 0)
         mt_buf_adds (out, r->mid);
      if (used-- <= 0)
         mt_buf_adds (out, r->h);
   } else if (used-- <= 0) {
      mt_buf_addc (out, ' ');
   }
   mt_fmt_repeat (v->f, fill, v->data_width - (used < 0 ? 0 : used));
   if (v->border == 2)
      mt_buf_printf (out, "%s%s", r->h, r->right);
   mt_buf_addc (out, '\n');
}

static void measure (Vertical *v)
{
   MtFmt *f = v->f;
   int w, lines;
   for (size_t i = 0; i < f->n; i++) {
      mt_text_size (f->columns[i].name, &w, &lines);
      v->name_width = w > v->name_width ? w : v->name_width;
      v->name_lines |= lines > 1;
   }
   for (size_t k = 0; k < f->held * f->n; k++) {
      mt_text_size (mt_fmt_cell (f, f->cells[k]), &w, &lines);
      v->data_width = w > v->data_width ? w : v->data_width;
      v->data_lines |= lines > 1;
   }
}

static int digits (size_t n)
{
   int d = 0;
   for (; n; n /= 10)
      d++;
   return d;
}

/* Computes the width of the column with the values: at least as wide as the lines above records
 * need, and in the wrapped format at most as wide as the window allows. */
static void fit (Vertical *v)
{
   static const int around[] = {1, 3, 7}, head[] = {9, 12, 15};
   MtFmt *f = v->f;
   bool wraps = strcmp (f->o->format->name, "wrapped") == 0;
   int between = around[v->border], record = 0, room = wraps ? f->o->columns : 0, width;
   if (v->name_lines && (v->border == 0 || (v->border == 1 && v->d.old_ascii)))
      between++;
   bool mark = v->data_lines;
   if (mark && v->border < 2 && !v->d.old_ascii)
      between++;
   if (!f->o->tuples_only)
      record = head[v->border] + digits (f->held);
   for (;;) {
      int native = v->name_width + between + v->data_width, least = v->name_width + between + 3;
      native = native < record ? record : native;
      least = least < record ? record : least;
      int all = native;
      if (room > 0 && room < native)
         all = room < least ? least : room;
      width = all - v->name_width - between;
      if (width >= v->data_width || mark || v->border == 2 || v->d.old_ascii)
         break;
      mark = true; /* wrapped values need room for a mark, so compute again */
      between++;
   }
   v->data_lines = mark;
   v->data_width = width;
}

typedef struct Field {
   MtLine *name, *data;
   size_t names, datas, name_line, data_line, done;
   bool name_ended, data_ended;
} Field;

static void field_name (Vertical *v, Field *d)
{
   MtBuf *out = &v->f->out;
   bool marks = v->name_lines && !v->d.old_ascii;
   if (d->name_ended) {
      int space = v->name_width + v->border;
      if ((v->border < 2 && v->name_lines && v->d.old_ascii) || (v->border == 0 && marks))
         space++;
      mt_fmt_pad (v->f, space > 0 ? space : 1);
      return;
   }
   if (v->border == 2 || (v->name_lines && v->d.old_ascii))
      mt_buf_adds (out, d->name_line ? v->d.header_newline_left : " ");
   const MtLine *l = &d->name[d->name_line];
   mt_buf_add (out, l->p, l->n);
   mt_fmt_pad (v->f, v->name_width - l->width);
   d->name_ended = ++d->name_line == d->names;
   if (v->border > 0 || marks)
      mt_buf_adds (out, d->name_ended ? " " : v->d.header_newline_right);
}

static void field_data (Vertical *v, Field *d)
{
   MtBuf *out = &v->f->out;
   const MtLine *l = &d->data[d->data_line];
   bool marks = v->border > 1 || (v->data_lines && !v->d.old_ascii);
   mt_buf_adds (out, d->done ? v->d.wrap_left : " ");
   int used = v->data_width;
   size_t bytes = mt_text_fit (l->p + d->done, l->n - d->done, &used);
   mt_buf_add (out, l->p + d->done, bytes);
   d->done += bytes;
   const char *mark = "";
   if (d->done < l->n) {
      mark = marks ? v->d.wrap_right : "";
   } else if (d->data_line + 1 < d->datas) {
      mark = marks ? v->d.newline_right : "";
      d->data_line++;
      d->done = 0;
   } else {
      mark = v->border > 1 ? " " : "";
      d->data_ended = true;
   }
   if (*mark) {
      mt_fmt_pad (v->f, v->data_width - used);
      mt_buf_adds (out, mark);
   }
   if (v->border == 2)
      mt_buf_adds (out, v->d.rule[MT_RULE_DATA].right);
   mt_buf_addc (out, '\n');
}

/* Returns the text between a column's name and its value. */
static const char *divider (const Vertical *v, const Field *d)
{
   if (d->done)
      return v->d.mid_wrap;
   return d->data_line == 0 ? v->d.rule[MT_RULE_DATA].mid : v->d.mid_newline;
}

static void field (Vertical *v, MtStr name, MtStr data)
{
   Field d = {0};
   MtBuf *out = &v->f->out;
   const char *right = v->d.rule[MT_RULE_DATA].right;
   d.names = mt_text_lines (v->a, name, &d.name);
   d.datas = mt_text_lines (v->a, data, &d.data);
   while (!d.name_ended || !d.data_ended) {
      if (v->border == 2)
         mt_buf_adds (out, v->d.rule[MT_RULE_DATA].left);
      field_name (v, &d);
      if (v->border > 0)
         mt_buf_adds (out, divider (v, &d));
      if (!d.data_ended) {
         field_data (v, &d);
      } else if (v->border < 2) {
         mt_buf_addc (out, '\n');
      } else {
         mt_fmt_pad (v->f, v->data_width + 2);
         mt_buf_printf (out, "%s\n", right);
      }
   }
}

static void footers_only (MtFmt *f, const char *const *footers)
{
   char scratch[64];
   const char *list[2];
   if (!f->o->tuples_only) {
      for (const char *const *p = mt_fmt_footers (f, footers, scratch, list); *p; p++)
         mt_buf_printf (&f->out, "%s\n", *p);
   }
   mt_buf_addc (&f->out, '\n');
}

static void table_end (Vertical *v, const char *const *footers)
{
   MtFmt *f = v->f;
   if (v->border == 2)
      record_line (v, 0, v->name_width, MT_RULE_BOTTOM);
   if (!f->o->tuples_only && footers) {
      if (v->border < 2)
         mt_buf_addc (&f->out, '\n');
      for (; *footers; footers++)
         mt_buf_printf (&f->out, "%s\n", *footers);
   }
   mt_buf_addc (&f->out, '\n');
}

void mt_vertical_chunk (MtFmt *f, bool last, const char *const *footers)
{
   if (last && !f->started && f->held == 0) {
      footers_only (f, footers);
      return;
   }
   Vertical v = {.f = f, .a = mt_arena_new ("records", NULL), .d = mt_fmt_drawing (f->o)};
   v.border = f->o->border > 2 ? 2 : f->o->border;
   measure (&v);
   fit (&v);
   if (!f->started && !f->o->tuples_only && f->o->title) {
      mt_text_add_all_visible (&f->out, f->o->title, strlen (f->o->title));
      mt_buf_addc (&f->out, '\n');
   }
   int name_width = v.name_width + (v.border < 2 && v.name_lines && v.d.old_ascii);
   for (size_t r = 0; r < f->held && !f->broken; r++) {
      MtRulePos pos = r == 0 ? MT_RULE_TOP : MT_RULE_MIDDLE;
      if (!f->o->tuples_only)
         record_line (&v, f->printed + r + 1, name_width, pos);
      else if (r || f->started || v.border == 2)
         record_line (&v, 0, name_width, pos);
      for (size_t i = 0; i < f->n; i++)
         field (&v, f->columns[i].name, mt_fmt_cell (f, f->cells[r * f->n + i]));
      mt_fmt_flush (f, false);
      mt_arena_reset (v.a);
   }
   if (last)
      table_end (&v, footers);
   mt_arena_free (v.a);
}
