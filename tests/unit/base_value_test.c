/* Arenas, strings, errors, values. */
#include "base/arena.h"
#include "base/bson.h"
#include "base/error.h"
#include "base/limits.h"
#include "types/numeric.h"
#include "base/str.h"
#include "base/value.h"
#include "tests/unit/random.h"

#include <setjmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char order[8];
static void note (void *thing) { strcat (order, thing); }

static void arena_releases_last_first (void **state)
{
   MtArena *root = mt_arena_new ("root", NULL), *child = mt_arena_new ("child", root);
   char a[] = "a", b[] = "b", c[] = "c";
   order[0] = 0;
   mt_arena_defer (root, note, a);
   mt_arena_defer (root, note, b);
   mt_arena_defer (child, note, c);
   mt_arena_free (root);
   assert_string_equal (order, "bac");
}

static void arena_gives_zeroed_aligned_memory (void **state)
{
   MtArena *a = mt_arena_new ("a", NULL);
   for (int round = 0; round < 3; round++) {
      for (size_t size = 0; size < 3000; size += 7) {
         unsigned char *p = mt_alloc (a, size);
         assert_int_equal ((uintptr_t) p % 16, 0);
         for (size_t i = 0; i < size; i++)
            assert_int_equal (p[i], 0);
         memset (p, 0xFF, size);
      }
      memset (mt_alloc (a, 1 << 20), 0xFF, 1 << 20);
      mt_arena_reset (a);
   }
   assert_string_equal (mt_printf (a, "%d-%s", 5, "x"), "5-x");
   assert_string_equal (mt_strndup (a, "hello", 2), "he");
   mt_arena_free (a);
}

static void errors_cut_between_characters (void **state)
{
   MtError e;
   char text[1200] = "";
   for (int i = 0; i < 500; i++)
      strcat (text, "é");
   assert_false (mt_error (&e, MT_E_SYNTAX, "%s", text));
   assert_int_equal (e.span.start, -1);
   size_t n = strlen (e.message);
   assert_true (mt_utf8_valid (e.message, n));
   assert_string_equal (e.message + n - 3, "...");
   mt_error_hint (&e, "Try %d.", 2);
   assert_string_equal (e.hint, "Try 2.");
   mt_error (&e, MT_E_SYNTAX, "again: %.5s", e.hint);
   assert_string_equal (e.message, "again: Try 2");
   assert_string_equal (e.hint, "");
   mt_error (&e, MT_E_SYNTAX, "\"%.3s\" and \"%s\"", "éé", "caf\xe9");
   assert_string_equal (e.message, "\"é?\" and \"caf?\"");
   mt_error_clear (&e);
   assert_false (mt_error_is_set (&e));
   assert_false (mt_error (NULL, MT_E_SYNTAX, "nobody listens"));
}

static void strings (void **state)
{
   const char *names[] = {"totalCount", "vAppid", "ts"};
   assert_string_equal (mt_nearest ("totalcuont", names, 3), "totalCount");
   assert_string_equal (mt_nearest ("VAPID", names, 3), "vAppid");
   assert_null (mt_nearest ("zzzz", names, 3));
   assert_true (mt_str_ieq (MT_STR ("AbC"), MT_STR ("aBc")));
   assert_false (mt_str_eq (MT_STR ("AbC"), MT_STR ("aBc")));
   const struct {
      const char *s;
      bool ok;
   } utf8[] = {{"a\xC3\xA9", true},
               {"\xC0\x80", false},
               {"\xED\xA0\x80", false},
               {"\xF0\x9F\x98\x80", true},
               {"\xF4\x90\x80\x80", false},
               {"\xE2\x82", false},
               {"\x80", false},
               {"", true}};
   for (size_t i = 0; i < sizeof utf8 / sizeof *utf8; i++)
      assert_int_equal (mt_utf8_valid (utf8[i].s, strlen (utf8[i].s)), utf8[i].ok);
   char text[24];
   for (size_t n = 1; n <= sizeof text; n++)
      for (size_t i = 0; i < n; i++) {
         memset (text, 'a', n);
         assert_true (mt_utf8_valid (text, n));
         text[i] = (char) 0x80;
         assert_false (mt_utf8_valid (text, n));
      }
   assert_int_equal (mt_utf8_length ("a\xC3\xA9\xF0\x9F\x98\x80", 7), 3);
}

