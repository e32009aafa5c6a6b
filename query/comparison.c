#include "query/comparison.h"

#include "query/function.h"

#include <string.h>

static const struct {
   const char *op, *negated, *swapped, *mql;
} cmps[] = {
   {"=", "<>", "=", "$eq"},   {"<>", "=", "<>", "$ne"}, {"<", ">=", ">", "$lt"},
   {"<=", ">", ">=", "$lte"}, {">", "<=", "<", "$gt"},  {">=", "<", "<=", "$gte"},
};

static int cmp_index (const char *op)
{
   for (int i = 0; i < 6; i++)
      if (strcmp (cmps[i].op, op) == 0)
         return i;
   return 0;
}

const char *mt_cmp_negated (const char *op) { return cmps[cmp_index (op)].negated; }
const char *mt_cmp_swapped (const char *op) { return cmps[cmp_index (op)].swapped; }
const char *mt_cmp_mql (const char *op) { return cmps[cmp_index (op)].mql; }

bool mt_x_against (const MtX *x, MtAgainst *out)
{
   if (x->kind != MT_X_CALL || !(x->call.fn->flags & MT_F_COMPARISON) || x->call.argc != 2)
      return false;
   bool swapped = x->call.args[0]->kind == MT_X_CONST;
   *out = (MtAgainst) {x->call.args[swapped],
                       swapped ? mt_cmp_swapped (x->call.fn->name) : x->call.fn->name,
                       x->call.args[!swapped]};
   return out->constant->kind == MT_X_CONST;
}
