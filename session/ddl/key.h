/* PRIMARY KEY, UNIQUE and CREATE UNIQUE INDEX of tables that are created or changed. */
#ifndef MT_SESSION_KEY_H
#define MT_SESSION_KEY_H

#include "session/core/core.h"

/* Adds to t the keys of a CREATE TABLE or ADD COLUMN: those in the definitions of columns, and the
 * table's own keys in `own`. */
bool mt_build_keys (MtStatement *st, MtTable *t, const MtColumnDef *columns, const MtKeyDef *own,
                    MtError *err);
/* Runs ALTER TABLE … ADD PRIMARY KEY or UNIQUE. */
bool mt_add_key (MtStatement *st, const MtTable *t, MtError *err);
/* Runs CREATE [UNIQUE] INDEX. */
bool mt_run_define_index (MtStatement *st, MtError *err);

#endif
