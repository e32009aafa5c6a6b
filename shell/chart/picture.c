/* Charts in files: loads the drawing library, and draws the header and the axes. */
#include "shell/chart/picture_int.h"
#include "base/draft.h"
#include "base/extension.h"
#include "base/memory.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WIDTH = 900, DEFAULT_HEIGHT = 450, LEAST_SIZE = 100, FONT = 13, FONT_WIDTH = 1200 };
#define LIBRARY "chart_cairo"

/* Colours that colour-blind people can tell apart (after Okabe and Ito, "Color Universal Design"),
 * darkened or lightened to stand out from the background. */
const MtTheme mt_theme_light = {.background = 0xffffff,
                                .text = 0x24292f,
                                .muted = 0x6a737d,
                                .grid = 0xe4e7eb,
                                .series = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00,
                                           0x56b4e9, 0x7a4fb5, 0x5f6670}};
static const MtTheme dark = {.background = 0x16191d,
                             .text = 0xe6e8eb,
                             .muted = 0x9aa4b0,
                             .grid = 0x2c323a,
                             .series = {0x56a8f5, 0xff8c42, 0x2fc79a, 0xe39ac4, 0xf2c14e, 0x8fd3ff,
                                        0xb08df0, 0xa7b0ba}};

/* ---- the drawing library ---- */

/* Loads the drawing library, which stays loaded until the process ends. Returns its table of
 * functions; NULL with an error. */
static const MtPictureBackend *load (MtError *err)
{
   char path[PATH_MAX];
   if (!mt_extension_path (LIBRARY, path)) {
      mt_error (err, MT_E_UNDEFINED_FILE,
                "\\chart: the library \"%s.so\", which draws files, is "
                "not installed",
                LIBRARY);
      return NULL;
   }
   void *h = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
   const MtPictureBackend *b = h ? dlsym (h, MT_PICTURE_BACKEND) : NULL;
   if (b && b->size == sizeof *b)
      return b;
   mt_error (err, MT_E_UNDEFINED_FILE, "\\chart: could not load the library that draws files");
   mt_error_detail (err, "%s", b ? "It belongs to another version of mtsql." : dlerror ());
   return NULL;
}

/* ---- drawing helpers ---- */

uint32_t mt_drawing_color (const MtChartDrawing *d, size_t series)
{
   return d->theme->series[series % 8];
}

double mt_drawing_width (const MtChartDrawing *d, const char *text)
{
   return d->metrics.width (d->metrics.ctx, text, strlen (text));
}

void mt_drawing_text (MtChartDrawing *d, const MtPictureText *how, const char *text)
{
   MtPictureText t = *how;
   t.size = t.size > 0 ? t.size : d->em;
   d->by->text (d->to, &t, text, strlen (text));
}

void mt_drawing_label (MtChartDrawing *d, double x, double y, double anchor, const char *text)
{
   mt_drawing_text (
      d, &(MtPictureText) {.x = x, .y = y, .anchor = anchor, .color = d->theme->muted}, text);
}

void mt_drawing_line (MtChartDrawing *d, const double ends[4], double width, uint32_t color)
{
   d->by->line (d->to, ends, 2, &(MtPictureStroke) {.width = width, .color = color});
}

static double measure (void *ctx, const char *text, size_t n)
{
   MtChartDrawing *d = ctx;
   return d->by->text_width (d->to, text, n, d->em);
}

/* ---- header and notes ---- */

/* Sets the positions of the title, the name of the values, and the legend. Returns the y at which
 * the plot can begin. */
static double place_header (MtChartDrawing *d)
{
   double y = d->em * (d->c->options->title ? 3.2 : 1.2);
   d->legend_x = d->em * 1.2 + (mt_chart_names_values (d->c)
                                   ? mt_drawing_width (d, d->c->y_name) + 2 * d->em
                                   : 0);
   if (d->legend_x > d->width / 2)
      d->legend_x = 1.2 * d->em;
   d->legend_lines = mt_layout_legend (d->c, &d->metrics, 2.4 * d->em,
                                       d->width - d->legend_x - d->em, d->legend);
   int lines = d->legend_lines;
   if (lines == 0 && mt_chart_names_values (d->c))
      lines = 1;
   return y + lines * 1.6 * d->em + 0.8 * d->em;
}

static void draw_legend_mark (MtChartDrawing *d, double x, double y, size_t series)
{
   uint32_t color = mt_drawing_color (d, series);
   double half = 0.5 * d->em;
   if (d->c->kind == MT_CHART_SCATTER)
      d->by->mark (d->to, x + 0.9 * d->em, y, 0.35 * d->em, (int) series % MT_PICTURE_MARKS, color);
   else if (d->c->kind == MT_CHART_LINE)
      d->by->line (d->to, (double[]) {x, y, x + 1.6 * d->em, y}, 2,
                   &(MtPictureStroke) {0.2 * d->em, color, (int) (series / 8)});
   else
      d->by->rectangle (d->to, (double[]) {x + half, y - half, 2 * half, 2 * half}, color);
}

