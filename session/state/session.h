/* The session, its transaction, and its running statement. */
#ifndef MT_SESSION_H
#define MT_SESSION_H

#include "engine/engine.h"
#include "include/mtsql.h"
#include "layouts/pack/writer.h"
#include "parser/parser.h"
#include "analyze/bind.h"
#include "catalog/catalog.h"
#include "planner/plan/plan.h"
#include "session/state/result.h"
#include "session/state/settings.h"

/* The server version that clients read: the PostgreSQL version whose SQL mtsql has, and mtsql's own
 * version. */
#define MT_SERVER_VERSION "15.0 (mtsql " MTSQL_VERSION ")"
#define MT_SERVER_VERSION_NUM "150000"

typedef struct MtSavepoint {
   const char *name;
   size_t mark;               /* the result of mt_engine_mark */
   size_t temporary_mark;     /* the same mark in the engine of temporary tables */
   size_t depth;              /* the nesting depth: 1 for an outermost savepoint */
   MtSettings settings, kept; /* both as they were when the savepoint was set */
   MtTxnModes modes;          /* as they were at the savepoint, which RELEASE also restores */
   struct MtSavepoint *outer;
} MtSavepoint;

typedef struct MtTransaction {
   MtTransactionState state; /* MT_TRANSACTION_NONE: no other member is set */
   MtArena *arena;           /* owns this structure's data */
   MtTxnModes modes;         /* all modes are set */
   /* the modes that AND CHAIN copied from the previous transaction; an error in this one restores
    * them */
   MtTxnModes chained;
   bool implicit; /* a text of several statements began it; BEGIN makes it an explicit block */
   bool queried;  /* a statement that reads or writes has begun */
   bool changed_catalog;    /* it changed the catalog, and other clients may have read the change */
   int64_t started_ms;      /* the time when it began, by the system's clock */
   MtSettings before;       /* the settings that ROLLBACK restores */
   MtSettings kept;         /* the settings that COMMIT restores: SET LOCAL is not in them */
   MtSavepoint *savepoints; /* the innermost one, a list by `outer` */
} MtTransaction;

typedef struct MtPortal MtPortal; /* session/run/cursor.c */

/* Callbacks: functions of session/run that code in lower folders calls. They run statements within
 * statements, and handle the end of a client's result. */
struct MtStatement;
typedef struct MtUpper {
   bool (*run) (struct MtStatement *st, MtError *err); /* mt_run_stmt */
   /* sets up *out for the prepared statement that an EXECUTE names (mt_execute_begin) */
   bool (*execute) (const struct MtStatement *st, const MtStmt *execute, struct MtStatement *out,
                    MtError *err);
   void (*failed) (MtSession *s); /* mt_transaction_failed */
   /* the last row of a script's last result was read (mt_script_ended) */
   bool (*ended) (MtResult *r, MtError *err);
   /* a script's last result is freed before its last row was read (mt_script_left) */
   void (*left) (MtResult *r);
} MtUpper;

/* The tables that earlier entries of a WITH changed; later entries must not read them. */
typedef struct MtChangedTables {
   const MtName **names;
   size_t count;
   MtSpan own; /* the part that runs now: names the table of an INSERT for RETURNING */
} MtChangedTables;

