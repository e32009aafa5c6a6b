/* Internal functions, which SQL can't call, that build and cast arrays. */
#include "functions/array.h"
#include "functions/core/rows.h"
#include "functions/core/row.h"
#include "functions/signature.h"

#include <string.h>

static bool fn_array (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   return mt_v_make_array (ev->arena, a, (size_t) n, out, ev->err);
}

static bool fn_array_same (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   *out = a[0];
   return true;
}

/* Builds a multidimensional array from arrays, which must have equal dimensions. If all of them are
 * empty or NULL, the result is an empty array. */
static bool fn_array_of_arrays (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t first[MT_MAX_ARRAY_DIMS], dims[MT_MAX_ARRAY_DIMS];
   int known = 0, empty = 0;
   bool same = true;
   for (int i = 0; i < n; i++) {
      int d = mt_array_dims (a[i], MT_T_UNKNOWN, dims);
      empty += d == 0;
      if (d && !known) {
         known = d;
         memcpy (first, dims, sizeof dims);
      } else if (d)
         same = same && d == known && memcmp (first, dims, (size_t) d * sizeof *dims) == 0;
   }
   if (empty == n)
      return mt_v_make_array (ev->arena, NULL, 0, out, ev->err);
   if (!same || empty)
      return mt_error (
         ev->err, MT_E_ARRAY_SUBSCRIPT,
         "multidimensional arrays must have array expressions with matching dimensions");
   if (known >= MT_MAX_ARRAY_DIMS)
      return mt_error (ev->err, MT_E_LIMIT,
                       "number of array dimensions (%d) exceeds the maximum allowed (%d)",
                       known + 1, MT_MAX_ARRAY_DIMS);
   return mt_v_make_array (ev->arena, a, (size_t) n, out, ev->err);
}

typedef struct Cast {
   const MtSig *row;     /* the cast of elements; NULL: only the type modifier is applied */
   const MtFunc *modify; /* NULL: none */
   MtType to;            /* the elements' type */
   MtTypeId from;
   MtVal zone, now;
} Cast;

static bool cast_element (MtEval *ev, const Cast *c, MtVal v, MtVal *out)
{
   MtVal args[3] = {v};
   *out = v;
   if (mt_is_nullish (v))
      return true;
   if (c->row) {
      if (!mt_value_normalize (
             ev->arena, mt_type (c->from), v, &args[0],
             ev->err)) /* other writers may have stored it as another number type */
         return false;
      int n = c->row->argc;
      for (int i = 1; i < n && i < 3; i++)
         args[i] = mt_str_is (c->row->arg_names[i], "_zone") ? c->zone : c->now;
      if (!mt_run_op (*ev, c->row->fn->op, true, args, n, out))
         return false;
   }
   if (!c->modify || mt_is_nullish (*out))
      return true;
   args[0] = *out;
   args[1] = mt_v_int32 (c->to.mod1);
   args[2] = mt_v_int32 (c->to.mod2);
   return mt_run_op (*ev, c->modify->op, true, args, c->to.id == MT_T_NUMERIC ? 3 : 2, out);
}

static bool cast_level (MtEval *ev, const Cast *c, MtVal array, int depth, MtVal *out)
{
   size_t n;
   MtVal *v = mt_v_elements (ev->arena, array, &n);
   for (size_t i = 0; i < n; i++) {
      bool level = v[i].type == MT_ARRAY && depth < MT_MAX_ARRAY_DIMS;
      if (level ? !cast_level (ev, c, v[i], depth + 1, &v[i]) : !cast_element (ev, c, v[i], &v[i]))
         return false;
   }
   return mt_v_make_array (ev->arena, v, n, out, ev->err);
}

/* Casts an array. Arguments: value, its type, the new type, the two modifiers of the new type,
 * whether the cast is explicit, time zone, the statement's time. */
static bool fn_array_cast (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtTypeId from, to;
   MtTextStyle style = {.extra_float_digits = 1, .now_ms = n == 8 ? a[7].i : 0};
   if (n != 8 || !mt_type_by_name (mt_v_text (a[1]), &from) ||
       !mt_type_by_name (mt_v_text (a[2]), &to))
      return mt_error (ev->err, MT_E_PARAMETER,
                       "$_mt_array_cast takes a value and what it becomes");
   MtType t = {to, (int16_t) a[3].i, (int16_t) a[4].i};
   if (!mt_zone_arg (ev, a[6], &style.zone))
      return false;
   if (!mt_type_is_array (from))
      return mt_value_parse (ev->arena, t, mt_v_text (a[0]), &style, out, ev->err);
   if (!mt_type_is_array (to)) {
      MtBuf buf = {0};
      bool ok = mt_array_print (mt_type (from), a[0], &style, &buf, ev->err);
      *out = mt_text_result (ev, &buf);
      return ok;
   }
   Cast c = {.to = t, .zone = a[6], .now = a[7]};
   c.to.id = mt_type_element (to);
   c.from = mt_type_element (from);
   c.row = from == to ? NULL : mt_cast_row (mt_type_element (from), c.to.id);
   c.modify = t.mod1 < 0 ? NULL : mt_modifier_func (c.to, a[5].i);
   return cast_level (ev, &c, a[0], 1, out);
}

#define NS MT_F_NOT_STRICT

const MtFunc mt_fn_array_hidden[] = {
   MT_ROW ("$array", "anyelement -> anyarray", NS | MT_NN | MT_F_VARIADIC | MT_F_NULL_SAFE,
           "[\"$*\"]", MT_OPN ("array", array, 0), "an array of its arguments",
           "SELECT ARRAY[1, NULL, 3] => {1,NULL,3}"),
   MT_ROW ("$array_of_arrays", "anyarray -> anyarray", NS | MT_NN | MT_F_VARIADIC, NULL,
           MT_OPN ("array_of_arrays", array_of_arrays, 0), "an array of one dimension more",
           "SELECT ARRAY[ARRAY[1, 2], '{3,4}'] => {{1,2},{3,4}}"),
   MT_ROW ("$array_same", "anyarray -> anyarray", MT_NN | MT_F_NULL_SAFE, "\"$1\"",
           MT_OPN ("array_same", array_same, 0), "an array as one of a type with the same values",
           "SELECT ARRAY['a'::text]::varchar[] => {a}"),
   MT_ROW ("$array_cast", "any, text, text, int4, int4, bool, text, timestamptz -> any",
           MT_NN | MT_F_INFINITE, NULL, MT_OPN ("array_cast", array_cast, 0),
           "an array as another one or as text, and text as an array",
           "SELECT '{1,2}'::text::int[]::text[] => {1,2}"),
   {.name = NULL},
};
