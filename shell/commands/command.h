/* Backslash commands: one row each in command_table.c. Help, completion and dispatch are made from
 * the rows. */
#ifndef MT_SHELL_COMMAND_H
#define MT_SHELL_COMMAND_H

#include "shell/core/shell.h"

typedef enum MtCommandArgs {
   MT_ARGS_WORDS,  /* words, with quotes, variables and `commands` */
   MT_ARGS_LINE,   /* the rest of the line as it is */
   MT_ARGS_TARGET, /* a file name, or a command after '|', which takes the rest of the line */
   MT_ARGS_GO      /* the same; words in parentheses may stand before it */
} MtCommandArgs;

typedef enum MtCompletes {
   MT_COMPLETES_NOTHING,
   MT_COMPLETES_TABLES,
   MT_COMPLETES_FUNCTIONS,
   MT_COMPLETES_FILES,
   MT_COMPLETES_SQL, /* as a statement is completed */
   MT_COMPLETES_VARIABLES,
   MT_COMPLETES_DISPLAY, /* \pset's options, then their values */
   MT_COMPLETES_HELP,    /* \h's statements and functions */
   MT_COMPLETES_COMMANDS,
   MT_COMPLETES_ON_OFF
} MtCompletes;

typedef struct MtCall {
   MtShell *sh;
   MtInput *src;
   const char *name; /* as typed, "d+" */
   bool plus;
   char **argv; /* a NULL ends it */
   size_t argc;
   char **options; /* the words in parentheses; a NULL ends them */
   bool unclosed;  /* the parenthesis */
   bool send;      /* set by the command: run the query buffer now */
} MtCall;

/* What a command may reach beyond the session's target. A restricted session refuses it. */
typedef enum MtCommandReach {
   MT_REACHES_NOTHING,
   MT_REACHES_TARGET, /* the session's, for what there is: Ctrl-C ends it */
   MT_REACHES_OUT,    /* files, programs, other targets, the process's own folder and environment */
   MT_REACHES_OUT_NAMED /* the same, where an argument names one */
} MtCommandReach;

typedef struct MtCommand {
   const char *group; /* heading in \?; NULL: as the row before */
   const char *name, *args, *summary;
   MtCommandArgs kind;
   MtCompletes completes;
   int max_args;            /* of words; -1: any */
   bool plus;               /* takes a + */
   bool (*run) (MtCall *c); /* false: it failed, and has said so */
   bool conditional;        /* runs in inactive \if branches too */
   MtCommandReach reach;
} MtCommand;

extern const MtCommand mt_commands[]; /* ends with a NULL name */
const MtCommand *mt_command_find (const char *name, size_t n, bool *plus);

/* The statements that \h explains. */
typedef struct MtSqlHelp {
   const char *name, *summary, *synopsis;
} MtSqlHelp;
extern const MtSqlHelp mt_sql_help[];

/* A kind of level of a layout's descriptor. */
typedef struct MtLevelHelp {
   const char *name, *summary;
   const char *document; /* of the example, in MongoDB's words */
   const char *example;  /* statements */
} MtLevelHelp;
extern const MtLevelHelp mt_level_help[]; /* ended by a row of NULLs */
extern const char mt_layout_grammar[];

/* What \pset knows, for its listing and completion. */
typedef struct MtDisplayOption {
   const char *name;
   const char *values;                           /* space-separated, for completion; "" */
   bool (*set) (MtShell *sh, const char *value); /* value NULL: toggle, or show */
   void (*show) (const MtShell *sh, MtBuf *out);
   const char *says; /* what \pset says after setting, with %s */
} MtDisplayOption;
extern const MtDisplayOption mt_display_options[];
bool mt_display_set (MtShell *sh, const char *name, const char *value, bool quiet);

/* "name" of an argument that may be in double quotes; owned by the caller. */
char *mt_unquote_name (const char *s);
/* psql's patterns: * and ?, case ignored. */
bool mt_pattern_match (const char *pattern, const char *name);
/* The query that a command is about: the argument, or what is in the buffer, or the previous one.
 * NULL: none, reported. */
char *mt_call_query (MtCall *c);

bool mt_cmd_describe (MtCall *c);
/* Indexes, and relations of the catalog, whose name is like [schema.]name; false: reported. */
bool mt_describe_relations (MtCall *c, const char *pattern, size_t *found);
/* Relations of one's own and of the catalog, by kind (\dS, \dtS, \dvS). */
bool mt_list_relations (MtCall *c);
/* A statement, each of its lines after its number. */
bool mt_print_numbered (FILE *f, const char *text, bool function);
bool mt_cmd_infer (MtCall *c);
bool mt_cmd_tables (MtCall *c);
bool mt_cmd_functions (MtCall *c);
bool mt_cmd_function_text (MtCall *c);
bool mt_cmd_catalog (MtCall *c); /* \di \dn \dT … */
bool mt_cmd_view_text (MtCall *c);
bool mt_cmd_databases (MtCall *c);
bool mt_cmd_conninfo (MtCall *c);
bool mt_cmd_connect (MtCall *c);
bool mt_cmd_compare (MtCall *c);
bool mt_cmd_pipeline (MtCall *c);
bool mt_cmd_help (MtCall *c);
bool mt_cmd_sql_help (MtCall *c);
bool mt_cmd_set (MtCall *c);
bool mt_cmd_unset (MtCall *c);
bool mt_cmd_getenv (MtCall *c);
bool mt_cmd_setenv (MtCall *c);
bool mt_cmd_pset (MtCall *c);
bool mt_cmd_shortcut (MtCall *c); /* \a \t \x \H \f \C */
bool mt_cmd_timing (MtCall *c);
bool mt_cmd_go (MtCall *c); /* \g \gx \gset \gexec \gdesc \crosstabview */
bool mt_cmd_errverbose (MtCall *c);
bool mt_cmd_prompt (MtCall *c);
bool mt_cmd_encoding (MtCall *c);
bool mt_cmd_print (MtCall *c);
bool mt_cmd_reset (MtCall *c);
bool mt_cmd_write (MtCall *c);
bool mt_cmd_edit (MtCall *c);
bool mt_cmd_watch (MtCall *c);
bool mt_cmd_include (MtCall *c); /* \i \ir */
bool mt_cmd_copy (MtCall *c);    /* \copy */
bool mt_cmd_output (MtCall *c);
bool mt_cmd_echo (MtCall *c); /* \echo \qecho \warn */
bool mt_cmd_shell (MtCall *c);
bool mt_cmd_chdir (MtCall *c);
bool mt_cmd_quit (MtCall *c);
bool mt_cmd_history (MtCall *c);
bool mt_cmd_if (MtCall *c);      /* \if \elif \else \endif */
bool mt_history_write (FILE *f); /* repl.c */

#endif
