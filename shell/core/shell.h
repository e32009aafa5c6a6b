/* The state of the shell, which all its folders use.
 *
 * input.h, output.h, report.h and run.h declare the functions of this folder. The README.md shows
 * how they work together. */
#ifndef MT_SHELL_SHELL_H
#define MT_SHELL_SHELL_H

#include "mtsql.h"
#include "shell/chart/chart.h"
#include "shell/core/scan.h"
#include "shell/format/format.h"

#include <signal.h>
#include <stdio.h>

enum {
   MT_EXIT_OK = 0,
   MT_EXIT_USAGE = 1,
   MT_EXIT_CONNECTION = 2,
   MT_EXIT_STATEMENT = 3,
   MT_EXIT_ALERT = 4,
   MT_EXIT_BUSY = 5
};

/* One source of input: the terminal, a file, or the argument of -c. */
typedef struct MtInput {
   /* the source that included this one with \i; NULL: none */
   struct MtInput *parent;
   /* the file that is read; NULL: the source is the terminal or a text */
   FILE *file;
   /* the part of the argument of -c that was not read yet */
   const char *text;
   /* messages begin with "name:line:"; NULL: they don't */
   const char *name;
   bool terminal;
   /* statements are collected, and run together before the next backslash command or at the end of
    * the source */
   bool gathers;
   uint64_t line;
   MtTextScan scan;
   /* the part of the current statement that was read so far */
   MtBuf query;
   /* the current line, and the offset up to which it was handled */
   MtBuf input;
   size_t pos;
   /* how many \if were open when this source began */
   size_t conditions;
} MtInput;

/* One open \if. */
typedef struct MtCondition {
   /* some branch of this \if has already run */
   bool taken;
   /* the current branch of this \if is run */
   bool active;
   /* the lines around this \if are run */
   bool outer;
   bool in_else;
} MtCondition;

enum { MT_MAX_CONDITIONS = 64, MT_MAX_INCLUDES = 32 };

/* The display options of \pset, and the strings that they own. */
typedef struct MtDisplay {
   MtFmtOptions o;
   char *null, *field_sep, *record_sep, *title, *table_attr;
   /* the width set by \pset columns; 0: the width of the window */
   int columns;
   /* when the pager is used: 0 never, 1 for output longer than the screen, 2 always */
   int pager;
} MtDisplay;

/* How the rows of a statement are used, as the command after it says: \g prints them, \gset sets
 * variables, and so on. */
typedef enum MtGoKind {
   MT_GO_PRINT,
   MT_GO_SET,
   MT_GO_EXEC,
   MT_GO_CROSSTAB,
   MT_GO_DESCRIBE,
   MT_GO_CHART
} MtGoKind;
enum { MT_GO_ARGS = 4 };
typedef struct MtGo {
   MtGoKind kind;
   /* the statement ended with \gx, so its rows are printed in the expanded format */
   bool expanded;
   /* where \g writes: a file, or a command after '|'; NULL: where \o does */
   char *target;
   /* the prefix of \gset, or the columns of \crosstabview; NULL: not given */
   char *args[MT_GO_ARGS];
   /* the options of \chart, which are in MtShell.chart; NULL: the rows are not drawn */
   const MtChartOptions *chart;
   /* the display options to restore after the statement; NULL: it changes none */
   MtDisplay *display;
} MtGo;

