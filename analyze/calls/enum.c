#include "analyze/calls/enum.h"

#include "analyze/calls/call.h"
#include "analyze/types/coerce.h"
#include "query/comparison.h"
#include "types/enum.h"

static MtX *call (MtBinder *b, const char *name, MtType t, MtX *x, MtX *other)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = x;
   args[1] = other;
   return mt_x_call (b->a, mt_hidden_func (name), t, args, other ? 2 : 1, x->span);
}

static MtX *text_of (MtBinder *b, MtX *x)
{
   MtX *out = x;
   mt_coerce (b, x, mt_type (MT_T_TEXT), MT_COERCE_EXPLICIT, &out);
   return out;
}

/* Returns text constants of the labels of enumerated type e from index `low` up to, but not
 * including, `high`. */
static MtX **labels (MtBinder *b, const MtEnum *e, size_t low, size_t high, MtSpan span)
{
   MtX **list = MT_NEW_N (b->a, MtX *, high - low + 1);
   for (size_t i = low; i < high; i++)
      list[i - low] = mt_x_text (b->a, e->labels[i], span);
   return list;
}

static MtX *label_array (MtBinder *b, MtTypeId t)
{
   const MtEnum *e = mt_enum_of (t);
   MtVal *list = MT_NEW_N (b->a, MtVal, e->count + 1), v = mt_v_null ();
   for (size_t i = 0; i < e->count; i++)
      list[i] = mt_v_cstr (e->labels[i]);
   mt_v_make_array (b->a, list, e->count, &v, b->err);
   return mt_x_const (b->a, mt_type_flat (MT_T_TEXT), v, MT_NO_SPAN);
}

MtX *mt_enum_place (MtBinder *b, MtX *x)
{
   return call (b, "$enum_rank", mt_type (MT_T_INT4), text_of (b, x), label_array (b, x->type.id));
}

MtX *mt_enum_at (MtBinder *b, MtX *place, MtType t)
{
   return call (b, "$enum_at", t, place, label_array (b, t.id));
}

/* Converts a comparison of x with a constant label, such as x < 'high', to x IN (labels that fulfil
 * it). Every layout and index can evaluate IN. */
static MtX *member (MtBinder *b, MtX *x, MtCmp op, const MtX *constant, MtSpan span)
{
   const MtEnum *e = mt_enum_of (x->type.id);
   size_t at = (size_t) mt_enum_rank (x->type.id, (MtStr) {(const char *) constant->value.p,
                                                           constant->value.len});
   bool less = op == MT_CMP_LT || op == MT_CMP_LE, equal = op == MT_CMP_LE || op == MT_CMP_GE;
   size_t low = less ? 0 : at + !equal, high = less ? at + equal : e->count, n = high - low;
   MtX **list = MT_NEW_N (b->a, MtX *, n + 2), **all = labels (b, e, low, high, span);
   list[0] = text_of (b, x);
   for (size_t i = 0; i < n; i++)
      list[i + 1] = all[i];
   if (n == 0) { /* false, or NULL for NULL */
      MtX *never = NULL;
      mt_bind_operator (b, "<", span, list[0], mt_x_text (b->a, "", span), &never);
      return never;
   }
   return mt_x_list (b->a, MT_X_IN, mt_type (MT_T_BOOL), list, (int) n + 1, span);
}

void mt_label_texts (MtBinder *b, MtX **list, int count)
{
   for (int i = 0; i < count; i++)
      if (mt_type_is_enum (list[i]->type.id) || list[i]->type.id == MT_T_BPCHAR)
         list[i] = text_of (b, list[i]);
}

static bool is_value (const MtX *x) { return x->kind == MT_X_CONST && !mt_is_nullish (x->value); }

static bool settle (MtBinder *b, MtX **x, MtTypeId t)
{
   return (*x)->type.id != MT_T_UNKNOWN || mt_coerce (b, *x, mt_type (t), MT_COERCE_IMPLICIT, x);
}

bool mt_enum_operator (MtBinder *b, MtCmp op, MtX *left, MtX *right, MtSpan span, MtX **out)
{
   static const char *const ops[] = {[MT_CMP_EQ] = "=",  [MT_CMP_NE] = "<>", [MT_CMP_LT] = "<",
                                     [MT_CMP_LE] = "<=", [MT_CMP_GT] = ">",  [MT_CMP_GE] = ">="};
   MtTypeId t = mt_type_is_enum (left->type.id) ? left->type.id : right->type.id;
   *out = NULL;
   if (!mt_type_is_enum (t))
      return true;
   if (!settle (b, &left, t) || !settle (b, &right, t))
      return false;
   if (left->type.id != right->type.id)
      return true;
   if (op == MT_CMP_EQ || op == MT_CMP_NE)
      return mt_bind_operator (b, ops[op], span, text_of (b, left), text_of (b, right), out);
   if (is_value (right) && !is_value (left))
      *out = member (b, left, op, right, span);
   else if (is_value (left) && !is_value (right))
      *out = member (b, right, mt_cmp_swapped (op), left, span);
   else
      return mt_bind_operator (b, ops[op], span, mt_enum_place (b, left), mt_enum_place (b, right),
                               out);
   return *out != NULL;
}
