#include "shell/chart/canvas.h"
#include "shell/format/width.h"

#include <stdlib.h>
#include <string.h>

/* Terminal colours (of the 256-colour palette) for series. Colour-blind people can tell them apart,
 * too, on dark and light backgrounds (after Okabe and Ito, "Color Universal Design"). */
static const uint8_t series_colors[] = {33, 208, 36, 175, 178, 74, 99, 245};
/* Terminal colours for heat, from dark to bright, also when printed in grey (the viridis map of
 * matplotlib). */
static const uint8_t heat_colors[MT_HEAT_COLORS] = {53, 54, 60, 24, 30, 36, 71, 77, 148, 220};

void mt_canvas_begin (MtCanvas *c, MtArena *a, int width, int height, MtDots dots)
{
   static const int across[] = {2, 2, 1}, down[] = {4, 2, 1};
   *c = (MtCanvas) {.width = width,
                    .height = height,
                    .glyphs = MT_NEW_N (a, MtGlyph, (size_t) width * (size_t) height),
                    .dots = dots,
                    .across = across[dots],
                    .down = down[dots]};
}

static MtGlyph *glyph (MtCanvas *c, int x, int y)
{
   return x >= 0 && x < c->width && y >= 0 && y < c->height ? &c->glyphs[y * c->width + x] : NULL;
}

void mt_canvas_text (MtCanvas *c, int x, int y, MtStr text, uint8_t color)
{
   for (size_t i = 0; i < text.n;) {
      MtBuf visible = {0};
      int width;
      i += mt_text_add_visible (&visible, text.p + i, text.n - i, &width);
      for (size_t k = 0; k < visible.n && width > 0;) { /* \n of a name is shown as one space */
         int one;
         size_t n = mt_text_step (visible.p + k, visible.n - k, NULL, &one);
         MtGlyph *g = glyph (c, x, y), *second = one == 2 ? glyph (c, x + 1, y) : g;
         if (g && second && n < sizeof g->text) {
            *g = (MtGlyph) {.color = color};
            if (one > 0)
               memcpy (g->text, visible.p + k, n);
            if (one == 2)
               *second = (MtGlyph) {.text = "\1"};
         }
         x += one > 0 ? one : 1;
         k += n;
      }
      mt_buf_free (&visible);
   }
}

void mt_canvas_dot (MtCanvas *c, int x, int y, uint8_t color, const char *mark)
{
   MtGlyph *g = x >= 0 && y >= 0 ? glyph (c, x / c->across, y / c->down) : NULL;
   if (!g)
      return;
   g->color = color;
   if (c->dots == MT_DOTS_MARKS)
      memcpy (g->text, mark, strlen (mark) + 1);
   else
      g->dots |= (uint8_t) (1 << (y % c->down * c->across + x % c->across));
}

void mt_canvas_line (MtCanvas *c, const int from[2], const int to[2], uint8_t color,
                     const char *mark)
{
   int dx = abs (to[0] - from[0]), dy = abs (to[1] - from[1]), n = dx > dy ? dx : dy;
   for (int i = 0; i <= n; i++) {
      double part = n ? (double) i / n : 0;
      mt_canvas_dot (c, from[0] + (int) ((to[0] - from[0]) * part + (to[0] > from[0] ? 0.5 : -0.5)),
                     from[1] + (int) ((to[1] - from[1]) * part + (to[1] > from[1] ? 0.5 : -0.5)),
                     color, mark);
   }
}

/* ---- writing ---- */

/* Appends the braille or block character in which the dots of the bitmap `set` are set. */
static void put_dots (MtDots dots, uint8_t set, MtBuf *out)
{
   static const uint8_t braille[] = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
   static const char *const blocks[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                        "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
   if (dots == MT_DOTS_BLOCKS) {
      mt_buf_adds (out, blocks[set & 15]);
      return;
   }
   uint32_t cp = 0x2800;
   for (int i = 0; i < 8; i++)
      if (set >> i & 1)
         cp |= braille[i];
   char utf8[4];
   mt_buf_add (out, utf8, mt_utf8_put (utf8, cp));
}

static void set_color (MtBuf *out, uint8_t color)
{
   if (color >= MT_COLOR_HEAT)
      mt_buf_printf (out, "\033[38;5;%dm", heat_colors[color - MT_COLOR_HEAT]);
   else if (color >= MT_COLOR_SERIES)
      mt_buf_printf (out, "\033[38;5;%dm", series_colors[(color - MT_COLOR_SERIES) % 8]);
   else
      mt_buf_adds (out, color == MT_COLOR_DIM ? "\033[2m" : "\033[0m");
}

static bool is_blank (const MtGlyph *g) { return !g->dots && !*g->text; }

static void write_line (const MtCanvas *c, int y, bool colors, MtBuf *out)
{
   const MtGlyph *line = &c->glyphs[y * c->width];
   int end = c->width;
   uint8_t color = 0;
   while (end > 0 && is_blank (&line[end - 1]))
      end--;
   for (int x = 0; x < end; x++) {
      const MtGlyph *g = &line[x];
      if (colors && !is_blank (g) && g->color != color) {
         if (color)
            mt_buf_adds (out, "\033[0m");
         if (g->color)
            set_color (out, g->color);
         color = g->color;
      }
      if (g->dots && !*g->text)
         put_dots (c->dots, g->dots, out);
      else if (strcmp (g->text, "\1") != 0)
         mt_buf_adds (out, *g->text ? g->text : " ");
   }
   if (color)
      mt_buf_adds (out, "\033[0m");
   mt_buf_addc (out, '\n');
}

void mt_canvas_write (const MtCanvas *c, bool colors, MtBuf *out)
{
   for (int y = 0; y < c->height; y++)
      write_line (c, y, colors, out);
}
