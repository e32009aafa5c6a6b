/* The session, statements and results; and what the rooms of session/ do for each other. */
#ifndef MT_SESSION_H
#define MT_SESSION_H

#include "types/tz.h"
#include "engine/engine.h"
#include "include/mtsql.h"
#include "layouts/writer.h"
#include "parser/parser.h"
#include "analyze/bind.h"
#include "catalog/catalog.h"
#include "planner/plan/plan.h"

/* The PostgreSQL whose SQL this is, as clients look for it, and our own version. */
#define MT_SERVER_VERSION "15.0 (mtsql " MTSQL_VERSION ")"
#define MT_SERVER_VERSION_NUM "150000"

/* The session's variables (SET, SHOW). Strings are in the session's arena; NULL: not set. A transaction keeps copies. */
enum { MT_IGNORED_SETTINGS = 51, MT_COMMIT_OFF = 4 };

typedef struct MtSettings {
   const char *ignored[MT_IGNORED_SETTINGS]; /* what PostgreSQL's planner goes by */
   const char *timezone;
   const MtZone *zone;
   const char *layout, *cut;
   int64_t skip_malformed;    /* 0 or 1 */
   bool optimize;
   bool require_full_pushdown;
   int64_t work_mem;          /* bytes */
   int64_t statement_timeout; /* ms; 0: none */
   int64_t synchronous_commit; /* MT_COMMIT_OFF: the last of its values */
   int64_t wal_writer_delay;  /* ms: so much later are increments durable then */
   int64_t catalog_max_age;   /* ms; 0: statements ask whether tables changed */
   int64_t intent_timeout;    /* ms without a sign of life after which a writer on a server is taken for dead */
   int64_t lock_timeout;      /* ms; 0: another's writing isn't waited for */
   MtTxnModes default_modes;  /* of transactions */
   const char *application_name, *search_path;
   int64_t min_messages;      /* the least severity of notices: by its place in client_min_messages' values */
   int extra_float_digits;
   int64_t sample_size;       /* documents of a collection that nobody declared */
   int64_t sweep_interval;    /* ms; 0: never */
} MtSettings;

typedef struct MtSavepoint {
   const char *name;
   size_t mark;              /* the engine's */
   size_t temporary_mark;    /* its temporary store's */
   size_t depth;             /* 1: the outermost */
   MtSettings settings, kept; /* as they were */
   MtTxnModes modes;         /* as they were, and are again when it ends, however that is */
   struct MtSavepoint *outer;
} MtSavepoint;

typedef struct MtTransaction {
   MtTransactionState state; /* none: nothing below is set */
   MtArena *arena;           /* of what is here */
   MtTxnModes modes;         /* all are said */
   MtTxnModes chained;       /* those that AND CHAIN brought: an error forgets what was said since */
   bool implicit;            /* of several statements in one text, until BEGIN makes it a block like others */
   bool queried;             /* its first statement that reads or writes has begun */
   bool told;                /* it changed the catalog, which others may have read since */
   int64_t started_ms;       /* on the wall's clock */
   MtSettings before, kept;  /* what a rollback gives back; what stays after COMMIT, when SET LOCAL is over */
   MtSavepoint *savepoints;  /* the innermost */
} MtTransaction;

typedef struct MtPortal MtPortal; /* session/run/cursor.c */

enum { MT_MAX_INTENTS = 64 };

/* When a statement looks at the catalog: first of all, by the command that reads, behind what it writes, or in its step before it reads. */
typedef enum MtLook { MT_LOOKS_FIRST, MT_LOOKS_BESIDE, MT_LOOKS_BEHIND, MT_LOOKS_ITSELF } MtLook;

/* What a session on a server has in the catalog so that those who change it wait for it (session/coordinate/lease.c). */
typedef struct MtLease {
   char name[25];       /* empty: it never had one */
   bool held;           /* a look since has found nothing new */
   uint64_t generation; /* of the catalog then, and of the looks below */
   int looks;           /* in a row that found nothing new */
   int64_t looked_us;   /* when the last of them was, on the steady clock */
} MtLease;

/* What the rooms that run statements do for those below: a statement within a statement, and the end of a
 * client's result. */
struct MtStatement;
typedef struct MtUpper {
   bool (*run) (struct MtStatement *st, MtError *err); /* mt_run_stmt */
   /* Sets up *out for the statement that an EXECUTE names (mt_execute_begin). */
   bool (*execute) (const struct MtStatement *st, const MtStmt *execute, struct MtStatement *out, MtError *err);
   void (*failed) (MtSession *s);                      /* mt_transaction_failed */
   bool (*ended) (MtResult *r, MtError *err);          /* its last row ends the script */
   void (*left) (MtResult *r);                         /* it is freed before that */
} MtUpper;

