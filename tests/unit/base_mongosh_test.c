/* Values as mongosh reads them, their errors with places, and what EXPLAIN prints of them. */
#include "types/mongosh.h"
#include "engine/shell_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static MtArena *arena;

static int make (void **state)
{
   arena = mt_arena_new ("mongosh", NULL);
   return 0;
}

static int drop (void **state)
{
   mt_arena_free (arena);
   return 0;
}

static const char *canonical (MtVal v)
{
   MtBuf b = {0};
   mt_v_to_json (v, true, &b);
   const char *text = mt_strndup (arena, b.p, b.n);
   mt_buf_free (&b);
   return text;
}

/* The text ends where the memory does, so that reading behind it is found. */
static bool read_text (const char *text, MtVal *out, MtError *err)
{
   size_t n = strlen (text);
   char *copy = malloc (n ? n : 1);
   memcpy (copy, text, n);
   bool ok = mt_mongosh_read (arena, (MtStr) {copy, n}, out, err);
   if (ok)
      *out = mt_v_copy (arena, *out);
   free (copy);
   return ok;
}

static const struct {
   const char *in, *out;
} values[] = {
   /* JSON */
   {"{\"a\": [1, \"x\", true, null]}", "{\"a\":[{\"$numberInt\":\"1\"},\"x\",true,null]}"},
   {"{}", "{}"},
   {" [ ] ", "[]"},
   /* names, quotes, comments, commas */
   {"{a: 1, $b: 2, _c9: 3, 7: 4, é: 5, 'd.e': 6, if: 7,}",
    "{\"a\":{\"$numberInt\":\"1\"},\"$b\":{\"$numberInt\":\"2\"},\"_c9\":{\"$numberInt\":\"3\"},\"7\":{\"$numberInt\":\"4\"},"
    "\"é\":{\"$numberInt\":\"5\"},\"d.e\":{\"$numberInt\":\"6\"},\"if\":{\"$numberInt\":\"7\"}}"},
   {"// one\n['a', /* two\n lines */ `b`, \"c\",] // three", "[\"a\",\"b\",\"c\"]"},
   {"'it\\'s \\x41\\u00e9\\u{1F600}\\ud83d\\ude00\\0 \\q\\\nz'", "\"it's Aé😀😀\\u0000 qz\""},
   {"\"a\" + 'b' + `c\nd`", "\"abc\\nd\""},
   {"{\xC2\xA0"
    "a:\xEF\xBB\xBF"
    "1}",
    "{\"a\":{\"$numberInt\":\"1\"}}"},
   /* numbers */
   {"2147483647", "{\"$numberInt\":\"2147483647\"}"},
   {"2147483648", "{\"$numberLong\":\"2147483648\"}"},
   {"-2147483648", "{\"$numberInt\":\"-2147483648\"}"},
   {"9007199254740993", "{\"$numberLong\":\"9007199254740993\"}"},
   {"-9223372036854775808", "{\"$numberLong\":\"-9223372036854775808\"}"},
   {"9223372036854775808", "{\"$numberDouble\":\"9.223372036854776e+18\"}"},
   {"5.0", "{\"$numberDouble\":\"5.0\"}"},
   {"5.", "{\"$numberDouble\":\"5.0\"}"},
   {".5", "{\"$numberDouble\":\"0.5\"}"},
   {"1e3", "{\"$numberDouble\":\"1000.0\"}"},
   {"-0", "{\"$numberDouble\":\"-0.0\"}"},
   {"0xFF", "{\"$numberInt\":\"255\"}"},
   {"0o17", "{\"$numberInt\":\"15\"}"},
   {"0b101", "{\"$numberInt\":\"5\"}"},
   {"0x10000000000000000", "{\"$numberDouble\":\"1.8446744073709552e+19\"}"},
   {"1_000_000", "{\"$numberInt\":\"1000000\"}"},
   {"[Infinity, -Infinity, +1]",
    "[{\"$numberDouble\":\"Infinity\"},{\"$numberDouble\":\"-Infinity\"},{\"$numberInt\":\"1\"}]"},
   {"NaN", "{\"$numberDouble\":\"NaN\"}"},
   {"1000 * 60 * 60 * 24", "{\"$numberInt\":\"86400000\"}"},
   {"1000*60*60*24*365", "{\"$numberLong\":\"31536000000\"}"},
   {"2 + 3 * (4 - 1) - -1", "{\"$numberInt\":\"12\"}"},
   {"7 / 2", "{\"$numberDouble\":\"3.5\"}"},
   {"8 / 2 % 3", "{\"$numberInt\":\"1\"}"},
   {"-7 % 2", "{\"$numberInt\":\"-1\"}"},
   {"1 / 0", "{\"$numberDouble\":\"Infinity\"}"},
   {"9223372036854775807 + 1", "{\"$numberDouble\":\"9.223372036854776e+18\"}"},
   {"undefined", "null"},
   /* constructors */
   {"ObjectId('5f43A1b2c3d4e5f601234567')", "{\"$oid\":\"5f43a1b2c3d4e5f601234567\"}"},
   {"new ObjectId(\"5f43a1b2c3d4e5f601234567\")", "{\"$oid\":\"5f43a1b2c3d4e5f601234567\"}"},
   {"[NumberLong(5), NumberLong(\"-5\"), Long('9223372036854775807'), NumberLong(9007199254740993)]",
    "[{\"$numberLong\":\"5\"},{\"$numberLong\":\"-5\"},{\"$numberLong\":\"9223372036854775807\"},{\"$numberLong\":\"9007199254740993\"}]"},
   {"[NumberInt(\"7\"), Int32(7), NumberInt(7.0), Double(5), Double('1e3')]",
    "[{\"$numberInt\":\"7\"},{\"$numberInt\":\"7\"},{\"$numberInt\":\"7\"},{\"$numberDouble\":\"5.0\"},{\"$numberDouble\":\"1000.0\"}]"},
   {"[NumberDecimal(\"1.10\"), NumberDecimal(1.10), NumberDecimal(-3), Decimal128('NaN')]",
    "[{\"$numberDecimal\":\"1.10\"},{\"$numberDecimal\":\"1.10\"},{\"$numberDecimal\":\"-3\"},{\"$numberDecimal\":\"NaN\"}]"},
   {"ISODate(\"2015-04-11T18:32:00Z\")", "{\"$date\":{\"$numberLong\":\"1428777120000\"}}"},
   {"[ISODate('2015-04-11'), ISODate('20150411'), new Date('2015-04-11'), ISODate('2015-04-11 18:32'), ISODate('2015-04-11T18:32:00.5+05:30')]",
    "[{\"$date\":{\"$numberLong\":\"1428710400000\"}},{\"$date\":{\"$numberLong\":\"1428710400000\"}},{\"$date\":{\"$numberLong\":\"1428710400000\"}},"
    "{\"$date\":{\"$numberLong\":\"1428777120000\"}},{\"$date\":{\"$numberLong\":\"1428757320500\"}}]"},
   {"[new Date(-5), new Date(2 * 1000), ISODate('1969-12-31T23:59:59.9999Z'), ISODate('-000001-01-01T00:00:00Z')]",
    "[{\"$date\":{\"$numberLong\":\"-5\"}},{\"$date\":{\"$numberLong\":\"2000\"}},{\"$date\":{\"$numberLong\":\"-1\"}},{\"$date\":{\"$numberLong\":\"-62198755200000\"}}]"},
   {"UUID('01234567-89ab-cdef-0123-456789abcdef')",
    "{\"$binary\":{\"base64\":\"ASNFZ4mrze8BI0VniavN7w==\",\"subType\":\"04\"}}"},
   {"[BinData(0, 'AQI='), BinData(0x80, \"AQID\"), HexData(0, '0102'), BinData(0, '')]",
    "[{\"$binary\":{\"base64\":\"AQI=\",\"subType\":\"00\"}},{\"$binary\":{\"base64\":\"AQID\",\"subType\":\"80\"}},{\"$binary\":{\"base64\":\"AQI=\",\"subType\":\"00\"}},"
    "{\"$binary\":{\"base64\":\"\",\"subType\":\"00\"}}]"},
   {"[MinKey, MaxKey(), new MinKey(), MinKey()]",
    "[{\"$minKey\":1},{\"$maxKey\":1},{\"$minKey\":1},{\"$minKey\":1}]"},
   {"[Timestamp(5, 6), Timestamp({t: 4294967295, i: 0}), Timestamp()]",
    "[{\"$timestamp\":{\"t\":5,\"i\":6}},{\"$timestamp\":{\"t\":4294967295,\"i\":0}},{\"$timestamp\":{\"t\":0,\"i\":0}}]"},
   {"[/a\\/b[/]c/xi, /^x/, RegExp('a', 'i'), {n: 6 / 2}]",
    "[{\"$regularExpression\":{\"pattern\":\"a\\\\/b[/]c\",\"options\":\"ix\"}},{\"$regularExpression\":{\"pattern\":\"^x\",\"options\":\"\"}},"
    "{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"i\"}},{\"n\":{\"$numberInt\":\"3\"}}]"},
   {"[Code('f ()'), BSONSymbol('s'), DBRef('c', 1), Code('f ()', {a: 1})]",
    "[{\"$code\":\"f ()\"},{\"$symbol\":\"s\"},{\"$ref\":\"c\",\"$id\":{\"$numberInt\":\"1\"}},{\"$code\":\"f ()\",\"$scope\":{\"a\":{\"$numberInt\":\"1\"}}}]"},
   /* extended JSON, and operators that look like it */
   {"[{\"$oid\": \"5f43a1b2c3d4e5f601234567\"}, {$numberLong: '5'}, {$numberInt: '5'}, {$numberDouble: '-0'}, {$numberDouble: 'Infinity'}, {$numberDecimal: '1.50'}]",
    "[{\"$oid\":\"5f43a1b2c3d4e5f601234567\"},{\"$numberLong\":\"5\"},{\"$numberInt\":\"5\"},{\"$numberDouble\":\"-0.0\"},{\"$numberDouble\":\"Infinity\"},{\"$numberDecimal\":\"1.50\"}]"},
   {"[{$date: '2015-04-11T18:32:00Z'}, {$date: {$numberLong: '-5'}}, {$date: 7}]",
    "[{\"$date\":{\"$numberLong\":\"1428777120000\"}},{\"$date\":{\"$numberLong\":\"-5\"}},{\"$date\":{\"$numberLong\":\"7\"}}]"},
   {"[{$binary: {base64: 'AQI=', subType: '05'}}, {$binary: 'AQI=', $type: '5'}, {$uuid: '01234567-89ab-cdef-0123-456789abcdef'}]",
    "[{\"$binary\":{\"base64\":\"AQI=\",\"subType\":\"05\"}},{\"$binary\":{\"base64\":\"AQI=\",\"subType\":\"05\"}},{\"$binary\":{\"base64\":\"ASNFZ4mrze8BI0VniavN7w==\",\"subType\":\"04\"}}]"},
   {"[{$regularExpression: {pattern: 'a', options: 'xi'}}, {$timestamp: {t: 1, i: 2}}, {$minKey: 1}, {$undefined: true}, {$dbPointer: {$ref: 'c', $id: {$oid: '5f43a1b2c3d4e5f601234567'}}}]",
    "[{\"$regularExpression\":{\"pattern\":\"a\",\"options\":\"ix\"}},{\"$timestamp\":{\"t\":1,\"i\":2}},{\"$minKey\":1},{\"$undefined\":true},"
    "{\"$dbPointer\":{\"$ref\":\"c\",\"$id\":{\"$oid\":\"5f43a1b2c3d4e5f601234567\"}}}]"},
   {"[{$type: 'string'}, {$regex: 'a', $options: 'i'}]",
    "[{\"$type\":\"string\"},{\"$regex\":\"a\",\"$options\":\"i\"}]"},
};

