/* A chart that is being drawn on a canvas of characters. */
#ifndef MT_SHELL_CHART_SCREEN_INT_H
#define MT_SHELL_CHART_SCREEN_INT_H

#include "shell/chart/canvas.h"
#include "shell/chart/chart_int.h"

/* The characters of axes, bars and shades. */
typedef struct MtScreenChars {
   const char *vertical, *corner, *horizontal, *tick_y, *tick_x, *zero, *legend, *ellipsis, *full,
      *upper;
   /* parts of a character, from the left and from below; "": less than can be drawn */
   const char *eighths[8], *lower[8];
   /* of series that no colour tells apart */
   const char *marks[8], *fills[8];
   const char *shades[9];
   int shade_count;
} MtScreenChars;

typedef struct MtScreen {
   MtChart *c;
   const MtChartScreen *to;
   const MtScreenChars *chars;
   MtCanvas v;
   /* the line of the legend and of the name of the values */
   int header;
   bool has_y_name, has_dates;
   int legend_x, legend_lines;
   MtLegendItem legend[MT_CHART_SERIES];
   /* the plot without its axes, in characters */
   int left, top, plot_width, plot_height;
} MtScreen;

extern const MtMetrics mt_screen_metrics;

void mt_screen_text (MtCanvas *v, int x, int y, const char *text, uint8_t color);
/* Writes text in at most `width` columns; "…" stands for what is left out. */
void mt_screen_clipped (MtScreen *s, int x, int y, const char *text, int width);
/* The part of a bar's line or column that is filled, in eighths of a character. */
typedef struct MtEighths {
   int from, to;
   int base; /* where bars begin */
} MtEighths;
/* Returns the part for a value, in a line or column of `length` characters. */
MtEighths mt_screen_eighths (const MtScale *scale, double v, int length);
uint8_t mt_screen_color (const MtScreen *s, size_t series);
/* Chooses the ticks of x that fit below the plot. */
void mt_screen_fit_x (MtScreen *s);
/* Draws the axis below the plot. Returns its last line. */
int mt_screen_x_axis (MtScreen *s);

/* Draw below `header` lines: bars with names, and heat. */
void mt_screen_bars (MtScreen *s, int header);
void mt_screen_heat (MtScreen *s, int header, int lines);

#endif
