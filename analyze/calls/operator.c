/* Calls of operators, which are chosen like functions. */
#include "analyze/calls/array_op.h"
#include "analyze/calls/call.h"
#include "analyze/calls/chars.h"
#include "analyze/calls/choose.h"
#include "analyze/calls/enum.h"
#include "analyze/state/lacking.h"
#include "analyze/state/record_shape.h"
#include "types/datetime.h"

#include <string.h>

static bool is_number (MtTypeId t) { return mt_type_info (t)->category == 'N'; }

/* Returns the hint for an operator that does not exist between a time and a number. NULL: the
 * operands have other types. */
static const char *hint_of_time (const char *op, MtTypeId l, MtTypeId r)
{
   if (!(mt_type_is_datetime (l) && is_number (r)) && !(is_number (l) && mt_type_is_datetime (r)))
      return NULL;
   return strcmp (op, "+") == 0 || strcmp (op, "-") == 0
             ? "Multiply the number by an interval: n * interval '1 second'."
             : "Convert a number of seconds since 1970 with to_timestamp(n).";
}

/* Adds a hint to the error if an operand of a time was a literal without a type that looks like an
 * interval, as in now() - '1 day'. Such a literal is parsed as a time. */
static void hint_of_interval (MtBinder *b, const char *op, MtX *const *args, int argc)
{
   MtInterval ignored;
   MtError err;
   for (int i = 0; i < argc; i++) {
      const MtX *x = args[i];
      if (argc == 2 && x->kind == MT_X_CONST && x->type.id == MT_T_UNKNOWN &&
          x->value.type == MT_STRING && mt_type_is_datetime (args[1 - i]->type.id) &&
          mt_interval_in ((const char *) x->value.p, x->value.len, &ignored, &err))
         mt_error_hint (b->err,
                        strcmp (op, "-") == 0 ? "Write interval '%.*s'."
                                              : "Compare with a time: now() - interval '%.*s'.",
                        (int) x->value.len, (const char *) x->value.p);
   }
}

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
   const char *time_hint = argc == 2 ? hint_of_time (op, args[0]->type.id, args[1]->type.id) : NULL;
   if (time_hint)
      return mt_error_hint (b->err, "%s", time_hint);
   return mt_error_hint (
      b->err,
      argc == 2
         ? "No operator matches the given name and argument types. You might need to add explicit "
           "type casts."
         : "No operator matches the given name and argument type. You might need to add an "
           "explicit type cast.");
}

/* Checks that two records can be compared: their fields have the same types. */
static bool records_match (MtBinder *b, MtSpan span, const MtX *left, const MtX *right)
{
   MtTypeId lacks = mt_record_lacks_equality (b, left->type);
   if (lacks == MT_T_JSON && mt_type_element (left->type.id) == MT_T_RECORD &&
       mt_type_element (right->type.id) == MT_T_RECORD)
      return mt_error (b->err, MT_E_UNDEFINED_FUNCTION,
                       "could not identify an equality operator for type json");
   const MtRecordShape *l = mt_record_shape_of (b, left->type),
                       *r = mt_record_shape_of (b, right->type);
   if (mt_type_element (left->type.id) != MT_T_RECORD ||
       mt_type_element (right->type.id) != MT_T_RECORD || l == r)
      return true;
   if (!l || !r)
      return mt_refuse (b, span, "a comparison of rows whose columns are not known is");
   if (l->count != r->count)
      return mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                       "cannot compare record types with different numbers of columns");
   for (int i = 0; i < l->count; i++)
      if (l->types[i].id != r->types[i].id)
         return mt_error (b->err, MT_E_DATATYPE_MISMATCH,
                          "cannot compare dissimilar column types %s and %s at record column %d",
                          mt_type_info (l->types[i].id)->display,
                          mt_type_info (r->types[i].id)->display, i + 1);
   return true;
}

/* Returns whether the operator f matches a text with a pattern, as LIKE does. Trailing blanks of
 * char(n) then count. */
static bool is_pattern (const MtFunc *f)
{
   return f->kind == MT_FN_LIKE || f->kind == MT_FN_ILIKE || f->kind == MT_FN_REGEX ||
          f->name[0] == '~' || f->name[0] == '!';
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
   MtCmp cmp = argc == 2 && count ? sigs[0]->fn->cmp : MT_CMP_NONE;
   *out = NULL;
   if (cmp != MT_CMP_NONE && !mt_chars_compared (b, &left, &right))
      return false;
   if (argc == 2 && count && is_pattern (sigs[0]->fn))
      left = mt_chars_padded (b, left);
   if (argc == 2) {
      args[0] = left;
      args[1] = right;
   }
   if (cmp != MT_CMP_NONE && !mt_enum_operator (b, cmp, left, right, span, out))
      return false;
   if (*out)
      return true;
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
   if (argc == 2 && !records_match (b, span, left, right))
      return false;
   if (!mt_build_call (b, s, args, argc, span, out)) {
      hint_of_interval (b, op, args, argc);
      return false;
   }
   /* Two equal intervals or jsonb values can have different BSON. So arrays of them are compared
    * element by element. */
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
   else if (t == MT_T_RECORD)
      name = "$distinct_record";
   *out = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), equal->call.args, 2, span);
   return true;
}
