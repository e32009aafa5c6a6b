/* \compare FILE.html: the results as a page for a projector, a screen or paper.
 *
 * The page has no scripts and loads nothing. All text that comes from data or queries goes through
 * mt_buf_markup. */
#include "shell/commands/compare_int.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Page {
   const MtComparisons *k;
   MtArena *a;
   MtBuf *out;
} Page;

static const char *const style[] = {
   ":root{color-scheme:light dark;--paper:#fff;--ink:#1b2530;--muted:#586675;--line:#d3dbe3;"
   "--panel:#f4f6f9;--bar:#2f6fb3;--track:#e4eaf1;--read:#ffd866;--read-ink:#2b2100;"
   "--entries:#d8690b;--best:#16703c}\n"
   "@media (prefers-color-scheme:dark){:root{--paper:#10161d;--ink:#e9eff5;--muted:#a3b1bf;"
   "--line:#33404d;--panel:#19222c;--bar:#6aa9e9;--track:#2a3643;--read:#f2c744;"
   "--read-ink:#221a00;--entries:#ffab5e;--best:#67d695}}\n"
   "*{box-sizing:border-box}\n"
   "body{margin:0 auto;padding:2rem 2.5rem 4rem;max-width:110rem;background:var(--paper);"
   "color:var(--ink);font:1.25rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',"
   "'Noto Sans','DejaVu Sans',sans-serif}\n"
   "h1{font-size:2.6rem;line-height:1.15;margin:0 0 1rem;letter-spacing:-.02em}\n"
   "h2{font-size:1.75rem;line-height:1.2;margin:3rem 0 .75rem;letter-spacing:-.01em}\n"
   "h3{font-size:1.4rem;margin:0 0 .25rem}\n"
   "p{margin:.25rem 0 1rem;max-width:80rem}\n"
   "pre,code,.tree,.n{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',"
   "'Liberation Mono',monospace}\n"
   "pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\n"
   ".query{font-size:1.45rem;line-height:1.45;padding:1rem 1.25rem;background:var(--panel);"
   "border-left:.4rem solid var(--bar);border-radius:.25rem}\n"
   ".muted{color:var(--muted)}\n"
   ".wide{overflow-x:auto}\n"
   "table{border-collapse:collapse;width:100%}\n"
   "th,td{padding:.55rem 1.1rem .55rem 0;text-align:left;vertical-align:baseline;"
   "border-bottom:1px solid var(--line)}\n"
   "thead th{color:var(--muted);font-weight:600;border-bottom:2px solid var(--line);"
   "white-space:nowrap}\n"
   "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
   ".costs th[scope=row]{font-size:1.4rem;white-space:nowrap}\n"
   ".costs td{min-width:9rem;white-space:nowrap}\n"
   ".costs td.why{white-space:normal;color:var(--muted)}\n"
   ".costs td.few{min-width:0}\n",
   ".figure{display:block;font-size:1.4rem;font-weight:600;font-variant-numeric:tabular-nums}\n"
   ".best{color:var(--best)}\n"
   ".track{display:block;height:.8rem;margin-top:.2rem;background:var(--track);"
   "border-radius:.2rem;overflow:hidden}\n"
   ".fill{display:block;height:100%;min-width:3px;background:var(--bar);border-radius:.2rem}\n"
   ".best+.track .fill{background:var(--best)}\n"
   ".columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19.5rem),1fr));"
   "gap:1.25rem;align-items:start}\n"
   ".card{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;"
   "padding:1rem 1.15rem;min-width:0}\n"
   ".card>p{margin-bottom:.6rem}\n"
   ".cut{font-size:1.1rem;color:var(--muted)}\n"
   ".cut b{color:var(--ink)}\n"
   ".tree{font-size:1.1rem;line-height:1.6}\n"
   ".tree ul{list-style:none;margin:0 0 0 .3rem;padding:0 0 0 .8rem;"
   "border-left:2px solid var(--line)}\n"
   ".tree li{position:relative;overflow-wrap:anywhere}\n"
   ".tree li::before{content:'';position:absolute;left:-.8rem;top:.8em;width:.6rem;"
   "border-top:2px solid var(--line)}\n"
   ".tree .unread{color:var(--muted)}\n"
   ".tree .unread:has(mark,.entries){color:var(--ink)}\n"
   ".tree .kind{color:var(--muted);font-size:.9em}\n"
   "mark{background:var(--read);color:var(--read-ink);font-weight:700;padding:.06em .35em;"
   "border-radius:.25rem;-webkit-box-decoration-break:clone;box-decoration-break:clone}\n"
   ".entries{font-weight:700;border-bottom:3px solid var(--entries)}\n"
   ".paths{font-size:1.05rem;margin:.9rem 0 0;color:var(--muted);overflow-wrap:anywhere}\n"
   ".pipe pre{font-size:1rem;line-height:1.5}\n"
   ".rows td,.rows th{padding-right:2rem}\n"
   ".rows table{width:auto}\n"
   "footer{margin-top:3rem;color:var(--muted);font-size:1.05rem}\n"
   "@page{size:landscape;margin:12mm}\n"
   "@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--muted:#444;--line:#bbb;"
   "--panel:#fff;--bar:#2f6fb3;--track:#e4eaf1;--read:#ffd866;--read-ink:#000;--entries:#b85500;"
   "--best:#16703c}html{font-size:8.5pt}body{padding:0;max-width:none}"
   "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
   ".wide{overflow:visible}.costs td{min-width:0}tr,.query{break-inside:avoid}"
   "h2,h3{break-after:avoid}h2{margin-top:1.5rem}"
   ".columns{grid-template-columns:repeat(auto-fit,minmax(18rem,1fr))}}\n"};