static void reads (void **state)
{
   for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      MtVal v;
      MtError err = {0};
      if (!read_text (values[i].in, &v, &err))
         fail_msg ("%s: %s", values[i].in, err.message);
      assert_string_equal (canonical (v), values[i].out);
   }
}

/* What EXPLAIN prints of each of these is read as the same value. */
static void reads_what_is_printed (void **state)
{
   for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      MtVal v, again;
      MtError err = {0};
      MtBuf text = {0};
      assert_true (read_text (values[i].in, &v, &err));
      mt_shell_value (v, &text);
      if (!read_text (text.p, &again, &err))
         fail_msg ("%s: %s", text.p, err.message);
      assert_string_equal (canonical (again), canonical (v));
      assert_true (again.type == v.type &&
                   (v.type != MT_DOUBLE || isnan (v.d) ||
                    (v.d == again.d && signbit (v.d) == signbit (again.d))));
      mt_buf_free (&text);
   }
}

/* ^: where the error is. */
static const struct {
   const char *in, *sqlstate, *message, *hint;
} wrong[] = {
   {"^", "42601", "syntax error at end of input", NULL},
   {"[1, 2^", "42601", "syntax error at end of input", NULL},
   {"{a ^1}", "42601", "syntax error at or near \"1\"", NULL},
   {"{a: 1 ^b: 2}", "42601", "syntax error at or near \"b\"", NULL},
   {"[1] ^2", "42601", "syntax error at or near \"2\"", NULL},
   {"[^, 1]", "42601", "syntax error at or near \",\"", NULL},
   {"{^a.b: 1}", "42601", "syntax error at or near \"a.b\"",
    "Put quotes around a field's name that has a dot."},
   {"{a: 1, ^a: 2}", "42601", "field \"a\" is given twice",
    "Give each field once; $and combines conditions on one field."},
   {"^/* x", "42601", "unterminated comment", NULL},
   {"[^'x", "42601", "unterminated string", NULL},
   {"[^'x\n']", "42601", "unterminated string", NULL},
   {"^/x", "42601", "unterminated regular expression", NULL},
   {"^/x/gi", "22P02", "invalid flags of a regular expression: \"gi\"",
    "MongoDB's flags are i, m, s, u and x."},
   {"'^\\u12'", "42601", "invalid escape sequence", NULL},
   {"'^\\ud800'", "42601", "invalid escape sequence", NULL},
   {"`^${x}`", "42601", "expressions within a string are not supported", NULL},
   {"^\xE2\x80\x9C"
    "a\xE2\x80\x9D",
    "42601", "unexpected character", "Write straight quotes (\" or ') and plain spaces."},
   {"[^010]", "42601", "invalid number", NULL},
   {"[^5x]", "42601", "invalid number", NULL},
   {"[^1e]", "42601", "invalid number", NULL},
   {"[1, ^... /* 90 more */]", "42601", "the text is not complete",
    "EXPLAIN (VERBOSE) shows long lists whole."},
   {"[^ObjectID('x')]", "42601", "syntax error at or near \"ObjectID\"",
    "Perhaps you meant ObjectId."},
   {"{$match: {a: ^x}}", "42601", "syntax error at or near \"x\"",
    "Put quotes around strings. Variables and functions of JavaScript are not supported."},
   {"ObjectId(^'zz')", "22P02", "invalid argument of ObjectId: 'zz'",
    "Give 24 hexadecimal digits in quotes."},
   {"^ObjectId()", "42601", "ObjectId needs 1 argument", NULL},
   {"MinKey(^1)", "42601", "MinKey takes at most 0 arguments", NULL},
   {"NumberLong(^'1.5')", "22P02", "invalid argument of NumberLong: '1.5'",
    "Give a whole number of 64 bits."},
   {"NumberLong(^'9223372036854775808')", "22P02",
    "invalid argument of NumberLong: '9223372036854775808'", "Give a whole number of 64 bits."},
   {"NumberInt(^3000000000)", "22P02", "invalid argument of NumberInt: 3000000000",
    "Give a whole number of 32 bits."},
   {"ISODate(^'2015-02-29')", "22P02", "invalid argument of ISODate: '2015-02-29'",
    "Write ISODate(\"2024-01-31T12:00:00Z\")."},
   {"new Date(^'2015-02-01T10:00')", "22P02", "invalid argument of Date: '2015-02-01T10:00'",
    "Add a time zone to the time, such as Z for UTC."},
   {"^Date()", "42601", "Date without \"new\" is a string", "Write new Date(…), or ISODate(…)."},
   {"BinData(0, ^'A')", "22P02", "invalid argument of BinData: 'A'", "Give the bytes in base64."},
   {"UUID(^'0123')", "22P02", "invalid argument of UUID: '0123'",
    "Write UUID(\"01234567-89ab-cdef-0123-456789abcdef\")."},
   {"{$oid: ^'x'}", "22P02", "invalid argument of $oid: 'x'",
    "Give 24 hexadecimal digits in quotes."},
   {"^'a' * 2", "42601", "only numbers can be computed with", NULL},
   {"1 + ^NumberLong(2)", "42601", "only numbers can be computed with", NULL},
   {"{^'a\\0b': 1}", "22P02", "a field's name has a zero byte", NULL},
};

