/* Writes a dashboard as an HTML page, with its charts as SVG. All text that comes from data or from
 * the file is escaped by mt_buf_markup. */
#include "shell/dashboard/dashboard_int.h"

#include <string.h>

enum { CHART_WIDTH = 640, WIDE_WIDTH = 1320, CHART_HEIGHT = 300 };

/* A number with more bytes than LONG_NUMBER is written smaller. A value of at most SHORT_VALUE
 * bytes is not broken into lines. */
enum { LONG_NUMBER = 12, SHORT_VALUE = 24 };

typedef struct Page {
   const MtBoardView *v;
   MtBuf *out;
} Page;

static const char style[] =
   ":root{color-scheme:light dark;--paper:#fff;--back:#f3f5f7;--ink:#24292f;--muted:#5f6873;"
   "--line:#e1e5ea;--error:#b3261e;--series-1:#0072b2;--series-2:#d55e00;--series-3:#009e73;"
   "--series-4:#cc79a7;--series-5:#e69f00;--series-6:#56b4e9;--series-7:#7a4fb5;"
   "--series-8:#5f6670}\n"
   "@media (prefers-color-scheme:dark){:root{--paper:#1b2027;--back:#11151a;--ink:#e6e8eb;"
   "--muted:#a3adb8;--line:#303842;--error:#ff8a80;--series-1:#56a8f5;--series-2:#ff8c42;"
   "--series-3:#2fc79a;--series-4:#e39ac4;--series-5:#f2c14e;--series-6:#8fd3ff;"
   "--series-7:#b08df0;--series-8:#a7b0ba}}\n"
   "*{box-sizing:border-box}\n"
   "body{margin:0 auto;padding:1.5rem 2rem 2rem;max-width:100rem;background:var(--back);"
   "color:var(--ink);font:1rem/1.45 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',"
   "'Noto Sans','DejaVu Sans',sans-serif}\n"
   "header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 2rem;margin-bottom:1.1rem}\n"
   "h1{font-size:1.7rem;line-height:1.2;margin:0;letter-spacing:-.01em;overflow-wrap:anywhere}\n"
   "dl{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0}\n"
   "dl div{display:flex;gap:.4rem}\n"
   "dt,time,footer{color:var(--muted)}\n"
   "dd{margin:0;font-weight:600;overflow-wrap:anywhere}\n"
   "time{margin-left:auto}\n"
   "main{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem}\n"
   ".panel{grid-column:span 6;background:var(--paper);border:1px solid var(--line);"
   "border-radius:.6rem;padding:.85rem 1rem .8rem;min-width:0}\n"
   ".wide{grid-column:1/-1}\n"
   ".number{grid-column:span 3}\n"
   "@media (max-width:70rem){.panel{grid-column:1/-1}.number{grid-column:span 6}}\n"
   "h2{font-size:1rem;line-height:1.3;margin:0 0 .5rem;overflow-wrap:anywhere}\n"
   ".number h2{color:var(--muted);font-weight:500}\n"
   ".number p{margin:0;font-size:clamp(1.3rem,2.6vw,2rem);line-height:1.3;font-weight:600;"
   "font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
   ".number p.long{font-size:clamp(1rem,1.7vw,1.35rem);line-height:1.9}\n"
   ".number small{display:inline-block;line-height:1.3;font-size:.9rem;font-weight:400;color:var(--muted)}\n"
   ".plot{overflow-x:auto}\n"
   "svg{display:block;width:100%;min-width:25rem;max-width:46rem;height:auto;font-family:inherit}\n"
   ".wide svg{min-width:52rem;max-width:none}\n"
   ".rows{overflow:auto;max-height:30rem}\n"
   "table{border-collapse:collapse;width:100%;font-size:.95rem}\n"
   "th,td{padding:.35rem 1.6rem .35rem 0;text-align:left;vertical-align:baseline;"
   "border-bottom:1px solid var(--line);white-space:pre-wrap;overflow-wrap:break-word}\n"
   ".short{white-space:nowrap}\n"
   "th{color:var(--muted);font-weight:600;position:sticky;top:0;background:var(--paper)}\n"
   ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
   "th:last-child,td:last-child{padding-right:0}\n"
   ".note{margin:.5rem 0 0;color:var(--muted);white-space:pre-line}\n"
   ".error{margin:0;color:var(--error);overflow-wrap:anywhere}\n"
   "footer{margin-top:1.25rem;font-size:.9rem}\n"
   "@media (max-width:40rem){body{padding:1rem}}\n"
   "@media print{:root{color-scheme:light;--back:#fff}body{padding:0}.panel{break-inside:avoid}"
   ".rows{max-height:none}svg,.wide svg{min-width:0}}\n";

static void raw (Page *p, const char *s) { mt_buf_adds (p->out, s); }
static void text (Page *p, const char *s) { mt_buf_markup (p->out, mt_str (s)); }

/* ---- panels ---- */