/* ---- figures ---- */

static void text (Page *p, const char *s) { mt_buf_markup (p->out, mt_str (s)); }
static void raw (Page *p, const char *s) { mt_buf_adds (p->out, s); }

/* Returns a number of bytes as text with a unit, such as "933 bytes" or "25.2 MB". */
static const char *bytes_text (MtArena *a, double bytes)
{
   static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
   size_t u = 0;
   if (bytes < 1000)
      return mt_printf (a, "%.0f byte%s", bytes, bytes == 1 ? "" : "s");
   for (bytes /= 1000; bytes >= 999.5 && u + 1 < sizeof units / sizeof *units; u++)
      bytes /= 1000;
   return mt_printf (a, "%.*f %s", bytes < 99.95, bytes, units[u]);
}

/* Returns a number as text with a comma between each three digits. */
static const char *count_text (MtArena *a, double n)
{
   char digits[32], grouped[48];
   int len = snprintf (digits, sizeof digits, "%.0f", n);
   size_t k = 0;
   for (int i = 0; i < len; i++) {
      if (i && (len - i) % 3 == 0)
         grouped[k++] = ',';
      grouped[k++] = digits[i];
   }
   return mt_strndup (a, grouped, k);
}

/* Returns a time with its unit, in at least three digits; repeated runs hardly agree in more. */
static const char *time_text (MtArena *a, double ms)
{
   if (ms >= 9999.5)
      return mt_printf (a, "%.1f s", ms / 1000);
   int decimals = 0;
   for (double limit = 99.95; ms < limit && decimals < 3; limit /= 10)
      decimals++;
   return mt_printf (a, "%.*f ms", decimals, ms);
}

/* A column of the page's table: a value of each layout, shown as a number with a bar. */
typedef struct Figure {
   const char *name, *class;
   size_t at; /* the offset of the member in MtComparison */
   const char *(*text) (MtArena *a, double n);
} Figure;
static const Figure figures[] = {
   {"Documents read", "documents", offsetof (MtComparison, documents_read), count_text},
   {"Bytes read", "bytes", offsetof (MtComparison, bytes_touched), bytes_text},
   {"Time", "time", offsetof (MtComparison, milliseconds), time_text},
   {"Bytes stored", "stored", offsetof (MtComparison, bytes_stored), bytes_text}};
enum { FIGURES = sizeof figures / sizeof *figures };

static double figure_of (const MtComparison *c, const Figure *f)
{
   double n;
   memcpy (&n, (const char *) c + f->at, sizeof n);
   return n;
}

/* Sets *least and *most to the least and greatest value in a column; -1: no layout has a value. */
static void limits (const MtComparisons *k, const Figure *f, double *least, double *most)
{
   *least = *most = -1;
   for (size_t i = 0; i < k->count; i++) {
      double n = k->list[i].answers ? figure_of (&k->list[i], f) : -1;
      *most = fmax (*most, n);
      if (n >= 0)
         *least = *least < 0 ? n : fmin (*least, n);
   }
}

/* Returns whether a column has any values. A server does not report how much it reads. */
static bool is_known (const MtComparisons *k, const Figure *f)
{
   double least, most;
   limits (k, f, &least, &most);
   return most >= 0;
}

static void add_figure (Page *p, const MtComparison *c, const Figure *f)
{
   double n = figure_of (c, f), least, most;
   limits (p->k, f, &least, &most);
   bool best = n == least && most > least;
   mt_buf_printf (p->out, "<td class=\"%s\" data-value=\"%.15g\"><span class=\"figure%s\">",
                  f->class, n, best ? " best" : "");
   text (p, f->text (p->a, n));
   mt_buf_printf (p->out,
                  "</span><span class=\"track\"><span class=\"fill\" style=\"width:%.2f%%\">"
                  "</span></span></td>",
                  most > 0 ? 100 * n / most : 0);
}

