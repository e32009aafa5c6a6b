/* Comparison operators. */
#ifndef MT_COMPARISON_H
#define MT_COMPARISON_H

#include "query/function.h"
#include "query/query.h"

/* The operator that is true where this one is false. NULLs apart. */
MtCmp mt_cmp_negated (MtCmp op);
/* The operator that gives the same result when its sides are exchanged. */
MtCmp mt_cmp_swapped (MtCmp op);
/* MongoDB's name of the operator: "$lt". Static. */
const char *mt_cmp_mql (MtCmp op);

/* Whether the operator is true of two values whose order is <0, 0 or >0. */
bool mt_cmp_holds (MtCmp op, int order);

static inline bool mt_cmp_is_less (MtCmp op) { return op == MT_CMP_LT || op == MT_CMP_LE; }
static inline bool mt_cmp_is_greater (MtCmp op) { return op == MT_CMP_GT || op == MT_CMP_GE; }

/* The comparison operator that x calls; MT_CMP_NONE: x is another expression. */
static inline MtCmp mt_x_cmp (const MtX *x)
{
   return x->kind == MT_X_CALL ? x->call.fn->cmp : MT_CMP_NONE;
}

/* A comparison with a constant, written with the constant on the right. */
typedef struct MtAgainst {
   const MtX *x;
   MtCmp op;
   const MtX *constant;
} MtAgainst;

/* Reads x as a comparison with a constant. False: x is another expression. */
bool mt_x_against (const MtX *x, MtAgainst *out);

#endif