struct MtSession {
   const MtUpper *upper;
   MtArena *arena;
   MtOpenOptions options;
   MtEngine *engine;
   MtCatalog *catalog;
   MtCancel cancel;
   MtShortage shortage;       /* of the running statement */
   MtProgress progress;
   MtProgress running;        /* the engine's, of each pipeline: left out while somebody who runs several tells of all together */
   uint32_t telling;          /* so many do */
   MtSettings settings;
   MtResult *open_result;     /* at most one; borrowed from the caller */
   MtArena *spare;            /* the last statement's, empty, for the next one; NULL: it is in use */
   bool met_temporary;        /* the statement has named a temporary table */
   bool assumes;              /* the statement reads by what is known of the catalog, which isn't confirmed yet */
   bool partitions_due;       /* and so is, until it meets a table that has some, which partitions there are */
   bool unread;               /* what is bound won't be read: a materialized view may have no rows yet */
   struct MtShapeCache *shapes; /* attached collections whose documents were checked */
   struct MtUndeclared *undeclared; /* collections sampled so far (session/core/undeclared.c) */
   struct MtUserFunctions *functions;
   MtArena *hints;            /* names for error hints */
   struct MtPrepared *prepared; /* statements (session/run/prepare.c) */
   struct MtSystem *system;   /* the catalog as tables, while a statement wants it (session/core/system.c) */
   MtOidNames names;          /* by it */
   struct MtPrealloc *prealloc; /* what is known of documents that are made beforehand; NULL: nothing yet */
   MtTransaction txn;
   char intents[MT_MAX_INTENTS][25]; /* of the statement that runs, by name */
   size_t intent_count;
   bool intents_plain;        /* one at least is of a statement that is no transaction anywhere: it makes or drops collections */
   const char *intent_table;  /* of the last of them; in the statement's arena */
   struct MtDeadIntent *dead_intents; /* others', that gave no sign of life while they were watched (session/coordinate/alive.c) */
   MtLease lease;
   bool outrun;               /* others changed what the statement had read to change it: it may be begun again, where nothing of it is left */
   bool displaced;            /* others ended its intent: they took it for dead, or took its rows away */
   bool trusts;               /* the statement goes by what is known of the catalog, and looks before it ends; an error before that may come of what isn't so any more */
   MtLook looks;              /* when it does */
   bool fed;                  /* and has given the writer a row */
   bool announced;            /* others have seen what the statement is about to do, or asked for it after it was said */
   MtPortal *portals;         /* cursors that were declared, the newest first */
   bool seeded;               /* setseed was called */
   uint64_t random[2];        /* and where random() is since */
   int64_t statement_ms;      /* when the statement began, on the wall's clock */
   int64_t swept_ms;          /* when what has expired was last removed, or the session began; on the steady clock */
};

/* How a result's rows come. */
typedef enum MtResultKind {
   MT_RESULT_TAG,    /* no rows */
   MT_RESULT_CURSOR, /* plan, cursor */
   MT_RESULT_ROWS    /* rows of text, made already */
} MtResultKind;

struct MtResult {
   MtSession *session;
   MtArena *arena;            /* the statement's */
   bool statement;            /* a client's: the arena goes back to the session */
   MtResultKind kind;
   const char *tag;           /* with %llu rows appended for SELECT at the end */
   bool counts_rows;
   uint64_t rows;

   MtRelColumn *columns;
   size_t column_count;
   MtVal *values;             /* the current row */
   MtBuf *texts;              /* printed values of the current row */
   bool *printed;

   MtPlan *plan;
   MtCursor *remote, *cursor; /* cursor: what rows come from; remote: behind it when a part runs locally; NULL with arms */
   MtRunStats read;           /* by the arms that are at their end */
   MtTextStyle style;
   bool unprinted;            /* only values are asked for, not their text */
   bool looks;                /* its first command is to find the catalog's version, too */

   bool ends_script;          /* its last row ends the implicit transaction */
   MtError *verdict;          /* what is wrong though there are rows; NULL: nothing */

   const char ***cells;       /* MT_RESULT_ROWS: cells[row][column], NULL for SQL NULL */
   size_t cell_rows, cell_capacity, at;

   int64_t started_us, planned_us, execute_us;
};

/* ---- results (result.c) ---- */

MtResult *mt_result_new (MtSession *s, MtArena *a);
void mt_result_close (MtResult *r); /* its cursors: no more rows come */
void mt_result_set_tag (MtResult *r, const char *tag);
/* Rows of text: first the columns, then each row (cells are borrowed for the result's life: in its arena). */
void mt_result_text_columns (MtResult *r, size_t count, const char *const *names);
void mt_result_add_row (MtResult *r, const char *const *cells);
/* Columns alone, borrowed for the result's life, in place of what it had; none of them: no rows at all. */
void mt_result_no_rows (MtResult *r, MtRelColumn *columns, size_t count);
/* Runs a plan; rows are fetched as they are asked for. */
bool mt_result_run (MtResult *r, MtPlan *plan, bool want_stats, MtError *err);
/* Rows {c0: …} that `next` supplies, with a plan's columns, in place of the plan's own. */
bool mt_result_rows (MtResult *r, const MtPlan *plan, MtNextDoc next, void *ctx, MtError *err);
/* The next row as the document it is, borrowed until the next call; *doc = NULL at the end. */
bool mt_result_next_doc (MtResult *r, const bson_t **doc, MtError *err);
bool mt_in_sql_words (const MtResult *r, MtError *err);   /* what an aggregation's operator said; returns false */
void mt_result_stats (const MtResult *r, MtRunStats *out); /* what was read so far; stages are borrowed for the result's life */
/* Of the last part that runs in process: all of the plan, or what comes behind a server's. False: there is none. */
bool mt_result_stats_here (const MtResult *r, MtRunStats *out);

/* ---- a plan's steps as a tree (session/inspect/explain_tree.c) ---- */

typedef struct MtOutlineStyle {
   const MtRunStats *run;     /* of the plan's main pipeline; NULL: it wasn't run */
   bool costs, timing;
   bool server;               /* a part of the plan may be a server's */
} MtOutlineStyle;

