/* The writer: rows in, documents out, byte for byte where the shape is given by others. */
#include "layouts/read/attach.h"
#include "copy/copy.h"
#include "layouts/pack/writer.h"
#include "layouts/descriptor/descriptor.h"
#include "functions/signature.h"
#include "tests/unit/fake_engine.h"
#include "tests/unit/layout_tables.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static MtArena *arena;
static MtEngine *engine;
static MtError err;

static int setup (void **state)
{
   arena = mt_arena_new ("test", NULL);
   engine = mt_fake_engine ();
   mt_error_clear (&err);
   return 0;
}

static int teardown (void **state)
{
   mt_engine_close (engine);
   mt_arena_free (arena);
   return 0;
}

typedef struct Text {
   const char *p;
   size_t n;
} Text;

static long read_text (void *ctx, char *buf, size_t n)
{
   Text *t = ctx;
   size_t k = t->n < n ? t->n : n;
   memcpy (buf, t->p, k);
   t->p += k;
   t->n -= k;
   return (long) k;
}

/* Writes rows of CSV (times in seconds since 1970); false with err set. */
static bool load (const MtTable *t, const char *csv, size_t memory, MtStoreStats ***stats)
{
   MtTextStyle style = {.extra_float_digits = 1};
   MtPresetOption epoch = {"epoch", "s", MT_NO_SPAN};
   Text text = {csv, strlen (csv)};
   MtCopyInArgs args = {.table = t,
                        .options = &epoch,
                        .option_count = 1,
                        .style = &style,
                        .read = read_text,
                        .ctx = &text};
   MtWriterOptions wo = {.memory = memory};
   MtCopyIn *in;
   MtWriter *w;
   const MtVal *row = NULL;
   assert_true (mt_engine_begin (engine, &err));
   assert_true (mt_copy_in_open ("csv", &args, &in, &err));
   bool ok = mt_writer_open (engine, t, &wo, &w, &err);
   bool opened = ok;
   while (ok && (ok = mt_copy_in_next (in, &row, &err)) && row)
      ok = mt_writer_add (w, row, &err);
   ok = ok && mt_writer_finish (w, arena, stats, &err);
   if (opened)
      mt_writer_close (w);
   mt_copy_in_close (in);
   if (ok)
      assert_true (mt_engine_commit (engine, &err));
   else
      mt_engine_rollback (engine);
   return ok;
}

/* All documents of a collection as lines of relaxed extended JSON; ObjectIds as _id are left
 * out. */
static const char *dump (const char *collection)
{
   MtBuf b = {0};
   for (size_t i = 0; i < mt_fake_count (engine, collection); i++) {
      const bson_t *doc = mt_fake_doc (engine, collection, i);
      bson_t copy = BSON_INITIALIZER;
      assert_true (bson_validate (doc, BSON_VALIDATE_UTF8, NULL));
      bool oid = mt_doc_get (mt_v_doc (doc), "_id", 3).type == MT_OID;
      if (oid)
         bson_copy_to_excluding_noinit (doc, &copy, "_id", NULL);
      mt_v_to_json (mt_v_doc (oid ? &copy : doc), false, &b);
      mt_buf_addc (&b, '\n');
      bson_destroy (&copy);
   }
   const char *text = mt_strdup (arena, b.p ? b.p : "");
   mt_buf_free (&b);
   return text;
}

static MtTable *table_with (const char *table, const char *json)
{
   MtTable *t = mt_test_table (arena, table);
   t->layouts = MT_NEW (arena, MtLayout);
   t->layout_count = 1;
   if (!mt_layout_parse (arena, t, "l", mt_test_json (arena, json), t->layouts, &err))
      fail_msg ("%s", err.message);
   return t;
}

static MtTable *table_using (const char *table, const char *preset, const MtPresetOption *o,
                             size_t n)
{
   MtTable *t = mt_test_table (arena, table);
   bson_t d = BSON_INITIALIZER;
   t->layouts = MT_NEW (arena, MtLayout);
   t->layout_count = 1;
   if (!mt_preset_descriptor (arena, t, &(MtPresetUse) {preset, o, n, "c"}, &d, &err) ||
       !mt_layout_parse (arena, t, "l", &d, t->layouts, &err))
      fail_msg ("%s", err.message);
   bson_destroy (&d);
   return t;
}

static void writes (const MtTable *t, const char *csv, const char *expected)
{
   if (!load (t, csv, 0, NULL))
      fail_msg ("%s %s", err.message, err.detail);
   const char *got = dump (t->layouts[0].stores[0].collection);
   if (strcmp (got, expected))
      fail_msg ("got:\n%s\nexpected:\n%s", got, expected);
}

/* ---- the documents of packed calls, as published ---- */

#define CALLS_CSV \
   "1428777180,0,10000,appid1,1,41\n" \
   "1428777120,0,18,appid1,1,26\n" \
   "1428777120,0,16,appid1,1,41\n" \
   "1428777120,0,10000,appid1,1,1\n" \
   "1428777120,-502,10000,\"\",2,7.5\n" \
   "1428777120,0,10000,appid1,1,2\n"

