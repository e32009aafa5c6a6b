/* Collations: the string order that the option `collation` of aggregate selects.
 *
 * The collation of a pipeline is stored in a variable of the thread that runs it, so that
 * comparisons need no additional argument. The executor compares values by mt_x_compare and
 * mt_x_compare_strict, and hashes them by mt_x_hash. The store always compares by bytes. */
#ifndef MT_COLLATION_H
#define MT_COLLATION_H

#include "base/error.h"
#include "base/value.h"

/* The collation of the pipeline that the thread runs; NULL: strings are compared by their bytes. */
extern _Thread_local const MtTextOrder *mt_x_order;

/* Checks the collation `spec`, and opens it. *out is NULL for the locale "simple"; otherwise the
 * caller owns it: mt_collation_free. Loads the library ICU at the first call. Fails with MongoDB's
 * error codes, or with 0A000 if ICU is not installed. */
bool mt_collation_open (MtVal spec, MtTextOrder **out, MtError *err);
void mt_collation_free (void *collation); /* NULL is allowed */

/* Sets the thread's collation, and returns the previous one, which the caller restores later. */
static inline const MtTextOrder *mt_x_collate (const MtTextOrder *o)
{
   const MtTextOrder *before = mt_x_order;
   mt_x_order = o;
   return before;
}

/* Like mt_v_compare, mt_v_compare_strict and mt_v_hash, but strings are compared by the thread's
 * collation. */
static inline int mt_x_compare (MtVal a, MtVal b)
{
   return mt_v_compare_by (mt_x_order, a, b, false);
}
static inline int mt_x_compare_strict (MtVal a, MtVal b)
{
   return mt_v_compare_by (mt_x_order, a, b, true);
}
/* Returns the value by which v sorts. An array sorts by its smallest element when ascending (dir
 * 1), and by its greatest when descending (dir -1). An empty array comes before null. */
MtVal mt_sort_key (MtVal v, int dir);
static inline uint64_t mt_x_hash (MtVal v, uint64_t seed)
{
   return mt_v_hash_by (mt_x_order, v, seed);
}

/* Returns whether comparisons of v depend on the thread's collation. */
static inline bool mt_x_collates (MtVal v)
{
   return mt_x_order && (v.type == MT_STRING || v.type == MT_DOC || v.type == MT_ARRAY);
}

#endif
