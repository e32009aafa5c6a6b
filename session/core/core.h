/* Functions that many statements use: setting up a statement, finding tables, the system
 * catalog. */
#ifndef MT_SESSION_CORE_H
#define MT_SESSION_CORE_H

#include "layouts/leaves.h"
#include "session/state/session.h"

/* MtBindEnv.system and MtBindEnv.lookup; ctx is the session. */
bool mt_system_table (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                      MtSystemTable *out, MtError *err);
bool mt_system_lookup (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);

/* Finds a view of pg_catalog or information_schema; false: there is none. In arena a. */
bool mt_system_view (MtArena *a, const MtName *schema, const MtName *name, MtView *out);

/* The names of all tables and views of the system catalog, for hints. Borrowed until the next
 * call. */
const char *const *mt_system_names (size_t *count);

/* MtOidNames.print; ctx is the session. Prints the name of an OID. */
bool mt_system_print_oid (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);

/* Frees the system catalog that the last statement read. */
void mt_system_reset (MtSession *s);

/* Sets up *out for a statement: its time, settings, and the binder's environment. stmt NULL:
 * there is nothing to run. */
void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out);

/* Whether a statement creates an object, or changes an existing one. */
typedef enum MtGuarded { MT_GUARD_CREATE, MT_GUARD_CHANGE } MtGuarded;
/* Checks whether a statement may create or change an object with this name; 42501 for system
 * tables, 3F000, 42P01, 0A000. schema may be NULL. */
bool mt_may (MtStatement *st, const MtName *schema, const MtName *name, MtGuarded what,
             MtError *err);

/* 0A000 if a temporary table hides public.NAME, and the statement finds tables by name alone. */
bool mt_not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);
/* The same as mt_may for MT_GUARD_CHANGE, for a table that no statement names. */
bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);

/* MtBindEnv.run for a statement that does not run: every sub-select returns no rows. */
bool mt_run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVals *out,
                     MtError *err);

/* Between these calls, binding st runs nothing, and materialized views need not be populated.
 * mt_look_begin returns the value for mt_look_end. */
bool mt_look_begin (MtStatement *st);
void mt_look_end (MtStatement *st, bool before);

/* The columns of a statement's rows; count 0: it returns no rows. */
typedef struct MtColumnList {
   MtRelColumn *columns;
   size_t count;
} MtColumnList;

/* Binds a query without running it. st->env.params receives its parameters. In the statement's
 * arena. */
bool mt_check_select (MtStatement *st, const MtSelect *select, MtColumnList *out, MtError *err);

/* Sets *out to a query that the catalog may keep, in the statement's arena. Relations of other
 * schemas than public have their schema in it, so that search_path doesn't matter when it is read. */
bool mt_complete_query (MtStatement *st, const MtSelect *query, const MtSelect **out, MtError *err);
/* Prints that query. */
bool mt_print_stored (MtStatement *st, const MtSelect *query, MtBuf *out, MtError *err);
/* Whether a query is VALUES without ORDER BY, LIMIT, OFFSET and WITH. */
bool mt_is_plain_values (const MtSelect *s);

/* Binds and plans a SELECT with the session's settings. Checks the shape of the attached and
 * undeclared collections that it reads; XX001. */
bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err);
/* The settings of the planner, borrowed from the session. */
MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style);
/* The same as mt_plan_select for a bound query. */
bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err);

/* Fails with 0A000 if an earlier part of a WITH changed the table of this name. changed NULL: none
 * did. */
bool mt_is_unchanged (const MtChangedTables *changed, const MtName *table, MtError *err);
/* MtBindEnv's table and tables; ctx is the session. mt_binder_tables returns the names of tables
 * and collections for hints, borrowed until the next call. */
bool mt_binder_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                      MtError *err);
const char *const *mt_binder_tables (void *ctx, size_t *count);

/* Finds a table by schema and name. pg_temp has temporary tables only, public has the others.
 * schema->text NULL: in both. *out = NULL: there is none. */