/* NULL, and steps that a list of stages shows as well, give nothing. */
void mt_outline_text (const struct MtOutline *o, const MtOutlineStyle *s, MtBuf *out);
/* {"node": …, "inputs": […]}; o isn't NULL. */
void mt_outline_json (const struct MtOutline *o, const MtOutlineStyle *s, int indent, MtBuf *out);

/* ---- the catalog as tables (session/core/system.c) ---- */

/* MtBindEnv's system and lookup. */
bool mt_system_table (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtSystemTable *out, MtError *err);
bool mt_system_lookup (void *ctx, MtArena *a, const char *what, MtVal *out, MtError *err);
/* A view of pg_catalog or information_schema; false: there is none. */
bool mt_system_view (MtArena *a, const MtName *schema, const MtName *name, MtView *out);
/* MtOidNames' print; ctx is the session. */
bool mt_system_print_oid (void *ctx, MtTypeId t, int64_t oid, MtBuf *out);
typedef struct MtSettingInfo {
   const char *name, *value, *summary, *initial; /* initial NULL: it can't be changed */
   const char *unit;     /* NULL: it has none */
   const char *number, *initial_number; /* as pg_settings has the values: in that unit, which isn't written */
   const char *type;     /* bool, integer, enum, string */
   bool changes;
} MtSettingInfo;
/* Settings, prepared statements and cursors, one after the other; false: no more. */
bool mt_setting_at (MtSession *s, MtArena *a, size_t index, MtSettingInfo *out);
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
/* How a statement looks at the catalog; the second: one that PREPARE gave a name, if there is such a one. */
MtLook mt_look_of (const MtStmt *stmt);
MtLook mt_prepared_look (MtSession *s, const MtName *name);
bool mt_prepared_at (MtSession *s, size_t index, MtPreparedInfo *out);
/* Names of the catalog's tables and views, for hints. */
const char *const *mt_system_names (size_t *count);
/* A name in SQL: in quotes where these are needed. In arena a. */
const char *mt_quoted (MtArena *a, const char *name);
/* What was found out so far is forgotten: a statement begins. */
void mt_system_reset (MtSession *s);

/* ---- statements ---- */

typedef struct MtStatement {
   MtSession *session;
   MtArena *arena;
   const MtStmt *stmt;
   const char *sql;          /* the text that was parsed; borrowed */
   size_t sql_len;
   MtBindEnv env;
   MtResult *result;
   bool outline;             /* of a plan; for EXPLAIN */
   bool malformed;           /* documents of another shape have to be left out */
} MtStatement;

/* Sets up a statement: settings, time, what the binder asks for. stmt may be NULL (nothing to run). */
void mt_statement_init (MtSession *s, MtArena *a, const MtStmt *stmt, MtStatement *out);
/* Parses and sets up; the catalog is fresh. */
bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out, MtError *err);
/* Whether the statement may change what it names: 42501 for what is the catalog's own, 3F000 for a schema that doesn't exist. */
bool mt_check_names (MtStatement *st, MtError *err);
typedef enum MtGuarded { MT_GUARD_CREATE, MT_GUARD_CHANGE } MtGuarded;
bool mt_may (MtStatement *st, const MtName *schema, const MtName *name, MtGuarded what, MtError *err);
/* 0A000: a temporary table hides public.NAME, and the statement finds things by name alone. */
bool mt_not_hidden (MtStatement *st, const MtName *schema, const MtName *name, MtError *err);
bool mt_may_change (MtStatement *st, const MtName *schema, const MtName *name, MtError *err); /* a table that is named otherwise than by a statement's grammar */
bool mt_run_stmt (MtStatement *st, MtError *err);
/* Before the first statement of a text: its time begins, and a cancellation of an earlier one is over. */
bool mt_statement_start (MtSession *s, MtError *err); /* 53200 */
void mt_set_deadline (MtSession *s); /* by statement_timeout, from now on */
/* One statement with its result: see mt_query. */
bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err);
bool mt_run_explain (MtStatement *st, MtError *err);      /* session/inspect/explain.c */
bool mt_run_create_table (MtStatement *st, MtError *err); /* session/ddl/ddl.c */
bool mt_run_drop_table (MtStatement *st, MtError *err);
bool mt_run_alter_table (MtStatement *st, MtError *err);
bool mt_run_analyze (MtStatement *st, MtError *err);
bool mt_run_call (MtStatement *st, MtError *err);          /* session/ddl/sweep.c: drop_chunks */
/* session/ddl/sweep.c: whether anything can expire; what has is removed, a bounded number of documents. In a statement that writes. */
bool mt_any_expires (MtSession *s);
bool mt_sweep_all (MtStatement *st, MtError *err);
bool mt_alter_options (MtStatement *st, const MtTable *t, MtError *err); /* session/ddl/expire.c: SET, RESET of a table's parameters */
bool mt_run_preallocate (MtStatement *st, MtError *err);  /* session/maintain/preallocate.c */
bool mt_run_insert (MtStatement *st, MtError *err);       /* session/dml/insert.c */
bool mt_run_create_table_as (MtStatement *st, MtError *err); /* session/ddl/create_as.c */
bool mt_run_change (MtStatement *st, MtError *err);       /* session/dml/change.c */
bool mt_run_prepare (MtStatement *st, MtError *err);      /* session/run/prepare.c */
bool mt_run_execute (MtStatement *st, MtError *err);
bool mt_run_deallocate (MtStatement *st, MtError *err);
void mt_prepared_forget (MtSession *s); /* all */
/* The statement that st's EXECUTE is about, with its parameters' values: *out is st but for that. */
bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out, MtError *err);

