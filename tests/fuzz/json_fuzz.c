/* libFuzzer: any text is jsonb, or is refused; what is jsonb prints as text that is the same jsonb.
 * The first line is a jsonpath over the rest, and all of it is a file of JSON lines. */
#include "types/jsonb.h"
#include "functions/json/path.h"
#include "tests/fuzz/fuzz.h"

static MtColumn columns[] = {FUZZ_COLUMN ("a", MT_T_INT8), FUZZ_COLUMN ("b", MT_T_TEXT),
                             FUZZ_COLUMN ("j", MT_T_JSONB),
                             FUZZ_COLUMN ("l", MT_T_FLOAT8 | MT_T_ARRAY),
                             FUZZ_COLUMN ("ts", MT_T_TIMESTAMPTZ)};
static const MtTable table = {
   .name = "t", .columns = columns, .column_count = FUZZ_COUNT (columns), .time_column = -1};
static MtTextStyle style = {.extra_float_digits = 1};

static void same_again (MtArena *a, MtVal v)
{
   MtBuf text = {0};
   MtVal again;
   MtError err;
   mt_error_clear (&err);
   mt_jsonb_print (v, &text);
   if (!mt_json_parse (a, (MtStr) {text.p, text.n}, &again, &err)) {
      if (strncmp (err.sqlstate, "54", 2) != 0)
         fuzz_fail ("printed jsonb isn't read: %s", err.message);
   } else if (mt_jsonb_compare (v, again) != 0 || mt_jsonb_compare (again, v) != 0 ||
              mt_v_hash (v, 7) != mt_v_hash (again, 7)) {
      fuzz_fail ("printed jsonb is another one: %.*s", (int) text.n, text.p);
   }
   mt_buf_clear (&text);
   mt_jsonb_pretty (v, &text);
   if (!mt_json_parse (a, (MtStr) {text.p, text.n}, &again, &err) &&
       strncmp (err.sqlstate, "54", 2) != 0)
      fuzz_fail ("jsonb in lines isn't read: %s", err.message);
   mt_buf_free (&text);
}

static void compute (MtArena *a, MtVal v, MtStr path)
{
   MtError err;
   MtVal out, key;
   mt_error_clear (&err);
   if (!mt_jsonb_contains (v, v))
      fuzz_fail ("a jsonb that doesn't contain itself");
   if (mt_jsonb_strip_nulls (a, v, &out, &err))
      same_again (a, out);
   mt_error_clear (&err);
   if (mt_jsonb_concat (a, v, v, &out, &err))
      same_again (a, out);
   mt_error_clear (&err);
   if (!mt_jsonb_key (a, v, &key, &err))
      fuzz_check_error (&err, -1);
   MtVal steps[2] = {mt_v_str ("0", 1), mt_v_str (path.p, path.n)};
   for (int how = MT_JSON_REPLACE; how <= MT_JSON_DELETE; how++) {
      mt_error_clear (&err);
      if (!mt_jsonb_set (a, v, &(MtJsonChange) {steps, 2, (MtJsonSet) how, v}, &out, &err))
         fuzz_check_error (&err, -1);
      else if (out.type != MT_MISSING)
         same_again (a, out);
   }
}

static void query (MtArena *a, MtVal v, MtStr path)
{
   MtError err;
   MtJsonFound found;
   for (int how = 0; how <= (MT_PATH_SILENT | MT_PATH_ANY); how++) {
      MtEval ev = {.arena = a, .err = &err};
      mt_error_clear (&err);
      if (!mt_json_path_query (&ev, v, path, v, how, &found))
         fuzz_check_error (&err, -1);
      else
         for (size_t i = 0; i < found.count; i++)
            same_again (a, mt_jsonb_from_element (found.items[i]));
   }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
   MtArena *a = mt_arena_new ("fuzz", NULL);
   MtVal v;
   MtError err;
   MtCopyInArgs args = {.table = &table, .style = &style};
   style.zone = mt_tz_utc ();
   if (fuzz_copy_in ("jsonl", args, (FuzzBytes) {data, size, size + 1}, NULL, NULL) !=
       fuzz_copy_in ("jsonl", args, (FuzzBytes) {data, size, 3}, NULL, NULL))
      fuzz_fail ("other lines in pieces");
   if (!mt_utf8_valid ((const char *) data, size)) {
      mt_arena_free (a);
      return 0;
   }
   MtStr path = fuzz_cut (&data, &size, '\n');
   char *copy = fuzz_copy (data, size);
   mt_error_clear (&err);
   if (mt_json_parse (a, (MtStr) {copy, size}, &v, &err)) {
      same_again (a, v);
      compute (a, v, path);
      query (a, v, path);
   } else {
      fuzz_check_error (&err, -1);
   }
   mt_error_clear (&err);
   if (mt_document_parse (a, (MtStr) {copy, size}, &v, &err)) {
      MtBuf text = {0};
      mt_document_print (v, &text);
      mt_buf_free (&text);
      if (mt_jsonb_canonical (a, mt_jsonb_from_element (v), &v, &err))
         same_again (a, v);
   }
   free (copy);
   mt_arena_free (a);
   return 0;
}
