/* Computes the range (least and greatest value) of a field over the documents of a block. */
#include "engine/local/store/coll_int.h"

/* Returns whether a range may contain v. A block with an array has no range, because conditions can
 * match single elements. Undefined values have no place in the sort order. */
static bool has_bounds (MtVal v) { return v.type != MT_ARRAY && v.type != MT_UNDEFINED; }

void mt_range_widen (MtBlockRange *r, bool *any, MtVal v)
{
   if (v.type == MT_MISSING)
      v.type = MT_NULL;
   if (!*any) {
      *any = true;
      r->kept = has_bounds (v);
      r->min = r->max = v;
      return;
   }
   if (!r->kept)
      return;
   if (!has_bounds (v)) {
      r->kept = false;
      return;
   }
   if (v.type == r->max.type && v.type == r->min.type &&
       (v.type == MT_DATE || v.type == MT_INT64 || v.type == MT_INT32)) {
      if (v.i > r->max.i)
         r->max.i = v.i;
      else if (v.i < r->min.i)
         r->min.i = v.i;
      return;
   }
   if (mt_v_compare (v, r->max) > 0)
      r->max = v;
   else if (mt_v_compare (v, r->min) < 0)
      r->min = v;
}

static MtVal keep_bound (MtArena *a, MtVal v, bool upper)
{
   bool pointed = v.type == MT_STRING || v.type == MT_SYMBOL || v.type == MT_CODE ||
                  v.type == MT_DOC || v.type == MT_BINARY || v.type == MT_REGEX;
   if (!pointed || v.len <= MT_STORE_RANGE_BYTES)
      return mt_v_copy (a, v);
   if (v.type != MT_STRING && v.type != MT_SYMBOL)
      return (MtVal) {.type = upper ? MT_MAXKEY : MT_MINKEY};
   uint8_t *p = (uint8_t *) mt_strndup (a, (const char *) v.p, MT_STORE_RANGE_BYTES);
   size_t n = MT_STORE_RANGE_BYTES;
   if (upper) { /* the smallest prefix that is above all texts that begin like v */
      while (n > 0 && p[n - 1] == 0xFF)
         n--;
      if (n == 0)
         return (MtVal) {.type = MT_MAXKEY};
      p[n - 1]++;
   }
   return (MtVal) {.type = v.type, .len = (uint32_t) n, .p = p};
}

MtBlockRange mt_range_keep (MtArena *a, MtBlockRange r)
{
   if (r.kept) {
      r.min = keep_bound (a, r.min, false);
      r.max = keep_bound (a, r.max, true);
   }
   return r;
}
