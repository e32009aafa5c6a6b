/* CHECK constraints. They are checked before a row is given to any layout. */
#ifndef MT_SESSION_CHECKS_H
#define MT_SESSION_CHECKS_H

#include "session/core/core.h"

/* Binds the condition of a constraint over the table's columns. */
bool mt_check_bind (MtStatement *st, const MtTable *t, const MtTableCheck *c, MtX **out,
                    MtError *err);
/* Sets out->columns to the columns that the bound condition x reads, in arena a. */
void mt_check_columns_of (MtArena *a, const MtTable *t, const MtX *x, MtTableCheck *out);
/* Returns whether a constraint reads a column. */
bool mt_check_mentions (const MtTableCheck *c, const char *column);
/* Sets *failed to the first constraint, in the order of names, that a row violates; NULL: it
 * violates none. */
bool mt_check_find_failed (MtStatement *st, const MtTable *t, const MtVal *row,
                           const MtTableCheck **failed, MtError *err);
/* Returns the condition of a constraint in the parentheses that PostgreSQL shows. In arena a. */
const char *mt_check_condition (MtArena *a, const MtTableCheck *c);
/* Returns the constraint as PostgreSQL shows it: CHECK ((condition)). In arena a. */
const char *mt_check_shown (MtArena *a, const MtTableCheck *c);

#endif