static void rows_documents (void **state)
{
   writes (
      table_using ("calls", "rows", NULL, 0),
      "1428777120,-502,10000,wxa8,1,41\n1428777180,,\"\",b,3,0.5\n",
      "{\"timestamp\":1428777120,\"iResult\":\"-502\",\"vCmdid\":\"10000\",\"vAppid\":\"wxa8\",\"totalCount\":1,\"dProcessTime\":41.0}\n"
      "{\"timestamp\":1428777180,\"iResult\":null,\"vCmdid\":\"\",\"vAppid\":\"b\",\"totalCount\":3,\"dProcessTime\":0.5}\n");
}

static void per_day_documents (void **state)
{
   writes (
      table_using ("calls", "per_day", NULL, 0), CALLS_CSV,
      "{\"_id\":\"1428710400..10000.-502\",\"iResult\":\"-502\",\"vCmdid\":\"10000\",\"vAppid\":\"\",\"date\":1428710400.0,\"values\":[{\"t\":1428777120,\"0\":7.5,\"1\":2}]}\n"
      "{\"_id\":\"1428710400.appid1.10000.0\",\"iResult\":\"0\",\"vCmdid\":\"10000\",\"vAppid\":\"appid1\",\"date\":1428710400.0,\"values\":[{\"t\":1428777120,\"0\":1.0,\"1\":1},{\"t\":1428777120,\"0\":2.0,\"1\":1},{\"t\":1428777180,\"0\":41.0,\"1\":1}]}\n"
      "{\"_id\":\"1428710400.appid1.16.0\",\"iResult\":\"0\",\"vCmdid\":\"16\",\"vAppid\":\"appid1\",\"date\":1428710400.0,\"values\":[{\"t\":1428777120,\"0\":41.0,\"1\":1}]}\n"
      "{\"_id\":\"1428710400.appid1.18.0\",\"iResult\":\"0\",\"vCmdid\":\"18\",\"vAppid\":\"appid1\",\"date\":1428710400.0,\"values\":[{\"t\":1428777120,\"0\":26.0,\"1\":1}]}\n");
}

static void nested_documents (void **state)
{
   MtPresetOption o[] = {{"cluster_by", "vAppid", MT_NO_SPAN},
                         {"levels", "ts, iResult, vCmdid", MT_NO_SPAN}};
   writes (
      table_using ("calls", "nested", o, 2), CALLS_CSV,
      "{\"vAppid\":\"\",\"count\":1,\"min_timestamp\":1428777120.0,\"max_timestamp\":1428777120.0,\"sum_totalCount\":2,\"sum_dProcessTime\":7.5,\"_\":[{\"d\":1428777120.0,\"c\":1,\"0\":2,\"1\":7.5,\"_\":[{\"d\":\"-502\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":7.5,\"0\":2}]}]}]}]}\n"
      "{\"vAppid\":\"appid1\",\"count\":5,\"min_timestamp\":1428777120.0,\"max_timestamp\":1428777180.0,\"sum_totalCount\":5,\"sum_dProcessTime\":111.0,\"_\":[{\"d\":1428777120.0,\"c\":4,\"0\":4,\"1\":70.0,\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":1.0,\"0\":1},{\"1\":2.0,\"0\":1}]},{\"d\":\"16\",\"v\":[{\"1\":41.0,\"0\":1}]},{\"d\":\"18\",\"v\":[{\"1\":26.0,\"0\":1}]}]}]},{\"d\":1428777180.0,\"c\":1,\"0\":1,\"1\":41.0,\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":41.0,\"0\":1}]}]}]}]}\n");
}

static void nested_unclustered_documents (void **state)
{
   MtPresetOption o[] = {{"levels", "ts, vAppid, iResult, vCmdid", MT_NO_SPAN}};
   writes (
      table_using ("calls", "nested", o, 1), CALLS_CSV,
      "{\"count\":6,\"min_timestamp\":1428777120.0,\"max_timestamp\":1428777180.0,\"sum_totalCount\":7,\"sum_dProcessTime\":118.5,\"_\":[{\"d\":1428777120.0,\"c\":5,\"0\":6,\"1\":77.5,\"_\":[{\"d\":\"\",\"_\":[{\"d\":\"-502\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":7.5,\"0\":2}]}]}]},{\"d\":\"appid1\",\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":1.0,\"0\":1},{\"1\":2.0,\"0\":1}]},{\"d\":\"16\",\"v\":[{\"1\":41.0,\"0\":1}]},{\"d\":\"18\",\"v\":[{\"1\":26.0,\"0\":1}]}]}]}]},{\"d\":1428777180.0,\"c\":1,\"0\":1,\"1\":41.0,\"_\":[{\"d\":\"appid1\",\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"v\":[{\"1\":41.0,\"0\":1}]}]}]}]}]}\n");
}

