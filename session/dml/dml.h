/* Statements that change rows, and writing to all layouts of a table. */
#ifndef MT_SESSION_DML_H
#define MT_SESSION_DML_H

#include "base/spool.h"
#include "session/continuous/continuous.h"
#include "session/core/core.h"

/* A change to one store of a table, for EXPLAIN. */
typedef struct MtStorePlan {
   const char *layout, *collection;
   const char *how;  /* the way in which documents of the store change, in EXPLAIN's words */
   MtPlan *affected; /* reads the documents that change; NULL: not planned */
} MtStorePlan;

/* A statement that writes, for EXPLAIN. */
typedef struct MtWritePlan {
   const char *verb, *table; /* "Insert", "Update" … */
   /* what COMMIT promises about durability (mt_commit_promise); NULL: the statement writes
    * nothing */
   const char *commit;
   MtStorePlan *stores;
   size_t store_count;
   MtPlan *source;     /* reads the rows to be written; NULL: VALUES, or no rows */
   const bson_t *each; /* expressions computed for each record of the documents; NULL: none */
   bool of_sums;       /* `each` is computed for each of the finest stored sums */
} MtWritePlan;

/* The least and greatest value that some rows have in the first column of a key. They limit the
 * search for duplicates. */
typedef struct MtKeyBounds {
   bool any, any_null; /* there are values; there are NULLs, in a key where NULLs are equal */
   /* the bounds cannot be used, because MongoDB orders some of the values differently from SQL */
   bool open;
   MtVal low, high;
   char *low_text, *high_text; /* buffers for texts, which are reused */
   size_t low_room, high_room;
} MtKeyBounds;

typedef struct MtWriteStep {
   MtStatement *st;
   const MtTable *table;
   const bool *only; /* by layout: whether the step writes to this layout; NULL: to all layouts */
   MtWriter *writer;
   MtKeyBounds *bounds; /* the bounds of the added rows, by key */
   /* The only row that was added so far, for the message if a server's unique index refuses it.
    * NULL: the table has no keys, or several rows or none were added. */
   MtVal *only_row;
   uint64_t added;
   int64_t keys_since; /* the time from which keys are known (mt_keys_since) */
   MtTouch *touch;     /* the buckets of continuous views that new rows touch; NULL: none read it */
} MtWriteStep;

/* COPY's options LOOKUP, LOOKUP_KEY and so on. If LOOKUP is given, `table` is set; each other
 * member is NULL if its option is not given. */
typedef struct MtCopyLookupOptions {
   const MtOption *table, *key, *valid, *columns, *missing;
} MtCopyLookupOptions;
typedef struct MtCopyLookup MtCopyLookup;

/* These functions run ANALYZE, INSERT and so on. mt_run_change runs UPDATE and DELETE. */
bool mt_run_analyze (MtStatement *st, MtError *err);
bool mt_run_insert (MtStatement *st, MtError *err);
bool mt_run_change (MtStatement *st, MtError *err);
bool mt_run_merge (MtStatement *st, MtError *err);
bool mt_run_with (MtStatement *st, MtError *err);
bool mt_run_truncate (MtStatement *st, MtError *err);
bool mt_run_copy (MtStatement *st, MtError *err);

/* These functions check an INSERT, UPDATE or DELETE without running it. *returned is the plan of
 * RETURNING; NULL: the statement has no RETURNING. */
bool mt_check_insert (MtStatement *st, const MtPlan **returned, MtError *err);
bool mt_check_change (MtStatement *st, const MtPlan **returned, MtError *err);

bool mt_check_merge (MtStatement *st, MtError *err);
/* Adds the rows of an INSERT … SELECT, with their defaults, to `rows` (mt_row_read reads them). */
bool mt_insert_gather (MtStatement *st, MtSpool *rows, MtError *err);

/* Copies the rows of a result, for an entry of WITH. */
bool mt_gather_entry (MtArena *a, MtResult *r, MtCteRows *out, MtError *err);

