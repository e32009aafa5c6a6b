/* Two-step aggregates: an aggregate computes a state, functions compute results from the state, and
 * rollup merges the states of several groups. Names and meanings are those of TimescaleDB's
 * Toolkit. */
#ifndef MT_SUMMARY_H
#define MT_SUMMARY_H

#include "base/bson.h"
#include "engine/local/group/state.h"
#include "functions/core/row.h"

struct MtSummaryReader;

/* A type of state. In memory a state is a struct of `size` bytes, where all zeros means "no rows
 * yet". Stored, it is a document {k: name of the type, v: MT_SUMMARY_VERSION, …}. Memory to which
 * the struct points is allocated in ev->arena. */
typedef struct MtStateKind {
   MtTypeId type;
   size_t size;
   /* Adds the rows of state `from` to state `into`, which must not point into the memory of `from`
    * afterwards. */
   bool (*merge) (MtEval *ev, void *into, const void *from);
   /* Appends the fields behind k and v to `b`. Returns false without an error if the state has no
    * rows. */
   bool (*write) (MtEval *ev, const void *state, MtBson *b);
   /* Reads a stored state into `state`, which is all zeros. The caller checks r->ok afterwards. */
   void (*read) (MtEval *ev, struct MtSummaryReader *r, void *state);
} MtStateKind;

#define MT_SUMMARY_VERSION 1

/* ---- reading a stored state ---- */

/* Reads the fields of a document. If a field is missing or has the wrong type, ok becomes false,
 * and the value read is 0. */
typedef struct MtSummaryReader {
   MtVal doc;
   bool ok;
   MtTypeId type; /* of the state */
} MtSummaryReader;

double mt_read_double (MtSummaryReader *r, const char *name);
int64_t mt_read_int (MtSummaryReader *r, const char *name);
int64_t mt_read_time (MtSummaryReader *r, const char *name); /* milliseconds since 1970 */
MtVal mt_read_array (MtSummaryReader *r, const char *name);  /* MT_MISSING: not an array */
/* Reads a field that is the name of a type. */
MtTypeId mt_read_type (MtSummaryReader *r, const char *name);
/* Reads v, an element of an array, as a value of type t, which must not be NULL and must have that
 * type's BSON form. The result borrows from v, or from arena a. */
MtVal mt_read_element (MtSummaryReader *r, MtArena *a, MtTypeId t, MtVal v);
/* Returns a reader for the embedded document `name`. Call mt_read_end (r, inner) at the end, which
 * sets r->ok to false if inner->ok is false. */
MtSummaryReader mt_read_doc (MtSummaryReader *r, const char *name);
void mt_read_end (MtSummaryReader *r, const MtSummaryReader *inner);

/* Iterates over an array field. */
typedef struct MtSummaryList {
   MtDocIter it;
} MtSummaryList;

MtSummaryList mt_read_list (MtSummaryReader *r, const char *name);
size_t mt_list_count (const MtSummaryList *l);
bool mt_list_more (const MtSummaryList *l);
/* Read the next element. If there is none, or it has another type, return 0 and set r->ok to
 * false. */
double mt_list_double (MtSummaryReader *r, MtSummaryList *l);
int64_t mt_list_int (MtSummaryReader *r, MtSummaryList *l);
/* Returns the bytes of a field, borrowed from the document. MT_NULL: there is no such field, which
 * leaves r->ok unchanged. */
MtVal mt_read_binary (MtSummaryReader *r, const char *name);

/* Reads a function's argument v, a stored state of type s, into *state, which must be all zeros.
 * Fails with XX001 if it is not such a document, because it is damaged or was written by another
 * version. */
bool mt_summary_read (MtEval *ev, const MtStateKind *s, MtVal v, void *state);
/* Sets *out to the stored form of a state; null if it has no rows. */
bool mt_summary_write (MtEval *ev, const MtStateKind *s, const void *state, MtVal *out);

/* Checks that `named`, the type name that the caller passes, is the type of a state's values.
 * Otherwise fails with 42804. */
bool mt_summary_type (MtTypeId type, MtVal named, MtError *err);

/* ---- values that a state keeps ---- */

/* A copy of a value. Its memory is reused for the next copy, so that the size of a state whose
 * values are replaced is limited. All zeros: no value. */
typedef struct MtKept {
   MtVal v;
   uint8_t *room;
   size_t size_bytes; /* of `room` */
} MtKept;

/* Replaces the value by a copy of v. Memory comes from arena a. */
void mt_keep (MtArena *a, MtKept *k, MtVal v);
/* Compares two values in a total order, so that only identical values give 0: by mt_v_compare, then
 * by BSON type, then by bytes. */
int mt_kept_compare (MtVal a, MtVal b);

/* Returns whether any of the first n arguments is NULL. For functions that are not strict. */
bool mt_any_null (const MtVal *args, int n);

/* ---- the rows of an aggregate ---- */

/* MtAggState's functions (merge, save, load, and step of rollup) for a type of state, MtStateKind,
 * which ev->user is. */
bool mt_summary_merge (MtEval *ev, void *into, const void *from);
bool mt_summary_save (MtEval *ev, const void *state, MtVal *out);
bool mt_summary_load (MtEval *ev, void *state, MtVal saved);
bool mt_summary_rollup (MtEval *ev, void *state, const MtVal *args, int argc);

/* The row of an aggregate. step_ adds a row to a state, which is a struct type_ of the MtStateKind
 * summary_. joins_: the aggregate's arguments are themselves states, which it merges. */
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

/* The row of the aggregate rollup for the SQL type sql_ of states. */
#define MT_SUMMARY_ROLLUP(sql_, type_, summary_, example_) \
   MT_SUMMARY_ROW ("rollup", "state " sql_ " -> " sql_, mt_summary_rollup, true, type_, summary_, \
                   "one state of the rows of all states", example_)

#endif
