/* Formats that print values with separators: unaligned, csv, tsv. */
#include "shell/format/format_int.h"

#include <string.h>

static void add (MtFmt *f, MtStr s) { mt_buf_add (&f->out, s.p, s.n); }

/* ---- unaligned ---- */

static bool vertical (const MtFmt *f) { return f->o->expanded == MT_EXPANDED_ON; }

void mt_unaligned_begin (MtFmt *f)
{
   if (f->o->tuples_only)
      return;
   if (f->o->title) {
      mt_buf_adds (&f->out, f->o->title);
      if (!vertical (f))
         add (f, f->o->record_sep);
      f->started = true;
   }
   if (vertical (f))
      return;
   for (size_t i = 0; i < f->n; i++) {
      if (i)
         add (f, f->o->field_sep);
      add (f, f->columns[i].name);
   }
   f->started = true;
}

static void unaligned_record (MtFmt *f, const MtStr *cells)
{
   if (f->started) {
      add (f, f->o->record_sep);
      add (f, f->o->record_sep);
   }
   for (size_t i = 0; i < f->n; i++) {
      if (i)
         add (f, f->o->record_sep);
      add (f, f->columns[i].name);
      add (f, f->o->field_sep);
      add (f, mt_fmt_cell (f, cells[i]));
   }
}

void mt_unaligned_row (MtFmt *f, const MtStr *cells)
{
   if (vertical (f)) {
      unaligned_record (f, cells);
   } else {
      if (f->started)
         add (f, f->o->record_sep);
      for (size_t i = 0; i < f->n; i++) {
         if (i)
            add (f, f->o->field_sep);
         add (f, mt_fmt_cell (f, cells[i]));
      }
   }
   f->started = true;
}

void mt_unaligned_finish (MtFmt *f, const char *const *footers)
{
   char scratch[64];
   const char *list[2], *const *p = NULL;
   if (!f->o->tuples_only)
      p = vertical (f) ? footers : mt_fmt_footers (f, footers, scratch, list);
   if (p && *p && vertical (f))
      add (f, f->o->record_sep);
   for (; p && *p; p++) {
      if (f->started)
         add (f, f->o->record_sep);
      mt_buf_adds (&f->out, *p);
      f->started = true;
   }
   /* The last record ends with a newline, or with a zero byte if that is the separator. */
   if (f->started)
      mt_buf_addc (&f->out, f->o->record_sep.n == 1 && f->o->record_sep.p[0] == 0 ? 0 : '\n');
}

/* ---- csv: COPY's rules, so that NULL and '' stay apart ---- */

static void csv_value (MtFmt *f, MtStr s)
{
   char sep = f->o->csv_sep;
   bool quote = s.n == 0 || (s.n == 2 && memcmp (s.p, "\\.", 2) == 0) ||
                (f->o->null.n && mt_str_eq (s, f->o->null));
   for (size_t i = 0; i < s.n && !quote; i++)
      quote = s.p[i] == sep || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r';
   if (!quote) {
      add (f, s);
      return;
   }
   mt_buf_quoted (&f->out, '"', s);
}

static void csv_cell (MtFmt *f, MtStr s)
{
   if (s.p)
      csv_value (f, s);
   else
      add (f, f->o->null);
}

void mt_csv_begin (MtFmt *f)
{
   if (f->o->tuples_only || vertical (f))
      return;
   for (size_t i = 0; i < f->n; i++) {
      if (i)
         mt_buf_addc (&f->out, f->o->csv_sep);
      csv_value (f, f->columns[i].name);
   }
   mt_buf_addc (&f->out, '\n');
}

void mt_fmt_csv_row (MtFmt *f, const MtStr *cells)
{
   for (size_t i = 0; i < f->n; i++) {
      if (vertical (f)) {
         csv_value (f, f->columns[i].name);
         mt_buf_addc (&f->out, f->o->csv_sep);
      } else if (i) {
         mt_buf_addc (&f->out, f->o->csv_sep);
      }
      csv_cell (f, cells[i]);
      if (vertical (f) || i + 1 == f->n)
         mt_buf_addc (&f->out, '\n');
   }
}

/* ---- tsv: COPY's text format ---- */

static void tsv_value (MtFmt *f, MtStr s)
{
   static const char escaped[] = "\b\f\n\r\t\v\\", letters[] = "bfnrtv\\";
   for (size_t i = 0; i < s.n; i++) {
      const char *e = s.p[i] ? strchr (escaped, s.p[i]) : NULL;
      if (e)
         mt_buf_addc (&f->out, '\\');
      mt_buf_addc (&f->out, e ? letters[e - escaped] : s.p[i]);
   }
}

void mt_tsv_begin (MtFmt *f)
{
   if (f->o->tuples_only)
      return;
   for (size_t i = 0; i < f->n; i++) {
      tsv_value (f, f->columns[i].name);
      mt_buf_addc (&f->out, i + 1 < f->n ? '\t' : '\n');
   }
}

void mt_tsv_row (MtFmt *f, const MtStr *cells)
{
   for (size_t i = 0; i < f->n; i++) {
      if (cells[i].p)
         tsv_value (f, cells[i]);
      else
         mt_buf_adds (&f->out, "\\N");
      mt_buf_addc (&f->out, i + 1 < f->n ? '\t' : '\n');
   }
}
