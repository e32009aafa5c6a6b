/* The interactive program: its state, and what its files do for each other.
 *
 *    source.c   reads lines (files, -c, the terminal), cuts them, runs what comes out
 *    run.c      one statement: query, rows into a format, errors, times
 *    report.c   errors and notices in psql's form
 *    output.c   where rows go: standard output, the pager, \o and \g
 *    command.c  backslash commands: the table is in command_table.c, one row each
 *    repl.c     the terminal: line editing, history; complete.c: completion */
#ifndef MT_SHELL_SHELL_H
#define MT_SHELL_SHELL_H

#include "mtsql.h"
#include "shell/format/format.h"
#include "shell/core/scan.h"

#include <signal.h>
#include <stdio.h>

enum { MT_EXIT_OK = 0, MT_EXIT_USAGE = 1, MT_EXIT_CONNECTION = 2, MT_EXIT_STATEMENT = 3 };

/* Where input comes from. */
typedef struct MtInput {
   struct MtInput *parent; /* that included this one */
   FILE *file;             /* NULL: text, or the terminal */
   const char *text;       /* the rest of a -c argument */
   const char *name;       /* before "line:" in messages; NULL: none */
   bool terminal;
   bool gathers; /* statements run together, up to a backslash command or the end */
   uint64_t line;
   MtTextScan scan;
   MtBuf query;       /* the statement so far */
   MtBuf input;       /* the line being cut */
   size_t pos;        /* in it */
   size_t conditions; /* open \if when it began */
} MtInput;

/* One \if. */
typedef struct MtCondition {
   bool taken;  /* some branch was */
   bool active; /* this branch runs */
   bool outer;  /* the place around it runs */
   bool in_else;
} MtCondition;

enum { MT_MAX_CONDITIONS = 64, MT_MAX_INCLUDES = 32 };

/* The display options' strings live here. */
typedef struct MtDisplay {
   MtFmtOptions o;
   char *null, *field_sep, *record_sep, *title, *table_attr;
   int columns; /* \pset columns; 0: the window's */
   int pager;   /* 0 never, 1 when it is long, 2 always */
} MtDisplay;

/* What is wanted of one statement's rows: \g and its like. */
typedef enum MtGoKind {
   MT_GO_PRINT,
   MT_GO_SET,
   MT_GO_EXEC,
   MT_GO_CROSSTAB,
   MT_GO_DESCRIBE
} MtGoKind;
enum { MT_GO_ARGS = 4 };
typedef struct MtGo {
   MtGoKind kind;
   bool expanded;          /* \gx */
   char *target;           /* a file, or a command after '|'; NULL: where results go */
   char *args[MT_GO_ARGS]; /* \gset's prefix, \crosstabview's columns; NULL: not given */
   MtDisplay *display;     /* as it was before its options; NULL: it had none */
} MtGo;

typedef struct MtShell {
   MtSession *session;
   MtOpenOptions open;
   char *target;       /* without its password; NULL: a temporary store */
   char *password;     /* the target's; NULL: none */
   char *shown_target; /* nothing secret in it */
   bool no_password;   /* never ask for one */
   MtVars vars;
   MtDisplay display;
   MtInput *source;
   MtBuf previous; /* the statement that ran last */
   MtBuf shown;    /* lines of it for the history */
   MtBuf edited;   /* what \e made, to be run instead of the rest of its line */
   MtCondition conditions[MT_MAX_CONDITIONS];
   size_t condition_count;

   FILE *out; /* \o */
   bool out_is_pipe;
   MtGo go;            /* of one \g */
   MtBuf to_run;       /* statements of \gexec, a NUL behind each */
   MtError last_error; /* for \errverbose */
   MtBuf last_failed;  /* its statement */

   bool interactive, terminal_in, terminal_out, terminal_err;
   bool timing;
   bool stop;        /* the input ends: an error in a batch, or \q N */
   bool quit;        /* this source ends: \q */
   bool reader_gone; /* standard output can't be written */
   bool disk_full;   /* for another reason than that nobody reads it; said already */
   bool failed;      /* some statement did */
   int exit_code;    /* of \q N; -1: none */

   double started_ms; /* the running statement, for progress */
   double drawn_ms;
   bool progress_shown;

   MtBuf copy; /* COPY … FROM STDIN: bytes read but not handed over */
   size_t copy_pos;
   bool copy_active, copy_ended;
   bool copied_out; /* the running statement is a COPY … TO STDOUT */

   uint64_t schema_version; /* changes when statements may have changed tables; for completion */
} MtShell;

/* ---- shell.c ---- */
void mt_shell_init (MtShell *sh);
void mt_shell_free (MtShell *sh);
/* Opens `target`; on failure reports and keeps the session there was. */
bool mt_shell_connect (MtShell *sh, const char *target);
/* After an error: when the connection was lost, makes it again (at a terminal) or ends the input
 * with exit 2. */
void mt_shell_check_connection (MtShell *sh, const MtError *cause);
bool mt_shell_active (const MtShell *sh); /* no \if says otherwise */
double mt_shell_now_ms (void);

void mt_go_clear (MtShell *sh);
/* The display as it is, to be gone back to, which frees it; NULL: nothing is done. */
MtDisplay *mt_display_keep (MtShell *sh);
void mt_display_back (MtShell *sh, MtDisplay *kept);

