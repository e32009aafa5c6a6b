/* The program: its options, its input, and the loop at the terminal. */
#ifndef MT_SHELL_PROGRAM_H
#define MT_SHELL_PROGRAM_H

#include "shell/core/shell.h"
#include "wire/wire.h"

/* ---- program.c ---- */

/* Runs the program and returns its exit status. Passwords in argv are overwritten. */
int mt_shell_main (int argc, char **argv);

/* ---- extension.c ---- */

/* Adds the output formats and backslash commands of an extension; ctx is the MtShell. A callback
 * for MtOpenOptions.extension. Errors: 42P17 a row is invalid; 42710 a name is taken. */
bool mt_shell_extension (void *ctx, const struct MtModule *m, MtError *err);

/* ---- options.c ---- */

/* One option -c (an SQL text to run) or -f (a file to run). */
typedef struct MtAction {
   /* true: arg is the name of a file (-f); false: arg is SQL (-c) */
   bool file;
   const char *arg;
} MtAction;

/* The parsed command line. Strings are borrowed from argv. */
typedef struct MtOptions {
   /* owned: free */
   MtAction *actions;
   size_t action_count;
   bool no_rc, quiet, single;
   const char *output;
   /* the format in -P format=…, if it is not a built-in one; NULL: none */
   const char *format;
   MtPipelineRun aggregate; /* collection NULL: no --aggregate */
   const char *dump_folder;
   const char *salvage_folder, *salvage_to;
   bool check_alerts, maintain;
   MtListen listen;      /* address NULL: no --listen */
   const char *user_add; /* the user of --user-add; NULL: none */
   /* the file of --dashboard; NULL: none */
   const char *dashboard;
   /* the arguments after the target: the names of alerts to check; owned (free) */
   const char **names;
   size_t name_count;
   /* the files of --dump are compressed */
   bool gzip;
   /* --help or --version was given, and the program can end */
   bool done;
} MtOptions;
/* Reads the command line into o, sh->target and the display options. Returns 0, or the exit status
 * of an error, which is reported. */
int mt_options_parse (MtShell *sh, MtOptions *o, int argc, char **argv);

/* ---- source.c: each function returns false if no more input may be read ---- */

/* Runs the text of -c. */
bool mt_run_text (MtShell *sh, const char *text);
/* Runs a file; "-" is standard input. from_include: \i runs it, so the message that it can't be
 * opened has no prefix "error:". */
bool mt_run_file (MtShell *sh, const char *path, bool from_include);
/* Runs the statements and commands of an open stream, which messages call `name`. */
bool mt_run_stream (MtShell *sh, FILE *f, const char *name);
/* Handles one line of input, without its newline. */
void mt_run_line (MtShell *sh, MtInput *src, const char *line, size_t n);

/* ---- alerts.c ---- */

/* Checks the alerts that the command line names, or all. Sets sh->failed after an error, or the
 * exit status 4 if an alert fires. */
void mt_run_check_alerts (MtShell *sh, const MtOptions *o);

/* ---- maintain.c ---- */

/* Runs a maintenance pass over the tables of the server or store that the shell has opened. Sets
 * sh->failed after an error, or the exit status 5 if another program is maintaining it. */
void mt_run_maintain (MtShell *sh);

/* ---- listen.c ---- */

/* Serves the server or store that the shell has opened to PostgreSQL's clients, until a signal ends
 * the program. */
void mt_run_listen (MtShell *sh, const MtOptions *o);
/* Adds a user to the file of users. Returns the exit status. */
int mt_run_user_add (MtShell *sh, const MtOptions *o);

/* ---- repl.c ---- */

/* Runs lines typed at the terminal, and returns the exit status. */
int mt_repl (MtShell *sh);

#endif