/* ---- session/run/describe.c ---- */

/* MtBindEnv.run where a statement is only looked at: sub-selects have no rows. */
bool mt_run_nothing (void *ctx, MtArena *a, const MtQuery *q, size_t most, MtVal **values, size_t *count, MtError *err);
/* Between the two what is bound for st is only looked at: nothing is run for it, and materialized views needn't have rows. The first gives what the second takes. */
bool mt_look_begin (MtStatement *st);
void mt_look_end (MtStatement *st, bool before);
/* The columns of the rows that a statement would give; none: count 0. */
typedef struct MtColumnList {
   MtRelColumn *columns;
   size_t count;
} MtColumnList;
/* Binds a query or a change of rows without doing anything, with st->env.params for the parameters that it finds. In the statement's arena. */
bool mt_check_statement (MtStatement *st, MtColumnList *out, MtError *err);
bool mt_check_select (MtStatement *st, const MtSelect *select, MtColumnList *out, MtError *err); /* session/core/look.c */
/* The same of one statement: *returned is the plan of its RETURNING, NULL without one. */
bool mt_check_insert (MtStatement *st, const MtPlan **returned, MtError *err);
bool mt_check_change (MtStatement *st, const MtPlan **returned, MtError *err);
bool mt_fetch_columns (MtStatement *st, MtColumnList *out, MtError *err); /* of a FETCH, none of a MOVE; the cursor's own */

bool mt_run_truncate (MtStatement *st, MtError *err);     /* session/dml/truncate.c */
bool mt_truncate_table (MtStatement *st, const MtTable *t, MtError *err); /* in the engine's open step */
bool mt_run_check (MtStatement *st, MtError *err);        /* session/maintain/check.c */
bool mt_run_repair (MtStatement *st, MtError *err);       /* session/maintain/repair.c */
bool mt_run_vacuum (MtStatement *st, MtError *err);       /* session/maintain/vacuum.c */
bool mt_run_copy (MtStatement *st, MtError *err);         /* session/dml/copy.c */

/* COPY's LOOKUP… options (session/dml/copy_lookup.c); NULL: not given, but for `table`. */
typedef struct MtCopyLookupOptions {
   const MtOption *table, *key, *valid, *columns, *missing;
} MtCopyLookupOptions;
typedef struct MtCopyLookup MtCopyLookup;

/* Reads the table, or view, that records are completed from. It lives in the statement's arena.
 * 53200 when it is larger than work_mem. */
bool mt_copy_lookup_open (MtStatement *st, const MtTable *t, const MtCopyLookupOptions *o, MtCopyLookup **out, MtError *err);
bool mt_copy_lookup_fills (const MtCopyLookup *l, int column); /* l may be NULL */
/* Sets the columns that it fills, to values borrowed from l. 23503 where none is found and LOOKUP_MISSING is error. */
bool mt_copy_lookup_row (const MtCopyLookup *l, MtVal *row, MtError *err);

bool mt_run_create_function (MtStatement *st, MtError *err); /* function.c */
bool mt_run_drop_function (MtStatement *st, MtError *err);
bool mt_run_create_layout (MtStatement *st, MtError *err);
bool mt_run_drop_layout (MtStatement *st, MtError *err);
bool mt_run_create_view (MtStatement *st, MtError *err);     /* session/core/view.c */
bool mt_run_drop_view (MtStatement *st, MtError *err);
/* Makes a table's indexes in all its collections where they are missing. In the engine's open step. */
bool mt_make_indexes (MtStatement *st, const MtTable *t, MtError *err);
/* Those of a partition that came to be (MtWriterOptions.made; ctx is the statement). */
bool mt_partition_made (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err);
/* What else the catalog has of a table follows it: another name; another name of a column (to NULL: it is gone); all of it is gone. */
bool mt_indexes_rename (MtStatement *st, const char *table, const char *to, MtError *err);
bool mt_indexes_rename_column (MtStatement *st, const char *table, const char *column, const char *to, MtError *err);
bool mt_indexes_drop (MtSession *s, MtArena *a, const char *table, MtError *err);
bool mt_comments_rename (MtStatement *st, const char *table, const char *to, MtError *err);
bool mt_comments_rename_column (MtStatement *st, const char *table, const char *column, const char *to, MtError *err);
bool mt_comments_drop (MtSession *s, const char *table, MtError *err);
typedef struct MtIndexInfo {
   const char *name, *table;
   const char **columns;
   size_t column_count;
} MtIndexInfo;
/* All indexes, sorted by name; in arena a. */
const MtIndexInfo *mt_index_list (MtSession *s, MtArena *a, size_t *count);
/* "name (a, b)" of a table's PRIMARY KEY and indexes, in arena a; those whose first field a pipeline's first $match looks at. */
/* The table that a collection belongs to, by its exact name; NULL: none. *attached: others made it, and the table was declared over it. */
const MtTable *mt_collection_owner (MtSession *s, const char *collection, bool *attached);
/* The same of a store, all of whose partitions count, those to come, too. */
const MtTable *mt_store_owner (MtSession *s, const MtStoreDesc *store, bool *attached);
const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Whether one of the collection's indexes on the server, whoever made it, begins with that field; false when it can't be asked. */
bool mt_field_indexed (MtSession *s, const char *collection, const char *field);
const char **mt_index_used (MtSession *s, MtArena *a, const char *collection, const bson_t *stages, size_t *count);
/* The comment on a relation (column NULL) or a column; NULL: none. In arena a. */
const char *mt_comment_on (MtSession *s, MtArena *a, const char *table, const char *column);
/* What the binder asks for (MtBindEnv.view); ctx is the session. */
bool mt_find_view (void *ctx, MtArena *a, const MtName *schema, const MtName *name, MtView *out, MtError *err);
bool mt_is_view (MtSession *s, const char *name);
/* A view's query as SQL that gives its columns their names; "": its text is damaged. In arena a. */
const char *mt_view_definition (MtSession *s, MtArena *a, const char *name);
/* Before a table or a column gets another name, or a table one column more (then only views of several tables count): 0A000 where a view's
 * query has the table's name. */
