/* PRIMARY KEY, UNIQUE and CREATE UNIQUE INDEX of tables that are created or changed. */
#ifndef MT_SESSION_KEY_H
#define MT_SESSION_KEY_H

#include "session/core/core.h"

/* Adds the keys of a CREATE TABLE or an ADD COLUMN: those of columns, and `own`. */
bool mt_build_keys (MtStatement *st, MtTable *t, const MtColumnDef *columns, const MtKeyDef *own,
                    MtError *err);
/* ALTER TABLE … ADD PRIMARY KEY or UNIQUE. */
bool mt_add_key (MtStatement *st, const MtTable *t, MtError *err);
/* CREATE [UNIQUE] INDEX. */
bool mt_run_define_index (MtStatement *st, MtError *err);

#endif
