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

/* The session's variables (SET, SHOW). Strings are in the session's arena; NULL: not set. A
 * transaction keeps copies. */
enum { MT_IGNORED_SETTINGS = 51, MT_COMMIT_OFF = 4 };

typedef struct MtSettings {
   const char *ignored[MT_IGNORED_SETTINGS]; /* what PostgreSQL's planner goes by */
   const char *timezone;
   const MtZone *zone;
   const char *layout, *cut;
   int64_t skip_malformed; /* 0 or 1 */
   bool optimize;
   bool require_full_pushdown;
   int64_t work_mem;           /* bytes */
   int64_t statement_timeout;  /* ms; 0: none */
   int64_t synchronous_commit; /* MT_COMMIT_OFF: the last of its values */
   int64_t wal_writer_delay;   /* ms: so much later are increments durable then */
   int64_t catalog_max_age;    /* ms; 0: statements ask whether tables changed */
   int64_t intent_timeout;   /* ms without a sign of life after which a writer on a server is taken
                                for dead */
   int64_t lock_timeout;     /* ms; 0: another's writing isn't waited for */
   MtTxnModes default_modes; /* of transactions */
   const char *application_name, *search_path;
   int64_t
      min_messages; /* the least severity of notices: by its place in client_min_messages' values */
   int extra_float_digits;
   int64_t sample_size;    /* documents of a collection that nobody declared */
   int64_t sweep_interval; /* ms; 0: never */
} MtSettings;

typedef struct MtSavepoint {
   const char *name;
   size_t mark;               /* the engine's */
   size_t temporary_mark;     /* its temporary store's */
   size_t depth;              /* 1: the outermost */
   MtSettings settings, kept; /* as they were */
   MtTxnModes modes;          /* as they were, and are again when it ends, however that is */
   struct MtSavepoint *outer;
} MtSavepoint;

typedef struct MtTransaction {
   MtTransactionState state; /* none: nothing below is set */
   MtArena *arena;           /* of what is here */
   MtTxnModes modes;         /* all are said */
   MtTxnModes chained; /* those that AND CHAIN brought: an error forgets what was said since */
   bool implicit; /* of several statements in one text, until BEGIN makes it a block like others */
   bool queried;  /* its first statement that reads or writes has begun */
   bool told;     /* it changed the catalog, which others may have read since */
   int64_t started_ms; /* on the wall's clock */
   MtSettings before,
      kept; /* what a rollback gives back; what stays after COMMIT, when SET LOCAL is over */
   MtSavepoint *savepoints; /* the innermost */
} MtTransaction;

typedef struct MtPortal MtPortal; /* session/run/cursor.c */

enum { MT_MAX_INTENTS = 64 };

/* When a statement looks at the catalog: first of all, by the command that reads, behind what it
 * writes, or in its step before it reads. */
typedef enum MtLook { MT_LOOKS_FIRST, MT_LOOKS_BESIDE, MT_LOOKS_BEHIND, MT_LOOKS_ITSELF } MtLook;

/* What a session on a server has in the catalog so that those who change it wait for it
 * (session/coordinate/lease.c). */
typedef struct MtLease {
   char name[25];       /* empty: it never had one */
   bool held;           /* a look since has found nothing new */
   uint64_t generation; /* of the catalog then, and of the looks below */
   int looks;           /* in a row that found nothing new */
   int64_t looked_us;   /* when the last of them was, on the steady clock */
} MtLease;

/* What the rooms that run statements do for those below: a statement within a statement, and the
 * end of a client's result. */
struct MtStatement;
typedef struct MtUpper {
   bool (*run) (struct MtStatement *st, MtError *err); /* mt_run_stmt */
   /* Sets up *out for the statement that an EXECUTE names (mt_execute_begin). */
   bool (*execute) (const struct MtStatement *st, const MtStmt *execute, struct MtStatement *out,
                    MtError *err);
   void (*failed) (MtSession *s);             /* mt_transaction_failed */
   bool (*ended) (MtResult *r, MtError *err); /* its last row ends the script */
   void (*left) (MtResult *r);                /* it is freed before that */
} MtUpper;

