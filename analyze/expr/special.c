/* Calls with type rules of their own: coalesce, nullif, greatest … and calls with VARIADIC. */
#include "analyze/calls/array_op.h"
#include "analyze/calls/call.h"
#include "analyze/calls/enum.h"
#include "analyze/calls/fold.h"
#include "analyze/calls/set.h"
#include "analyze/expr/expr_int.h"
#include "analyze/types/coerce.h"
#include "types/binary.h"

#include <string.h>

static bool bind_coalesce (MtBinder *b, const MtExpr *e, MtX **args, int argc, MtX **out)
{
   MtTypeId t;
   if (!mt_no_sets (b, args, argc, "COALESCE") || !mt_common_type (b, args, argc, "COALESCE", &t))
      return false;
   MtType type = mt_common_modifier (args, argc, t);
   for (int i = 0; i < argc; i++)
      if (!mt_coerce (b, args[i], type, MT_COERCE_IMPLICIT, &args[i]))
         return false;
   *out = mt_x_list (b->a, MT_X_COALESCE, type, args, argc, e->span);
   return true;
}

/* Returns a new argument list: the element type of array type t, then the given arguments. */
static MtX **with_type (MtBinder *b, MtX **args, int argc, MtTypeId t)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) argc + 1);
   list[0] = mt_type_arg (b, mt_type_element (t));
   memcpy (list + 1, args, (size_t) argc * sizeof *list);
   return list;
}

static bool bind_extreme (MtBinder *b, const MtExpr *e, bool greatest, MtX **args, int argc,
                          MtX **out)
{
   MtTypeId t;
   if (!mt_common_type (b, args, argc, greatest ? "GREATEST" : "LEAST", &t))
      return false;
   MtType type = mt_common_modifier (args, argc, t);
   for (int i = 0; i < argc; i++)
      if (!mt_coerce (b, args[i], type, MT_COERCE_IMPLICIT, &args[i]))
         return false;
   if (mt_type_is_enum (t))
      for (int i = 0; i < argc; i++)
         args[i] = mt_enum_place (b, args[i]);
   bool plain = mt_type_is_enum (t) || (t != MT_T_FLOAT4 && t != MT_T_FLOAT8 && t != MT_T_NUMERIC &&
                                        !mt_type_order_has_rank (t));
   const char *kind = "number";
   if (t == MT_T_INTERVAL || t == MT_T_JSONB || t == MT_T_RECORD)
      kind = mt_type_info (t)->name;
   const char *which = greatest ? "$greatest" : "$least";
   if (mt_type_is_array (t)) {
      kind = "array";
      args = with_type (b, args, argc++, t);
      plain = false;
   }
   const MtFunc *fn = mt_hidden_func (plain ? which : mt_printf (b->a, "%s_%s", which, kind));
   *out = mt_x_call (b->a, fn, mt_type_is_enum (t) ? mt_type (MT_T_INT4) : type, args, argc,
                     e->span);
   for (int i = 0; i < argc; i++)
      (*out)->nullable &= args[i]->nullable;
   if (mt_type_is_enum (t))
      *out = mt_enum_at (b, *out, type);
   return true;
}

/* Returns the result type of NULLIF (value, other): the type of the left operand in the comparison
 * value = other. */
static MtTypeId nullif_type (MtTypeId value, MtTypeId other)
{
   bool whole = value == MT_T_INT2 || value == MT_T_INT4 || value == MT_T_INT8;
   if ((whole || value == MT_T_NUMERIC) && (other == MT_T_FLOAT4 || other == MT_T_FLOAT8))
      return MT_T_FLOAT8;
   if (value == MT_T_VARCHAR)
      return MT_T_TEXT;
   return whole && other == MT_T_NUMERIC ? MT_T_NUMERIC : value;
}

static bool bind_nullif (MtBinder *b, const MtExpr *e, MtX **args, MtX **out)
{
   MtX *equal, **list = MT_NEW_N (b->a, MtX *, 3), *x = args[0];
   if (!mt_bind_operator (b, "=", e->span, args[0], args[1], &equal))
      return false;
   if (x->type.id == MT_T_UNKNOWN)
      x = equal->call.args[0];
   MtTypeId t = nullif_type (x->type.id, args[1]->type.id);
   if (t != x->type.id && !mt_coerce (b, x, mt_type (t), MT_COERCE_IMPLICIT, &x))
      return false;
   list[0] = equal;
   list[1] = mt_x_null (b->a, x->type, e->span);
   list[2] = x;
   *out = mt_x_list (b->a, MT_X_CASE, x->type, list, 3, e->span);
   return true;
}

/* Analyzes current_timestamp (p), localtimestamp (p) and localtime (p), where p is the number of
 * fractional digits of the seconds. */
