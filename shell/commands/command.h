/* Backslash commands. Each command is one row in table.c. The texts of \? and completion are made
 * from these rows. */
#ifndef MT_SHELL_COMMAND_H
#define MT_SHELL_COMMAND_H

#include "shell/core/shell.h"

typedef enum MtCommandArgs {
   /* the arguments are words, which may have quotes, variables and `commands` */
   MT_ARGS_WORDS,
   /* the argument is the rest of the line, unchanged */
   MT_ARGS_LINE,
   /* the argument is a file name, or the rest of the line as a command after '|' */
   MT_ARGS_TARGET,
   /* like MT_ARGS_TARGET, after words in parentheses */
   MT_ARGS_GO
} MtCommandArgs;

typedef enum MtCompletes {
   MT_COMPLETES_NOTHING,
   MT_COMPLETES_TABLES,
   MT_COMPLETES_FUNCTIONS,
   MT_COMPLETES_FILES,
   /* completion offers the words of SQL statements */
   MT_COMPLETES_SQL,
   MT_COMPLETES_VARIABLES,
   /* completion offers the options of \pset, then the values of the option */
   MT_COMPLETES_DISPLAY,
   /* completion offers the statements and functions that \h explains */
   MT_COMPLETES_HELP,
   MT_COMPLETES_COMMANDS,
   MT_COMPLETES_ON_OFF
} MtCompletes;

/* The things that a command reaches: only the session's target, or also files, programs and other
 * targets. A restricted session refuses commands that reach more than the target. */
typedef enum MtCommandReach {
   MT_REACHES_NOTHING,
   /* the command works only on the session's target; Ctrl-C cancels the command */
   MT_REACHES_TARGET,
   /* the command reaches files, programs, other targets, or the folder and environment of the
    * process */
   MT_REACHES_OUT,
   /* like MT_REACHES_OUT if the command has an argument, else like MT_REACHES_TARGET */
   MT_REACHES_OUT_NAMED
} MtCommandReach;

typedef struct MtCall MtCall;

typedef struct MtCommand {
   /* the heading in \?; NULL: the heading of the row before */
   const char *group;
   const char *name, *args, *summary;
   MtCommandArgs kind;
   MtCompletes completes;
   /* the largest number of arguments; -1: any number */
   int max_args;
   /* the typed name may end with + (more detail) and S (system objects) */
   bool plus;
   /* runs the command; returns false after an error, which is reported */
   bool (*run) (MtCall *c);
   /* the command also runs in inactive branches of \if */
   bool conditional;
   MtCommandReach reach;
} MtCommand;

/* All commands; the last row has no name. */
extern const MtCommand mt_commands[];
/* Finds the command of a name of n bytes. *plus: the name ends with '+'. Returns NULL if no command
 * has the name. */
const MtCommand *mt_command_find (const char *name, size_t n, bool *plus);

/* Work that a command leaves to its caller. */
typedef struct MtAfterCommand {
   /* the caller runs the query buffer */
   bool send;
   /* the file that the caller runs; owned by the caller (free); NULL: none */
   char *include;
} MtAfterCommand;

/* Runs the command after the backslash at src->input[src->pos]. Reports errors itself. */
MtAfterCommand mt_command_run (MtShell *sh, MtInput *src);

/* A statement that \h explains. */
typedef struct MtSqlHelp {
   const char *name, *summary, *synopsis;
} MtSqlHelp;
/* In the order of their names; the last row has no name. */
extern const MtSqlHelp mt_sql_help[];

/* An option of \pset. */
typedef struct MtDisplayOption {
   const char *name;
   /* the values that completion offers, separated by spaces; "": none; NULL: the names of
    * mt_formats */
   const char *values;
   /* Sets the option. value NULL: switches or shows the option. Returns false if the value is
    * wrong; the error is reported. */
   bool (*set) (MtShell *sh, const char *value);
   /* adds the current value to `out` for \pset; NULL: \pset shows on or off */
   void (*show) (const MtShell *sh, MtBuf *out);
   /* the message after the option is set, with %s for its value */
   const char *says;
} MtDisplayOption;
/* In the order of their names; the last row has no name. */
extern const MtDisplayOption mt_display_options[];
/* Sets an option of \pset. value NULL: switches the option, or only shows it. Returns false if the
 * name or the value is wrong; the error is reported. */
bool mt_display_set (MtShell *sh, const char *name, const char *value, bool quiet);

#endif
