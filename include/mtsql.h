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

#include "base/error.h"
#include "types/type.h"

#define MTSQL_VERSION "0.1.0"

/* A connection to a target, with its settings, transaction and temporary tables. */
typedef struct MtSession MtSession;
/* The rows or the outcome of one statement. */
typedef struct MtResult MtResult;

/* The options of mt_open. Strings are borrowed until mt_open returns. Functions are called with
 * ctx until mt_close. */
typedef struct MtOpenOptions {
   /* a mongodb:// URI; the path of a store, which is created if it is missing; a dump folder; a
    * .bson or .jsonl file; NULL: a temporary store */
   const char *target;
   /* the password of a URI that has a user without one; NULL: none */
   const char *password;
   /* the file that keeps the table definitions if the target is read-only; NULL: they last only as
    * long as the session */
   const char *catalog;
   /* statements that change the target are refused */
   bool read_only;
   /* LOAD is refused, and so are files that a statement names; SQL can't turn this off */
   bool restricted;
   /* Reads data of COPY … FROM STDIN: up to n bytes into buf. Returns 0 at the end, -1 on error.
    * NULL: COPY FROM STDIN is refused. */
   long (*read_stdin) (void *ctx, char *buf, size_t n);
   /* Writes data of COPY … TO STDOUT. Returns false on error. NULL: COPY TO STDOUT is refused. */
   bool (*write_stdout) (void *ctx, const char *buf, size_t n);
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
} MtOpenOptions;

/* Makes libbson and libmongoc allocate memory as the library does. If memory is exhausted in the
 * driver, the statement then ends with 53200; without this call, libbson ends the process.
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

/* A text of statements, which run one after the other.
 *
 * They are one transaction, unless the text has BEGIN, COMMIT or ROLLBACK. On a server without
 * transactions, the changes are undone one by one. Nothing runs if a statement has a syntax error.
 * The transaction ends with the last result: immediately if that result has no rows, else when the
 * caller has read the last row or frees the result. */
