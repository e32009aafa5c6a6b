/* Arrays: ARRAY[…], casts, subscripts and slices. */
#include "analyze/bind_int.h"

#include "types/datetime.h"

#include <string.h>

MtX *mt_type_arg (MtBinder *b, MtTypeId t)
{
   return mt_x_text (b->a, mt_type_info (t)->name, MT_NO_SPAN);
}

/* ---- casts ---- */

static MtX *int_arg (MtBinder *b, int v)
{
   return mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (v), MT_NO_SPAN);
}

/* Types whose values are the same in BSON: no element changes. */
static bool same_bson (MtTypeId from, MtTypeId to)
{
   static const MtTypeId pairs[][2] = {{MT_T_TEXT, MT_T_VARCHAR},   {MT_T_VARCHAR, MT_T_TEXT},
                                       {MT_T_INT2, MT_T_INT4},      {MT_T_FLOAT4, MT_T_FLOAT8},
                                       {MT_T_JSONB, MT_T_DOCUMENT}, {MT_T_DOCUMENT, MT_T_JSONB}};
   for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
      if (mt_type_element (from) == pairs[i][0] && mt_type_element (to) == pairs[i][1])
         return mt_type_is_array (from) == mt_type_is_array (to);
   return false;
}

MtX *mt_array_cast (MtBinder *b, MtX *x, MtType to, MtCoercion how)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 8);
   args[0] = x;
   if (to.mod1 < 0 && same_bson (x->type.id, to.id))
      return mt_x_call (b->a, mt_hidden_func ("$array_same"), to, args, 1, x->span);
   args[1] = mt_type_arg (b, x->type.id);
   args[2] = mt_type_arg (b, to.id);
   args[3] = int_arg (b, to.mod1);
   args[4] = int_arg (b, to.mod2);
   args[5] = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (how == MT_COERCE_EXPLICIT),
                         MT_NO_SPAN);
   args[6] = mt_x_text (b->a, mt_tz_name (b->env->style.zone ? b->env->style.zone : mt_tz_utc ()),
                        MT_NO_SPAN);
   args[7] = mt_x_const (b->a, mt_type (MT_T_TIMESTAMPTZ), mt_v_date (b->env->style.now_ms),
                         MT_NO_SPAN);
   return mt_x_call (b->a, mt_hidden_func ("$array_cast"), to, args, 8, x->span);
}

/* ---- ARRAY[…] ---- */

static bool is_constructor (const MtX *x)
{
   return x->kind == MT_X_CALL && x->call.fn == mt_hidden_func ("$array");
}

/* The lengths of x's dimensions where they can be seen; -1: not before it is computed. */
static int static_dims (const MtX *x, size_t dims[MT_MAX_ARRAY_DIMS])
{
   if (x->kind == MT_X_CONST && x->value.type == MT_ARRAY)
      return mt_array_dims (x->value, mt_type_element (x->type.id), dims);
   if (!is_constructor (x) || !x->call.argc)
      return -1;
   int n = 0;
   if (mt_type_is_array (x->call.args[0]->type.id)) {
      size_t below[MT_MAX_ARRAY_DIMS];
      n = static_dims (x->call.args[0], below);
      if (n < 1 || n >= MT_MAX_ARRAY_DIMS)
         return -1;
      memcpy (dims + 1, below, (size_t) n * sizeof *dims);
   }
   dims[0] = (size_t) x->call.argc;
   return n + 1;
}

static bool same_shape (MtX *const *list, int count)
{
   size_t first[MT_MAX_ARRAY_DIMS], other[MT_MAX_ARRAY_DIMS];
   int n = static_dims (list[0], first);
   for (int i = 1; i < count && n > 0; i++)
      if (static_dims (list[i], other) != n || memcmp (first, other, (size_t) n * sizeof *first))
         return false;
   return n > 0 && n < MT_MAX_ARRAY_DIMS;
}

static bool bind_elements (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **list)
{
   int i = 0;
   for (const MtExprList *l = e->list; l; l = l->next, i++) {
      bool inner = l->expr->kind == MT_EXPR_ARRAY && l->expr->list;
      if (inner ? !mt_bind_array (b, s, l->expr, want, &list[i])
                : !mt_bind_x (b, s, l->expr, &list[i]))
         return false;
   }
   return true;
}

/* What the elements become: the type of each, or of the sub-arrays. */
static bool element_type (MtBinder *b, MtX **list, int count, const MtType *want, MtType *out)
{
   bool nested = false;
   MtTypeId t;
   for (int i = 0; i < count; i++)
      nested |= mt_type_is_array (list[i]->type.id);
   if (want) {
      *out = *want;
      if (!nested)
         out->id = mt_type_element (want->id);
      return true;
   }
   if (!mt_common_type (b, list, count, "ARRAY", &t))
      return false;
   *out = mt_common_modifier (list, count, t);
   return true;
}

