/* Functions that many statements use: initializing a statement, finding tables, and the system
 * catalog. */
#ifndef MT_SESSION_CORE_H
#define MT_SESSION_CORE_H

#include "layouts/leaves.h"
#include "session/state/session.h"

/* Find a table of the system catalog (MtBindEnv.system), and the value of a hidden argument
 * (MtBindEnv.lookup). ctx is the session. */
bool mt_system_table (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                      MtSystemTable *out, MtError *err);
bool mt_system_lookup (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);

/* Finds a view of pg_catalog or information_schema, in arena a; false if it does not exist. */
bool mt_system_view (MtArena *a, const MtName *schema, const MtName *name, MtView *out);

/* Returns the names of all tables and views of the system catalog, for hints. Borrowed until the
 * next call. */
const char *const *mt_system_names (size_t *count);

/* Prints the name of the object with an OID (MtOidNames.print). ctx is the session. */
bool mt_system_print_oid (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);

/* Frees the system catalog's rows that the last statement has read. */
void mt_system_reset (MtSession *s);

/* Initializes *out for a statement: its time, its settings, and the binder's environment. stmt
 * NULL: there is no syntax tree. */
void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out);

/* What a statement does to an object: it creates it, or changes an existing one. */
typedef enum MtGuarded { MT_GUARD_CREATE, MT_GUARD_CHANGE } MtGuarded;
/* Checks that the statement may create or change an object with this name. 42501 for system tables,
 * 3F000 for a missing schema, 42P01 for a missing table, 0A000 if it is not supported. schema may
 * be NULL. */
bool mt_may (MtStatement *st, const MtName *schema, const MtName *name, MtGuarded what,
             MtError *err);

/* Fails with 0A000 if a temporary table hides the table public.NAME, and the statement finds tables
 * only by their name. */
bool mt_not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);
/* Like mt_may for MT_GUARD_CHANGE, for a table that the statement does not name. */
bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);

/* Returns no rows for any sub-select. It is the callback MtBindEnv.run for statements that are only
 * bound. */
bool mt_run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out,
                     MtError *err);

/* After mt_look_begin, the analysis of statement st runs no sub-selects, and allows materialized
 * views that are not populated. mt_look_end, with the result of mt_look_begin, ends this. */
bool mt_look_begin (MtStatement *st);
void mt_look_end (MtStatement *st, bool before);

/* The result columns of a statement; count 0: it returns no rows. */
typedef struct MtColumnList {
   MtRelColumn *columns;
   size_t count;
} MtColumnList;

/* Binds a query without running it, and sets *out to its columns. st->env.params gets its
 * parameters. In the statement's arena. */
bool mt_check_select (MtStatement *st, const MtSelect *select, MtColumnList *out, MtError *err);

/* Sets *out to a query that can be stored in the catalog, in the statement's arena. In it relations
 * outside the schema public are qualified by their schema, so that a later search_path does not
 * matter. */
bool mt_complete_query (MtStatement *st, const MtSelect *query, const MtSelect **out, MtError *err);
/* Prints the query of mt_complete_query. */
bool mt_print_stored (MtStatement *st, const MtSelect *query, MtBuf *out, MtError *err);
/* Returns whether a query is VALUES without ORDER BY, LIMIT, OFFSET and WITH. */
bool mt_is_plain_values (const MtSelect *s);

/* Binds and plans a SELECT with the session's settings. Also checks the documents of attached and
 * undeclared collections that it reads; XX001 if they are malformed. */
bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err);
/* Returns the planner's settings, borrowed from the session. */
MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style);
/* Like mt_plan_select, for a query that is already bound. */
bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err);

/* Fails with 0A000 if an earlier item of the statement's WITH has changed the table. changed NULL:
 * none has changed tables. */
bool mt_is_unchanged (const MtChangedTables *changed, const MtName *table, MtError *err);
/* Find a table (MtBindEnv.table), and return the names of all tables and collections
 * (MtBindEnv.tables), borrowed until the next call. ctx is the session. */
bool mt_binder_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                      MtError *err);
const char *const *mt_binder_tables (void *ctx, size_t *count);

/* Finds a table by schema and name. Schema pg_temp has the temporary tables, public all others. If
 * schema->text is NULL, both are searched. *out is NULL if there is no such table. */
