/* Accumulators that keep several values of a group. The files of this folder share these
 * structures. */
#ifndef MT_ACCUM_INT_H
#define MT_ACCUM_INT_H

#include "engine/local/group/group.h"

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
/* The bytes of the states of $_mtDistinct and $_mtBins (accum_sketch.c). */
#define MT_DISTINCT_BYTES 24
#define MT_BINS_BYTES 24
/* The bytes of the states of $percentile and $median (accum_percentile.c). */
#define MT_PERCENTILE_BYTES 16
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
bool mt_sorted_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_sorted_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
bool mt_sorted_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out);

/* Returns the accumulator of an extension with this name, or NULL. It lives as long as the
 * process. */
const MtAccRow *mt_acc_added (const char *name);

/* Accumulators that SQL needs and MongoDB does not have. The last row has no name. */
extern const MtAccRow mt_acc_stat_rows[];

#endif
