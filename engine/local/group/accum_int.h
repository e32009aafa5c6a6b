/* Accumulators that keep several values, for the files of this folder. */
#ifndef MT_ACCUM_INT_H
#define MT_ACCUM_INT_H

#include "engine/local/group/group.h"

/* Values in order, with an index over them once a set is no longer small. */
typedef struct MtAccList {
   MtVal *v;
   uint32_t n, cap;
   uint32_t *index, mask;
} MtAccList;

/* The best n rows so far: each `width` values (sort keys, then the output) and its place in the
 * order of rows. */
typedef struct MtAccTop {
   MtVal *v;
   uint64_t *seq;
   uint32_t n, cap;
} MtAccTop;

MtVal mt_acc_own (MtGroupTable *t, MtVal v); /* a copy in the table's arena */
/* Whether what one group keeps may take so much: about work_mem, where it can't go to a file.
 * False: 53200. */
bool mt_acc_fits (size_t size_bytes, MtWork *w);

/* An operator that hands integers through and has the rest converted to decimal. */
extern const MtOpRow mt_acc_decimal_row;
void mt_acc_decimal_user (MtCompile *c, MtExecExpr *e, const MtOpRow *to_decimal);
double mt_acc_decimal_double (MtVal v);

#define MT_ACC_FUNCTIONS(name) \
   bool mt_##name##_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w); \
   bool mt_##name##_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, \
                           MtWork *w); \
   bool mt_##name##_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out); \
   bool mt_##name##_save (const MtAcc *a, const void *state, MtWork *w, MtBw *b); \
   bool mt_##name##_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p, \
                          const uint8_t *end, MtWork *w)

MT_ACC_FUNCTIONS (list);
MT_ACC_FUNCTIONS (top);
bool mt_set_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_set_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
bool mt_objects_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_objects_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out);
bool mt_n_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_top_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_sorted_parse (MtCompile *c, MtAcc *a, MtVal spec);
bool mt_sorted_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
bool mt_sorted_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
bool mt_sorted_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out);

/* Those that SQL needs and MongoDB lacks; ended by a row without a name. */
extern const MtAccRow mt_acc_stat_rows[];

#endif
