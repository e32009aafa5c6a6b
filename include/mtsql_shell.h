/* What an extension can add to the shell: output formats (\pset format) and backslash commands.
 *
 * The rows are those of the built-in formats (shell/format/format.c) and commands
 * (shell/commands/table.c). A program that is not the shell ignores them. So their functions call
 * only the library: mtsql.h, base/ and types/, and the function pointers of MtCall. */
#ifndef MTSQL_SHELL_H
#define MTSQL_SHELL_H

#include "mtsql.h"

/* ---- output formats ---- */

typedef enum MtLineStyle { MT_LINE_ASCII, MT_LINE_OLD_ASCII, MT_LINE_UNICODE } MtLineStyle;
typedef enum MtExpanded { MT_EXPANDED_OFF, MT_EXPANDED_ON, MT_EXPANDED_AUTO } MtExpanded;

typedef struct MtFmt MtFmt;

/* An output format. Its functions append text to f->out; the shell writes that when it is long
 * enough. */
typedef struct MtFormat {
   /* for \pset format: a word of letters, digits, '_' and '-' */
   const char *name;
   /* called before the first row */
   void (*begin) (MtFmt *f);
   /* called for each row. cells: f->n texts, borrowed until the function returns; a cell with p
    * NULL is SQL NULL. */
   void (*row) (MtFmt *f, const MtStr *cells);
   /* called after the last row. footers: lines that replace "(n rows)", ended by a NULL; NULL:
    * none. Not called if the statement fails. */
   void (*finish) (MtFmt *f, const char *const *footers);
   const char *summary;
   /* the output is read by programs, so command tags and times are left out */
   bool for_programs;
   /* The shell writes the rows of a query as Arrow columns instead of calling `row`. The functions
    * above then print only lists of commands such as \d. false for formats of extensions. */
   bool arrow;
} MtFormat;

/* The settings of \pset. Strings are borrowed. */
typedef struct MtFmtOptions {
   const MtFormat *format;
   int border; /* 0 to 2; only latex distinguishes 3 from 2 */
   MtLineStyle line_style;
   /* draw double lines, in the unicode line style */
   bool double_border, double_column, double_header;
   MtExpanded expanded;
   bool tuples_only;
   bool footer; /* print "(n rows)" */
   MtStr null;  /* the text of NULL; json always prints null */
   MtStr field_sep, record_sep;
   char csv_sep;
   const char *title;      /* the title above the table; NULL: none */
   const char *table_attr; /* attributes of the HTML table; NULL: none */
   /* the width of the screen in characters, for the wrapped format and expanded auto; 0: unknown */
   int columns;
   uint64_t chunk_rows; /* FETCH_COUNT; 0: only MT_FORMAT_CHUNK_BYTES limits a chunk */
} MtFmtOptions;

typedef enum MtCellKind {
   MT_CELL_TEXT,
   MT_CELL_NUMBER,
   MT_CELL_BOOL,
   MT_CELL_TIME, /* a timestamp, with or without time zone */
   MT_CELL_JSON
} MtCellKind;

typedef struct MtFmtColumn {
   MtStr name;
   bool right;      /* right-aligned */
   MtCellKind kind; /* how json prints the value */
   /* the value is an array whose elements have this kind, written as PostgreSQL writes arrays
    * ({1,2}) */
   bool array;
} MtFmtColumn;

/* Writes n bytes. Returns false if the reader of a pipe has gone; then the format writes nothing
 * more. */
typedef bool (*MtWrite) (void *ctx, const char *p, size_t n);

/* A table that is being printed. A format uses the members o, columns, n, rows, out, arena and
 * state. */
struct MtFmt {
   const MtFmtOptions *o;
   const MtFmtColumn *columns;
   size_t n;
   uint64_t rows;  /* the number of rows so far, including the current row */
   MtBuf out;      /* the output: mt_buf_add, mt_buf_printf … */
   MtArena *arena; /* memory until the table ends */
   void *state;    /* the format's own data; NULL at first */
   /* private to the shell */
   MtStr *cells;     /* the cells of the held rows, row after row */
   size_t held, cap; /* number of held rows */
   size_t held_bytes;
   uint64_t printed;
   bool started; /* a part of the table is printed */
   MtWrite write;
   void *ctx;
   bool broken;
};

