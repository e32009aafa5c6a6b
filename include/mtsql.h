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
 * A session is used by one thread at a time; only mt_cancel may be called from another thread or a
 * signal handler. Functions that can fail return false with *err set and leave their outputs
 * untouched.
 *
 * Where there is no memory a statement ends with 53200 and the session goes on. For that the
 * library reserves 16 MB of address space, or less where there is little.
 *
 * Files of stores and dumps are mapped. When one is cut short or its device fails, a statement that
 * reads it ends with XX001 or 58030. For that the library handles SIGBUS from the first such file
 * on, and hands on what isn't its own to the handler that was there before. The thread that calls
 * the library must not have SIGBUS blocked. */
#ifndef MTSQL_H
#define MTSQL_H

#include "base/error.h"
#include "types/type.h"

#define MTSQL_VERSION "0.1.0"

typedef struct MtSession MtSession;
typedef struct MtResult MtResult;

typedef struct MtOpenOptions {
   const char *target;   /* mongodb:// URI; path of a store (made if missing), dump folder, .bson or
                            .jsonl file; NULL: a temporary store */
   const char *password; /* of the URI's user, when the URI has none; NULL: none */
   const char *catalog;  /* --catalog FILE: where tables declared over a read-only target are kept;
                            NULL: in the session */
   bool read_only;
   bool restricted; /* no LOAD, no server-side files, no shell escapes; can't be turned off */
   /* COPY … FROM STDIN reads here: up to n bytes into buf; 0 at the end, -1 on error. NULL:
    * refused. */
   long (*read_stdin) (void *ctx, char *buf, size_t n);
   /* COPY … TO STDOUT writes here; false on error. NULL: refused. */
   bool (*write_stdout) (void *ctx, const char *buf, size_t n);
   /* How far a long statement is; called some ten times a second. NULL: not reported. */
   void (*progress) (void *ctx, const char *what, uint64_t done, uint64_t total, uint64_t rows);
   /* Warnings and notices, complete text without severity. NULL: dropped. */
   void (*notice) (void *ctx, const char *severity, const char *message, const char *hint);
   /* Called twice by mt_open: with the session before it connects to a server, and with NULL behind
    * that. In between mt_cancel (s) ends the attempt with 57014. NULL: not called. */
   void (*opening) (void *ctx, MtSession *s);
   void *ctx;
} MtOpenOptions;

/* Lets libbson and libmongoc take their memory as the library does. Where there is none, a
 * statement then ends with 53200 also when the driver needed it; without this call libbson ends the
 * process. It holds for the whole process, and replaces functions given to bson_mem_set_vtable
 * before. Memory stays malloc's. Called before the first session is opened, or never. */
void mt_memory_serve_driver (void);

/* Opens a session. Owned by the caller: mt_close. 08001 when there is no connection, 58P01, 58030,
 * XX001 … */
bool mt_open (const MtOpenOptions *options, MtSession **out, MtError *err);
void mt_close (MtSession *s); /* NULL is allowed */

/* Asks the running statement to end with 57014; asked again, it doesn't wait for a server to stop,
 * nor for what it wrote to be undone there (a warning says so). Async-signal-safe. */
void mt_cancel (MtSession *s);

/* After an error of class 08: makes the connection again; settings stay. 08001 when that fails;
 * each statement tries by itself. */
bool mt_reconnect (MtSession *s, MtError *err); /* an open transaction is rolled back */

/* Runs one statement (len -1: NUL-terminated; a trailing ';' is allowed). Rows are computed as they
 * are fetched, where they can be. The result is owned by the caller (mt_result_free) and must be
 * freed before the next mt_query of the session. An empty statement gives *out with no columns and
 * an empty tag. Errors' spans count bytes of `sql`. Several statements are one transaction, and
 * *out is the last one's result: see MtScript. */
bool mt_query (MtSession *s, const char *sql, long len, MtResult **out, MtError *err);

/* A text of statements, run one after the other. They are one transaction, which a server without
 * transactions undoes piece by piece, unless BEGIN, COMMIT or ROLLBACK among them says otherwise.
 * Nothing runs if one of them has a syntax error. The transaction ends with the last result: when
 * that has no rows, at once; else when its end is reached, or when it is freed, which reads the
 * rest of its rows. */
typedef struct MtScript {
   const char *sql; /* set by the caller, the rest 0; borrowed until the last call */
   size_t len;
   size_t at, end;                         /* the statement that ran last */
   bool last;                              /* no other follows it */
   bool begun, several, defines, undoable; /* private */
} MtScript;
/* Runs the next statement; *out = NULL: there is none. Ownership and errors as of mt_query: a
 * result is read to its end and freed before the next call. After an error nothing more may be
 * run. */
