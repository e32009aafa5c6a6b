/* libFuzzer: what the structure's check lets in, everything can walk: values are read, compared,
 * hashed and printed. */
#include "engine/local/store/store_int.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void walk (const uint8_t *doc, size_t len, uint64_t *hash)
{
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   while (p < end) {
      uint8_t type = *p++;
      p += strlen ((const char *) p) + 1;
      MtVal v = mt_bson_value (type, p);
      *hash ^= mt_v_hash (v, 7);
      if (mt_v_compare (v, v) != 0)
         abort ();
      if (v.type == MT_DOC || v.type == MT_ARRAY)
         walk (v.p, v.len, hash);
      p += mt_bson_value_size (type, p);
   }
   if (p != end)
      abort ();
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   size_t at;
   uint64_t hash = 0;
   bson_t b;
   uint8_t *copy = malloc (size ? size : 1); /* its end is watched */
   if (!copy)
      return 0;
   memcpy (copy, data, size);
   if (mt_bson_check (copy, size, &at) == MT_BSON_OK) {
      MtBuf text = {0};
      walk (copy, size, &hash);
      if (!bson_init_static (&b, copy, size))
         abort ();
      mt_v_to_json (mt_v_doc (&b), true, &text);
      mt_bson_field (copy, size, "_id");
      mt_buf_free (&text);
   } else if (at > size) {
      abort ();
   }
   free (copy);
   return 0;
}
