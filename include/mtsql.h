/* libmtsql: SQL over packed time series in MongoDB and in embedded stores.
 *
 *    MtError err;
 *    MtSession *s;
 *    if (!mt_open (&(MtOpenOptions){.target = "data.mts"}, &s, &err)) …
 *    MtResult *r;
 *    if (mt_query (s, "SELECT count(*) FROM calls", -1, &r, &err)) {
 *       bool more;
 *       while (mt_result_next (r, &more, &err) && more)
 *          puts (mt_result_text (r, 0, NULL));
 *       mt_result_free (r);
 *    }
 *    mt_close (s);
 *
 * Threads: one thread at a time uses a session. Only mt_cancel may be called from another thread
 * or from a signal handler.
 *
 * Errors: a function that can fail returns false, sets *err, and leaves its outputs unchanged.
 * err->sqlstate is PostgreSQL's code.
 *
 * Memory: if memory is exhausted, the statement ends with 53200, and the session can go on. For
 * this the library reserves up to 16 MB of address space.
 *
 * Signals: files of stores and dumps are mapped into memory. If a mapped file is truncated or its
 * device fails, the statement ends with XX001 or 58030. For this the library handles SIGBUS once
 * such a file is open. It passes other SIGBUS signals to the earlier handler. The calling thread
 * must not block SIGBUS. */
#ifndef MTSQL_H
#define MTSQL_H

/* Include these headers first, because a C++ program may not include them within extern "C". */
#include <bson/bson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
/* the headers below define functions that use C's designated initializers */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wc++20-extensions"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wreturn-type-c-linkage"
#pragma GCC diagnostic ignored "-Wtautological-constant-out-of-range-compare"
#endif
#endif

#include "arrow/c_data.h"
#include "base/error.h"
#include "types/type.h"

#define MTSQL_VERSION "0.1.0"

/* A connection to a target, with its settings, transaction and temporary tables. */
typedef struct MtSession MtSession;
/* The rows or the outcome of one statement. */
typedef struct MtResult MtResult;

struct MtModule; /* base/extension.h */

/* The options of mt_open. Strings are borrowed until mt_open returns. Functions are called with
 * ctx until mt_close. */
typedef struct MtOpenOptions {
   /* a mongodb:// URI; the path of a store, which the first write creates; the folder of a dump; a
    * .bson or .jsonl file; NULL: a temporary store */
   const char *target;
   /* the password for a URI that has a user without a password; NULL: none */
   const char *password;
   /* for a read-only target, the file that stores the table definitions; NULL: they last only as
    * long as the session */
   const char *catalog;
   /* statements that change the target are refused */
   bool read_only;
   /* LOAD and CREATE EXTENSION are refused, and so are files that a statement names; SQL can't turn
    * this off */
   bool restricted;
   /* Reads data of COPY … FROM STDIN: up to n bytes into buf. Returns 0 at the end, -1 on error.
    * NULL: COPY FROM STDIN is refused. */
   long (*read_stdin) (void *ctx, char *buf, size_t n);
   /* Writes data of COPY … TO STDOUT. Returns false on error. NULL: COPY TO STDOUT is refused. */
   bool (*write_stdout) (void *ctx, const char *buf, size_t n);
   /* Called before the first data of COPY … FROM STDIN (in) or COPY … TO STDOUT, with the number of
    * columns and the format. Returns false on error. NULL: not called. */
   bool (*copy_begin) (void *ctx, bool in, size_t columns, const char *format);
   /* Reports the progress of a long statement, about ten times a second. total 0: not known.
    * NULL: not called. */
   void (*progress) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   /* Receives a warning or a notice. severity: "WARNING", "NOTICE" and so on. hint: "" if there is
    * none. NULL: not called. */
   void (*notice) (void *ctx, const char *severity, const char *message, const char *hint);
   /* Called twice by mt_open: with the session before it connects, and with NULL after that.
    * In between, mt_cancel (s) ends mt_open with 57014. NULL: not called. */
   void (*opening) (void *ctx, MtSession *s);
   void *ctx;
   /* Called before the session uses an extension (base/extension.h). Returns false with *err set
    * if the program refuses the extension. NULL: not called. */
   bool (*extension) (void *ctx, const struct MtModule *m, MtError *err);
} MtOpenOptions;

