/* Writing output: rows, the pager, and the progress line. */
#ifndef MT_SHELL_OUTPUT_H
#define MT_SHELL_OUTPUT_H

#include "base/draft.h"
#include "shell/core/shell.h"

/* ---- output.c ---- */

/* The output of one result: a file, a pipe, standard output, or the pager. */
typedef struct MtOut {
   MtShell *sh;
   FILE *f;
   /* the pipe to the pager or to the command of \g; NULL: none */
   FILE *pipe;
   /* the temporary file of \g, to which f writes; fd -1: none */
   MtDraft draft;
   bool may_page;
   bool gone;
   /* the rows ended with an error, so the old file of \g is kept */
   bool incomplete;
   /* output that is held back until it is longer than the screen, because only then the pager is
    * started */
   MtBuf held;
   int lines, width, height, column;
} MtOut;

/* Opens the output for the next result; mt_out_end closes it. Returns false if the file of \g can't
 * be opened; the error is reported. */
bool mt_out_begin (MtShell *sh, MtOut *o);
/* Writes n bytes to the MtOut ctx. Returns false if the program that reads the output has ended. */
bool mt_out_write (void *ctx, const char *p, size_t n);
void mt_out_printf (MtOut *o, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Writes the output that was held back, and closes o. The temporary file of \g gets its real name
 * if all of it was written and o->incomplete is not set. Returns false if some output could not be
 * written. */
bool mt_out_end (MtOut *o);

/* Sets the output of \o: a file, or a command after '|'. NULL: standard output. Returns false if
 * the output can't be opened; the error is reported. */
bool mt_out_redirect (MtShell *sh, const char *target);
/* Returns the output of \o, or standard output. Borrowed. */
FILE *mt_output (MtShell *sh);
/* Handles a failed write to f: if the program that reads it has ended, records that; otherwise
 * reports the error in errno. f NULL: the file is already closed. */
void mt_output_failed (MtShell *sh, FILE *f);
/* Starts a shell command whose standard input is the returned stream. Returns NULL with errno after
 * an error. */
FILE *mt_open_pipe (const char *command);
/* Closes the stream of mt_open_pipe and waits for its command. Returns its exit status, 128 if a
 * signal ended it, or -1 on error. */
int mt_close_pipe (FILE *f);
/* Sets *columns and *lines to the size of the terminal's window; 0: not known. */
void mt_window_size (int *columns, int *lines);

/* Returns whether output is in UTF-8, according to the environment variables for the locale. */
bool mt_speaks_utf8 (void);

/* ---- progress.c ---- */

/* Returns the time of the monotonic clock in milliseconds. */
double mt_shell_now_ms (void);
/* Records the time at which a statement starts. From then on its progress is shown. */
void mt_progress_begin (MtShell *sh);
/* Draws the progress line on the terminal; ctx is the MtShell. A callback for
 * MtOpenOptions.progress. */
void mt_progress_report (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
/* Removes the progress line from the terminal. Call it before other output. */
void mt_progress_clear (MtShell *sh);

#endif
