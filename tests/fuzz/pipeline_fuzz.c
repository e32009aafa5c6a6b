/* libFuzzer: any text is a pipeline that runs over documents of every type, or is refused at a
 * place within it. The first line may name the collection: "c" or "d"; else the text does. */
#include "types/mongosh.h"
#include "tests/fuzz/fuzz.h"

static const char *const documents[][2] = {
   {"c", "{_id: 1, a: 1, b: {c: [1, 2, {d: 'x'}], e: null}, s: 'text', t: "
         "ISODate('2024-02-29T12:00:00Z')}"},
   {"c", "{_id: 2, a: NumberLong(5), b: [1, 'x', {c: 3}], s: '', t: "
         "ISODate('1970-01-01T00:00:00Z'), n: NumberDecimal('1.50')}"},
   {"c",
    "{_id: 3, a: 2.5, b: [], s: 'wörter', r: /a.*b/i, o: ObjectId('507f1f77bcf86cd799439011')}"},
   {"c", "{_id: 4, a: null, b: {}, u: UUID('00112233-4455-6677-8899-aabbccddeeff'), m: MinKey, x: "
         "MaxKey, ts: Timestamp(1, 2)}"},
   {"c", "{_id: 5, a: [3, 1, 2], k: true, l: [[1, 2], [3]], f: NaN, g: Infinity, n: "
         "NumberDecimal('NaN')}"},
   {"c", "{_id: 'six', a: -7, big: NumberLong('9223372036854775807'), s: 'text'}"},
   {"d", "{_id: 1, k: 1, v: 10}"},
   {"d", "{_id: 2, k: 2.5, v: 20, w: [1, 2]}"},
   {"d", "{_id: 3, k: 'x', v: null}"},
};

static void insert_all (MtSession *s)
{
   MtError err;
   mt_error_clear (&err);
   bool ok = mt_engine_begin (s->engine, &err);
   for (size_t i = 0; ok && i < FUZZ_COUNT (documents); i++) {
      MtArena *a = mt_arena_new ("fuzz", NULL);
      MtVal v;
      bson_t doc;
      ok = mt_mongosh_read (a, mt_str (documents[i][1]), &v, &err) &&
           bson_init_static (&doc, v.p, v.len) &&
           mt_engine_insert (s->engine, documents[i][0], &doc, true, &err);
      mt_arena_free (a);
   }
   if (!ok || !mt_engine_commit (s->engine, &err))
      fuzz_fail ("%s", err.message);
}

static bool emit (void *ctx, const char *line, size_t n)
{
   size_t *bytes = ctx;
   if (!mt_utf8_valid (line, n))
      fuzz_fail ("a line that is no UTF-8");
   *bytes += n;
   return *bytes < (16u << 20);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   static MtSession *s;
   static size_t served;
   const char *collection = "";
   size_t bytes = 0;
   MtError err;
   if (s && ++served > 20000) { /* the session keeps something of each call */
      fuzz_close (s);
      s = NULL;
   }
   if (!s) {
      s = fuzz_store (NULL, 0);
      insert_all (s);
      served = 0;
   }
   if (size > 1 && data[1] == '\n' && (*data == 'c' || *data == 'd')) {
      collection = *data == 'c' ? "c" : "d";
      data += 2;
      size -= 2;
   }
   char *text = fuzz_text (data, size);
   mt_error_clear (&err);
   fuzz_begin_watch (s);
   if (!mt_aggregate (s, &(MtPipelineRun) {.collection = collection, .text = text}, emit, &bytes,
                      &err))
      fuzz_check_error (&err, (long) strlen (text));
   fuzz_end_watch ();
   free (text);
   return 0;
}
