/* Formats for documents: markdown, html, asciidoc and latex. The last three are exactly as in psql
 * 15. */
#include "shell/format/format_int.h"

#include <string.h>

static bool vertical (const MtFmt *f) { return f->o->expanded == MT_EXPANDED_ON; }

static bool blank (MtStr s)
{
   for (size_t i = 0; i < s.n; i++) {
      if (!strchr (" \t", s.p[i]))
         return false;
   }
   return true;
}

/* Appends s with each character that is in `from` replaced by the string with the same index in
 * `to`. */
static void replaced (MtBuf *out, MtStr s, const char *from, const char *const *to)
{
   for (size_t i = 0; i < s.n; i++) {
      const char *at = s.p[i] ? strchr (from, s.p[i]) : NULL;
      if (at)
         mt_buf_adds (out, to[at - from]);
      else
         mt_buf_addc (out, s.p[i]);
   }
}

/* ---- markdown ---- */

static void md (MtBuf *out, MtStr s)
{
   static const char *const to[] = {"\\|", "<br>", "", "\\\\", "&lt;", "&amp;"};
   replaced (out, s, "|\n\r\\<&", to);
}

void mt_markdown_begin (MtFmt *f)
{
   MtBuf *out = &f->out;
   if (f->o->title && !f->o->tuples_only)
      mt_buf_printf (out, "%s\n\n", f->o->title);
   mt_buf_addc (out, '|');
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_addc (out, ' ');
      md (out, f->columns[i].name);
      mt_buf_adds (out, " |");
   }
   mt_buf_adds (out, "\n|");
   for (size_t i = 0; i < f->n; i++)
      mt_buf_adds (out, f->columns[i].right ? "---:|" : "---|");
   mt_buf_addc (out, '\n');
}

void mt_markdown_row (MtFmt *f, const MtStr *cells)
{
   mt_buf_addc (&f->out, '|');
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_addc (&f->out, ' ');
      md (&f->out, mt_fmt_cell (f, cells[i]));
      mt_buf_adds (&f->out, " |");
   }
   mt_buf_addc (&f->out, '\n');
}

void mt_markdown_finish (MtFmt *f, const char *const *footers)
{
   for (; footers && *footers && !f->o->tuples_only; footers++)
      mt_buf_printf (&f->out, "\n%s\n", *footers);
}

/* ---- html ---- */

static void html (MtBuf *out, MtStr s)
{
   static const char *const to[] = {"&amp;", "&lt;", "&gt;", "<br />\n", "&quot;"};
   size_t i = 0;
   for (; i < s.n && s.p[i] == ' '; i++) /* leading spaces are kept */
      mt_buf_adds (out, "&nbsp;");
   replaced (out, (MtStr) {s.p + i, s.n - i}, "&<>\n\"", to);
}

void mt_html_begin (MtFmt *f)
{
   MtBuf *out = &f->out;
   mt_buf_printf (out, "<table border=\"%d\"", f->o->border);
   if (f->o->table_attr)
      mt_buf_printf (out, " %s", f->o->table_attr);
   mt_buf_adds (out, ">\n");
   if (f->o->tuples_only)
      return;
   if (f->o->title) {
      mt_buf_adds (out, "  <caption>");
      html (out, mt_str (f->o->title));
      mt_buf_adds (out, "</caption>\n");
   }
   if (vertical (f))
      return;
   mt_buf_adds (out, "  <tr>\n");
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_adds (out, "    <th align=\"center\">");
      html (out, f->columns[i].name);
      mt_buf_adds (out, "</th>\n");
   }
   mt_buf_adds (out, "  </tr>\n");
}

static void html_cell (MtFmt *f, size_t i, MtStr s)
{
   mt_buf_printf (&f->out, "    <td align=\"%s\">", f->columns[i].right ? "right" : "left");
   if (blank (s))
      mt_buf_adds (&f->out, "&nbsp; ");
   else
      html (&f->out, s);
   mt_buf_adds (&f->out, "</td>\n");
}

static void html_record (MtFmt *f, const MtStr *cells)
{
   MtBuf *out = &f->out;
   if (f->o->tuples_only)
      mt_buf_adds (out, "\n  <tr><td colspan=\"2\">&nbsp;</td></tr>\n");
   else
      mt_buf_printf (out, "\n  <tr><td colspan=\"2\" align=\"center\">Record %llu</td></tr>\n",
                     (unsigned long long) f->rows);
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_adds (out, "  <tr valign=\"top\">\n    <th>");
      html (out, f->columns[i].name);
      mt_buf_adds (out, "</th>\n");
      html_cell (f, i, mt_fmt_cell (f, cells[i]));
      mt_buf_adds (out, "  </tr>\n");
   }
}

