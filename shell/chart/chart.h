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

/* Limits of one chart. More is an error with a hint, or a note below the chart. */
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

/* The words after \chart. Initialise the structure with zeros; mt_chart_options_free releases
 * it. */
typedef struct MtChartOptions {
   MtChartKind kind;
   /* names or numbers of columns; y is a list with commas; NULL: not given */
   char *x, *y, *by, *value;
   char *title;
   MtChartStyle style;
   /* the axis of the values is logarithmic */
   bool log;
   /* a file has a dark background */
   bool dark;
   /* in pixels of a file, else in columns and lines of the terminal; bins: the least number of
    * intervals of a histogram; 0: not given */
   int width, height, bins;
   /* the .svg or .png file to write; NULL: the chart goes to the terminal */
   char *file;
} MtChartOptions;

/* Reads one word: a kind, NAME=VALUE, or the name of a file. Fails with 42601 if the word is none
 * of them, and with 22023 if a value is wrong. The last of several equal options counts. */
bool mt_chart_option (MtChartOptions *o, const char *word, MtError *err);
void mt_chart_options_free (MtChartOptions *o); /* frees what *o owns */

/* A row of the table of options, for \h, completion and the reference. The last row has no
 * name. */
typedef struct MtChartOption {
   const char *name, *value, *summary;
   bool (*set) (MtChartOptions *o, const char *value);
} MtChartOption;
extern const MtChartOption mt_chart_option_rows[];
/* The kinds of charts, in the order of MtChartKind; the last row has no name. */
typedef struct MtChartKindRow {
   const char *name, *summary;
} MtChartKindRow;
extern const MtChartKindRow mt_chart_kinds[];

typedef struct MtChartColumn {
   const char *name;
   MtType type;
} MtChartColumn;

typedef struct MtChart MtChart;

/* Chooses the kind and the roles of the columns. The options and names are borrowed until
 * mt_chart_free. Times are shown in `zone`. Fails with 42703 if a named column is missing, and with
 * 42804 if the columns do not fit the kind. */
MtChart *mt_chart_new (const MtChartOptions *o, const MtChartColumn *columns, size_t n,
                       const MtZone *zone, MtError *err);
void mt_chart_free (MtChart *c); /* NULL is allowed */
/* Returns whether the chart needs the text of a column. */
bool mt_chart_reads_text (const MtChart *c, size_t column);
/* Adds a row: the values of all columns, and the texts of the columns whose text is needed. Fails
 * with 54000 beyond a limit, and with 21000 if two rows are for the same bar. */
bool mt_chart_add (MtChart *c, const MtVal *values, const MtStr *texts, MtError *err);
/* Call it after the last row: computes the axes. */
void mt_chart_finish (MtChart *c);
uint64_t mt_chart_row_count (const MtChart *c);
/* Returns whether the chart has something to draw. If not, mt_chart_print writes a line that says
 * why. */
bool mt_chart_has_data (const MtChart *c);

/* Adds a line for each kind of value that is not drawn. */
void mt_chart_notes (const MtChart *c, MtBuf *out);

/* What a terminal can show. */
typedef struct MtChartScreen {
   int columns, lines;
   bool utf8;
   bool colors;
} MtChartScreen;
/* Adds the chart to `out` as lines of text. It can be printed again, in another size. */
void mt_chart_print (MtChart *c, const MtChartScreen *screen, MtBuf *out);
/* Writes the chart to the file in its options, or nothing if it has no data. The old file is there
 * until the new one is complete. Fails with 58P01 if the drawing library is not installed, and with
 * 58030 if the file can't be written. */
bool mt_chart_save (MtChart *c, MtError *err);
/* Adds the chart to `out` as an SVG element for a page of HTML. Its texts are texts, and its colours
 * are variables of the page's style: --paper, --ink, --muted, --line and --series-1 to --series-8.
 * The height of bars with names depends on their number. Call it once, and only if the chart has
 * data. It needs no drawing library. */
void mt_chart_svg (MtChart *c, double width, double height, MtBuf *out);

#endif