static void nested_sums_documents (void **state)
{
   MtPresetOption o[] = {{"levels", "ts, vAppid, iResult, vCmdid", MT_NO_SPAN},
                         {"raw_values", "false", MT_NO_SPAN}};
   writes (
      table_using ("calls", "nested", o, 2), CALLS_CSV,
      "{\"count\":6,\"min_timestamp\":1428777120.0,\"max_timestamp\":1428777180.0,\"sum_totalCount\":7,\"sum_dProcessTime\":118.5,\"_\":[{\"d\":1428777120.0,\"c\":5,\"0\":6,\"1\":77.5,\"_\":[{\"d\":\"\",\"_\":[{\"d\":\"-502\",\"_\":[{\"d\":\"10000\",\"c\":1,\"0\":2,\"1\":7.5}]}]},{\"d\":\"appid1\",\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"c\":2,\"0\":2,\"1\":3.0},{\"d\":\"16\",\"c\":1,\"0\":1,\"1\":41.0},{\"d\":\"18\",\"c\":1,\"0\":1,\"1\":26.0}]}]}]},{\"d\":1428777180.0,\"c\":1,\"0\":1,\"1\":41.0,\"_\":[{\"d\":\"appid1\",\"_\":[{\"d\":\"0\",\"_\":[{\"d\":\"10000\",\"c\":1,\"0\":1,\"1\":41.0}]}]}]}]}\n");
}

static void minute_documents (void **state)
{
   writes (
      table_using ("memory", "minute", NULL, 0),
      "1428777120,memory_used,999999\n1428777179,memory_used,1800000\n1428777180,memory_used,5\n1428777121,x,0\n",
      "{\"timestamp_minute\":{\"$date\":\"2015-04-11T18:32:00Z\"},\"num_samples\":2,\"total_samples\":2799999,\"type\":\"memory_used\",\"values\":{\"0\":999999,\"59\":1800000}}\n"
      "{\"timestamp_minute\":{\"$date\":\"2015-04-11T18:32:00Z\"},\"num_samples\":1,\"total_samples\":0,\"type\":\"x\",\"values\":{\"1\":0}}\n"
      "{\"timestamp_minute\":{\"$date\":\"2015-04-11T18:33:00Z\"},\"num_samples\":1,\"total_samples\":5,\"type\":\"memory_used\",\"values\":{\"0\":5}}\n");
}

static const char *example (const char *word)
{
   const char *texts[32];
   size_t n = mt_test_examples (arena, texts, 32);
   for (size_t i = 0; i < n; i++)
      if (strstr (texts[i], word))
         return texts[i];
   fail_msg ("docs/lemma.md has no example with %s", word);
   return NULL;
}

static void slots_documents (void **state)
{
   writes (
      table_with ("hits", example ("\"slots\"")), "60,a,3\n240,a,1\n60,a,4\n86400,a,5\n65,b,1\n",
      "{\"day\":{\"$date\":\"1970-01-01T00:00:00Z\"},\"metric\":\"a\",\"m\":[null,7,null,null,1]}\n"
      "{\"day\":{\"$date\":\"1970-01-01T00:00:00Z\"},\"metric\":\"b\",\"m\":[null,1]}\n"
      "{\"day\":{\"$date\":\"1970-01-02T00:00:00Z\"},\"metric\":\"a\",\"m\":[5]}\n");
}

static void map_documents (void **state)
{
   writes (
      table_with ("regions", example ("by_region")),
      "3600,h1,eu.west,3\n3600,h1,\"\",1\n7200,h1,eu.west,4\n3600,h1,eu.west,5\n90000,h1,eu,1\n",
      "{\"day\":\"19700101\",\"host\":\"h1\",\"r\":{\"\":{\"h\":{\"01\":{\"n\":1,\"t\":1}}},\"eu.west\":{\"h\":{\"01\":{\"n\":2,\"t\":8},\"02\":{\"n\":1,\"t\":4}}}}}\n"
      "{\"day\":\"19700102\",\"host\":\"h1\",\"r\":{\"eu\":{\"h\":{\"01\":{\"n\":1,\"t\":1}}}}}\n");
}

static void counter_documents (void **state)
{
   writes (
      table_with ("hits", example ("\"daily\"")), "60,a,3\n4000,a,1\n60,a,4\n86400,a,5\n",
      "{\"metadata\":{\"date\":{\"$date\":\"1970-01-01T00:00:00Z\"},\"metric\":\"a\"},\"daily\":8,\"hourly\":{\"00\":7,\"01\":1},\"minute\":{\"00\":{\"01\":7},\"01\":{\"06\":1}}}\n"
      "{\"metadata\":{\"date\":{\"$date\":\"1970-01-02T00:00:00Z\"},\"metric\":\"a\"},\"daily\":5,\"hourly\":{\"00\":5},\"minute\":{\"00\":{\"00\":5}}}\n");
}

/* ---- the same documents however they come about ---- */

static const struct {
   const char *table, *word;
} examples[] = {{"calls", "\"calls_day\""}, {"calls", "\"calls_nested\""},
                {"hits", "\"slots\""},      {"regions", "by_region"},
                {"hits", "\"daily\""},      {"memory", "\"memory\""}};