typedef struct MtScript {
   /* the text, set by the caller; borrowed until the last call. The caller sets all other members
    * to 0. */
   const char *sql;
   size_t len;
   /* the statement that ran last is sql[at] to sql[end] */
   size_t at, end;
   /* the statement that ran last is the last one of the text */
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

/* Describes the result of a statement without running it: *out has the columns, but no rows.
 * Expressions whose values the planner needs are evaluated. Ownership and errors are those of
 * mt_query. Fails with 0A000 if the columns aren't known before the statement runs (CHECK, CALL and
 * the like). */
bool mt_describe (MtSession *s, const char *sql, long len, MtResult **out, MtError *err);

/* The state of the session's transaction block (BEGIN … COMMIT). After an error in a block, only
 * COMMIT and ROLLBACK are allowed. */
typedef enum MtTransactionState {
   MT_TRANSACTION_NONE,
   MT_TRANSACTION_OPEN,
   MT_TRANSACTION_FAILED
} MtTransactionState;
MtTransactionState mt_transaction_state (const MtSession *s);

/* ---- results ---- */

/* Returns whether the result is a table, perhaps without columns (SELECT;). */
bool mt_result_has_rows (const MtResult *r);
/* Returns the number of columns of a result; 0 for INSERT, SET and the like. */
size_t mt_result_columns (const MtResult *r);
/* Returns the name of a column of a result, borrowed until the result is freed. */
const char *mt_result_name (const MtResult *r, size_t column);
/* Returns the type of a column. */
MtType mt_result_type (const MtResult *r, size_t column);

/* Moves to the next row. *more is false if there is no other row. */
bool mt_result_next (MtResult *r, bool *more, MtError *err);

/* Returns a value of the current row as PostgreSQL prints it, ended by a NUL; NULL: SQL NULL.
 * *len (may be NULL): its length. Borrowed until the next mt_result_next. */
const char *mt_result_text (MtResult *r, size_t column, size_t *len);
/* Returns a value of the current row. Borrowed until the next mt_result_next. */
MtVal mt_result_value (MtResult *r, size_t column);

/* Returns PostgreSQL's command tag, for example "INSERT 0 3". It is complete after the last row.
 * Borrowed until the result is freed. */
const char *mt_result_tag (const MtResult *r);
/* Call it after the last row. Returns false with XX001 if the statement was CHECK and found faults;
 * the rows of the result describe the faults. */
bool mt_result_verdict (const MtResult *r, MtError *err);
/* Stops a running statement, and frees the result. NULL is allowed. */
void mt_result_free (MtResult *r);

/* Returns the milliseconds that planning and execution took so far. */
void mt_result_times (const MtResult *r, double *plan_ms, double *execute_ms);

/* ---- text that is read line by line ---- */

/* The construct that is not closed at the end of an SQL text, such as a quote or a comment. */
typedef enum MtInputState {
   MT_INPUT_READY,
   MT_INPUT_CONTINUE,
   MT_INPUT_SINGLE_QUOTE,
   MT_INPUT_DOUBLE_QUOTE,
   MT_INPUT_DOLLAR_QUOTE,
   MT_INPUT_COMMENT,
   MT_INPUT_PAREN
} MtInputState;
/* Finds the end of the first statement in a text. True: *end is the position after its ';'. False:
 * it is not complete, and *state is the open construct. */
bool mt_input_complete (const char *text, size_t len, size_t *end, MtInputState *state);

/* ---- tables and functions, for \d and completion; all results are in arena a ---- */

typedef struct MtLayoutInfo {
   const char *name, *preset, *options, *keeps;
   /* the names, separated by commas */
   const char *collections;
   bool attached;
   /* the number of documents and their size, from the statistics in the catalog; < 0: not known */
   double documents, bytes;
   /* the levels from the document down, for example "document(vAppid) > list(ts; n, sums)" */
   const char *levels;
} MtLayoutInfo;

typedef struct MtColumnInfo {
   const char *name, *type;
   /* "time (period 60 s)", "dimension", "measure", "measure, counter" or "" */
   const char *role;
   bool not_null;
   /* NULL: none */
   const char *default_sql;
   /* NULL: none */
   const char *comment;
} MtColumnInfo;

typedef struct MtTableInfo {
   const char *name;
   MtColumnInfo *columns;
   size_t column_count;
   MtLayoutInfo *layouts;
   size_t layout_count;
   /* the query of a view, materialized or not; NULL: a table */
   const char *definition;
   /* a materialized view, which has layouts, too */
   bool materialized;
   /* NULL: none */
   const char *comment;
   /* one text for each index: "name (column, …)" */
   const char **indexes;
   size_t index_count;
   /* a line of text about expire_after; NULL: rows never expire */
   const char *expires;
   /* a temporary table, in the schema pg_temp */
   bool temporary;
   /* a temporary table has the same name, so this table can be named only as public.NAME */
   bool hidden;
} MtTableInfo;

/* Returns all tables, then all views, each sorted by name. *collections: the collections without a
 * table; collections and collection_count may both be NULL. */
bool mt_tables (MtSession *s, MtArena *a, MtTableInfo **tables, size_t *count,
                const char ***collections, size_t *collection_count, MtError *err);
/* Returns the names of the target's databases. */
bool mt_databases (MtSession *s, MtArena *a, const char ***names, size_t *count, MtError *err);

/* A field of a collection without a table, from a random sample of documents. */
typedef struct MtFieldInfo {
   /* the place of the field: "tags.host", "readings[].v" inside arrays, "minutes.*" for values of a
    * map */
   const char *path;
   /* the SQL type of the field's column; "": the field is a part of a larger column */
   const char *type;
   /* the BSON types in the sample, for example "int 96%, string 4%" */
   const char *seen;
   /* the share of parent documents without the field, 0 to 1 */
   double missing;
} MtFieldInfo;

typedef struct MtCollectionInfo {
   const char *name;
   double documents, sampled, bytes;
   MtFieldInfo *fields;
   size_t field_count;
   /* names of fields that a path can't name; NULL: none */
   const char *hidden;
} MtCollectionInfo;

/* Describes a collection without a table. SET sample_size sets the size of the sample. *found is
 * false if no such collection exists. */
bool mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out,
                         bool *found, MtError *err);

