/* CHECK constraints of tables that are created or changed. */
#ifndef MT_SESSION_CONSTRAINT_H
#define MT_SESSION_CONSTRAINT_H

#include "session/core/core.h"

/* Sorts the CHECK constraints of a new version of a table by their names. */
void mt_sort_checks (MtTable *t);
/* Adds a CHECK constraint to a new version of a table. 42710 if the name is taken. */
bool mt_add_check_to (MtStatement *st, MtTable *t, const MtCheckDef *d, MtError *err);
/* Adds to t the CHECK constraints of the definitions in `columns`, and the table's own
 * constraints. */
bool mt_build_checks (MtStatement *st, MtTable *t, const MtColumnDef *columns,
                      const MtCheckDef *own, MtError *err);
/* Removes from t the CHECK constraint with this name; name NULL: removes all constraints that read
 * `column`. */
void mt_without_check (MtStatement *st, MtTable *t, const char *name, const char *column);
/* Fails if a CHECK constraint of t cannot be bound any more after the table was changed. */
bool mt_checks_fit (MtStatement *st, const MtTable *t, MtError *err);

/* These functions run the actions of ALTER TABLE on constraints (alter_column.c). */
bool mt_add_check (MtStatement *st, const MtTable *t, MtError *err);
bool mt_validate_constraint (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_constraint (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_constraint (MtStatement *st, const MtTable *t, MtError *err);

/* Runs ALTER INDEX … RENAME TO (alter_column.c). */
bool mt_run_alter_index (MtStatement *st, MtError *err);

#endif
