/* Backslash commands: one row each in table.c. Help and completion are made from the rows. */
#ifndef MT_SHELL_COMMAND_H
#define MT_SHELL_COMMAND_H

#include "shell/core/shell.h"

typedef enum MtCommandArgs {
   /* words, with quotes, variables and `commands` */
   MT_ARGS_WORDS,
   /* the rest of the line, unchanged */
   MT_ARGS_LINE,
   /* a file name, or a command after '|', which is the rest of the line */
   MT_ARGS_TARGET,
   /* like MT_ARGS_TARGET, after words in parentheses */
   MT_ARGS_GO
} MtCommandArgs;

typedef enum MtCompletes {
   MT_COMPLETES_NOTHING,
   MT_COMPLETES_TABLES,
   MT_COMPLETES_FUNCTIONS,
   MT_COMPLETES_FILES,
   /* as in a statement */
   MT_COMPLETES_SQL,
   MT_COMPLETES_VARIABLES,
   /* options of \pset, then their values */
   MT_COMPLETES_DISPLAY,
   /* statements and functions of \h */
   MT_COMPLETES_HELP,
   MT_COMPLETES_COMMANDS,
   MT_COMPLETES_ON_OFF
} MtCompletes;

/* A command's access to things beyond the session's target. A restricted session refuses it. */
typedef enum MtCommandReach {
   MT_REACHES_NOTHING,
   /* the session's target; Ctrl-C cancels the command */
   MT_REACHES_TARGET,
   /* files, programs, other targets, or the process's own folder and environment */
   MT_REACHES_OUT,
   /* the same, if an argument is given */
   MT_REACHES_OUT_NAMED
} MtCommandReach;

typedef struct MtCall MtCall;

typedef struct MtCommand {
   /* the heading in \?; NULL: the heading of the row before */
   const char *group;
   const char *name, *args, *summary;
   MtCommandArgs kind;
   MtCompletes completes;
   /* the most words; -1: any number */
   int max_args;
   /* the name may end with + and S */
   bool plus;
   /* false: the command failed, and has reported it */
   bool (*run) (MtCall *c);
   /* the command also runs in inactive branches of \if */
   bool conditional;
   MtCommandReach reach;
} MtCommand;

/* All commands; the last row has no name. */
extern const MtCommand mt_commands[];
/* Finds the command of a name of n bytes. *plus: the name ends with '+'. NULL: there is none. */
const MtCommand *mt_command_find (const char *name, size_t n, bool *plus);

/* Work that a command leaves to its caller. */
typedef struct MtAfterCommand {
   /* run the query buffer */
   bool send;
   /* run this file; owned by the caller (free); NULL: none */
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
   /* for completion, with spaces between; "": none; NULL: the names of mt_formats */
   const char *values;
   /* value NULL: switches or shows the option. False: the value is wrong; reported. */
   bool (*set) (MtShell *sh, const char *value);
   /* NULL: \pset shows on or off */
   void (*show) (const MtShell *sh, MtBuf *out);
   /* the message after the option is set, with %s for its value */
   const char *says;
} MtDisplayOption;
/* In the order of their names; the last row has no name. */
extern const MtDisplayOption mt_display_options[];
/* Sets an option. value NULL: switches it, or only shows it. False: the name or the value is wrong;
 * reported. */
bool mt_display_set (MtShell *sh, const char *name, const char *value, bool quiet);

#endif