bool mt_no_view_reads (MtStatement *st, const char *table, bool adds_column, MtError *err);
/* A new relation's name isn't a view's: 42P07. */
bool mt_not_a_view (MtSession *s, const MtName *name, MtError *err);
bool mt_run_refresh (MtStatement *st, MtError *err);         /* session/ddl/matview.c */
bool mt_run_drop_matview (MtStatement *st, MtError *err);
bool mt_is_matview (MtSession *s, const char *name);
/* Its query, and whether it has rows yet, are saved. */
bool mt_matview_save (MtStatement *st, const char *name, const char *sql, bool populated, MtError *err);
bool mt_matview_populated (MtSession *s, const char *name);  /* true of other tables */
bool mt_matview_readable (MtSession *s, const char *name, MtError *err); /* 55000 */
/* Its query, in arena a; NULL: it is none. */
const char *mt_matview_definition (MtSession *s, MtArena *a, const char *name);
/* That a statement does nothing to one that only tables have done to them: 42809. */
bool mt_matview_admits (MtStatement *st, MtError *err);
/* In the step that makes, drops or renames the table. */
bool mt_matview_made (MtStatement *st, MtError *err);
bool mt_matview_forget (MtSession *s, const char *name, MtError *err);
bool mt_matview_rename (MtStatement *st, const char *name, const char *to, MtError *err);
/* A table with all that it has (session/ddl/ddl.c). */
bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err);
/* All rows of a result into a table; *filled is the table with its statistics, not saved yet. In the engine's open step (session/ddl/create_as.c). */
bool mt_fill_table (MtStatement *st, const MtTable *t, MtResult *rows, MtTable *filled, uint64_t *count, MtError *err);
bool mt_run_create_index (MtStatement *st, MtError *err);    /* session/core/index.c */
bool mt_run_drop_index (MtStatement *st, MtError *err);
bool mt_run_comment (MtStatement *st, MtError *err);         /* session/core/comment.c */
bool mt_run_load (MtStatement *st, MtError *err);
bool mt_run_set (MtStatement *st, MtError *err);          /* settings.c */
static inline int64_t mt_commit_delay (const MtSession *s)
{
   return s->settings.synchronous_commit == MT_COMMIT_OFF ? s->settings.wal_writer_delay : 0;
}             /* ms by which increments are durable later than committed; settings.c */
bool mt_run_reset (MtStatement *st, MtError *err);
/* set_config: by name, value NULL: the initial one; *shown is what SHOW gives then. Says nothing where `local` has no effect. */
bool mt_change_setting (MtSession *s, MtArena *a, const char *name, const char *value, bool local, const char **shown, MtError *err);
bool mt_register_session_ops (MtSession *s, MtError *err); /* session/run/ops.c */
bool mt_run_show (MtStatement *st, MtError *err);

/* All of them at once, with what follows from them. */
void mt_settings_restore (MtSession *s, const MtSettings *to);
bool mt_run_discard (MtStatement *st, MtError *err);

/* ---- transactions (session/run/transaction.c) ---- */

bool mt_run_transaction (MtStatement *st, MtError *err);
/* Whether a statement may run in the state that the session is in, before the catalog is looked at: 25P02. stmt may be NULL. */
bool mt_transaction_admits (MtSession *s, const MtStmt *stmt, MtError *err);
bool mt_transaction_may_write (MtSession *s, const MtStmt *stmt, MtError *err); /* 25006 */
/* Around a statement, which does nothing unless it writes and the engine has a writer's lock: the lock is taken and the catalog read again, so that nothing is
 * bound to what another process changed; the statement's steps are one. *own: they aren't part of a transaction block. mt_write_end gives back `ok`, or that
 * the commit failed. */
bool mt_write_begin (MtStatement *st, bool *own, MtError *err);
bool mt_write_end (MtStatement *st, bool own, bool ok, MtError *err);
/* A statement failed: what the transaction did since its last savepoint is undone. Nothing happens outside of one. */
void mt_transaction_failed (MtSession *s);
void mt_transaction_abandon (MtSession *s); /* ROLLBACK, whatever the state */
bool mt_set_transaction (MtSession *s, MtTxnModes said, MtError *err);
bool mt_check_isolation (MtSession *s, MtIsolation i, MtError *err); /* 0A000: the engine has no such one */
MtTxnModes mt_txn_modes (MtTxnModes otherwise, MtTxnModes said);
const char *mt_isolation_name (MtIsolation i);

/* The transaction that several statements in one text are (session/run/script.c). The target may have none for them: then
 * each statement is by itself. The third does nothing in a block, the last does nothing outside of it. */