static void refuses_with_a_place (void **state)
{
   for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
      char text[200];
      MtVal v;
      MtError err = {0};
      size_t at = strcspn (wrong[i].in, "^");
      snprintf (text, sizeof text, "%.*s%s", (int) at, wrong[i].in, wrong[i].in + at + 1);
      if (read_text (text, &v, &err))
         fail_msg ("%s is read as %s", text, canonical (v));
      if (strcmp (err.message, wrong[i].message) || strcmp (err.sqlstate, wrong[i].sqlstate) ||
          err.span.start != (int) at || strcmp (err.hint, wrong[i].hint ? wrong[i].hint : ""))
         fail_msg ("%s: %s %s at %d, hint %s", text, err.sqlstate, err.message, err.span.start,
                   err.hint);
   }
}

static void refuses_what_is_deep (void **state)
{
   static const char *const open[] = {"[", "{a:", "(", "-", "Code(", "[-("};
   for (size_t k = 0; k < sizeof open / sizeof *open; k++)
      for (int n = 1000; n <= 100000; n *= 10) {
         MtBuf b = {0};
         MtVal v;
         MtError err = {0};
         for (int i = 0; i < n; i++)
            mt_buf_adds (&b, open[k]);
         assert_false (mt_mongosh_read (arena, (MtStr) {b.p, b.n}, &v, &err));
         assert_string_equal (err.sqlstate, "54000");
         mt_buf_free (&b);
      }
}

