/* Comparisons with ANY and ALL of a list or an array. */
#include "analyze/calls/array_op.h"
#include "analyze/calls/enum.h"
#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/sub/sub_int.h"
#include "analyze/types/coerce.h"

#include <string.h>

static bool compare_all (MtBinder *b, MtX *left, const MtQuantifier *how, MtX **list, int n,
                         MtX **out)
{
   MtX **parts = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      if (!mt_bind_operator (b, how->op, how->span, left, list[i], &parts[i]))
         return false;
   *out = n == 1 ? parts[0]
                 : mt_x_list (b->a, how->all ? MT_X_AND : MT_X_OR, mt_type (MT_T_BOOL), parts, n,
                              how->span);
   return true;
}

/* Makes left = ANY (values): an IN if the types have a common type, otherwise comparisons joined by
 * OR. */
static bool member (MtBinder *b, MtX *left, MtX **values, int n, MtSpan span, MtX **out)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   MtTypeId t;
   MtError ignored;
   MtBinder quiet = *b;
   quiet.err = &ignored;
   list[0] = left;
   memcpy (list + 1, values, (size_t) n * sizeof *values);
   if (mt_type_has_rank (left->type.id) || !mt_common_type (&quiet, list, n + 1, "IN", &t))
      return compare_all (b, left, &(MtQuantifier) {"=", false, span}, values, n, out);
   for (int i = 0; i <= n; i++)
      if (!mt_coerce (b, list[i], mt_type (t), MT_COERCE_IMPLICIT, &list[i]))
         return false;
   mt_label_texts (b, list, n + 1);
   *out = mt_x_list (b->a, MT_X_IN, mt_type (MT_T_BOOL), list, n + 1, span);
   return true;
}

bool mt_compare_any (MtBinder *b, MtX *left, const MtQuantifier *how, MtX **list, int n, MtX **out)
{
   if (!how->all && strcmp (how->op, "=") == 0)
      return member (b, left, list, n, how->span, out);
   if (!how->all || strcmp (how->op, "<>") != 0)
      return compare_all (b, left, how, list, n, out);
   if (!member (b, left, list, n, how->span, out))
      return false;
   *out = mt_x_not (b->a, *out);
   return true;
}

/* ---- arrays ---- */

static const char *hidden_name (MtBinder *b, const char *op, bool all)
{
   static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
   for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
      if (strcmp (op, ops[i]) == 0)
         return mt_printf (b->a, "$%s %s", all ? "all" : "any", op);
   return NULL;
}

/* Converts values of an enumerated type to text for = and <>. Fails with 0A000 for other
 * operators. */
static bool settle_enums (MtBinder *b, MtX **left, MtX **array, const MtQuantifier *how)
{
   MtType t = mt_type (mt_type_element ((*array)->type.id));
   if (strcmp (how->op, "=") != 0 && strcmp (how->op, "<>") != 0)
      return mt_refuse (b, how->span,
                        "an order of values of an enumerated type with ANY or ALL is");
   return mt_coerce (b, *left, t, MT_COERCE_IMPLICIT, left) &&
          mt_coerce (b, *left, mt_type (MT_T_TEXT), MT_COERCE_EXPLICIT, left) &&
          mt_coerce (b, *array, mt_type (mt_type_array (MT_T_TEXT)), MT_COERCE_EXPLICIT, array);
}

/* Makes `left op ANY (array)` or `left op ALL (array)` for an array that is not constant. */
static bool any_of (MtBinder *b, MtX *left, const MtQuantifier *how, MtX *array, MtX **out)
{
   const char *op = how->op;
   bool all = how->all;
   MtSpan span = how->span;
   MtX *element = mt_x_new (b->a, MT_X_COLUMN, mt_type (mt_type_element (array->type.id)), span),
       *probe, *sides[2];
   const char *name = hidden_name (b, op, all);
   MtTypeId t;
   if (mt_type_is_enum (element->type.id)) {
      if (!settle_enums (b, &left, &array, how))
         return false;
      element->type = mt_type (MT_T_TEXT);
   }
   if (!mt_bind_operator (b, op, span, left, element, &probe))
      return false;
   if (!name || probe->call.argc < 2) {
      mt_refuse (b, span,
                 mt_printf (b->a, "%s %s of an array that is not constant is", op,
                            all ? "ALL" : "ANY"));
      return mt_error_hint (b->err,
                            "Use EXISTS (SELECT FROM unnest (…)) or the operators = and <.");
   }
   sides[0] = probe->call.args[0];
   sides[1] = probe->call.args[1];
   if (!mt_common_type (b, sides, 2, "ANY", &t) ||
       !mt_coerce (b, left, mt_type (t), MT_COERCE_IMPLICIT, &left) ||
       !mt_coerce (b, array, mt_type (mt_type_array (t)), MT_COERCE_IMPLICIT, &array) ||
       (!mt_has_columns (left) && !mt_fold (b, &left)))
      return false;
   name = hidden_name (b, mt_moment_operator (b, op, &left), all);
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   args[0] = left;
   args[1] = array;
   args[2] = mt_type_arg (b, t);
   if (!all && op[0] == '=' && mt_is_flat_array (array) && !mt_type_has_rank (t)) {
      *out = mt_x_call (b->a, mt_hidden_func ("$in_array"), mt_type (MT_T_BOOL), args, 2, span);
      return true;
   }
   *out = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), args, 3, span);
   return true;
}

bool mt_bind_any_array (MtBinder *b, MtX *left, const MtQuantifier *how, MtX *array, MtX **out)
{
   MtSpan span = how->span;
   int count;
   MtX *probe;
   MtTypeId t = left->type.id == MT_T_UNKNOWN ? MT_T_TEXT : left->type.id;
   if (array->type.id == MT_T_UNKNOWN &&
       !mt_coerce (b, array, mt_type (mt_type_array (t)), MT_COERCE_IMPLICIT, &array))
      return false;
   if (!mt_type_is_array (array->type.id))
      return mt_error_at (b->err, span, MT_E_WRONG_OBJECT,
                          "op ANY/ALL (array) requires array on right side");
   if (!mt_bind_operator (b, how->op, span, left,
                          mt_x_null (b->a, mt_type (mt_type_element (array->type.id)), span),
                          &probe))
      return false;
   if (probe->type.id != MT_T_BOOL)
      return mt_error_at (b->err, span, MT_E_WRONG_OBJECT,
                          "op ANY/ALL (array) requires operator to yield boolean");
   MtX **list = mt_visible_elements (b, array, &count);
   if (!list && !mt_has_columns (array) && !mt_fold (b, &array))
      return false;
   if (!list)
      list = mt_visible_elements (b, array, &count);
   if (mt_x_is_null_const (array)) {
      *out = mt_x_null (b->a, mt_type (MT_T_BOOL), span);
      return true;
   }
   if (!list)
      return any_of (b, left, how, array, out);
   if (count > 0)
      return mt_compare_any (b, left, how, list, count, out);
   *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (how->all), span);
   return true;
}
