/* Casts of arrays, and array literals with times that have microseconds. */
#include "analyze/types/array_cast.h"

#include "analyze/types/coerce.h"
#include "types/datetime.h"
#include "types/tz.h"

static MtX *int_arg (MtBinder *b, int v)
{
   return mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (v), MT_NO_SPAN);
}

/* Returns whether a cast from array or element type `from` to `to` leaves the BSON values
 * unchanged. */
static bool same_bson (MtTypeId from, MtTypeId to)
{
   static const MtTypeId pairs[][2] = {{MT_T_TEXT, MT_T_VARCHAR},   {MT_T_VARCHAR, MT_T_TEXT},
                                       {MT_T_INT2, MT_T_INT4},      {MT_T_FLOAT4, MT_T_FLOAT8},
                                       {MT_T_JSONB, MT_T_DOCUMENT}, {MT_T_DOCUMENT, MT_T_JSONB}};
   if (mt_type_is_enum (mt_type_element (from)) && mt_type_element (to) == MT_T_TEXT)
      return mt_type_is_array (to);
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

bool mt_is_array_constructor (const MtX *x)
{
   return x->kind == MT_X_CALL && x->call.fn == mt_hidden_func ("$array");
}

bool mt_has_moments (const MtX *x)
{
   bool found = false;
   for (int i = 0; mt_is_array_constructor (x) && i < x->call.argc; i++)
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