static void draw_header (MtChartDrawing *d)
{
   const MtChart *c = d->c;
   double y = d->em * (c->options->title ? 4.0 : 2.0), left = 1.2 * d->em;
   if (c->options->title)
      mt_drawing_text (d,
                       &(MtPictureText) {.x = left,
                                         .y = 1.9 * d->em,
                                         .size = 1.3 * d->em,
                                         .widest = d->width - 2 * left,
                                         .color = d->theme->text,
                                         .bold = true},
                       c->options->title);
   if (mt_chart_names_values (d->c) && d->legend_x > left)
      mt_drawing_label (d, left, y, 0, c->y_name);
   for (size_t i = 0; d->legend_lines && i < c->series_count; i++) {
      double x = d->legend_x + d->legend[i].x, at = y + d->legend[i].line * 1.6 * d->em;
      draw_legend_mark (d, x, at, i);
      mt_drawing_text (d,
                       &(MtPictureText) {.x = x + 2.1 * d->em,
                                         .y = at,
                                         .widest = d->width - x - 2.5 * d->em,
                                         .color = d->theme->text},
                       c->series[i].name);
   }
}

/* ---- axes ---- */

static void draw_y_axis (MtChartDrawing *d)
{
   const MtScale *s = &d->c->y;
   for (size_t i = 0; i < s->n; i++) {
      double y = d->bottom - mt_scale_place (s, s->ticks[i].at) * (d->bottom - d->top);
      bool is_base = s->ticks[i].at == 0;
      mt_drawing_line (d, (double[]) {d->left, round (y) + 0.5, d->right, round (y) + 0.5}, 1,
                       is_base ? d->theme->muted : d->theme->grid);
      mt_drawing_label (d, d->left - 0.7 * d->em, y, 1, s->ticks[i].label);
   }
}

/* Returns the x of the middle of a label that should be centred at x, moved so that the label is
 * within the picture. */
static double middle_of (const MtChartDrawing *d, double x, const char *text)
{
   double half = mt_drawing_width (d, text) / 2, margin = 0.4 * d->em;
   return fmin (fmax (x, half + margin), d->width - half - margin);
}

static double tick_x (const MtChartDrawing *d, const MtTick *t)
{
   return d->left + mt_scale_place (&d->c->x, t->at) * (d->right - d->left);
}

/* How far below an axis its lines of text are, in multiples of the font size: labels, dates, and
 * the name of the axis if it has no space beside the dates. */
#define LABEL_LINE 1.25
#define DATE_LINE 2.7
#define NAME_LINE 4.1

void mt_drawing_x_axis (MtChartDrawing *d)
{
   const MtScale *s = &d->c->x;
   double y = d->bottom;
   mt_drawing_line (d, (double[]) {d->left, round (y) + 0.5, d->right, round (y) + 0.5}, 1,
                    d->theme->muted);
   for (size_t i = 0; i < s->n; i++) {
      const MtTick *t = &s->ticks[i];
      double x = tick_x (d, t), line = round (x) + 0.5;
      mt_drawing_line (d, (double[]) {line, y, line, y + 0.4 * d->em}, 1, d->theme->muted);
      mt_drawing_label (d, middle_of (d, x, t->label), y + LABEL_LINE * d->em, 0.5, t->label);
      mt_drawing_label (d, middle_of (d, x, t->date), y + DATE_LINE * d->em, 0.5, t->date);
   }
   mt_drawing_label (d, d->right, y + d->name_line * d->em, 1, d->c->x_name);
}

void mt_drawing_fit_x (MtChartDrawing *d)
{
   MtScale *s = &d->c->x;
   double end = 0;
   mt_layout_x_ticks (s, &d->metrics, d->right - d->left);
   for (size_t i = 0; i < s->n; i++) {
      const char *date = s->ticks[i].date;
      if (*date)
         end = middle_of (d, tick_x (d, &s->ticks[i]), date) + mt_drawing_width (d, date) / 2;
   }
   bool beside = end + 1.5 * d->em + mt_drawing_width (d, d->c->x_name) < d->right;
   d->name_line = beside ? DATE_LINE : NAME_LINE;
   d->bottom -= (d->name_line + 0.5) * d->em;
}

/* Chooses the ticks of both axes, and sets the left and right ends of the plot. */
static void place_plot (MtChartDrawing *d)
{
   MtChart *c = d->c;
   mt_scale_widen (&c->y, (int) fmax ((d->bottom - d->top) / (3 * d->em), 5));
   mt_layout_y_ticks (&c->y, d->bottom - d->top - 4 * d->em, 2.6 * d->em);
   d->left = mt_layout_label_width (&c->y, &d->metrics) + 2 * d->em;
   d->right = d->width - 1.6 * d->em;
   mt_drawing_fit_x (d);
}