static void costs (Page *p)
{
   raw (p, "<h2>What each layout costs</h2>\n<div class=\"wide\"><table class=\"costs\">\n"
           "<thead><tr><th scope=\"col\">Layout</th>");
   for (size_t i = 0; i < FIGURES; i++)
      if (is_known (p->k, &figures[i]))
         mt_buf_printf (p->out, "<th scope=\"col\">%s</th>", figures[i].name);
   raw (p, "<th scope=\"col\">Reading stops at</th></tr></thead>\n<tbody>\n");
   for (size_t i = 0; i < p->k->count; i++) {
      const MtComparison *c = &p->k->list[i];
      raw (p, "<tr><th scope=\"row\">");
      text (p, c->layout);
      raw (p, "</th>");
      if (c->answers) {
         for (size_t f = 0; f < FIGURES; f++)
            if (is_known (p->k, &figures[f]))
               add_figure (p, c, &figures[f]);
         raw (p, "<td class=\"few\">");
         text (p, c->cut);
      } else {
         mt_buf_printf (p->out, "<td class=\"why\" colspan=\"%d\">can’t answer: ", FIGURES + 1);
         text (p, c->reason ? c->reason : "");
      }
      raw (p, "</td></tr>\n");
   }
   raw (p, "</tbody></table></div>\n");
}

/* ---- sample documents ---- */

/* Starts the list item for one line of a sample document; its fields or elements follow later.
 * index: the position if the line is an array element. */
static void add_line (Page *p, const MtSampleLine *l, size_t index)
{
   static const char *const classes[] = {
      [MT_SAMPLE_UNREAD] = "unread", [MT_SAMPLE_ENTRIES] = "counted", [MT_SAMPLE_READ] = "read"};
   mt_buf_printf (p->out, "<li class=\"%s%s\" data-path=\"", classes[l->use],
                  l->more ? " more" : "");
   text (p, l->path);
   raw (p, "\">");
   raw (p, l->use == MT_SAMPLE_READ ? "<mark>" : "");
   raw (p, l->use == MT_SAMPLE_ENTRIES ? "<span class=\"entries\">" : "");
   if (l->more && l->name) {
      text (p, l->name);
      mt_buf_printf (p->out, ": … %s entr%s", count_text (p->a, (double) l->more),
                     l->more == 1 ? "y" : "ies");
   } else if (l->more) {
      mt_buf_printf (p->out, "… %s more", count_text (p->a, (double) l->more));
   } else {
      if (l->name)
         text (p, l->name);
      else
         mt_buf_printf (p->out, "[%zu]", index);
      raw (p, l->text ? ": " : "");
      text (p, l->text ? l->text : "");
   }
   raw (p, l->use == MT_SAMPLE_READ ? "</mark>" : "");
   raw (p, l->use == MT_SAMPLE_ENTRIES ? "</span>" : "");
   if (!l->text && !l->more)
      raw (p, l->array ? " <span class=\"kind\">list</span>" : " <span class=\"kind\">{ }</span>");
}

/* Appends the lines of a sample document as nested lists. The first line, which stands for the
 * document itself, is left out. */
static void tree (Page *p, const MtSample *s)
{
   size_t open = 0, index[64] = {0};
   raw (p, "<div class=\"tree\">");
   for (size_t i = 1; i < s->line_count; i++) {
      const MtSampleLine *l = &s->lines[i];
      if (l->depth > open) {
         raw (p, "<ul>\n");
         open++;
         index[open % 64] = 0;
      } else {
         raw (p, "</li>\n");
         for (; open > l->depth; open--)
            raw (p, "</ul></li>\n");
      }
      add_line (p, l, index[open % 64]++);
   }
   for (; open > 0; open--)
      raw (p, "</li></ul>\n");
   raw (p, "</div>\n");
}

static void sample (Page *p, const MtSample *s)
{
   raw (p, "<p class=\"muted\">Collection <code>");
   text (p, s->collection);
   raw (p, "</code>");
   if (s->line_count)
      mt_buf_printf (p->out, ", a document of %s</p>\n", bytes_text (p->a, s->bytes));
   else
      raw (p, " is empty</p>\n");
   if (s->line_count)
      tree (p, s);
}

static void paths (Page *p, const MtSample *s)
{
   raw (p, "<p class=\"paths\">Fields read: ");
   for (size_t i = 0; i < s->path_count; i++) {
      raw (p, i ? ", <code>" : "<code>");
      text (p, *s->paths[i] ? s->paths[i] : "all");
      raw (p, "</code>");
   }
   raw (p, s->path_count ? "</p>\n" : "none. Documents are only counted.</p>\n");
}

