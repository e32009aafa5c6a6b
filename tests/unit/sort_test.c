/* $sort over random keys, with several threads and work_mem of several sizes: each document sorts
 * before the next by the order of BSON values, and documents with equal keys keep their order. Keys
 * are chosen so that many heads of rows (engine/local/exec/sort_head.h) are equal, cut, or of
 * another form than those before. `sort_test SEED ROUNDS` runs more. */
#include "engine/engine.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DOCUMENTS = 12000, PIPELINES = 12, KEYS = 3 };

static MtError err;
static uint64_t seed = 1, state;
static int rounds = 3;

static uint32_t below (uint32_t n) { return random_below (&state, n); }

static void ok (bool yes)
{
   if (!yes)
      fail_msg ("seed %llu: %s: %s", (unsigned long long) seed, err.sqlstate, err.message);
}

/* ---- documents ---- */

/* What the values of a key are, mostly. */
typedef enum Kind { FEW, RANKS, DOUBLES, LARGE, DATES, WORDS, TEXTS, MIXED, KINDS } Kind;

static void put_text (bson_t *d, const char *name, uint32_t longest)
{
   char text[32];
   uint32_t n = below (longest + 1);
   for (uint32_t i = 0; i < n; i++)
      text[i] = below (40) ? (char) ('a' + below (2)) : (char) below (2);
   bson_append_utf8 (d, name, -1, text, (int) n);
}

static void put (bson_t *d, const char *name, Kind kind)
{
   static const double odd[] = {0.0, -0.0, 0.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0, 1e300, 0.1};
   bson_decimal128_t decimal;
   switch (kind) {
   case FEW: bson_append_int32 (d, name, -1, (int32_t) below (100)); break;
   case RANKS: bson_append_int32 (d, name, -1, (int32_t) below (16) - 8); break;
   case DOUBLES:
      bson_append_double (d, name, -1, below (9) ? below (500) / 7.0 : odd[below (7)]);
      break;
   case LARGE:
      bson_append_int64 (d, name, -1, (INT64_C (1) << 53) - 4 + (int64_t) below (8));
      break;
   case DATES: bson_append_date_time (d, name, -1, (int64_t) below (4000) * 60000 - 100000); break;
   case WORDS: put_text (d, name, 8); break;
   case TEXTS: put_text (d, name, 20); break;
   default:
      switch (below (8)) {
      case 0: break;
      case 1: bson_append_null (d, name, -1); break;
      case 2: bson_append_bool (d, name, -1, below (2)); break;
      case 3:
         bson_decimal128_from_string (below (2) ? "1.5" : "9007199254740993", &decimal);
         bson_append_decimal128 (d, name, -1, &decimal);
         break;
      case 4: bson_append_timestamp (d, name, -1, below (3), below (3)); break;
      default: put (d, name, (Kind) below (MIXED));
      }
   }
}

static void fill (MtEngine *e, const Kind kinds[KEYS])
{
   char pad[400], name[2] = "a";
   memset (pad, 'x', sizeof pad);
   ok (mt_engine_begin (e, &err) && mt_engine_create_collection (e, "c", &err));
   for (int i = 0; i < DOCUMENTS; i++) {
      bson_t d = BSON_INITIALIZER;
      BSON_APPEND_INT32 (&d, "_id", i);
      for (int k = 0; k < KEYS; k++) {
         name[0] = (char) ('a' + k);
         put (&d, name, below (3000) ? kinds[k] : MIXED);
      }
      bson_append_utf8 (&d, "pad", -1, pad, (int) below (sizeof pad));
      ok (mt_engine_insert (e, "c", &d, false, &err));
      bson_destroy (&d);
   }
   ok (mt_engine_commit (e, &err));
}

/* ---- checks ---- */

static int order (const bson_t *x, const bson_t *y, const int *dirs, uint32_t count)
{
   char name[2] = "a";
   for (uint32_t k = 0; k < count; k++) {
      name[0] = (char) ('a' + k);
      int sign = mt_v_compare (mt_doc_field (mt_v_doc (x), name),
                               mt_doc_field (mt_v_doc (y), name));
      if (sign)
         return dirs[k] * sign;
   }
   return mt_v_compare (mt_doc_field (mt_v_doc (x), "_id"), mt_doc_field (mt_v_doc (y), "_id"));
}

static void check (MtEngine *e)
{
   int dirs[KEYS], n = 0;
   uint32_t count = 1 + below (KEYS);
   for (int k = 0; k < KEYS; k++)
      dirs[k] = below (2) ? 1 : -1;
   uint32_t limit = below (3) ? DOCUMENTS : 1 + below (DOCUMENTS);
   char text[300];
   int at = snprintf (text, sizeof text, "[{\"$sort\": {");
   for (uint32_t k = 0; k < count; k++)
      at += snprintf (text + at, sizeof text - (size_t) at, "%s\"%c\": %d", k ? ", " : "",
                      'a' + (int) k, dirs[k]);
   at += snprintf (text + at, sizeof text - (size_t) at, "}}");
   if (limit < DOCUMENTS)
      at += snprintf (text + at, sizeof text - (size_t) at, ", {\"$limit\": %u}", limit);
   snprintf (text + at, sizeof text - (size_t) at, ", {\"$project\": {\"pad\": 0}}]");
   bson_t *pipeline = bson_new_from_json ((const uint8_t *) text, -1, NULL);
   const bson_t *doc;
   bson_t *last = NULL;
   MtCursor *c;
   MtAggregateArgs args = {.collection = "c", .pipeline = pipeline};
   ok (mt_engine_aggregate (e, &args, &c, &err));
   for (;; n++) {
      ok (mt_cursor_next (c, &doc, &err));
      if (!doc)
         break;
      if (last && order (last, doc, dirs, count) >= 0)
         fail_msg ("seed %llu: %s: row %d is not after the row before", (unsigned long long) seed,
                   text, n);
      bson_destroy (last);
      last = bson_copy (doc);
   }
   bson_destroy (last);
   bson_destroy (pipeline);
   mt_cursor_free (c);
   assert_int_equal (n, limit);
}

static void sorted (void **unused)
{
   for (int i = 0; i < rounds; i++, seed++) {
      state = random_of (seed) | 1;
      MtEngine *e;
      MtEngineOptions o = {.threads = 1 + below (4)};
      Kind kinds[KEYS];
      for (int k = 0; k < KEYS; k++)
         kinds[k] = (Kind) below (KINDS);
      ok (mt_engine_open (NULL, &o, &e, &err));
      fill (e, kinds);
      for (int p = 0; p < PIPELINES; p++) {
         static const size_t sizes[] = {65536, 400000, 1500000, 64 << 20};
         mt_engine_set_work_mem (e, sizes[below (4)]);
         check (e);
      }
      mt_engine_close (e);
   }
}

int main (int argc, char **argv)
{
   if (argc > 1)
      seed = strtoull (argv[1], NULL, 10);
   if (argc > 2)
      rounds = atoi (argv[2]);
   const struct CMUnitTest tests[] = {cmocka_unit_test (sorted)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