bool mt_script_next (MtSession *s, MtScript *script, MtResult **out, MtError *err);
/* Rolls back what a script left open: after an error, or when no more of it shall run. */
void mt_script_close (MtSession *s);

/* What a statement would give: a result with the columns of its rows, and no rows; none where it
 * gives none. Nothing is run, but values that its planning needs are computed. Ownership and errors
 * as of mt_query; 0A000 where the columns aren't known before it runs (CHECK, CALL and the
 * like). */
bool mt_describe (MtSession *s, const char *sql, long len, MtResult **out, MtError *err);

/* Whether a transaction block is open, and whether a statement of it has failed, so that only its
 * end is left. */
typedef enum MtTransactionState {
   MT_TRANSACTION_NONE,
   MT_TRANSACTION_OPEN,
   MT_TRANSACTION_FAILED
} MtTransactionState;
MtTransactionState mt_transaction_state (const MtSession *s);

bool mt_result_has_rows (
   const MtResult *r); /* it is a table, perhaps one without columns (SELECT;) */
size_t mt_result_columns (const MtResult *r); /* 0: no rows to come (INSERT, SET, …) */
const char *mt_result_name (const MtResult *r, size_t column);
MtType mt_result_type (const MtResult *r, size_t column);

/* Steps to the next row; *more = false at the end. */
bool mt_result_next (MtResult *r, bool *more, MtError *err);

/* The current row's value as PostgreSQL would print it, NUL-terminated, borrowed until the next
 * step; NULL for SQL NULL. *len (may be NULL) receives its length. */
const char *mt_result_text (MtResult *r, size_t column, size_t *len);
/* The current row's value itself, borrowed until the next step. */
MtVal mt_result_value (MtResult *r, size_t column);

/* PostgreSQL's command tag ("INSERT 0 3", "CREATE TABLE", "SELECT 10"); complete once the end was
 * reached. Borrowed. */
const char *mt_result_tag (const MtResult *r);
/* After the last row: whether all is well. CHECK gives the faults that it finds as rows, and then
 * XX001 here. */
bool mt_result_verdict (const MtResult *r, MtError *err);
void mt_result_free (MtResult *r); /* NULL is allowed; stops what is still running */

/* Milliseconds spent planning and executing so far. */
void mt_result_times (const MtResult *r, double *plan_ms, double *execute_ms);

/* Where a statement ends in text that is collected line by line: see parser/parser.h. */
typedef enum MtInputState {
   MT_INPUT_READY,
   MT_INPUT_CONTINUE,
   MT_INPUT_SINGLE_QUOTE,
   MT_INPUT_DOUBLE_QUOTE,
   MT_INPUT_DOLLAR_QUOTE,
   MT_INPUT_COMMENT,
   MT_INPUT_PAREN
} MtInputState;
bool mt_input_complete (const char *text, size_t len, size_t *end, MtInputState *state);

/* ---- what there is, for \d and completion; everything in arena a ---- */

typedef struct MtLayoutInfo {
   const char *name, *preset, *options, *keeps;
   const char *collections; /* comma-separated */
   bool attached;
   double documents, bytes; /* by the catalog's statistics; < 0: not known */
   const char
      *levels; /* "document(vAppid) > list(ts; n, sums) > list(iResult) > list(vCmdid) > records" */
} MtLayoutInfo;

typedef struct MtColumnInfo {
   const char *name, *type;
   const char *role; /* "time (period 60 s)", "dimension", "measure", "measure, counter", "" */
   bool not_null;
   const char *default_sql; /* NULL: none */
   const char *comment;     /* NULL: none */
} MtColumnInfo;

typedef struct MtTableInfo {
   const char *name;
   MtColumnInfo *columns;
   size_t column_count;
   MtLayoutInfo *layouts;
   size_t layout_count;
   const char *definition; /* of a view, materialized or not: its query; NULL: a table */
   bool materialized;      /* a materialized view: it has layouts, too */
   const char *comment;    /* NULL: none */
   const char **indexes;   /* "name (column, …)" */
   size_t index_count;
   const char *expires; /* when its rows expire, as a line of text; NULL: never */
   bool temporary;      /* a temporary table, of schema pg_temp */
   bool hidden;         /* a temporary table has its name: only public.NAME means it */
} MtTableInfo;

