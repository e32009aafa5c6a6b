/* Private to shell/commands: the functions of the backslash commands, and helpers for several of
 * them. */
#ifndef MT_SHELL_COMMAND_INT_H
#define MT_SHELL_COMMAND_INT_H

#include "shell/commands/command.h"
#include "shell/core/input.h"
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"

/* The help for one kind of level in a layout's descriptor. */
typedef struct MtLevelHelp {
   const char *name, *summary;
   /* the example's document, as mongosh shows it */
   const char *document;
   /* SQL statements that create and use the example's layout */
   const char *example;
} MtLevelHelp;
/* The help for each kind of level; the last row has no name. */
extern const MtLevelHelp mt_level_help[];
extern const char mt_layout_grammar[];

/* ---- tools.c ---- */

/* The shell's functions that commands of extensions can call. */
extern const MtCallTools mt_call_tools;

/* ---- names.c ---- */

/* Returns a copy of a name without its double quotes. Owned by the caller (free). */
char *mt_unquote_name (const char *s);
/* Returns whether a name matches a pattern as in psql: * and ? are wildcards; upper and lower case
 * are equal. */
bool mt_pattern_match (const char *pattern, const char *name);
/* Returns the query for \compare and \pipeline: the argument, or else the query buffer, or else the
 * previous query. Owned by the caller (free). NULL: there is none; the error is reported. */
char *mt_call_query (MtCall *c);

/* ---- query.c ---- */

/* If the query buffer is empty, copies the previous statement into it. Call it only when the
 * command will certainly run the buffer, because a command that fails leaves the buffer
 * unchanged. */
void mt_take_previous (MtCall *c);

/* ---- helpers of \d ---- */

/* Describes the indexes and the relations of pg_catalog that match the pattern "[schema.]name".
 * *found is their number. Returns false after an error, which is reported. */
bool mt_describe_relations (MtCall *c, const char *pattern, size_t *found);
/* Lists the user's relations and those of pg_catalog, for \dS, \dtS and \dvS. */
bool mt_list_relations (MtCall *c);
/* Prints a CREATE statement with line numbers. function: it is CREATE FUNCTION, so the numbers
 * start at the function's body, as in psql. */
bool mt_print_numbered (FILE *f, const char *text, bool function);

/* ---- the functions of table.c's rows ---- */

bool mt_cmd_describe (MtCall *c);
bool mt_cmd_infer (MtCall *c);
bool mt_cmd_tables (MtCall *c);
bool mt_cmd_functions (MtCall *c);
bool mt_cmd_function_text (MtCall *c);
/* Runs \di, \dn, \dT and the other commands that list objects of pg_catalog. */
bool mt_cmd_catalog (MtCall *c);
/* Runs \dx, and \dx+, which lists the objects of extensions. */
bool mt_cmd_extensions (MtCall *c);
bool mt_cmd_view_text (MtCall *c);
bool mt_cmd_databases (MtCall *c);
bool mt_cmd_conninfo (MtCall *c);
bool mt_cmd_connect (MtCall *c);
bool mt_cmd_compare (MtCall *c);
bool mt_cmd_advise (MtCall *c);
bool mt_cmd_pipeline (MtCall *c);
bool mt_cmd_help (MtCall *c);
bool mt_cmd_sql_help (MtCall *c);
bool mt_cmd_set (MtCall *c);
bool mt_cmd_unset (MtCall *c);
bool mt_cmd_getenv (MtCall *c);
bool mt_cmd_setenv (MtCall *c);
bool mt_cmd_pset (MtCall *c);
/* Runs \a, \t, \x, \H, \f and \C, short forms of \pset. */
bool mt_cmd_shortcut (MtCall *c);
bool mt_cmd_timing (MtCall *c);
/* Runs \g, \gx, \gset, \gexec, \gdesc and \crosstabview. */
bool mt_cmd_go (MtCall *c);
/* Runs \bind, \bind_named, \parse and \close_prepared. */
bool mt_cmd_bind (MtCall *c);
bool mt_cmd_bind_named (MtCall *c);
bool mt_cmd_parse (MtCall *c);
bool mt_cmd_close_prepared (MtCall *c);
bool mt_cmd_chart (MtCall *c);
bool mt_cmd_dashboard (MtCall *c);
bool mt_cmd_panel (MtCall *c);
bool mt_cmd_default (MtCall *c);
bool mt_cmd_errverbose (MtCall *c);
bool mt_cmd_prompt (MtCall *c);
bool mt_cmd_encoding (MtCall *c);
bool mt_cmd_print (MtCall *c);
bool mt_cmd_reset (MtCall *c);
bool mt_cmd_write (MtCall *c);
bool mt_cmd_edit (MtCall *c);
bool mt_cmd_watch (MtCall *c);
/* Runs \i and \ir, which include a file. */
bool mt_cmd_include (MtCall *c);
bool mt_cmd_copy (MtCall *c);
bool mt_cmd_output (MtCall *c);
/* Runs \echo, \qecho and \warn, which print their arguments. */
bool mt_cmd_echo (MtCall *c);
bool mt_cmd_shell (MtCall *c);
bool mt_cmd_chdir (MtCall *c);
bool mt_cmd_quit (MtCall *c);
bool mt_cmd_history (MtCall *c);
/* Runs \if, \elif, \else and \endif. */
bool mt_cmd_if (MtCall *c);

#endif
