/* Backslash commands. Each command is one row (mtsql_shell.h) in table.c, or of an extension. The
 * texts of \? and completion are made from these rows. */
#ifndef MT_SHELL_COMMAND_H
#define MT_SHELL_COMMAND_H

#include "shell/core/shell.h"

/* The built-in commands; the last row has no name. */
extern const MtCommand mt_commands[];
/* Returns command number `index`: built-in ones, then those of extensions. NULL: index is too
 * high. */
const MtCommand *mt_command_at (size_t index);
/* Adds the commands of an extension for the whole process. rows is borrowed forever. A second call
 * with the same rows has no effect. */
void mt_commands_add (const MtCommand *rows);
/* Finds the command of a name of n bytes. *plus: the name ends with '+'. Returns NULL if no command
 * has the name. */
const MtCommand *mt_command_find (const char *name, size_t n, bool *plus);

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
    * all formats */
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

/* ---- variables.c ---- */

/* Returns the name of the i-th variable that the shell reads, or NULL behind the last. */
const char *mt_variable_at (size_t i);
/* Returns the values of a variable, separated by spaces. NULL: any text or number. */
const char *mt_variable_values (const char *name);

/* ---- query.c ---- */

/* Lets the user edit the text in the program that \e starts. Returns false, with the text as it
 * was, if this fails, or in a restricted session. */
bool mt_edit_elsewhere (MtShell *sh, MtBuf *text);

#endif