static bool too_many_dims (MtBinder *b, const MtExpr *e)
{
   return mt_error_at (b->err, e->span, MT_E_LIMIT,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)",
                       MT_MAX_ARRAY_DIMS + 1, MT_MAX_ARRAY_DIMS);
}

static bool constructor (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **out)
{
   int n = 0;
   MtType t;
   size_t dims[MT_MAX_ARRAY_DIMS];
   for (const MtExprList *l = e->list; l; l = l->next)
      n++;
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   if (!bind_elements (b, s, e, want, list) || !element_type (b, list, n, want, &t))
      return false;
   for (int i = 0; i < n; i++)
      if (!mt_coerce (b, list[i], t, want ? MT_COERCE_EXPLICIT : MT_COERCE_IMPLICIT, &list[i]))
         return false;
   if (mt_type_is_array (t.id) && static_dims (list[0], dims) == MT_MAX_ARRAY_DIMS)
      return too_many_dims (b, e);
   bool nest = mt_type_is_array (t.id) && !same_shape (list, n);
   if (!mt_type_is_array (t.id) && t.mod1 < 0)
      t.mod2 = MT_FLAT;
   t.id = mt_type_array (t.id);
   *out = mt_x_call (b->a, mt_hidden_func (nest ? "$array_of_arrays" : "$array"), t, list, n,
                     e->span);
   return true;
}

bool mt_bind_array (MtBinder *b, MtScope *s, const MtExpr *e, const MtType *want, MtX **out)
{
   if (e->subquery)
      return mt_bind_array_sub (b, s, e, out) &&
             (!want || mt_coerce (b, *out, *want, MT_COERCE_EXPLICIT, out));
   if (!e->list && want) {
      MtVal empty;
      if (!mt_v_make_array (b->a, NULL, 0, &empty, b->err))
         return false;
      *out = mt_x_const (b->a, *want, empty, e->span);
      return true;
   }
   if (!e->list) {
      mt_error_at (b->err, e->span, MT_E_INDETERMINATE_TYPE,
                   "cannot determine type of empty array");
      return mt_error_hint (b->err,
                            "Explicitly cast to the desired type, for example ARRAY[]::integer[].");
   }
   if (!mt_enter (b, e->span))
      return false;
   bool ok = constructor (b, s, e, want, out);
   mt_leave (b);
   return ok;
}

bool mt_array_of_arrays (MtBinder *b, const MtVal *values, int n, MtType t, MtSpan span, MtX **out)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      list[i] = mt_x_const (b->a, t, values[i], span);
   *out = mt_x_call (b->a, mt_hidden_func ("$array_of_arrays"), t, list, n, span);
   return mt_fold (b, out);
}

bool mt_has_moments (const MtX *x)
{
   bool found = false;
   for (int i = 0; is_constructor (x) && i < x->call.argc; i++)
      found |= x->call.args[i]->kind == MT_X_CONST && mt_v_moment (x->call.args[i]->value).us;
   return found;
}

bool mt_exact_array (MtBinder *b, MtStr text, MtX **x)
{
   MtX *c = *x;
   MtType t = mt_type (mt_type_element (c->type.id));
   MtTextStyle style = b->env->style;
   size_t dims[MT_MAX_ARRAY_DIMS];
   MtVal texts, v;
   if (!mt_type_is_array (c->type.id) || (t.id != MT_T_TIMESTAMP && t.id != MT_T_TIMESTAMPTZ) ||
       mt_array_dims (c->value, t.id, dims) != 1)
      return true;
   if (!mt_value_parse (b->a, mt_type (mt_type_array (MT_T_TEXT)), text, &style, &texts, b->err))
      return false;
   MtX **list = MT_NEW_N (b->a, MtX *, dims[0]);
   int n = 0;
   style.exact_times = true;
   for (MtArrayIter it = mt_array_iter (texts, MT_T_TEXT); mt_array_next (&it, &v); n++) {
      if (!mt_is_nullish (v) &&
          !mt_value_parse (b->a, t, (MtStr) {(const char *) v.p, v.len}, &style, &v, b->err))
         return false;
      list[n] = mt_x_const (b->a, t, v, c->span);
   }
   t.id = c->type.id;
   t.mod2 = MT_FLAT;
   MtX *array = mt_x_call (b->a, mt_hidden_func ("$array"), t, list, n, c->span);
   if (mt_has_moments (array))
      *x = array;
   return true;
}
