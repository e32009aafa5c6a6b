/* Statements that create, change and drop tables, layouts and materialized views; filling stores
 * again. */
#ifndef MT_SESSION_DDL_H
#define MT_SESSION_DDL_H

#include "session/core/core.h"
#include "session/dml/dml.h"

/* Drops a table with its layouts, indexes and comments (session/ddl/drop_table.c). */
bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err);

/* Fills a new layout, the last of `to`, from the other layouts: from the smallest that has all
 * of its data; 0A000 (session/ddl/rebuild.c). */
bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err);

/* Checks that CREATE TABLE's name is free; 42P07. With IF NOT EXISTS it sends a notice and sets
 * *exists. */
bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err);

/* Sets a column's default, which must fit its type. */
bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err);

/* 0A000 if a column cannot have this type. */
bool mt_can_store (MtTypeId id, MtSpan span, MtError *err);
/* Makes a column by its definition. */
bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err);

/* Whether a table has a layout of this name. */
bool mt_has_layout (const MtTable *t, const char *name);
/* Attaches a new layout to its collections if they exist, else creates them. In the engine's open
 * step. 55000, 42P17, 25006 */
bool mt_attach_or_create (MtStatement *st, const MtTable *t, MtLayout *l, MtError *err);
/* 0A000 if the table has a PRIMARY KEY, and its layouts cannot check it. */
bool mt_check_key_kept (const MtTable *t, MtError *err);
/* Begins the step of a DROP, with an intent that names the collections of the layouts. */
bool mt_begin_drop (MtStatement *st, const MtTable *t, const MtLayout *layouts, size_t count,
                    const char *what, MtError *err);
/* Drops a layout's collections, unless they are attached. In the engine's open step. */
bool mt_drop_collections (MtSession *s, const MtLayout *l, MtError *err);

/* ALTER TABLE (session/ddl/alter_column.c). */
bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err);
/* ALTER COLUMN: type, default, NOT NULL. */
bool mt_alter_column (MtStatement *st, const MtTable *t, MtError *err);

/* Makes a new layout of t by its definition (NULL: rows). Nothing is created in the engine. */
bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                      MtError *err);

/* A collection's name without the suffix _v2, _v3 … of mt_fresh_name. */
const char *mt_base_name (MtArena *a, const char *collection);

/* A store of a table, and the name under which progress is reported. */
typedef struct MtStorePlace {
   size_t layout, store;
   const char *what;
} MtStorePlace;

/* Replaces a store's documents by documents made from the leaves of `from`, and sets its
 * statistics in *next. On a server the store gets a new collection, which becomes visible with
 * the catalog's entry. In the engine's open step; the caller saves *next. */
bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next,
                       const MtStorePlace *place, MtError *err);

/* Adds the newest records of `from` to a layout of newest records, as INSERT would. Newer
 * documents there stay. */
bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                      const char *what, MtError *err);

/* The same as mt_rebuild_store for all stores of a layout without documents. */
bool mt_fill_from_leaves (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                          const char *what, MtError *err);

/* Gives a store a new, unused collection name: its own name with a number. A partitioned store
 * gets a new prefix. */
bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err);

/* Announces in the catalog that stores of *t are written again under their names in `next`
 * (NULL: under unused names, except attached stores). If this client dies, others then drop the
 * collections that no table has. *t becomes the table as the catalog has it after the
 * announcement. 40001 if other clients wrote to it, 55006 if they are about to. The caller ends
 * the intent, also after an error. */
bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what,
                      MtError *err);

/* Drops a store's collections; a server drops them at the end of the step. */
bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err);

/* A copy of t whose layouts, stores and statistics may be changed, with room for another layout. */
MtTable mt_table_to_change (MtArena *a, const MtTable *t);

/* Writes all rows of a result to a new table. *filled is the table with its statistics, not saved
 * yet; *count: the number of rows. In the engine's open step. */
bool mt_fill_table (MtStatement *st, const MtTable *t, MtResult *rows, MtTable *filled,
                    uint64_t *count, MtError *err);
/* Announces the collections that a new layout of t will create; what: MT_INTENDS_CREATE or another
 * action. */
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what,
                       MtError *err);

/* Whether rows of any table expire. */
bool mt_any_expires (MtSession *s);
/* Removes a bounded number of expired documents of all tables. */
bool mt_sweep_all (MtStatement *st, MtError *err);

/* ALTER TABLE … SET, RESET (session/ddl/expire.c). */
bool mt_alter_options (MtStatement *st, const MtTable *t, MtError *err);

/* Plans CREATE TABLE AS for EXPLAIN. */
bool mt_plan_create_table_as (MtStatement *st, MtWritePlan *out, MtError *err);

/* The functions of the table of statements. mt_run_call runs drop_chunks. */
bool mt_run_create_table (MtStatement *st, MtError *err);
bool mt_run_create_table_as (MtStatement *st, MtError *err);
bool mt_run_drop_table (MtStatement *st, MtError *err);
bool mt_run_alter_table (MtStatement *st, MtError *err);
bool mt_run_create_layout (MtStatement *st, MtError *err);
bool mt_run_drop_layout (MtStatement *st, MtError *err);
bool mt_run_refresh (MtStatement *st, MtError *err);
bool mt_run_drop_matview (MtStatement *st, MtError *err);
bool mt_run_call (MtStatement *st, MtError *err);

#endif
