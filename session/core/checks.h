/* CHECK constraints. They belong to the table, so rows are checked before any layout packs them. */
#ifndef MT_SESSION_CHECKS_H
#define MT_SESSION_CHECKS_H

#include "session/core/core.h"

/* Binds the condition of a constraint over the table's columns. */
bool mt_check_bind (MtStatement *st, const MtTable *t, const MtTableCheck *c, MtX **out,
                    MtError *err);
/* Sets the columns that a bound condition reads, in arena a. */
void mt_check_columns_of (MtArena *a, const MtTable *t, const MtX *x, MtTableCheck *out);
/* Returns whether a constraint reads a column. */
bool mt_check_mentions (const MtTableCheck *c, const char *column);
/* Sets *failed to the first constraint, by name, that a row violates; NULL: none. */
bool mt_check_find_failed (MtStatement *st, const MtTable *t, const MtVal *row,
                           const MtTableCheck **failed, MtError *err);
/* Returns the condition with the parentheses that PostgreSQL shows. In arena a. */
const char *mt_check_condition (MtArena *a, const MtTableCheck *c);
/* Returns the constraint as PostgreSQL shows it: CHECK ((condition)). In arena a. */
const char *mt_check_shown (MtArena *a, const MtTableCheck *c);

#endif
