/* What many statements need: setting one up, tables by name, the catalog as tables. */
#ifndef MT_SESSION_CORE_H
#define MT_SESSION_CORE_H

#include "layouts/leaves.h"
#include "session/state/session.h"

/* MtBindEnv's system and lookup. */
bool mt_system_table (void *ctx, MtArena *a, const MtName *schema, const MtName *name,
                      MtSystemTable *out, MtError *err);
bool mt_system_lookup (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);

/* A view of pg_catalog or information_schema; false: there is none. */
bool mt_system_view (MtArena *a, const MtName *schema, const MtName *name, MtView *out);

/* The names of all tables and views of the system catalog, for hints. Borrowed until the next call. */
const char *const *mt_system_names (size_t *count);

/* MtOidNames' print; ctx is the session. */
bool mt_system_print_oid (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);

typedef struct MtPreparedInfo {
   const char *name;
   MtStr sql;
   const MtType *types;
   int count;
} MtPreparedInfo;

typedef struct MtCursorInfo {
   const char *name, *sql;
   bool holds, scrolls;
   int64_t declared_ms;
} MtCursorInfo;

bool mt_cursor_at (const MtSession *s, size_t index, MtCursorInfo *out);

/* How a statement looks at the catalog; the second: one that PREPARE gave a name, if there is such
 * a one. */
bool mt_prepared_at (MtSession *s, size_t index, MtPreparedInfo *out);

/* What was found out so far is forgotten: a statement begins. */
void mt_system_reset (MtSession *s);

/* Sets up a statement: settings, time, what the binder asks for. stmt may be NULL (nothing to
 * run). */
void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out);

typedef enum MtGuarded { MT_GUARD_CREATE, MT_GUARD_CHANGE } MtGuarded;
bool mt_may (MtStatement *st, const MtName *schema, const MtName *name, MtGuarded what,
             MtError *err);

/* 0A000: a temporary table hides public.NAME, and the statement finds things by name alone. */
bool mt_not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);
bool mt_may_change (
   MtStatement *st, const MtName *schema, const MtName *name,
   MtError *err); /* a table that is named otherwise than by a statement's grammar */

/* MtBindEnv.run where a statement is only looked at: sub-selects have no rows. */
bool mt_run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values,
                     size_t *count, MtError *err);

/* Between the two what is bound for st is only looked at: nothing is run for it, and materialized
 * views needn't have rows. The first gives what the second takes. */
bool mt_look_begin (MtStatement *st);
void mt_look_end (MtStatement *st, bool before);

/* The columns of the rows that a statement would give; none: count 0. */
typedef struct MtColumnList {
   MtRelColumn *columns;
   size_t count;
} MtColumnList;

/* Binds a query or a change of rows without doing anything, with st->env.params for the parameters
 * that it finds. In the statement's arena. */
bool mt_check_select (MtStatement *st, const MtSelect *select, MtColumnList *out,
                      MtError *err); /* session/core/look.c */

bool mt_is_plain_values (const MtSelect *s); /* rows that are written out, and nothing else */

/* Plans a SELECT with the session's settings; checks the attached collections that it may read
 * (session/core/shape.c). */
bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err);
MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style);
bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err);

/* MtBindEnv's table and tables; ctx is the session. mt_binder_tables returns the names of tables
 * and collections for hints, borrowed until the next call. */
bool mt_binder_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                      MtError *err);
const char *const *mt_binder_tables (void *ctx, size_t *count);

/* By its name, and its schema when it has one: pg_temp has temporary tables only, public the
 * others. *out = NULL: there is none. */
bool mt_find_table (MtSession *s, const MtName *schema, const MtName *name, const MtTable **out,
                    MtError *err);
/* A table by name: 42P01 with a near name when there is none. */
bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err);

bool mt_is_temporary_schema (const MtName *schema); /* pg_temp; NULL isn't */
bool mt_creates_temporary (const MtStmt *s);

/* The one that a statement means by a name (schema may be NULL); NULL: it means none. */
const MtTable *mt_temporary_named (MtSession *s, const MtName *schema, const MtName *name);

/* CREATE TABLE's TEMPORARY and ON COMMIT: 42P16 where they can't be. */
bool mt_temporary_set (MtStatement *st, MtTable *t, MtError *err);

/* A new layout's collections of a temporary table are in the temporary store; those of others
 * aren't: 22023. */
bool mt_temporary_place (MtArena *a, const MtTable *t, MtLayout *l, MtError *err);

/* 0A000 where the query that was bound reads one; what: "views". */
bool mt_no_temporary (const MtStatement *st, const char *what, MtError *err);

/* How many documents match, and the _id of one of them as JSON, in the session's arena (left alone
 * when there are none). */
bool mt_count_matching (MtStatement *st, const char *collection, const bson_t *match,
                        uint64_t *count, const char **first, MtError *err);

/* Looks once at every document of the table's attached collections, again when a collection's size
 * changed: malformed ones are an error (XX001), or counted and to be left out, as on_malformed
 * says. Only the partitions that the query, a block over the table, reads; q NULL: all. */
bool mt_check_shapes (MtStatement *st, const MtTable *t, const MtQuery *q, MtError *err);

/* The documents of a collection that a pipeline yields (NULL: all), one by one, with progress under
 * `what`; doc and what is made in arena a last until the call returns. */
typedef bool (*MtEachDocument) (void *ctx, MtArena *a, const bson_t *doc, MtError *err);

bool mt_each_document (MtStatement *st, const char *collection, const bson_t *pipeline,
                       const char *what, MtEachDocument each, void *ctx, MtError *err);

/* Of all of a store's collections that there are. */
bool mt_each_of_store (MtStatement *st, const MtStoreDesc *s, const char *what, MtEachDocument each,
                       void *ctx, MtError *err);

/* A layout of a table by name; 42704. */
bool mt_need_layout (const MtTable *t, const MtName *name, size_t *out, MtError *err);

#endif
