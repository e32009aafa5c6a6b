/* Building BSON (base/bson.h): the bytes are those that libbson makes. */
#include "base/bson.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static void check_same (const bson_t *a, const bson_t *b)
{
   assert_int_equal (a->len, b->len);
   assert_memory_equal (bson_get_data (a), bson_get_data (b), a->len);
}

static void every_type (void **state)
{
   bson_t want = BSON_INITIALIZER, sub = BSON_INITIALIZER, got;
   MtBson b = {0};
   bson_append_int32 (&sub, "x", -1, 1);
   const MtVal values[] = {
      mt_v_double (1.5),
      mt_v_cstr ("text"),
      mt_v_cstr (""),
      mt_v_doc (&sub),
      mt_v_array (&sub),
      {.type = MT_BINARY, .sub = 4, .len = 16, .p = bytes},
      {.type = MT_UNDEFINED},
      {.type = MT_OID, .len = 12, .p = bytes},
      mt_v_bool (true),
      mt_v_date (-1),
      mt_v_null (),
      {.type = MT_REGEX, .len = 5, .p = (const uint8_t *) "a+\0i"},
      {.type = MT_CODE, .len = 1, .p = (const uint8_t *) "f"},
      {.type = MT_SYMBOL, .len = 1, .p = (const uint8_t *) "s"},
      mt_v_int32 (-7),
      {.type = MT_TIMESTAMP, .i = (INT64_C (5) << 32) | 6},
      mt_v_int64 (INT64_MIN),
      {.type = MT_DECIMAL, .len = 16, .p = bytes},
      {.type = MT_MAXKEY},
      {.type = MT_MINKEY},
      mt_v_missing (),
   };
   mt_bson_start (&b);
   for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      assert_true (mt_doc_append (&want, "name", values[i]));
      mt_bson_put (&b, "name", values[i]);
   }
   assert_true (mt_bson_finish (&b, &got));
   check_same (&want, &got);
   bson_destroy (&want);
   bson_destroy (&sub);
   mt_bson_free (&b);
}

static void nested (void **state)
{
   bson_t want = BSON_INITIALIZER, list, item, got = BSON_INITIALIZER;
   bson_append_array_begin (&want, "list", -1, &list);
   bson_append_int32 (&list, "0", -1, 5);
   bson_append_document_begin (&list, "1", -1, &item);
   bson_append_utf8 (&item, "a", -1, "b", -1);
   bson_append_document_end (&list, &item);
   bson_append_array_end (&want, &list);
   MtBson b = {0};
   mt_bson_start (&b);
   size_t l = mt_bson_array (&b, "list");
   mt_bson_put_at (&b, 0, mt_v_int (5));
   size_t d = mt_bson_doc_at (&b, 1);
   mt_bson_put_named (&b, "abc", 1, mt_v_cstr ("b"));
   mt_bson_end (&b, d);
   mt_bson_end (&b, l);
   assert_true (mt_bson_finish_into (&b, &got));
   check_same (&want, &got);
   bson_destroy (&want);
   bson_destroy (&got);
}

/* The notation gives the documents that the driver reads from JSON. */
static void formats (void **state)
{
   bson_t want, got = BSON_INITIALIZER;
   const MtVal list = mt_v_array (&(bson_t) BSON_INITIALIZER), none = mt_v_missing ();
   assert_true (bson_init_from_json (
      &want,
      "{\"a\": {\"b.c\": 1, \"$x\": [-2, {\"y\": null}, [], true]}, \"two words\": \"a, {b}: c\","
      " \"name\": \"text\", \"\": {}, \"n\": 7, \"l\": {\"$numberLong\": \"7\"}, \"cut\": \"\", \"v\": [],"
      " \"f\": false}",
      -1, NULL));
   mt_doc_printf (&got,
                  "a: {b.c: 1, $x: [-2, {y: null}, [], true]}, two words: 'a, {b}: c', %s: %s",
                  "name", "text");
   mt_doc_printf (&got, ": {}, n: %d, l: %" PRId64 ", %.*s: '', v: %p, none: %p, f: false", 7,
                  INT64_C (7), 3, "cutting", (void *) &list, (void *) &none);
   check_same (&want, &got);
   bson_destroy (&want);
   bson_destroy (&got);
}

static void growing (void **state)
{
   bson_t want, got = BSON_INITIALIZER, sub;
   assert_true (bson_init_from_json (
      &want, "{\"d\": {\"i\": 5, \"s\": \"t\"}, \"a\": [1, \"$p\"], \"e\": {\"d\": 1}}", -1, NULL));
   mt_doc_begin (&got, "d", &sub);
   mt_doc_add_int (&sub, "i", 5);
   mt_doc_add_text (&sub, "s", "t");
   mt_doc_end (&got, &sub);
   mt_array_begin (&got, "a", &sub);
   mt_doc_push (&sub, mt_v_int32 (1));
   mt_doc_push (&sub, mt_v_cstr ("$p"));
   mt_array_end (&got, &sub);
   bson_init (&sub);
   mt_doc_add (&sub, "d", mt_v_int32 (1));
   mt_doc_add_doc (&got, "e", &sub);
   check_same (&want, &got);
   bson_destroy (&want);
   bson_destroy (&sub);
   bson_destroy (&got);
}

/* Memory of one document serves the next. */
static void started_again (void **state)
{
   MtBson b = {0};
   bson_t doc;
   mt_bson_start (&b);
   mt_bson_put (&b, "a", mt_v_int64 (1));
   mt_bson_start (&b);
   assert_true (mt_bson_finish (&b, &doc));
   assert_int_equal (doc.len, 5);
   mt_bson_free (&b);
}

static void failures (void **state)
{
   MtBson b = {0};
   bson_t doc;
   mt_bson_start (&b);
   mt_bson_put_named (&b, "a\0b", 3, mt_v_null ());
   assert_false (mt_bson_finish (&b, &doc));
   mt_bson_start (&b);
   size_t at = mt_bson_doc (&b, "large");
   assert_false (mt_bson_room (&b, INT32_MAX));
   mt_bson_put (&b, "more", mt_v_int32 (1));
   mt_bson_end (&b, at);
   assert_false (mt_bson_finish (&b, &doc));
   mt_bson_start (&b);
   assert_true (mt_bson_finish (&b, &doc));
   mt_bson_free (&b);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (every_type), cmocka_unit_test (nested),        cmocka_unit_test (formats),
      cmocka_unit_test (growing),    cmocka_unit_test (started_again), cmocka_unit_test (failures),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
