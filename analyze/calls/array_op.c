/* Replaces calls of array functions and comparisons of arrays by internal functions for one
 * dimension or for an element type. */
#include "analyze/calls/array_op.h"

#include "analyze/types/coerce.h"

#include <stdio.h>

MtX **mt_visible_elements (MtBinder *b, const MtX *x, int *count)
{
   MtType t = x->type;
   MtVal v;
   t.id = mt_type_element (t.id);
   if (x->kind == MT_X_CALL && x->call.fn == mt_hidden_func ("$array") &&
       !mt_type_is_array (x->call.args[0]->type.id)) {
      *count = x->call.argc;
      return x->call.args;
   }
   if (x->kind != MT_X_CONST || x->value.type != MT_ARRAY)
      return NULL;
   *count = 0;
   for (MtArrayIter it = mt_array_iter (x->value, t.id); mt_array_next (&it, &v);)
      ++*count;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) *count + 1);
   int i = 0;
   for (MtArrayIter it = mt_array_iter (x->value, t.id); mt_array_next (&it, &v);)
      list[i++] = mt_x_const (b->a, t, v, x->span);
   return list;
}

bool mt_is_flat_array (const MtX *x)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   if (mt_type_is_flat (x->type) ||
       (mt_type_is_array (x->type.id) && mt_type_holds_arrays (mt_type_element (x->type.id))))
      return true;
   return x->kind == MT_X_CONST &&
          (mt_is_nullish (x->value) || mt_array_dims (x->value, MT_T_UNKNOWN, dims) <= 1);
}

void mt_flat_call (MtX *x)
{
   char name[64];
   if (!(x->call.fn->flags & MT_F_FLAT_ROW) || !mt_is_flat_array (x->call.args[0]))
      return;
   snprintf (name, sizeof name, "$%s", x->call.fn->name);
   x->call.fn = mt_hidden_func (name);
   x->call.argc = 1;
   mt_x_update (x);
}

MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   args[0] = x->call.args[0];
   args[1] = x->call.args[1];
   args[2] = mt_type_arg (b, mt_type_element (args[0]->type.id));
   return mt_x_call (b->a, mt_hidden_func (name), x->type, args, 3, x->span);
}