/* Makes libbson and libmongoc use the library's functions to allocate memory. If memory is
 * exhausted in the driver, the statement then ends with 53200. Without this call, libbson ends the
 * process.
 *
 * The call affects the whole process, and replaces the functions of bson_mem_set_vtable. Memory
 * still comes from malloc. Call it before the first mt_open, or never. */
void mt_memory_serve_driver (void);

/* Opens a session. The caller owns *out: mt_close. Errors: 08001 no connection, 28P01 wrong
 * password, 58P01 no such file, 58030 failed input or output, XX001 a damaged store, 57014
 * cancelled. */
bool mt_open (const MtOpenOptions *options, MtSession **out, MtError *err);
/* Closes a session, and rolls back an open transaction. NULL is allowed. */
void mt_close (MtSession *s);

/* Ends the running statement with 57014. A second call returns sooner: it does not wait for the
 * server to stop or to undo changes, and a warning reports this. Async-signal-safe. */
void mt_cancel (MtSession *s);

/* Connects again after an error of class 08 (a lost connection). Settings are kept, and an open
 * transaction is rolled back. Fails with 08001 if the target can't be reached. Each statement also
 * tries to reconnect by itself. */
bool mt_reconnect (MtSession *s, MtError *err);

/* ---- statements ---- */

/* Runs a statement, or several as one transaction (see MtScript). len -1: sql ends with a NUL. A
 * ';' at the end is allowed.
 *
 * *out is the result of the last statement. An empty text gives no columns and an empty tag. The
 * caller owns *out, and frees it (mt_result_free) before the next call of mt_query. If possible,
 * rows are computed while they are read. err->span counts bytes of sql. */
bool mt_query (MtSession *s, const char *sql, long len, MtResult **out, MtError *err);

/* A text with several statements, which run one after the other.
 *
 * They form one transaction, unless the text has BEGIN, COMMIT or ROLLBACK. On a server without
 * transactions, a failure undoes the changes one by one. Nothing runs if a statement has a syntax
 * error. The transaction ends with the last result: immediately if that result has no rows, else
 * when the caller has read the last row or frees the result. */
typedef struct MtScript {
   /* the text, set by the caller; borrowed until the last call. The caller sets all other members
    * to 0. */
   const char *sql;
   size_t len;
   /* the last statement that ran is the text from sql[at] up to (not including) sql[end] */
   size_t at, end;
   /* that statement is the last one of the text */
   bool last;
   /* private */
   bool begun, several, defines, undoable;
} MtScript;
/* Runs the next statement of a script. *out is NULL after the last statement. Ownership and errors
 * are those of mt_query. Read a result to its end and free it before the next call. After an error,
 * call only mt_script_close. */
bool mt_script_next (MtSession *s, MtScript *script, MtResult **out, MtError *err);
/* Ends a script early and rolls back its uncommitted changes: after an error, or if the caller does
 * not want to run the rest. */
void mt_script_close (MtSession *s);

/* ---- prepared statements ---- */

/* A statement that was parsed and checked once, with parameters $1, $2 and so on. */
typedef struct MtPrepared MtPrepared;

/* Prepares one statement. A parameter has the type of its first use, as in PostgreSQL; $1::int
 * sets it. The tables may change later: each mt_execute uses the tables of its own time. SELECT,
 * VALUES, INSERT, UPDATE, DELETE, the queries of CREATE TABLE AS and DECLARE, and EXPLAIN of
 * these, can have parameters.
 *
 * The caller owns *out, and frees it (mt_prepared_free) before mt_close. err->span counts bytes of
 * sql. Errors are those of mt_query for a wrong statement, 42601 several statements, 42P18 a
 * parameter whose type is not known, 42P08 a parameter of two types. */
bool mt_prepare (MtSession *s, const char *sql, long len, MtPrepared **out, MtError *err);

/* A borrowed array of types. */
typedef struct MtTypes {
   const MtType *list;
   size_t count;
} MtTypes;
/* Like mt_prepare, where the types of the first parameters are `given`. MT_T_UNKNOWN in that list:
 * the parameter has the type of its first use. */
bool mt_prepare_types (MtSession *s, const char *sql, long len, MtTypes given, MtPrepared **out,
                       MtError *err);
/* Describes the result of a prepared statement without running it, as mt_describe does for a
 * text. */
bool mt_prepared_describe (MtPrepared *p, MtResult **out, MtError *err);
/* Frees a prepared statement. Free its results first. NULL is allowed. */
void mt_prepared_free (MtPrepared *p);
/* Gives a statement the name by which EXECUTE, DEALLOCATE and pg_prepared_statements find it; NULL:
 * it loses its name. Error: 42P05 another statement has the name. */