/* Returns whether a SELECT, INSERT, UPDATE or DELETE gives rows. */
bool mt_gives_rows (const MtStmt *s);
/* Checks the WITH entries of a statement one of whose entries changes rows, and sets up *main for
 * its main statement. */
bool mt_check_with (MtStatement *st, MtStatement *main, MtError *err);

/* Marks all buckets of the continuous views that read table t as stale. */
bool mt_touch_table (MtStatement *st, const MtTable *t, MtError *err);
/* Removes all rows of a table. Call it in the engine's open step (begin … commit). */
bool mt_truncate_table (MtStatement *st, const MtTable *t, MtError *err);

/* Reads the table or view that COPY's option LOOKUP names into memory, in the statement's arena.
 * Fails with 53200 if it is larger than work_mem. */
bool mt_copy_lookup_open (MtStatement *st, const MtTable *t, const MtCopyLookupOptions *o,
                          MtCopyLookup **out, MtError *err);
/* Returns whether COPY's option LOOKUP fills the column with this index. l NULL: false. */
bool mt_copy_lookup_fills (const MtCopyLookup *l, int column);

/* Sets the columns of `row` that LOOKUP fills. The values are borrowed from l. Fails with 23503 if
 * the other table has no row for the key, and the option LOOKUP_MISSING is error. */
bool mt_copy_lookup_row (const MtCopyLookup *l, MtVal *row, MtError *err);

/* Lists the stores of a table's layouts in *out for EXPLAIN. `how` describes the change of each
 * store; NULL: the text for adding rows. */
void mt_plan_stores (MtStatement *st, const MtTable *t, const char *how, MtWritePlan *out);

/* Removes all documents of a layout. Attached collections (which the layout did not create) are
 * emptied, the others are dropped. refill: the same step will write new documents. Call it in the
 * engine's open step (begin … commit). */
bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill,
                      MtError *err);

/* Opens a writer for the layouts of a table. only[i] is whether layout i is written; NULL: all
 * layouts are. Call it in the engine's open step (begin … commit). Owned: mt_write_close. */
bool mt_write_open (MtStatement *st, const MtTable *t, const bool *only, MtWriteStep *out,
                    MtError *err);

/* A callback for MtWriterOptions.records: reads records that are needed to add late rows.
 * `statement` is an MtStatement. */
bool mt_late_records (void *statement, const MtLateRecords *w, MtTakeRecord take, void *take_ctx,
                      MtError *err);

/* Adds a new row. A duplicate key is reported later, by mt_write_finish (23505). Existing rows that
 * are only written again go directly to w->writer, which checks no keys. */
bool mt_write_add (MtWriteStep *w, const MtVal *row, MtError *err);

/* Fails with 23502 if a new row has NULL in a NOT NULL column, or with 23514 if it violates a CHECK
 * constraint. */
bool mt_check_constraints (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Packs the added rows into documents and writes them, and checks the keys. *out is the table with
 * its new statistics, which the caller saves. */
bool mt_write_finish (MtWriteStep *w, MtTable *out, MtError *err);
/* Frees a write step's writer; nothing is committed or rolled back. */
void mt_write_close (MtWriteStep *w);

/* Returns a copy of the table, in arena a, whose statistics include `written`. written[i] has the
 * statistics of the stores of layout i; NULL: nothing to add. only[i] is whether layout i was
 * written; NULL: all layouts were. */
MtTable mt_table_with_stats (MtArena *a, const MtTable *t, const bool *only,
                             MtStoreStats *const *written);

/* A callback that adds all rows of a write step with mt_write_add. */
typedef bool (*MtFeed) (void *ctx, MtWriteStep *w, MtError *err);

/* Runs a whole write step: begins it, calls `feed` to add rows, saves the statistics, and commits.
 * An error rolls the whole step back. */
bool mt_write_step (MtStatement *st, const MtTable *t, MtFeed feed, void *ctx, MtError *err);

/* Writes all records of table `from` to one layout of table `to`, and sets the statistics of this
 * layout. Call it in the engine's open step (begin … commit). */
bool mt_fill_layout (MtStatement *st, const MtTable *from, MtTable *to, size_t layout,
                     MtError *err);

/* Extends the bounds of key k so that they include the value of a row, which is copied to arena
 * a. */
void mt_key_bounds_add (MtArena *a, const MtTableKey *k, MtKeyBounds *b, const MtVal *row);
/* Extends the bounds of each key of a table by the values of a row. */
void mt_keys_bounds_add (MtArena *a, const MtTable *t, MtKeyBounds *bounds, const MtVal *row);

/* Fails with 23505 if two rows of the table have the same key. bounds[i] limits the search for key
 * i to rows between the bounds; bounds NULL: searches all rows. Call it in the engine's open step
 * (begin … commit), after writing. */
bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err);
/* Like mt_check_unique, but for one key, among all rows. */
bool mt_check_key (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err);