/* Returns statements that declare a collection as a table: CREATE TABLE, and CREATE LAYOUT if the
 * documents of a sample are packed in a known way. *found is false if no such collection exists. */
bool mt_infer (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
               MtError *err);

typedef struct MtFunctionInfo {
   /* kind: "func", "agg" or "window" */
   const char *name, *signature, *summary, *example, *kind;
} MtFunctionInfo;
/* Returns all functions: built-in ones, those of extensions, and those of CREATE FUNCTION. */
bool mt_functions (MtSession *s, MtArena *a, MtFunctionInfo **out, size_t *count, MtError *err);
/* Returns the CREATE FUNCTION statement of a function. name: "f", or "f(integer, text)" if several
 * functions have the name. Errors: 42883 no such function, 42725 several functions have the
 * name. */
bool mt_function_definition (MtSession *s, MtArena *a, const char *name, const char **out,
                             MtError *err);

typedef struct MtPresetOptionInfo {
   /* `otherwise` is the default value of the setting */
   const char *name, *type, *otherwise, *summary;
} MtPresetOptionInfo;
/* A preset of USING, with its options in WITH. */
typedef struct MtPresetInfo {
   const char *name, *summary, *example;
   const MtPresetOptionInfo *options;
   size_t option_count;
} MtPresetInfo;
/* Returns all presets. */
void mt_presets (MtArena *a, const MtPresetInfo **out, size_t *count);

/* ---- the work of \compare, --dump, --salvage and --aggregate ---- */

/* The result of running a query on one layout. */
typedef struct MtComparison {
   const char *layout;
   const char *cut;
   bool answers;
   /* the reason why this layout can't answer the query; NULL: it can */
   const char *reason;
   double documents, bytes_stored, bytes_touched, milliseconds;
   uint64_t rows;
   /* the aggregation pipeline in relaxed extended JSON, one stage per line */
   const char *pipeline;
} MtComparison;
/* Runs a query on each layout that can answer it. The results are in arena a, the cheapest
 * first. Errors are those of mt_query. */
bool mt_compare (MtSession *s, MtArena *a, const char *sql, long len, MtComparison **out,
                 size_t *count, MtError *err);

/* Writes all collections, with the catalog's, in mongodump's format: FOLDER/DATABASE/NAME.bson and
 * NAME.metadata.json; with gzip, each name ends in .gz. FOLDER/DATABASE must not exist. After an
 * error, written files remain. The metadata lists the target's indexes; an embedded store has only
 * the index on _id. Errors: 58030 failed output, 57014 cancelled. */
bool mt_dump (MtSession *s, const char *folder, const char *database, bool gzip, MtError *err);

/* Copies everything in the damaged store `folder` that can be verified to a new store. The session
 * is used only for mt_cancel and progress. `line` receives each line of a report, without its line
 * feed. *whole is true if no data is lost. After an error there is no new store. Errors: 58P01 no
 * such folder, 42710 new_folder exists, XX001 the store is too damaged, 53100 disk full, 57014
 * cancelled. */
bool mt_salvage (MtSession *s, const char *folder, const char *new_folder,
                 void (*line) (void *ctx, const char *text), void *ctx, bool *whole, MtError *err);

/* Runs a pipeline, in mongosh's syntax, on a collection. collection "" means the collection that
 * the text names, or none for a pipeline that begins with $documents. emit receives each document
 * as a line of canonical extended JSON, and returns false to stop. err->span counts bytes of
 * `pipeline`. */
bool mt_aggregate (MtSession *s, const char *collection, const char *pipeline,
                   bool (*emit) (void *ctx, const char *line, size_t n), void *ctx, MtError *err);

#endif
