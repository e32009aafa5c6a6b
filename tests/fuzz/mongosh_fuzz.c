/* libFuzzer: any bytes are read as mongosh would, or refused at a place within them; what is read
 * is BSON that passes its check, and EXPLAIN's text of it is read as the same. */
#include "types/mongosh.h"
#include "engine/local/store/store_int.h"
#include "engine/shell_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void read_again (MtArena *a, const bson_t *doc)
{
   MtBuf text = {0}, before = {0}, after = {0};
   MtError err = {0};
   MtVal v;
   size_t wrong;
   if (mt_bson_check (bson_get_data (doc), doc->len, &wrong) != MT_BSON_OK)
      abort ();
   mt_shell_value (mt_v_doc (doc), &text);
   if (!mt_mongosh_read (a, (MtStr) {text.p, text.n}, &v, &err))
      abort ();
   mt_v_to_json (mt_v_doc (doc), true, &before);
   mt_v_to_json (v, true, &after);
   if (before.n != after.n || memcmp (before.p, after.p, before.n))
      abort ();
   mt_buf_free (&text);
   mt_buf_free (&before);
   mt_buf_free (&after);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   MtArena *a = mt_arena_new ("fuzz", NULL);
   MtError err = {0};
   MtMongoshAggregate g;
   char *copy = malloc (size ? size : 1); /* its end is watched */
   if (!copy)
      return 0;
   memcpy (copy, data, size);
   MtStr text = {copy, size};
   bson_t *doc = mt_mongosh_wrapped (text, &err);
   if (doc) {
      read_again (a, doc);
      MtSpan all = mt_mongosh_place (text, "", false),
             part = mt_mongosh_place (text, "a.b[1]", true);
      if (all.start < 0 || part.start < 0 || all.start + all.len > (int32_t) size ||
          part.start + part.len > (int32_t) size)
         abort ();
      bson_destroy (doc);
   } else if (!mt_error_is_set (&err) || err.span.start > (int32_t) size ||
              (err.span.start >= 0 && err.span.start + err.span.len > (int32_t) size)) {
      abort ();
   }
   mt_mongosh_place (text, "a.b[1]", true);
   mt_mongosh_aggregate (a, text, &g, &err);
   free (copy);
   mt_arena_free (a);
   return 0;
}