struct MtSession {
   const MtUpper *upper;
   MtArena *arena;
   MtOpenOptions options;
   MtEngine *engine;
   MtCatalog *catalog;
   MtCancel cancel;
   MtShortage shortage; /* of the running statement */
   MtProgress progress;
   MtProgress running; /* the engine's, of each pipeline: left out while somebody who runs several
                          tells of all together */
   uint32_t telling;   /* so many do */
   MtSettings settings;
   MtResult *open_result; /* at most one; borrowed from the caller */
   MtArena *spare;        /* the last statement's, empty, for the next one; NULL: it is in use */
   bool met_temporary;    /* the statement has named a temporary table */
   bool
      assumes; /* the statement reads by what is known of the catalog, which isn't confirmed yet */
   bool partitions_due; /* and so is, until it meets a table that has some, which partitions there
                           are */
   bool unread;         /* what is bound won't be read: a materialized view may have no rows yet */
   struct MtShapeCache *shapes;     /* attached collections whose documents were checked */
   struct MtUndeclared *undeclared; /* collections sampled so far (session/core/undeclared.c) */
   struct MtUserFunctions *functions;
   MtArena *hints;              /* names for error hints */
   struct MtPrepared *prepared; /* statements (session/run/prepare.c) */
   struct MtSystem
      *system;       /* the catalog as tables, while a statement wants it (session/core/system.c) */
   MtOidNames names; /* by it */
   struct MtPrealloc
      *prealloc; /* what is known of documents that are made beforehand; NULL: nothing yet */
   MtTransaction txn;
   char intents[MT_MAX_INTENTS][25]; /* of the statement that runs, by name */
   size_t intent_count;
   bool intents_plain; /* one at least is of a statement that is no transaction anywhere: it makes
                          or drops collections */
   const char *intent_table;          /* of the last of them; in the statement's arena */
   struct MtDeadIntent *dead_intents; /* others', that gave no sign of life while they were watched
                                         (session/coordinate/alive.c) */
   MtLease lease;
   bool outrun; /* others changed what the statement had read to change it: it may be begun again,
                   where nothing of it is left */
   bool displaced; /* others ended its intent: they took it for dead, or took its rows away */
   bool trusts;  /* the statement goes by what is known of the catalog, and looks before it ends; an
                    error before that may come of what isn't so any more */
   MtLook looks; /* when it does */
   bool fed;     /* and has given the writer a row */
   bool announced; /* others have seen what the statement is about to do, or asked for it after it
                      was said */
   MtPortal *portals;    /* cursors that were declared, the newest first */
   bool seeded;          /* setseed was called */
   uint64_t random[2];   /* and where random() is since */
   int64_t statement_ms; /* when the statement began, on the wall's clock */
   int64_t swept_ms; /* when what has expired was last removed, or the session began; on the steady
                        clock */
};

/* How a result's rows come. */
typedef enum MtResultKind {
   MT_RESULT_TAG,    /* no rows */
   MT_RESULT_CURSOR, /* plan, cursor */
   MT_RESULT_ROWS    /* rows of text, made already */
} MtResultKind;

struct MtResult {
   MtSession *session;
   MtArena *arena; /* the statement's */
   bool statement; /* a client's: the arena goes back to the session */
   MtResultKind kind;
   const char *tag; /* with %llu rows appended for SELECT at the end */
   bool counts_rows;
   uint64_t rows;

   MtRelColumn *columns;
   size_t column_count;
   MtVal *values; /* the current row */
   MtBuf *texts;  /* printed values of the current row */
   bool *printed;

   MtPlan *plan;
   MtCursor *remote, *cursor; /* cursor: what rows come from; remote: behind it when a part runs
                                 locally; NULL with arms */
   MtRunStats read;           /* by the arms that are at their end */
   MtTextStyle style;
   bool unprinted; /* only values are asked for, not their text */
   bool looks;     /* its first command is to find the catalog's version, too */

