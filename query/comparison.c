#include "query/comparison.h"

static const struct {
   MtCmp negated, swapped;
   const char *mql;
} cmps[] = {
   [MT_CMP_NONE] = {MT_CMP_NONE, MT_CMP_NONE, ""}, [MT_CMP_EQ] = {MT_CMP_NE, MT_CMP_EQ, "$eq"},
   [MT_CMP_NE] = {MT_CMP_EQ, MT_CMP_NE, "$ne"},    [MT_CMP_LT] = {MT_CMP_GE, MT_CMP_GT, "$lt"},
   [MT_CMP_LE] = {MT_CMP_GT, MT_CMP_GE, "$lte"},   [MT_CMP_GT] = {MT_CMP_LE, MT_CMP_LT, "$gt"},
   [MT_CMP_GE] = {MT_CMP_LT, MT_CMP_LE, "$gte"},
};

MtCmp mt_cmp_negated (MtCmp op) { return cmps[op].negated; }
MtCmp mt_cmp_swapped (MtCmp op) { return cmps[op].swapped; }
const char *mt_cmp_mql (MtCmp op) { return cmps[op].mql; }

bool mt_cmp_holds (MtCmp op, int order)
{
   switch (op) {
   case MT_CMP_NONE: break;
   case MT_CMP_EQ: return order == 0;
   case MT_CMP_NE: return order != 0;
   case MT_CMP_LT: return order < 0;
   case MT_CMP_LE: return order <= 0;
   case MT_CMP_GT: return order > 0;
   case MT_CMP_GE: return order >= 0;
   }
   return false;
}

bool mt_x_against (const MtX *x, MtAgainst *out)
{
   MtCmp op = mt_x_cmp (x);
   if (op == MT_CMP_NONE || x->call.argc != 2)
      return false;
   bool swapped = x->call.args[0]->kind == MT_X_CONST;
   *out = (MtAgainst) {x->call.args[swapped], swapped ? mt_cmp_swapped (op) : op,
                       x->call.args[!swapped]};
   return out->constant->kind == MT_X_CONST;
}
