/* What is done with arrays where a function's row isn't enough: subscripts and slices, x op ANY
 * (array), VARIADIC, comparisons by the elements' own order. */
#include "analyze/bind_int.h"

#include <string.h>

/* The elements as expressions where they can be seen, through all dimensions; NULL: they can't. */
static MtX **visible_elements (MtBinder *b, const MtX *x, int *count)
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

/* ---- one dimension ---- */

static bool is_flat (const MtX *x)
{
   size_t dims[MT_MAX_ARRAY_DIMS];
   if (mt_type_is_flat (x->type) ||
       (mt_type_is_array (x->type.id) && mt_type_holds_arrays (mt_type_element (x->type.id))))
      return true;
   return x->kind == MT_X_CONST &&
          (mt_is_nullish (x->value) || mt_array_dims (x->value, MT_T_UNKNOWN, dims) <= 1);
}

/* Functions for which MongoDB has operators, if the array has one dimension: the same name behind a
 * dollar, without the elements' type. */
void mt_flat_call (MtX *x)
{
   static const char *const names[][2] = {{"unnest", "$unnest"}, {"cardinality", "$cardinality"}};
   if (x->call.argc != 2 || !is_flat (x->call.args[0]))
      return;
   for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strcmp (x->call.fn->name, names[i][0]) == 0) {
         x->call.fn = mt_hidden_func (names[i][1]);
         x->call.argc = 1;
         mt_x_update (x);
         return;
      }
}

/* ---- comparisons ---- */

MtX *mt_array_comparison (MtBinder *b, MtX *x, const char *name)
{
   MtX **args = MT_NEW_N (b->a, MtX *, 3);
   args[0] = x->call.args[0];
   args[1] = x->call.args[1];
   args[2] = mt_type_arg (b, mt_type_element (args[0]->type.id));
   return mt_x_call (b->a, mt_hidden_func (name), x->type, args, 3, x->span);
}

/* ---- ANY and ALL ---- */

static const char *hidden_name (MtBinder *b, const char *op, bool all)
{
   static const char *const ops[] = {"=", "<>", "<", "<=", ">", ">="};
   for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
      if (strcmp (op, ops[i]) == 0)
         return mt_printf (b->a, "$%s %s", all ? "all" : "any", op);
   return NULL;
}

/* Elements that aren't known before rows are read: the two sides get one type, as for the operator
 * itself. */
static bool any_of (MtBinder *b, MtX *left, const char *op, bool all, MtX *array, MtSpan span,
                    MtX **out)
{
   MtX *element = mt_x_new (b->a, MT_X_COLUMN, mt_type (mt_type_element (array->type.id)), span),
       *probe, *sides[2];
   const char *name = hidden_name (b, op, all);
   MtTypeId t;
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
   if (!all && op[0] == '=' && is_flat (array) && !mt_type_has_rank (t)) {
      *out = mt_x_call (b->a, mt_hidden_func ("$in_array"), mt_type (MT_T_BOOL), args, 2, span);
      return true;
   }
   *out = mt_x_call (b->a, mt_hidden_func (name), mt_type (MT_T_BOOL), args, 3, span);
   return true;
}

bool mt_bind_any_array (MtBinder *b, MtX *left, const char *op, bool all, MtX *array, MtSpan span,
                        MtX **out)
{
   int count;
   MtX *probe;
   MtTypeId t = left->type.id == MT_T_UNKNOWN ? MT_T_TEXT : left->type.id;
   if (array->type.id == MT_T_UNKNOWN &&
       !mt_coerce (b, array, mt_type (mt_type_array (t)), MT_COERCE_IMPLICIT, &array))
      return false;
   if (!mt_type_is_array (array->type.id))
      return mt_error_at (b->err, span, "42809", "op ANY/ALL (array) requires array on right side");
   if (!mt_bind_operator (b, op, span, left,
                          mt_x_null (b->a, mt_type (mt_type_element (array->type.id)), span),
                          &probe))
      return false;
   if (probe->type.id != MT_T_BOOL)
      return mt_error_at (b->err, span, "42809",
                          "op ANY/ALL (array) requires operator to yield boolean");
   MtX **list = visible_elements (b, array, &count);
   if (!list && !mt_has_columns (array) && !mt_fold (b, &array))
      return false;
   if (!list)
      list = visible_elements (b, array, &count);
   if (mt_x_is_null_const (array)) {
      *out = mt_x_null (b->a, mt_type (MT_T_BOOL), span);
      return true;
   }
   if (!list)
      return any_of (b, left, op, all, array, span, out);
   if (count > 0)
      return mt_compare_any (b, left, op, all, list, count, span, out);
   *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (all), span);
   return true;
}

/* ---- subscripts ---- */

typedef struct Subscripts {
   const MtExpr *list[MT_MAX_ARRAY_DIMS + 1]; /* from the outer dimension on */
   int count;
   bool slice;
} Subscripts;

/* a[1][2:3]: the base, and its subscripts. Parentheses make what is in them a base. */
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

/* Where one is a slice, a single number means all up to it. */
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

/* ---- VARIADIC ---- */

/* Functions of any number of values, as functions of an array of them. */
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
      return mt_bind_function (b, "array_to_string", span, pair, NULL, 2, out);
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
   MtX **list = visible_elements (b, array, &count);
   args[argc - 1] = array;
   if (!list || count > 100 || (count == 0 && argc == 1))
      return over_array (b, name, args, argc, span, out);
   MtX **all = MT_NEW_N (b->a, MtX *, (size_t) (argc + count));
   memcpy (all, args, (size_t) (argc - 1) * sizeof *all);
   if (count)
      memcpy (all + argc - 1, list, (size_t) count * sizeof *all);
   return mt_bind_function (b, name, span, all, NULL, argc - 1 + count, out);
}
