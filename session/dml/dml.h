/* Statements that change rows, and writing to all layouts of a table. */
#ifndef MT_SESSION_DML_H
#define MT_SESSION_DML_H

#include "session/core/core.h"

/* What EXPLAIN shows of a change to one store. */
typedef struct MtStorePlan {
   const char *layout, *collection;
   const char *how;  /* how its documents change, as EXPLAIN prints it */
   MtPlan *affected; /* reads the documents that change; NULL: not planned */
} MtStorePlan;

/* What EXPLAIN shows of a statement that writes. */
typedef struct MtWritePlan {
   const char *verb, *table; /* "Insert", "Update" … */
   const char *commit;       /* mt_commit_promise; NULL: the statement writes nothing */
   MtStorePlan *stores;
   size_t store_count;
   MtPlan *source;     /* reads the rows to be written; NULL: VALUES, or no rows */
   const bson_t *each; /* expressions computed for each record of the documents; NULL: none */
   bool of_sums;       /* `each` is computed for each of the finest stored sums */
} MtWritePlan;

/* The least and greatest value of a key's first column in some rows. */
typedef struct MtKeyBounds {
   bool any;
   bool open; /* the bounds exclude nothing: MongoDB orders these values differently */
   MtVal low, high;
} MtKeyBounds;

typedef struct MtWriteStep {
   MtStatement *st;
   const MtTable *table;
   const bool *only; /* by layout; NULL: all */
   MtWriter *writer;
   MtKeyBounds bounds; /* of the rows added so far, if the table has a PRIMARY KEY */
   int64_t keys_since; /* mt_keys_since */
} MtWriteStep;

/* COPY's LOOKUP… options (session/dml/copy_lookup.c). `table` is always set; NULL elsewhere: not
 * given. */
typedef struct MtCopyLookupOptions {
   const MtOption *table, *key, *valid, *columns, *missing;
} MtCopyLookupOptions;
typedef struct MtCopyLookup MtCopyLookup;

/* The functions of the table of statements; mt_run_change runs UPDATE and DELETE. */
bool mt_run_analyze (MtStatement *st, MtError *err);
bool mt_run_insert (MtStatement *st, MtError *err);
bool mt_run_change (MtStatement *st, MtError *err);
bool mt_run_truncate (MtStatement *st, MtError *err);
bool mt_run_copy (MtStatement *st, MtError *err);

/* Check an INSERT, UPDATE or DELETE without running it. *returned is the plan of RETURNING; NULL
 * without one. */
bool mt_check_insert (MtStatement *st, const MtPlan **returned, MtError *err);
bool mt_check_change (MtStatement *st, const MtPlan **returned, MtError *err);

/* Removes all rows of a table. In the engine's open step. */
bool mt_truncate_table (MtStatement *st, const MtTable *t, MtError *err);

/* Reads the table or view of LOOKUP into the statement's arena. 53200 if it is larger than
 * work_mem. */
bool mt_copy_lookup_open (MtStatement *st, const MtTable *t, const MtCopyLookupOptions *o,
                          MtCopyLookup **out, MtError *err);
/* Whether LOOKUP fills a column; l may be NULL. */
bool mt_copy_lookup_fills (const MtCopyLookup *l, int column);

/* Sets the columns that LOOKUP fills; values are borrowed from l. 23503 if no row is found and
 * LOOKUP_MISSING is error. */
bool mt_copy_lookup_row (const MtCopyLookup *l, MtVal *row, MtError *err);

/* Lists the stores of a table's layouts in *out, all with the same `how`; NULL: as rows are
 * added to them. */
void mt_plan_stores (MtStatement *st, const MtTable *t, const char *how, MtWritePlan *out);

/* Removes all documents of a layout's collections. Attached collections are emptied, others
 * dropped. In the engine's open step. refill: the same step writes new documents. */
bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill,
                      MtError *err);

/* Opens a writer for the layouts of a table; only: by layout, NULL: all. In the engine's open step.
 * Close it with mt_write_close. */
