/* Private to shell/chart: the data of a chart while rows are added and when it is drawn. */
#ifndef MT_SHELL_CHART_INT_H
#define MT_SHELL_CHART_INT_H

#include "shell/chart/chart.h"
#include "shell/chart/layout.h"
#include "shell/chart/scale.h"

/* ---- roles.c: the columns ---- */

enum { MT_CHART_MAX_Y = MT_CHART_SERIES };
#define MT_NO_COLUMN SIZE_MAX

/* How the values of a column can be placed on an axis. */
typedef enum MtColumnClass { MT_COLUMN_NUMBER, MT_COLUMN_TIME, MT_COLUMN_TEXT } MtColumnClass;
MtAxisKind mt_column_axis (MtType t);

/* The columns that are used for the axes and the series; MT_NO_COLUMN: none. If there is no column
 * x, the number of the row is used. */
typedef struct MtRoles {
   size_t x, by, value;
   size_t y[MT_CHART_MAX_Y], y_count;
   /* the axis is labelled with names instead of a scale of values */
   bool x_names, y_names;
} MtRoles;

/* ---- gather.c, points.c, bars.c, cells.c: the rows ---- */

/* One point. y is NaN for NULL: a line is interrupted there. */
typedef struct MtPoint {
   double x, y;
} MtPoint;

/* What remains of all points in one column of a fine grid (an interval of x): enough to draw the
 * same line as through all of them. */
typedef struct MtSpanOfPoints {
   MtPoint first, low, high, last;
   bool used;
} MtSpanOfPoints;

enum { MT_FINE = 4096, MT_FINE_Y = 1024, MT_RAW_POINTS = 2 * MT_FINE };

/* A range divided into n equal cells. The range is doubled when a value lies outside of it. */
typedef struct MtGrid {
   double lo, step;
   size_t n;
} MtGrid;
/* Initializes a grid of n cells that covers [lo, hi]. */
void mt_grid_begin (MtGrid *g, size_t n, double lo, double hi);
/* Returns whether v lies in the range of the grid. If not, *up is whether it is above. */
bool mt_grid_has (const MtGrid *g, double v, bool *up);
/* Doubles the range, upward or downward. Old cells 2i and 2i+1 become cell i, or n/2 + i if the
 * range grew downward. */
void mt_grid_double (MtGrid *g, bool up);
size_t mt_grid_cell (const MtGrid *g, double v);

typedef struct MtChartSeries {
   char *name;
   /* all points if there are at most MT_RAW_POINTS, sorted by x after mt_chart_finish */
   MtPoint *points;
   size_t n, cap;
   /* lines and columns with more than MT_RAW_POINTS points: for each cell of `grid` what remains of
    * its points; otherwise NULL */
   MtSpanOfPoints *spans;
   /* scatter charts with more than MT_RAW_POINTS points: a bitmap with a bit for each cell of
    * `grid` by `grid_y`; otherwise NULL */
   uint64_t *bits;
   MtGrid grid, grid_y;
} MtChartSeries;

/* A bar with a name, or a group of them: its value in each series. */
typedef struct MtBarValue {
   double v;   /* NaN: NULL or infinite */
   char *text; /* as PostgreSQL prints it; NULL: there is no row */
} MtBarValue;
typedef struct MtBar {
   char *name;
   MtBarValue *values; /* array with MT_CHART_SERIES elements */
} MtBar;

/* The sum and number of the values in a cell of a heat map. */
typedef struct MtCell {
   double sum;
   uint32_t n;
} MtCell;

/* An axis of a heat map: either a list of names, or a grid of numbers or times. */
typedef struct MtCellAxis {
   char **names;
   size_t n, cap;
   MtGrid grid;
   /* for each cell of `grid`: the least value in it; NaN: the cell is empty */
   double *seen;
} MtCellAxis;

typedef struct MtHeat {
   MtCellAxis x, y;
   /* MT_CHART_CELLS rows of MT_CHART_CELLS cells; NULL: no row was added yet */
   MtCell *cells;
   /* the smallest and largest mean of a cell; set by mt_cells_view */
   double lo, hi;
} MtHeat;

