/* Comparison operators by their names: = <> < <= > >=. */
#ifndef MT_COMPARISON_H
#define MT_COMPARISON_H

#include "query/query.h"

/* The operator that holds where this one is false; the one with its sides exchanged; MongoDB's
 * name. Static. */
const char *mt_cmp_negated (const char *op);
const char *mt_cmp_swapped (const char *op);
const char *mt_cmp_mql (const char *op);

/* A comparison with a constant, as if that stood on the right. */
typedef struct MtAgainst {
   const MtX *x;
   const char *op;
   const MtX *constant;
} MtAgainst;

/* False: x is no comparison, or with no constant. */
bool mt_x_against (const MtX *x, MtAgainst *out);

#endif
