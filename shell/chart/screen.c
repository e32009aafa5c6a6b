/* Prints charts on the terminal: lines of characters in UTF-8 or ASCII, with or without colours. */
#include "shell/chart/canvas.h"
#include "shell/chart/chart_int.h"
#include "shell/chart/screen_int.h"
#include "shell/format/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
   DEFAULT_COLUMNS = 80,
   DEFAULT_LINES = 24,
   LEAST_COLUMNS = 10,
   LEAST_PLOT = 3,
   FEW_POINTS = 200
};

static const MtScreenChars unicode = {.vertical = "│",
                                      .corner = "└",
                                      .horizontal = "─",
                                      .tick_y = "┤",
                                      .tick_x = "┬",
                                      .zero = "┼",
                                      .legend = "━━",
                                      .ellipsis = "…",
                                      .full = "█",
                                      .eighths = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"},
                                      .upper = "▀",
                                      .lower = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇"},
                                      .marks = {"•", "+", "×", "o", "■", "▲", "◆", "▽"},
                                      .fills = {"█", "▒", "▓", "░", "#", "=", "+", "-"},
                                      .shades = {"░", "▒", "▓", "█"},
                                      .shade_count = 4},
                           ascii = {.vertical = "|",
                                    .corner = "+",
                                    .horizontal = "-",
                                    .tick_y = "+",
                                    .tick_x = "+",
                                    .zero = "+",
                                    .legend = "--",
                                    .ellipsis = "~",
                                    .full = "#",
                                    .eighths = {"", "", "", "", "#", "#", "#", "#"},
                                    .lower = {"", "", "", "", "#", "#", "#", "#"},
                                    .marks = {"*", "+", "x", "o", "#", "%", "@", "&"},
                                    .fills = {"#", "=", "+", "-", "*", "%", "o", "~"},
                                    .shades = {".", ":", "-", "=", "+", "*", "%", "#", "@"},
                                    .shade_count = 9};

static double columns_of (void *ctx, const char *text, size_t n)
{
   (void) ctx;
   return mt_text_width (text, n);
}

const MtMetrics mt_screen_metrics = {.width = columns_of, .gap = 2};

/* ---- text ---- */

void mt_screen_text (MtCanvas *v, int x, int y, const char *text, uint8_t color)
{
   mt_canvas_text (v, x, y, mt_str (text), color);
}

void mt_screen_clipped (MtScreen *s, int x, int y, const char *text, int width)
{
   size_t n = strlen (text);
   if (width <= 0)
      return;
   if (mt_text_width (text, n) > width) {
      int room = width - 1;
      n = room > 0 ? mt_text_fit (text, n, &room) : 0;
      mt_canvas_text (&s->v, x, y, (MtStr) {text, n}, 0);
      mt_screen_text (&s->v, x + (n ? room : 0), y, s->chars->ellipsis, 0);
      return;
   }
   mt_canvas_text (&s->v, x, y, (MtStr) {text, n}, 0);
}

/* ---- the lines above and below the plot ---- */

uint8_t mt_screen_color (const MtScreen *s, size_t series)
{
   bool plain = !s->to->colors;
   return plain ? 0 : (uint8_t) (MT_COLOR_SERIES + series % MT_CHART_SERIES);
}

/* Returns the mark of a series: without colours the only way to tell series apart. */
static const char *mark_of (const MtScreen *s, size_t series)
{
   return s->chars->marks[series % 8];
}

static const char *legend_mark (const MtScreen *s, size_t series)
{
   if (s->c->kind == MT_CHART_BAR)
      return s->to->colors ? s->chars->full : s->chars->fills[series % 8];
   if (s->v.dots == MT_DOTS_MARKS || s->c->kind == MT_CHART_SCATTER)
      return mark_of (s, series);
   return s->chars->legend;
}

static void draw_header (MtScreen *s)
{
   const MtChart *c = s->c;
   if (c->options->title) {
      int w = mt_text_width (c->options->title, strlen (c->options->title));
      int x = w < s->v.width ? (s->v.width - w) / 2 : 0;
      mt_screen_clipped (s, x, 0, c->options->title, s->v.width - x);
   }
   if (s->has_y_name)
      mt_screen_clipped (s, 0, s->header, c->y_name, s->v.width);
   for (size_t i = 0; s->legend_lines && i < c->series_count; i++) {
      int x = s->legend_x + (int) s->legend[i].x, y = s->header + s->legend[i].line;
      const char *mark = legend_mark (s, i);
      mt_screen_text (&s->v, x, y, mark, mt_screen_color (s, i));
      x += mt_text_width (mark, strlen (mark)) + 1;
      mt_screen_clipped (s, x, y, c->series[i].name, s->v.width - x);
   }
}

