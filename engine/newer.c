/* Decides which of two documents with the same _id is newer. Values compare as in SQL: NaN is
 * greater than all numbers, and strings and binary values compare by bytes. So ORDER BY … DESC
 * NULLS LAST finds the same document. */
#include "engine/engine.h"

#include <string.h>

static int compare_bytes (MtVal a, MtVal b)
{
   int c = memcmp (a.p, b.p, a.len < b.len ? a.len : b.len);
   return c ? c : (a.len > b.len) - (a.len < b.len);
}

static int compare_values (MtVal a, MtVal b)
{
   if (mt_is_nullish (a) || mt_is_nullish (b))
      return mt_is_nullish (b) - mt_is_nullish (a);
   if (mt_is_number (a) && mt_is_number (b) && (mt_v_is_nan (a) || mt_v_is_nan (b)))
      return mt_v_is_nan (a) - mt_v_is_nan (b);
   if (a.type == MT_BINARY && b.type == MT_BINARY)
      return compare_bytes (a, b);
   return mt_v_compare (a, b);
}

int mt_newer_compare (MtVal a, MtVal b, const MtNewer *by)
{
   int c = 0;
   for (size_t i = 0; i < by->count && !c; i++)
      c = compare_values (mt_path_get (a, by->paths[i]), mt_path_get (b, by->paths[i]));
   return c;
}
