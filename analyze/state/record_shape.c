#include "analyze/state/record_shape.h"

#include <string.h>

static bool is_same (const MtRecordShape *x, const MtRecordShape *y)
{
   bool same = x->count == y->count;
   for (int i = 0; same && i < x->count; i++)
      same = memcmp (&x->types[i], &y->types[i], sizeof (MtType)) == 0 &&
             strcmp (x->names[i], y->names[i]) == 0;
   return same;
}

MtType mt_record_type (MtBinder *b, const MtRecordShape *shape)
{
   MtSharing *all = mt_sharing (b);
   MtType t = mt_type (MT_T_RECORD);
   int i = 0;
   while (i < all->shape_count && !is_same (&all->shapes[i], shape))
      i++;
   if (i > INT16_MAX) /* the shape stays unknown */
      return t;
   if (i == all->shape_count) {
      MT_GROW_IN (b->a, all->shapes, all->shape_count, all->shape_cap, 8);
      all->shapes[all->shape_count++] = *shape;
   }
   t.mod1 = (int16_t) i;
   return t;
}

const MtRecordShape *mt_record_shape_of (MtBinder *b, MtType t)
{
   const MtSharing *all = mt_sharing (b);
   return mt_type_element (t.id) == MT_T_RECORD && t.mod1 >= 0 && t.mod1 < all->shape_count
             ? &all->shapes[t.mod1]
             : NULL;
}

MtTypeId mt_record_lacks_equality (MtBinder *b, MtType t)
{
   const MtRecordShape *shape = mt_record_shape_of (b, t);
   MtTypeId found = mt_type_element (t.id) == MT_T_JSON ? MT_T_JSON : MT_T_UNKNOWN;
   for (int i = 0; shape && i < shape->count && found == MT_T_UNKNOWN; i++)
      found = mt_record_lacks_equality (b, shape->types[i]); /* types of fields were made before */
   return found;
}