static bool bind_rounded_now (MtBinder *b, const MtExpr *e, const char *name, MtX *digits,
                              MtX **out)
{
   if (digits->kind != MT_X_CONST || digits->type.id != MT_T_INT4 || digits->value.i < 0)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "%s takes a number of digits", name);
   MtX *x;
   if (!mt_bind_function (b, name, e->span, NULL, 0, &x))
      return false;
   MtType t = x->type;
   t.mod1 = (int16_t) (digits->value.i > 6 ? 6 : digits->value.i);
   return mt_coerce (b, x, t, MT_COERCE_EXPLICIT, out);
}

MtSpecial mt_special_of (const char *name)
{
   static const struct {
      const char *name;
      MtSpecial special;
   } names[] = {{"coalesce", MT_SPECIAL_COALESCE},  {"greatest", MT_SPECIAL_GREATEST},
                {"least", MT_SPECIAL_LEAST},        {"nullif", MT_SPECIAL_NULLIF},
                {"pg_typeof", MT_SPECIAL_TYPEOF},   {"current_timestamp", MT_SPECIAL_NOW},
                {"localtimestamp", MT_SPECIAL_NOW}, {"localtime", MT_SPECIAL_NOW}};
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (mt_ieq (name, names[i].name))
         return names[i].special;
   return MT_SPECIAL_NONE;
}

bool mt_bind_special (MtBinder *b, const MtExpr *e, const char *name, MtX **args, int argc,
                      MtX **out)
{
   MtSpecial special = mt_special_of (name);
   *out = NULL;
   switch (special) {
   case MT_SPECIAL_NONE: return true;
   case MT_SPECIAL_COALESCE: return argc == 0 || bind_coalesce (b, e, args, argc, out);
   case MT_SPECIAL_GREATEST:
   case MT_SPECIAL_LEAST:
      return argc == 0 || bind_extreme (b, e, special == MT_SPECIAL_GREATEST, args, argc, out);
   case MT_SPECIAL_NULLIF: return argc != 2 || bind_nullif (b, e, args, out);
   case MT_SPECIAL_NOW: return argc != 1 || bind_rounded_now (b, e, name, args[0], out);
   case MT_SPECIAL_TYPEOF:
      if (argc == 1) {
         bool catalog = mt_type_is_catalog_text (args[0]->type);
         MtType t = catalog ? args[0]->type : mt_type (args[0]->type.id);
         *out = mt_x_text (b->a, mt_type_display (b->a, t), e->span);
      }
      return true;
   }
   return true;
}

/* ---- VARIADIC ---- */

/* Analyzes a call f (VARIADIC array) whose array has elements that are only known at run time. Few
 * functions allow this. */
static bool over_array (MtBinder *b, const char *name, MtX **args, int argc, MtSpan span, MtX **out)
{
   MtX *array = args[argc - 1];
   if ((mt_ieq (name, "num_nulls") || mt_ieq (name, "num_nonnulls")) && argc == 1) {
      MtX **one = MT_NEW_N (b->a, MtX *, 1);
      one[0] = array;
      *out = mt_x_call (
         b->a, mt_hidden_func (mt_ieq (name, "num_nulls") ? "$num_nulls" : "$num_nonnulls"),
         mt_type (MT_T_INT4), one, 1, span);
      return true;
   }
   MtX *pair[2] = {array, argc == 2 ? args[0] : mt_x_text (b->a, "", span)};
   if ((mt_ieq (name, "concat") && argc == 1) || (mt_ieq (name, "concat_ws") && argc == 2))
      return mt_bind_function (b, "array_to_string", span, pair, 2, out);
   return mt_refuse (
      b, span, mt_printf (b->a, "VARIADIC with an array that is not constant in %s is", name));
}

bool mt_bind_variadic (MtBinder *b, const char *name, MtX **args, int argc, MtSpan span, MtX **out)
{
   MtX *array = args[argc - 1];
   int count;
   if (!mt_type_is_array (array->type.id))
      return mt_error_at (b->err, array->span, MT_E_DATATYPE_MISMATCH,
                          "VARIADIC argument must be an array");
   if (!mt_has_columns (array) && !mt_fold (b, &array))
      return false;
   MtX **list = mt_visible_elements (b, array, &count);
   args[argc - 1] = array;
   if (!list || count > 100 || (count == 0 && argc == 1))
      return over_array (b, name, args, argc, span, out);
   MtX **all = MT_NEW_N (b->a, MtX *, (size_t) (argc + count));
   memcpy (all, args, (size_t) (argc - 1) * sizeof *all);
   if (count)
      memcpy (all + argc - 1, list, (size_t) count * sizeof *all);
   return mt_bind_function (b, name, span, all, argc - 1 + count, out);
}