/* Every pair of elements of a JSON array in ascending order; "=" joins equal neighbours in
 * `equal`. */
static const char ordered[] =
   "{\"v\": [{\"$minKey\": 1}, null, {\"$numberDouble\": \"NaN\"}, {\"$numberDouble\": \"-Infinity\"},"
   "{\"$numberDecimal\": \"-1E300\"}, {\"$numberDouble\": \"-1e200\"}, {\"$numberLong\": \"-9223372036854775808\"}, -1,"
   "{\"$numberDouble\": \"-0.5\"}, 0, {\"$numberDecimal\": \"1E-6000\"}, {\"$numberDouble\": \"5e-324\"},"
   "{\"$numberDecimal\": \"0.1\"}, {\"$numberDouble\": \"0.1\"}, {\"$numberDecimal\": \"0.3333333333333333333333333333333333\"},"
   "1, {\"$numberDecimal\": \"1.000000000000000000000000000000001\"}, {\"$numberLong\": \"9007199254740992\"},"
   "{\"$numberLong\": \"9007199254740993\"}, {\"$numberDouble\": \"9007199254740994\"},"
   "{\"$numberLong\": \"9223372036854775807\"}, {\"$numberDouble\": \"9223372036854775808\"},"
   "{\"$numberDecimal\": \"9223372036854775808.5\"}, {\"$numberDouble\": \"1e300\"}, {\"$numberDecimal\": \"1E6000\"},"
   "{\"$numberDouble\": \"Infinity\"}, \"\", \"a\", \"ab\", \"b\", {}, {\"a\": 1}, {\"a\": 1, \"b\": 0}, {\"b\": 1},"
   "{\"a\": \"x\"}, [], [1], [1, 2], [2], {\"$binary\": {\"base64\": \"/w==\", \"subType\": \"00\"}},"
   "{\"$binary\": {\"base64\": \"AAA=\", \"subType\": \"00\"}}, {\"$oid\": \"000000000000000000000001\"}, false, true,"
   "{\"$date\": {\"$numberLong\": \"-5\"}}, {\"$date\": {\"$numberLong\": \"5\"}}, {\"$timestamp\": {\"t\": 1, \"i\": 1}},"
   "{\"$timestamp\": {\"t\": 4294967295, \"i\": 1}}, {\"$regularExpression\": {\"pattern\": \"a\", \"options\": \"\"}}, {\"$maxKey\": 1}]}";

static void values_have_a_total_order (void **state)
{
   MtArena *a = mt_arena_new ("t", NULL);
   bson_error_t e;
   bson_t *b = bson_new_from_json ((const uint8_t *) ordered, -1, &e);
   if (!b)
      fail_msg ("%s", e.message);
   size_t n;
   MtVal *v = mt_v_elements (a, mt_doc_get (mt_v_doc (b), "v", 1), &n);
   assert_int_equal (n, 50);
   for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) {
         int c = mt_v_compare (v[i], v[j]), want = (i > j) - (i < j);
         if ((c > 0) - (c < 0) != want)
            fail_msg ("elements %zu and %zu: %d", i, j, c);
         if (i == j)
            assert_int_equal (mt_v_hash (v[i], 7), mt_v_hash (v[j], 7));
      }
   bson_destroy (b);
   mt_arena_free (a);
}

static MtVal dec (MtArena *a, const char *s)
{
   bson_decimal128_t d;
   assert_true (bson_decimal128_from_string (s, &d));
   return mt_v_decimal (a, (const uint8_t *) &d);
}