/* Rows in no order, with repeated keys where the table may have them. */
static const char *many_rows (const char *table, unsigned seed, unsigned count)
{
   MtBuf b = {0};
   uint64_t x = seed * UINT64_C (0x9E3779B97F4A7C15) + 1;
   for (unsigned i = 0; i < count; i++) {
      unsigned r = (unsigned) (random_next (&x) >> 20);
      if (!strcmp (table, "calls"))
         mt_buf_printf (&b, "%u,-%u,c%u,%s%u,%u,%u.5\n", 1428777120 + 60 * (r % 3000), r % 3,
                        r / 3 % 4, r % 11 ? "app" : "b.%\xC3\xA9", r / 12 % 9, r % 5, r % 100);
      else if (!strcmp (table, "hits"))
         mt_buf_printf (&b, "%u,m%u,%u\n", r % 400000, r / 7 % 5, r % 9 + 1);
      else if (!strcmp (table, "regions"))
         mt_buf_printf (&b, "%u,h%u,r%u,%u\n", 3600 * (r % 60), r / 60 % 3, r / 180 % 4, r % 1000);
      else
         mt_buf_printf (&b, "%u,s,%u\n", (seed + i) * 7 % 100000, r % 1000);
   }
   const char *text = mt_strdup (arena, b.p);
   mt_buf_free (&b);
   return text;
}

static void fresh_engine (void)
{
   mt_engine_close (engine);
   engine = mt_fake_engine ();
}

static void spills_change_nothing (void **state)
{
   /* Some 70 runs of values, with 64 rows each, so they are merged twice; some runs of sort keys,
    * then runs of values; two runs of sort keys. */
   static const size_t memory[] = {2000, 50000, 300000};
   for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
      const MtTable *t = table_with (examples[i].table, example (examples[i].word));
      const char *rows = many_rows (examples[i].table, 1, 5000),
                 *collection = t->layouts[0].stores[0].collection;
      fresh_engine ();
      assert_true (load (t, rows, 0, NULL));
      const char *once = dump (collection);
      assert_true (strlen (once) > 1000);
      for (size_t k = 0; k < sizeof memory / sizeof *memory; k++) {
         fresh_engine ();
         if (!load (t, rows, memory[k], NULL))
            fail_msg ("%s", err.message);
         assert_string_equal (dump (collection), once);
      }
   }
}

/* A value of jsonb: BSON has more types than JSON. */
static MtVal any_value (unsigned i)
{
   static const char *const forms[] = {
      "{\"v\": {\"$regularExpression\": {\"pattern\": \"p%u\", \"options\": \"i\"}}}",
      "{\"v\": {\"$code\": \"f(%u)\"}}",
      "{\"v\": {\"$code\": \"g(%u)\", \"$scope\": {\"a\": 1}}}",
      "{\"v\": {\"$dbPointer\": {\"$ref\": \"c%u\", \"$id\": {\"$oid\": \"0123456789abcdef01234567\"}}}}",
      "{\"v\": {\"$symbol\": \"s%u\"}}",
      "{\"v\": {\"k\": %u}}"};
   char text[200];
   snprintf (text, sizeof text, forms[i % (sizeof forms / sizeof *forms)], i);
   return mt_doc_field (mt_v_doc (mt_test_json (arena, text)), "v");
}

/* Writes 1,000 rows with values of all types that have bytes; or with integers and NULLs. */
static const char *load_any (const char *layout, bool nulls, size_t memory)
{
   MtTable *t = table_with ("any", layout);
   MtWriterOptions wo = {.memory = memory};
   MtWriter *w;
   MtStoreStats **stats;
   if (nulls)
      t->columns[2].type = mt_type (MT_T_INT8);
   fresh_engine ();
   assert_true (mt_engine_begin (engine, &err));
   assert_true (mt_writer_open (engine, t, &wo, &w, &err));
   for (unsigned i = 0; i < 1000; i++) {
      MtVal row[] = {mt_v_date (1000 * (INT64_C (7919) * i % 1000)), mt_v_cstr (i % 2 ? "a" : "b"),
                     mt_v_null ()};
      if (!nulls)
         row[2] = any_value (i);
      else if (i % 3)
         row[2] = mt_v_int64 ((int64_t) i - 500);
      assert_true (mt_writer_add (w, row, &err));
   }
   if (!mt_writer_finish (w, arena, &stats, &err))
      fail_msg ("%s", err.message);
   mt_writer_close (w);
   assert_true (mt_engine_commit (engine, &err));
   return dump (t->layouts[0].stores[0].collection);
}

static void spills_keep_all_types (void **state)
{
   static const char *const layouts[] = {
      "{'keeps': 'records', 'stores': [{'collection': 'c', 'repeats': true, 'root': {'is': "
      "'document', 'bind': [{'column': 'type'}], 'sub': {'is': 'pairs', 'at': 'p', 'bind': "
      "[{'column': 'ts', 'at': '0', 'encoding': 'date'}], 'raw': {'columns': {'value': '1'}}}}}]}",
      "{'keeps': 'records', 'stores': [{'collection': 'c', 'repeats': true, 'root': {'is': "
      "'document', 'bind': [{'column': 'type'}], 'sub': {'is': 'list', 'at': 'l', 'bind': "
      "[{'column': 'ts', 'at': 't', 'encoding': 'date'}], 'raw': {'at': 'v', 'many': true, "
      "'columns': {'value': '0'}}}}}]}"};
   for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
      const char *once = load_any (layouts[i], false, 0);
      assert_non_null (strstr (once, "0123456789abcdef01234567"));
      assert_non_null (strstr (once, "f(997)"));
      assert_string_equal (load_any (layouts[i], false, 2000), once);
      once = load_any (layouts[i], true, 0);
      assert_non_null (strstr (once, "-499"));
      assert_string_equal (load_any (layouts[i], true, 2000), once);
      assert_string_equal (load_any (layouts[i], true, 20000), once); /* runs of sort keys */
   }
}

