/* Comparison operators. */
#ifndef MT_COMPARISON_H
#define MT_COMPARISON_H

#include "query/function.h"
#include "query/query.h"

/* Returns the negated operator: >= for <, <> for =. For non-NULL operands. */
MtCmp mt_cmp_negated (MtCmp op);
/* Returns the operator for exchanged operands: > for <, since a < b means b > a. */
MtCmp mt_cmp_swapped (MtCmp op);
/* Returns the operator's name in MongoDB: "$lt". Static. */
const char *mt_cmp_mql (MtCmp op);

/* Returns whether `a op b` is true. order: <0 if a is less than b, 0 if equal, >0 if greater. */
bool mt_cmp_holds (MtCmp op, int order);

static inline bool mt_cmp_is_less (MtCmp op) { return op == MT_CMP_LT || op == MT_CMP_LE; }
static inline bool mt_cmp_is_greater (MtCmp op) { return op == MT_CMP_GT || op == MT_CMP_GE; }

/* Returns the comparison operator that x calls. MT_CMP_NONE: x is not a comparison. */
static inline MtCmp mt_x_cmp (const MtX *x)
{
   return x->kind == MT_X_CALL ? x->call.fn->cmp : MT_CMP_NONE;
}

/* A comparison of an expression with a constant. The constant is on the right side. */
typedef struct MtAgainst {
   const MtX *x;
   MtCmp op;
   const MtX *constant;
} MtAgainst;

/* Recognizes a comparison with a constant on either side. False: x is another expression. */
bool mt_x_against (const MtX *x, MtAgainst *out);

#endif