bool mt_prepared_set_name (MtPrepared *p, const char *name, MtError *err);
/* Returns whether a statement has a name. DEALLOCATE and DISCARD remove it. */
bool mt_prepared_is_named (const MtPrepared *p);

/* Return the number of parameters, and the type of the parameter with this index, from 0 on. */
size_t mt_prepared_parameters (const MtPrepared *p);
MtType mt_prepared_type (const MtPrepared *p, size_t parameter);

/* Runs a prepared statement with a value for each parameter. The statement gives the same rows, and
 * reads as little, as with the values written into its text, because it is planned with them.
 *
 * A value is of the BSON type that types/type.h lists for the parameter's type: for example
 * mt_v_int64 (42), mt_v_double (0.5), mt_v_date (ms), mt_v_null (). Numbers of other types are
 * converted if they fit. mt_v_str (p, n) is a text for any type, read as SQL reads it. Bytes of
 * values are borrowed until the function returns.
 *
 * Ownership of *out, and errors, are those of mt_query; err->span counts bytes of the prepared
 * text. Errors of values: 42601 a wrong number of values; 22P02, 22007, 22008 and so on a text that
 * is not of the type; 22003 a number that does not fit; 42804 a value of another type; 22021 text
 * that is not UTF-8. */
bool mt_execute (MtPrepared *p, const MtVal *values, size_t count, MtResult **out, MtError *err);

/* Describes the result of a statement without running it: *out has the columns, and no rows.
 * Constant expressions may be evaluated for planning. Ownership and errors are those of mt_query.
 * Fails with 0A000 if the columns aren't known before the statement runs (CHECK, CALL and the
 * like). */
bool mt_describe (MtSession *s, const char *sql, long len, MtResult **out, MtError *err);

/* The state of the session's transaction block (BEGIN … COMMIT). After an error in a block, only
 * COMMIT and ROLLBACK are allowed. */
typedef enum MtTransactionState {
   MT_TRANSACTION_NONE,
   MT_TRANSACTION_OPEN,
   MT_TRANSACTION_FAILED
} MtTransactionState;
MtTransactionState mt_transaction_state (const MtSession *s);
/* Puts the open transaction block into the same state as an error does: undoes the changes since
 * the last savepoint, and allows only ROLLBACK. Does nothing outside of a block. For programs that
 * detect errors themselves, such as a parameter that can't be read. */
void mt_transaction_failed (MtSession *s);

/* Returns the value of a setting as SHOW prints it, allocated in arena a or static; NULL if there
 * is no such setting. */
const char *mt_setting (MtSession *s, MtArena *a, const char *name);
/* Returns the setting idle_in_transaction_session_timeout in ms; 0: no limit. A program that serves
 * others ends a session whose transaction waits longer for its next statement. */
int64_t mt_idle_timeout_ms (const MtSession *s);

/* Returns the time zone of the session's settings (types/tz.h). It lives as long as the process. */
const struct MtZone *mt_session_zone (const MtSession *s);

/* Returns the time in ms that the session has spent so far on analyzing and planning queries. */
double mt_planning_ms (const MtSession *s);

/* ---- results ---- */

/* Returns whether the result is a table, perhaps without columns (SELECT;). */
bool mt_result_has_rows (const MtResult *r);
/* Returns the number of columns of a result; 0 for INSERT, SET and the like. */
size_t mt_result_columns (const MtResult *r);
/* Returns the name of a column of a result, borrowed until the result is freed. */
const char *mt_result_name (const MtResult *r, size_t column);
/* Returns the type of a column. */
MtType mt_result_type (const MtResult *r, size_t column);

/* Finds the column of a table or view whose values a column of a result has, unchanged. Sets *table
 * to the table's OID in pg_class, and *number to the column's number in pg_attribute. Both are 0 if
 * there is none. The result must be the session's last one. */
void mt_result_origin (const MtResult *r, size_t column, int64_t *table, int *number);

/* Moves to the next row. *more is false if there is no other row. */
bool mt_result_next (MtResult *r, bool *more, MtError *err);

/* Returns a value of the current row as PostgreSQL prints it, ended by a NUL; NULL: SQL NULL.
 * *len (may be NULL): its length. Borrowed until the next mt_result_next. */