static int compare_lines (const void *a, const void *b)
{
   return strcmp (*(char *const *) a, *(char *const *) b);
}

static const char *sorted_lines (const char *text)
{
   char *copy = mt_strdup (arena, text), *lines[4096], *save;
   size_t n = 0;
   MtBuf b = {0};
   for (char *l = strtok_r (copy, "\n", &save); l && n < 4096; l = strtok_r (NULL, "\n", &save))
      lines[n++] = l;
   qsort (lines, n, sizeof *lines, compare_lines);
   for (size_t i = 0; i < n; i++)
      mt_buf_printf (&b, "%s\n", lines[i]);
   const char *out = mt_strdup (arena, b.p ? b.p : "");
   mt_buf_free (&b);
   return out;
}

/* Documents that can't repeat take up later rows: two loads give what one load of both gives. */
static void existing_documents_are_merged (void **state)
{
   for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
      const MtTable *t = table_with (examples[i].table, example (examples[i].word));
      const char *collection = t->layouts[0].stores[0].collection;
      if (t->layouts[0].stores[0].repeats)
         continue;
      const char *first = many_rows (examples[i].table, 1, 700),
                 *second = many_rows (examples[i].table, 9001, 500);
      const char *both = mt_printf (arena, "%s%s", first, second);
      fresh_engine ();
      assert_true (load (t, both, 0, NULL));
      const char *once = sorted_lines (dump (collection));
      fresh_engine ();
      assert_true (load (t, first, 0, NULL));
      if (!load (t, second, 2000, NULL))
         fail_msg ("%s: %s %s", examples[i].word, err.message, err.detail);
      const char *twice = sorted_lines (dump (collection));
      if (strcmp (examples[i].table, "calls")) /* equal times of calls may come in another order */
         assert_string_equal (twice, once);
      assert_int_equal (strlen (twice), strlen (once));
   }
}

/* ---- late records of states in the order of time ---- */

typedef struct Rows {
   unsigned count, calls;
} Rows;

/* Row i of 600 in two days. Rows before number 300 have even minutes, all others odd ones. */
static void late_row (unsigned i, MtVal *row)
{
   unsigned minute = i < 300 ? 2 * i : 2 * (i - 300) + 1;
   row[0] = mt_v_date (INT64_C (60000) * 5 * minute);
   row[1] = mt_v_cstr (i % 3 ? "a" : "b");
   row[2] = mt_v_int64 (i * 37 % 101);
}

static bool all_rows (void *ctx, const MtLateRecords *wanted, MtTakeRecord take, void *take_ctx,
                      MtError *e)
{
   Rows *r = ctx;
   MtVal row[3];
   assert_true (wanted->time_count > 0 && wanted->values[1].type == MT_MISSING);
   r->calls++;
   for (unsigned i = 0; i < r->count; i++) {
      late_row (i, row);
      if (!take (take_ctx, row, e))
         return false;
   }
   return true;
}

static void load_late (const MtTable *t, unsigned from, unsigned to, size_t memory, Rows *rows)
{
   MtWriterOptions wo = {.memory = memory, .records = all_rows, .records_ctx = rows};
   MtWriter *w;
   MtVal row[3];
   rows->count = to;
   assert_true (mt_engine_begin (engine, &err));
   assert_true (mt_writer_open (engine, t, &wo, &w, &err));
   for (unsigned i = from; i < to; i++) {
      late_row (i, row);
      assert_true (mt_writer_add (w, row, &err));
   }
   if (!mt_writer_finish (w, arena, NULL, &err))
      fail_msg ("%s", err.message);
   mt_writer_close (w);
   assert_true (mt_engine_commit (engine, &err));
}

/* Rows between those of stored states: their cells are made again from all records. Sorted runs on
 * disk are read twice. */
static void late_records_make_states_again (void **state)
{
   static const char layout[] =
      "{'keeps': 'rollup', 'key': ['type'], 'stores': [{'collection': 'c', 'write': 'push', 'root': "
      "{'is': 'document', 'bind': [{'trunc': 'day', 'at': 'day', 'encoding': 'date'}, {'column': "
      "'type'}], 'sub': {'is': 'list', 'at': 'h', 'bind': [{'part': 'hour', 'of': 'day', 'at': "
      "'hour'}], 'agg': {'n': 'n', 'states': [{'keep': 'counter_agg(ts, value)', 'at': 's'}]}}}}]}";
   size_t count;
   mt_function_names (&count); /* makes the aggregates known, whose states levels keep */
   MtTable *t = table_with ("memory", layout);
   Rows rows = {0};
   load_late (t, 0, 600, 0, &rows);
   const char *once = sorted_lines (dump ("c"));
   assert_int_equal (rows.calls, 0);
   assert_non_null (strstr (once, "countersummary"));
   for (size_t memory = 0; memory < 3000; memory += 2000) {
      fresh_engine ();
      load_late (t, 0, 300, 0, &rows);
      rows.calls = 0;
      load_late (t, 300, 600, memory, &rows);
      assert_int_equal (rows.calls, 1);
      assert_string_equal (sorted_lines (dump ("c")), once);
   }
}

