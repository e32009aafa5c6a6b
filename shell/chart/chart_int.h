/* The data of a chart, from the columns of the query to what is drawn. */
#ifndef MT_SHELL_CHART_INT_H
#define MT_SHELL_CHART_INT_H

#include "shell/chart/chart.h"
#include "shell/chart/layout.h"
#include "shell/chart/scale.h"

/* ---- roles.c: the columns ---- */

enum { MT_CHART_MAX_Y = MT_CHART_SERIES };
#define MT_NO_COLUMN SIZE_MAX

/* What a column's values can be on an axis. */
typedef enum MtColumnClass { MT_COLUMN_NUMBER, MT_COLUMN_TIME, MT_COLUMN_TEXT } MtColumnClass;
MtAxisKind mt_column_axis (MtType t);

/* The columns of the axes and series; MT_NO_COLUMN: none. Without x, the number of the row is x. */
typedef struct MtRoles {
   size_t x, by, value;
   size_t y[MT_CHART_MAX_Y], y_count;
   /* the axis has names, not values */
   bool x_names, y_names;
} MtRoles;

/* ---- gather.c, points.c, bars.c, cells.c: the rows ---- */

/* One point. y NaN: a NULL, at which a line breaks. */
typedef struct MtPoint {
   double x, y;
} MtPoint;

/* The points of a column of a fine grid: enough to draw a line through all of them. */
typedef struct MtSpanOfPoints {
   MtPoint first, low, high, last;
   bool used;
} MtSpanOfPoints;

enum { MT_FINE = 4096, MT_FINE_Y = 1024, MT_RAW_POINTS = 2 * MT_FINE };

/* A range that is cut into n equal cells, and that doubles when a value lies beyond it. */
typedef struct MtGrid {
   double lo, step;
   size_t n;
} MtGrid;
/* Makes a grid of n cells over [lo, hi]. */
void mt_grid_begin (MtGrid *g, size_t n, double lo, double hi);
/* Returns whether v lies in the grid. If not, *up says on which side it lies. */
bool mt_grid_has (const MtGrid *g, double v, bool *up);
/* Doubles the range, downward or upward. Cells 2i and 2i+1 become cell i, or n/2 + i if the range
 * grew downward. */
void mt_grid_double (MtGrid *g, bool up);
size_t mt_grid_cell (const MtGrid *g, double v);

typedef struct MtChartSeries {
   char *name;
   /* the points so far, or all points if there are few; sorted by x after mt_chart_finish */
   MtPoint *points;
   size_t n, cap;
   /* lines and columns beyond MT_RAW_POINTS; NULL: none */
   MtSpanOfPoints *spans;
   /* scatter beyond MT_RAW_POINTS: a bit for each cell of grid by grid_y; NULL: none */
   uint64_t *bits;
   MtGrid grid, grid_y;
} MtChartSeries;

/* A bar with a name: its value in each series. */
typedef struct MtBarValue {
   double v;   /* NaN: NULL or infinite */
   char *text; /* as PostgreSQL prints it; NULL: there is no row */
} MtBarValue;
typedef struct MtBar {
   char *name;
   MtBarValue *values; /* MT_CHART_SERIES of them */
} MtBar;

/* The sum and number of the values in a cell of heat. */
typedef struct MtCell {
   double sum;
   uint32_t n;
} MtCell;

/* An axis of heat: names, or a grid of values. */
typedef struct MtCellAxis {
   char **names;
   size_t n, cap;
   MtGrid grid;
   /* of each cell of the grid: a value in it, NaN: the cell is empty */
   double *seen;
} MtCellAxis;

typedef struct MtHeat {
   MtCellAxis x, y;
   /* MT_CHART_CELLS rows of MT_CHART_CELLS cells; NULL: there is no row yet */
   MtCell *cells;
   /* after mt_cells_view: the smallest and largest mean */
   double lo, hi;
} MtHeat;

/* The intervals of a histogram while rows come: counts by whole multiples of a step. */
typedef struct MtHist {
   /* the counts of n intervals, of which the first begins at `first` steps; NULL: the first values
    * are still kept as points */
   uint64_t *counts;
   int64_t first, n;
   /* the power of ten of the step, or its row of mt_whole_steps_ms */
   int step;
} MtHist;

struct MtChart {
   const MtChartOptions *options;
   MtChartKind kind;
   const MtChartColumn *columns;
   size_t column_count;
   MtRoles roles;
   MtArena *arena;

   MtChartSeries *series;
   size_t series_count;
   MtBar *bars;
   size_t bar_count, bar_cap;
   MtHeat heat;
   MtHist hist;
   /* bars on an axis of values: the width of one, and the part of it that lies left of x */
   double slot, slot_left;

   MtScale x, y;
   const char *x_name, *y_name;
   uint64_t rows, without_x, without_y, infinite, not_positive, bars_left_out;
};

/* Reads a value as a place on an axis. Returns false if it is NULL; *out is infinite or NaN if the
 * value is. */
bool mt_chart_number (MtType t, MtVal v, double *out);
/* Reads the value of a column as a place on an axis. Returns false if it is NULL or infinite; the
 * row is then counted as not drawn. */
bool mt_chart_place (MtChart *c, size_t column, const MtVal *values, double *out);
/* Returns the text of a value as a name. */
static inline MtStr mt_chart_name (MtStr text) { return text.p ? text : MT_STR ("NULL"); }
/* Returns the series with a name, which is added if it is new. NULL: there are too many. */
MtChartSeries *mt_chart_series (MtChart *c, MtStr name, MtError *err);

/* Returns the series of the i-th column of values in a row. NULL: there are too many. */
MtChartSeries *mt_chart_series_of (MtChart *c, size_t i, const MtStr *texts, MtError *err);

void mt_points_add (MtChart *c, MtChartSeries *s, MtPoint p);
void mt_points_finish (MtChart *c);
bool mt_bars_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);
void mt_bars_finish (MtChart *c);
void mt_hist_add (MtChart *c, double v);
void mt_hist_finish (MtChart *c);
bool mt_cells_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);

/* The cells of one axis as they are drawn: n cells from lo on. */
typedef struct MtCellView {
   size_t n;
   double lo, step;
} MtCellView;
/* Joins the cells until at most most_x columns and most_y rows remain, and sets the ranges of the
 * axes. Names are not joined. (*means)[row * x->n + column], in the chart's arena, is NaN for an
 * empty cell. */
void mt_cells_view (MtChart *c, size_t most_x, size_t most_y, MtCellView *x, MtCellView *y,
                    double **means);

/* Returns the shade of a mean, from 0 to 1. */
double mt_heat_share (const MtHeat *h, double v);
/* What explains the shades: the name of the value, its lowest and its highest. */
typedef struct MtHeatLegend {
   const char *name;
   char low[32], high[32];
} MtHeatLegend;
MtHeatLegend mt_heat_legend (const MtChart *c);

/* Returns whether bars are drawn as rows with names, not on an axis of values. */
static inline bool mt_chart_has_rows (const MtChart *c)
{
   return c->kind == MT_CHART_BAR && c->roles.x_names;
}
/* Returns whether bars are drawn as columns on an axis of values. */
static inline bool mt_chart_has_columns (const MtChart *c)
{
   return c->kind == MT_CHART_HIST || (c->kind == MT_CHART_BAR && !c->roles.x_names);
}

/* Returns whether the header has the name of the values. */
static inline bool mt_chart_names_values (const MtChart *c)
{
   return *c->y_name && c->kind != MT_CHART_HEAT && !mt_chart_has_rows (c);
}

bool mt_time_ticks (MtScale *s, int coarse);

#endif
