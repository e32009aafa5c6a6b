/* Statements that create, change and drop tables, layouts and materialized views, and functions
 * that write the documents of a store again. */
#ifndef MT_SESSION_DDL_H
#define MT_SESSION_DDL_H

#include "session/core/core.h"
#include "session/core/sequence.h"
#include "session/dml/dml.h"
#include "session/files/files.h"

/* The functions of the table of statements for extensions (extension.c). */
bool mt_run_create_extension (MtStatement *st, MtError *err);
bool mt_run_alter_extension (MtStatement *st, MtError *err);
bool mt_run_drop_extension (MtStatement *st, MtError *err);

/* The functions of the table of statements for alerts (alert.c). */
bool mt_run_create_alert (MtStatement *st, MtError *err);
bool mt_run_alter_alert (MtStatement *st, MtError *err);
bool mt_run_drop_alert (MtStatement *st, MtError *err);

/* Drops a table with its layouts, indexes and comments from the catalog and the engine. */
bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err);

/* Fills the new layout number `layout` of `to` from another layout: the smallest one that has all
 * the data it needs. Fails with 0A000 if no layout has this data. */
bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err);

/* Checks that no table has the name in CREATE TABLE, else fails with 42P07. With IF NOT EXISTS it
 * sends a notice and sets *exists instead. */
bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err);

/* Sets a column's default, which must fit its type. */
bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err);

/* ---- sequence.c ---- */

bool mt_run_create_sequence (MtStatement *st, MtError *err);
bool mt_run_alter_sequence (MtStatement *st, MtError *err);
bool mt_run_drop_sequence (MtStatement *st, MtError *err);
/* Saves a new sequence and its state. Call it in the engine's open step. */
bool mt_sequence_make (MtStatement *st, const MtSequence *q, MtError *err);
/* Returns the integer type of serial, bigserial …, and its name; MT_T_UNKNOWN: another type. */
MtTypeId mt_serial_type (const MtTypeName *t, const char **name);
/* Makes the sequence of a serial or IDENTITY column, and the column's default; *out NULL: the column
 * has none. The caller saves it (mt_sequence_make). */
bool mt_column_sequence (MtStatement *st, const MtTable *t, const MtColumnDef *d, MtColumn *c,
                         MtSequence **out, MtError *err);
/* Sets *sql to the form in which a default nextval ('name') is stored; NULL: it is another
 * default. 42P01 if there is no such sequence. */
bool mt_sequence_in_default (MtStatement *st, const MtExpr *value, const char **sql, MtError *err);

/* Fails with 0A000 if a column cannot have this type. */
bool mt_can_store (MtTypeId id, MtSpan span, MtError *err);
/* Fills *c from the definition of a column in CREATE TABLE or ADD COLUMN. */
bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err);

/* Returns whether a table has a layout of this name. */
bool mt_has_layout (const MtTable *t, const char *name);
/* Removes the empty collections of a further layout whose names mtsql chooses: a late statement of
 * another client may have left them. Fails with 42P07 if one has documents. */
bool mt_clear_leftover (MtStatement *st, const MtTable *t, const MtLayoutDef *d, const MtLayout *l,
                        MtError *err);
/* Attaches a new layout to the existing collections that its descriptor names. Creates these
 * collections if they do not exist. Only the first layout of a table attaches collections that
 * definition d does not name. Call it in the engine's open step (begin … commit). Errors: 42P07 a
 * collection of a further layout exists, 55000 or 42P17 the existing collections do not fit, 25006
 * the target is read-only. */
bool mt_attach_or_create (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                          MtError *err);
/* Fails with 0A000 if the table has a PRIMARY KEY that its layouts cannot check, or a roll-up and no
 * layout of records. */
bool mt_check_layouts (const MtTable *t, MtError *err);
/* Begins the step of a DROP. Saves an intent (a note in the catalog for other clients) that names
 * the collections of the layouts. */
bool mt_begin_drop (MtStatement *st, const MtTable *t, const MtLayout *layouts, size_t count,
                    const char *what, MtError *err);
/* Drops the collections of a layout, unless the layout was attached to existing collections. Call
 * it in the engine's open step (begin … commit). */
bool mt_drop_collections (MtSession *s, const MtLayout *l, MtError *err);