static void a_failed_load_leaves_nothing (void **state)
{
   const MtTable *t = table_with ("hits", example ("\"daily\""));
   assert_true (load (t, "60,a,3\n", 0, NULL));
   const char *before = dump ("daily");
   assert_false (load (t, "60,a,3\n120,b,4\n180,c,x\n", 0, NULL));
   assert_string_equal (err.sqlstate, MT_E_TEXT_REPRESENTATION);
   assert_string_equal (err.context, "COPY hits, line 3, column hits: \"x\"");
   assert_string_equal (dump ("daily"), before);
}

/* ---- what can't be kept ---- */

static void fails (const MtTable *t, const char *csv, const char *sqlstate, const char *message)
{
   mt_error_clear (&err);
   if (load (t, csv, 0, NULL))
      fail_msg ("written: %s", dump (t->layouts[0].stores[0].collection));
   if (strcmp (err.sqlstate, sqlstate) || !strstr (err.message, message))
      fail_msg ("%s %s", err.sqlstate, err.message);
}

static void what_cannot_be_kept_is_refused (void **state)
{
   fails (table_with ("regions", example ("by_region")), "3600,h1,,1\n", MT_E_NOT_NULL,
          "null value in column \"region\" can't be kept by layout \"l\"");
   fails (table_using ("calls", "rows", NULL, 0), "1428777121,a,b,c,1,2\n", MT_E_DATETIME_RANGE,
          "time \"2015-04-11 18:32:01\" in column \"ts\" is not a multiple");
   fails (table_using ("calls", "rows", NULL, 0), "60,a,b,c,,2\n", MT_E_NOT_NULL,
          "null value in column \"totalCount\" of relation \"calls\" violates");
   fails (table_using ("calls", "per_day", NULL, 0), "60,,b,c,1,2\n", MT_E_NOT_NULL,
          "column \"iResult\" can't be kept");
   fails (table_using ("memory", "minute", NULL, 0), "60,a,1\n60,a,2\n", MT_E_UNIQUE,
          "layout \"l\" cannot store two records with the same key");
   fails (table_with ("hits", example ("\"slots\"")), "60,a,\n", MT_E_NOT_NULL,
          "column \"hits\" can't be kept");
   MtBuf big = {0};
   for (int i = 0; i < 9 << 20; i++)
      mt_buf_addc (&big, 'x');
   MtTable *t = table_with (
      "odd",
      "{'keeps': 'records', 'stores': [{'collection': 'c', 'root': {'is': 'document', 'bind': [{'column': 'host'}, {'column': 'code'}], 'sub': "
      "{'is': 'list', 'at': 'v', 'bind': [{'column': 'ts'}, {'column': 'ratio'}], 'raw': {'columns': {'price': 'p', 'note': 'n'}}}}}]}");
   const char *csv = mt_printf (arena, "1,h,1,1,%s,1\n2,h,1,1,%s,2\n", big.p, big.p);
   fails (t, csv, MT_E_LIMIT, "a document of layout \"l\" would have more than 16777216 bytes");
   assert_string_equal (err.detail, "Its key is (\"h\", 1).");
   /* The same records fit when documents may repeat. */
   t->layouts[0].stores[0].repeats = true;
   fresh_engine ();
   assert_true (load (t, csv, 0, NULL));
   assert_int_equal (mt_fake_count (engine, "c"), 2);
   mt_buf_free (&big);
}

/* ---- single matters ---- */

static void ids_are_one_to_one (void **state)
{
   const MtTable *t = table_with ("calls", example ("\"calls_day\""));
   assert_true (load (t, "1428777120,c,b,a.x,1,1\n1428777120,c,x.b,a,1,1\n1428777120,c,%,%2E,1,1\n",
                      0, NULL));
   MtBuf ids = {0};
   for (size_t i = 0; i < 3; i++) {
      MtVal id = mt_doc_get (mt_v_doc (mt_fake_doc (engine, "calls_day", i)), "_id", 3);
      mt_buf_printf (&ids, "%.*s ", (int) id.len, id.p);
   }
   assert_string_equal (ids.p, "1428710400.%252E.%25.c 1428710400.a%2Ex.b.c 1428710400.a.x%2Eb.c ");
   mt_buf_free (&ids);
}

static void documents_end_at_flush_levels (void **state)
{
   MtPresetOption o[] = {{"levels", "ts, vAppid, iResult, vCmdid", MT_NO_SPAN},
                         {"flush_levels", "8", MT_NO_SPAN}};
   MtTable *t = table_using ("calls", "nested", o, 2);
   assert_true (load (
      t, "60,a,b,c,1,1\n120,a,b,c,1,1\n180,a,b,c,1,1\n240,a,b,c,1,1\n300,a,b,c,1,1\n", 0, NULL));
   assert_int_equal (mt_fake_count (engine, "c"), 3);
   MtVal last = mt_v_doc (mt_fake_doc (engine, "c", 2));
   assert_int_equal (mt_doc_get (last, "count", 5).i, 1);
   assert_true (mt_doc_get (last, "min_timestamp", 13).d == 300);
}

