/* Two-step aggregates: an aggregate computes a state, functions read the state, and rollup merges
 * states of several groups. Names and meanings are those of TimescaleDB's Toolkit. */
#ifndef MT_SUMMARY_H
#define MT_SUMMARY_H

#include "base/bson.h"
#include "engine/local/group/state.h"
#include "functions/core/row.h"

struct MtSummaryReader;

/* A type of states. In memory a state has `size` bytes, and zeros mean "no rows yet". Stored, it is
 * a document {k: the type's name, v: MT_SUMMARY_VERSION, …}. Memory behind pointers is in
 * ev->arena. */
typedef struct MtStateKind {
   MtTypeId type;
   size_t size;
   /* Adds the rows of `from` to `into`, which does not point into the memory of `from` after. */
   bool (*merge) (MtEval *ev, void *into, const void *from);
   /* Adds the fields after k and v to `b`. False, without an error: the state has no rows. */
   bool (*write) (MtEval *ev, const void *state, MtBson *b);
   /* Reads a stored state into zeros. The caller checks r->ok after. */
   void (*read) (MtEval *ev, struct MtSummaryReader *r, void *state);
} MtStateKind;

#define MT_SUMMARY_VERSION 1

/* ---- reading a stored state ---- */

/* Reads the fields of a document. A field that is missing, or has another type, sets ok to false
 * and reads as 0. */
typedef struct MtSummaryReader {
   MtVal doc;
   bool ok;
   MtTypeId type; /* of the state */
} MtSummaryReader;

double mt_read_double (MtSummaryReader *r, const char *name);
int64_t mt_read_int (MtSummaryReader *r, const char *name);
int64_t mt_read_time (MtSummaryReader *r, const char *name); /* milliseconds since 1970 */
MtVal mt_read_array (MtSummaryReader *r, const char *name);  /* MT_MISSING: not an array */
/* Reads the name of a type. */
MtTypeId mt_read_type (MtSummaryReader *r, const char *name);
/* Reads an element of an array: a value of type t that isn't NULL, in the type's BSON form. Memory
 * of the value is borrowed from v, or in arena a. */
MtVal mt_read_element (MtSummaryReader *r, MtArena *a, MtTypeId t, MtVal v);
/* Returns a reader of an embedded document. An error in it sets r->ok, too, with mt_read_end. */
MtSummaryReader mt_read_doc (MtSummaryReader *r, const char *name);
void mt_read_end (MtSummaryReader *r, const MtSummaryReader *inner);

/* An array of the document, element by element. */
typedef struct MtSummaryList {
   MtDocIter it;
} MtSummaryList;

MtSummaryList mt_read_list (MtSummaryReader *r, const char *name);
size_t mt_list_count (const MtSummaryList *l);
bool mt_list_more (const MtSummaryList *l);
/* Read the next element; 0, and ok is false, if there is none or it has another type. */
double mt_list_double (MtSummaryReader *r, MtSummaryList *l);
int64_t mt_list_int (MtSummaryReader *r, MtSummaryList *l);
/* Returns bytes, borrowed from the document; MT_NULL: no such field, and ok stays as it is. */
MtVal mt_read_binary (MtSummaryReader *r, const char *name);

/* Reads an argument of a function into *state, which is zeros. XX001 if the document is not a state
 * of this type: it is damaged, or another version wrote it. */
bool mt_summary_read (MtEval *ev, const MtStateKind *s, MtVal v, void *state);
/* Makes the stored form of a state; null if it has no rows. */
bool mt_summary_write (MtEval *ev, const MtStateKind *s, const void *state, MtVal *out);

/* Checks that the caller of a function named the type of a state's values: 42804. */
bool mt_summary_type (MtTypeId type, MtVal named, MtError *err);

/* ---- values that a state keeps ---- */

/* A copy of a value. Its memory serves the next copies, too, so that a state that replaces values
 * has a bounded size. Zeros: no value. */
typedef struct MtKept {
   MtVal v;
   uint8_t *room;
   size_t size_bytes; /* of `room` */
} MtKept;

/* Replaces the value by a copy of v, with its bytes in arena a. */
void mt_keep (MtArena *a, MtKept *k, MtVal v);
/* Compares two values in a total order: mt_v_compare, then the BSON type and the bytes, so that 0
 * only means the same value. */
int mt_kept_compare (MtVal a, MtVal b);

/* Returns whether one of the first n arguments is NULL. For functions that are not strict. */
bool mt_any_null (const MtVal *args, int n);

/* ---- the rows of an aggregate ---- */

/* MtAggState's functions for a summary, which is ev->user. */
bool mt_summary_merge (MtEval *ev, void *into, const void *from);
bool mt_summary_save (MtEval *ev, const void *state, MtVal *out);
bool mt_summary_load (MtEval *ev, void *state, MtVal saved);
bool mt_summary_rollup (MtEval *ev, void *state, const MtVal *args, int argc);

/* The row of an aggregate. step_ adds a row to a state, a struct type_ of the MtStateKind summary_.
 * joins_: whether the rows are states of the result's type. */
#define MT_SUMMARY_ROW(name_, sig_, step_, joins_, type_, summary_, doc_, example_) \
   { \
      .name = name_, .signature = sig_, .summary = doc_, .example = example_, \
      .state = &(const MtAggState) \
      { \
         .size = sizeof (type_), .step = step_, .merge = mt_summary_merge, \
         .final = mt_summary_save, .save = mt_summary_save, .load = mt_summary_load, \
         .joins = joins_, .user = (void *) (uintptr_t) &(summary_) \
      } \
   }
#define MT_SUMMARY_AGG(name_, sig_, step_, type_, summary_, doc_, example_) \
   MT_SUMMARY_ROW (name_, sig_, step_, false, type_, summary_, doc_, example_)

/* The row of rollup for the SQL type sql_. */
#define MT_SUMMARY_ROLLUP(sql_, type_, summary_, example_) \
   MT_SUMMARY_ROW ("rollup", "state " sql_ " -> " sql_, mt_summary_rollup, true, type_, summary_, \
                   "one state of the rows of all states", example_)

#endif
