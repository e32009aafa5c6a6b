/* INSERT … ON CONFLICT (conflict.c). Private to session/. */
#ifndef MT_CONFLICT_H
#define MT_CONFLICT_H

#include "session/change.h"

typedef struct MtConflictRows {
   MtStatement *st;
   const MtTable *table;
   MtSpool *rows;          /* all, as given */
   MtRowMap *keys;         /* of the rows, each with its state */
   MtVal *key;
   MtKeyBounds bounds;
   MtReturning *returning;
   uint64_t affected;      /* inserted or changed */
   size_t rest;            /* rows whose keys are in the table */
} MtConflictRows;

/* That the clause names the table's key: 42P10, 42704, 42601; 0A000 on servers. */
bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err);
/* Binds DO UPDATE without rows: PREPARE, EXPLAIN. */
bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err);
void mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out);
bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err); /* copied */
bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err);

#endif
