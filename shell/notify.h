/* Runs the command of an alert, without a shell. */
#ifndef MT_SHELL_NOTIFY_H
#define MT_SHELL_NOTIFY_H

#include "base/error.h"

#include <stddef.h>

/* The environment variables of a command: those of this program, and further ones. */
typedef struct MtEnvironment {
   char **list; /* owned, ends with NULL */
   size_t count;
} MtEnvironment;

void mt_environment_begin (MtEnvironment *e); /* with the program's variables */
/* Sets a variable; value NULL: removes it. */
void mt_environment_set (MtEnvironment *e, const char *name, const char *value);
void mt_environment_end (MtEnvironment *e);
/* Returns the name of the environment variable for a column: MTSQL_ and the column's name in
 * capitals, in which all characters but ASCII letters and digits become _. Owned by the caller
 * (free). */
char *mt_environment_name (const char *column);

/* Runs a command, and waits for it. words[0] is a program, which is searched in PATH; `words` ends
 * with NULL. The command has no input, and its output goes to standard error. Errors: 58P01 the
 * program can't be started; 58030 it failed, or was killed because it ran longer than 30 seconds;
 * 57014 it was killed because Control-C was pressed. */
bool mt_notify_run (const char *const *words, const MtEnvironment *e, MtError *err);

#endif
