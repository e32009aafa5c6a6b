/* Draws the panels as lines of text, side by side if the screen is wide enough. */
#include "shell/dashboard/dashboard_int.h"
#include "shell/core/output.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
   GAP = 3,           /* the columns between two panels */
   NUMBER_WIDTH = 16, /* the least width of a panel with one number */
   PANEL_WIDTH = 48,  /* the least width of other panels */
   MOST_ACROSS = 3,   /* at most so many other panels stand side by side */
   CHART_LEAST = 8,   /* the least height of a chart, in lines */
   CHART_LINES = 14,  /* the largest height of a chart if the screen has no limit */
   CHART_MOST = 40,   /* the largest height of a panel */
   TABLE_LEAST = 6,
   TABLE_MOST = 24
};

/* Panels side by side. Heights are in lines, without the title above and the empty line below. */
typedef struct Row {
   size_t first, count;
   size_t across; /* the number of panels that fit side by side */
   int height, most;
} Row;

typedef struct Grid {
   const MtBoardView *v;
   Row *rows;
   size_t count;
} Grid;

/* ---- text ---- */

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define RED "\033[31m"
#define PLAIN "\033[0m"

static void add_in (const MtBoardView *v, const char *color, const char *text, MtBuf *out)
{
   mt_buf_adds (out, v->screen.colors ? color : "");
   mt_text_add_all_visible (out, text, strlen (text));
   mt_buf_adds (out, v->screen.colors ? PLAIN : "");
}

/* Returns the width of a line; escape sequences for colours have no width. */
static int width_of (MtStr line)
{
   int sum = 0, w;
   for (size_t i = 0, c; i < line.n;) {
      c = mt_text_color (line.p + i, line.n - i);
      i += c ? c : mt_text_step (line.p + i, line.n - i, NULL, &w);
      sum += !c && w > 0 ? w : 0;
   }
   return sum;
}

void mt_board_clip (const MtBoardView *v, MtStr line, int width, bool pad, MtBuf *out)
{
   bool colored = false, cut = width_of (line) > width;
   int room = cut ? width - 1 : width, at = 0, w;
   for (size_t i = 0, c, len; i < line.n; i += len) {
      c = mt_text_color (line.p + i, line.n - i);
      len = c ? c : mt_text_step (line.p + i, line.n - i, NULL, &w);
      w = c || w < 0 ? 0 : w;
      if (at + w > room)
         break;
      colored |= c > 0;
      mt_buf_add (out, line.p + i, len);
      at += w;
   }
   if (cut && width > 0) {
      mt_buf_adds (out, v->screen.utf8 ? "…" : "~");
      at++;
   }
   mt_buf_adds (out, colored ? PLAIN : "");
   if (pad)
      mt_buf_fill (out, ' ', (size_t) (width > at ? width - at : 0));
}

/* Returns the next line of a text, and advances *at to the line after it. */
static MtStr next_line (MtStr text, size_t *at)
{
   const char *p = text.p + *at, *end = memchr (p, '\n', text.n - *at);
   MtStr line = {p, end ? (size_t) (end - p) : text.n - *at};
   *at += line.n + (end != NULL);
   return line;
}

static int count_lines (const MtBuf *b)
{
   int n = 0;
   for (size_t i = 0; i < b->n; i++)
      n += b->p[i] == '\n';
   return n;
}

/* ---- a panel ---- */

static bool append (void *ctx, const char *p, size_t n) { return mt_buf_add (ctx, p, n); }

