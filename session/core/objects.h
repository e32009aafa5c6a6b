/* What the catalog has beside tables: views, materialized views, indexes, comments. */
#ifndef MT_SESSION_OBJECTS_H
#define MT_SESSION_OBJECTS_H

#include "session/state/session.h"

/* Makes a table's indexes in all its collections where they are missing. In the engine's open
 * step. */
bool mt_make_indexes (MtStatement *st, const MtTable *t, MtError *err);
/* Those of a partition that came to be (MtWriterOptions.made; ctx is the statement). */
bool mt_partition_made (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
/* What else the catalog has of a table follows it: another name; another name of a column (to NULL:
 * it is gone); all of it is gone. */
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
/* All indexes, sorted by name; in arena a. */
const MtIndexInfo *mt_index_list (MtSession *s, MtArena *a, size_t *count);
/* Whether one of the collection's indexes on the server, whoever made it, begins with that field;
 * false when it can't be asked. */
bool mt_field_indexed (MtSession *s, const char *collection, const char *field);
/* Those whose first field a pipeline's first $match looks at, in arena a. */
const char **mt_index_used (MtSession *s, MtArena *a, const char *collection, const bson_t *stages,
                            size_t *count);
/* The comment on a relation (column NULL) or a column; NULL: none. In arena a. */
const char *mt_comment_on (MtSession *s, MtArena *a, const char *table, const char *column);
/* What the binder asks for (MtBindEnv.view); ctx is the session. */
bool mt_find_view (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out,
                   MtError *err);
bool mt_is_view (MtSession *s, const char *name);
/* The catalog's object of a view; NULL: there is none. */
const MtCatalogObject *mt_view_object (MtSession *s, const char *name);
/* Reads a catalog object into a view in arena a; XX001 if the object is damaged. */
bool mt_view_of_object (MtArena *a, const MtCatalogObject *o, MtView *out, MtError *err);
/* A view's query as SQL that gives its columns their names; "": its text is damaged. In arena a. */
const char *mt_view_definition (MtSession *s, MtArena *a, const char *name);
/* Before a table or a column gets another name, or a table one column more (then only views of
 * several tables count): 0A000 where a view's query has the table's name. */
bool mt_no_view_reads (MtStatement *st, const char *table, bool adds_column, MtError *err);
/* A new relation's name isn't a view's: 42P07. */
bool mt_not_a_view (MtSession *s, const MtName *name, MtError *err);
bool mt_is_matview (MtSession *s, const char *name);
/* Its query, and whether it has rows yet, are saved. */
bool mt_matview_save (MtStatement *st, const char *name, const char *sql, bool populated,
                      MtError *err);
bool mt_matview_populated (MtSession *s, const char *name);              /* true of other tables */
bool mt_matview_readable (MtSession *s, const char *name, MtError *err); /* 55000 */
/* Its query, in arena a; NULL: it is none. */
const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name);
/* That a statement does nothing to one that only tables have done to them: 42809. */
bool mt_matview_admits (MtStatement *st, MtError *err);
/* In the step that makes, drops or renames the table. */
bool mt_matview_made (MtStatement *st, MtError *err);
bool mt_matview_forget (MtSession *s, const char *name, MtError *err);
bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err);
bool mt_run_create_view (MtStatement *st, MtError *err); /* session/core/create_view.c */
bool mt_run_drop_view (MtStatement *st, MtError *err);
/* "name (a, b)" of a table's PRIMARY KEY and indexes, in arena a. */
const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
bool mt_run_create_index (MtStatement *st, MtError *err); /* session/core/create_index.c */
bool mt_run_drop_index (MtStatement *st, MtError *err);
bool mt_run_comment (MtStatement *st, MtError *err); /* session/core/comment.c */

#endif