/* The intervals of a histogram while rows are added. Each interval is as wide as one step. */
typedef struct MtHist {
   /* the counts of n consecutive intervals; the first one begins at `first` times the step. NULL:
    * the values are still stored as points. */
   uint64_t *counts;
   int64_t first, n;
   /* the step's exponent of 10, or, for times, its index in mt_whole_steps_ms */
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
   /* bars on a value axis: the width of the slot for one x, and the share of it that is left of
    * x */
   double slot, slot_left;

   MtScale x, y;
   const char *x_name, *y_name;
   uint64_t rows, without_x, without_y, infinite, not_positive, bars_left_out;
};

/* Converts a number or time to a double for an axis. Returns false if it is NULL; *out is infinite
 * or NaN if the value is. */
bool mt_chart_number (MtType t, MtVal v, double *out);
/* Converts the value of a column to a double for an axis. Returns false if it is NULL or infinite;
 * then the row is counted as not drawn. */
bool mt_chart_place (MtChart *c, size_t column, const MtVal *values, double *out);
/* Returns a value's text for use as a name: "NULL" for NULL. */
static inline MtStr mt_chart_name (MtStr text) { return text.p ? text : MT_STR ("NULL"); }
/* Returns the series with this name, which is added if it is new. NULL with an error: there are too
 * many. */
MtChartSeries *mt_chart_series (MtChart *c, MtStr name, MtError *err);

/* Returns the series for the i-th value column of a row: named by the column, or by the row's text
 * in column `by`. NULL with an error: there are too many. */
MtChartSeries *mt_chart_series_of (MtChart *c, size_t i, const MtStr *texts, MtError *err);

void mt_points_add (MtChart *c, MtChartSeries *s, MtPoint p);
void mt_points_finish (MtChart *c);
bool mt_bars_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);
void mt_bars_finish (MtChart *c);
void mt_hist_add (MtChart *c, double v);
void mt_hist_finish (MtChart *c);
bool mt_cells_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);

/* The cells of one axis as they are drawn: n cells, the first at lo, at distances of step. */
typedef struct MtCellView {
   size_t n;
   double lo, step;
} MtCellView;
/* Merges neighbouring cells until at most most_x columns and most_y rows are left, and sets the
 * ranges of the axes. Names are not merged. (*means)[row * x->n + column] is the mean of a cell,
 * NaN if it is empty; it is in the chart's arena. */
void mt_cells_view (MtChart *c, size_t most_x, size_t most_y, MtCellView *x, MtCellView *y,
                    double **means);

/* Returns where mean v lies between the lowest (0) and the highest mean (1); it selects the
 * shade. */
double mt_heat_share (const MtHeat *h, double v);
/* The legend of a heat map: the name of the column whose mean each cell shows, and the lowest and
 * the highest mean, as texts. Without such a column, cells show their number of rows, and the name
 * is "rows". */
typedef struct MtHeatLegend {
   const char *name;
   char low[32], high[32];
} MtHeatLegend;
MtHeatLegend mt_heat_legend (const MtChart *c);

/* Returns whether the chart has horizontal bars, each with its name, instead of columns on an axis
 * of values. */
static inline bool mt_chart_has_rows (const MtChart *c)
{
   return c->kind == MT_CHART_BAR && c->roles.x_names;
}
/* Returns whether the chart has vertical bars on an axis of values. */
static inline bool mt_chart_has_columns (const MtChart *c)
{
   return c->kind == MT_CHART_HIST || (c->kind == MT_CHART_BAR && !c->roles.x_names);
}

/* Returns whether the chart's header has the name of the value axis. */
static inline bool mt_chart_names_values (const MtChart *c)
{
   return *c->y_name && c->kind != MT_CHART_HEAT && !mt_chart_has_rows (c);
}

bool mt_time_ticks (MtScale *s, int coarse);

#endif