   bool ends_script; /* its last row ends the implicit transaction */
   MtError *verdict; /* what is wrong though there are rows; NULL: nothing */

   const char ***cells; /* MT_RESULT_ROWS: cells[row][column], NULL for SQL NULL */
   size_t cell_rows, cell_capacity, at;

   int64_t started_us, planned_us, execute_us;
};

MtResult *mt_result_new (MtSession *s, MtArena *a);
void mt_result_close (MtResult *r); /* its cursors: no more rows come */
void mt_result_set_tag (MtResult *r, const char *tag);
/* Rows of text: first the columns, then each row (cells are borrowed for the result's life: in its
 * arena). */
void mt_result_text_columns (MtResult *r, size_t count, const char *const *names);
void mt_result_add_row (MtResult *r, const char *const *cells);
/* Columns alone, borrowed for the result's life, in place of what it had; none of them: no rows at
 * all. */
void mt_result_no_rows (MtResult *r, MtRelColumn *columns, size_t count);
/* Runs a plan; rows are fetched as they are asked for. */
bool mt_result_run (MtResult *r, MtPlan *plan, bool want_stats, MtError *err);
/* Rows {c0: …} that `next` supplies, with a plan's columns, in place of the plan's own. */
bool mt_result_rows (MtResult *r, const MtPlan *plan, MtNextDoc next, void *ctx, MtError *err);
/* The next row as the document it is, borrowed until the next call; *doc = NULL at the end. */
bool mt_result_next_doc (MtResult *r, const bson_t **doc, MtError *err);
bool mt_in_sql_words (const MtResult *r,
                      MtError *err); /* what an aggregation's operator said; returns false */
void mt_result_stats (
   const MtResult *r,
   MtRunStats *out); /* what was read so far; stages are borrowed for the result's life */
/* Of the last part that runs in process: all of the plan, or what comes behind a server's. False:
 * there is none. */
bool mt_result_stats_here (const MtResult *r, MtRunStats *out);

typedef struct MtOutlineStyle {
   const MtRunStats *run; /* of the plan's main pipeline; NULL: it wasn't run */
   bool costs, timing;
   bool server; /* a part of the plan may be a server's */
} MtOutlineStyle;