bool mt_transaction_can_be_implicit (const MtSession *s, const MtScript *script);
bool mt_transaction_is_implicit (const MtSession *s);
bool mt_transaction_begin_implicit (MtSession *s, const MtScript *script, MtError *err);
bool mt_transaction_end_implicit (MtSession *s, MtError *err);
/* Whether a read-only transaction refuses the statement. */
bool mt_stmt_writes (const MtStmt *stmt);
/* What it writes as, for errors; NULL: it writes nothing. */
const char *mt_stmt_writes_as (const MtStmt *stmt);
bool mt_stmt_adds_rows (const MtStmt *stmt); /* or changes them */
/* Whether the catalog is read before the statement runs. The end of a block waits for no server. */
bool mt_stmt_needs_catalog (const MtStmt *stmt);
/* Whether it makes or drops collections or indexes; whether a server can take back what it does. */
bool mt_stmt_defines (const MtStmt *stmt);
bool mt_stmt_is_undoable (const MtStmt *stmt);
/* The last row of a result that ends a script was read; it is freed before that. */
bool mt_script_ended (MtResult *r, MtError *err);
void mt_script_left (MtResult *r);

/* ---- cursors (session/run/cursor.c) ---- */

bool mt_run_declare (MtStatement *st, MtError *err);
bool mt_run_fetch (MtStatement *st, MtError *err);
bool mt_run_close (MtStatement *st, MtError *err);
bool mt_cursors_commit (MtSession *s, MtError *err);     /* those WITH HOLD read all their rows */
void mt_cursors_end (MtSession *s, bool committed);      /* their transaction is over */
void mt_cursors_undone (MtSession *s, size_t depth);     /* those declared behind the savepoint of this depth are closed */
void mt_cursors_released (MtSession *s, size_t depth);   /* savepoints beyond this depth are gone */
void mt_cursors_close (MtSession *s);                    /* all */

/* ---- what statements that write would do (EXPLAIN) ---- */

typedef struct MtStorePlan {
   const char *layout, *collection;
   const char *how;          /* what happens to its documents, as EXPLAIN says it */
   MtPlan *affected;         /* the documents that it happens to; NULL: not asked for */
} MtStorePlan;

typedef struct MtWritePlan {
   const char *verb, *table; /* "Insert", "Update" … */
   const char *commit;       /* when it is safe, and what isn't known if an answer is lost; NULL: nothing is written */
   MtStorePlan *stores;
   size_t store_count;
   MtPlan *source;           /* where rows come from; NULL: they are written out, or there are none */
   const bson_t *each;       /* computed for each record of those documents; NULL: nothing */
   bool of_sums;             /* for each of their finest sums */
} MtWritePlan;

bool mt_plan_insert (MtStatement *st, MtWritePlan *out, MtError *err);          /* session/dml/insert.c */
bool mt_is_plain_values (const MtSelect *s); /* rows that are written out, and nothing else */
bool mt_plan_create_table_as (MtStatement *st, MtWritePlan *out, MtError *err); /* session/ddl/create_as.c */
bool mt_plan_change (MtStatement *st, MtWritePlan *out, MtError *err);          /* session/dml/change.c */
/* The stores of a table's layouts, each with the same `how`; NULL: as rows are added to it. */
void mt_plan_stores (MtStatement *st, const MtTable *t, const char *how, MtWritePlan *out);
/* How a store gets what is added to it (session/coordinate/promise.c); in arena a. */
const char *mt_how_rows_are_added (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtLayout *l, const MtCaps *caps);
/* MtWritePlan.commit of a statement about this table, which does nothing but add rows where `adds`; in the statement's arena (session/coordinate/promise.c). */
const char *mt_commit_promise (MtStatement *st, const MtTable *t, bool adds);

/* ---- writing (session/dml/write.c) ---- */

/* Before a table's documents change (session/coordinate/intent.c): the engine's write step, behind an intent in the catalog where it isn't one commit and the table lies in several
 * collections. mt_step_commit ends the intent; mt_step_rollback, too, unless something of the step may be left. */
bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err);
/* Around what a statement sends. Before it, in the step of mt_table_step_begin: whether those who are making the table's documents anew have seen its intent, or it what they made: 40001.
 * Before the commit of a short one: *now: the table as it still is, whose description needn't be saved for others to notice that it was written to; NULL: it has to be. What waits is sent. */
bool mt_write_ahead (MtStatement *st, const MtTable *t, MtError *err);
bool mt_write_confirm (MtStatement *st, const MtTable *t, const MtTable **now, MtError *err);
/* Of a statement that failed for another's change of the table: what its error has to say. */
void mt_write_ambiguous (MtSession *s, const char *table, int64_t made, int64_t version, size_t layouts, MtError *err);
/* Leases, where a server's writes are no transactions: whether a statement may begin without a look; after something was changed, or announced, for which those who write by an older look have
 * to end (nothing where there are none); the session's own goes. */
bool mt_leases_apply (const MtSession *s);
bool mt_look_is_fresh (const MtSession *s);
bool mt_leases_run_out (MtSession *s, bool always, MtError *err); /* always: those without a lease, too, as far as they take no longer */
void mt_lease_end (MtSession *s);
/* Behind a change that is saved: it is done, so nothing of this is an error, nor cancelled. */
void mt_leases_run_out_behind (MtSession *s);

/* For what others go by, which has to be done whatever ended the statement: the cancel and the deadline that it met don't count until mt_unhush, but until_ms (steady clock). Who cancels again
 * still ends it. */
typedef struct MtHushed {
   bool requested;
   int64_t deadline_ms;
   int shortage;
} MtHushed;
/* Each function of the library that works for a session begins so: it can be cancelled, has statement_timeout's time, and shortages of memory are recorded in
 * the session until it returns. */
