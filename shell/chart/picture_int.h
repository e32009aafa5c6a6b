/* Private to shell/chart: a chart that is drawn into a file or an SVG element. */
#ifndef MT_SHELL_CHART_PICTURE_INT_H
#define MT_SHELL_CHART_PICTURE_INT_H

#include "shell/chart/chart_int.h"
#include "shell/chart/picture.h"

/* The colours of a theme. */
typedef struct MtTheme {
   uint32_t background, text, muted, grid;
   uint32_t series[8];
} MtTheme;
extern const MtTheme mt_theme_light;

typedef struct MtChartDrawing {
   MtChart *c;
   const MtPictureBackend *by;
   MtPicture *to;
   const MtTheme *theme;
   MtMetrics metrics;
   double width, height;
   /* the font size in pixels; all distances are multiples of it */
   double em;
   /* the edges of the plot, without its axes */
   double left, top, right, bottom;
   int legend_lines;
   MtLegendItem legend[MT_CHART_SERIES];
   double legend_x;
   /* how far the name of x is below the plot, in multiples of the font size */
   double name_line;
} MtChartDrawing;

/* ---- picture.c ---- */

/* Draws the whole chart. The caller has set c, by, to, theme, width, height and em. */
void mt_drawing_all (MtChartDrawing *d);
uint32_t mt_drawing_color (const MtChartDrawing *d, size_t series);
double mt_drawing_width (const MtChartDrawing *d, const char *text);
/* Writes one line of text. how: its position, size and colour; `widest` 0: any width is allowed. */
void mt_drawing_text (MtChartDrawing *d, const MtPictureText *how, const char *text);
/* Writes an axis label in the usual font size. */
void mt_drawing_label (MtChartDrawing *d, double x, double y, double anchor, const char *text);
void mt_drawing_line (MtChartDrawing *d, const double ends[4], double width, uint32_t color);

/* ---- picture_plot.c: what is drawn between the axes ---- */

void mt_drawing_series (MtChartDrawing *d);

/* ---- picture_rows.c: bars with names, and heat ---- */

/* Returns the height in pixels of all horizontal bars of a chart, without its header. */
double mt_drawing_bars_height (const MtChartDrawing *d);
void mt_drawing_bars (MtChartDrawing *d);
void mt_drawing_heat (MtChartDrawing *d);
/* Chooses the ticks of x between d->left and d->right, and moves d->bottom up so that there is
 * space for their labels. */
void mt_drawing_fit_x (MtChartDrawing *d);
/* Draws the horizontal axis with its ticks and labels. */
void mt_drawing_x_axis (MtChartDrawing *d);

#endif