static const struct {
   const char *in, *collection;
} commands[] = {
   {"[{$limit: 1}]", NULL},
   {"[{$limit: 1}], {allowDiskUse: true}", NULL},
   {"db.calls.aggregate([{$limit: 1}])", "calls"},
   {"db.calls.by.time.aggregate ( [{$limit: 1}] );", "calls.by.time"},
   {"db.getCollection(\"my calls\").aggregate([{$limit: 1}], {allowDiskUse: true})", "my calls"},
   {"db['my calls'].aggregate([{$limit: 1}],);", "my calls"},
   {"db.aggregate([{$limit: 1}])", NULL},
};

static void reads_whole_commands (void **state)
{
   for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
      MtMongoshAggregate g;
      MtError err = {0};
      if (!mt_mongosh_aggregate (arena, mt_str (commands[i].in), &g, &err))
         fail_msg ("%s: %s", commands[i].in, err.message);
      assert_string_equal (canonical (g.pipeline), "[{\"$limit\":{\"$numberInt\":\"1\"}}]");
      assert_true (commands[i].collection
                      ? g.collection && strcmp (g.collection, commands[i].collection) == 0
                      : !g.collection);
   }
   static const char *const bad[] = {"{$limit: 1}",
                                     "db.calls.find({})",
                                     "db",
                                     "db.calls.aggregate([1]",
                                     "[1],",
                                     "[1], {a: 1}, {}",
                                     "db.getCollection(x).aggregate([])",
                                     "5"};
   for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
      MtMongoshAggregate g;
      MtError err = {0};
      assert_false (mt_mongosh_aggregate (arena, mt_str (bad[i]), &g, &err));
      assert_string_equal (err.sqlstate, "42601");
      assert_true (err.span.start >= 0);
   }
}

