/* A rectangle of characters with colours, and dots within the characters. */
#ifndef MT_SHELL_CHART_CANVAS_H
#define MT_SHELL_CHART_CANVAS_H

#include "base/str.h"

#include <stdint.h>

/* How dots are drawn: 2 by 4 in a braille character, 2 by 2 in a block, or one mark. */
typedef enum MtDots { MT_DOTS_BRAILLE, MT_DOTS_BLOCKS, MT_DOTS_MARKS } MtDots;

typedef struct MtGlyph {
   char text[8]; /* "": a space; "\1": the second half of a wide character */
   uint8_t color;
   uint8_t dots; /* the dots that are set; a text hides them */
} MtGlyph;

/* Colours: 0 is the terminal's own, MT_COLOR_SERIES + i is series i, MT_COLOR_HEAT + i a shade. */
enum { MT_COLOR_DIM = 1, MT_COLOR_SERIES = 2, MT_COLOR_HEAT = 32, MT_HEAT_COLORS = 10 };

typedef struct MtCanvas {
   int width, height;
   MtGlyph *glyphs;
   MtDots dots;
   /* the number of dots in a character */
   int across, down;
} MtCanvas;

/* Makes an empty canvas in arena a. */
void mt_canvas_begin (MtCanvas *c, MtArena *a, int width, int height, MtDots dots);
/* Writes n bytes of text from a column on. What lies outside of the canvas is left out. */
void mt_canvas_text (MtCanvas *c, int x, int y, MtStr text, uint8_t color);
/* Sets a dot. x and y count dots from the upper left corner. mark: the text of MT_DOTS_MARKS. */
void mt_canvas_dot (MtCanvas *c, int x, int y, uint8_t color, const char *mark);
/* Draws a line of dots, with both ends. */
void mt_canvas_line (MtCanvas *c, const int from[2], const int to[2], uint8_t color,
                     const char *mark);
/* Adds the canvas to `out`, line by line, without spaces at the ends of lines. */
void mt_canvas_write (const MtCanvas *c, bool colors, MtBuf *out);

#endif