struct MtSession {
   const MtUpper *upper;
   MtArena *arena;
   MtOpenOptions options;
   MtEngine *engine;
   MtCatalog *catalog;
   MtCancel cancel;
   MtShortage shortage; /* memory that the running statement could not get */
   MtProgress progress;
   MtProgress running; /* the engine's progress; not reported while `telling` is above 0 */
   uint32_t telling;   /* how many callers report the progress of several pipelines together */
   MtSettings settings;
   int64_t planning_us;   /* the time that planning has taken, in µs */
   MtResult *open_result; /* the result that the client reads; borrowed; NULL: none */
   MtArena *spare;        /* an empty arena for the next statement; NULL: in use */
   const struct MtChangedTables
      *changed;        /* tables that earlier parts of a WITH changed; NULL: no such part */
   bool met_temporary; /* the statement has named a temporary table */
   bool met_file;      /* the statement reads a file */
   /* a statement is bound, but will not be run, so it may read materialized views without rows
    * (WITH NO DATA) */
   bool unread;
   /* cache of the attached collections whose documents were checked (core/shape.c) */
   struct MtShapeCache *shapes;
   struct MtUndeclared *undeclared; /* collections sampled so far (core/undeclared.c) */
   struct MtFileTable *files;       /* files recognised so far (files/table.c) */
   MtDocStreams streams;            /* opens the documents of files, for the engine */
   struct MtUserFunctions *functions;
   struct MtExtensions *extensions; /* NULL: none */
   MtArena *hints;                  /* owns the names in hints of error messages */
   MtPrepared *prepared;            /* a list of prepared statements (core/held.h) */
   /* the system catalog while a statement reads it (core/system.c); NULL: not read */
   struct MtSystem *system;
   MtOidNames names;            /* prints names for OIDs */
   struct MtPrealloc *prealloc; /* documents that were preallocated; NULL: none known */
   MtTransaction txn;
   struct MtCoordination *coordination; /* coordinates several writers (session/coordinate) */
   MtPortal *portals;                   /* declared cursors, the newest first */
   struct MtSequences *sequences;       /* sequences that the session has used; NULL: none */
   const MtOpRow *ops;                  /* operators that act on the session (run/ops.c) */
   bool seeded;                         /* setseed was called */
   bool has_advisory;                   /* the session may have advisory locks (state/advisory.c) */
   struct MtRelationOids *relation_oids; /* OIDs found so far (mt_result_origin); NULL: none */
   uint64_t types_seen;  /* 1 + generation of the catalog whose types are defined; 0: none */
   uint64_t random[2];   /* the state of random() after setseed */
   int64_t statement_ms; /* when the statement began, wall clock */
   int64_t swept_ms; /* when expired rows were last removed, or the session began; steady clock */
};

typedef struct MtStatement {
   MtSession *session;
   MtArena *arena;
   const MtStmt *stmt;
   const char *sql; /* the text that was parsed; borrowed */
   size_t sql_len;
   MtBindEnv env;
   MtResult *result;
   bool outline;          /* the plan gets an outline, for EXPLAIN */
   bool malformed;        /* malformed documents are skipped */
   bool hypothetical;     /* layouts that do not exist are compared with others, by estimates */
   const char *extension; /* the extension whose script has the statement; NULL: none */
   /* The catalog's object for the continuous view that CREATE MATERIALIZED VIEW is making; NULL:
    * the view is not continuous. */
   const bson_t *continuous;
   struct MtChecks *checks; /* bound CHECK constraints (core/checks.c); NULL: none yet */
   bool refreshes;          /* a part of a refresh of a continuous view; it leaves no stale marks */
} MtStatement;

/* Begins a call of the library by the client: clears an earlier cancellation, and sets the
 * statement's time and deadline. Error: 53200 out of memory. */
bool mt_statement_start (MtSession *s, MtError *err);
void mt_set_deadline (MtSession *s); /* Starts statement_timeout. */

/* ---- owner.c ---- */

/* Returns the table that owns the collection with this exact name; NULL: none. *attached: the table
 * was declared over a collection that had existed before. */
const MtTable *mt_collection_owner (MtSession *s, const char *collection, bool *attached);
/* Like mt_collection_owner, for a store: the table that owns one of its collections, or a partition
 * that it may get. */
const MtTable *mt_store_owner (MtSession *s, const MtStoreDesc *store, bool *attached);

/* ---- function.c ---- */

/* These functions run CREATE FUNCTION and DROP FUNCTION. The table of statements calls them. */
bool mt_run_create_function (MtStatement *st, MtError *err);
/* A function that DROP FUNCTION names. */
typedef struct MtDroppedFunction {
   const char *key;               /* its name in the catalog; NULL: it does not exist */
   const char *name;              /* without types */
   const char *shown;             /* with types, for messages */
   const struct MtFunc *function; /* NULL: it cannot be used */
} MtDroppedFunction;
/* Finds a function for DROP FUNCTION. args: its argument types. Errors: 42725 the name is
 * ambiguous, 2BP01 the function is built in or belongs to an extension. */
bool mt_function_dropped (MtStatement *st, const MtName *name, const struct MtDropArgs *args,
                          MtDroppedFunction *out, MtError *err);
/* Sets the functions made by CREATE FUNCTION, and the functions and aggregates of extensions, in
 * *env for the binder. Borrowed until the next statement. */
void mt_set_routines (MtSession *s, MtBindEnv *env);

/* ---- extension.c ---- */

struct MtModule; /* base/extension.h */

