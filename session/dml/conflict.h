/* INSERT … ON CONFLICT: ignores or updates rows whose key exists in the table. */
#ifndef MT_CONFLICT_H
#define MT_CONFLICT_H

#include "session/dml/change.h"
#include "session/dml/dml.h"

typedef struct MtConflictRows {
   MtStatement *st;
   const MtTable *table;
   MtSpool *rows; /* all rows to insert */
   /* the keys of the rows, each with its state: ABSENT or THERE in the table, or DONE
    * (conflict.c) */
   MtRowMap *keys;
   MtVal *key;
   MtKeyBounds bounds;
   MtReturning *returning;
   uint64_t affected; /* rows inserted or changed */
   size_t rest;       /* rows whose keys exist in the table */
} MtConflictRows;

/* Checks that the ON CONFLICT clause names the table's key. Errors: 42P10 other columns, 42704 no
 * such constraint, 42601 a missing target, 0A000 not possible on this server. */
bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err);
/* Checks DO UPDATE without any rows, for PREPARE and EXPLAIN. */
bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err);
void mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out);
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
MtStmt *mt_conflict_update (MtStatement *st, const MtTable *t);

/* Fails with 0A000 if a server cannot run ON CONFLICT for this table. The hint gives the reason. */
bool mt_conflict_check_server (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_write_server (MtConflictRows *c, MtReturning *returning, MtError *err);

#endif
