/* Draws charts as SVG elements of an HTML page. The reader's browser has the font and the colours:
 * texts stay text elements, and colours are CSS variables. (Files are drawn by cairo with texts as
 * shapes; see picture.c.) */
#include "shell/chart/picture_int.h"
#include "shell/format/width.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The font size in pixels, and how many of the empty pixels at the top of a picture are cut off: a
 * page needs a smaller margin than a file. */
enum { FONT = 13, MARGIN = 12 };

/* The widths of the characters ' ' to '~' in DejaVu Sans, in hundredths of the font size. Most
 * other fonts are narrower, so a text that fits in this font fits in them, too. */
static const unsigned char widths[] = {
   32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
   64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
   60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
   63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
#define OTHER_WIDTH 0.66 /* width of any other character, per terminal column */
#define BOLD 1.12        /* how much wider bold text is */

struct MtPicture {
   MtBuf *out;
   double width, height;
   /* a bitmap of the pixels that already have a mark of mark_color, because many marks fall on the
    * same pixel */
   uint64_t *marked;
   uint32_t mark_color;
};

/* ---- colours ---- */

static void add_paint (MtPicture *p, const char *attribute, uint32_t color)
{
   const MtTheme *t = &mt_theme_light;
   const struct {
      uint32_t color;
      const char *name;
   } names[] = {{t->background, "paper"}, {t->text, "ink"}, {t->muted, "muted"}, {t->grid, "line"}};
   for (size_t i = 0; i < 8; i++) {
      if (t->series[i] == color) {
         mt_buf_printf (p->out, " %s=\"var(--series-%zu)\"", attribute, i + 1);
         return;
      }
   }
   for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (names[i].color == color) {
         mt_buf_printf (p->out, " %s=\"var(--%s)\"", attribute, names[i].name);
         return;
      }
   }
   mt_buf_printf (p->out, " %s=\"#%06x\"", attribute, color);
}

/* Appends a coordinate or a size with at most one decimal. */
static void add_number (MtPicture *p, double v)
{
   char text[32];
   int n = snprintf (text, sizeof text, "%.1f", v);
   if (n > 2 && text[n - 1] == '0')
      n -= 2;
   mt_buf_add (p->out, text, (size_t) n);
}

static void add_attribute (MtPicture *p, const char *name, double v)
{
   mt_buf_printf (p->out, " %s=\"", name);
   add_number (p, v);
   mt_buf_addc (p->out, '"');
}

/* ---- text ---- */

/* Returns the number of bytes of the character at s. *width is its width for font size 1. */
static size_t step (const char *s, size_t n, double *width)
{
   int columns;
   unsigned char c = (unsigned char) *s;
   if (c >= ' ' && c <= '~') {
      *width = widths[c - ' '] / 100.0;
      return 1;
   }
   size_t len = mt_text_step (s, n, NULL, &columns);
   *width = (columns > 0 ? columns : 0) * OTHER_WIDTH;
   return len;
}

static double text_width (MtPicture *p, const char *text, size_t n, double size)
{
   double sum = 0, width;
   (void) p;
   for (size_t i = 0; i < n; sum += width)
      i += step (text + i, n - i, &width);
   return sum * size;
}

/* Returns how many bytes from the beginning of a text fit into the width `widest`, for this font
 * size. */
static size_t fitting (const char *text, size_t n, double size, double widest)
{
   double sum = 0, width;
   for (size_t i = 0; i < n; sum += width) {
      size_t len = step (text + i, n - i, &width);
      if ((sum + width) * size > widest)
         return i;
      i += len;
   }
   return n;
}

static void draw_text (MtPicture *p, const MtPictureText *how, const char *text, size_t n)
{
   static const char *const anchors[] = {"start", "middle", "end"};
   double size = how->size * (how->bold ? BOLD : 1);
   bool whole = how->widest <= 0 || text_width (p, text, n, size) <= how->widest;
   if (!n)
      return;
   mt_buf_adds (p->out, "<text");
   add_attribute (p, "x", how->x);
   add_attribute (p, "y", how->y + 0.35 * how->size);
   if (how->size != FONT)
      add_attribute (p, "font-size", how->size);
   if (how->anchor > 0)
      mt_buf_printf (p->out, " text-anchor=\"%s\"", anchors[(int) (how->anchor * 2 + 0.5)]);
   mt_buf_adds (p->out, how->bold ? " font-weight=\"600\"" : "");
   add_paint (p, "fill", how->color);
   mt_buf_addc (p->out, '>');
   mt_buf_markup (p->out, (MtStr) {text, whole ? n : fitting (text, n, size, how->widest - size)});
   mt_buf_adds (p->out, whole ? "</text>\n" : "…</text>\n");
}

/* ---- shapes ---- */