/* Runs LOAD. The table of statements calls it. */
bool mt_run_load (MtStatement *st, MtError *err);
/* Why a session uses an extension; the values are flags. */
typedef enum MtUse {
   MT_USE_LOADED = 1, /* LOAD: until the session ends */
   MT_USE_CREATED = 2 /* CREATE EXTENSION: as long as the catalog has it */
} MtUse;
/* Adds the functions, aggregates and COPY formats of extension m to the session. If the session has
 * them already, only notes `use`. Errors: 42P17 a function is invalid; 42723, 42710 a name is
 * taken; errors of MtOpenOptions.extension. */
bool mt_extension_use (MtSession *s, const struct MtModule *m, MtUse use, MtError *err);
/* Loads the extensions that the catalog lists, and removes those that it does not list any more.
 * Sends a warning for an extension that can't be loaded. Does nothing unless the catalog or
 * extension_path has changed. */
void mt_extensions_sync (MtSession *s);
/* Returns the catalog's object of the extension with this name; NULL: it was not created. */
const MtCatalogObject *mt_extension_created (MtSession *s, const char *name);
/* Returns the folders in which the session searches extensions; NULL: only the folder of installed
 * ones. */
const char *mt_extension_search_path (MtSession *s);
/* Returns the name of an extension that the catalog lists but that can't be loaded; NULL: there is
 * none. */
const char *mt_extension_unusable (MtSession *s);
/* Makes the next mt_extensions_sync read the catalog again. */
void mt_extensions_changed (MtSession *s);
/* These return the functions and the aggregates of the session's extensions, which live as long as
 * the session. The arrays are borrowed until an extension is added or removed. */
const MtFunc *const *mt_extension_functions (MtSession *s, size_t *count);
/* Returns a number that changes whenever these arrays change. */
uint64_t mt_extensions_version (MtSession *s);
const MtAgg *const *mt_extension_aggregates (MtSession *s, size_t *count);

/* ---- names.c, column.c ---- */

/* Returns a name as an SQL identifier, with quotes if necessary: in arena a, or `name` itself. */
const char *mt_quoted (MtArena *a, const char *name);
/* Returns a text as an SQL string literal: in single quotes, and each single quote in it doubled.
 * In arena a. */
const char *mt_quoted_text (MtArena *a, const char *text);
/* Returns a column's default as the system catalog shows it, in arena a; NULL: the column has
 * none. */
const char *mt_default_shown (MtArena *a, const MtColumn *c);
/* Adds the detail, and a hint if `hint`, to the error that a value was given for a column that is
 * GENERATED ALWAYS AS IDENTITY. Returns false. */
bool mt_not_always (const MtColumn *c, bool hint, MtError *err);
/* Returns the text in a document's field, borrowed from the document; "" if the field is no
 * string. */
const char *mt_field_text (const bson_t *doc, const char *name);
/* Returns the ending of a plural noun for messages: "s", or "" for 1. */
static inline const char *mt_plural (uint64_t n) { return n == 1 ? "" : "s"; }
/* Sets *out to the index of the column with this name. Errors: 42703 there is none, 42702 the name
 * is ambiguous. */
bool mt_need_column (const MtTable *t, const MtName *name, int *out, MtError *err);
/* Adds the hint that a column has a similar name to an error that is set. Returns false. */
bool mt_column_near (const MtTable *t, const char *name, MtError *err);
/* Checks that the table has all columns in the list. Errors: 42703, 42702. */
bool mt_check_columns (const MtTable *t, const MtNameList *columns, MtError *err);

/* ---- notice.c ---- */

/* Sends a message to the client if client_min_messages allows its severity ("NOTICE", "WARNING").
 * hint may be NULL. */
void mt_notice (MtSession *s, const char *severity, const char *hint, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));

/* Returns how many ms may pass between the commit of an increment and the moment when it is safe on
 * disk. */
static inline int64_t mt_commit_delay (const MtSession *s)
{
   return s->settings.synchronous_commit == MT_COMMIT_OFF ? s->settings.wal_writer_delay : 0;
}

/* Begins a function of the library: clears an earlier cancellation, starts statement_timeout, and
 * records shortages of memory in the session until the function returns. */
#define MT_BEGIN_CALL(s, err) \
   MT_RECORD_SHORTAGE (&(s)->shortage); \
   if (!mt_statement_start ((s), (err))) \
   return false

#endif