#define MT_BEGIN_CALL(s, err)                        \
   MT_RECORD_SHORTAGE (&(s)->shortage);              \
   if (!mt_statement_start ((s), (err)))             \
      return false
MtHushed mt_hush (MtSession *s, int64_t until_ms);
void mt_unhush (MtSession *s, MtHushed h);
/* Whether nobody had changed the catalog a moment ago, when all that was sent had arrived. */
bool mt_lease_confirms (MtSession *s, bool *same, MtError *err);
/* An intent alone: what is done, and the collections that it makes. Nothing where steps are one commit. */
bool mt_intend (MtStatement *st, const MtTable *t, const char *what, const char *const *collections, size_t count, MtError *err);
#define MT_INTENDS_CREATE "create"
#define MT_INTENDS_REWRITE "rewrite" /* the documents are read, go, and come again in their place */
#define MT_INTENDS_TRUNCATE "truncate"
#define MT_INTENDS_REFRESH "refresh" /* of a materialized view, to which nobody else writes: old and new documents lie in collections of their own */
#define MT_INTENDS_DROP "drop"
#define MT_INTENDS_DROP_LAYOUT "drop layout"
/* One for the collections of a layout that are to be made; none for those that are there. 55000 where somebody else's makes one of them. */
bool mt_intend_layout (MtStatement *st, const MtTable *t, MtLayout *l, const char *what, MtError *err);
void mt_intents_end (MtSession *s);
/* Whether the statement, or an earlier one of the same transaction in pieces, is the one that makes it. */
bool mt_intends_collection (MtStatement *st, const char *collection);
size_t mt_intents_drop (MtSession *s); /* the same of a statement that was undone. How many were gone */
void mt_intents_leave (MtSession *s); /* of one that couldn't be undone: they stay, without a sign of life from now on */

/* The engine's write step, and what the catalog keeps of it. */
bool mt_step_begin (MtSession *s, MtError *err);
bool mt_step_commit (MtSession *s, MtError *err);
void mt_step_rollback (MtSession *s);

/* Between which values the first column of a key lies in some rows. */
typedef struct MtKeyBounds {
   bool any;
   bool open;                 /* they bound nothing: values are in another order than MongoDB's */
   MtVal low, high;
} MtKeyBounds;

typedef struct MtWriteStep {
   MtStatement *st;
   const MtTable *table;
   const bool *only;          /* by layout; NULL: all */
   MtWriter *writer;
   MtKeyBounds bounds;        /* of the rows that mt_write_add got, where the table has a PRIMARY KEY */
   int64_t keys_since;        /* mt_keys_since */
} MtWriteStep;

/* Takes all documents out of a layout's collections (which others may have made: those are emptied, not dropped). In the engine's open step.
 * refill: others come in the same step. */
bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill, MtError *err);

bool mt_write_open (MtStatement *st, const MtTable *t, const bool *only, MtWriteStep *out, MtError *err);
/* A new row, of which others may have the key: 23505 by mt_write_finish. What is only written anew goes to the writer itself. */
bool mt_write_add (MtWriteStep *w, const MtVal *row, MtError *err);
/* That a new row has no NULL where its table forbids it: 23502. */
bool mt_check_nulls (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);
/* Adds the row that failed to an error, as its detail; returns false. */
bool mt_row_detail (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);
/* Packs everything; *out is the table with its new statistics, not saved yet. */
bool mt_write_finish (MtWriteStep *w, MtTable *out, MtError *err);
void mt_write_close (MtWriteStep *w);
/* A copy of the table whose statistics have what was written besides, by layout (NULL: nothing) and store; only: as mt_write_open's. In arena a. */
MtTable mt_table_with_stats (MtArena *a, const MtTable *t, const bool *only, MtStoreStats *const *written);

/* One whole step: begin, feed (calls mt_writer_add), finish, save the statistics, commit; all or nothing. */
typedef bool (*MtFeed) (void *ctx, MtWriteStep *w, MtError *err);
bool mt_write_step (MtStatement *st, const MtTable *t, MtFeed feed, void *ctx, MtError *err);

/* Reads all records of `from` and writes them into one layout of `to`, whose statistics are set. In the engine's open step. */
bool mt_fill_layout (MtStatement *st, const MtTable *from, MtTable *to, size_t layout, MtError *err);

/* The same for the last layout of `to`, which none of the catalog's has yet: from the smallest of the others that has all of it; 0A000 (session/ddl/rebuild.c). */
bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err);

/* ---- PRIMARY KEY (session/dml/unique.c) ---- */

void mt_key_bounds_add (MtArena *a, MtKeyBounds *b, MtVal v);
/* That no two rows have the same key, of those between the bounds (NULL: of all): 23505. In the engine's open step, after writing. */
bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err);
/* The time before which a table has sums, and no rows whose keys could be told; MT_NEVER_EXPIRES: there is none. That a new row isn't of such a time: 0A000. */
int64_t mt_keys_since (const MtStatement *st, const MtTable *t);
bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row, MtError *err);
/* An error that a server's unique index made, in SQL's words; others stay as they are. */
void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err);
/* The keys of the rows between the bounds. Owned by the caller: mt_result_free. */
bool mt_keys_there (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtResult **out, MtError *err);

