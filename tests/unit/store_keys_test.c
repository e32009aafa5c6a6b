/* Look-ups by an indexed field of the embedded store: the same documents, in the same order, as a
 * scan gives, however often they are asked for, whatever was deleted, replaced and merged
 * meanwhile. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 60000, VALUES = 97, MORE = 2000 };

static MtError err;
static int key[MANY + MORE]; /* by _id: the document's number; -1: it has none, -2: the document is
                                gone, -3 - v: it is the text of v */

static void ok (bool yes)
{
   if (!yes)
      fail_msg ("%s: %s", err.sqlstate, err.message);
}

/* {_id, k, pad}: k is v as one of four types of numbers, as text, null or missing. */
static void put (MtEngine *e, int id, int v, int kind, bool replaces)
{
   bson_t d = BSON_INITIALIZER;
   bson_decimal128_t decimal;
   char text[16];
   snprintf (text, sizeof text, "%d", v);
   bson_decimal128_from_string (text, &decimal);
   BSON_APPEND_INT32 (&d, "_id", id);
   switch (kind % 7) {
   case 0: BSON_APPEND_INT32 (&d, "k", v); break;
   case 1: BSON_APPEND_INT64 (&d, "k", v); break;
   case 2: BSON_APPEND_DOUBLE (&d, "k", v); break;
   case 3: BSON_APPEND_DECIMAL128 (&d, "k", &decimal); break;
   case 4: BSON_APPEND_UTF8 (&d, "k", text); break;
   case 5: BSON_APPEND_NULL (&d, "k"); break;
   }
   key[id] = kind % 7 < 4 ? v : kind % 7 == 4 ? -3 - v : -1;
   BSON_APPEND_UTF8 (&d, "pad", "so that there are several blocks of documents");
   ok (replaces ? mt_engine_replace (e, "c", &d, &err)
                : mt_engine_insert (e, "c", &d, false, &err));
   bson_destroy (&d);
}

static void finds (MtEngine *e, const char *match, int a, int b)
{
   bson_error_t why;
   bson_t *pipeline = bson_new_from_json ((const uint8_t *) match, -1, &why);
   const bson_t *doc;
   MtCursor *c;
   if (!pipeline)
      fail_msg ("%s", why.message);
   MtAggregateArgs args = {.collection = "c", .pipeline = pipeline};
   ok (mt_engine_aggregate (e, &args, &c, &err));
   int id = -1;
   for (;;) {
      bson_iter_t it;
      ok (mt_cursor_next (c, &doc, &err));
      for (id++; id < MANY + MORE && key[id] != a && key[id] != b; id++)
         ;
      if (!doc)
         break;
      assert_true (bson_iter_init_find (&it, doc, "_id"));
      assert_int_equal (bson_iter_int32 (&it), id);
   }
   assert_int_equal (id, MANY + MORE);
   mt_cursor_free (c);
   bson_destroy (pipeline);
}

/* Documents that were replaced have another place: those that are looked for aren't. */
static void finds_all (MtEngine *e)
{
   char text[200];
   for (int round = 0; round < 3; round++)
      for (int v = 0; v < 12; v += 3) {
         snprintf (text, sizeof text, "[{\"$match\": {\"k\": %d}}]", v);
         finds (e, text, v, v);
         snprintf (text, sizeof text, "[{\"$match\": {\"k\": {\"$in\": [%d.0, \"%d\", 5000]}}}]", v,
                   v);
         finds (e, text, v, -3 - v);
         snprintf (text, sizeof text,
                   "[{\"$match\": {\"_id\": {\"$gte\": 0}}}, {\"$match\": {\"k\": \"%d\"}}]", v);
         finds (e, text, -3 - v, -3 - v);
      }
   finds (e, "[{\"$match\": {\"k\": null}}]", -1, -1);
   finds (e, "[{\"$match\": {\"k\": {\"$in\": [1, null]}}}]", 1, -1);
}

static void look_ups (void **state)
{
   static const char *const paths[] = {"k"};
   MtEngine *e;
   bool deleted;
   MtEngineOptions o = {.create = true};
   mt_error_clear (&err);
   ok (mt_engine_open (NULL, &o, &e, &err));
   ok (mt_engine_begin (e, &err) && mt_engine_create_collection (e, "c", &err) &&
       mt_engine_create_index (e, "c", paths, 1, &err));
   for (int i = 0; i < MANY; i++)
      put (e, i, i * 7 % VALUES, i / 3, false);
   for (int i = MANY; i < MANY + MORE; i++)
      key[i] = -2;
   ok (mt_engine_commit (e, &err));
   finds_all (e);
   ok (mt_engine_begin (e, &err));
   for (int i = 0; i < MANY; i += 5) {
      ok (mt_engine_delete_id (e, "c", mt_v_int32 (i), &deleted, &err));
      assert_true (deleted);
      key[i] = -2;
   }
   ok (mt_engine_commit (e, &err));
   finds_all (e);
   for (int i = MANY; i < MANY + MORE; i++) { /* a block each, merged now and then */
      ok (i % 20 || mt_engine_begin (e, &err));
      put (e, i, i % VALUES, i, false);
      ok (i % 20 < 19 || mt_engine_commit (e, &err));
      if (i % 500 == 499)
         finds_all (e);
   }
   ok (mt_engine_begin (e, &err));
   for (int i = MANY; i < MANY + MORE;
        i += 3) /* gone from where they were: the last ones in their order */
      ok (mt_engine_delete_id (e, "c", mt_v_int32 (i), &deleted, &err)), key[i] = -2;
   mt_engine_rollback (e);
   for (int i = MANY; i < MANY + MORE; i += 3)
      put (e, i, i % VALUES, i, true); /* as they were, but behind */
   for (int i = MANY; i < MANY + MORE; i++)
      if (i % 3 != MANY % 3)
         ok (mt_engine_delete_id (e, "c", mt_v_int32 (i), &deleted, &err)), key[i] = -2;
   finds_all (e);
   mt_engine_close (e);
}

/* A list on the way makes a block's documents match by their elements: no keys then. */
static void lists_are_scanned (void **state)
{
   static const char *const paths[] = {"k"};
   MtEngine *e;
   MtEngineOptions o = {.create = true};
   mt_error_clear (&err);
   ok (mt_engine_open (NULL, &o, &e, &err));
   ok (mt_engine_begin (e, &err) && mt_engine_create_collection (e, "c", &err) &&
       mt_engine_create_index (e, "c", paths, 1, &err));
   for (int i = 0; i < MANY + MORE; i++)
      key[i] = -2;
   for (int i = 0; i < 10; i++) {
      bson_t *d = i % 2 ? BCON_NEW ("_id", BCON_INT32 (i), "k", "[", BCON_INT32 (1), BCON_INT32 (2),
                                    "]")
                        : BCON_NEW ("_id", BCON_INT32 (i), "k", BCON_INT32 (i));
      ok (mt_engine_insert (e, "c", d, false, &err));
      key[i] = i % 2 || i == 2 ? 2 : -1;
      bson_destroy (d);
   }
   ok (mt_engine_commit (e, &err));
   for (int i = 0; i < 4; i++)
      finds (e, "[{\"$match\": {\"k\": 2}}]", 2, 2);
   mt_engine_close (e);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (look_ups),
                                      cmocka_unit_test (lists_are_scanned)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
