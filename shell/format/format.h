/* Output formats (aligned, csv, json …): they print rows of text.
 *
 *    mt_fmt_begin (&f, &options, columns, n, write, ctx);
 *    mt_fmt_row (&f, cells) …
 *    mt_fmt_finish (&f, footers);
 *
 * A format is one row (mtsql_shell.h) of `formats` (format.c), or of an extension. The aligned and wrapped
 * formats hold rows back, up to a limit, and print them in chunks. Each chunk has its own column
 * widths, as with FETCH_COUNT in psql. */
#ifndef MT_SHELL_FORMAT_H
#define MT_SHELL_FORMAT_H

#include "mtsql_shell.h"

#define MT_FORMAT_CHUNK_BYTES (64u << 20) /* limit of the bytes in rows held back */

/* Returns format number `index`: built-in ones, then those of extensions. NULL: index is too
 * high. */
const MtFormat *mt_format_at (size_t index);
/* Returns the format with exactly this name; NULL: there is none. */
const MtFormat *mt_format_named (const char *name);
/* Adds the formats of an extension for the whole process. `rows` must never be freed. Does nothing
 * if the same rows were added before. */
void mt_formats_add (const MtFormat *rows);
/* Finds a format by its name or by an unambiguous prefix of its name. NULL: no format or more than
 * one matches; *ambiguous (may be NULL) is set if more than one does. */
const MtFormat *mt_format_find (const char *name, bool *ambiguous);

/* Returns the display options that are in effect when the program starts. */
MtFmtOptions mt_fmt_defaults (void);

/* Returns how a result's column with this name and type is printed. The name is borrowed. */
MtFmtColumn mt_fmt_column (const char *name, MtType type);

/* Begins a table. Columns and options are borrowed until mt_fmt_finish or mt_fmt_abort, which also
 * free what f owns. */
void mt_fmt_begin (MtFmt *f, const MtFmtOptions *o, const MtFmtColumn *columns, size_t n,
                   MtWrite write, void *ctx);
/* Adds a row. Cells that are held back are copied. A cell with p NULL is SQL NULL. Returns false if
 * the program that reads the output has ended. */
bool mt_fmt_row (MtFmt *f, const MtStr *cells);
/* Ends the table. footers: lines to print below it instead of "(n rows)", ended by NULL. If footers
 * is NULL, "(n rows)" is printed. Returns false if the program that reads the output has ended. */
bool mt_fmt_finish (MtFmt *f, const char *const *footers);
/* Frees what f owns, after a statement has failed. Rows that were held back are not printed. */
void mt_fmt_abort (MtFmt *f);

#endif
