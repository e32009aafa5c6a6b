/* Layout that is common to the terminal and to files: which ticks fit, and where the legend is. */
#ifndef MT_SHELL_CHART_LAYOUT_H
#define MT_SHELL_CHART_LAYOUT_H

#include "shell/chart/scale.h"

struct MtChart;

/* How texts are measured: in columns of the terminal, or in pixels. */
typedef struct MtMetrics {
   double (*width) (void *ctx, const char *text, size_t n);
   void *ctx;
   /* the least distance between two labels in the same line */
   double gap;
} MtMetrics;

/* Chooses the finest ticks of a horizontal axis of this length whose labels do not touch each
 * other. Dates that would touch another date are cleared. */
void mt_layout_x_ticks (MtScale *s, const MtMetrics *m, double length);
/* Chooses the finest ticks of a vertical axis of this length that are at least `distance` apart. */
void mt_layout_y_ticks (MtScale *s, double length, double distance);
/* Returns the width of the widest label of an axis. */
double mt_layout_label_width (const MtScale *s, const MtMetrics *m);

/* Where the legend has the entry of a series: in which line (0 is the first) and at which x. */
typedef struct MtLegendItem {
   double x;
   int line;
} MtLegendItem;
/* Fills `items` with the positions of the legend's entries, each a mark of width `mark` and a name,
 * in lines of `length`. Returns the number of lines; 0: a single series needs no legend. */
int mt_layout_legend (const struct MtChart *c, const MtMetrics *m, double mark, double length,
                      MtLegendItem *items);

#endif