static int measure_header (MtScreen *s)
{
   const MtChart *c = s->c;
   s->header = c->options->title ? 1 : 0;
   s->has_y_name = mt_chart_names_values (c);
   s->legend_x = s->has_y_name ? mt_text_width (c->y_name, strlen (c->y_name)) + 3 : 0;
   if (s->legend_x > s->to->columns / 2)
      s->legend_x = s->has_y_name = 0;
   s->legend_lines = mt_layout_legend (c, &mt_screen_metrics, 3, s->to->columns - s->legend_x,
                                       s->legend);
   int lines = s->legend_lines > s->has_y_name ? s->legend_lines : s->has_y_name;
   return s->header + lines;
}

/* ---- axes ---- */

static int column_of (const MtScreen *s, double v)
{
   return s->left + (int) floor (mt_scale_place (&s->c->x, v) * (s->plot_width - 1) + 0.5);
}

/* Returns the line of the canvas in which value v is drawn. For columns, 0 is at the axis, the line
 * below the plot. */
static int line_of (const MtScreen *s, double v)
{
   double place = mt_scale_place (&s->c->y, v);
   if (mt_chart_has_columns (s->c))
      return s->top + s->plot_height - (int) floor (place * s->plot_height + 0.5);
   int dots = s->plot_height * s->v.down;
   return s->top + s->plot_height - 1 - (int) floor (place * (dots - 1) + 0.5) / s->v.down;
}

static void draw_y_axis (MtScreen *s)
{
   for (int y = s->top; y < s->top + s->plot_height; y++)
      mt_screen_text (&s->v, s->left - 1, y, s->chars->vertical, MT_COLOR_DIM);
   mt_screen_text (&s->v, s->left - 1, s->top + s->plot_height, s->chars->corner, MT_COLOR_DIM);
   for (size_t i = 0; i < s->c->y.n; i++) {
      const MtTick *t = &s->c->y.ticks[i];
      int y = line_of (s, t->at), w = mt_text_width (t->label, strlen (t->label));
      mt_screen_text (&s->v, s->left - 1, y,
                      y == s->top + s->plot_height ? s->chars->zero : s->chars->tick_y,
                      MT_COLOR_DIM);
      if (w <= s->left - 2)
         mt_screen_text (&s->v, s->left - 2 - w, y, t->label, 0);
   }
}

/* Writes a text centred at column x of line y, but within the canvas. Returns the column after its
 * end. */
static int draw_centred (MtScreen *s, int x, int y, const char *text)
{
   int w = mt_text_width (text, strlen (text)), at = x - w / 2;
   at = at + w > s->v.width ? s->v.width - w : at;
   at = at > 0 ? at : 0;
   mt_screen_text (&s->v, at, y, text, 0);
   return at + w;
}

void mt_screen_fit_x (MtScreen *s)
{
   MtScale *x = &s->c->x;
   mt_layout_x_ticks (x, &mt_screen_metrics, s->plot_width - 1);
   for (size_t i = 0; i < x->n; i++)
      s->has_dates |= *x->ticks[i].date != 0;
}

int mt_screen_x_axis (MtScreen *s)
{
   int y = s->top + s->plot_height, end = 0;
   for (int x = s->left; x < s->left + s->plot_width; x++)
      mt_screen_text (&s->v, x, y, s->chars->horizontal, MT_COLOR_DIM);
   for (size_t i = 0; i < s->c->x.n; i++) {
      const MtTick *t = &s->c->x.ticks[i];
      int x = column_of (s, t->at);
      mt_screen_text (&s->v, x, y, s->chars->tick_x, MT_COLOR_DIM);
      draw_centred (s, x, y + 1, t->label);
      if (*t->date)
         end = draw_centred (s, x, y + 2, t->date);
   }
   int w = mt_text_width (s->c->x_name, strlen (s->c->x_name));
   bool beside = s->has_dates && end + 2 + w <= s->v.width;
   int name = y + 2 + (s->has_dates && !beside);
   mt_screen_clipped (s, w < s->v.width ? s->v.width - w : 0, name, s->c->x_name, s->v.width);
   return name;
}

/* ---- the plot ---- */