static void draw_line (MtPicture *p, const double *xy, size_t n, const MtPictureStroke *how)
{
   static const double dashes[][2] = {{0, 0}, {5, 2.5}, {1.5, 2.5}};
   mt_buf_adds (p->out, "<polyline fill=\"none\"");
   add_paint (p, "stroke", how->color);
   add_attribute (p, "stroke-width", how->width);
   if (how->dash)
      mt_buf_printf (p->out, " stroke-dasharray=\"%.1f %.1f\"", dashes[how->dash][0] * how->width,
                     dashes[how->dash][1] * how->width);
   mt_buf_adds (p->out, how->width > 1 ? " stroke-linejoin=\"round\" points=\"" : " points=\"");
   for (size_t i = 0; i < n; i++) {
      mt_buf_adds (p->out, i ? " " : "");
      add_number (p, xy[2 * i]);
      mt_buf_addc (p->out, ',');
      add_number (p, xy[2 * i + 1]);
   }
   mt_buf_adds (p->out, "\"/>\n");
}

static void draw_rectangle (MtPicture *p, const double box[4], uint32_t color)
{
   static const char *const names[] = {"x", "y", "width", "height"};
   mt_buf_adds (p->out, "<rect");
   for (size_t i = 0; i < 4; i++)
      add_attribute (p, names[i], box[i]);
   add_paint (p, "fill", color);
   mt_buf_adds (p->out, "/>\n");
}

/* Returns whether the pixel already has a mark of this colour, and marks it. */
static bool is_marked (MtPicture *p, double x, double y, uint32_t color)
{
   size_t width = (size_t) p->width + 1, words = width * ((size_t) p->height + 1) / 64 + 1;
   if (!p->marked)
      p->marked = mt_calloc ("chart", words, sizeof *p->marked);
   if (p->mark_color != color)
      memset (p->marked, 0, words * sizeof *p->marked);
   p->mark_color = color;
   if (x < 0 || y < 0 || x > p->width || y > p->height)
      return false;
   size_t at = (size_t) y * width + (size_t) x;
   bool was = p->marked[at / 64] >> at % 64 & 1;
   p->marked[at / 64] |= (uint64_t) 1 << at % 64;
   return was;
}

static void draw_polygon (MtPicture *p, const double center[2], double radius, int n, double turn)
{
   mt_buf_adds (p->out, "<polygon points=\"");
   for (int i = 0; i < n; i++) {
      mt_buf_adds (p->out, i ? " " : "");
      add_number (p, center[0] + radius * cos (turn + 2 * M_PI * i / n));
      mt_buf_addc (p->out, ',');
      add_number (p, center[1] + radius * sin (turn + 2 * M_PI * i / n));
   }
   mt_buf_addc (p->out, '"');
}

static void draw_mark (MtPicture *p, double x, double y, double radius, int mark, uint32_t color)
{
   const double center[2] = {x, y};
   if (is_marked (p, x, y, color))
      return;
   switch (mark) {
   case MT_MARK_SQUARE: draw_polygon (p, center, radius * 1.2, 4, M_PI / 4); break;
   case MT_MARK_TRIANGLE: draw_polygon (p, center, radius * 1.3, 3, -M_PI / 2); break;
   case MT_MARK_DIAMOND: draw_polygon (p, center, radius * 1.3, 4, 0); break;
   default:
      mt_buf_adds (p->out, "<circle");
      add_attribute (p, "cx", x);
      add_attribute (p, "cy", y);
      add_attribute (p, "r", radius);
   }
   add_paint (p, "fill", color);
   mt_buf_adds (p->out, "/>\n");
}

/* ---- the whole ---- */

/* The chart creates its MtPicture itself, so `begin` and `finish` are not called. */
static const MtPictureBackend backend = {.size = sizeof backend,
                                         .text_width = text_width,
                                         .text = draw_text,
                                         .line = draw_line,
                                         .rectangle = draw_rectangle,
                                         .mark = draw_mark};

/* Appends the start tag of the <svg> element. Its label tells screen readers what the chart
 * shows. */
static void begin (const MtChart *c, MtPicture *p)
{
   mt_buf_printf (
      p->out, "<svg viewBox=\"0 %d %.0f %.0f\" font-size=\"%d\" role=\"img\" aria-label=\"%s of ",
      MARGIN, p->width, p->height - MARGIN, FONT, mt_chart_kinds[c->kind].name);
   for (size_t i = 0; i < c->series_count; i++) {
      mt_buf_adds (p->out, i ? ", " : "");
      mt_buf_markup (p->out, mt_str (c->series[i].name));
   }
   if (!c->series_count)
      mt_buf_markup (p->out, mt_str (c->y_name));
   mt_buf_adds (p->out, " by ");
   mt_buf_markup (p->out, mt_str (c->x_name));
   mt_buf_adds (p->out, "\">\n");
}

void mt_chart_svg (MtChart *c, double width, double height, MtBuf *out)
{
   MtPicture p = {.out = out, .width = width};
   MtChartDrawing d = {.c = c,
                       .by = &backend,
                       .to = &p,
                       .theme = &mt_theme_light,
                       .width = width,
                       .height = height,
                       .em = FONT};
   if (mt_chart_has_rows (c))
      d.height = mt_drawing_bars_height (&d);
   p.height = d.height;
   begin (c, &p);
   mt_drawing_all (&d);
   mt_buf_adds (out, "</svg>\n");
   free (p.marked);
}
