/* Structures and functions that the files of accumulators share, for accumulators that keep several
 * values of a group. */
#ifndef MT_ACCUM_INT_H
#define MT_ACCUM_INT_H

#include "base/double_key.h"
#include "engine/local/group/group.h"

#include <math.h>
#include <string.h>

/* A list of values. If it is a set with many values, it also has a hash index. */
typedef struct MtAccList {
   MtVal *v;
   uint32_t n, cap;
   uint32_t *index, mask;
} MtAccList;

/* The n rows that come first in sort order, among those added so far. Each row has the sort keys,
 * then the output value, in v, and its number in the input in seq. */
typedef struct MtAccTop {
   MtVal *v;
   uint64_t *seq;
   uint32_t n, cap;
} MtAccTop;

/* A list of 64-bit keys that stand for numbers and have their sort order (numbers.c). If it is
 * zeroed, it is empty. */
typedef struct MtNumbersPart MtNumbersPart;
typedef struct MtNumbers {
   MtNumbersPart *last;
   uint64_t n;
} MtNumbers;

/* Adds to list s the key of a number. The memory is that of the table of groups. Returns false with
 * w->err set on failure. */
bool mt_numbers_add (MtGroupTable *t, MtNumbers *s, uint64_t key, MtWork *w);
/* Adds all keys of list `from` to list `into`. Returns false with w->err set, also if the statement
 * was cancelled. */
bool mt_numbers_join (MtGroupTable *t, MtNumbers *into, const MtNumbers *from, MtWork *w);
/* Finds the key with this rank (from 0) in sort order, and the next one (the same one if it is the
 * last). There must be more than `rank` keys. Returns false with w->err set, also if the statement
 * was cancelled. */
bool mt_numbers_at (const MtNumbers *s, uint64_t rank, MtWork *w, uint64_t *key, uint64_t *next);
/* mt_numbers_save appends the keys to b, for a temporary file. mt_numbers_load reads them back from
 * *p. It returns false with w->err set if memory is exhausted, or without an error if the bytes up
 * to `end` are not such keys. */
void mt_numbers_save (const MtNumbers *s, MtBson *b);
bool mt_numbers_load (MtGroupTable *t, MtNumbers *s, const uint8_t **p, const uint8_t *end,
                      MtWork *w);
/* Calls fn (ctx, keys, n) for arrays of n keys each until all keys were passed, in no particular
 * order, or fn returns false. Returns false if fn did. */
typedef bool MtNumbersFn (void *ctx, const uint64_t *keys, uint32_t n);
bool mt_numbers_each (const MtNumbers *s, MtNumbersFn *fn, void *ctx);

#define MT_LISTED 0xFF

/* The state of $_mtSorted for a group. If only the value at one rank is needed, and all values are
 * numbers or times of the same type, it has keys. Otherwise it has a list of all values. */
typedef struct MtSortedState {
   MtAccList list;
   MtNumbers numbers;
   uint8_t type; /* type of the keys; 0: no value yet; MT_LISTED: the list has the values */
} MtSortedState;

/* Returns a copy of `v` in the arena of the table of groups. */
MtVal mt_acc_own (MtGroupTable *t, MtVal v);
/* Checks that the values of one group fit into memory. They must, because a single group can't be
 * written to a file in parts. Fails with 53200 if they are much larger than work_mem. */
bool mt_acc_fits (size_t size_bytes, MtWork *w);

/* An operator that converts values to decimal, except integers, which it returns unchanged. */
extern const MtOpRow mt_acc_decimal_row;
void mt_acc_decimal_user (MtCompile *c, MtExecExpr *e, const MtOpRow *to_decimal);
double mt_acc_decimal_double (MtVal v);

#define MT_ACC_FUNCTIONS(name) \
   bool mt_##name##_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w); \
   bool mt_##name##_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, \
                           MtWork *w); \
   bool mt_##name##_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out); \
   bool mt_##name##_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b); \
   bool mt_##name##_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p, \
                          const uint8_t *end, MtWork *w)

MT_ACC_FUNCTIONS (list);
MT_ACC_FUNCTIONS (top);
MT_ACC_FUNCTIONS (distinct);
MT_ACC_FUNCTIONS (bins);
MT_ACC_FUNCTIONS (percentile);
MT_ACC_FUNCTIONS (sorted);
/* The sizes in bytes of the states of $_mtDistinct and $_mtBins (accum_sketch.c). */
#define MT_DISTINCT_BYTES 24
#define MT_BINS_BYTES 24
bool mt_concat_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_union_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_set_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_set_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
bool mt_objects_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_objects_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out);
bool mt_percentile_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_n_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_top_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_sorted_parse (MtCompile *c, MtAcc *a, MtVal spec);

/* Returns the accumulator with this name that an extension has added, or NULL. It lives as long as
 * the process. */
const MtAccRow *mt_acc_added (const char *name);

/* Accumulators that SQL needs, and that MongoDB does not have. The last row has no name. */
extern const MtAccRow mt_acc_stat_rows[];

#endif
