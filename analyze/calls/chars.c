#include "analyze/calls/chars.h"

#include "analyze/types/coerce.h"

/* Returns whether a comparison of char(n) with type t compares as char(n), that is, without
 * trailing blanks. With text, PostgreSQL compares as text. */
static bool may_be_char (MtTypeId t)
{
   return t == MT_T_BPCHAR || t == MT_T_VARCHAR || t == MT_T_UNKNOWN;
}

bool mt_chars_compared (MtBinder *b, MtX **left, MtX **right)
{
   MtTypeId l = (*left)->type.id, r = (*right)->type.id;
   MtType t = mt_type (MT_T_BPCHAR), text = mt_type (MT_T_TEXT);
   if ((l != MT_T_BPCHAR && r != MT_T_BPCHAR) || !may_be_char (l) || !may_be_char (r))
      return true;
   return (l == MT_T_BPCHAR || mt_coerce (b, *left, t, MT_COERCE_IMPLICIT, left)) &&
          (r == MT_T_BPCHAR || mt_coerce (b, *right, t, MT_COERCE_IMPLICIT, right)) &&
          mt_coerce (b, *left, text, MT_COERCE_IMPLICIT, left) &&
          mt_coerce (b, *right, text, MT_COERCE_IMPLICIT, right);
}

MtX *mt_chars_padded (MtBinder *b, MtX *x)
{
   if (x->type.id != MT_T_BPCHAR || x->type.mod1 < 0)
      return x;
   MtX **args = MT_NEW_N (b->a, MtX *, 2);
   args[0] = x;
   args[1] = mt_x_const (b->a, mt_type (MT_T_INT4), mt_v_int32 (x->type.mod1), MT_NO_SPAN);
   return mt_x_call (b->a, mt_hidden_func ("$bpchar_pad"), mt_type (MT_T_TEXT), args, 2, x->span);
}
