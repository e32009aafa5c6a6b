/* The functions of the backslash commands, and the helpers that several commands use. */
#ifndef MT_SHELL_COMMAND_INT_H
#define MT_SHELL_COMMAND_INT_H

#include "shell/commands/command.h"
#include "shell/core/input.h"
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"

/* A kind of level in a layout's descriptor. */
typedef struct MtLevelHelp {
   const char *name, *summary;
   /* the document of the example, as mongosh shows it */
   const char *document;
   /* SQL statements that show the level */
   const char *example;
} MtLevelHelp;
/* The help for each kind of level; the last row has no name. */
extern const MtLevelHelp mt_level_help[];
extern const char mt_layout_grammar[];

/* ---- tools.c ---- */

/* The functions for commands of extensions. */
extern const MtCallTools mt_call_tools;

/* ---- names.c ---- */

/* Removes the double quotes of a name. Owned by the caller (free). */
char *mt_unquote_name (const char *s);
/* Returns whether a name matches a pattern of psql: * and ? are wildcards, and case is ignored. */
bool mt_pattern_match (const char *pattern, const char *name);
/* Returns the query of \compare and \pipeline: the argument, the query buffer, or the previous
 * query. Owned by the caller (free). Returns NULL if there is no such query; the error is
 * reported. */
char *mt_call_query (MtCall *c);

/* ---- query.c ---- */

/* Puts the previous statement into an empty query buffer. Called when the command is sure to run
 * it, because a command that fails leaves the buffer as it was. */
void mt_take_previous (MtCall *c);

/* ---- parts of \d ---- */

/* Describes the indexes and the catalog's relations that match [schema.]name. *found: their number.
 * Returns false after an error, which is reported. */
bool mt_describe_relations (MtCall *c, const char *pattern, size_t *found);
/* Lists the user's and the catalog's relations, for \dS, \dtS and \dvS. */
bool mt_list_relations (MtCall *c);
/* Prints a statement with line numbers. function: the statement is CREATE FUNCTION, and the numbers
 * start at the function's body, as in psql. */
bool mt_print_numbered (FILE *f, const char *text, bool function);

/* ---- the functions of table.c's rows ---- */

bool mt_cmd_describe (MtCall *c);
bool mt_cmd_infer (MtCall *c);
bool mt_cmd_tables (MtCall *c);
bool mt_cmd_functions (MtCall *c);
bool mt_cmd_function_text (MtCall *c);
/* Runs \di, \dn, \dT and other lists of catalog objects. */
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
