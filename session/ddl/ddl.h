/* Statements that create, change and drop tables, layouts and materialized views, and functions
 * that write the documents of a store again. */
#ifndef MT_SESSION_DDL_H
#define MT_SESSION_DDL_H

#include "session/core/core.h"
#include "session/core/sequence.h"
#include "session/dml/dml.h"
#include "session/files/files.h"

/* These functions run the statements for extensions (extension.c). The table of statements calls
 * them. */
bool mt_run_create_extension (MtStatement *st, MtError *err);
bool mt_run_alter_extension (MtStatement *st, MtError *err);
bool mt_run_drop_extension (MtStatement *st, MtError *err);

/* These functions run the statements for alerts (alert.c). The table of statements calls them. */
bool mt_run_create_alert (MtStatement *st, MtError *err);
bool mt_run_alter_alert (MtStatement *st, MtError *err);
bool mt_run_drop_alert (MtStatement *st, MtError *err);

/* Drops a table with its layouts, indexes and comments from the catalog and the engine. */
bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err);

/* Fills layout number `layout` of `to`, which is new, with data that is read from another layout:
 * the smallest layout that has all the data. Fails with 0A000 if no layout has it. */
bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err);

/* Fails with 42P07 if a relation already has the new table's name. With IF NOT EXISTS it sends a
 * notice and sets *exists instead. */
bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err);

/* Sets column c's default to the expression `value`, which must fit the column's type. */
bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err);

/* ---- sequence.c ---- */

bool mt_run_create_sequence (MtStatement *st, MtError *err);
bool mt_run_alter_sequence (MtStatement *st, MtError *err);
bool mt_run_drop_sequence (MtStatement *st, MtError *err);
/* Saves a new sequence and its state in the catalog. Call it in the engine's open step. */
bool mt_sequence_make (MtStatement *st, const MtSequence *q, MtError *err);
/* Returns the integer type of serial, bigserial and smallserial, and its name in *name;
 * MT_T_UNKNOWN: t is another type. */
MtTypeId mt_serial_type (const MtTypeName *t, const char **name);
/* Makes the sequence of a serial or IDENTITY column, and sets the column's default to its next
 * value. *out NULL: the column is neither. The caller saves the sequence with mt_sequence_make. */
bool mt_column_sequence (MtStatement *st, const MtTable *t, const MtColumnDef *d, MtColumn *c,
                         MtSequence **out, MtError *err);
/* A change of a sequence: its new definition, and the next value if it restarts. */
typedef struct MtSequenceChange {
   MtSequence *sequence;
   bool restarts;
   int64_t next;
} MtSequenceChange;
/* Applies the options in ALTER COLUMN to the sequence of identity column c of table t, and sets
 * c->always. *out is what mt_sequence_change saves. */
bool mt_identity_change (MtStatement *st, const MtTable *t, MtColumn *c, MtSequenceChange *out,
                         MtError *err);
/* Saves a change. Call it in the engine's open step. */
bool mt_sequence_change (MtStatement *st, const MtSequenceChange *c, MtError *err);
/* Sets *sql to the form in which a default nextval ('name') is stored; NULL: it is another
 * default. 42P01 if there is no such sequence. */
bool mt_sequence_in_default (MtStatement *st, const MtExpr *value, const char **sql, MtError *err);

/* Fails with 0A000 if a column cannot have this type. */
bool mt_can_store (MtTypeId id, MtSpan span, MtError *err);
/* Fills *c from the definition of a column in CREATE TABLE or ADD COLUMN. */
bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err);

/* Returns whether a table has a layout of this name. */
bool mt_has_layout (const MtTable *t, const char *name);
/* Removes empty collections that have the names mtsql chooses for a layout that is added to a
 * table: another client's statement may have created them again after a drop. Fails with 42P07 if
 * one of them has documents. */
bool mt_clear_leftover (MtStatement *st, const MtTable *t, const MtLayoutDef *d, const MtLayout *l,
                        MtError *err);
