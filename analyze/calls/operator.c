/* Calls of operators, which are chosen like functions. */
#include "analyze/calls/array_op.h"
#include "analyze/calls/call.h"
#include "analyze/calls/choose.h"
#include "analyze/state/lacking.h"

#include <string.h>

static bool no_operator (MtBinder *b, const char *op, MtSpan span, MtX *const *args, int argc,
                         bool exists)
{
   const char *l = argc == 2 ? mt_type_info (args[0]->type.id)->display : "",
              *r = mt_type_info (args[argc - 1]->type.id)->display;
   if (mt_is_lacking_operator (op, args[0]->type.id))
      return mt_refuse (b, span, mt_printf (b->a, "operator %s here is", op));
   mt_error_at (b->err, span, MT_E_UNDEFINED_FUNCTION, "operator does not exist: %s%s%s %s", l,
                argc == 2 ? " " : "", op, r);
   if (!exists)
      return mt_error_hint (b->err, "No operator of that name is supported.");
   return mt_error_hint (
      b->err,
      argc == 2
         ? "No operator matches the given name and argument types. You might need to add explicit type casts."
         : "No operator matches the given name and argument type. You might need to add an explicit type cast.");
}

bool mt_bind_operator (MtBinder *b, const char *op, MtSpan span, MtX *left, MtX *right, MtX **out)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   int argc = 0, count;
   bool ambiguous;
   if (left)
      args[argc++] = left;
   args[argc++] = right;
   if (strcmp (op, "!=") == 0)
      op = "<>";
   const MtSig **sigs = mt_sigs_by_name (b->a, b->env, op, MT_F_OPERATOR, &count);
   MtCallArgs call = {
      .sigs = sigs, .count = count, .args = args, .argc = argc, .is_operator = true};
   const MtSig *s = mt_choose_call (b, &call, &ambiguous);
   if (ambiguous) {
      mt_error_at (b->err, span, MT_E_AMBIGUOUS_FUNCTION, "operator is not unique: %s%s%s %s",
                   left ? mt_type_info (left->type.id)->display : "", left ? " " : "", op,
                   mt_type_info (right->type.id)->display);
      return mt_error_hint (
         b->err,
         "Could not choose a best candidate operator. You might need to add explicit type casts.");
   }
   if (!s)
      return no_operator (b, op, span, args, argc, count > 0);
   if (!mt_build_call (b, s, args, argc, span, out))
      return false;
   /* Arrays of intervals or jsonb compare by their elements' order, not by their BSON values. */
   if (argc == 2 && s->args[0] == MT_SIG_ARRAY && (*out)->call.argc == 2 &&
       mt_type_has_rank ((*out)->call.args[0]->type.id))
      *out = mt_array_comparison (b, *out, op[0] == '=' ? "$array_=" : "$array_<>");
   return true;
}

bool mt_distinct_from (MtBinder *b, MtX *l, MtX *r, MtSpan span, MtX **out)
{
   MtX *equal;
   /* Binding the comparison checks the types, and converts both sides. */
   if (!mt_bind_operator (b, "=", span, l, r, &equal))
      return false;
   MtTypeId t = equal->call.args[0]->type.id;
   if (mt_type_is_array (t) && mt_type_has_rank (t)) {
      *out = mt_array_comparison (b, equal, "$array_distinct");
      return true;
   }
   const char *name = "$distinct";
   if (t == MT_T_INTERVAL)
      name = "$distinct_interval";
   else if (t == MT_T_JSONB)
      name = "$distinct_jsonb";
   *out = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), equal->call.args, 2, span);
   return true;
}
