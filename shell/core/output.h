/* Writing output: rows, the pager, and the line that shows progress. */
#ifndef MT_SHELL_OUTPUT_H
#define MT_SHELL_OUTPUT_H

#include "shell/core/shell.h"

/* ---- output.c ---- */

/* One result's output: a file, a pipe, standard output, or the pager. */
typedef struct MtOut {
   MtShell *sh;
   FILE *f;
   /* the pager, or the command of \g; NULL: none */
   FILE *pipe;
   /* f is the file of \g */
   bool close_file;
   bool may_page;
   bool gone;
   /* output held back until it exceeds the screen */
   MtBuf held;
   int lines, width, height, column;
} MtOut;

/* Opens the output of the next result. mt_out_end closes it. False: the file of \g can't be opened;
 * reported. */
bool mt_out_begin (MtShell *sh, MtOut *o);
/* Writes n bytes; ctx is an MtOut. False: the reader has gone. */
bool mt_out_write (void *ctx, const char *p, size_t n);
void mt_out_printf (MtOut *o, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Writes held output and closes o. False: not everything was written. */
bool mt_out_end (MtOut *o);

/* Sets the output of \o: a file, or a command after '|'. NULL: standard output. False: it can't be
 * opened; reported. */
bool mt_out_redirect (MtShell *sh, const char *target);
/* Returns the output of \o, or standard output. Borrowed. */
FILE *mt_output (MtShell *sh);
/* Handles a failed write to f, from errno. f NULL: a file that is closed already. */
void mt_output_failed (MtShell *sh, FILE *f);
/* Starts a command that reads what is written to the returned stream. NULL: errno has the error. */
FILE *mt_open_pipe (const char *command);
/* Waits for the command of mt_open_pipe. Returns its exit status, 128 if a signal ended it, or -1
 * on error. */
int mt_close_pipe (FILE *f);
/* Returns the size of the terminal's window; 0: not known. */
void mt_window_size (int *columns, int *lines);

/* ---- progress.c ---- */

/* Returns the monotonic clock in milliseconds. */
double mt_shell_now_ms (void);
/* Begins the time of a statement, which progress is drawn for. */
void mt_progress_begin (MtShell *sh);
/* Draws the line of progress on the terminal; ctx is the MtShell. See MtOpenOptions.progress. */
void mt_progress_report (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
/* Removes the line before other output. */
void mt_progress_clear (MtShell *sh);

#endif