/* Attaches new layout l to the existing collections that its descriptor names, or creates them if
 * they do not exist. For a layout that is added to a table, only collections that definition d
 * names are attached. Call it in the engine's open step (begin … commit). Errors: 42P07 an added
 * layout's collection exists already, 55000 or 42P17 the existing collections do not fit, 25006 the
 * target is read-only. */
bool mt_attach_or_create (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                          MtError *err);
/* Fails with 0A000 if the table has a PRIMARY KEY or UNIQUE that its layouts cannot check, or has a
 * roll-up but no layout that keeps records. */
bool mt_check_layouts (const MtTable *t, MtError *err);
/* Begins the write step of a DROP. First saves an intent (a note in the catalog for other clients)
 * with the names of the layouts' collections. */
bool mt_begin_drop (MtStatement *st, const MtTable *t, const MtLayout *layouts, size_t count,
                    const char *what, MtError *err);
/* Drops the collections of a layout, unless the layout was attached to existing collections. Call
 * it in the engine's open step (begin … commit). */
bool mt_drop_collections (MtSession *s, const MtLayout *l, MtError *err);

/* These functions run ALTER TABLE … ADD, DROP and RENAME COLUMN. */
bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err);
/* Fails with 23502 if the column with index `at` has NULLs. */
bool mt_column_no_nulls (MtStatement *st, const MtTable *t, int at, MtError *err);
bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err);
/* Runs ALTER COLUMN: changes the type, the default or NOT NULL. */
bool mt_alter_column (MtStatement *st, const MtTable *t, MtError *err);

/* Fills *l from definition d of a layout of table t. d NULL: the default layout, which keeps rows.
 * Creates nothing in the engine. */
bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l,
                      MtError *err);

/* Names one store of a table, by the indexes of its layout and store. `what` is the text for
 * progress reports. */
typedef struct MtStorePlace {
   size_t layout, store;
   const char *what;
} MtStorePlace;

/* Writes all documents of a store again, made from the leaves (records or finest sums) of `from`,
 * and sets its statistics in *next. On a server the store gets a new collection, which becomes
 * visible with the catalog's entry. Call it in the engine's open step (begin … commit); the caller
 * saves *next. */
bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next,
                       const MtStorePlace *place, MtError *err);

/* Reads the newest record of each key with `from`, and adds it to a layout that keeps newest
 * records, as INSERT would. Records of this layout that are newer stay. */
bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                      const char *what, MtError *err);

/* Changes the collection name of store s to an unused name: the old name with a number. A
 * partitioned store gets a new prefix for its partitions. */
bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err);

/* Saves an intent (a note in the catalog for other clients): the stores of *t will be written
 * again, into collections with the names in `next`. next NULL: stores get unused names, except
 * attached ones. If this client dies, other clients drop the new collections. *t is read again from
 * the catalog afterwards. Errors: 40001 other clients wrote to the table, 55006 they are still
 * writing. The caller ends the intent, also after an error. */
bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what,
                      MtError *err);

/* Drops the collections of a store. On a server they are dropped at the end of the step. */
bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err);

/* Returns a copy of t whose layouts, stores and statistics may be changed. The copy has space for
 * one more layout. */
MtTable mt_table_to_change (MtArena *a, const MtTable *t);

/* Writes all rows of the result `rows` to a new table. *filled is the table with its statistics,
 * which the caller saves. *count is the number of rows. Call it in the engine's open step (begin …
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

/* Runs ALTER TABLE … SET (…) and RESET (…), which change options of a table or layout. */
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

/* Returns the CSV file if q is a plain SELECT * of one, so that its rows need no pipeline; NULL: q
 * is another query. */
MtFileTable *mt_file_of_query (const MtSession *s, const MtQuery *q);
/* Sends a NOTICE with the columns that became COUNTERs, because of their names and a sample of the
 * file. */
void mt_tell_counters (MtSession *s, const MtTable *t, const MtFileTable *file);
/* Like mt_fill_table, but reads the rows from a CSV file. */
bool mt_fill_from_file (MtStatement *st, const MtTable *t, MtFileTable *file, MtTable *filled,
                        uint64_t *count, MtError *err);

#endif