/* All tables, and then all views, each sorted by name. Collections that belong to no table are in
 * *collections (may be NULL). */
bool mt_tables (MtSession *s, MtArena *a, MtTableInfo **tables, size_t *count,
                const char ***collections, size_t *collection_count, MtError *err);
bool mt_databases (MtSession *s, MtArena *a, const char ***names, size_t *count,
                   MtError *err); /* \l: the target's name(s) */

/* A collection that belongs to no table, as a fresh random sample of it shows it (SET
 * sample_size). */
typedef struct MtFieldInfo {
   const char *path; /* "tags.host"; "readings[].v" inside arrays, "minutes.*" for a map's values */
   const char *type; /* of the column that it is; "" for what lies inside a column */
   const char *seen; /* "int 96%, string 4%" */
   double missing;   /* share of its parents that don't have it: 0 … 1 */
} MtFieldInfo;

typedef struct MtCollectionInfo {
   const char *name;
   double documents, sampled, bytes;
   MtFieldInfo *fields;
   size_t field_count;
   const char *hidden; /* names of fields that no path reaches; NULL: none */
} MtCollectionInfo;

/* *found = false: there is no such collection. */
bool mt_collection_info (MtSession *s, MtArena *a, const char *name, MtCollectionInfo *out,
                         bool *found, MtError *err);

/* \infer: statements that would declare the collection as a table: CREATE LAYOUT with a descriptor
 * when a sample shows documents packed in a way that is recognised, and CREATE TABLE. In arena a.
 * *found = false: there is no such collection. */
bool mt_infer (MtSession *s, MtArena *a, const char *name, const char **text, bool *found,
               MtError *err);

typedef struct MtFunctionInfo {
   const char *name, *signature, *summary, *example, *kind; /* kind: "func", "agg" or "window" */
} MtFunctionInfo;
bool mt_functions (MtSession *s, MtArena *a, MtFunctionInfo **out, size_t *count, MtError *err);
/* The statement that makes a function of CREATE FUNCTION again, in arena a. name: "f", or
 * "f(integer, text)" where there are several. 42883: there is none; 42725: there are several. */
bool mt_function_definition (MtSession *s, MtArena *a, const char *name, const char **out,
                             MtError *err);

/* The presets that USING takes, and what WITH says to each; in arena a. */
typedef struct MtPresetOptionInfo {
   const char *name, *type, *otherwise, *summary; /* otherwise: the default */
} MtPresetOptionInfo;
typedef struct MtPresetInfo {
   const char *name, *summary, *example;
   const MtPresetOptionInfo *options;
   size_t option_count;
} MtPresetInfo;
void mt_presets (MtArena *a, const MtPresetInfo **out, size_t *count);

/* \compare: the query on every layout that can answer it. rows in the order of cost. */
typedef struct MtComparison {
   const char *layout;
   const char *cut;
   bool answers;
   const char *reason; /* why not, when it can't */
   double documents, bytes_stored, bytes_touched, milliseconds;
   uint64_t rows;
   const char *pipeline; /* relaxed extended JSON, a stage a line */
} MtComparison;
bool mt_compare (MtSession *s, MtArena *a, const char *sql, long len, MtComparison **out,
                 size_t *count, MtError *err);

/* --dump: all collections, the catalog's too, as mongodump's files FOLDER/DATABASE/NAME.bson and
 * NAME.metadata.json, with gzip each NAME.….gz. FOLDER/DATABASE must be new; what was written
 * before an error stays. Indexes are those that the target lists; a store lists that on _id. */
bool mt_dump (MtSession *s, const char *folder, const char *database, bool gzip, MtError *err);

/* --salvage: makes the new store NEWFOLDER of everything in the damaged store FOLDER that can be
 * verified; only mt_cancel and progress need the session. `line` gets each line of the report,
 * without a newline. *whole: nothing is lost. On an error there is no NEWFOLDER: 58P01, 42710,
 * XX001, 53100, 57014. */
bool mt_salvage (MtSession *s, const char *folder, const char *new_folder,
                 void (*line) (void *ctx, const char *text), void *ctx, bool *whole, MtError *err);

/* --aggregate: a pipeline as mongosh reads it, on a collection ("": the one that the text names, or
 * none, for $documents). Errors have a span in bytes of `pipeline`. emit gets one line of canonical
 * extended JSON a document. */
bool mt_aggregate (MtSession *s, const char *collection, const char *pipeline,
                   bool (*emit) (void *ctx, const char *line, size_t n), void *ctx, MtError *err);

#endif
