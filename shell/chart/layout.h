/* What the terminal and files share of the layout: which ticks fit, and where the legend goes. */
#ifndef MT_SHELL_CHART_LAYOUT_H
#define MT_SHELL_CHART_LAYOUT_H

#include "shell/chart/scale.h"

struct MtChart;

/* How text is measured, in columns of the terminal or in pixels. */
typedef struct MtMetrics {
   double (*width) (void *ctx, const char *text, size_t n);
   void *ctx;
   /* the least distance between two labels on a line */
   double gap;
} MtMetrics;

/* Chooses the finest ticks of a horizontal axis whose labels do not touch each other. `length`: of
 * the axis. Dates that have no room are cleared. */
void mt_layout_x_ticks (MtScale *s, const MtMetrics *m, double length);
/* Chooses the finest ticks of a vertical axis that are at least `distance` apart. */
void mt_layout_y_ticks (MtScale *s, double length, double distance);
/* Returns the width of the widest label of an axis. */
double mt_layout_label_width (const MtScale *s, const MtMetrics *m);

/* The place of a series in the legend. line: 0 is the first line. */
typedef struct MtLegendItem {
   double x;
   int line;
} MtLegendItem;
/* Places the legend: a mark of width `mark` and a name for each series, on lines of `length`.
 * Returns the number of lines; 0: one series needs no legend. */
int mt_layout_legend (const struct MtChart *c, const MtMetrics *m, double mark, double length,
                      MtLegendItem *items);

#endif
