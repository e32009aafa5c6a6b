/* INSERT … ON CONFLICT: ignores or updates rows whose key exists in the table. */
#ifndef MT_CONFLICT_H
#define MT_CONFLICT_H

#include "session/dml/change.h"
#include "session/dml/dml.h"

/* A key that decides which rows conflict. */
typedef struct MtArbiter {
   const MtTableKey *key;
   MtX *where; /* the bound condition of a partial index; NULL: none */
   /* the keys of the rows, each with its state: ABSENT or THERE in the table, or DONE
    * (conflict.c) */
   MtRowMap *map;
   MtVal *values; /* room for a key and its state */
   MtKeyBounds bounds;
} MtArbiter;

typedef struct MtConflictRows {
   MtStatement *st;
   const MtTable *table;
   MtSpool *rows;       /* all rows to insert */
   MtArbiter *arbiters; /* for DO UPDATE one */
   size_t arbiter_count;
   MtArena *one; /* for one row at a time */
   MtReturning *returning;
   uint64_t affected; /* rows inserted or changed */
   size_t rest;       /* rows whose keys exist in the table */
} MtConflictRows;

/* Checks that the ON CONFLICT clause names a key of the table. Errors: 42P10 other columns, 42704
 * no such constraint, 42601 a missing target, 0A000 not possible on this server. */
bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err);
/* Checks DO UPDATE without any rows, for PREPARE and EXPLAIN. */
bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out, MtError *err);
/* Adds a row to insert, which is copied. */
bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err);
bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err);

/* ---- shared with conflict_server.c ---- */

/* An item (VALUES …) of FROM that holds rows of the table, each followed by the row's number if
 * `numbered`. */
typedef struct MtConflictValues {
   MtStatement *st;
   const MtTable *table;
   MtFrom *from;
   bool numbered;
} MtConflictValues;

void mt_conflict_values (MtStatement *st, const MtTable *t, const char *name, const char *number,
                         MtConflictValues *out);
void mt_conflict_value (MtConflictValues *v, MtParams *p, const MtVal *row, int32_t number);
/* Copies the statement's parameters, with room for `more` further parameters. */
void mt_conflict_params (MtStatement *st, size_t more, MtParams *out);
MtExpr *mt_qualified_column (MtStatement *st, const char *table, const MtColumn *c);
/* Makes the UPDATE statement for DO UPDATE, with an empty FROM. */
bool mt_conflict_update (MtStatement *st, const MtTable *t, MtStmt **out, MtError *err);
/* Sets *counts to whether a row can conflict: the arbiter's key counts in it, and it meets the
 * condition. */
bool mt_arbiter_counts (MtConflictRows *c, const MtArbiter *b, const MtVal *row, bool *counts,
                        MtError *err);

/* Finds the keys that decide which rows conflict: one for DO UPDATE, all keys without a target. */
bool mt_conflict_arbiters (MtStatement *st, const MtTable *t, const MtTableKey ***out,
                           size_t *count, MtError *err);
/* Fails with 0A000 if a server cannot run ON CONFLICT for this table. The hint gives the reason. */
bool mt_conflict_check_server (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_write_server (MtConflictRows *c, MtReturning *returning, MtError *err);

#endif