static void dot_of (const MtScreen *s, MtPoint p, int out[2])
{
   int across = s->plot_width * s->v.across, down = s->plot_height * s->v.down;
   out[0] = s->left * s->v.across +
            (int) floor (mt_scale_place (&s->c->x, p.x) * (across - 1) + 0.5);
   out[1] = (s->top + s->plot_height) * s->v.down - 1 -
            (int) floor (mt_scale_place (&s->c->y, p.y) * (down - 1) + 0.5);
}

/* Draws a single point as a mark, because one dot would be hard to see. */
static void draw_mark (MtScreen *s, const int at[2], size_t series)
{
   mt_screen_text (&s->v, at[0] / s->v.across, at[1] / s->v.down, mark_of (s, series),
                   mt_screen_color (s, series));
}

static void draw_line (MtScreen *s, size_t series)
{
   const MtChartSeries *one = &s->c->series[series];
   int before[2], at[2];
   bool follows = false;
   for (size_t i = 0; i < one->n; i++) {
      bool has = !isnan (one->points[i].y);
      bool goes_on = i + 1 < one->n && !isnan (one->points[i + 1].y);
      if (has) {
         dot_of (s, one->points[i], at);
         if (!follows && !goes_on)
            draw_mark (s, at, series);
         mt_canvas_line (&s->v, follows ? before : at, at, mt_screen_color (s, series),
                         mark_of (s, series));
         memcpy (before, at, sizeof at);
      }
      follows = has;
   }
}

static void draw_points (MtScreen *s, size_t series)
{
   const MtChartSeries *one = &s->c->series[series];
   int at[2];
   for (size_t i = 0; i < one->n; i++) {
      if (isnan (one->points[i].y))
         continue;
      dot_of (s, one->points[i], at);
      if (one->n <= FEW_POINTS)
         draw_mark (s, at, series);
      else
         mt_canvas_dot (&s->v, at[0], at[1], mt_screen_color (s, series), mark_of (s, series));
   }
}

/* ---- bars on an axis of values ---- */

MtEighths mt_screen_eighths (const MtScale *scale, double v, int length)
{
   double zero = mt_scale_base (scale);
   int base = (int) floor (zero * length + 0.5) * 8;
   int at = base + (int) floor ((mt_scale_place (scale, v) - zero) * length * 8 + 0.5);
   at = at == base && v > 0 ? at + 1 : at; /* a bar that is not 0 can be seen */
   return (MtEighths) {at < base ? at : base, at < base ? base : at, base};
}

/* Returns the character for a cell of a column that is filled from eighth `from` to eighth `to`,
 * counted from below. NULL: the filled part is too small to be drawn. */
static const char *part_filled (const MtScreen *s, int from, int to, const char *full)
{
   if (from <= 0)
      return to >= 8 ? full : s->chars->lower[to];
   if (from >= 6)
      return NULL;
   return from >= 3 ? s->chars->upper : full;
}

/* Draws a column of characters from 0 to value v, exact to an eighth of a character. */
static void fill_column (MtScreen *s, int x, double v, size_t series)
{
   MtEighths part = mt_screen_eighths (&s->c->y, v, s->plot_height);
   int bottom = s->top + s->plot_height;
   bool plain = s->c->series_count > 1 && !s->to->colors;
   const char *full = plain ? s->chars->fills[series % 8] : s->chars->full;
   for (int line = part.from / 8; line * 8 < part.to; line++) {
      const char *text = part_filled (s, part.from - line * 8, part.to - line * 8, full);
      if (text && *text)
         mt_screen_text (&s->v, x, bottom - 1 - line, plain ? full : text,
                         mt_screen_color (s, series));
   }
}

/* Draws the columns of a series. The columns of all series for the same x share one slot. Where
 * several columns fall into one character, the longest is drawn. */
static void draw_columns (MtScreen *s, size_t series)
{
   const MtChartSeries *one = &s->c->series[series];
   double per_slot = s->c->slot / (s->c->x.hi - s->c->x.lo) * s->plot_width;
   double part = per_slot / (double) s->c->series_count;
   int gap = part >= 3 && s->c->kind == MT_CHART_BAR ? 1 : 0;
   int last = -1;
   double longest = 0;
   for (size_t i = 0; i < one->n; i++) {
      MtPoint p = one->points[i];
      if (isnan (p.y))
         continue;
      double start = mt_scale_place (&s->c->x, p.x - s->c->slot * s->c->slot_left) * s->plot_width +
                     part * (double) series;
      int from = (int) floor (start + 1e-6), to = (int) floor (start + part + 1e-6) - gap;
      if (from != last)
         longest = 0;
      last = from;
      longest = fabs (p.y) > fabs (longest) ? p.y : longest;
      for (int x = from; (x < to || x == from) && x < s->plot_width; x++)
         fill_column (s, s->left + x, x == from ? longest : p.y, series);
   }
}

