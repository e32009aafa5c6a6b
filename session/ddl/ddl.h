/* Statements that make, change and drop tables and layouts; stores made anew. */
#ifndef MT_SESSION_DDL_H
#define MT_SESSION_DDL_H

#include "session/core/core.h"
#include "session/dml/dml.h"

/* A table with all that it has (session/ddl/ddl.c). */
bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err);

/* The same for the last layout of `to`, which none of the catalog's has yet: from the smallest of
 * the others that has all of it; 0A000 (session/ddl/rebuild.c). */
bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err);

/* CREATE TABLE's name is free: 42P07, or a notice and *exists with IF NOT EXISTS. */
bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err);

/* A column's default, which has to fit its type. */
bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err);

/* Whether a column of a table can be of that type; 0A000. */
bool mt_can_store (MtTypeId id, MtSpan span, MtError *err);
/* A column by its definition. */
bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err);

/* ALTER TABLE (session/ddl/alter.c). */
bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_alter_column (MtStatement *st, const MtTable *t,
                      MtError *err); /* its type, default, NOT NULL */

/* A new layout of t by its definition (NULL: rows); nothing is made in the engine yet. */
bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                      MtError *err);

/* A collection's name without the number that making it anew gave it. */
const char *mt_base_name (MtArena *a, const char *collection);

/* Fills store `store` of layout `layout` of *next with the leaves of `from`, in place of what it
 * has; *next gets its statistics, and on a server another collection, which the catalog's entry
 * brings into use. In the engine's open step; the caller saves *next. */
bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                       size_t store, const char *what, MtError *err);

/* Into a layout that keeps `latest` the newest records of `from` come as they would by INSERT: what
 * is there stays where it is as new. */
bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                      const char *what, MtError *err);

/* The same as mt_rebuild_store for a layout that has no documents yet. */
bool mt_fill_from_leaves (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                          const char *what, MtError *err);

/* Gives a store another collection (or, of one with partitions, others), which nobody has: its name
 * with another number at its end. */
bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err);

/* Tells the catalog that stores of *t are made anew under the names that they have in `next`; NULL:
 * any that isn't attached, under names that are free now. Whoever finds this one dead drops what of
 * them, old or new, no table has. *t is then the table as the catalog has it behind that: the same,
 * or 40001 where others wrote to it, 55006 where they are about to (they may have found the same
 * names). The caller ends intents that failed. */
bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what,
                      MtError *err);

/* Drops a store's collections, on a server when the engine's open step ends. */
bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err);

/* A copy of t whose layouts, stores and statistics may be changed, with room for one layout
 * more. */
MtTable mt_table_to_change (MtArena *a, const MtTable *t);

bool mt_run_create_layout (MtStatement *st, MtError *err);
bool mt_run_drop_layout (MtStatement *st, MtError *err);
bool mt_fill_table (MtStatement *st, const MtTable *t, MtResult *rows, MtTable *filled,
                    uint64_t *count, MtError *err);
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what,
                       MtError *err);
bool mt_run_refresh (MtStatement *st, MtError *err); /* session/ddl/matview.c */
bool mt_run_drop_matview (MtStatement *st, MtError *err);
bool mt_plan_create_table_as (MtStatement *st, MtWritePlan *out,
                              MtError *err);              /* session/ddl/create_as.c */
bool mt_run_create_table (MtStatement *st, MtError *err); /* session/ddl/ddl.c */
bool mt_run_drop_table (MtStatement *st, MtError *err);
bool mt_run_alter_table (MtStatement *st, MtError *err);
bool mt_run_call (MtStatement *st, MtError *err); /* session/ddl/sweep.c: drop_chunks */
bool mt_any_expires (MtSession *s);
bool mt_sweep_all (MtStatement *st, MtError *err);
bool mt_alter_options (MtStatement *st, const MtTable *t,
                       MtError *err); /* session/ddl/expire.c: SET, RESET of a table's parameters */
bool mt_run_create_table_as (MtStatement *st, MtError *err); /* session/ddl/create_as.c */

#endif