const char *mt_result_text (MtResult *r, size_t column, size_t *len);
/* Returns a value of the current row. Borrowed until the next mt_result_next. */
MtVal mt_result_value (MtResult *r, size_t column);

/* Sets *out to a stream of the rows that were not read yet, in batches of at most 65,536 rows,
 * without converting them to text. Any library with Arrow's C data interface can read it.
 *
 * The stream takes over r: do not use or free r afterwards. The caller, or the reader to which it
 * passes the stream, calls out->release before the next call of mt_query and before mt_close.
 * Arrays returned by the stream stay valid after that. After an error get_next returns EIO,
 * ECANCELED (57014) or ENOMEM (53200), and get_last_error returns the SQLSTATE and the message.
 * Errors are those of mt_result_write_arrow. */
void mt_result_arrow (MtResult *r, struct ArrowArrayStream *out);

/* A callback that receives the bytes of mt_result_write_arrow. */
typedef struct MtArrowSink {
   /* Writes n bytes. Returns false to stop. */
   bool (*write) (void *ctx, const char *p, size_t n);
   void *ctx;
   /* true: Arrow's file format (".arrow"); false: its stream format (".arrows") */
   bool file;
} MtArrowSink;
/* Writes the rows that were not read yet in Arrow's IPC format, in batches of at most 65,536 rows.
 * *rows is their number. If the sink's `write` returns false, writing stops and the function
 * returns true. After an error the bytes written are not a complete stream.
 *
 * Errors are those of mt_result_next, and 0A000, 22003, 22008 and 22021 for a value that Arrow's
 * type can't represent. docs/reference/arrow.md lists the types. */
bool mt_result_write_arrow (MtResult *r, const MtArrowSink *sink, uint64_t *rows, MtError *err);

/* Returns PostgreSQL's command tag, for example "INSERT 0 3". It is complete after the last row.
 * Borrowed until the result is freed. */
const char *mt_result_tag (const MtResult *r);
/* After the last row of CHECK: returns false with XX001 if faults were found; the rows of the
 * result describe them. Returns true for all other statements. */
bool mt_result_verdict (const MtResult *r, MtError *err);
/* Stops a running statement, and frees the result. NULL is allowed. */
void mt_result_free (MtResult *r);

/* Returns the milliseconds that planning and execution took so far. */
void mt_result_times (const MtResult *r, double *plan_ms, double *execute_ms);

/* ---- text that is read line by line ---- */

/* Whether an SQL text ends with a complete statement (READY), within a statement (CONTINUE), or
 * within a quote, comment or parenthesis that is not closed. */
typedef enum MtInputState {
   MT_INPUT_READY,
   MT_INPUT_CONTINUE,
   MT_INPUT_SINGLE_QUOTE,
   MT_INPUT_DOUBLE_QUOTE,
   MT_INPUT_DOLLAR_QUOTE,
   MT_INPUT_COMMENT,
   MT_INPUT_PAREN
} MtInputState;
/* Finds the end of the first statement in a text. Returns true if it is complete; *end is then the
 * position behind its ';'. Otherwise *state is what is not closed. */
bool mt_input_complete (const char *text, size_t len, size_t *end, MtInputState *state);

/* ---- tables and functions, for \d and completion; all results are in arena a ---- */

typedef struct MtLayoutInfo {
   const char *name, *preset, *options, *keeps;
   /* the names of the layout's collections, separated by commas */
   const char *collections;
   bool attached;
   /* the number of documents and their size, from the statistics in the catalog; < 0: not known */
   double documents, bytes;
   double disk_bytes; /* the size of the store's files for it; 0: not known */
   /* The levels from the document down, each as KIND(KEYS; AGGREGATES). `n` is a count of records.
    * For example "document(vAppid) > list(ts; n, sums)". */
   const char *levels;
} MtLayoutInfo;

typedef struct MtColumnInfo {
   const char *name, *type;
   /* the column's role: "time (period 60 s)", "dimension", "measure", "measure, counter" or "" */
   const char *role;
   bool not_null;
   /* the default value as an SQL expression; NULL: none */
   const char *default_sql;
   /* the comment of COMMENT ON; NULL: none */
   const char *comment;
} MtColumnInfo;