/* ---- the whole chart ---- */

static bool wants_utf8 (const MtScreen *s)
{
   MtChartStyle style = s->c->options->style;
   return style == MT_CHART_STYLE_AUTO ? s->to->utf8 : style != MT_CHART_ASCII;
}

static MtDots dots_of (const MtScreen *s)
{
   bool same = s->c->series_count > 1 && !s->to->colors; /* dots don't tell series apart */
   if (!wants_utf8 (s) || same)
      return MT_DOTS_MARKS;
   return s->c->options->style == MT_CHART_BLOCKS ? MT_DOTS_BLOCKS : MT_DOTS_BRAILLE;
}

/* Returns n, or `otherwise` if n is 0, but at least `least`. */
static int limited (int n, int otherwise, int least)
{
   n = n ? n : otherwise;
   return n > least ? n : least;
}

/* Chooses the ticks, and sets the position of the plot, which depends on the width of the
 * labels. */
static void place_plot (MtScreen *s, int header, int lines)
{
   MtChart *c = s->c;
   s->top = header;
   s->plot_height = lines - header - 3;
   if (s->plot_height < LEAST_PLOT)
      s->plot_height = LEAST_PLOT;
   mt_scale_widen (&c->y, s->plot_height / 3 > 5 ? s->plot_height / 3 : 5);
   mt_layout_y_ticks (&c->y, s->plot_height, 2.5);
   int labels = (int) mt_layout_label_width (&c->y, &mt_screen_metrics);
   s->left = labels + 2 <= s->to->columns / 2 ? labels + 2 : 1;
   s->plot_width = s->to->columns - s->left;
   mt_screen_fit_x (s);
}

static void draw_plot (MtScreen *s, int lines)
{
   int header = measure_header (s);
   place_plot (s, header, lines);
   mt_canvas_begin (&s->v, s->c->arena, s->to->columns, s->top + s->plot_height + 4, dots_of (s));
   for (size_t i = 0; i < s->c->series_count; i++) {
      if (mt_chart_has_columns (s->c))
         draw_columns (s, i);
      else if (s->c->kind == MT_CHART_SCATTER)
         draw_points (s, i);
      else
         draw_line (s, i);
   }
   mt_screen_x_axis (s);
   draw_y_axis (s);
}

/* Appends the canvas to `out` without the empty lines at its end. */
static void write_out (MtScreen *s, MtBuf *out)
{
   size_t start = out->n;
   mt_canvas_write (&s->v, s->to->colors, out);
   while (out->n > start + 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
      out->p[--out->n] = 0;
}

static void print (MtChart *c, const MtChartScreen *screen, MtBuf *out)
{
   MtChartScreen to = *screen;
   MtScreen s = {.c = c, .to = &to};
   to.columns = limited (c->options->width ? c->options->width : to.columns, DEFAULT_COLUMNS,
                         LEAST_COLUMNS);
   int lines = limited (c->options->height ? c->options->height : to.lines, DEFAULT_LINES, 5);
   s.chars = wants_utf8 (&s) ? &unicode : &ascii;
   if (!mt_chart_has_data (c)) {
      mt_buf_printf (out, "(%llu row%s%s)\n", (unsigned long long) c->rows, c->rows == 1 ? "" : "s",
                     c->rows ? ", no value to draw" : "");
   } else {
      if (mt_chart_has_rows (c))
         mt_screen_bars (&s, measure_header (&s));
      else if (c->kind == MT_CHART_HEAT)
         mt_screen_heat (&s, measure_header (&s), lines);
      else
         draw_plot (&s, lines);
      draw_header (&s);
      write_out (&s, out);
   }
   mt_chart_notes (c, out);
}

/* Ticks, and axes that end at ticks, depend on the size of the terminal. So this function restores
 * the scales for the next call. */
void mt_chart_print (MtChart *c, const MtChartScreen *screen, MtBuf *out)
{
   MtScale x = c->x, y = c->y;
   MtArena *kept = c->arena;
   c->arena = mt_arena_new ("chart", NULL);
   print (c, screen, out);
   mt_arena_free (c->arena);
   c->arena = kept;
   c->x = x;
   c->y = y;
}
