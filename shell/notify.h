/* Runs the command of an alert, without a shell. */
#ifndef MT_SHELL_NOTIFY_H
#define MT_SHELL_NOTIFY_H

#include "base/error.h"

#include <stddef.h>

/* The variables of a command: those of the program, and more. */
typedef struct MtEnvironment {
   char **list; /* owned, ends with NULL */
   size_t count;
} MtEnvironment;

void mt_environment_begin (MtEnvironment *e); /* with the program's variables */
/* Sets a variable; value NULL: removes it. */
void mt_environment_set (MtEnvironment *e, const char *name, const char *value);
void mt_environment_end (MtEnvironment *e);
/* Returns the variable of a column: MTSQL_ and the name in capitals; all but ASCII letters and
 * digits become _. Owned by the caller (free). */
char *mt_environment_name (const char *column);

/* Runs a command and waits for it. `words` ends with NULL; the first word is a program, which is
 * found by PATH. The command has no input, and its output goes to standard error. Errors: 58P01 the
 * program can't be started; 58030 it failed, or ran longer than 30 seconds and was killed; 57014
 * Control-C came, and it was killed. */
bool mt_notify_run (const char *const *words, const MtEnvironment *e, MtError *err);

#endif