static void sums_are_exact (void **state)
{
   MtTable *t = table_with (
      "odd",
      "{'keeps': 'records', 'stores': [{'collection': 'c', 'root': {'is': 'document', 'bind': [{'column': 'host'}], 'agg': {'n': 'n', 'measures': "
      "{'price': {'sum': 's', 'min': 'a', 'max': 'z', 'nonnull': 'k'}}}, 'raw': {'many': true, 'at': 'r', 'columns': {'ts': {'at': 't', "
      "'encoding': 'epoch_ms'}, 'code': 'c', 'price': 'p', 'note': 'o', 'ratio': 'q.r'}}}}]}");
   writes (
      t, "1.5,h,1,0.10,,1\n-1,h,2,0.2,x,\n2,h,,,\"\",nan\n",
      "{\"host\":\"h\",\"n\":3,\"s\":{\"$numberDecimal\":\"0.30\"},\"a\":{\"$numberDecimal\":\"0.10\"},\"z\":{\"$numberDecimal\":\"0.2\"},\"k\":2,\"r\":["
      "{\"t\":1500,\"c\":1,\"p\":{\"$numberDecimal\":\"0.10\"},\"o\":null,\"q\":{\"r\":1.0}},"
      "{\"t\":-1000,\"c\":2,\"p\":{\"$numberDecimal\":\"0.2\"},\"o\":\"x\",\"q\":{\"r\":null}},"
      "{\"t\":2000,\"c\":null,\"p\":null,\"o\":\"\",\"q\":{\"r\":{\"$numberDouble\":\"NaN\"}}}]}\n");
   fresh_engine ();
   MtPresetOption o[] = {{"cluster_by", "vAppid", MT_NO_SPAN}};
   t = table_using ("calls", "nested", o, 1);
   assert_true (
      load (t, "60,a,b,c,9223372036854775807,1\n60,a,b,c,9223372036854775807,1\n", 0, NULL));
   assert_non_null (
      strstr (dump ("c"), "\"sum_totalCount\":{\"$numberDecimal\":\"18446744073709551614\"}"));
}

static void layouts_are_written_in_one_pass (void **state)
{
   MtTable *t = mt_test_table (arena, "calls");
   static const char *const words[] = {"\"calls\"", "\"calls_day\"", "\"calls_nested\""};
   t->layouts = MT_NEW_N (arena, MtLayout, 3);
   t->layout_count = 3;
   for (size_t i = 0; i < 3; i++)
      assert_true (mt_layout_parse (arena, t, words[i], mt_test_json (arena, example (words[i])),
                                    &t->layouts[i], &err));
   MtStoreStats **stats;
   assert_true (load (t, many_rows ("calls", 3, 3000), 20000, &stats));
   for (size_t i = 0; i < 3; i++) {
      const MtStoreStats *s = &stats[i][0];
      MtLayoutStats read;
      assert_true (s->present && s->records == 3000 && s->has_time);
      assert_int_equal (s->documents, mt_fake_count (engine, t->layouts[i].stores[0].collection));
      assert_true (mt_layout_check_first (engine, t, &t->layouts[i], arena, &err));
      assert_true (mt_layout_analyze (engine, t, &t->layouts[i], arena, &read, &err));
      assert_int_equal (read.malformed, 0);
      assert_true (read.stores->records == 3000 && read.stores->documents == s->documents &&
                   read.stores->bytes == s->bytes);
      assert_true (read.stores->min_ms == s->min_ms && read.stores->max_ms == s->max_ms);
      for (size_t k = 0; k < t->layouts[i].stores[0].node_count; k++)
         assert_true (read.stores->nodes[k].cells == s->nodes[k].cells);
   }
}

