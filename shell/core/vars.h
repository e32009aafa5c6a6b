/* The variables of the shell: set with \set, used as :name. Some of them are settings of the shell
 * itself. */
#ifndef MT_SHELL_VARS_H
#define MT_SHELL_VARS_H

#include "base/str.h"

typedef struct MtVariable {
   char *name, *value;
} MtVariable;

/* The variables, sorted by name. Initialize the structure with zeros; mt_vars_free frees it. */
typedef struct MtVars {
   MtVariable *v;
   size_t n, cap;
} MtVars;

/* Returns whether a name has only letters, digits, underscores and bytes above 0x7F. */
bool mt_var_name_ok (const char *name, size_t n);
/* Sets a variable to a copy of the value. */
void mt_var_set (MtVars *vars, const char *name, const char *value);
/* Removes a variable, if it is set. */
void mt_var_unset (MtVars *vars, const char *name);
/* Returns the value of a variable; NULL: the variable is not set. Borrowed until the variable
 * changes. */
const char *mt_var_get (const MtVars *vars, const char *name);
/* Like mt_var_get, for a name of n bytes. */
const char *mt_var_get_n (const MtVars *vars, const char *name, size_t n);
void mt_vars_free (MtVars *vars);

/* Parses a Boolean: on, true, yes, 1 or off, false, no, 0, or a prefix of such a word. Returns
 * false if s is something else. */
bool mt_parse_bool (const char *s, bool *out);
/* Return the value of a variable as a Boolean, or as a number; `otherwise` if the variable is not
 * set or has another value. */
bool mt_var_bool (const MtVars *vars, const char *name, bool otherwise);
long mt_var_long (const MtVars *vars, const char *name, long otherwise);

#endif