/* ---- the whole picture ---- */

static void draw_notes (MtChartDrawing *d, const MtBuf *notes)
{
   double y = d->height - 0.9 * d->em;
   for (size_t end = notes->n, i = notes->n; i-- > 0;) {
      if (i > 0 && notes->p[i - 1] != '\n')
         continue;
      MtPictureText t = {.x = 1.2 * d->em, .y = y, .size = 0.9 * d->em, .color = d->theme->muted};
      d->by->text (d->to, &t, notes->p + i, end - i - 1);
      end = i;
      y -= 1.3 * d->em;
   }
}

void mt_drawing_all (MtChartDrawing *d)
{
   d->metrics = (MtMetrics) {.width = measure, .ctx = d, .gap = 1.2 * d->em};
   MtBuf notes = {0};
   mt_chart_notes (d->c, &notes);
   double below = 0;
   for (size_t i = 0; i < notes.n; i++)
      below += notes.p[i] == '\n' ? 1.3 * d->em : 0;
   d->top = place_header (d);
   d->bottom = d->height - below - 0.8 * d->em;
   if (mt_chart_has_rows (d->c)) {
      mt_drawing_bars (d);
   } else if (d->c->kind == MT_CHART_HEAT) {
      mt_drawing_heat (d);
   } else {
      place_plot (d);
      if (mt_chart_has_columns (d->c)) {
         draw_y_axis (d);
         mt_drawing_series (d);
         mt_drawing_x_axis (d);
      } else {
         draw_y_axis (d);
         mt_drawing_x_axis (d);
         mt_drawing_series (d);
      }
   }
   draw_header (d);
   draw_notes (d, &notes);
   mt_buf_free (&notes);
}

/* ---- the file ---- */

static bool append (void *ctx, const void *bytes, size_t n) { return mt_buf_add (ctx, bytes, n); }

/* Inserts the chart's texts into an SVG file as title and description, for search and screen
 * readers, because cairo draws texts as shapes. */
static void describe (const MtChart *c, MtBuf *svg)
{
   MtBuf out = {0};
   const char *start = strstr (svg->p, "<svg"), *end = start ? strchr (start, '>') : NULL;
   if (!end)
      return;
   size_t head = (size_t) (end + 1 - svg->p);
   mt_buf_add (&out, svg->p, head);
   mt_buf_adds (&out, "\n<title>");
   mt_buf_markup (&out,
                  mt_str (c->options->title ? c->options->title : mt_chart_kinds[c->kind].name));
   mt_buf_adds (&out, "</title>\n<desc>");
   mt_buf_markup (&out, mt_str (c->x_name));
   for (size_t i = 0; i < c->series_count; i++) {
      mt_buf_adds (&out, i ? ", " : ": ");
      mt_buf_markup (&out, mt_str (c->series[i].name));
   }
   mt_buf_adds (&out, "</desc>");
   mt_buf_add (&out, svg->p + head, svg->n - head);
   mt_buf_free (svg);
   *svg = out;
}

static void choose_size (MtChartDrawing *d)
{
   const MtChartOptions *o = d->c->options;
   d->width = fmax (o->width ? o->width : DEFAULT_WIDTH, LEAST_SIZE);
   d->em = FONT * fmax (d->width / FONT_WIDTH, 1);
   d->height = o->height ? o->height : DEFAULT_HEIGHT * fmax (d->width / FONT_WIDTH, 1);
   if (!o->height && mt_chart_has_rows (d->c))
      d->height = mt_drawing_bars_height (d);
   d->height = fmax (d->height, LEAST_SIZE);
}

bool mt_chart_save (MtChart *c, MtError *err)
{
   const char *path = c->options->file;
   bool svg = mt_ieq (path + strlen (path) - 4, ".svg");
   MtChartDrawing d = {
      .c = c, .by = load (err), .theme = c->options->dark ? &dark : &mt_theme_light};
   char error[256] = "";
   MtBuf bytes = {0};
   if (!d.by)
      return false;
   choose_size (&d);
   d.to = d.by->begin (d.width, d.height, svg, d.theme->background, error);
   if (!d.to) {
      mt_error (err, MT_E_IO, "\\chart: could not draw the file: %s", error);
      return mt_error_hint (err, "Install a font, for example the package fonts-dejavu-core.");
   }
   mt_drawing_all (&d);
   bool ok = d.by->finish (d.to, append, &bytes, error) ||
             mt_error (err, MT_E_IO, "\\chart: could not draw the file: %s", error);
   if (ok && svg)
      describe (c, &bytes);
   ok = ok && mt_draft_write (path, &bytes, err);
   mt_buf_free (&bytes);
   return ok;
}