typedef struct MtTableInfo {
   const char *name;
   MtColumnInfo *columns;
   size_t column_count;
   MtLayoutInfo *layouts;
   size_t layout_count;
   /* the query that defines a view, materialized or not; NULL: a table */
   const char *definition;
   /* a materialized view, which has layouts, too */
   bool materialized;
   /* the comment of COMMENT ON; NULL: none */
   const char *comment;
   /* for each index, a text "name (column, …)" */
   const char **indexes;
   size_t index_count;
   /* a description of expire_after in words; NULL: rows never expire */
   const char *expires;
   /* a temporary table, in the schema pg_temp */
   bool temporary;
   /* the table can be named only with its schema: the schema is not in search_path, or another
    * relation of the same name is found first */
   bool hidden;
   /* for each CHECK constraint, a text "name" CHECK (condition) */
   const char **checks;
   size_t check_count;
   /* "public", "pg_temp" for a temporary table, or a schema of CREATE SCHEMA */
   const char *schema;
} MtTableInfo;

/* Returns all tables, then all views, each sorted by name. */
bool mt_tables (MtSession *s, MtArena *a, MtTableInfo **tables, size_t *count, MtError *err);
/* Returns the names of the collections that belong to no table. */
bool mt_other_collections (MtSession *s, MtArena *a, const char ***names, size_t *count,
                           MtError *err);
/* Returns the names of the databases of the session's server. */
bool mt_databases (MtSession *s, MtArena *a, const char ***names, size_t *count, MtError *err);

/* The objects of an extension, such as "function f(text)", sorted. */
typedef struct MtExtensionInfo {
   bool found; /* the target has the extension */
   const char **objects;
   size_t count;
} MtExtensionInfo;
/* Describes the objects that CREATE EXTENSION made for the extension `name`. Memory is allocated in
 * arena a. */
bool mt_extension_info (MtSession *s, MtArena *a, const char *name, MtExtensionInfo *out,
                        MtError *err);

/* How a value of an alert's row is to be written in JSON. */
typedef enum MtAlertForm {
   MT_ALERT_TEXT,
   MT_ALERT_NUMBER, /* the text is a number of JSON */
   MT_ALERT_BOOL,   /* the text is "t" or "f" */
   MT_ALERT_JSON    /* the text is JSON */
} MtAlertForm;
/* A column of an alert's row. */
typedef struct MtAlertCell {
   const char *name;
   const char *text; /* the value as PostgreSQL prints it; NULL: SQL NULL */
   MtAlertForm form;
} MtAlertCell;

/* An alert that begins or ends for one row of its query. Valid only during the call of
 * MtAlertCheck.notify. */
typedef struct MtAlertNotice {
   const char *alert;
   const char *state; /* "firing" or "missing": it begins; "ok": it has ended */
   int64_t since_ms;  /* the time of the check that found the row first */
   const MtAlertCell *cells;
   size_t count;
   bool missing;         /* the notice is about missing data, and has no cells */
   const char **command; /* the words of NOTIFY, ended by NULL; NULL: none */
} MtAlertNotice;

typedef struct MtAlertCheck {
   /* the names of the alerts to check; name_count 0: all alerts */
   const char *const *names;
   size_t name_count;
   /* Delivers a notice. If it returns false with *err set, the next check delivers the notice
    * again. It must return within 60 seconds, and must not use the session. */
   bool (*notify) (void *ctx, const MtAlertNotice *n, MtError *err);
   /* Receives the error of one alert. The remaining alerts are still checked. */
   void (*failed) (void *ctx, const char *alert, const MtError *err);
   void *ctx;
} MtAlertCheck;

typedef struct MtAlertOutcome {
   size_t firing; /* alerts that fire, or that lack data */
   size_t failed; /* calls of MtAlertCheck.failed */
} MtAlertOutcome;

/* Runs the query of each enabled alert that is due, once, and delivers a notice for each row that
 * begins to fire or has ended. An alert's state is saved in the target after its notices. So if the
 * program is killed, a notice may be delivered twice, but none is lost.
 *
 * Errors: 25006 a read-only target, 25001 within a transaction, 42704 an unknown name, 55006
 * another program checks the alerts of the target, 57014 cancelled. */
bool mt_check_alerts (MtSession *s, const MtAlertCheck *check, MtAlertOutcome *out, MtError *err);

/* A finished step of mt_maintain. Valid only during the call of MtMaintain.report. */
typedef struct MtMaintainStep {
   const char *step;   /* "retention", "refresh" or "vacuum" */
   const char *object; /* the table or view */
   const char *detail; /* what was done, in words; NULL: nothing to do */
   double ms;
   const MtError *error; /* NULL: the step succeeded */
} MtMaintainStep;