/* Returns the time in ms before which the table has only sums, so that the keys of older rows are
 * not known. MT_NEVER_EXPIRES: all keys are known. */
int64_t mt_keys_since (const MtStatement *st, const MtTable *t);
/* Fails with 0A000 if a new row is older than since_ms, the time from which the keys of rows are
 * known. */
bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row,
                         MtError *err);

/* If err is the duplicate-key error of a server's unique index, replaces its message by
 * PostgreSQL's. Other errors stay unchanged. */
void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err);
/* Like mt_key_refused, for a statement that wrote the one row `row`, whose key goes into the
 * message. row NULL: several rows were written. */
void mt_key_refused_row (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Sets the error 23505 for key k with these values. Returns false. */
bool mt_report_duplicate (MtStatement *st, const MtTable *t, const MtTableKey *k,
                          const MtVal *values, MtError *err);

/* Reads the keys of the table's rows between the bounds: a result with the columns of key k. *out
 * is owned by the caller: mt_result_free. */
bool mt_keys_there (MtStatement *st, const MtTable *t, const MtTableKey *k,
                    const MtKeyBounds *bounds, MtResult **out, MtError *err);

/* The default values of a table's columns. */
typedef struct MtDefaults {
   const MtStatement *st;
   /* for each column: its default value; NULL if the column has none; MT_MISSING: volatile or
    * refused */
   MtVal *values;
   const MtX **own; /* by column: the expression of a volatile default; else NULL */
   /* for each column: the error if its default reads the changed table; else NULL */
   const MtError **refused;
   size_t count; /* the number of columns; 0: all defaults are in `values` */
} MtDefaults;

/* Evaluates the defaults of a table's columns, in the statement's arena. */
bool mt_table_defaults (MtStatement *st, const MtTable *t, MtDefaults *out, MtError *err);

/* Computes the volatile defaults, in arena a, for the columns of a row that are MT_MISSING. */
bool mt_row_defaults (const MtDefaults *d, MtArena *a, MtVal *row, MtError *err);

/* Reads all rows of a plan before the statement writes anything. *out is owned by the caller:
 * mt_result_free. */
bool mt_rows_of_plan (MtStatement *st, MtPlan *plan, MtResult **out, MtError *err);

/* Reads the remaining rows of result r to its end, and makes it return them from memory or a
 * temporary file. */
bool mt_spool_rows (MtStatement *st, MtResult *r, const MtPlan *plan, MtError *err);

/* Computes the statistics of all layouts of a table, and saves them. */
bool mt_analyze (MtStatement *st, const MtTable *t, MtError *err);

/* These functions plan an INSERT, UPDATE or DELETE for EXPLAIN. They write nothing. */
bool mt_plan_insert (MtStatement *st, MtWritePlan *out, MtError *err);
bool mt_plan_change (MtStatement *st, MtWritePlan *out, MtError *err);

#endif
