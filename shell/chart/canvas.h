/* A canvas: a rectangle of coloured terminal characters. Each character is divided into dots, in
 * which lines and points are drawn. */
#ifndef MT_SHELL_CHART_CANVAS_H
#define MT_SHELL_CHART_CANVAS_H

#include "base/str.h"

#include <stdint.h>

/* How a character shows its dots: as a braille character (2 by 4 dots), as a block character (2 by
 * 2), or as one mark. */
typedef enum MtDots { MT_DOTS_BRAILLE, MT_DOTS_BLOCKS, MT_DOTS_MARKS } MtDots;

typedef struct MtGlyph {
   char text[8]; /* "": a space; "\1": the second half of a wide character */
   uint8_t color;
   uint8_t dots; /* the dots that are set; a text hides them */
} MtGlyph;

/* Colours of characters: 0 is the terminal's own colour, MT_COLOR_SERIES + i the colour of series
 * i, and MT_COLOR_HEAT + i shade i of heat. */
enum { MT_COLOR_DIM = 1, MT_COLOR_SERIES = 2, MT_COLOR_HEAT = 32, MT_HEAT_COLORS = 10 };

typedef struct MtCanvas {
   int width, height;
   MtGlyph *glyphs;
   MtDots dots;
   /* how many dots a character has horizontally and vertically */
   int across, down;
} MtCanvas;

/* Makes an empty canvas in arena a. */
void mt_canvas_begin (MtCanvas *c, MtArena *a, int width, int height, MtDots dots);
/* Writes a text into line y, starting at column x. The part outside of the canvas is not
 * written. */
void mt_canvas_text (MtCanvas *c, int x, int y, MtStr text, uint8_t color);
/* Sets the dot at x, y, which are counted in dots from the upper left corner. mark: the text to
 * draw instead with MT_DOTS_MARKS. */
void mt_canvas_dot (MtCanvas *c, int x, int y, uint8_t color, const char *mark);
/* Sets the dots of a straight line, including both end points. */
void mt_canvas_line (MtCanvas *c, const int from[2], const int to[2], uint8_t color,
                     const char *mark);
/* Appends the canvas to `out`, line by line, without blanks at the ends of lines. colors: with
 * escape sequences for colours. */
void mt_canvas_write (const MtCanvas *c, bool colors, MtBuf *out);

#endif
