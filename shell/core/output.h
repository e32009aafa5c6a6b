/* Writes output: rows, the pager, and the line that shows progress. */
#ifndef MT_SHELL_OUTPUT_H
#define MT_SHELL_OUTPUT_H

#include "base/draft.h"
#include "shell/core/shell.h"

/* ---- output.c ---- */

/* One result's output: a file, a pipe, standard output, or the pager. */
typedef struct MtOut {
   MtShell *sh;
   FILE *f;
   /* the pipe to the pager or to the command of \g; NULL: none */
   FILE *pipe;
   /* the file of \g, to which f writes; fd -1: none */
   MtDraft draft;
   bool may_page;
   bool gone;
   /* the rows ended with an error, so the file of \g stays as it was */
   bool incomplete;
   /* output held back until it exceeds the screen */
   MtBuf held;
   int lines, width, height, column;
} MtOut;

/* Opens the output of the next result. mt_out_end closes it. Returns false if the file of \g can't
 * be opened; the error is reported. */
bool mt_out_begin (MtShell *sh, MtOut *o);
/* Writes n bytes; ctx is an MtOut. Returns false if the reader of the output has gone. */
bool mt_out_write (void *ctx, const char *p, size_t n);
void mt_out_printf (MtOut *o, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* Writes the output held back and closes o. The file of \g takes its name if all of it was written
 * and o->incomplete is not set. Returns false if a part was not written. */
bool mt_out_end (MtOut *o);

/* Sets the output of \o: a file, or a command after '|'. NULL: standard output. Returns false if
 * the output can't be opened; the error is reported. */
bool mt_out_redirect (MtShell *sh, const char *target);
/* Returns the output of \o, or standard output. Borrowed. */
FILE *mt_output (MtShell *sh);
/* Handles a failed write to f: records that the reader has gone, or reports the error in errno. f
 * NULL: the file is already closed. */
void mt_output_failed (MtShell *sh, FILE *f);
/* Starts a shell command whose standard input is the returned stream. Returns NULL with errno after
 * an error. */
FILE *mt_open_pipe (const char *command);
/* Closes the stream of mt_open_pipe and waits for its command. Returns its exit status, 128 if a
 * signal ended it, or -1 on error. */
int mt_close_pipe (FILE *f);
/* Sets *columns and *lines to the size of the terminal's window; 0: not known. */
void mt_window_size (int *columns, int *lines);

/* Returns whether the output's text is UTF-8, by the environment. */
bool mt_speaks_utf8 (void);

/* ---- progress.c ---- */

/* Returns the monotonic clock in milliseconds. */
double mt_shell_now_ms (void);
/* Records the time at which a statement begins. Its progress is drawn from then on. */
void mt_progress_begin (MtShell *sh);
/* Draws the line of progress on the terminal; ctx is the MtShell. See MtOpenOptions.progress. */
void mt_progress_report (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
/* Removes the line of progress from the terminal before other output is written. */
void mt_progress_clear (MtShell *sh);

#endif