/* Appends a table of the first `rows` rows, without a footer. */
static void add_rows (const MtBoardView *v, const MtShown *s, size_t rows, int width, MtBuf *out)
{
   MtFmtOptions o = v->sh->display.o;
   MtFmt f;
   o.format = mt_format_named ("wrapped");
   o.expanded = MT_EXPANDED_OFF;
   o.columns = width;
   o.title = NULL;
   o.footer = false;
   o.chunk_rows = 0;
   mt_fmt_begin (&f, &o, s->columns, s->column_count, append, out);
   for (size_t i = 0; i < rows; i++)
      mt_fmt_row (&f, s->cells + i * s->column_count);
   mt_fmt_finish (&f, NULL);
   while (out->n > 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
      out->p[--out->n] = 0;
}

/* Replaces `lines` by a table of as many rows as fit into `height` lines, and returns their number.
 * A row takes one or more lines. */
static size_t add_rows_within (const MtBoardView *v, const MtShown *s, int width, int height,
                               MtBuf *lines)
{
   size_t fits = 0, most = height < 0 ? 0 : (size_t) height;
   most = s->rows < most ? s->rows : most;
   while (fits < most) {
      size_t rows = (fits + most + 1) / 2;
      mt_buf_clear (lines);
      add_rows (v, s, rows, width, lines);
      if (count_lines (lines) <= height)
         fits = rows;
      else
         most = rows - 1;
   }
   mt_buf_clear (lines);
   add_rows (v, s, fits, width, lines);
   return fits;
}

/* Appends a table of as many rows as fit, and, if rows are left out, a line with their number. */
static void add_table (const MtBoardView *v, const MtShown *s, int width, int height, MtBuf *out)
{
   MtBuf lines = {0};
   size_t rows = add_rows_within (v, s, width, height, &lines);
   bool all = rows == s->rows && !s->more;
   if (!all)
      rows = add_rows_within (v, s, width, height - 1, &lines);
   mt_buf_add (out, lines.p, lines.n);
   mt_buf_free (&lines);
   char note[80];
   if (s->rows == 0)
      snprintf (note, sizeof note, "(0 rows)");
   else if (s->more)
      snprintf (note, sizeof note, "(the first %zu rows)", rows);
   else
      snprintf (note, sizeof note, "(%zu more row%s)", s->rows - rows,
                s->rows - rows == 1 ? "" : "s");
   if (!all || s->rows == 0) {
      add_in (v, DIM, note, out);
      mt_buf_addc (out, '\n');
   }
}

static void add_number (const MtBoardView *v, const MtShown *s, MtBuf *out)
{
   MtStr value = s->cells->p ? *s->cells : v->sh->display.o.null;
   char *text = mt_heap_strndup (value.p ? value.p : "", value.n);
   add_in (v, BOLD, text, out);
   free (text);
   mt_buf_adds (out, " ");
   add_in (v, DIM, s->columns->name.p, out);
   mt_buf_addc (out, '\n');
}

/* Appends a text, broken into lines of at most `width` columns. */
static void add_wrapped (const MtBoardView *v, const char *color, const char *text, int width,
                         MtBuf *out)
{
   MtBuf shown = {0};
   mt_text_add_all_visible (&shown, text, strlen (text));
   for (size_t at = 0; at < shown.n;) {
      int room = width;
      size_t len = mt_text_fit (shown.p + at, shown.n - at, &room), end = len;
      if (at + len < shown.n)
         while (end > len / 2 && shown.p[at + end] != ' ')
            end--;
      end = end > len / 2 ? end : len;
      char *line = mt_heap_strndup (shown.p + at, end);
      add_in (v, color, line, out);
      mt_buf_addc (out, '\n');
      free (line);
      at += end;
      at += at < shown.n && shown.p[at] == ' ';
   }
   mt_buf_free (&shown);
}

static void add_error (const MtBoardView *v, const MtShown *s, int width, MtBuf *out)
{
   MtBuf message = {0};
   mt_buf_printf (&message, "ERROR: %s", s->err.message);
   add_wrapped (v, RED, message.p, width, out);
   mt_buf_clear (&message);
   mt_buf_printf (&message, "HINT: %s", s->err.hint);
   if (s->err.hint[0])
      add_wrapped (v, DIM, message.p, width, out);
   mt_buf_free (&message);
}

/* Appends the content of a panel. height: how many lines a chart or a table may fill. */
static void add_content (const MtBoardView *v, const MtShown *s, int width, int height, MtBuf *out)
{
   MtChartScreen screen = v->screen;
   screen.columns = width;
   screen.lines = height;
   switch (s->kind) {
   case MT_SHOWN_NOTHING: break;
   case MT_SHOWN_ERROR: add_error (v, s, width, out); break;
   case MT_SHOWN_CHART: mt_chart_print (s->chart, &screen, out); break;
   case MT_SHOWN_NUMBER: add_number (v, s, out); break;
   case MT_SHOWN_TABLE: add_table (v, s, width, height, out); break;
   }
}

/* Appends the title line above a panel: ── Title ─────. */
static void add_title (const MtBoardView *v, const char *title, int width, MtBuf *out)
{
   const char *rule = v->screen.utf8 ? "─" : "-";
   MtBuf text = {0};
   mt_text_add_all_visible (&text, title, strlen (title));
   int room = width - 6, w = mt_text_width (text.p, text.n);
   MtBuf line = {0};
   mt_buf_printf (&line, "%s%s%s%s ", v->screen.colors ? DIM : "", rule, rule,
                  v->screen.colors ? PLAIN BOLD : "");
   mt_board_clip (v, (MtStr) {text.p, text.n}, room, false, &line);
   mt_buf_printf (&line, "%s ", v->screen.colors ? PLAIN DIM : "");
   for (int i = 4 + (w < room ? w : room); i < width; i++)
      mt_buf_adds (&line, rule);
   mt_buf_adds (&line, v->screen.colors ? PLAIN : "");
   mt_buf_add (out, line.p, line.n);
   mt_buf_addc (out, '\n');
   mt_buf_free (&line);
   mt_buf_free (&text);
}

/* ---- the grid ---- */

static bool is_narrow (const MtBoardView *v, size_t i)
{
   return v->shown[i].kind == MT_SHOWN_NUMBER && !v->board->panels[i].wide;
}

/* Returns how many panels of this width fit side by side, at least 1. */
static size_t across (const MtBoardView *v, int width)
{
   int n = (v->screen.columns + GAP) / (width + GAP);
   return n > 1 ? (size_t) n : 1;
}

/* Returns how many consecutive panels from i on can be put into common rows: either all narrow (a
 * single number), or all of normal width. */
static size_t alike (const MtBoardView *v, size_t i)
{
   size_t n = 1;
   while (!v->board->panels[i].wide && i + n < v->board->count && !v->board->panels[i + n].wide &&
          is_narrow (v, i) == is_narrow (v, i + n))
      n++;
   return n;
}

/* Returns how many of the n panels with a single number are put side by side, so that they fit and
 * all rows have about the same number. */
static size_t numbers_across (const MtBoardView *v, size_t first, size_t n)
{
   int widest = NUMBER_WIDTH;
   for (size_t i = first; i < first + n; i++) {
      MtBuf text = {0};
      add_number (v, &v->shown[i], &text);
      const char *title = v->board->panels[i].title;
      int number = width_of ((MtStr) {text.p, text.n}),
          name = mt_text_width (title, strlen (title));
      widest = number > widest ? number : widest;
      widest = name + 6 > widest ? name + 6 : widest;
      mt_buf_free (&text);
   }
   size_t most = across (v, widest), rows = (n + most - 1) / most;
   return (n + rows - 1) / rows;
}

/* Divides the panels into rows. Panels with a single number have rows of their own. */
static void cut_rows (Grid *g)
{
   const MtBoardView *v = g->v;
   size_t others = across (v, PANEL_WIDTH);
   others = others < MOST_ACROSS ? others : MOST_ACROSS;
   for (size_t i = 0; i < v->board->count;) {
      size_t n = alike (v, i), end = i + n;
      size_t most = is_narrow (v, i) ? numbers_across (v, i, n) : others;
      most = v->board->panels[i].wide ? 1 : most;
      for (; i < end; i += n) {
         n = end - i < most ? end - i : most;
         g->rows[g->count++] = (Row) {.first = i, .count = n, .across = most};
      }
   }
}

/* Returns the width of the i-th panel of a row. The last one extends to the right end of the
 * screen. */
static int width_in (const Grid *g, const Row *r, size_t i)
{
   int across = (int) r->across, room = g->v->screen.columns - GAP * (across - 1);
   return room / across + (i + 1 == r->across ? room % across : 0);
}

/* Returns how many lines a panel fills if it gets `wanted` lines. Bars with names and heat maps can
 * need more. */
static int lines_of (const Grid *g, int width, const MtShown *s, int wanted)
{
   MtBuf text = {0};
   add_content (g->v, s, width, wanted, &text);
   int n = count_lines (&text);
   mt_buf_free (&text);
   return n > CHART_MOST ? CHART_MOST : n;
}

/* Sets r->height to the least, and r->most to the largest useful height of a row. */
static void measure (const Grid *g, Row *r)
{
   int chart_most = g->v->screen.lines ? CHART_MOST : CHART_LINES;
   for (size_t i = r->first; i < r->first + r->count; i++) {
      const MtShown *s = &g->v->shown[i];
      bool chart = s->kind == MT_SHOWN_CHART;
      int width = width_in (g, r, i - r->first);
      int least = lines_of (g, width, s, chart ? CHART_LEAST : TABLE_LEAST);
      int most = lines_of (g, width, s, chart ? chart_most : TABLE_MOST);
      r->height = least > r->height ? least : r->height;
      r->most = most > r->most ? most : r->most;
   }
}

/* Distributes the remaining lines of the screen among the rows that can use them. */
static void spread (Grid *g)
{
   int left = g->v->screen.lines;
   for (size_t i = 0; i < g->count; i++)
      left -= g->rows[i].height + 1 + (i + 1 < g->count);
   for (bool any = true; any && (left > 0 || g->v->screen.lines == 0);) {
      any = false;
      for (size_t i = 0; i < g->count; i++) {
         Row *r = &g->rows[i];
         if (r->height >= r->most || (g->v->screen.lines && left <= 0))
            continue;
         any = true;
         r->height++;
         left--;
      }
   }
}

/* Appends the panels of a row side by side, line by line. */
static void draw_row (const Grid *g, const Row *r, MtBuf *out)
{
   int most = 0;
   MtBuf *texts = mt_calloc ("panels", r->count, sizeof *texts);
   size_t *at = mt_calloc ("panels", r->count, sizeof *at);
   for (size_t i = 0; i < r->count; i++) {
      int width = width_in (g, r, i);
      add_title (g->v, g->v->board->panels[r->first + i].title, width, &texts[i]);
      add_content (g->v, &g->v->shown[r->first + i], width, r->height, &texts[i]);
      int n = count_lines (&texts[i]);
      most = n > most ? n : most;
   }
   most = most > r->height + 1 ? r->height + 1 : most;
   for (int y = 0; y < most; y++) {
      for (size_t i = 0; i < r->count; i++) {
         MtStr line = next_line ((MtStr) {texts[i].p, texts[i].n}, &at[i]);
         mt_board_clip (g->v, line, width_in (g, r, i), i + 1 < r->count, out);
         mt_buf_fill (out, ' ', i + 1 < r->count ? GAP : 0);
      }
      mt_buf_addc (out, '\n');
   }
   for (size_t i = 0; i < r->count; i++)
      mt_buf_free (&texts[i]);
   free (texts);
   free (at);
}

void mt_board_panels (const MtBoardView *v, MtBuf *out)
{
   Grid g = {.v = v, .rows = mt_calloc ("rows", v->board->count, sizeof (Row))};
   cut_rows (&g);
   for (size_t i = 0; i < g.count; i++)
      measure (&g, &g.rows[i]);
   spread (&g);
   for (size_t i = 0; i < g.count; i++) {
      mt_buf_adds (out, i ? "\n" : "");
      draw_row (&g, &g.rows[i], out);
   }
   free (g.rows);
}

void mt_board_head (const MtBoardView *v, MtBuf *out)
{
   const MtBoard *b = v->board;
   MtBuf line = {0};
   add_in (v, BOLD, b->title ? b->title : "Dashboard", &line);
   for (size_t i = 0; i < b->variable_count; i++) {
      MtBuf value = {0};
      const char *text = mt_var_get (&v->sh->vars, b->variables[i]);
      mt_buf_printf (&value, "%s%s = %s", i ? ", " : "   ", b->variables[i], text ? text : "");
      add_in (v, DIM, value.p, &line);
      mt_buf_free (&value);
   }
   mt_board_clip (v, (MtStr) {line.p, line.n}, v->screen.columns, false, out);
   mt_buf_addc (out, '\n');
   mt_buf_free (&line);
}