typedef struct MtSettingInfo {
   const char *name, *value, *summary, *initial; /* initial NULL: it can't be changed */
   const char *unit;                             /* NULL: it has none */
   const char *number,
      *initial_number; /* as pg_settings has the values: in that unit, which isn't written */
   const char *type;   /* bool, integer, enum, string */
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
/* Names of the catalog's tables and views, for hints. */
const char *const *mt_system_names (size_t *count);
/* A name in SQL: in quotes where these are needed. In arena a. */
const char *mt_quoted (MtArena *a, const char *name);

typedef struct MtStatement {
   MtSession *session;
   MtArena *arena;
   const MtStmt *stmt;
   const char *sql; /* the text that was parsed; borrowed */
   size_t sql_len;
   MtBindEnv env;
   MtResult *result;
   bool outline;   /* of a plan; for EXPLAIN */
   bool malformed; /* documents of another shape have to be left out */
} MtStatement;

/* Before the first statement of a text: its time begins, and a cancellation of an earlier one is
 * over. */
bool mt_statement_start (MtSession *s, MtError *err); /* 53200 */
void mt_set_deadline (MtSession *s);                  /* by statement_timeout, from now on */

/* COPY's LOOKUP… options (session/dml/copy_lookup.c); NULL: not given, but for `table`. */
typedef struct MtCopyLookupOptions {
   const MtOption *table, *key, *valid, *columns, *missing;
} MtCopyLookupOptions;
typedef struct MtCopyLookup MtCopyLookup;

bool mt_run_create_function (MtStatement *st, MtError *err); /* function.c */
bool mt_run_drop_function (MtStatement *st, MtError *err);
/* The table that a collection belongs to, by its exact name; NULL: none. *attached: others made it,
 * and the table was declared over it. */
const MtTable *mt_collection_owner (MtSession *s, const char *collection, bool *attached);
/* The same of a store, all of whose partitions count, those to come, too. */
const MtTable *mt_store_owner (MtSession *s, const MtStoreDesc *store, bool *attached);
/* All rows of a result into a table; *filled is the table with its statistics, not saved yet. In
 * the engine's open step (session/ddl/create_as.c). */
bool mt_run_load (MtStatement *st, MtError *err);
bool mt_run_set (MtStatement *st, MtError *err); /* settings.c */
static inline int64_t mt_commit_delay (const MtSession *s)
{
   return s->settings.synchronous_commit == MT_COMMIT_OFF ? s->settings.wal_writer_delay : 0;
} /* ms by which increments are durable later than committed; settings.c */
bool mt_run_reset (MtStatement *st, MtError *err);
/* set_config: by name, value NULL: the initial one; *shown is what SHOW gives then. Says nothing
 * where `local` has no effect. */
bool mt_change_setting (MtSession *s, MtArena *a, const char *name, const char *value, bool local,
                        const char **shown, MtError *err);
bool mt_run_show (MtStatement *st, MtError *err);

/* All of them at once, with what follows from them. */
void mt_settings_restore (MtSession *s, const MtSettings *to);

/* A statement failed: what the transaction did since its last savepoint is undone. Nothing happens
 * outside of one. */
bool mt_set_transaction (MtSession *s, MtTxnModes said, MtError *err);
bool mt_check_isolation (MtSession *s, MtIsolation i,
                         MtError *err); /* 0A000: the engine has no such one */
MtTxnModes mt_txn_modes (MtTxnModes otherwise, MtTxnModes said);
const char *mt_isolation_name (MtIsolation i);

typedef struct MtStorePlan {
   const char *layout, *collection;
   const char *how;  /* what happens to its documents, as EXPLAIN says it */
   MtPlan *affected; /* the documents that it happens to; NULL: not asked for */
} MtStorePlan;

typedef struct MtWritePlan {
   const char *verb, *table; /* "Insert", "Update" … */
   const char *commit; /* when it is safe, and what isn't known if an answer is lost; NULL: nothing
                          is written */
   MtStorePlan *stores;
   size_t store_count;
   MtPlan *source;     /* where rows come from; NULL: they are written out, or there are none */
   const bson_t *each; /* computed for each record of those documents; NULL: nothing */
   bool of_sums;       /* for each of their finest sums */
} MtWritePlan;

/* Between which values the first column of a key lies in some rows. */
typedef struct MtKeyBounds {
   bool any;
   bool open; /* they bound nothing: values are in another order than MongoDB's */
   MtVal low, high;
} MtKeyBounds;

typedef struct MtWriteStep {
   MtStatement *st;
   const MtTable *table;
   const bool *only; /* by layout; NULL: all */
   MtWriter *writer;
   MtKeyBounds bounds; /* of the rows that mt_write_add got, where the table has a PRIMARY KEY */
   int64_t keys_since; /* mt_keys_since */
} MtWriteStep;

/* It as the catalog shows it, a literal with its type; NULL: there is none. */
const char *mt_default_shown (MtArena *a, const MtColumn *c);

/* A column of a table that a statement names: 42703, 42702. */
bool mt_need_column (const MtTable *t, const MtName *name, int *out, MtError *err);
bool mt_check_columns (const MtTable *t, const MtNameList *columns,
                       MtError *err); /* that there are such columns: 42703 */

void mt_settings_init (MtSession *s);

/* Functions made by CREATE FUNCTION and LOAD (function.c). Borrowed until the next statement. */
const MtFunc *const *mt_user_functions (MtSession *s, size_t *count);

void mt_notice (MtSession *s, const char *severity, const char *hint, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));

/* Each function of the library that works for a session begins so: it can be cancelled, has
 * statement_timeout's time, and shortages of memory are recorded in the session until it
 * returns. */
#define MT_BEGIN_CALL(s, err) \
   MT_RECORD_SHORTAGE (&(s)->shortage); \
   if (!mt_statement_start ((s), (err))) \
   return false

#endif
