/* Catalog objects other than tables: views, materialized views, indexes, comments. */
#ifndef MT_SESSION_OBJECTS_H
#define MT_SESSION_OBJECTS_H

#include "session/state/session.h"

/* Creates the indexes of a table that are missing in some of its collections. Call it in an open
 * write step (begin … commit). */
bool mt_make_indexes (MtStatement *st, const MtTable *t, MtError *err);
/* Creates the indexes of a new partition. It is MtWriterOptions.made, where ctx is the
 * statement. */
bool mt_partition_made (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
/* These functions change the indexes and comments of a table when the table changes: the table is
 * renamed, a column is renamed (to NULL: it is dropped), or all are dropped. table: as returned by
 * mt_table_id. */
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
/* Returns whether the collection has an index, made by any client, whose first field is `field`.
 * False if the server does not respond. */
bool mt_field_indexed (MtSession *s, const char *collection, const char *field);
/* Returns the indexes that a server probably uses for the pipeline, as texts in arena a: those
 * whose first field is in the pipeline's first $match, or which give the order of its $sort. */
const char **mt_index_used (MtSession *s, MtArena *a, const char *collection, const bson_t *stages,
                            size_t *count);
/* Returns the comment on a relation (column NULL) or on a column, in arena a; NULL: there is
 * none. */
const char *mt_comment_on (MtSession *s, MtArena *a, const char *table, const char *column);
/* Finds a view of the user, or of the system catalog. It is the callback MtBindEnv.view; ctx is the
 * session. */
bool mt_find_view (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                   MtError *err);
/* Returns whether the catalog has a view of this name. */
bool mt_is_view (MtSession *s, const char *name);
/* Returns the catalog object of a view; NULL: there is none. */
const MtCatalogObject *mt_view_object (MtSession *s, const char *name);
/* Converts a catalog object to a view in arena a. XX001 if the object is damaged. */
bool mt_view_of_object (MtArena *a, const MtCatalogObject *o, MtView *out, MtError *err);
/* Returns a view's query as SQL that gives the view's column names, in arena a; "" if the view is
 * damaged. */
const char *mt_view_definition (MtSession *s, MtArena *a, const char *name);
/* Checks that no view's query contains the table's name; 0A000 if one does. Call it before a table
 * or column is renamed, or (adds_column) a column is added. For an added column, only views of
 * several tables are considered. */
bool mt_no_view_reads (MtStatement *st, const char *table, bool adds_column, MtError *err);
/* Returns the first occurrence of a word in SQL text; NULL: there is none. It also finds words in
 * string literals, which only makes mtsql refuse more than necessary. */
const char *mt_find_word (const char *text, const char *word);
/* Fails with 42P07 if a view has the name of a new relation. */
bool mt_not_a_view (MtSession *s, const MtName *name, MtError *err);
/* Returns whether the catalog has a materialized view of this name. */
bool mt_is_matview (MtSession *s, const char *name);
/* Saves the query of a materialized view, and whether it is populated. */
bool mt_matview_save (MtStatement *st, const char *name, const char *sql, bool populated,
                      MtError *err);
/* Returns whether a materialized view is populated; true for other tables. */
bool mt_matview_populated (MtSession *s, const char *name);
/* Fails with 55000 if a materialized view is not populated, unless the statement is only bound. */
bool mt_matview_readable (MtSession *s, const char *name, MtError *err);
/* Returns the query of a materialized view, in arena a; NULL: there is no materialized view of this
 * name. */
const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name);
/* Checks that the statement may be used on the materialized view that it names. 42809 for
 * statements only for tables, such as INSERT; 0A000 if it is not supported. */
bool mt_matview_admits (MtStatement *st, MtError *err);
/* Save, drop or rename the catalog object of a materialized view. Call them in the write step that
 * changes its table. */
bool mt_matview_made (MtStatement *st, MtError *err);
bool mt_matview_forget (MtSession *s, const char *name, MtError *err);
bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err);
bool mt_run_create_view (MtStatement *st, MtError *err);
/* Returns a table's PRIMARY KEY and indexes as texts "name (a, b)", in arena a. */
const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Checks the access method and operator classes of CREATE INDEX: 42704 if one is unknown, 0A000 if
 * a method is not supported. Sends a notice for each clause that has no effect. */
bool mt_check_index_clauses (MtStatement *st, MtError *err);
bool mt_run_create_index (MtStatement *st, MtError *err);
bool mt_run_drop_index (MtStatement *st, MtError *err);
bool mt_run_comment (MtStatement *st, MtError *err);

#endif
