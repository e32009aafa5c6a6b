/* Accumulators that keep several values of a group. The files of this folder share these
 * structures. */
#ifndef MT_ACCUM_INT_H
#define MT_ACCUM_INT_H

#include "base/double_key.h"
#include "engine/local/group/group.h"

#include <math.h>
#include <string.h>

/* A list of values. For a set of many values, there is also a hash index. */
typedef struct MtAccList {
   MtVal *v;
   uint32_t n, cap;
   uint32_t *index, mask;
} MtAccList;

/* The first n rows in sort order so far. Each row has `width` values (the sort keys, then the
 * output) and its number in the order of the input. */
typedef struct MtAccTop {
   MtVal *v;
   uint64_t *seq;
   uint32_t n, cap;
} MtAccTop;

/* Numbers as keys of 64 bits in sort order (numbers.c). All zero: none. */
typedef struct MtNumbersPart MtNumbersPart;
typedef struct MtNumbers {
   MtNumbersPart *last;
   uint64_t n;
} MtNumbers;

/* Adds a key; its memory is that of the table. Returns false with w->err set. */
bool mt_numbers_add (MtGroupTable *t, MtNumbers *s, uint64_t key, MtWork *w);
/* Adds all keys of `from`. Returns false with w->err set, or if the statement was cancelled. */
bool mt_numbers_join (MtGroupTable *t, MtNumbers *into, const MtNumbers *from, MtWork *w);
/* Finds the key of this rank (from 0) in sort order, and the next one (the same at the end). There
 * must be more keys than `rank`. Returns false with w->err set, or if the statement was
 * cancelled. */
bool mt_numbers_at (const MtNumbers *s, uint64_t rank, MtWork *w, uint64_t *key, uint64_t *next);
/* Writes the keys for a temporary file, and reads them back. load returns false with w->err set
 * if there is no room, and without it if the bytes from *p to `end` are no keys. */
void mt_numbers_save (const MtNumbers *s, MtBson *b);
bool mt_numbers_load (MtGroupTable *t, MtNumbers *s, const uint8_t **p, const uint8_t *end,
                      MtWork *w);
/* Calls `fn` for runs of keys, in no particular order, until it returns false. Returns whether it
 * never did. */
typedef bool MtNumbersFn (void *ctx, const uint64_t *keys, uint32_t n);
bool mt_numbers_each (const MtNumbers *s, MtNumbersFn *fn, void *ctx);

#define MT_LISTED 0xFF

/* The state of $_mtSorted. It has keys if only one rank is needed, and all values are numbers or
 * times of one type. Otherwise it has a list of all values. */
typedef struct MtSortedState {
   MtAccList list;
   MtNumbers numbers;
   uint8_t type; /* of the keys; 0: no value yet; MT_LISTED: the values are in the list */
} MtSortedState;

/* Returns a copy of `v` in the arena of the table of groups. */
MtVal mt_acc_own (MtGroupTable *t, MtVal v);
/* Checks that the values of one group fit into memory, since a single group cannot be written to
 * a file. Fails with 53200 if they are much larger than work_mem. */
bool mt_acc_fits (size_t size_bytes, MtWork *w);

/* An operator that passes integers unchanged and converts other values to decimal. */
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
/* The bytes of the states of $_mtDistinct and $_mtBins (accum_sketch.c). */
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

/* Returns the accumulator of an extension with this name, or NULL. It lives as long as the
 * process. */
const MtAccRow *mt_acc_added (const char *name);

/* Accumulators that SQL needs and MongoDB does not have. The last row has no name. */
extern const MtAccRow mt_acc_stat_rows[];

#endif
