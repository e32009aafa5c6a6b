/* Backslash commands. Each command is a row (MtCommand in mtsql_shell.h) of table.c or of an
 * extension's array. The texts of \? and completion are made from these rows. */
#ifndef MT_SHELL_COMMAND_H
#define MT_SHELL_COMMAND_H

#include "shell/core/shell.h"

/* The built-in commands. The last row has no name. */
extern const MtCommand mt_commands[];
/* Returns the command with this index: first the built-in commands, then those of extensions. NULL:
 * there is no further command. */
const MtCommand *mt_command_at (size_t index);
/* Adds the commands of an extension for the whole process. `rows` must never be freed. Does nothing
 * if the same rows were added before. */
void mt_commands_add (const MtCommand *rows);
/* Finds the command with a name of n bytes; NULL: there is none. *plus: the name ends with '+'. */
const MtCommand *mt_command_find (const char *name, size_t n, bool *plus);

/* Reads and runs the command after the backslash at src->input[src->pos]. Errors are reported
 * here. */
MtAfterCommand mt_command_run (MtShell *sh, MtInput *src);

/* A statement that \h explains. */
typedef struct MtSqlHelp {
   const char *name, *summary, *synopsis;
} MtSqlHelp;
/* The statements, sorted by name. The last row has no name. */
extern const MtSqlHelp mt_sql_help[];

/* An option of \pset. */
typedef struct MtDisplayOption {
   const char *name;
   /* the values that completion offers, separated by blanks; "": none; NULL: the names of all
    * output formats */
   const char *values;
   /* Sets the option. value NULL: toggles the option, or shows it. Returns false if the value is
    * wrong; the error is reported. */
   bool (*set) (MtShell *sh, const char *value);
   /* appends the current value to `out`, for \pset; NULL: the value is shown as on or off */
   void (*show) (const MtShell *sh, MtBuf *out);
   /* the message after the option was set, with %s for its value */
   const char *says;
} MtDisplayOption;
/* The options, sorted by name. The last row has no name. */
extern const MtDisplayOption mt_display_options[];
/* Sets an option of \pset. value NULL: toggles the option, or only shows it. quiet: prints no
 * message. Returns false if the name or the value is wrong; the error is reported. */
bool mt_display_set (MtShell *sh, const char *name, const char *value, bool quiet);

/* ---- variables.c ---- */

/* Returns the name of the i-th variable that the shell reads; NULL: there is no further one. */
const char *mt_variable_at (size_t i);
/* Returns the allowed values of a variable, separated by blanks. NULL: any text or number is
 * allowed. */
const char *mt_variable_values (const char *name);

/* ---- query.c ---- */

/* Lets the user edit the text in the external editor of \e. Returns false, and leaves the text
 * unchanged, if this fails or the session is restricted. */
bool mt_edit_elsewhere (MtShell *sh, MtBuf *text);

#endif
