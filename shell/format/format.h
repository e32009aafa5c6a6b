/* Output formats: rows of text in, a printed table out.
 *
 *    mt_fmt_begin (&f, &options, columns, n, write, ctx);
 *    mt_fmt_row (&f, cells) …
 *    mt_fmt_finish (&f, footers);
 *
 * A format is one row of mt_formats[]. Formats that need every row before they can print (aligned,
 * wrapped) hold rows back up to a bound and then print them in chunks, each with its own widths, as
 * psql does with FETCH_COUNT. */
#ifndef MT_SHELL_FORMAT_H
#define MT_SHELL_FORMAT_H

#include "base/str.h"
#include "types/type.h"

#define MT_FORMAT_CHUNK_BYTES (64u << 20) /* rows held back for alignment */

typedef enum MtLineStyle { MT_LINE_ASCII, MT_LINE_OLD_ASCII, MT_LINE_UNICODE } MtLineStyle;
typedef enum MtExpanded { MT_EXPANDED_OFF, MT_EXPANDED_ON, MT_EXPANDED_AUTO } MtExpanded;

typedef struct MtFmt MtFmt;

typedef struct MtFormat {
   const char *name, *summary;
   void (*begin) (MtFmt *f);
   void (*row) (MtFmt *f, const MtStr *cells);
   void (*finish) (MtFmt *f, const char *const *footers);
} MtFormat;

extern const MtFormat mt_formats[]; /* ends with a NULL name */
/* By name or unambiguous beginning of it; NULL when there is none, *ambiguous (may be NULL) says
 * why. */
const MtFormat *mt_format_find (const char *name, bool *ambiguous);

/* What \pset sets; every string is borrowed. */
typedef struct MtFmtOptions {
   const MtFormat *format;
   int border; /* 0 to 2; 3 counts as 2 except in latex */
   MtLineStyle line_style;
   bool double_border, double_column, double_header; /* unicode line style */
   MtExpanded expanded;
   bool tuples_only;
   bool footer; /* "(n rows)" */
   MtStr null;  /* how NULL looks; never in json */
   MtStr field_sep, record_sep;
   char csv_sep;
   const char *title;      /* NULL: none */
   const char *table_attr; /* html; NULL: none */
   int columns;            /* width to wrap or turn expanded at; 0: not known */
   uint64_t chunk_rows;    /* FETCH_COUNT; 0: by MT_FORMAT_CHUNK_BYTES alone */
} MtFmtOptions;

MtFmtOptions mt_fmt_defaults (void);

typedef enum MtCellKind { MT_CELL_TEXT, MT_CELL_NUMBER, MT_CELL_BOOL, MT_CELL_JSON } MtCellKind;

typedef struct MtFmtColumn {
   MtStr name;
   bool right;      /* right-aligned */
   MtCellKind kind; /* how json shows it */
   bool array;      /* an array of such values, as array_out writes it */
} MtFmtColumn;

/* A column of a query's result. */
MtFmtColumn mt_fmt_column (const char *name, MtType type);

/* False when the reader has gone; nothing more is printed then. */
typedef bool (*MtWrite) (void *ctx, const char *p, size_t n);

struct MtFmt {
   const MtFmtOptions *o;
   const MtFmtColumn *columns;
   size_t n;
   MtArena *arena;   /* rows held back */
   MtStr *cells;     /* of them, row after row */
   size_t held, cap; /* rows */
   size_t held_bytes;
   uint64_t rows; /* begun so far, held ones included */
   uint64_t printed;
   bool started; /* something of the table was printed */
   MtBuf out;
   MtWrite write;
   void *ctx;
   bool broken;
};

/* columns and options are borrowed until mt_fmt_finish, which also releases what f holds. */
void mt_fmt_begin (MtFmt *f, const MtFmtOptions *o, const MtFmtColumn *columns, size_t n,
                   MtWrite write, void *ctx);
/* Cells are copied where they are kept; p NULL is SQL NULL. False when the reader has gone. */
bool mt_fmt_row (MtFmt *f, const MtStr *cells);
/* Footers (NULL-terminated, or NULL) replace "(n rows)". */
bool mt_fmt_finish (MtFmt *f, const char *const *footers);
/* Releases without printing more (the statement failed); what was already complete has been
 * printed. */
void mt_fmt_abort (MtFmt *f);

#endif
