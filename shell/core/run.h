/* Runs statements, and prints their rows or uses them as \g, \gset, \gexec and so on say. */
#ifndef MT_SHELL_RUN_H
#define MT_SHELL_RUN_H

#include "shell/core/shell.h"

/* ---- run.c ---- */

/* Runs a text with one or more statements as one transaction, and prints their results. Returns
 * false after an error, which is reported. */
bool mt_run_statement (MtShell *sh, const char *sql, size_t n);
/* Begins the single transaction of option -1. Returns false after an error, which is reported. */
bool mt_run_single_begin (MtShell *sh);
/* Commits the single transaction of option -1, or rolls it back if a statement or command
 * failed. */
void mt_run_single_end (MtShell *sh);

/* ---- listing.c ---- */

enum { MT_LISTING_COLUMNS = 16 };
/* A table that the shell itself makes, such as the list of \dt. All members are borrowed. */
typedef struct MtListing {
   const char *title;
   const char *const *headers;
   /* the number of columns, at most MT_LISTING_COLUMNS */
   size_t columns;
   MtStr *cells;
   size_t rows;
   /* the lines below the table, ended by NULL; NULL: the line "(n rows)" */
   const char *const *footers;
   /* right[i]: column i is right-aligned */
   bool right[MT_LISTING_COLUMNS];
} MtListing;
void mt_print_listing (MtShell *sh, const MtListing *l);

/* ---- rows.c ---- */

/* Reads all rows of r and uses them as sh->go says (\g prints, \gset sets variables …). last false:
 * r is not the last result of its text, so its rows are always printed. *rows is the number of
 * rows. */
bool mt_rows_take (MtShell *sh, MtResult *r, bool last, uint64_t *rows, MtError *err);

/* ---- crosstab.c ---- */

enum { MT_CROSSTAB_COLUMNS = 1600, MT_CROSSTAB_BYTES = 256 << 20 };
/* Prints the rows of r as \crosstabview does; sh->go.args names the columns. Fails with
 * MT_E_OF_SHELL if a column does not exist, if two rows are for the same cell, or if the table
 * exceeds MT_CROSSTAB_BYTES or MT_CROSSTAB_COLUMNS. */
bool mt_crosstab (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err);

/* ---- chart.c ---- */

/* Reads all rows of r into a finished chart, which the caller owns. The names of its columns are in
 * arena a; o is borrowed until mt_chart_free. Returns NULL after an error, one of those in
 * shell/chart/chart.h. */
MtChart *mt_chart_read (MtShell *sh, MtResult *r, const MtChartOptions *o, MtArena *a,
                        MtError *err);
/* Draws the rows of r, with the options in sh->go.chart, on the output or into a file. *rows is
 * their number. Errors are those of shell/chart/chart.h. */
bool mt_chart_rows (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err);

/* ---- copy.c ---- */

/* Reads data for COPY … FROM STDIN from the input; ctx is the MtShell. A callback for
 * MtOpenOptions.read_stdin. */
long mt_copy_read (void *ctx, char *buf, size_t n);
/* Writes data of COPY … TO STDOUT to the output; ctx is the MtShell. A callback for
 * MtOpenOptions.write_stdout. */
bool mt_copy_write (void *ctx, const char *buf, size_t n);
/* Ends a COPY … FROM STDIN, and skips data in the input that it did not read. */
void mt_copy_end (MtShell *sh);
/* Returns whether a statement is a COPY … FROM STDIN, with or without syntax errors. `sql` begins
 * with the statement's first word. */
bool mt_copy_has_data (const char *sql, size_t n);
/* Skips the data in the input of a COPY … FROM STDIN that failed before it had read any of them. */
void mt_copy_discard (MtShell *sh);

#endif
