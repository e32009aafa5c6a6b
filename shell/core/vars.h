/* The shell's variables: \set, :name, and the settings that the shell itself reads. */
#ifndef MT_SHELL_VARS_H
#define MT_SHELL_VARS_H

#include "base/str.h"

typedef struct MtVariable {
   char *name, *value;
} MtVariable;

/* Sorted by name. Zero-initialise; release with mt_vars_free. */
typedef struct MtVars {
   MtVariable *v;
   size_t n, cap;
} MtVars;

bool mt_var_name_ok (const char *name,
                     size_t n); /* letters, digits, underscores, bytes above 0x7F */
void mt_var_set (MtVars *vars, const char *name, const char *value);
void mt_var_unset (MtVars *vars, const char *name);
const char *mt_var_get (const MtVars *vars,
                        const char *name); /* NULL: unset; borrowed until changed */
const char *mt_var_get_n (const MtVars *vars, const char *name, size_t n);
void mt_vars_free (MtVars *vars);

/* "on", "true", "1", "yes" and their beginnings, any case; false when it is neither a yes nor a
 * no. */
bool mt_parse_bool (const char *s, bool *out);
bool mt_var_bool (const MtVars *vars, const char *name, bool otherwise);
long mt_var_long (const MtVars *vars, const char *name, long otherwise);

#endif
