/* Comparison operators. */
#ifndef MT_COMPARISON_H
#define MT_COMPARISON_H

#include "query/function.h"
#include "query/query.h"

/* Returns the operator with the opposite result, for non-NULL operands: >= for <, <> for =. */
MtCmp mt_cmp_negated (MtCmp op);
/* Returns the operator for exchanged operands: > for <, because a < b means b > a. */
MtCmp mt_cmp_swapped (MtCmp op);
/* Returns the operator's name in MongoDB, such as "$lt". Static. */
const char *mt_cmp_mql (MtCmp op);

/* Returns whether `a op b` is true. order: the result of comparing a with b (< 0, 0, > 0). */
bool mt_cmp_holds (MtCmp op, int order);

static inline bool mt_cmp_is_less (MtCmp op) { return op == MT_CMP_LT || op == MT_CMP_LE; }
static inline bool mt_cmp_is_greater (MtCmp op) { return op == MT_CMP_GT || op == MT_CMP_GE; }

/* Returns the comparison operator that x is a call of; MT_CMP_NONE: x is not a comparison. */
static inline MtCmp mt_x_cmp (const MtX *x)
{
   return x->kind == MT_X_CALL ? x->call.fn->cmp : MT_CMP_NONE;
}

/* A comparison `x op constant`. */
typedef struct MtAgainst {
   const MtX *x;
   MtCmp op;
   const MtX *constant;
} MtAgainst;

/* Recognizes x as a comparison with a constant, on either side, and sets *out. False: x is another
 * expression. */
bool mt_x_against (const MtX *x, MtAgainst *out);

#endif