/* The columns' defaults, evaluated now; NULL where there is none. */
typedef struct MtDefaults {
   const MtStatement *st;
   MtVal *values;   /* by column; MT_MISSING: each row has one of its own, since the default is volatile */
   const MtX **own; /* those, by column, else NULL */
   const MtError **refused; /* by column: why rows can't have the default, which reads the table that the statement changes; else NULL */
   size_t count;    /* of columns; 0: none has one of its own */
} MtDefaults;
bool mt_table_defaults (MtStatement *st, const MtTable *t, MtDefaults *out, MtError *err);
/* Where a row still has MT_MISSING it gets what is its own, in arena a. */
bool mt_row_defaults (const MtDefaults *d, MtArena *a, MtVal *row, MtError *err);

/* CREATE TABLE's name is free: 42P07, or a notice and *exists with IF NOT EXISTS. */
bool mt_new_table_name (MtStatement *st, bool *exists, MtError *err);
/* A column's default, which has to fit its type. */
bool mt_set_default (MtStatement *st, const MtExpr *value, MtColumn *c, MtError *err);
/* It as the catalog shows it, a literal with its type; NULL: there is none. */
const char *mt_default_shown (MtArena *a, const MtColumn *c);
/* A column by its definition. */
/* Whether a column of a table can be of that type; 0A000. */
bool mt_can_store (MtTypeId id, MtSpan span, MtError *err);
bool mt_build_column (MtStatement *st, const MtColumnDef *d, MtColumn *c, MtError *err);
/* ALTER TABLE (session/ddl/alter.c). */
bool mt_add_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_drop_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_rename_column (MtStatement *st, const MtTable *t, MtError *err);
bool mt_alter_column (MtStatement *st, const MtTable *t, MtError *err); /* its type, default, NOT NULL */
/* A new layout of t by its definition (NULL: rows); nothing is made in the engine yet. */
bool mt_build_layout (MtStatement *st, const MtTable *t, const MtLayoutDef *d, MtLayout *l, MtError *err);

/* A column of a table that a statement names: 42703, 42702. */
bool mt_need_column (const MtTable *t, const MtName *name, int *out, MtError *err);
bool mt_check_columns (const MtTable *t, const MtNameList *columns, MtError *err); /* that there are such columns: 42703 */

/* A plan's rows, none of which is changed by what is written while they are read. Owned by the caller: mt_result_free. */
bool mt_rows_of_plan (MtStatement *st, MtPlan *plan, MtResult **out, MtError *err);

/* Counts what all layouts of a table have, and saves it: ANALYZE. */
bool mt_analyze (MtStatement *st, const MtTable *t, MtError *err);

/* Plans a SELECT with the session's settings; checks the attached collections that it may read (session/core/shape.c). */
bool mt_plan_select (MtStatement *st, const MtSelect *select, MtPlan **out, MtError *err);
MtPlanSettings mt_plan_settings (MtSession *s, const MtTextStyle *style);
bool mt_plan_bound (MtStatement *st, const MtQuery *q, MtPlan **out, MtError *err);

/* A table by name: 42P01 with a near name when there is none. */
/* By its name, and its schema when it has one: pg_temp has temporary tables only, public the others. *out = NULL: there is none. */
bool mt_find_table (MtSession *s, const MtName *schema, const MtName *name, const MtTable **out, MtError *err);
bool mt_need_table (MtStatement *st, const MtName *name, const MtTable **out, MtError *err);

void mt_settings_init (MtSession *s);

/* ---- temporary tables (session/core/temporary.c) ---- */

bool mt_is_temporary_schema (const MtName *schema); /* pg_temp; NULL isn't */
bool mt_creates_temporary (const MtStmt *s);
/* The one that a statement means by a name (schema may be NULL); NULL: it means none. */
const MtTable *mt_temporary_named (MtSession *s, const MtName *schema, const MtName *name);
/* INSERT, UPDATE, DELETE, COPY of one: which even a read-only transaction may do. */
bool mt_changes_temporary_rows (MtSession *s, const MtStmt *stmt);
/* Before a statement that writes: the engine's steps are the temporary store's alone where it is about nothing else. */
bool mt_aim (MtStatement *st, MtError *err);
/* CREATE TABLE's TEMPORARY and ON COMMIT: 42P16 where they can't be. */
bool mt_temporary_set (MtStatement *st, MtTable *t, MtError *err);
/* A new layout's collections of a temporary table are in the temporary store; those of others aren't: 22023. */
bool mt_temporary_place (MtArena *a, const MtTable *t, MtLayout *l, MtError *err);
/* 0A000 where the query that was bound reads one; what: "views". */
bool mt_no_temporary (const MtStatement *st, const char *what, MtError *err);
/* What ON COMMIT says, in the transaction that is about to be committed; DISCARD TEMP. */
bool mt_temporary_commit (MtSession *s, MtError *err);
bool mt_temporary_discard (MtSession *s, MtError *err);

/* Functions made by CREATE FUNCTION and LOAD (function.c). Borrowed until the next statement. */
const MtFunc *const *mt_user_functions (MtSession *s, size_t *count);

void mt_notice (MtSession *s, const char *severity, const char *hint, const char *fmt, ...) __attribute__ ((format (printf, 4, 5)));

/* ---- attached collections (session/core/shape.c) ---- */

/* How many documents match, and the _id of one of them as JSON, in the session's arena (left alone when there are none). */
bool mt_count_matching (MtStatement *st, const char *collection, const bson_t *match, uint64_t *count, const char **first, MtError *err);

/* Looks once at every document of the table's attached collections, again when a collection's size changed: malformed ones are an error (XX001), or
 * counted and to be left out, as on_malformed says. Only the partitions that the query, a block over the table, reads; q NULL: all. */
bool mt_check_shapes (MtStatement *st, const MtTable *t, const MtQuery *q, MtError *err);

#endif