void mt_html_row (MtFmt *f, const MtStr *cells)
{
   if (vertical (f)) {
      html_record (f, cells);
      return;
   }
   mt_buf_adds (&f->out, "  <tr valign=\"top\">\n");
   for (size_t i = 0; i < f->n; i++)
      html_cell (f, i, mt_fmt_cell (f, cells[i]));
   mt_buf_adds (&f->out, "  </tr>\n");
}

void mt_html_finish (MtFmt *f, const char *const *footers)
{
   char scratch[64];
   const char *list[2];
   mt_buf_adds (&f->out, "</table>\n");
   const char *const *p = vertical (f) ? footers : mt_fmt_footers (f, footers, scratch, list);
   if (p && *p && !f->o->tuples_only) {
      mt_buf_adds (&f->out, "<p>");
      for (; *p; p++) {
         html (&f->out, mt_str (*p));
         mt_buf_adds (&f->out, "<br />\n");
      }
      mt_buf_adds (&f->out, "</p>");
   }
   mt_buf_addc (&f->out, '\n');
}

/* ---- asciidoc ---- */

static void adoc (MtBuf *out, MtStr s)
{
   static const char *const to[] = {"\\|"};
   replaced (out, s, "|", to);
}

static void adoc_rule (MtFmt *f)
{
   static const char *const frames[] = {",frame=\"none\",grid=\"none\"", ",frame=\"none\"",
                                        ",frame=\"all\",grid=\"all\""};
   mt_buf_printf (&f->out, "%s]\n|====\n", frames[f->o->border > 2 ? 2 : f->o->border]);
}

void mt_asciidoc_begin (MtFmt *f)
{
   MtBuf *out = &f->out;
   mt_buf_addc (out, '\n');
   if (f->o->title && !f->o->tuples_only)
      mt_buf_printf (out, ".%s\n", f->o->title);
   if (vertical (f)) {
      mt_buf_adds (out, "[cols=\"h,l\"");
      adoc_rule (f);
      return;
   }
   mt_buf_printf (out, "[%scols=\"", f->o->tuples_only ? "" : "options=\"header\",");
   for (size_t i = 0; i < f->n; i++)
      mt_buf_printf (out, "%s%s", i ? "," : "", f->columns[i].right ? ">l" : "<l");
   mt_buf_adds (out, "\"");
   adoc_rule (f);
   if (f->o->tuples_only)
      return;
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_adds (out, i ? " ^l|" : "^l|");
      adoc (out, f->columns[i].name);
   }
   mt_buf_addc (out, '\n');
}

static void adoc_cell (MtFmt *f, size_t i, MtStr s)
{
   (void) i;
   adoc (&f->out, s);
}

static void adoc_record (MtFmt *f, const MtStr *cells)
{
   MtBuf *out = &f->out;
   if (f->o->tuples_only)
      mt_buf_adds (out, "2+|\n");
   else
      mt_buf_printf (out, "2+^|Record %llu\n", (unsigned long long) f->rows);
   for (size_t i = 0; i < f->n; i++) {
      MtStr s = mt_fmt_cell (f, cells[i]);
      mt_buf_adds (out, "<l|");
      adoc (out, f->columns[i].name);
      mt_buf_printf (out, " %s|", f->columns[i].right ? ">l" : "<l");
      if (blank (s))
         mt_buf_addc (out, ' ');
      else
         adoc_cell (f, i, s);
      mt_buf_addc (out, '\n');
   }
}

void mt_asciidoc_row (MtFmt *f, const MtStr *cells)
{
   if (vertical (f)) {
      adoc_record (f, cells);
      return;
   }
   for (size_t i = 0; i < f->n; i++) {
      MtStr s = mt_fmt_cell (f, cells[i]);
      mt_buf_adds (&f->out, i ? " |" : "|");
      if (!blank (s))
         adoc_cell (f, i, s);
      else if (i + 1 != f->n)
         mt_buf_addc (&f->out, ' ');
   }
   mt_buf_addc (&f->out, '\n');
}

