/* The state of the program, which all of its rooms share.
 *
 * input.h, output.h, report.h and run.h declare the functions of this room; README.md shows how
 * they work together. */
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
   /* the source whose \i included this source; NULL: none */
   struct MtInput *parent;
   /* NULL: the input is the terminal or a text */
   FILE *file;
   /* the rest of the argument of -c */
   const char *text;
   /* messages begin with "name:line:"; NULL: they don't */
   const char *name;
   bool terminal;
   /* statements are collected; they run together before the next backslash command, or at the end
    * of the source */
   bool gathers;
   uint64_t line;
   MtTextScan scan;
   /* the statement so far */
   MtBuf query;
   /* the line that is being read, and the position in it */
   MtBuf input;
   size_t pos;
   /* the number of open \if commands when this source began */
   size_t conditions;
} MtInput;

/* One open \if. */
typedef struct MtCondition {
   /* one of the branches of this \if has run */
   bool taken;
   /* the current branch runs */
   bool active;
   /* the code around this \if runs */
   bool outer;
   bool in_else;
} MtCondition;

enum { MT_MAX_CONDITIONS = 64, MT_MAX_INCLUDES = 32 };

/* The display options of \pset, with the memory of their strings. */
typedef struct MtDisplay {
   MtFmtOptions o;
   char *null, *field_sep, *record_sep, *title, *table_attr;
   /* the width that \pset columns sets; 0: the width of the window */
   int columns;
   /* use of the pager. 0: never, 1: for output longer than the screen, 2: always */
   int pager;
} MtDisplay;

/* How the rows of a statement are used: \g prints them, \gset sets variables, and so on. */
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
   /* the statement ends with \gx, which prints in the expanded format */
   bool expanded;
   /* the output of \g: a file, or a command after '|'; NULL: the output of \o */
   char *target;
   /* the prefix of \gset, or the columns of \crosstabview; NULL: not given */
   char *args[MT_GO_ARGS];
   /* the options of \chart, in MtShell.chart; NULL: the rows are not drawn */
   const MtChartOptions *chart;
   /* the display options to restore after the statement; NULL: the statement changes none */
   MtDisplay *display;
} MtGo;

typedef struct MtShell {
   MtSession *session;
   MtOpenOptions open;
   /* the open target, without its password; NULL: a temporary store */
   char *target;
   /* the password of the target; NULL: none */
   char *password;
   /* the target as messages show it, without secrets */
   char *shown_target;
   /* the program never asks for a password */
   bool no_password;
   MtVars vars;
   MtDisplay display;
   MtInput *source;
   /* the statement that ran last */
   MtBuf previous;
   /* the lines of the statement in progress as they were typed, for the history */
   MtBuf shown;
   /* the text from \e, which runs instead of the rest of the line */
   MtBuf edited;
   MtCondition conditions[MT_MAX_CONDITIONS];
   size_t condition_count;

   /* the output of \o; NULL: standard output */
   FILE *out;
   bool out_is_pipe;
   /* how the statement that runs next uses its rows */
   MtGo go;
   /* the parameters that \bind gave the statement that runs next; binds: \bind was used */
   bool binds;
   char **bound;
   size_t bound_count;
   /* the options of the last \chart. charted: the previous statement was drawn with them, so \watch
    * draws it again */
   MtChartOptions chart;
   bool charted;
   /* \watch draws a chart again: the lines of the chart that is on the screen; -1: \watch doesn't
    * run */
   int redrawn_lines;
   /* the dashboard that the input describes (shell/dashboard/board.h); NULL: statements run */
   struct MtBoard *board;
   /* the statements of \gexec, each ended by a NUL */
   MtBuf to_run;
   /* the last error, which \errverbose prints; last_failed is the statement that failed */
   MtError last_error;
   MtBuf last_failed;

   bool interactive, terminal_in, terminal_out, terminal_err;
   bool timing;
   /* the program reads no more input, after an error in a batch, or after \q CODE */
   bool stop;
   /* the current source of input ends, after \q */
   bool quit;
   /* the program that reads standard output has closed the pipe */
   bool reader_gone;
   /* a write to standard output failed, for example because the disk is full; the error is
    * reported */
   bool disk_full;
   /* a statement or a command failed */
   bool failed;
   /* the exit status that \q CODE gave; -1: none */
   int exit_code;

   /* when the running statement began, by mt_shell_now_ms */
   double started_ms;
   /* the session's time for planning before it */
   double planned_ms;
   /* its time for printing rows, and for waiting for the pager */
   double print_ms, pager_ms;
   /* when the progress of the running statement was drawn last */
   double drawn_ms;
   bool progress_shown;
   /* notices are not printed, because a dashboard has the terminal */
   bool hides_notices;

   /* COPY … FROM STDIN: input that was read, but not yet handed to the session */
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
/* Opens `target` (NULL: a temporary store; "service=NAME": a target of the service file) and closes
 * the old session. After an error, the function
 * reports the error, keeps the old session, and returns false. */
bool mt_shell_connect (MtShell *sh, const char *target);
/* Returns whether the target is a store that does not exist, because nothing was written. */
bool mt_shell_lacks_store (const MtShell *sh);
/* Returns the name of a target's database: from the URI, or from the name of the folder. Owned by
 * the caller (free). */
char *mt_shell_database (const char *target);

/* ---- display.c ---- */

/* Returns a copy of the display options, made before a statement changes them. mt_go_clear restores
 * the options and frees the copy. */
MtDisplay *mt_display_keep (MtShell *sh);
/* Ends the effect of \bind, and frees the parameters. */
void mt_bound_clear (MtShell *sh);
/* Ends the effect of \g: restores the display options, and frees sh->go. */
void mt_go_clear (MtShell *sh);
/* Returns the display options of the next statement, with \gx, the width of the window and
 * FETCH_COUNT applied. Strings are borrowed from sh. */
MtFmtOptions mt_rows_options (MtShell *sh);

/* ---- cancel.c: signals ---- */

/* Installs the signal handlers. Call it once. */
void mt_signals_init (MtShell *sh);
/* Between mt_signals_running (true) and (false), SIGINT cancels the statement of the session. */
void mt_signals_running (bool running);
/* Sets the session that SIGINT cancels; NULL: none. */
void mt_signals_session (MtSession *s);
/* Returns whether SIGINT came since the last call. */
bool mt_signals_take_interrupt (void);
/* Returns whether the window changed its size since the last call. */
bool mt_signals_take_resize (void);
/* Like mt_signals_take_resize, but the change is still there for the next call. */
bool mt_signals_was_resized (void);
/* Set by the signal handler if SIGINT came and was not handled yet. */
extern volatile sig_atomic_t mt_interrupted;

#endif
