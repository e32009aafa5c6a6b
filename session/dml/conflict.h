/* INSERT … ON CONFLICT: ignores or updates rows whose key exists in the table. */
#ifndef MT_CONFLICT_H
#define MT_CONFLICT_H

#include "session/dml/change.h"
#include "session/dml/dml.h"

/* An arbiter: a key whose duplicates ON CONFLICT handles. */
typedef struct MtArbiter {
   const MtTableKey *key;
   MtX *where; /* the bound condition of a partial index; NULL: none */
   /* the keys of the rows to insert; the value is the key's state: ABSENT from the table, THERE in
    * the table, or DONE by this statement (conflict.c) */
   MtRowMap *map;
   MtVal *values; /* space for a row's key, followed by the key's state */
   MtKeyBounds bounds;
} MtArbiter;

typedef struct MtConflictRows {
   MtStatement *st;
   const MtTable *table;
   MtSpool *rows;       /* all rows to insert */
   MtArbiter *arbiters; /* DO UPDATE has exactly one */
   size_t arbiter_count;
   MtArena *one; /* memory for one row, reused for the next */
   MtReturning *returning;
   uint64_t affected; /* rows inserted or changed */
   size_t rest;       /* the number of rows whose keys are already in the table */
} MtConflictRows;

/* Checks that the ON CONFLICT clause names a key of the table. Errors: 42P10 no key has these
 * columns, 42704 there is no such constraint, 42601 DO UPDATE without a conflict target, 0A000 not
 * possible on this server. */
bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err);
/* Checks DO UPDATE by analyzing it without rows, for PREPARE and EXPLAIN. */
bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out, MtError *err);
/* Adds a copy of a row to the rows to insert. */
bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err);
bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err);

/* ---- shared with conflict_server.c ---- */

/* An item (VALUES …) of FROM with rows of the table. numbered: each row is followed by a number. */
typedef struct MtConflictValues {
   MtStatement *st;
   const MtTable *table;
   MtFrom *from;
   bool numbered;
} MtConflictValues;

void mt_conflict_values (MtStatement *st, const MtTable *t, const char *name, const char *number,
                         MtConflictValues *out);
void mt_conflict_value (MtConflictValues *v, MtParams *p, const MtVal *row, int32_t number);
/* Copies the statement's parameters to *out, which has space for `more` further ones. */
void mt_conflict_params (MtStatement *st, size_t more, MtParams *out);
MtExpr *mt_qualified_column (MtStatement *st, const char *table, const MtColumn *c);
/* Sets *out to the UPDATE statement for DO UPDATE, with an empty FROM, which the caller fills. */
bool mt_conflict_update (MtStatement *st, const MtTable *t, MtStmt **out, MtError *err);
/* Sets *counts to whether a row can conflict by the arbiter's key: no key column is NULL (unless
 * NULLs are equal), and the row meets the condition of a partial index. */
bool mt_arbiter_counts (MtConflictRows *c, const MtArbiter *b, const MtVal *row, bool *counts,
                        MtError *err);

/* Finds the arbiters, the keys whose duplicates ON CONFLICT handles: the key of the conflict
 * target, or all keys of the table if there is no target. */
bool mt_conflict_arbiters (MtStatement *st, const MtTable *t, const MtTableKey ***out,
                           size_t *count, MtError *err);
/* Fails with 0A000 if ON CONFLICT for this table cannot run on a server. The hint gives the
 * reason. */
bool mt_conflict_check_server (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_write_server (MtConflictRows *c, MtReturning *returning, MtError *err);

#endif