static void documents (Page *p)
{
   raw (p, "<h2>What the query reads of a document</h2>\n<p><mark>Marked</mark> parts are read. "
           "Of <span class=\"entries\">underlined</span> parts only the entries are counted or "
           "listed. <span class=\"muted\">Grey</span> parts are skipped.</p>\n"
           "<div class=\"columns\">\n");
   for (size_t i = 0; i < p->k->count; i++) {
      const MtComparison *c = &p->k->list[i];
      raw (p, "<section class=\"card document\" data-layout=\"");
      text (p, c->layout);
      raw (p, "\"><h3>");
      text (p, c->layout);
      raw (p, "</h3>\n<p class=\"cut\">");
      raw (p, c->answers ? "reading stops at <b>" : "can’t answer: ");
      text (p, c->answers ? c->cut : c->reason);
      raw (p, c->answers ? "</b></p>\n" : "</p>\n");
      for (size_t s = 0; s < c->sample_count; s++) {
         sample (p, &c->samples[s]);
         if (c->answers)
            paths (p, &c->samples[s]);
      }
      raw (p, "</section>\n");
   }
   raw (p, "</div>\n");
}

/* ---- pipelines and rows ---- */

static void pipelines (Page *p)
{
   raw (p, "<h2>The pipelines</h2>\n<div class=\"columns\">\n");
   for (size_t i = 0; i < p->k->count; i++) {
      const MtComparison *c = &p->k->list[i];
      if (!c->answers || !c->pipeline)
         continue;
      raw (p, "<section class=\"card pipe\" data-layout=\"");
      text (p, c->layout);
      raw (p, "\"><h3>");
      text (p, c->layout);
      raw (p, "</h3>\n<pre>");
      text (p, c->pipeline);
      raw (p, "</pre></section>\n");
   }
   raw (p, "</div>\n");
}

static void result (Page *p)
{
   const MtFirstRows *f = &p->k->first;
   uint64_t rows = 0;
   if (!f->columns)
      return;
   for (size_t i = 0; i < p->k->count; i++)
      rows = p->k->list[i].answers ? p->k->list[i].rows : rows;
   raw (p, "<h2>The result</h2>\n<div class=\"wide rows\"><table>\n<thead><tr>");
   for (size_t i = 0; i < f->columns; i++) {
      raw (p, f->numbers[i] ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
      text (p, f->names[i]);
      raw (p, "</th>");
   }
   raw (p, "</tr></thead>\n<tbody>\n");
   for (size_t r = 0; r < f->count; r++) {
      raw (p, "<tr>");
      for (size_t i = 0; i < f->columns; i++) {
         const char *cell = f->cells[r * f->columns + i];
         raw (p, f->numbers[i] ? "<td class=\"n\">" : "<td>");
         if (cell)
            text (p, cell);
         else
            raw (p, "<span class=\"muted\">NULL</span>");
         raw (p, "</td>");
      }
      raw (p, "</tr>\n");
   }
   mt_buf_printf (p->out, "</tbody></table></div>\n<p class=\"muted\">%s%s row%s</p>\n",
                  rows > f->count ? "The first rows of " : "", count_text (p->a, (double) rows),
                  rows == 1 ? "" : "s");
}

/* ---- the page ---- */

static void head (Page *p, const char *sql)
{
   raw (p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n<title>");
   text (p, sql);
   raw (p, "</title>\n<style>\n");
   for (size_t i = 0; i < sizeof style / sizeof *style; i++)
      raw (p, style[i]);
   mt_buf_printf (p->out,
                  "</style>\n</head>\n<body>\n<h1>One query on %zu layout%s</h1>\n"
                  "<pre class=\"query\">",
                  p->k->count, p->k->count == 1 ? "" : "s");
   mt_buf_markup (p->out, mt_str_trim (mt_str (sql), " \t\n;"));
   raw (p, "</pre>\n");
}

static void foot (Page *p)
{
   raw (p, "<footer>Times are medians:");
   for (size_t i = 0, n = 0; i < p->k->count; i++) {
      const MtComparison *c = &p->k->list[i];
      if (!c->answers)
         continue;
      raw (p, n++ ? ", " : " ");
      text (p, c->layout);
      mt_buf_printf (p->out, " of %u run%s", c->runs, c->runs == 1 ? "" : "s");
   }
   raw (p, ". Made by mtsql " MTSQL_VERSION ".</footer>\n</body>\n</html>\n");
}

void mt_compare_page (const MtComparisons *k, const char *sql, MtBuf *out)
{
   Page p = {k, mt_arena_new ("page", NULL), out};
   head (&p, sql);
   costs (&p);
   documents (&p);
   pipelines (&p);
   result (&p);
   foot (&p);
   mt_arena_free (p.a);
}