void mt_asciidoc_finish (MtFmt *f, const char *const *footers)
{
   char scratch[64];
   const char *list[2];
   mt_buf_adds (&f->out, "|====\n");
   const char *const *p = vertical (f) ? footers : mt_fmt_footers (f, footers, scratch, list);
   if (p && *p && !f->o->tuples_only) {
      mt_buf_adds (&f->out, "\n....\n");
      for (; *p; p++)
         mt_buf_printf (&f->out, "%s\n", *p);
      mt_buf_adds (&f->out, "....\n");
   }
}

/* ---- latex ---- */

static void latex (MtBuf *out, MtStr s)
{
   static const char *const to[] = {
      "\\#",   "\\$", "\\%", "\\&",         "\\textless{}", "\\textgreater{}", "\\textbackslash{}",
      "\\^{}", "\\_", "\\{", "\\textbar{}", "\\}",          "\\~{}",           "\\\\"};
   replaced (out, s, "#$%&<>\\^_{|}~\n", to);
}

void mt_latex_begin (MtFmt *f)
{
   MtBuf *out = &f->out;
   int border = f->o->border > 3 ? 3 : f->o->border;
   if (f->o->title && !f->o->tuples_only) {
      mt_buf_adds (out, "\\begin{center}\n");
      latex (out, mt_str (f->o->title));
      mt_buf_adds (out, "\n\\end{center}\n\n");
   }
   if (vertical (f)) {
      static const char *const columns[] = {"cl", "c|l", "|c|l|"};
      mt_buf_printf (out, "\\begin{tabular}{%s}\n", columns[border > 2 ? 2 : border]);
      return;
   }
   mt_buf_adds (out, "\\begin{tabular}{");
   if (border >= 2)
      mt_buf_adds (out, "| ");
   for (size_t i = 0; i < f->n; i++) {
      mt_buf_addc (out, f->columns[i].right ? 'r' : 'l');
      if (border && i + 1 < f->n)
         mt_buf_adds (out, " | ");
   }
   if (border >= 2)
      mt_buf_adds (out, " |");
   mt_buf_adds (out, "}\n");
   if (!f->o->tuples_only && border >= 2)
      mt_buf_adds (out, "\\hline\n");
   for (size_t i = 0; i < f->n && !f->o->tuples_only; i++) {
      mt_buf_adds (out, i ? " & \\textit{" : "\\textit{");
      latex (out, f->columns[i].name);
      mt_buf_addc (out, '}');
   }
   if (!f->o->tuples_only)
      mt_buf_adds (out, " \\\\\n\\hline\n");
}

static void latex_record (MtFmt *f, const MtStr *cells)
{
   MtBuf *out = &f->out;
   int border = f->o->border > 2 ? 2 : f->o->border;
   if (!f->o->tuples_only && border == 2)
      mt_buf_printf (out, "\\hline\n\\multicolumn{2}{|c|}{\\textit{Record %llu}} \\\\\n\\hline\n",
                     (unsigned long long) f->rows);
   else if (!f->o->tuples_only)
      mt_buf_printf (out, "\\multicolumn{2}{c}{\\textit{Record %llu}} \\\\\n\\hline\n",
                     (unsigned long long) f->rows);
   else if (f->rows > 1 || border == 2)
      mt_buf_adds (out, "\\hline\n");
   for (size_t i = 0; i < f->n; i++) {
      latex (out, f->columns[i].name);
      mt_buf_adds (out, " & ");
      latex (out, mt_fmt_cell (f, cells[i]));
      mt_buf_adds (out, " \\\\\n");
   }
}

void mt_latex_row (MtFmt *f, const MtStr *cells)
{
   if (vertical (f)) {
      latex_record (f, cells);
      return;
   }
   for (size_t i = 0; i < f->n; i++) {
      if (i)
         mt_buf_adds (&f->out, " & ");
      latex (&f->out, mt_fmt_cell (f, cells[i]));
   }
   mt_buf_adds (&f->out, " \\\\\n");
   if (f->o->border >= 3)
      mt_buf_adds (&f->out, "\\hline\n");
}

void mt_latex_finish (MtFmt *f, const char *const *footers)
{
   char scratch[64];
   const char *list[2];
   int border = f->o->border;
   if (border == 2)
      mt_buf_adds (&f->out, "\\hline\n");
   mt_buf_adds (&f->out, "\\end{tabular}\n\n\\noindent ");
   const char *const *p = vertical (f) ? footers : mt_fmt_footers (f, footers, scratch, list);
   for (; p && *p && !f->o->tuples_only; p++) {
      latex (&f->out, mt_str (*p));
      mt_buf_adds (&f->out, " \\\\\n");
   }
   mt_buf_addc (&f->out, '\n');
}