bool mt_write_open (MtStatement *st, const MtTable *t, const bool *only, MtWriteStep *out,
                    MtError *err);

/* Adds a new row. mt_write_finish reports a duplicate key (23505). Rows that are only written
 * again go to the writer itself. */
bool mt_write_add (MtWriteStep *w, const MtVal *row, MtError *err);

/* 23502 if a new row has NULL in a NOT NULL column. */
bool mt_check_nulls (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Adds the failing row to an error as its detail; returns false. */
bool mt_row_detail (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Packs all rows. *out is the table with its new statistics, not saved yet. */
bool mt_write_finish (MtWriteStep *w, MtTable *out, MtError *err);
/* Frees the writer. */
void mt_write_close (MtWriteStep *w);

/* A copy of the table with `written` added to its statistics, by layout (NULL: nothing) and
 * store; only: as in mt_write_open. In arena a. */
MtTable mt_table_with_stats (MtArena *a, const MtTable *t, const bool *only,
                             MtStoreStats *const *written);

/* Adds the rows of a step with mt_write_add. */
typedef bool (*MtFeed) (void *ctx, MtWriteStep *w, MtError *err);

/* Runs a whole step: begins, calls `feed`, finishes, saves the statistics, and commits. An error
 * rolls all of it back. */
bool mt_write_step (MtStatement *st, const MtTable *t, MtFeed feed, void *ctx, MtError *err);

/* Writes all records of `from` to one layout of `to`, and sets its statistics. In the engine's
 * open step. */
bool mt_fill_layout (MtStatement *st, const MtTable *from, MtTable *to, size_t layout,
                     MtError *err);

/* Extends the bounds to a value, which is copied to arena a. */
void mt_key_bounds_add (MtArena *a, MtKeyBounds *b, MtVal v);

/* 23505 if two rows between the bounds (NULL: all rows) have the same key. In the engine's open
 * step, after writing. */
bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err);

/* The time in ms before which the table has sums only, so that keys are not known;
 * MT_NEVER_EXPIRES: none. mt_key_can_be_told: 0A000 if a new row is of such a time. */
int64_t mt_keys_since (const MtStatement *st, const MtTable *t);
bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row,
                         MtError *err);

/* Replaces the error of a server's unique index by SQL's words; others stay. */
void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err);

/* Reads the keys of the rows between the bounds. *out is owned by the caller: mt_result_free. */
bool mt_keys_there (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtResult **out,
                    MtError *err);

/* The values of the columns' defaults; NULL where there is none. */
typedef struct MtDefaults {
   const MtStatement *st;
   MtVal *values;   /* by column; MT_MISSING: the default is volatile, or refused */
   const MtX **own; /* by column: volatile defaults; else NULL */
   /* by column: the error of a default that reads the changed table; else NULL */
   const MtError **refused;
   size_t count; /* the number of columns; 0: no default is volatile or refused */
} MtDefaults;

/* Evaluates the defaults of a table's columns, in the statement's arena. */
bool mt_table_defaults (MtStatement *st, const MtTable *t, MtDefaults *out, MtError *err);

/* Computes the defaults of columns that are MT_MISSING in a row, in arena a. */
bool mt_row_defaults (const MtDefaults *d, MtArena *a, MtVal *row, MtError *err);

/* Reads a plan's rows as they are before the statement writes. *out is owned by the caller:
 * mt_result_free. */
bool mt_rows_of_plan (MtStatement *st, MtPlan *plan, MtResult **out, MtError *err);

/* Computes the statistics of all layouts of a table, and saves them. */
bool mt_analyze (MtStatement *st, const MtTable *t, MtError *err);

/* Plan an INSERT, UPDATE or DELETE for EXPLAIN. Nothing is written. */
bool mt_plan_insert (MtStatement *st, MtWritePlan *out, MtError *err);
bool mt_plan_change (MtStatement *st, MtWritePlan *out, MtError *err);

#endif
