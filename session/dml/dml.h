/* Statements that change rows, and writing into all layouts of a table. */
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

/* One statement with its result: see mt_query. */
bool mt_run_analyze (MtStatement *st, MtError *err);

/* session/ddl/sweep.c: whether anything can expire; what has is removed, a bounded number of
 * documents. In a statement that writes. */
bool mt_run_insert (MtStatement *st, MtError *err); /* session/dml/insert.c */
bool mt_run_change (MtStatement *st, MtError *err); /* session/dml/change.c */

/* The same of one statement: *returned is the plan of its RETURNING, NULL without one. */
bool mt_check_insert (MtStatement *st, const MtPlan **returned, MtError *err);
bool mt_check_change (MtStatement *st, const MtPlan **returned, MtError *err);

bool mt_run_truncate (MtStatement *st, MtError *err); /* session/dml/truncate.c */
bool mt_truncate_table (MtStatement *st, const MtTable *t,
                        MtError *err);            /* in the engine's open step */
bool mt_run_copy (MtStatement *st, MtError *err); /* session/dml/copy.c */

/* Reads the table, or view, that records are completed from. It lives in the statement's arena.
 * 53200 when it is larger than work_mem. */
bool mt_copy_lookup_open (MtStatement *st, const MtTable *t, const MtCopyLookupOptions *o,
                          MtCopyLookup **out, MtError *err);
bool mt_copy_lookup_fills (const MtCopyLookup *l, int column); /* l may be NULL */

/* Sets the columns that it fills, to values borrowed from l. 23503 where none is found and
 * LOOKUP_MISSING is error. */
bool mt_copy_lookup_row (const MtCopyLookup *l, MtVal *row, MtError *err);

/* The stores of a table's layouts, each with the same `how`; NULL: as rows are added to it. */
void mt_plan_stores (MtStatement *st, const MtTable *t, const char *how, MtWritePlan *out);

/* Takes all documents out of a layout's collections (which others may have made: those are emptied,
 * not dropped). In the engine's open step. refill: others come in the same step. */
bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill,
                      MtError *err);

bool mt_write_open (MtStatement *st, const MtTable *t, const bool *only, MtWriteStep *out,
                    MtError *err);

/* A new row, of which others may have the key: 23505 by mt_write_finish. What is only written anew
 * goes to the writer itself. */
bool mt_write_add (MtWriteStep *w, const MtVal *row, MtError *err);

/* That a new row has no NULL where its table forbids it: 23502. */
bool mt_check_nulls (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Adds the row that failed to an error, as its detail; returns false. */
bool mt_row_detail (MtStatement *st, const MtTable *t, const MtVal *row, MtError *err);

/* Packs everything; *out is the table with its new statistics, not saved yet. */
bool mt_write_finish (MtWriteStep *w, MtTable *out, MtError *err);
void mt_write_close (MtWriteStep *w);

/* A copy of the table whose statistics have what was written besides, by layout (NULL: nothing) and
 * store; only: as mt_write_open's. In arena a. */
MtTable mt_table_with_stats (MtArena *a, const MtTable *t, const bool *only,
                             MtStoreStats *const *written);

/* One whole step: begin, feed (calls mt_writer_add), finish, save the statistics, commit; all or
 * nothing. */
typedef bool (*MtFeed) (void *ctx, MtWriteStep *w, MtError *err);

bool mt_write_step (MtStatement *st, const MtTable *t, MtFeed feed, void *ctx, MtError *err);

/* Reads all records of `from` and writes them into one layout of `to`, whose statistics are set. In
 * the engine's open step. */
bool mt_fill_layout (MtStatement *st, const MtTable *from, MtTable *to, size_t layout,
                     MtError *err);

void mt_key_bounds_add (MtArena *a, MtKeyBounds *b, MtVal v);

/* That no two rows have the same key, of those between the bounds (NULL: of all): 23505. In the
 * engine's open step, after writing. */
bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err);

/* The time before which a table has sums, and no rows whose keys could be told; MT_NEVER_EXPIRES:
 * there is none. That a new row isn't of such a time: 0A000. */
int64_t mt_keys_since (const MtStatement *st, const MtTable *t);
bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row,
                         MtError *err);

/* An error that a server's unique index made, in SQL's words; others stay as they are. */
void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err);

/* The keys of the rows between the bounds. Owned by the caller: mt_result_free. */
bool mt_keys_there (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtResult **out,
                    MtError *err);

/* The columns' defaults, evaluated now; NULL where there is none. */
typedef struct MtDefaults {
   const MtStatement *st;
   MtVal *values;   /* by column; MT_MISSING: each row has one of its own, since the default is
                       volatile */
   const MtX **own; /* those, by column, else NULL */
   const MtError **refused; /* by column: why rows can't have the default, which reads the table
                               that the statement changes; else NULL */
   size_t count;            /* of columns; 0: none has one of its own */
} MtDefaults;

bool mt_table_defaults (MtStatement *st, const MtTable *t, MtDefaults *out, MtError *err);

/* Where a row still has MT_MISSING it gets what is its own, in arena a. */
bool mt_row_defaults (const MtDefaults *d, MtArena *a, MtVal *row, MtError *err);

/* A plan's rows, none of which is changed by what is written while they are read. Owned by the
 * caller: mt_result_free. */
bool mt_rows_of_plan (MtStatement *st, MtPlan *plan, MtResult **out, MtError *err);

/* Counts what all layouts of a table have, and saves it: ANALYZE. */
bool mt_analyze (MtStatement *st, const MtTable *t, MtError *err);

bool mt_plan_insert (MtStatement *st, MtWritePlan *out, MtError *err); /* session/dml/insert.c */
bool mt_plan_change (MtStatement *st, MtWritePlan *out, MtError *err); /* session/dml/change.c */

#endif