typedef struct MtMaintain {
   void (*report) (void *ctx, const MtMaintainStep *step); /* must not use the session */
   void *ctx;
} MtMaintain;

/* Maintains a target, once: removes expired rows of all tables, refreshes the continuous views that
 * are due, and vacuums tables. If a step fails, its error is reported and the other steps still
 * run. *failed is the number of failed steps.
 *
 * Errors: 25006 a read-only target, 25001 within a transaction, 55006 another program maintains the
 * target, 57014 cancelled. */
bool mt_maintain (MtSession *s, const MtMaintain *how, size_t *failed, MtError *err);

/* A field of a collection that belongs to no table, as found in a random sample of its
 * documents. */
typedef struct MtFieldInfo {
   /* the path of the field: "tags.host"; "readings[].v" within an array; "minutes.*" for the values
    * of an object whose keys are data */
   const char *path;
   /* the SQL type of the column for this field; "": the field is a part of a larger column */
   const char *type;
   /* the BSON types in the sample, for example "int 96%, string 4%" */
   const char *seen;
   /* the share of its parent documents that lack the field, from 0 to 1 */
   double missing;
} MtFieldInfo;

typedef struct MtCollectionInfo {
   const char *name;
   double documents, sampled, bytes;
   MtFieldInfo *fields;
   size_t field_count;
   /* names of fields that no path can name, for example because they contain dots; NULL: none */
   const char *hidden;
} MtCollectionInfo;

/* Describes a collection that belongs to no table, from a sample of documents (its size is SET
 * sample_size). *found is false if there is no such collection. */
bool mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out,
                         bool *found, MtError *err);

/* Returns in *text the SQL statements that declare a collection as a table: CREATE TABLE, and
 * CREATE LAYOUT if its documents are packed in a known way. If `name` is a CSV, JSON or BSON file,
 * or a pattern of file names, the statements are CREATE TABLE and COPY or INSERT. *found is false
 * if there is no such collection or file. Fails with 42501 for a file in a restricted session. */
bool mt_infer (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
               MtError *err);

typedef struct MtFunctionInfo {
   /* kind: "func", "agg" or "window" */
   const char *name, *signature, *summary, *example, *kind;
} MtFunctionInfo;
/* Returns all functions: built-in ones, those of extensions, and those of CREATE FUNCTION. */
bool mt_functions (MtSession *s, MtArena *a, MtFunctionInfo **out, size_t *count, MtError *err);
/* Returns the CREATE FUNCTION statement of a function. `name` is "f", or "f(integer, text)" if
 * several functions are called f. Errors: 42883 no such function, 42725 several functions with this
 * name. */
bool mt_function_definition (MtSession *s, MtArena *a, const char *name, const char **out,
                             MtError *err);

typedef struct MtPresetOptionInfo {
   /* `otherwise` is the default value of the setting */
   const char *name, *type, *otherwise, *summary;
} MtPresetOptionInfo;
/* A preset for USING of CREATE LAYOUT, with its options for WITH. */
typedef struct MtPresetInfo {
   const char *name, *summary, *example;
   const MtPresetOptionInfo *options;
   size_t option_count;
} MtPresetInfo;
/* Returns all presets. */
void mt_presets (MtArena *a, const MtPresetInfo **out, size_t *count);

/* ---- the work of \compare, --dump, --salvage and --aggregate ---- */

/* How a query reads a field of a document. */
typedef enum MtSampleUse {
   MT_SAMPLE_UNREAD,
   MT_SAMPLE_ENTRIES, /* the query counts or lists its entries, and reads no value */
   MT_SAMPLE_READ
} MtSampleUse;

/* A line of a printed sample document. The lines of a document or an array are followed by the
 * lines of its fields or elements, whose depth is greater by 1. */
typedef struct MtSampleLine {
   size_t depth; /* 0: the document itself */
   /* the name of the field; NULL: the document itself, or an element of an array */
   const char *name;
   /* the path of the field from the document's root, without array indexes: "minutes.rooms.sum" */
   const char *path;
   /* the value in mongosh's syntax, shortened if long; NULL: a document or an array */
   const char *text;
   bool array; /* an array, if text is NULL */
   /* if not 0, the line stands for this number of fields or elements that are left out; with a
    * name, of those in this field */
   uint64_t more;
   /* for a line that stands for several elements: MT_SAMPLE_READ if any part of them is read */
   MtSampleUse use;
} MtSampleLine;

