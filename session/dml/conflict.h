/* INSERT … ON CONFLICT (conflict.c). */
#ifndef MT_CONFLICT_H
#define MT_CONFLICT_H

#include "session/dml/change.h"
#include "session/dml/dml.h"

typedef struct MtConflictRows {
   MtStatement *st;
   const MtTable *table;
   MtSpool *rows;  /* all, as given */
   MtRowMap *keys; /* of the rows, each with its state */
   MtVal *key;
   MtKeyBounds bounds;
   MtReturning *returning;
   uint64_t affected; /* inserted or changed */
   size_t rest;       /* rows whose keys are in the table */
} MtConflictRows;

/* That the clause names the table's key: 42P10, 42704, 42601; 0A000 on servers. */
bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err);
/* Binds DO UPDATE without rows: PREPARE, EXPLAIN. */
bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err);
void mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out);
bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err); /* copied */
bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err);

/* ---- shared with conflict_server.c ---- */

/* VALUES of rows, as an item of FROM that has the table's columns, and behind them the rows'
 * numbers, if `number` names a column for them. */
typedef struct MtConflictValues {
   MtStatement *st;
   const MtTable *table;
   MtFrom *from;
   bool numbered;
} MtConflictValues;

void mt_conflict_values (MtStatement *st, const MtTable *t, const char *name, const char *number,
                         MtConflictValues *out);
void mt_conflict_value (MtConflictValues *v, MtParams *p, const MtVal *row, int32_t number);
/* The statement's own parameters, with room for more. */
void mt_conflict_params (MtStatement *st, size_t more, MtParams *out);
MtExpr *mt_qualified_column (MtStatement *st, const char *table, const MtColumn *c);
/* DO UPDATE as an UPDATE, without what FROM brings. */
MtStmt *mt_conflict_update (MtStatement *st, const MtTable *t);

/* Whether a server can do it: 0A000, with what is missing. */
bool mt_conflict_check_server (MtStatement *st, const MtTable *t, MtError *err);
bool mt_conflict_write_server (MtConflictRows *c, MtReturning *returning, MtError *err);

#endif