static void equal_numbers_hash_alike (void **state)
{
   MtArena *a = mt_arena_new ("t", NULL);
   MtVal same[][4] = {
      {mt_v_int32 (1), mt_v_int64 (1), mt_v_double (1), dec (a, "1.00")},
      {mt_v_int32 (0), mt_v_double (-0.0), dec (a, "-0"), dec (a, "0E+10")},
      {mt_v_double (0.5), dec (a, "0.5"), dec (a, "0.50"), dec (a, "5E-1")},
      {mt_v_double (NAN), mt_v_double (-NAN), dec (a, "NaN"), dec (a, "-NaN")},
      {mt_v_double (INFINITY), dec (a, "Infinity"), mt_v_double (INFINITY), dec (a, "Infinity")},
      {mt_v_int64 (INT64_MIN), mt_v_double (-9223372036854775808.0),
       dec (a, "-9223372036854775808"), dec (a, "-9223372036854775808.0")},
      {mt_v_double (1e20), dec (a, "1E20"), dec (a, "100000000000000000000"), mt_v_double (1e20)},
      {mt_v_null (), mt_v_missing (), mt_v_null (), mt_v_missing ()},
   };
   for (size_t i = 0; i < sizeof same / sizeof *same; i++)
      for (int j = 0; j < 4; j++)
         for (int k = 0; k < 4; k++) {
            assert_int_equal (mt_v_compare (same[i][j], same[i][k]), 0);
            assert_int_equal (mt_v_hash (same[i][j], 3), mt_v_hash (same[i][k], 3));
         }
   assert_true (mt_v_compare_strict (mt_v_missing (), mt_v_null ()) < 0);
   assert_true (mt_v_compare_numbers (mt_v_double (0.1), dec (a, "0.1")) > 0);
   mt_arena_free (a);
}

static void json_is_extended_json (void **state)
{
   const struct {
      const char *in, *canonical, *relaxed;
   } t[] = {
      {"{\"a\": 1}", "{\"a\":{\"$numberInt\":\"1\"}}", "{\"a\":1}"},
      {"{\"a\": {\"$numberLong\": \"5\"}}", "{\"a\":{\"$numberLong\":\"5\"}}", "{\"a\":5}"},
      {"{\"a\": 1.0, \"b\": 1e300, \"c\": 0.1}",
       "{\"a\":{\"$numberDouble\":\"1.0\"},\"b\":{\"$numberDouble\":\"1e+300\"},\"c\":{\"$numberDouble\":\"0.1\"}}",
       "{\"a\":1.0,\"b\":1e+300,\"c\":0.1}"},
      {"{\"a\": {\"$date\": \"2015-04-11T16:00:00.120Z\"}}",
       "{\"a\":{\"$date\":{\"$numberLong\":\"1428768000120\"}}}",
       "{\"a\":{\"$date\":\"2015-04-11T16:00:00.120Z\"}}"},
      {"{\"a\": [\"q\\\"\\n\\u0001\", true, null]}", "{\"a\":[\"q\\\"\\n\\u0001\",true,null]}",
       "{\"a\":[\"q\\\"\\n\\u0001\",true,null]}"},
      {"{\"a\": {\"$binary\": {\"base64\": \"AAEC\", \"subType\": \"05\"}}}",
       "{\"a\":{\"$binary\":{\"base64\":\"AAEC\",\"subType\":\"05\"}}}",
       "{\"a\":{\"$binary\":{\"base64\":\"AAEC\",\"subType\":\"05\"}}}"},
      {"{\"a\": {\"$numberDecimal\": \"1.50\"}}", "{\"a\":{\"$numberDecimal\":\"1.50\"}}",
       "{\"a\":{\"$numberDecimal\":\"1.50\"}}"},
      {"{\"a\": {\"$code\": \"f\", \"$scope\": {\"x\": 1}}}",
       "{\"a\":{\"$code\":\"f\",\"$scope\":{\"x\":{\"$numberInt\":\"1\"}}}}",
       "{\"a\":{\"$code\":\"f\",\"$scope\":{\"x\":1}}}"},
   };
   for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
      bson_error_t e;
      bson_t *b = bson_new_from_json ((const uint8_t *) t[i].in, -1, &e);
      if (!b)
         fail_msg ("%s", e.message);
      MtBuf out = {0};
      mt_v_to_json (mt_v_doc (b), true, &out);
      assert_string_equal (out.p, t[i].canonical);
      mt_buf_clear (&out);
      mt_v_to_json (mt_v_doc (b), false, &out);
      assert_string_equal (out.p, t[i].relaxed);
      mt_buf_free (&out);
      bson_destroy (b);
   }
}