static void other_shapes_do_not_attach (void **state)
{
   MtTable *t = table_with ("calls", example ("\"calls_nested\""));
   static const struct {
      const char *doc, *detail;
   } rows[] = {
      {"{'_id': 1, 'x': 1}", "Document 1, at \"\": none of the descriptor's fields is there."},
      {"{'_id': 1, 'vAppid': 'a', '_': []}", "Document 1, at \"\": there is no record in it."},
      {"{'_id': 1, 'vAppid': 'a', '_': {}}",
       "Document 1, at \"_\": it is of type object, not an array."},
      {"{'_id': 1, 'vAppid': 5, '_': []}",
       "Document 1, at \"vAppid\": a value of type int can't be read as text."},
      {"{'_id': 1, 'vAppid': 'a', '_': [{'d': 'x'}]}",
       "Document 1, at \"_.d\": a value of type string can't be read as timestamp with time zone (encoding \"epoch_s\")."},
      {"{'_id': 1, 'vAppid': 'a', '_': [5]}",
       "Document 1, at \"_\": an element is of type int, not a document."},
      {"{'_id': 1, 'vAppid': 'a', 'count': 'many', '_': []}",
       "Document 1, at \"count\": a count is of type string."},
      {"{'_id': 1, 'vAppid': 'a', '_': [{'d': 60, '_': [{'d': 'r', '_': [{'d': 'c', 'v': [1]}]}]}]}",
       "Document 1, at \"_._._.v\": a record is of type int, not a document."},
   };
   assert_true (mt_layout_check_first (engine, t, t->layouts, arena, &err)); /* nothing is there */
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      fresh_engine ();
      mt_error_clear (&err);
      assert_true (
         mt_engine_insert (engine, "calls_nested", mt_test_json (arena, rows[i].doc), false, &err));
      assert_false (mt_layout_check_first (engine, t, t->layouts, arena, &err));
      assert_string_equal (err.sqlstate, MT_E_INVALID_DEFINITION);
      assert_string_equal (err.detail, rows[i].detail);
   }
   /* A series that has nothing yet comes first: what comes behind it says whether the shape is
    * right. */
   for (int fits = 0; fits < 2; fits++) {
      fresh_engine ();
      mt_error_clear (&err);
      assert_true (mt_engine_insert (engine, "calls_nested",
                                     mt_test_json (arena, "{'_id': 1, 'vAppid': 'a', '_': []}"),
                                     false, &err));
      const char *second =
         fits
            ? "{'_id': 2, 'vAppid': 'a', '_': [{'d': 60, '_': [{'d': 'r', '_': [{'d': 'c', 'v': [{'0': 1}]}]}]}]}"
            : "{'_id': 2, 'vAppid': 'b', '_': 5}";
      assert_true (
         mt_engine_insert (engine, "calls_nested", mt_test_json (arena, second), false, &err));
      assert_int_equal (mt_layout_check_first (engine, t, t->layouts, arena, &err), fits);
      if (!fits)
         assert_string_equal (err.detail, "Document 2, at \"_\": it is of type int, not an array.");
   }
}

/* In whatever order and in how many loads records arrive, the same one stays: the newest, and of
 * one time the greatest (C, X, Y), a value before NULL. */
static void newest_records_stay (void **state)
{
   static const char *const rows[] = {"u,100,c1,1,1\n", "u,200,c1,5,1\n", "u,200,c2,1,1\n",
                                      "u,200,,9,9\n", "u,200,c2,,2\n"};
   enum { N = sizeof rows / sizeof *rows };
   MtTable *t = table_using ("locations", "latest", NULL, 0);
   for (int order = 0; order < 120; order++) {
      int left[N] = {0, 1, 2, 3, 4}, code = order;
      char csv[2][200] = {"", ""};
      fresh_engine ();
      for (int n = N; n > 0; n--) {
         int at = code % n;
         code /= n;
         strcat (csv[n > 1 + order % N], rows[left[at]]);
         memmove (left + at, left + at + 1, (size_t) (n - at - 1) * sizeof *left);
      }
      assert_true (load (t, csv[1], 0, NULL));
      assert_true (load (t, csv[0], 0, NULL));
      assert_string_equal (
         dump ("c"),
         "{\"_id\":\"u\",\"T\":{\"$date\":\"1970-01-01T00:03:20Z\"},\"C\":\"c2\",\"X\":1.0,\"Y\":1.0}\n");
   }
}

/* More keys than one send has, and what the writer counts of them. */
static void newest_records_are_counted (void **state)
{
   MtTable *t = table_using ("locations", "latest", NULL, 0);
   MtBuf csv = {0};
   MtStoreStats **stats;
   for (int i = 0; i < 5000; i++)
      mt_buf_printf (&csv, "u%d,%d,c,1,1\n", i % 2500, i);
   assert_true (load (t, csv.p, 0, &stats));
   assert_int_equal ((int) stats[0][0].documents, 2500);
   assert_int_equal ((int) stats[0][0].records, 2500);
   assert_int_equal (mt_fake_count (engine, "c"), 2500);
   assert_true (load (t, csv.p, 0, &stats));
   assert_int_equal ((int) stats[0][0].documents, 0);
   assert_int_equal (mt_fake_count (engine, "c"), 2500);
   mt_buf_free (&csv);
}

#define TEST(x) cmocka_unit_test_setup_teardown (x, setup, teardown)

int main (void)
{
   const struct CMUnitTest tests[] = {
      TEST (rows_documents),
      TEST (per_day_documents),
      TEST (nested_documents),
      TEST (nested_unclustered_documents),
      TEST (nested_sums_documents),
      TEST (minute_documents),
      TEST (slots_documents),
      TEST (map_documents),
      TEST (counter_documents),
      TEST (newest_records_stay),
      TEST (newest_records_are_counted),
      TEST (spills_change_nothing),
      TEST (spills_keep_all_types),
      TEST (existing_documents_are_merged),
      TEST (late_records_make_states_again),
      TEST (a_failed_load_leaves_nothing),
      TEST (what_cannot_be_kept_is_refused),
      TEST (ids_are_one_to_one),
      TEST (documents_end_at_flush_levels),
      TEST (sums_are_exact),
      TEST (layouts_are_written_in_one_pass),
      TEST (other_shapes_do_not_attach),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
