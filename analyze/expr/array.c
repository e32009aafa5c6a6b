/* ARRAY[…], subscripts and slices. */
#include "analyze/calls/call.h"
#include "analyze/expr/expr_int.h"
#include "analyze/sub/sub.h"
#include "analyze/types/array_cast.h"
#include "analyze/types/coerce.h"

#include <string.h>

/* Stores in `dims` the lengths of array x's dimensions, if analysis can determine them without
 * computing x. Returns the number of dimensions. -1: the lengths are not known. */
static int static_dims (const MtX *x, size_t dims[MT_MAX_ARRAY_DIMS])
{
   if (x->kind == MT_X_CONST && x->value.type == MT_ARRAY)
      return mt_array_dims (x->value, mt_type_element (x->type.id), dims);
   if (!mt_is_array_constructor (x) || !x->call.argc)
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

/* Finds the type to which the elements or sub-arrays of ARRAY[…] are converted. want: the type to
 * which the array is cast at once, as in ARRAY[…]::int[]; NULL: their common type is chosen. */
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
   int n = mt_list_length (e->list);
   MtType t;
   size_t dims[MT_MAX_ARRAY_DIMS];
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

/* ---- subscripts ---- */

typedef struct Subscripts {
   const MtExpr *list[MT_MAX_ARRAY_DIMS + 1]; /* that of the outermost dimension first */
   int count;
   bool slice;
} Subscripts;

/* Splits an expression like a[1][2:3] into its base a, which is returned, and its subscripts [1]
 * and [2:3]. A parenthesis ends the list, so (a[1])[2] has the base (a[1]). */
static const MtExpr *take_apart (const MtExpr *e, Subscripts *s)
{
   const MtExpr *base = e->subscript.array;
   int n = 1;
   for (; base->kind == MT_EXPR_SUBSCRIPT && base->outer.len == base->span.len;
        base = base->subscript.array)
      n++;
   s->count = n;
   for (; n > 0 && s->count <= MT_MAX_ARRAY_DIMS; e = e->subscript.array) {
      s->list[--n] = e;
      s->slice |= e->subscript.slice;
   }
   return base;
}

static bool bind_bound (MtBinder *b, MtScope *s, const MtExpr *e, int otherwise, MtX **out)
{
   if (!e) {
      *out = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (otherwise), MT_NO_SPAN);
      return true;
   }
   if (!mt_bind_x (b, s, e, out))
      return false;
   if (!mt_can_coerce ((*out)->type.id, MT_T_INT4, MT_COERCE_ASSIGN) ||
       mt_type_info ((*out)->type.id)->category == 'S')
      return mt_error_at (b->err, e->span, MT_E_DATATYPE_MISMATCH,
                          "array subscript must have type integer");
   return mt_coerce (b, *out, mt_type (MT_T_INT4), MT_COERCE_ASSIGN, out);
}

/* Adds the lower and upper bounds of all subscripts to args. If one subscript is a slice, all are
 * slices: in a[1:2][3], [3] means [1:3]. */
static bool bind_bounds (MtBinder *b, MtScope *s, const Subscripts *subs, MtX **args, int *argc)
{
   for (int i = 0; i < subs->count; i++) {
      const MtExpr *e = subs->list[i], *low = e->subscript.low, *high = e->subscript.high;
      if (subs->slice && !e->subscript.slice) {
         high = low;
         low = NULL;
      }
      if (subs->slice ? !bind_bound (b, s, low, INT32_MIN, &args[(*argc)++]) ||
                           !bind_bound (b, s, high, INT32_MAX, &args[(*argc)++])
                      : !bind_bound (b, s, low, 1, &args[(*argc)++]))
         return false;
   }
   return true;
}

static bool json_subscripts (MtBinder *b, MtScope *s, const Subscripts *subs, MtX *x, MtX **out)
{
   *out = x;
   for (int i = 0; i < subs->count; i++) {
      const MtExpr *e = subs->list[i];
      MtX *key;
      if (e->subscript.slice)
         return mt_error_at (b->err, e->subscript.high ? e->subscript.high->span : e->span,
                             MT_E_DATATYPE_MISMATCH, "jsonb subscript does not support slices");
      if (!mt_bind_x (b, s, e->subscript.low, &key) ||
          !mt_json_subscript (b, *out, key, e->span, out))
         return false;
   }
   return true;
}

/* Returns whether x is a column of PostgreSQL's type name in the system catalog. Such columns are
 * texts here. A subscript of one returns a single character, counted from 0. */
static bool is_name (const MtScope *s, const MtX *x, const Subscripts *subs)
{
   return s->rel && s->rel->kind == MT_REL_SYSTEM && x->kind == MT_X_COLUMN &&
          x->type.id == MT_T_TEXT && subs->count == 1 && !subs->list[0]->subscript.slice;
}

static bool name_subscript (MtBinder *b, MtScope *s, const Subscripts *subs, MtX *x, MtX **out)
{
   MtX *at, *one = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (1), x->span),
            **args = MT_NEW_N (b->a, MtX *, 3);
   if (!mt_bind_x (b, s, subs->list[0]->subscript.low, &at) ||
       !mt_bind_operator (b, "+", x->span, at, one, &at))
      return false;
   args[0] = x;
   args[1] = at;
   args[2] = one;
   return mt_bind_function (b, "substr", x->span, args, 3, out);
}

bool mt_bind_subscript (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   Subscripts subs = {.count = 0};
   const MtExpr *base = take_apart (e, &subs);
   MtX *x, **args = MT_NEW_N (b->a, MtX *, 2 * MT_MAX_ARRAY_DIMS + 4);
   int argc = 2;
   if (!mt_bind_x (b, s, base, &x))
      return false;
   if (subs.count > MT_MAX_ARRAY_DIMS)
      return mt_error_at (b->err, e->span, MT_E_LIMIT,
                          "number of array dimensions (%d) exceeds the maximum allowed (%d)",
                          subs.count, MT_MAX_ARRAY_DIMS);
   if (mt_is_json (x->type.id))
      return json_subscripts (b, s, &subs, x, out);
   if (is_name (s, x, &subs))
      return name_subscript (b, s, &subs, x, out);
   if (!mt_type_is_array (x->type.id))
      return mt_error_at (b->err, base->span, MT_E_DATATYPE_MISMATCH,
                          "cannot subscript type %s because it does not support subscripting",
                          mt_type_info (x->type.id)->display);
   MtType t = x->type;
   args[0] = mt_type_arg (b, mt_type_element (t.id));
   args[1] = x;
   if (!bind_bounds (b, s, &subs, args, &argc))
      return false;
   if (!subs.slice)
      t.id = mt_type_element (t.id);
   *out = mt_x_call (b->a, mt_hidden_func (subs.slice ? "$slice" : "$subscript"), t, args, argc,
                     e->span);
   return true;
}