/* These functions run ALTER TABLE … ADD, DROP and RENAME COLUMN. */
bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err);
/* Fails with 23502 if a column has NULLs. */
bool mt_column_no_nulls (MtStatement *st, const MtTable *t, int at, MtError *err);
bool mt_add_check (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_constraint (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_constraint (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err);
/* Runs ALTER COLUMN: changes the type, the default or NOT NULL. */
bool mt_alter_column (MtStatement *st, const MtTable *t, MtError *err);

/* Fills *l from the definition of a layout of t (NULL: a layout of rows). Creates nothing in the
 * engine. */
bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                      MtError *err);

/* One store of a table. `what` is the text for reports of progress. */
typedef struct MtStorePlace {
   size_t layout, store;
   const char *what;
} MtStorePlace;

/* Replaces a store's documents by documents made from the leaves of `from`, and sets its statistics
 * in *next. On a server the store gets a new collection, which becomes visible with the catalog's
 * entry. Call it in the engine's open step (begin … commit); the caller saves *next. */
bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next,
                       const MtStorePlace *place, MtError *err);

/* Adds the newest record of each key, read by `from`, to a layout that keeps newest records, as
 * INSERT would. Newer records in this layout stay. */
bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                      const char *what, MtError *err);

/* Gives a store a new, unused collection name: its own name with a number. A partitioned store
 * gets a new prefix. */
bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err);

/* Saves an intent (a note in the catalog for other clients): the stores of *t will be written again
 * under their names in `next` (NULL: under unused names, except attached stores). If this client
 * dies, other clients drop the new collections. *t is read again afterwards. Errors: 40001 other
 * clients wrote to the table, 55006 they are still writing. The caller ends the intent, also after
 * an error. */
bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what,
                      MtError *err);

/* Drops the collections of a store. On a server they are dropped at the end of the step. */
bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err);

/* Returns a copy of t whose layouts, stores and statistics may be changed, with room for one more
 * layout. */
MtTable mt_table_to_change (MtArena *a, const MtTable *t);

/* Writes all rows of a result to a new table. *filled is the table with its statistics, which the
 * caller saves. *count is the number of rows. Call it in the engine's open step (begin …
 * commit). */
bool mt_fill_table (MtStatement *st, const MtTable *t, MtResult *rows, MtTable *filled,
                    uint64_t *count, MtError *err);
/* Saves an intent (a note in the catalog for other clients) that names the collections which a new
 * layout will create. what: the action, such as MT_INTENDS_CREATE. */
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what,
                       MtError *err);

/* Returns whether any table has rows that expire. */
bool mt_any_expires (MtSession *s);
/* Removes a bounded number of expired documents of all tables. */
bool mt_sweep_all (MtStatement *st, MtError *err);

/* Runs ALTER TABLE … SET (…) and RESET (…). */
bool mt_alter_options (MtStatement *st, const MtTable *t, MtError *err);

/* Plans CREATE TABLE AS for EXPLAIN. */
bool mt_plan_create_table_as (MtStatement *st, MtWritePlan *out, MtError *err);

/* These functions run CREATE TABLE and the other statements. */
bool mt_run_create_table (MtStatement *st, MtError *err);
bool mt_run_create_table_as (MtStatement *st, MtError *err);
bool mt_run_drop_table (MtStatement *st, MtError *err);
bool mt_run_alter_table (MtStatement *st, MtError *err);
bool mt_run_create_layout (MtStatement *st, MtError *err);
bool mt_run_drop_layout (MtStatement *st, MtError *err);
bool mt_run_refresh (MtStatement *st, MtError *err);
bool mt_run_drop_matview (MtStatement *st, MtError *err);
/* Runs CALL drop_chunks (…). */
bool mt_run_drop_chunks (MtStatement *st, MtError *err);

/* ---- from_file.c ---- */

/* Returns the CSV file whose rows a query returns as they are; NULL: it is another query. */
MtFileTable *mt_file_of_query (const MtSession *s, const MtQuery *q);
/* Sends a NOTICE about the COUNTERs of a new table that is made of a file. */
void mt_tell_counters (MtSession *s, const MtTable *t, const MtFileTable *file);
/* Fills a new table with the rows of a file. As mt_fill_table. */
bool mt_fill_from_file (MtStatement *st, const MtTable *t, MtFileTable *file, MtTable *filled,
                        uint64_t *count, MtError *err);

#endif
