/* CHECK constraints of tables that are created or changed. */
#ifndef MT_SESSION_CONSTRAINT_H
#define MT_SESSION_CONSTRAINT_H

#include "session/core/core.h"

/* Sorts the CHECK constraints of a new version of a table by their names. */
void mt_sort_checks (MtTable *t);
/* Adds a CHECK constraint to a new version of a table. 42710 if the name is taken. */
bool mt_add_check_to (MtStatement *st, MtTable *t, const MtCheckDef *d, MtError *err);
/* Adds the constraints of columns, and those of the table. */
bool mt_build_checks (MtStatement *st, MtTable *t, const MtColumnDef *columns,
                      const MtCheckDef *own, MtError *err);
/* Removes the constraint of this name; name NULL: all constraints that read the column. */
void mt_without_check (MtStatement *st, MtTable *t, const char *name, const char *column);
/* Fails if a constraint cannot be bound over a changed table. */
bool mt_checks_fit (MtStatement *st, const MtTable *t, MtError *err);

#endif