static void values_travel_through_documents (void **state)
{
   MtArena *a = mt_arena_new ("t", NULL);
   bson_t *b = bson_new_from_json ((const uint8_t *) ordered, -1, NULL), copy = BSON_INITIALIZER;
   bson_iter_t it, list;
   assert_true (bson_iter_init_find (&it, b, "v") && bson_iter_recurse (&it, &list));
   MtVal vals[64], out;
   size_t n = 0;
   while (bson_iter_next (&list)) {
      vals[n] = mt_v_copy (a, mt_v_from_iter (&list));
      assert_true (mt_doc_append (&copy, bson_iter_key (&list), vals[n++]));
   }
   assert_true (mt_v_make_array (a, vals, n, &out, NULL));
   MtVal v = mt_doc_get (mt_v_doc (b), "v", 1);
   assert_int_equal (out.len, v.len);
   assert_memory_equal (out.p, v.p, v.len);
   assert_int_equal (copy.len, v.len);
   assert_memory_equal (bson_get_data (&copy), v.p, v.len);
   assert_int_equal (mt_doc_count (out), n);
   assert_int_equal (mt_doc_at (out, 7).i, -1);
   assert_int_equal (mt_doc_at (out, n).type, MT_MISSING);
   /* Cut bytes end an iteration, never overrun it. */
   for (uint32_t len = 5; len < v.len; len++) {
      uint8_t *cut = malloc (len);
      memcpy (cut, v.p, len);
      assert_true (mt_doc_count ((MtVal) {.type = MT_ARRAY, .len = len, .p = cut}) <= n);
      free (cut);
   }
   bson_destroy (&copy);
   bson_destroy (b);
   mt_arena_free (a);
}

/* What has few digits takes a shorter way. */
static void doubles_are_the_shortest_that_read_back (void **state)
{
   MtBuf out = {0};
   uint64_t x = 88172645463325252u;
   for (int i = 0; i < 200000; i++) {
      static const double parts[] = {1, 2, 3, 8, 10, 100, 1000, 1e4, 1e5, 1e6, 7e8};
      char text[40];
      random_next (&x);
      double d = (double) ((int64_t) x >> (9 + x % 53)) / parts[i % 11];
      if (fabs (d) >= 1e15) /* %g takes an exponent at other places from there on */
         continue;
      for (int digits = 15; digits <= 17; digits++) {
         snprintf (text, sizeof text, "%.*g", digits, d);
         if (strtod (text, NULL) == d)
            break;
      }
      mt_buf_clear (&out);
      mt_double_out (d, &out);
      mt_buf_addc (&out, 0);
      assert_string_equal (out.p, text);
   }
   mt_buf_free (&out);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (arena_releases_last_first),
      cmocka_unit_test (arena_gives_zeroed_aligned_memory),
      cmocka_unit_test (errors_cut_between_characters),
      cmocka_unit_test (strings),
      cmocka_unit_test (values_have_a_total_order),
      cmocka_unit_test (equal_numbers_hash_alike),
      cmocka_unit_test (doubles_are_the_shortest_that_read_back),
      cmocka_unit_test (json_is_extended_json),
      cmocka_unit_test (values_travel_through_documents),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