/* ---- backslash commands ---- */

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
   MT_COMPLETES_ON_OFF,
   /* completion offers the kinds and options of \chart, then the values of the option */
   MT_COMPLETES_CHART,
   /* completion offers the columns of the query's result */
   MT_COMPLETES_RESULTS,
   /* completion offers names from the catalog (shell/complete_command.c) */
   MT_COMPLETES_CATALOG,
   /* completion offers the variables of \set, then the values of the variable */
   MT_COMPLETES_SETTINGS,
   /* completion offers the options of \watch */
   MT_COMPLETES_WATCH
} MtCompletes;

/* What a command can access: only the session's target, or also files, programs and other targets.
 * A restricted session refuses commands that access more than the target. */
typedef enum MtCommandReach {
   MT_REACHES_NOTHING,
   /* the command accesses only the session's target; Ctrl-C cancels it */
   MT_REACHES_TARGET,
   /* the command accesses files, programs, other targets, or the folder and the environment of the
    * process */
   MT_REACHES_OUT,
   /* like MT_REACHES_OUT if the command has an argument, else like MT_REACHES_TARGET */
   MT_REACHES_OUT_NAMED
} MtCommandReach;

typedef struct MtCall MtCall;

/* A backslash command. The first command of an extension must have a heading, `group`. */
typedef struct MtCommand {
   /* the heading under which \? lists the command; NULL: that of the preceding command */
   const char *group;
   const char *name, *args, *summary;
   MtCommandArgs kind;
   MtCompletes completes;
   /* the largest number of arguments; -1: any number */
   int max_args;
   /* the typed name may end with + (more detail) or S (system objects), or both */
   bool plus;
   /* runs the command; returns false after an error, which is reported */
   bool (*run) (MtCall *c);
   /* the command runs also in branches of \if that are not taken; false for commands of
    * extensions */
   bool conditional;
   MtCommandReach reach;
} MtCommand;

/* Functions of the shell for the commands of extensions. */
typedef struct MtCallTools {
   /* Runs SQL statements as one transaction, and prints their results in the current format to the
    * output of \o. Returns false after an error, which is reported. */
   bool (*run) (MtCall *c, const char *sql);
   /* Writes text to the output of \o. */
   void (*print) (MtCall *c, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
   /* Reports an error of the command. Returns false. */
   bool (*complain) (MtCall *c, const char *format, ...) __attribute__ ((format (printf, 2, 3)));
   /* Reports an error of the library. `sql` is the text to which err->span refers, or NULL. Returns
    * false. */
   bool (*report) (MtCall *c, const MtError *err, const char *sql);
   /* Returns the query to use: the argument, else the query buffer, else the previous statement.
    * The caller frees it. NULL: there is none, and that error was reported. */
   char *(*query) (MtCall *c);
} MtCallTools;

/* What the shell does after a built-in command, at the command's request. */
typedef struct MtAfterCommand {
   /* run the query buffer */
   bool send;
   /* run this file; the shell frees the name; NULL: none */
   char *include;
} MtAfterCommand;

/* One call of a backslash command. */
struct MtCall {
   /* the command's name as typed, for example "d+" */
   const char *name;
   bool plus;
   /* the arguments, ended by a NULL */
   char **argv;
   size_t argc;
   /* the session, for mt_query and the like; free results before the command returns */
   MtSession *session;
   const MtCallTools *tools;
   /* private to the shell */
   struct MtShell *sh;
   struct MtInput *src;
   /* the words in parentheses behind \g, an array that ends with NULL */
   char **options;
   /* the parenthesis behind \g is not closed */
   bool unclosed;
   /* what the shell does afterwards; set by the command */
   MtAfterCommand after;
};

#endif