/* A document of a layout, and which of its fields a query reads. */
typedef struct MtSample {
   const char *collection;
   double bytes; /* the size of the whole document */
   /* the fields that the query reads, as EXPLAIN (VERBOSE) prints them */
   const char *const *paths;
   size_t path_count;
   MtSampleLine *lines; /* none: the collection is empty */
   size_t line_count;
} MtSample;

/* The result of running a query on one layout. Numbers that are unknown are -1. */
typedef struct MtComparison {
   const char *layout;
   const char *cut;
   bool answers;
   /* the reason why this layout can't answer the query; NULL: it can */
   const char *reason;
   /* what the layout stores */
   double documents, bytes_stored;
   /* what one run reads */
   double documents_read, bytes_touched;
   double milliseconds; /* the median of `runs` runs */
   unsigned runs;       /* 1: a run takes more than a second */
   uint64_t rows;
   /* the aggregation pipeline in relaxed extended JSON, one stage per line */
   const char *pipeline;
   /* one document of each collection (store) of the layout that the query reads; of the first one
    * if the layout can't answer */
   MtSample *samples;
   size_t sample_count;
} MtComparison;

/* The first rows of a query's result, as text. */
typedef struct MtFirstRows {
   const char **names; /* of the columns */
   bool *numbers;      /* by column: its values are numbers */
   size_t columns;
   const char **cells; /* count rows of `columns` texts; NULL: SQL NULL */
   size_t count;
} MtFirstRows;

/* The results of running a query on each layout, in the order of \d. */
typedef struct MtComparisons {
   MtComparison *list;
   size_t count;
   MtFirstRows first; /* at most ten rows, of the first layout that answers */
} MtComparisons;
/* Runs a query on each layout that can answer it. A run of less than a second is repeated, and the
 * median time is reported. The results are allocated in arena a. Errors are those of mt_query. */
bool mt_compare (MtSession *s, MtArena *a, const char *sql, long len, MtComparisons *out,
                 MtError *err);

/* Writes all collections, including the catalog's, in mongodump's format: FOLDER/DATABASE/NAME.bson
 * and NAME.metadata.json; with `gzip`, each name ends with .gz. FOLDER/DATABASE must not exist.
 * After an error, files already written remain. The metadata lists the target's indexes; for an
 * embedded store, only the index on _id. Errors: 58030 failed output, 57014 cancelled. */
bool mt_dump (MtSession *s, const char *folder, const char *database, bool gzip, MtError *err);

/* A callback that receives each line of a report, without the line feed. */
typedef struct MtReport {
   void (*line) (void *ctx, const char *text);
   void *ctx;
} MtReport;
/* Copies everything in the damaged store `folder` that can be verified to a new store. The session
 * is used only for mt_cancel and progress. *whole is true if no data is lost. After an error there
 * is no new store. Errors: 58P01 no such folder, 42710 new_folder exists, XX001 the store is too
 * damaged, 53100 disk full, 57014 cancelled. */
bool mt_salvage (MtSession *s, const char *folder, const char *new_folder, MtReport report,
                 bool *whole, MtError *err);

/* The pipeline that mt_aggregate runs. */
typedef struct MtPipelineRun {
   /* the collection to read; "": the one that the text names, or none if the pipeline begins with
    * $documents */
   const char *collection;
   /* In mongosh's syntax: an array of stages, or db.NAME.aggregate([…], {…}). In the second form,
    * the object has the options of aggregate: allowDiskUse, batchSize, collation, comment, cursor,
    * explain, hint, let and maxTimeMS. */
   const char *text;
   /* if not NULL, the result is one document: the reply of MongoDB's explain command with this
    * verbosity */
   const char *explain;
   bool relaxed; /* relaxed extended JSON, else canonical */
} MtPipelineRun;

/* Runs a pipeline, which may end with $out or $merge. `emit` receives each document as a line of
 * extended JSON, and returns false to stop. err->span counts bytes of run->text. Errors: 42601 in
 * the text, 0A000 an option or stage that is not supported, 22023 invalid arguments, 57014
 * cancelled. err->code is MongoDB's number of the error; err->detail or err->context contains its
 * name. */
bool mt_aggregate (MtSession *s, const MtPipelineRun *run,
                   bool (*emit) (void *ctx, const char *line, size_t n), void *ctx, MtError *err);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
