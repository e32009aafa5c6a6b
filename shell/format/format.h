/* Output formats (aligned, csv, json …), which print rows of text.
 *
 *    mt_fmt_begin (&f, &options, columns, n, write, ctx);
 *    mt_fmt_row (&f, cells) …
 *    mt_fmt_finish (&f, footers);
 *
 * A format is one row of mt_formats. The aligned and wrapped formats hold rows back, up to a limit,
 * and print them in chunks. Each chunk has its own column widths, as with FETCH_COUNT in psql. */
#ifndef MT_SHELL_FORMAT_H
#define MT_SHELL_FORMAT_H

#include "base/str.h"
#include "types/type.h"

#define MT_FORMAT_CHUNK_BYTES (64u << 20) /* limit of the bytes in rows held back */

typedef enum MtLineStyle { MT_LINE_ASCII, MT_LINE_OLD_ASCII, MT_LINE_UNICODE } MtLineStyle;
typedef enum MtExpanded { MT_EXPANDED_OFF, MT_EXPANDED_ON, MT_EXPANDED_AUTO } MtExpanded;

typedef struct MtFmt MtFmt;

typedef struct MtFormat {
   const char *name;
   void (*begin) (MtFmt *f);
   void (*row) (MtFmt *f, const MtStr *cells);
   void (*finish) (MtFmt *f, const char *const *footers);
} MtFormat;

/* All formats; the last row has no name. */
extern const MtFormat mt_formats[];
/* Finds a format by its name or by an unambiguous beginning of its name. Returns NULL if no format
 * or more than one fits; *ambiguous (may be NULL) is set if more than one fits. */
const MtFormat *mt_format_find (const char *name, bool *ambiguous);

/* The options of \pset. Strings are borrowed. */
typedef struct MtFmtOptions {
   const MtFormat *format;
   int border; /* 0 to 2; only latex distinguishes 3 from 2 */
   MtLineStyle line_style;
   /* draw double lines, in the unicode line style */
   bool double_border, double_column, double_header;
   MtExpanded expanded;
   bool tuples_only;
   bool footer; /* print "(n rows)" */
   MtStr null;  /* the text of NULL; json always prints null */
   MtStr field_sep, record_sep;
   char csv_sep;
   const char *title;      /* the title above the table; NULL: none */
   const char *table_attr; /* attributes of the HTML table; NULL: none */
   /* the width of the screen, used by the wrapped format and by expanded auto; 0: not known */
   int columns;
   uint64_t chunk_rows; /* FETCH_COUNT; 0: only MT_FORMAT_CHUNK_BYTES limits a chunk */
} MtFmtOptions;

/* Returns the display options that are in effect when the program starts. */
MtFmtOptions mt_fmt_defaults (void);

typedef enum MtCellKind { MT_CELL_TEXT, MT_CELL_NUMBER, MT_CELL_BOOL, MT_CELL_JSON } MtCellKind;

typedef struct MtFmtColumn {
   MtStr name;
   bool right;      /* right-aligned */
   MtCellKind kind; /* how json prints the value */
   /* the value is an array of the kind, written as PostgreSQL writes arrays ({1,2}) */
   bool array;
} MtFmtColumn;

/* Returns the description of a result's column. The name is borrowed. */
MtFmtColumn mt_fmt_column (const char *name, MtType type);

/* A function that writes n bytes. It returns false if the reader of a pipe has gone; the format
 * then writes nothing more. */
typedef bool (*MtWrite) (void *ctx, const char *p, size_t n);

struct MtFmt {
   const MtFmtOptions *o;
   const MtFmtColumn *columns;
   size_t n;
   MtArena *arena;   /* memory of the rows held back */
   MtStr *cells;     /* the cells of the held rows, row after row */
   size_t held, cap; /* number of held rows */
   size_t held_bytes;
   uint64_t rows; /* the number of rows so far, including the held rows */
   uint64_t printed;
   bool started; /* a part of the table is printed */
   MtBuf out;
   MtWrite write;
   void *ctx;
   bool broken;
};

/* Begins a table. Columns and options are borrowed until mt_fmt_finish or mt_fmt_abort, which
 * also release f. */
void mt_fmt_begin (MtFmt *f, const MtFmtOptions *o, const MtFmtColumn *columns, size_t n,
                   MtWrite write, void *ctx);
/* Adds a row. Held cells are copied. A cell with p NULL is SQL NULL. Returns false if the reader of
 * the output has gone. */
bool mt_fmt_row (MtFmt *f, const MtStr *cells);
/* Ends the table. The footers (ended by a NULL; or NULL) replace "(n rows)". Returns false if the
 * reader of the output has gone. */
bool mt_fmt_finish (MtFmt *f, const char *const *footers);
/* Releases f after a statement failed. Held rows are not printed. */
void mt_fmt_abort (MtFmt *f);

#endif
