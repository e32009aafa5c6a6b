/* Conversion to jsonb, and subscripts of jsonb. */
#include "analyze/calls/call.h"
#include "analyze/types/coerce.h"

bool mt_json_value (MtBinder *b, MtX *x, MtX **out)
{
   if (!mt_settle_unknown (b, &x))
      return false;
   *out = x;
   return x->type.id == MT_T_JSONB || mt_bind_function (b, "to_jsonb", x->span, &x, 1, out);
}

bool mt_json_text_of (MtBinder *b, MtX *x, MtX **out)
{
   if (!mt_settle_unknown (b, &x))
      return false;
   *out = x;
   return x->type.id == MT_T_JSON || mt_bind_function (b, "to_json", x->span, &x, 1, out);
}

bool mt_json_key (MtBinder *b, MtX *x, MtX **out)
{
   if (x->type.id == MT_T_JSON || x->type.id == MT_T_JSONB || x->type.id == MT_T_DOCUMENT ||
       x->type.id == MT_T_RECORD || mt_type_is_array (x->type.id))
      return mt_error (b->err, MT_E_PARAMETER,
                       "key value must be scalar, not array, composite, or json");
   return mt_json_value (b, x, out);
}

bool mt_json_field (MtBinder *b, MtX *x, const char *name, MtSpan span, MtX **out)
{
   return mt_bind_operator (b, "->", span, x, mt_x_text (b->a, name, span), out);
}

/* key is a text, or the integer index of an array element, counted from 0. */
bool mt_json_subscript (MtBinder *b, MtX *x, MtX *key, MtSpan span, MtX **out)
{
   static const MtTypeId keys[] = {MT_T_INT4, MT_T_TEXT};
   MtX *path[2] = {x, NULL};
   if (key->type.id == MT_T_UNKNOWN &&
       !mt_coerce (b, key, mt_type (MT_T_TEXT), MT_COERCE_IMPLICIT, &key))
      return false;
   for (size_t i = 0; i < sizeof keys / sizeof *keys && !path[1]; i++)
      if (mt_can_coerce (key->type.id, keys[i], MT_COERCE_IMPLICIT) &&
          !mt_coerce (b, key, mt_type (keys[i]), MT_COERCE_IMPLICIT, &path[1]))
         return false;
   if (!path[1]) {
      mt_error_at (b->err, key->span, MT_E_DATATYPE_MISMATCH, "subscript type %s is not supported",
                   mt_type_info (key->type.id)->display);
      return mt_error_hint (b->err, "jsonb subscript must be coercible to either integer or text.");
   }
   if (x->type.id == MT_T_DOCUMENT)
      return mt_bind_operator (b, "->", span, x, path[1], out);
   return mt_coerce (b, path[1], mt_type (MT_T_TEXT), MT_COERCE_EXPLICIT, &path[1]) &&
          mt_bind_function (b, "jsonb_extract_path", span, path, 2, out);
}