static void finds_places (void **state)
{
   static const char text[] =
      "{ a: {b: [1, /* [ */ 'x]', {c: ObjectId ('y')}], 'd.e': 2}, // }\n f: /}/ }";
   static const struct {
      const char *path, *value;
      bool name;
   } places[] = {
      {"a.b[0]", "1", false},
      {"a.b[1]", "'x]'", false},
      {"a.b[2].c", "ObjectId ('y')", false},
      {"a.b[2].c", "c", true},
      {"a.d.e", "2", false},
      {"a.d.e", "'d.e'", true},
      {"f", "/}/", false},
      {"a.b[9]", "[1, /* [ */ 'x]', {c: ObjectId ('y')}]", false},
      {"", text, false},
   };
   for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
      MtSpan s = mt_mongosh_place (mt_str (text), places[i].path, places[i].name);
      assert_true (s.start >= 0 && (size_t) s.len == strlen (places[i].value));
      assert_memory_equal (text + s.start, places[i].value, (size_t) s.len);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown (reads, make, drop),
      cmocka_unit_test_setup_teardown (reads_what_is_printed, make, drop),
      cmocka_unit_test_setup_teardown (refuses_with_a_place, make, drop),
      cmocka_unit_test_setup_teardown (refuses_what_is_deep, make, drop),
      cmocka_unit_test_setup_teardown (reads_whole_commands, make, drop),
      cmocka_unit_test (finds_places),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
