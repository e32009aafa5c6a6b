/* Private to shell/chart: a chart that is drawn on a canvas of terminal characters. */
#ifndef MT_SHELL_CHART_SCREEN_INT_H
#define MT_SHELL_CHART_SCREEN_INT_H

#include "shell/chart/canvas.h"
#include "shell/chart/chart_int.h"

/* The characters with which axes, bars and shades are drawn. */
typedef struct MtScreenChars {
   const char *vertical, *corner, *horizontal, *tick_y, *tick_x, *zero, *legend, *ellipsis, *full,
      *upper;
   /* partly filled characters with 0 to 7 eighths, from the left (eighths) and from below (lower);
    * "": too little to be drawn */
   const char *eighths[8], *lower[8];
   /* marks and filled characters of series that have no colours */
   const char *marks[8], *fills[8];
   const char *shades[9];
   int shade_count;
} MtScreenChars;

typedef struct MtScreen {
   MtChart *c;
   const MtChartScreen *to;
   const MtScreenChars *chars;
   MtCanvas v;
   /* the canvas line with the legend and the name of the values */
   int header;
   bool has_y_name, has_dates;
   int legend_x, legend_lines;
   MtLegendItem legend[MT_CHART_SERIES];
   /* the position and size of the plot without its axes, in characters */
   int left, top, plot_width, plot_height;
} MtScreen;

extern const MtMetrics mt_screen_metrics;

void mt_screen_text (MtCanvas *v, int x, int y, const char *text, uint8_t color);
/* Writes a text into at most `width` columns; "…" replaces the rest if it is longer. */
void mt_screen_clipped (MtScreen *s, int x, int y, const char *text, int width);
/* The filled part of a line or column that shows a bar, in eighths of a character from its
 * beginning. */
typedef struct MtEighths {
   int from, to;
   int base; /* where bars begin, in eighths */
} MtEighths;
/* Returns the part that value v fills in a line or column of `length` characters. */
MtEighths mt_screen_eighths (const MtScale *scale, double v, int length);
uint8_t mt_screen_color (const MtScreen *s, size_t series);
/* Chooses the ticks of x that fit below the plot. */
void mt_screen_fit_x (MtScreen *s);
/* Draws the horizontal axis below the plot. Returns the last canvas line that it uses. */
int mt_screen_x_axis (MtScreen *s);

/* Draw bars with names, and a heat map, below the first `header` lines of the canvas. */
void mt_screen_bars (MtScreen *s, int header);
void mt_screen_heat (MtScreen *s, int header, int lines);

#endif
