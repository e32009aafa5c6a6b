/* Charts: the rows of a query as lines, bars, points or shades, on the terminal or in a file.
 *
 *    mt_chart_new (&options, columns, n, zone, &err);
 *    mt_chart_add (chart, values, texts, &err) …   each row
 *    mt_chart_finish (chart);
 *    mt_chart_print (chart, &screen, &out);        or mt_chart_save (chart, &err)
 *
 * Memory is bounded for any number of rows. Many points become the first, lowest, highest and last
 * point of each of some thousand columns, which draws the same picture. */
#ifndef MT_SHELL_CHART_H
#define MT_SHELL_CHART_H

#include "base/str.h"
#include "types/type.h"
#include "types/tz.h"

/* Limits of one chart. Exceeding a limit is an error with a hint, or gives a note below the
 * chart. */
enum { MT_CHART_SERIES = 24, MT_CHART_BARS = 200, MT_CHART_CELLS = 512 };

typedef enum MtChartKind {
   MT_CHART_AUTO, /* the types of the columns decide */
   MT_CHART_LINE,
   MT_CHART_BAR,
   MT_CHART_SCATTER,
   MT_CHART_HIST,
   MT_CHART_HEAT
} MtChartKind;

typedef enum MtChartStyle {
   MT_CHART_STYLE_AUTO, /* braille if the terminal has UTF-8, else ASCII */
   MT_CHART_BRAILLE,
   MT_CHART_BLOCKS,
   MT_CHART_ASCII
} MtChartStyle;

/* The parsed options of \chart. Initialize it with zeros; mt_chart_options_free frees its
 * members. */
typedef struct MtChartOptions {
   MtChartKind kind;
   /* names or numbers of columns; y is a list separated by commas; NULL: not given */
   char *x, *y, *by, *value;
   char *title;
   MtChartStyle style;
   /* the value axis is logarithmic */
   bool log;
   /* the picture in a file has a dark background */
   bool dark;
   /* width and height: in pixels for a file, else in characters of the terminal; bins: the least
    * number of intervals of a histogram; 0: not given */
   int width, height, bins;
   /* the .svg or .png file to write; NULL: the chart is printed on the terminal */
   char *file;
} MtChartOptions;

/* Parses one word after \chart: a kind of chart, NAME=VALUE, or the name of a file. If an option is
 * given twice, the last one counts. Errors: 42601 the word is none of these, 22023 a wrong
 * value. */
bool mt_chart_option (MtChartOptions *o, const char *word, MtError *err);
void mt_chart_options_free (MtChartOptions *o); /* frees what *o owns */

/* A row of the table of options, used by \h, completion and the reference. The last row has no
 * name. */
typedef struct MtChartOption {
   const char *name, *value, *summary;
   bool (*set) (MtChartOptions *o, const char *value);
} MtChartOption;
extern const MtChartOption mt_chart_option_rows[];
/* A row of the table of chart kinds, in the order of MtChartKind. The last row has no name. */
typedef struct MtChartKindRow {
   const char *name, *summary;
} MtChartKindRow;
extern const MtChartKindRow mt_chart_kinds[];

typedef struct MtChartColumn {
   const char *name;
   MtType type;
} MtChartColumn;

typedef struct MtChart MtChart;

/* Makes a chart, and chooses its kind and the roles of the columns (axis, values, series). The
 * options and names are borrowed until mt_chart_free. Times are shown in time zone `zone`. Errors:
 * 42703 a named column is missing, 42804 the columns do not fit the kind. */
MtChart *mt_chart_new (const MtChartOptions *o, const MtChartColumn *columns, size_t n,
                       const MtZone *zone, MtError *err);
void mt_chart_free (MtChart *c); /* NULL is allowed */
/* Returns whether mt_chart_add needs the text of a column besides its value. */
bool mt_chart_reads_text (const MtChart *c, size_t column);
/* Adds a row: the values of all columns, and the texts of those columns for which
 * mt_chart_reads_text is true. Errors: 54000 a limit is exceeded, 21000 two rows are for the same
 * bar. */
bool mt_chart_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);
/* Computes the axes. Call it after the last row. */
void mt_chart_finish (MtChart *c);
uint64_t mt_chart_row_count (const MtChart *c);
/* Returns whether there is anything to draw. If not, mt_chart_print prints a line with the
 * reason. */
bool mt_chart_has_data (const MtChart *c);

/* Appends a line for each kind of values that the chart leaves out, such as NULLs, with their
 * number. */
void mt_chart_notes (const MtChart *c, MtBuf *out);

/* The size and abilities of a terminal. */
typedef struct MtChartScreen {
   int columns, lines;
   bool utf8;
   bool colors;
} MtChartScreen;
/* Appends the chart to `out` as lines of text. May be called again with another size. */
void mt_chart_print (MtChart *c, const MtChartScreen *screen, MtBuf *out);
/* Writes the chart to the file in its options; nothing if the chart has no data. The old file is
 * replaced only when the new one is complete. Errors: 58P01 the drawing library is not installed,
 * 58030 the file can't be written. */
bool mt_chart_save (MtChart *c, MtError *err);
/* Appends the chart to `out` as an <svg> element for an HTML page. Texts stay text elements, and
 * colours are CSS variables of the page: --paper, --ink, --muted, --line and --series-1 to
 * --series-8. For bars with names the height depends on their number. Call it once, and only if the
 * chart has data. It does not need the drawing library. */
void mt_chart_svg (MtChart *c, double width, double height, MtBuf *out);

#endif