/* ---- cancelling: cancel.c ---- */
void mt_signals_init (MtShell *sh);
void mt_signals_running (bool running); /* SIGINT cancels the session's statement meanwhile */
void mt_signals_session (MtSession *s);
bool mt_signals_take_interrupt (void); /* SIGINT came since the last call */
bool mt_signals_take_resize (void);
extern volatile sig_atomic_t mt_interrupted;

/* ---- source.c ---- */
/* Each returns false when the input has to stop. */
bool mt_run_text (MtShell *sh, const char *text);
bool mt_run_file (MtShell *sh, const char *path, bool from_include); /* "-": standard input */
bool mt_run_stream (MtShell *sh, FILE *f, const char *name);
void mt_run_line (MtShell *sh, MtInput *src, const char *line, size_t n);
/* What is left without ';' at the end of the input runs too; an open \if is an error. */
void mt_input_end (MtShell *sh, MtInput *src);
void mt_input_free (MtInput *src);
/* A line of the innermost source that is not for the shell: data of COPY. False at the end. */
bool mt_source_data_line (MtShell *sh, MtBuf *line);

/* ---- run.c ---- */
/* Runs one statement, or several as one transaction, and prints their results. False when it
 * failed; reported already. */
bool mt_run_statement (MtShell *sh, const char *sql, size_t n);
/* Prints a table of the shell's own (\d, \dt, …). */
typedef struct MtListing {
   const char *title;
   const char *const *headers;
   size_t columns;
   MtStr *cells;
   size_t rows;
   const char *const *footers; /* NULL: "(n rows)" */
   bool right[16];
} MtListing;
void mt_print_listing (MtShell *sh, const MtListing *l);
/* -1: all that runs between the two is one transaction; the second rolls it back when something
 * failed. */
bool mt_run_single_begin (MtShell *sh);
void mt_run_single_end (MtShell *sh);
bool mt_fail (MtShell *sh); /* notes that something failed; always false */

/* ---- copy.c: the session's callbacks ---- */
long mt_copy_read (void *ctx, char *buf, size_t n);
bool mt_copy_write (void *ctx, const char *buf, size_t n);
void mt_copy_end (MtShell *sh); /* skips data that a failed COPY left */
bool mt_copy_has_data (
   const char *sql,
   size_t n); /* COPY … FROM STDIN, right or wrong; sql begins with its first word */
void mt_copy_discard (MtShell *sh); /* skips data of a COPY that was refused before it read any */

/* ---- report.c ---- */
/* The SQLSTATE of an error that isn't SQL's: it is the shell's own complaint. */
#define MT_E_OF_SHELL ""
/* sql NULL: no LINE. */
void mt_report_error (MtShell *sh, const MtError *err, const char *sql, size_t n);
void mt_report_last_error (MtShell *sh); /* again, with all that is known */
void mt_report_notice (void *ctx, const char *severity, const char *message, const char *hint);
/* The shell's own complaint: "prefix: text". */
void mt_complain (MtShell *sh, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
/* LINE and caret lines of an error; nothing without a place. */
void mt_report_place (MtBuf *out, const char *sql, size_t n, MtSpan span);

/* ---- output.c ---- */
typedef struct MtOut {
   MtShell *sh;
   FILE *f;
   FILE *pipe;      /* the pager or \g |command */
   bool close_file; /* \g file */
   bool may_page;
   bool gone;
   MtBuf held; /* until it is known whether the screen is exceeded */
   int lines, width, height, column;
} MtOut;
bool mt_out_begin (MtShell *sh, MtOut *o); /* false: \g's file can't be opened; reported */
bool mt_out_write (void *ctx, const char *p, size_t n); /* an MtWrite */
void mt_out_printf (MtOut *o, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
bool mt_out_end (MtOut *o);
/* \o and \g: a file, or a command after '|'; NULL: back to standard output. */
bool mt_out_redirect (MtShell *sh, const char *target);
FILE *mt_open_pipe (const char *command);
int mt_close_pipe (FILE *f);
void mt_window_size (int *columns, int *lines); /* 0: not known */
FILE *mt_output (MtShell *sh);                  /* \o's, or standard output */
/* Writing to f has failed, as errno says. */
void mt_output_failed (MtShell *sh, FILE *f);

/* ---- progress.c ---- */
void mt_progress_report (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
void mt_progress_clear (MtShell *sh);

/* ---- command.c ---- */
/* Runs the command after the backslash at src->input[src->pos]; true when the query has to be run
 * now. */
bool mt_command_run (MtShell *sh, MtInput *src);

/* ---- repl.c ---- */
int mt_repl (MtShell *sh);
bool mt_repl_copy_line (MtShell *sh, MtBuf *line); /* data of COPY from the terminal */
bool mt_repl_ask (const char *prompt,
                  MtBuf *line); /* an answer, without its line feed; false: none, or there is no
                                   terminal that lines are edited at */

/* ---- options.c ---- */
typedef struct MtAction {
   bool file; /* else SQL text */
   const char *arg;
} MtAction;
typedef struct MtOptions {
   MtAction *actions;
   size_t action_count;
   bool no_rc, quiet, single;
   const char *output;
   const char *aggregate_collection, *aggregate_pipeline;
   const char *dump_folder;
   const char *salvage_folder, *salvage_to;
   bool gzip; /* the dump is compressed */
   bool done; /* --help, --version */
} MtOptions;
/* 0, or the exit code of a usage error, reported. */
int mt_options_parse (MtShell *sh, MtOptions *o, int argc, char **argv);
int mt_shell_main (int argc, char **argv);

#endif
