/* Sequences: their definitions in the catalog, their state beside it, and the values that the
 * session has taken from them.
 *
 * A definition is an object of the kind "sequence". Its state is a document {last, called} without
 * a body, so that nextval does not change the catalog. In process the state changes in steps of
 * the store; on a server by findAndModify. A statement that takes many values reserves them in
 * growing numbers, and gives back the rest at its end. */
#ifndef MT_SESSION_SEQUENCE_H
#define MT_SESSION_SEQUENCE_H

#include "session/core/core.h"

typedef struct MtSequence {
   const char *name;
   const char *made; /* distinguishes sequences of one name; NULL: a new one */
   MtTypeId type;    /* MT_T_INT2, MT_T_INT4 or MT_T_INT8 */
   int64_t start, increment, least, most, cache;
   bool cycle;
   const char *table, *column; /* the owner: mt_table_id, and its column; NULL: none */
   bool identity;              /* belongs to an IDENTITY column */
} MtSequence;

/* Finds a sequence by its name, which is written as in SQL ("public.s"), or as it is stored
 * (`exact`). In arena a; *out NULL: there is none. */
bool mt_sequence_find (MtSession *s, MtArena *a, MtStr name, bool exact, MtSequence **out,
                       MtError *err);
/* Parses a column's default, in the statement's arena. A sequence without a schema is of public,
 * whatever search_path is. */
bool mt_parse_default (MtStatement *st, const MtColumn *c, MtExpr **out, MtError *err);
/* Returns all sequences, in arena a. */
MtSequence *mt_sequence_list (MtSession *s, MtArena *a, size_t *count);
/* Returns whether a sequence has this name, without regard to case. */
bool mt_is_sequence (MtSession *s, const char *name);

/* Saves a definition. Call it in the engine's open step. */
bool mt_sequence_save (MtStatement *st, const MtSequence *q, MtError *err);
/* Sets the state: the next value is `last`, or, if called, the one after it. */
bool mt_sequence_write (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err);
/* Reads the state. 42P01 if the sequence is gone. */
bool mt_sequence_read (MtSession *s, const MtSequence *q, int64_t *last, bool *called,
                       MtError *err);
/* Removes a sequence. Call it in the engine's open step. */
bool mt_sequence_remove (MtStatement *st, const MtSequence *q, MtError *err);

/* ---- shared by sequence.c and sequence_value.c ---- */

/* The _id of the state's document in the catalog's collection. */
MtVal mt_sequence_state (MtArena *a, const MtSequence *q);
/* Returns whether other clients can change the state at the same time. */
bool mt_sequence_is_shared (const MtSession *s, const MtSequence *q);
/* Like mt_sequence_write, but keeps what the session knows of the sequence. */
bool mt_sequence_store (MtSession *s, const MtSequence *q, int64_t last, bool called, MtError *err);

/* ---- owned sequences, in the step of a change of their table ---- */

bool mt_sequences_rename_table (MtStatement *st, const char *table, const char *to, MtError *err);
/* to NULL: the column is dropped, and its sequence with it. */
bool mt_sequences_rename_column (MtStatement *st, const char *table, const char *column,
                                 const char *to, MtError *err);
bool mt_sequences_drop (MtStatement *st, const char *table, MtError *err);
bool mt_sequences_restart (MtStatement *st, const char *table, MtError *err);

/* ---- values: nextval, currval, lastval, setval ---- */

bool mt_sequence_next (MtSession *s, MtStr name, int64_t *out, MtError *err);
bool mt_sequence_current (MtSession *s, MtStr name, int64_t *out, MtError *err);
bool mt_sequence_last (MtSession *s, int64_t *out, MtError *err);
bool mt_sequence_set (MtSession *s, MtStr name, int64_t value, bool called, MtError *err);

/* Gives back values that the last statement has reserved and not used. Errors are ignored: then
 * these values are lost. */
void mt_sequences_settle (MtSession *s);
/* Forgets the session's values: currval and lastval are no longer defined. */
void mt_sequences_forget (MtSession *s);
/* Drops reserved values after an error. */
void mt_sequences_failed (MtSession *s);
/* Stores the values that the session has taken in the transaction, as far as an undone step had
 * stored them. Call it before the transaction commits, or after its rollback (`undone`): values are
 * not taken back. After a rollback it reads the catalog again, so names in results of the session
 * are freed. */
void mt_sequences_raise (MtSession *s, bool undone);

#endif