static void chart (Page *p, const MtShown *s, bool wide)
{
   if (mt_chart_has_data (s->chart)) {
      raw (p, "<div class=\"plot\">\n");
      mt_chart_svg (s->chart, wide ? WIDE_WIDTH : CHART_WIDTH, CHART_HEIGHT, p->out);
      raw (p, "</div>\n");
   } else {
      mt_buf_printf (p->out, "<p class=\"note\">No value to draw in %llu rows</p>\n",
                     (unsigned long long) mt_chart_row_count (s->chart));
   }
}

static void number (Page *p, const MtShown *s)
{
   MtStr null = p->v->sh->display.o.null;
   null = null.n ? null : mt_str ("–");
   raw (p, s->cells->n > LONG_NUMBER ? "<p class=\"long\">" : "<p>");
   mt_buf_markup (p->out, s->cells->p ? *s->cells : null);
   raw (p, " <small>");
   mt_buf_markup (p->out, s->columns->name);
   raw (p, "</small></p>\n");
}

static void cell (Page *p, const MtFmtColumn *c, const char *tag, MtStr value)
{
   const char *class = value.n <= SHORT_VALUE ? " class=\"short\"" : "";
   mt_buf_printf (p->out, "<%s%s>", tag, c->right ? " class=\"n\"" : class);
   mt_buf_markup (p->out, value.p ? value : p->v->sh->display.o.null);
   mt_buf_printf (p->out, "</%s>", tag);
}

static void table (Page *p, const MtShown *s)
{
   raw (p, "<div class=\"rows\"><table>\n<thead><tr>");
   for (size_t i = 0; i < s->column_count; i++)
      cell (p, &s->columns[i], "th", s->columns[i].name);
   raw (p, "</tr></thead>\n<tbody>\n");
   for (size_t r = 0; r < s->rows; r++) {
      raw (p, "<tr>");
      for (size_t i = 0; i < s->column_count; i++)
         cell (p, &s->columns[i], "td", s->cells[r * s->column_count + i]);
      raw (p, "</tr>\n");
   }
   raw (p, "</tbody></table></div>\n");
   if (s->more)
      mt_buf_printf (p->out, "<p class=\"note\">The first %zu rows</p>\n", s->rows);
   else if (!s->rows)
      raw (p, "<p class=\"note\">No rows</p>\n");
}

static void error (Page *p, const MtShown *s)
{
   raw (p, "<p class=\"error\">");
   text (p, s->err.message);
   raw (p, "</p>\n");
   if (s->err.hint[0]) {
      raw (p, "<p class=\"note\">");
      text (p, s->err.hint);
      raw (p, "</p>\n");
   }
}

static void panel (Page *p, const MtPanel *panel, const MtShown *s)
{
   static const char *const classes[] = {[MT_SHOWN_NOTHING] = "",
                                         [MT_SHOWN_ERROR] = " failed",
                                         [MT_SHOWN_CHART] = " chart",
                                         [MT_SHOWN_NUMBER] = " number",
                                         [MT_SHOWN_TABLE] = " table"};
   mt_buf_printf (p->out, "<section class=\"panel%s%s\"><h2>", classes[s->kind],
                  panel->wide ? " wide" : "");
   text (p, panel->title);
   raw (p, "</h2>\n");
   switch (s->kind) {
   case MT_SHOWN_NOTHING: break;
   case MT_SHOWN_ERROR: error (p, s); break;
   case MT_SHOWN_CHART: chart (p, s, panel->wide); break;
   case MT_SHOWN_NUMBER: number (p, s); break;
   case MT_SHOWN_TABLE: table (p, s); break;
   }
   raw (p, "</section>\n");
}

/* ---- the page ---- */

static void head (Page *p)
{
   const MtBoard *b = p->v->board;
   const char *title = b->title ? b->title : "Dashboard";
   char when[64];
   struct tm tm;
   strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S %Z", localtime_r (&p->v->read_at, &tm));
   raw (p, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n<title>");
   text (p, title);
   raw (p, "</title>\n<style>\n");
   raw (p, style);
   raw (p, "</style>\n</head>\n<body>\n<header><h1>");
   text (p, title);
   raw (p, b->variable_count ? "</h1>\n<dl>" : "</h1>");
   for (size_t i = 0; i < b->variable_count; i++) {
      const char *value = mt_var_get (&p->v->sh->vars, b->variables[i]);
      raw (p, "<div><dt>");
      text (p, b->variables[i]);
      raw (p, "</dt><dd>");
      text (p, value ? value : "");
      raw (p, "</dd></div>");
   }
   raw (p, b->variable_count ? "</dl>\n<time>" : "\n<time>");
   text (p, when);
   raw (p, "</time></header>\n<main>\n");
}

void mt_board_page (const MtBoardView *v, MtBuf *out)
{
   Page p = {v, out};
   head (&p);
   for (size_t i = 0; i < v->board->count; i++)
      panel (&p, &v->board->panels[i], &v->shown[i]);
   raw (&p, "</main>\n<footer>Made by mtsql " MTSQL_VERSION ".</footer>\n</body>\n</html>\n");
}
