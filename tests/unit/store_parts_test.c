/* Ranges of a field in which a block's documents ascend: the same documents as by reading all of
 * them, however often a block is asked for, with equal values, blocks out of order, other types,
 * and deleted documents. */
#include "engine/engine.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DOCUMENTS = 40000, ROUNDS = 120, STEP_DOCUMENTS = 9000 };

typedef enum { ASCENDS, JUMPS, MIXED } Kind; /* the documents of a step */

static MtError err;
static uint64_t state = 7;
static int64_t value[DOCUMENTS]; /* by _id; INT64_MIN: the document is gone, or has no such value */

static void ok (bool yes)
{
   if (!yes)
      fail_msg ("%s: %s", err.sqlstate, err.message);
}

static void put (MtEngine *e, int id, Kind kind, bool dates)
{
   bson_t d = BSON_INITIALIZER;
   /* Each value three times. Later steps begin before the end of earlier ones. */
   int64_t v = (id - id / STEP_DOCUMENTS * 1000) / 3;
   if (kind == JUMPS)
      v += random_below (&state, 50);
   value[id] = v;
   BSON_APPEND_INT32 (&d, "_id", id);
   if (kind == MIXED && id % 997 == 0) {
      BSON_APPEND_NULL (&d, "t");
      value[id] = INT64_MIN;
   } else if (dates)
      BSON_APPEND_DATE_TIME (&d, "t", v);
   else if (id % 2)
      BSON_APPEND_INT32 (&d, "t", (int32_t) v);
   else
      BSON_APPEND_INT64 (&d, "t", v);
   BSON_APPEND_UTF8 (&d, "pad", id % 5 ? "so that there are several blocks" : "longer or shorter");
   ok (mt_engine_insert (e, "c", &d, false, &err));
   bson_destroy (&d);
}

static void fill (MtEngine *e, bool dates)
{
   static const char *const paths[] = {"t"};
   static const Kind kinds[] = {ASCENDS, ASCENDS, JUMPS, MIXED, ASCENDS};
   bool deleted;
   ok (mt_engine_begin (e, &err) && mt_engine_create_collection (e, "c", &err) &&
       mt_engine_create_index (e, "c", paths, 1, &err) && mt_engine_commit (e, &err));
   for (int step = 0; step * STEP_DOCUMENTS < DOCUMENTS; step++) {
      ok (mt_engine_begin (e, &err));
      for (int i = step * STEP_DOCUMENTS; i < (step + 1) * STEP_DOCUMENTS && i < DOCUMENTS; i++)
         put (e, i, kinds[step], dates);
      ok (mt_engine_commit (e, &err));
   }
   ok (mt_engine_begin (e, &err));
   for (int i = 0; i < DOCUMENTS; i += 1 + (int) random_below (&state, 40)) {
      ok (mt_engine_delete_id (e, "c", mt_v_int32 (i), &deleted, &err));
      value[i] = INT64_MIN;
   }
   ok (mt_engine_commit (e, &err));
}

static void append (bson_t *range, const char *op, bool dates, int64_t v)
{
   if (dates)
      bson_append_date_time (range, op, -1, v);
   else
      bson_append_int64 (range, op, -1, v);
}

/* Asks for the range and checks the documents and their order. */
static void finds (MtEngine *e, bool dates, int64_t low, int64_t high, bool open_low,
                   bool open_high)
{
   bson_t range = BSON_INITIALIZER;
   append (&range, open_low ? "$gt" : "$gte", dates, low);
   append (&range, open_high ? "$lt" : "$lte", dates, high);
   bson_t *pipeline = BCON_NEW ("0", "{", "$match", "{", "t", BCON_DOCUMENT (&range), "}", "}");
   MtAggregateArgs args = {.collection = "c", .pipeline = pipeline};
   const bson_t *doc;
   MtCursor *c;
   ok (mt_engine_aggregate (e, &args, &c, &err));
   int id = -1;
   for (;;) {
      bson_iter_t it;
      ok (mt_cursor_next (c, &doc, &err));
      for (id++; id < DOCUMENTS; id++)
         if (value[id] != INT64_MIN && value[id] >= low + open_low && value[id] <= high - open_high)
            break;
      if (!doc)
         break;
      assert_true (bson_iter_init_find (&it, doc, "_id"));
      assert_int_equal (bson_iter_int32 (&it), id);
   }
   assert_int_equal (id, DOCUMENTS);
   mt_cursor_free (c);
   bson_destroy (pipeline);
   bson_destroy (&range);
}

static void ranges (bool dates)
{
   MtEngine *e;
   MtEngineOptions o = {.create = true};
   mt_error_clear (&err);
   ok (mt_engine_open (NULL, &o, &e, &err));
   fill (e, dates);
   for (int i = 0; i < ROUNDS; i++) {
      int64_t low = (int64_t) random_below (&state, DOCUMENTS / 3 + 200) - 100;
      int64_t width = random_below (&state, i % 4 ? 20 : 4000);
      finds (e, dates, low, low + width, i % 2, i % 3 == 0);
   }
   finds (e, dates, INT64_MIN / 4, INT64_MAX / 4, false, false);
   finds (e, dates, 5, 4, false, false);
   mt_engine_close (e);
}

static void integers (void **s) { ranges (false); }
static void dates (void **s) { ranges (true); }

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (integers), cmocka_unit_test (dates)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