bool mt_find_table (MtSession *s, const MtName *schema, const MtName *name, const MtTable **out,
                    MtError *err);
/* Finds a table by name. 42P01 if there is none, with a similar name as a hint; 42809 or 0A000 if
 * the name is a view's. */
bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err);

/* Returns whether a schema is pg_temp. schema may be NULL. */
bool mt_is_temporary_schema (const MtName *schema);
/* Returns whether a statement creates a temporary table. */
bool mt_creates_temporary (const MtStmt *s);

/* Finds a temporary table by name (schema may be NULL); NULL: there is none. */
const MtTable *mt_temporary_named (MtSession *s, const MtName *schema, const MtName *name);

/* Returns whether a temporary table hides another relation of this name. */
bool mt_hidden_by_temporary (MtSession *s, const char *name);

/* Sets t->temporary and t->on_commit from CREATE TABLE. 42P16 if they are not allowed. */
bool mt_temporary_set (MtStatement *st, MtTable *t, MtError *err);

/* Puts a new layout of a temporary table into the session's temporary store. 22023 if another table
 * uses a collection name that is reserved for temporary tables. */
bool mt_temporary_place (MtArena *a, const MtTable *t, MtLayout *l, MtError *err);

/* Fails with 0A000 if the bound query reads a temporary table. what: the plural noun for the
 * message, such as "views". */
bool mt_no_temporary (const MtStatement *st, const char *what, MtError *err);

/* Sets *count to the number of documents that match. If there are any, *first is set to the _id of
 * one of them as JSON, in the session's arena. */
bool mt_count_matching (MtStatement *st, const char *collection, const bson_t *match,
                        uint64_t *count, const char **first, MtError *err);

/* The state of a collection when its documents were last checked. Initialize to zero. */
typedef struct MtCollectionState {
   MtCollStats size;
   int64_t digest; /* hash over all documents, if the server only estimates sizes; else 0 */
   int64_t at_us;  /* when the state was read; 0: never */
} MtCollectionState;

/* Sets *changed to whether the collection may have changed since the state *io, and updates *io. If
 * the server only estimates sizes, it must read all documents for that. A SELECT within
 * catalog_max_age after the last call sets *changed to false without asking the server. */
bool mt_collection_changed (MtStatement *st, const char *collection, MtCollectionState *io,
                            bool *changed, MtError *err);

/* Checks all documents in the table's attached collections, once, and again when a collection has
 * changed. The setting on_malformed decides whether malformed documents are an error (XX001) or are
 * skipped. q: a query block over the table, so that only the partitions it reads are checked; NULL:
 * all. */
bool mt_check_shapes (MtStatement *st, const MtTable *t, const MtQuery *q, MtError *err);

/* Callback for one document. The document, and memory from arena a, are valid until it returns. */
typedef bool (*MtEachDocument) (void *ctx, MtArena *a, const bson_t *doc, MtError *err);

typedef struct MtDocumentVisit {
   const char *what; /* the name for progress reports */
   MtEachDocument each;
   void *ctx; /* argument of `each` */
} MtDocumentVisit;

/* Calls v->each for all documents that a pipeline over a collection returns, and reports progress.
 * pipeline NULL: all documents of the collection. */
bool mt_each_document (MtStatement *st, const char *collection, const bson_t *pipeline,
                       const MtDocumentVisit *v, MtError *err);

/* Calls v->each for all documents in the existing collections of a store, and reports progress. */
bool mt_each_of_store (MtStatement *st, const MtStoreDesc *s, const MtDocumentVisit *v,
                       MtError *err);

/* Sets *out to the index of the layout with this name. 42704 if the table has none. */
bool mt_need_layout (const MtTable *t, const MtName *name, size_t *out, MtError *err);
/* Add a similar name as a hint to the error in *err: the name of a layout of the table, of a
 * catalog object (kind: "index", "layout", "view"), or of a table. They return false. */
bool mt_layout_near (const MtTable *t, const char *name, MtError *err);
bool mt_object_near (MtStatement *st, const char *kind, const char *name, MtError *err);
bool mt_table_near (MtStatement *st, const char *name, MtError *err);

#endif
