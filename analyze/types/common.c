/* Rules by which types can be converted to others, and the common type of several types, as in
 * PostgreSQL (parse_coerce.c). */
#include "analyze/types/coerce.h"
#include "types/binary.h"

/* Returns whether an array type can be converted. Arrays convert to arrays if their elements do. In
 * an assignment, any array converts to text. Only an explicit cast converts text to an array. */
static bool can_coerce_array (MtTypeId from, MtTypeId to, MtCoercion how)
{
   if (mt_type_is_array (from) && mt_type_is_array (to))
      return mt_can_coerce (mt_type_element (from), mt_type_element (to), how);
   if (mt_type_is_array (from))
      return how != MT_COERCE_IMPLICIT && mt_type_info (to)->category == 'S';
   return how == MT_COERCE_EXPLICIT && mt_type_info (from)->category == 'S';
}

/* Returns whether an enumerated type can be converted: to text in an assignment, and from text only
 * by an explicit cast. */
static bool can_coerce_enum (MtTypeId from, MtTypeId to, MtCoercion how)
{
   if (mt_type_is_enum (from))
      return how != MT_COERCE_IMPLICIT && mt_type_info (to)->category == 'S';
   return how == MT_COERCE_EXPLICIT && mt_type_info (from)->category == 'S';
}

bool mt_can_coerce (MtTypeId from, MtTypeId to, MtCoercion how)
{
   if (to == MT_SIG_ENUM)
      return from == MT_T_UNKNOWN || mt_type_is_enum (from);
   if (from == to || from == MT_T_UNKNOWN || to == MT_SIG_ANY || to == MT_SIG_ELEMENT ||
       to == MT_SIG_COMPATIBLE)
      return true;
   if (to == MT_SIG_NONARRAY || to == MT_SIG_ARRAY || to == MT_SIG_COMPATIBLE_ARRAY)
      return mt_type_is_array (from) == (to != MT_SIG_NONARRAY);
   if (mt_type_is_array (from) || mt_type_is_array (to))
      return can_coerce_array (from, to, how);
   if (mt_type_is_enum (from) || mt_type_is_enum (to))
      return can_coerce_enum (from, to, how);
   if (from == MT_T_BPCHAR && mt_type_info (to)->category != 'S')
      from = MT_T_TEXT;
   if (to == MT_T_BPCHAR && mt_type_info (from)->category != 'S')
      to = MT_T_TEXT;
   const MtSig *row = mt_cast_row (from, to);
   if (!row)
      return false;
   unsigned f = row->fn->flags;
   switch (how) {
   case MT_COERCE_IMPLICIT: return f & MT_F_CAST_IMPLICIT;
   case MT_COERCE_ASSIGN: return f & (MT_F_CAST_IMPLICIT | MT_F_CAST_ASSIGN);
   case MT_COERCE_EXPLICIT: return true;
   }
   return false;
}

static bool clash (MtBinder *b, const MtX *x, const char *what, MtTypeId t, MtTypeId u)
{
   return mt_error_at (b->err, x->span, MT_E_DATATYPE_MISMATCH,
                       "%s types %s and %s cannot be matched", what, mt_type_info (t)->display,
                       mt_type_info (u)->display);
}

bool mt_common_type_of (const MtTypeId *types, int count, MtTypeId *out, int *bad)
{
   MtTypeId t = MT_T_UNKNOWN;
   bool ok = true;
   for (int i = 0; i < count && ok; i++) {
      MtTypeId n = types[i];
      if (n == MT_T_UNKNOWN || n == t)
         continue;
      *bad = i;
      if (t == MT_T_UNKNOWN)
         t = n;
      else if (mt_type_info (t)->category != mt_type_info (n)->category)
         ok = false;
      else if (!mt_type_info (t)->preferred && mt_can_coerce (t, n, MT_COERCE_IMPLICIT) &&
               !mt_can_coerce (n, t, MT_COERCE_IMPLICIT))
         t = n;
   }
   *out = t;
   for (int i = 0; i < count && ok; i++) {
      ok = mt_can_coerce (types[i], t, MT_COERCE_IMPLICIT);
      *bad = i;
   }
   return ok;
}

bool mt_common_type (MtBinder *b, MtX *const *list, int count, const char *what, MtTypeId *out)
{
   MtTypeId few[16], *types = count <= 16 ? few : MT_NEW_N (b->a, MtTypeId, (size_t) count), t;
   int bad;
   for (int i = 0; i < count; i++)
      types[i] = list[i]->type.id;
   if (!mt_common_type_of (types, count, &t, &bad))
      return clash (b, list[bad], what, t, types[bad]);
   *out = t == MT_T_UNKNOWN ? MT_T_TEXT : t;
   return true;
}

MtType mt_common_modifier (MtX *const *list, int count, MtTypeId t)
{
   MtType first = count ? list[0]->type : mt_type (t);
   for (int i = 0; i < count; i++) {
      MtType o = list[i]->type;
      if (o.id != t || (o.mod1 < 0 && !mt_type_is_catalog_text (o)) || o.mod1 != first.mod1 ||
          o.mod2 != first.mod2)
         return mt_type (t);
   }
   return first;
}
