/* Sequences: their definitions in the catalog, their states in separate documents, and the values
 * that the session has taken from them.
 *
 * A definition is a catalog object of the kind "sequence". The state is a document {last, called}
 * without a body, so that nextval does not change the catalog's version. On the embedded engine the
 * state is changed in write steps of the store, on a server by findAndModify. A statement that
 * takes many values reserves them in growing batches, and gives back the unused ones at its end. */
#ifndef MT_SESSION_SEQUENCE_H
#define MT_SESSION_SEQUENCE_H

#include "session/core/core.h"

typedef struct MtSequence {
   const char *name;
   const char *made; /* distinguishes successive sequences of one name; NULL: new */
   MtTypeId type;    /* MT_T_INT2, MT_T_INT4 or MT_T_INT8 */
   int64_t start, increment, least, most, cache;
   bool cycle;
   const char *table, *column; /* the owning column: its table (mt_table_id) and name; NULL: none */
   bool identity;              /* belongs to an IDENTITY column */
} MtSequence;

/* Finds a sequence by name, in arena a. The name is in SQL syntax ("public.s"), or, if `exact`, as
 * in the catalog. *out is NULL if there is none. */
bool mt_sequence_find (MtSession *s, MtArena *a, MtStr name, bool exact, MtSequence **out,
                       MtError *err);
/* Parses a column's default, in the statement's arena. A sequence named without a schema is in
 * public, independently of search_path. */
bool mt_parse_default (MtStatement *st, const MtColumn *c, MtExpr **out, MtError *err);
/* Returns all sequences, in arena a. */
MtSequence *mt_sequence_list (MtSession *s, MtArena *a, size_t *count);
/* Returns whether a sequence has this name, compared case-insensitively. */
bool mt_is_sequence (MtSession *s, const char *name);

/* Saves a sequence's definition. Call it in an open write step. */
bool mt_sequence_save (MtStatement *st, const MtSequence *q, MtError *err);
/* Sets a sequence's state: if called, `last` is the last value taken; otherwise, the next value. */
bool mt_sequence_write (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err);
/* Reads a sequence's state, as in mt_sequence_write. 42P01 if the sequence does not exist any
 * more. */
bool mt_sequence_read (MtSession *s, const MtSequence *q, int64_t *last, bool *called,
                       MtError *err);
/* Removes a sequence. Call it in an open write step. */
bool mt_sequence_remove (MtStatement *st, const MtSequence *q, MtError *err);

/* ---- shared by sequence.c and sequence_value.c ---- */

/* Returns the _id of the document with a sequence's state, in the catalog's collection. */
MtVal mt_sequence_state (MtArena *a, const MtSequence *q);
/* Returns whether other clients can change the sequence's state at the same time. */
bool mt_sequence_is_shared (const MtSession *s, const MtSequence *q);
/* Like mt_sequence_write, but keeps the session's cached data about the sequence. */
bool mt_sequence_store (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err);

/* ---- sequences owned by columns; call these in the write step that changes their table ---- */

bool mt_sequences_rename_table (MtStatement *st, const char *table, const char *to, MtError *err);
/* Renames the owning column in its sequence's definition. to NULL: the column is dropped, and so is
 * its sequence. */
bool mt_sequences_rename_column (MtStatement *st, const char *table, const char *column,
                                 const char *to, MtError *err);
bool mt_sequences_drop (MtStatement *st, const char *table, MtError *err);
bool mt_sequences_restart (MtStatement *st, const char *table, MtError *err);

/* ---- values: nextval, currval, lastval, setval ---- */

bool mt_sequence_next (MtSession *s, MtStr name, int64_t *out, MtError *err);
bool mt_sequence_current (MtSession *s, MtStr name, int64_t *out, MtError *err);
bool mt_sequence_last (MtSession *s, int64_t *out, MtError *err);
bool mt_sequence_set (MtSession *s, MtStr name, int64_t value, bool called, MtError *err);

/* Gives back the values that the last statement has reserved but not used. Errors are ignored; then
 * these values are lost. */
void mt_sequences_settle (MtSession *s);
/* Forgets the values that the session has taken, so that currval and lastval are undefined. */
void mt_sequences_forget (MtSession *s);
/* Forgets reserved values after an error, without giving them back. */
void mt_sequences_failed (MtSession *s);
/* Stores the values that the session has taken in the transaction, if the steps that had stored
 * them were undone, because taken values are never given out again. Call it before the transaction
 * commits, or after its rollback (`undone`). After a rollback it reads the catalog again, which
 * frees names in the session's results. */
void mt_sequences_raise (MtSession *s, bool undone);

#endif