bool mt_find_table (MtSession *s, const MtName *schema, const MtName *name, const MtTable **out,
                    MtError *err);
/* Finds a table by name; 42P01, with a similar name as a hint. 42809 or 0A000 if the name is a
 * view's. */
bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err);

/* Whether a schema is pg_temp. schema may be NULL. */
bool mt_is_temporary_schema (const MtName *schema);
/* Whether a statement creates a temporary table. */
bool mt_creates_temporary (const MtStmt *s);

/* Finds a temporary table by name (schema may be NULL); NULL: there is none. */
const MtTable *mt_temporary_named (MtSession *s, const MtName *schema, const MtName *name);

/* Whether a temporary table hides another relation of this name. */
bool mt_hidden_by_temporary (MtSession *s, const char *name);

/* Sets the table's TEMPORARY and ON COMMIT from CREATE TABLE; 42P16. */
bool mt_temporary_set (MtStatement *st, MtTable *t, MtError *err);

/* Places a new layout of a temporary table in the temporary store. 22023 if another table uses a
 * name reserved for temporary collections. */
bool mt_temporary_place (MtArena *a, const MtTable *t, MtLayout *l, MtError *err);

/* 0A000 if the bound query reads a temporary table. what: the plural noun for the message, such
 * as "views". */
bool mt_no_temporary (const MtStatement *st, const char *what, MtError *err);

/* Counts the documents that match. *first: the _id of one of them as JSON, in the session's
 * arena; unchanged if there are none. */
bool mt_count_matching (MtStatement *st, const char *collection, const bson_t *match,
                        uint64_t *count, const char **first, MtError *err);

/* A collection when its documents were checked. Zero-initialise it. */
typedef struct MtCollectionState {
   MtCollStats size;
   int64_t digest; /* of all documents, if the server only estimates sizes; otherwise 0 */
   int64_t at_us;  /* when the state was read; 0: it wasn't */
} MtCollectionState;

/* Sets *changed to whether the collection may have changed since *io, and updates *io. If the
 * server only estimates sizes, that reads all documents. A SELECT within catalog_max_age of the
 * last call sets *changed to false without asking the server. */
bool mt_collection_changed (MtStatement *st, const char *collection, MtCollectionState *io,
                            bool *changed, MtError *err);

/* Checks the shape of all documents in the table's attached collections, and again after a
 * collection changed. Malformed documents are an error (XX001) or skipped, as
 * on_malformed sets. q: only partitions that this block over the table reads; NULL: all. */
bool mt_check_shapes (MtStatement *st, const MtTable *t, const MtQuery *q, MtError *err);

/* Receives one document. The document, and the data in arena a, last until the function returns. */
typedef bool (*MtEachDocument) (void *ctx, MtArena *a, const bson_t *doc, MtError *err);

typedef struct MtDocumentVisit {
   const char *what; /* the name under which progress is reported */
   MtEachDocument each;
   void *ctx; /* passed to `each` */
} MtDocumentVisit;

/* Passes the documents of a pipeline over a collection to v->each, and reports progress. pipeline
 * NULL: all documents. */
bool mt_each_document (MtStatement *st, const char *collection, const bson_t *pipeline,
                       const MtDocumentVisit *v, MtError *err);

/* Does the same for all documents of a store's existing collections. */
bool mt_each_of_store (MtStatement *st, const MtStoreDesc *s, const MtDocumentVisit *v,
                       MtError *err);

/* Finds a layout of a table by name; 42704. */
bool mt_need_layout (const MtTable *t, const MtName *name, size_t *out, MtError *err);
/* Add the hint of a similar name to an error that is set: of a layout of the table, of an object of
 * the catalog (kind: "index", "layout", "view"), of a table. They return false. */
bool mt_layout_near (const MtTable *t, const char *name, MtError *err);
bool mt_object_near (MtStatement *st, const char *kind, const char *name, MtError *err);
bool mt_table_near (MtStatement *st, const char *name, MtError *err);

#endif