typedef struct MtShell {
   MtSession *session;
   MtOpenOptions open;
   /* the target that is open, without its password; NULL: a temporary store */
   char *target;
   /* the password of the target; NULL: none */
   char *password;
   /* the target without secrets, for messages */
   char *shown_target;
   /* never ask for a password (option -w) */
   bool no_password;
   MtVars vars;
   MtDisplay display;
   MtInput *source;
   /* the statement that ran last */
   MtBuf previous;
   /* the lines of the current statement as they were typed, for the history */
   MtBuf shown;
   /* the text edited with \e, which is run instead of the rest of the line */
   MtBuf edited;
   MtCondition conditions[MT_MAX_CONDITIONS];
   size_t condition_count;

   /* the output set by \o; NULL: standard output */
   FILE *out;
   bool out_is_pipe;
   /* how the rows of the next statement are used */
   MtGo go;
   /* the parameters that \bind set for the next statement; binds: \bind was used */
   bool binds;
   char **bound;
   size_t bound_count;
   /* the options of the last \chart; charted: the previous statement was drawn with them, so \watch
    * draws its rows again */
   MtChartOptions chart;
   bool charted;
   /* while \watch redraws a chart: how many lines the chart on the screen has; -1: \watch is not
    * running */
   int redrawn_lines;
   /* the dashboard that the input describes (shell/dashboard/board.h); NULL: statements are run */
   struct MtBoard *board;
   /* the statements that \gexec collected, each ended by NUL */
   MtBuf to_run;
   /* the last error, for \errverbose; last_failed: the statement that failed with it */
   MtError last_error;
   MtBuf last_failed;

   bool interactive, terminal_in, terminal_out, terminal_err;
   bool timing;
   /* no more input is read: after an error in a batch, or after \q CODE */
   bool stop;
   /* the current source of input is ended, after \q */
   bool quit;
   /* the program that reads standard output has ended */
   bool reader_gone;
   /* a write to standard output failed, for example because the disk is full; the error was
    * reported */
   bool disk_full;
   /* some statement or command has failed */
   bool failed;
   /* the exit status given with \q CODE; -1: none */
   int exit_code;

   /* when the running statement was started, as mt_shell_now_ms */
   double started_ms;
   /* the session's total planning time before the running statement */
   double planned_ms;
   /* how long the running statement's rows were printed, and how long the pager was waited for */
   double print_ms, pager_ms;
   /* when the progress of the running statement was last drawn */
   double drawn_ms;
   bool progress_shown;
   /* notices are not printed, because a dashboard has the terminal */
   bool hides_notices;

   /* input for COPY … FROM STDIN that was read, but not passed to the session yet */
   MtBuf copy;
   size_t copy_pos;
   bool copy_active, copy_ended;
   /* the running statement is COPY … TO STDOUT */
   bool copied_out;
} MtShell;

/* ---- shell.c ---- */

/* Sets the default state, and the variables with a default. mt_shell_free releases it. */
void mt_shell_init (MtShell *sh);
/* Closes the session and the output of \o, and frees the state. */
void mt_shell_free (MtShell *sh);
/* Opens `target` (NULL: a temporary store; "service=NAME": a target of the service file), and
 * closes the old session. After an error, which is reported, keeps the old session and returns
 * false. */
bool mt_shell_connect (MtShell *sh, const char *target);
/* Returns whether the target is a store that does not exist on disk, because nothing was written to
 * it. */
bool mt_shell_lacks_store (const MtShell *sh);
/* Returns the name of a target's database: from its URI, or the name of its folder. Owned by the
 * caller (free). */
char *mt_shell_database (const char *target);

/* ---- display.c ---- */

/* Returns a copy of the display options; call it before they are changed for one statement.
 * mt_go_clear restores the options and frees the copy. */
MtDisplay *mt_display_keep (MtShell *sh);
/* Ends the effect of \bind on the next statement, and frees the parameters. */
void mt_bound_clear (MtShell *sh);
/* Ends the effect of \g and similar commands: restores the display options, and frees the contents
 * of sh->go. */
void mt_go_clear (MtShell *sh);
/* Returns the display options for the next statement, which also depend on \gx, the width of the
 * window, and FETCH_COUNT. Strings are borrowed from sh. */
MtFmtOptions mt_rows_options (MtShell *sh);

/* ---- cancel.c: signals ---- */

/* Installs the signal handlers. Call it once. */
void mt_signals_init (MtShell *sh);
/* running: from now on SIGINT cancels the session's statement, until the call with false. */
void mt_signals_running (bool running);
/* Sets the session that SIGINT cancels; NULL: none. */
void mt_signals_session (MtSession *s);
/* Returns whether a SIGINT arrived since the last call. */
bool mt_signals_take_interrupt (void);
/* Returns whether the window's size changed since the last call. */
bool mt_signals_take_resize (void);
/* Like mt_signals_take_resize, but the next call returns the same. */
bool mt_signals_was_resized (void);
/* Set by the signal handler when a SIGINT arrives; cleared when it is handled. */
extern volatile sig_atomic_t mt_interrupted;

#endif
