/* Prints bars with names on the terminal: one line for each bar of each series. */
#include "shell/chart/screen_int.h"
#include "shell/format/width.h"

#include <math.h>
#include <string.h>

static int width_of (const char *text) { return text ? mt_text_width (text, strlen (text)) : 0; }

static int larger (int a, int b) { return a > b ? a : b; }

/* The widths in characters of the names, of the bars, and of the values after the bars. */
typedef struct Columns {
   int names, bars, values;
} Columns;

static Columns measure (const MtScreen *s)
{
   const MtChart *c = s->c;
   Columns w = {0};
   for (size_t i = 0; i < c->bar_count; i++) {
      w.names = larger (w.names, width_of (c->bars[i].name));
      for (size_t k = 0; k < c->series_count; k++)
         w.values = larger (w.values, width_of (c->bars[i].values[k].text));
   }
   int most = s->to->columns / 3;
   w.names = w.names < most ? w.names : most;
   w.values = w.values < most ? w.values : most;
   w.bars = larger (s->to->columns - w.names - w.values - 4, 1);
   return w;
}

/* Draws a bar into line y, starting at column `left`. Returns the column after its end. */
static int fill (MtScreen *s, int left, int y, MtEighths bar, size_t series)
{
   bool plain = s->c->series_count > 1 && !s->to->colors;
   const char *full = plain ? s->chars->fills[series % 8] : s->chars->full;
   int end = 0;
   for (int x = bar.from / 8; x * 8 < bar.to; x++) {
      int part = bar.to - x * 8;
      const char *text = part >= 8 || (plain && part >= 4) ? full : s->chars->eighths[part];
      if ((plain && part < 4) || !*text || bar.from - x * 8 >= 4)
         continue;
      mt_screen_text (&s->v, left + x, y, text, mt_screen_color (s, series));
      end = x + 1;
   }
   return end;
}

static void draw_bar (MtScreen *s, Columns w, int y, const MtBarValue *value, size_t series)
{
   int left = w.names + 2, end = 0;
   if (!isnan (value->v)) {
      MtEighths bar = mt_screen_eighths (&s->c->y, value->v, w.bars);
      end = larger (fill (s, left, y, bar, series), bar.base / 8);
   }
   if (value->text)
      mt_screen_clipped (s, left + end + (end > 0), y, value->text, s->v.width - left - end);
}

void mt_screen_bars (MtScreen *s, int header)
{
   const MtChart *c = s->c;
   Columns w = measure (s);
   int each = (int) c->series_count, gap = each > 1 ? 1 : 0;
   mt_canvas_begin (&s->v, c->arena, s->to->columns, header + (int) c->bar_count * (each + gap),
                    MT_DOTS_MARKS);
   for (size_t i = 0; i < c->bar_count; i++) {
      int y = header + (int) i * (each + gap);
      mt_screen_clipped (s, 0, y, c->bars[i].name, w.names);
      for (int k = 0; k < each; k++) {
         mt_screen_text (&s->v, w.names + 1, y + k, s->chars->vertical, MT_COLOR_DIM);
         draw_bar (s, w, y + k, &c->bars[i].values[k], (size_t) k);
      }
   }
}
