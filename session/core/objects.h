/* Objects of the catalog other than tables: views, materialized views, indexes, comments. */
#ifndef MT_SESSION_OBJECTS_H
#define MT_SESSION_OBJECTS_H

#include "session/state/session.h"

/* Creates a table's missing indexes in all its collections. Call it in the engine's open step
 * (begin … commit). */
bool mt_make_indexes (MtStatement *st, const MtTable *t, MtError *err);
/* Creates the indexes of a new partition (MtWriterOptions.made; ctx is the statement). */
bool mt_partition_made (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
/* These functions change a table's indexes and comments with the table. They rename the table,
 * rename a column (to NULL: it is dropped), or drop all. `table` is the mt_table_id. */
bool mt_indexes_rename (MtStatement *st, const char *table, const char *to, MtError *err);
bool mt_indexes_rename_column (MtStatement *st, const char *table, const char *column,
                               const char *to, MtError *err);
bool mt_indexes_drop (MtSession *s, MtArena *a, const char *table, MtError *err);
bool mt_comments_rename (MtStatement *st, const char *table, const char *to, MtError *err);
bool mt_comments_rename_column (MtStatement *st, const char *table, const char *column,
                                const char *to, MtError *err);
bool mt_comments_drop (MtSession *s, const char *table, MtError *err);
typedef struct MtIndexInfo {
   const char *name, *table;
   const char **columns;
   size_t column_count;
} MtIndexInfo;
/* Returns all indexes, sorted by name, in arena a. */
const MtIndexInfo *mt_index_list (MtSession *s, MtArena *a, size_t *count);
/* Whether an index of the collection, created by any client, begins with this field. False if
 * the server does not answer. */
bool mt_field_indexed (MtSession *s, const char *collection, const char *field);
/* Returns the indexes whose first field the pipeline's first $match reads, or by which a server
 * gives the order, as text in arena a. */
const char **mt_index_used (MtSession *s, MtArena *a, const char *collection, const bson_t *stages,
                            size_t *count);
/* Returns the comment on a relation (column NULL) or a column, in arena a; NULL: none. */
const char *mt_comment_on (MtSession *s, MtArena *a, const char *table, const char *column);
/* MtBindEnv.view; ctx is the session. Finds a view of the user or of the system catalog. */
bool mt_find_view (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                   MtError *err);
/* Whether the catalog has a view of this name. */
bool mt_is_view (MtSession *s, const char *name);
/* The catalog's object of a view; NULL: there is none. */
const MtCatalogObject *mt_view_object (MtSession *s, const char *name);
/* Reads a catalog object into a view in arena a; XX001 if the object is damaged. */
bool mt_view_of_object (MtArena *a, const MtCatalogObject *o, MtView *out, MtError *err);
/* Returns a view's query as SQL that yields its column names, in arena a; "" if the view is
 * damaged. */
const char *mt_view_definition (MtSession *s, MtArena *a, const char *name);
/* Call it before a table or column is renamed, or a column is added (then only views over
 * several tables count). 0A000 if the query of a view contains the table's name. */
bool mt_no_view_reads (MtStatement *st, const char *table, bool adds_column, MtError *err);
/* Finds a word in SQL text; NULL: none. It also finds words inside string literals: a needless
 * refusal does no harm. */
const char *mt_find_word (const char *text, const char *word);
/* 42P07 if a new relation has the name of a view. */
bool mt_not_a_view (MtSession *s, const MtName *name, MtError *err);
/* Whether the catalog has a materialized view of this name. */
bool mt_is_matview (MtSession *s, const char *name);
/* Saves a materialized view's query, and whether it is populated. */
bool mt_matview_save (MtStatement *st, const char *name, const char *sql, bool populated,
                      MtError *err);
/* Whether a materialized view is populated; true for other tables. */
bool mt_matview_populated (MtSession *s, const char *name);
/* 55000 if a materialized view is not populated, unless the statement does not run. */
bool mt_matview_readable (MtSession *s, const char *name, MtError *err);
/* Returns the query of a materialized view, in arena a; NULL: the name is another object's. */
const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name);
/* 42809 if a table-only operation names a materialized view; 0A000. */
bool mt_matview_admits (MtStatement *st, MtError *err);
/* Saves, drops or renames the object of a materialized view. Call them in the step that changes
 * its table. */
bool mt_matview_made (MtStatement *st, MtError *err);
bool mt_matview_forget (MtSession *s, const char *name, MtError *err);
bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err);
bool mt_run_create_view (MtStatement *st, MtError *err);
/* Returns a table's PRIMARY KEY and indexes as texts "name (a, b)", in arena a. */
const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Checks the access method of CREATE INDEX. An index is always ascending, so an order has no
 * effect. */
bool mt_check_index_method (MtStatement *st, MtError *err);
bool mt_run_create_index (MtStatement *st, MtError *err);
bool mt_run_drop_index (MtStatement *st, MtError *err);
bool mt_run_comment (MtStatement *st, MtError *err);

#endif
