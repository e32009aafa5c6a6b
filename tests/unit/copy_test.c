/* COPY's formats and their errors; the expected text of CSV is PostgreSQL 15's. */
#include "copy/format.h"
#include "tests/unit/layout_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static MtArena *arena;
static MtError err;
static const MtTextStyle style = {.extra_float_digits = 1};

static int setup (void **state)
{
   arena = mt_arena_new ("test", NULL);
   mt_error_clear (&err);
   return 0;
}

static int teardown (void **state)
{
   mt_arena_free (arena);
   return 0;
}

static MtColumn column (const char *name, MtTypeId type)
{
   return (MtColumn) {.name = name, .type = mt_type (type), .field = name};
}

/* t (i integer, s text, d double precision, ts timestamptz) */
static MtTable *table (void)
{
   MtTable *t = MT_NEW (arena, MtTable);
   t->name = "t";
   t->column_count = 4;
   t->time_column = -1;
   t->columns = MT_NEW_N (arena, MtColumn, 6);
   t->columns[0] = column ("i", MT_T_INT4);
   t->columns[1] = column ("s", MT_T_TEXT);
   t->columns[2] = column ("d", MT_T_FLOAT8);
   t->columns[3] = column ("ts", MT_T_TIMESTAMPTZ);
   t->columns[4] = column ("b", MT_T_BOOL);
   t->columns[5] = column ("j", MT_T_JSONB);
   return t;
}

typedef struct Text {
   const char *p;
   size_t n, step; /* bytes a read: buffers must meet every boundary */
} Text;

static long read_text (void *ctx, char *buf, size_t n)
{
   Text *t = ctx;
   size_t k = t->n < n ? t->n : n;
   k = k < t->step ? k : t->step;
   memcpy (buf, t->p, k);
   t->p += k;
   t->n -= k;
   return (long) k;
}

static const MtPresetOption *options (const char *text, size_t *count)
{
   MtPresetOption *o = MT_NEW_N (arena, MtPresetOption, 8);
   char *copy = mt_strdup (arena, text), *save, *word;
   *count = 0;
   for (word = strtok_r (copy, " ", &save); word; word = strtok_r (NULL, " ", &save)) {
      char *eq = strchr (word, '=');
      if (eq)
         *eq = 0;
      o[(*count)++] = (MtPresetOption) {word, eq ? eq + 1 : NULL, MT_NO_SPAN};
   }
   return o;
}

static void put_row (const MtTable *t, const MtVal *row, MtBuf *out)
{
   for (size_t i = 0; i < t->column_count; i++) {
      mt_buf_adds (out, i ? "|" : "");
      if (mt_is_nullish (row[i]))
         mt_buf_adds (out, row[i].type == MT_NULL ? "~" : "-");
      else
         assert_true (mt_value_print (t->columns[i].type, row[i], &style, out, &err));
   }
   mt_buf_adds (out, "\n");
}

/* Rows as text, fields between |, a NULL as ~, a missing field as -, each row ended by a line feed;
 * NULL on error. ahead: a thread reads. */
static const char *read_all (const MtTable *t, const char *format, const char *with,
                             const char *text, size_t n, size_t step, bool ahead)
{
   Text in = {text, n, step};
   MtCopyInArgs args = {.table = t, .style = &style, .read = read_text, .ctx = &in};
   args.options = options (with, &args.option_count);
   MtCopyIn *c;
   MtBuf out = {0};
   const MtVal *row;
   if (!mt_copy_in_open (format, &args, &c, &err))
      return NULL;
   if (ahead)
      mt_copy_in_ahead (c);
   bool ok;
   while ((ok = mt_copy_in_next (c, &row, &err)) && row)
      put_row (t, row, &out);
   mt_copy_in_close (c);
   const char *all = mt_strdup (arena, out.p ? out.p : "");
   mt_buf_free (&out);
   return ok ? all : NULL;
}

static void reads_so (const char *format, const char *with, const char *text, const char *expected,
                      bool ahead)
{
   size_t n = strlen (text);
   for (size_t step = 1; step <= n + 1; step = step < 8 ? step + 1 : n + 1 > step ? n + 1 : n + 2) {
      const char *got = read_all (table (), format, with, text, n, step, ahead);
      if (!got)
         fail_msg ("%s %s\n%s", err.message, err.detail, text);
      if (strcmp (got, expected))
         fail_msg ("step %zu%s: got:\n%s\nexpected:\n%s", step, ahead ? ", ahead" : "", got,
                   expected);
   }
}

static void reads (const char *format, const char *with, const char *text, const char *expected)
{
   reads_so (format, with, text, expected, false);
   reads_so (format, with, text, expected, true);
}

/* The detail, and where. */
static const char *said (const MtError *e)
{
   static char text[1024];
   snprintf (text, sizeof text, "%s%s%s", e->detail, e->detail[0] && e->context[0] ? " " : "",
             e->context);
   return text;
}

static void refuses (const char *format, const char *with, const char *text, size_t n,
                     const char *sqlstate, const char *message, const char *detail)
{
   for (int round = 0; round < 4; round++) {
      mt_error_clear (&err);
      if (read_all (table (), format, with, text, n, round & 1 ? 99 : 1, round > 1))
         fail_msg ("read: %s", text);
      if (strcmp (err.sqlstate, sqlstate) || strcmp (err.message, message) ||
          (detail && strcmp (said (&err), detail)))
         fail_msg ("got %s \"%s\" \"%s\"", err.sqlstate, err.message, said (&err));
   }
}

static void csv_fields (void **state)
{
   reads ("csv", "", "", "");
   reads ("csv", "", "1,a,2.5,2015-04-11 18:32:00+00\n", "1|a|2.5|2015-04-11 18:32:00+00\n");
   reads ("csv", "", "1,a,2.5,2015-04-11T18:32:00.25Z", "1|a|2.5|2015-04-11 18:32:00.25+00\n");
   reads (
      "csv", "",
      "1,a,2,2015-04-11 18:32+00\n2,a,2,2015-04-11T18:32Z\n3,a,2,2015-04-11 18:32\n4,a,2,2015-04-11 18:32+02\n5,a,2,2015-04-11 24:00+00\n6,a,2,2015-04-11 18:32:1+00\n",
      "1|a|2|2015-04-11 18:32:00+00\n2|a|2|2015-04-11 18:32:00+00\n3|a|2|2015-04-11 18:32:00+00\n4|a|2|2015-04-11 16:32:00+00\n5|a|2|2015-04-12 00:00:00+00\n6|a|2|2015-04-11 18:32:01+00\n");
   reads ("CSV", "", ",,,\n-5,\"\",1e3,\"2015-04-11\"\n",
          "~|~|~|~\n-5||1000|2015-04-11 00:00:00+00\n");
   reads ("csv", "", "1,\"a,\"\"b\"\"\",.5,\n2,\"two\nlines\",-0.25,\n",
          "1|a,\"b\"|0.5|~\n2|two\nlines|-0.25|~\n");
   reads ("csv", "", "1,ab\"c,d\"e,,\n", "1|abc,de|~|~\n");
}

static void csv_nulls (void **state)
{
   reads ("csv", "null=nil", "nil,nil,nil,nil\n1,\"nil\",1,nil\n2,,2,nil\n",
          "~|~|~|~\n1|nil|1|~\n2||2|~\n");
}

static void csv_options (void **state)
{
   reads ("csv", "header", "x,y,z,w\n1,a,2,\n", "1|a|2|~\n");
   reads ("csv", "header=match", "i,s,d,ts\n1,a,2,\n", "1|a|2|~\n");
   reads ("csv", "skip=2", "a comment\n\n1,a,2,\n", "1|a|2|~\n");
   reads ("csv", "skip=2", "a comment\nthe end", "");
   reads ("csv", "skip=3", "a comment\n1,a,2,\n", "");
   reads ("csv", "delimiter=; quote=' escape=\\", "1;'a\\'b;\\\\c';2;\n", "1|a'b;\\c|2|~\n");
   reads (
      "csv", "epoch=s", "1,a,2,1428777120\n2,b,3,1428777120.5\n3,c,4,-1\n",
      "1|a|2|2015-04-11 18:32:00+00\n2|b|3|2015-04-11 18:32:00.5+00\n3|c|4|1969-12-31 23:59:59+00\n");
   reads (
      "csv", "epoch=us", "1,a,2,1428777120000999\n2,b,3,-1\n3,c,4,1428777120000999.6\n",
      "1|a|2|2015-04-11 18:32:00+00\n2|b|3|1969-12-31 23:59:59.999+00\n3|c|4|2015-04-11 18:32:00.001+00\n");
   reads ("csv", "",
          "\xEF\xBB\xBF"
          "1,\xC3\xA9,2,\n\\.\nrubbish",
          "1|\xC3\xA9|2|~\n");
}

static void csv_line_ends (void **state)
{
   reads ("csv", "", "1,a,2,\r\n2,b,3,\r\n", "1|a|2|~\n2|b|3|~\n");
   reads ("csv", "", "1,a,2,\r2,b,3,\r", "1|a|2|~\n2|b|3|~\n");
   reads ("csv", "", "1,\"a\r\nb\",2,\n2,b,3,", "1|a\r\nb|2|~\n2|b|3|~\n");
}

#define S(text) text, sizeof (text) - 1

static void csv_errors (void **state)
{
   refuses ("csv", "", S ("1,a,2,\n1,a,2,,x\n"), "22P04", "extra data after last expected column",
            "COPY t, line 2: \"1,a,2,,x\"");
   refuses ("csv", "", S ("1,a\n"), "22P04", "missing data for column \"d\"",
            "COPY t, line 1: \"1,a\"");
   refuses ("csv", "", S ("1,a,2,2015-04-31 18:32+00\n"), "22008",
            "date/time field value out of range: \"2015-04-31 18:32+00\"",
            "COPY t, line 1, column ts: \"2015-04-31 18:32+00\"");
   refuses ("csv", "", S ("x,a\n"), "22P02", "invalid input syntax for type integer: \"x\"",
            "COPY t, line 1, column i: \"x\"");
   refuses ("csv", "", S ("1,a,2,\n\n"), "22P04", "missing data for column \"s\"",
            "COPY t, line 2: \"\"");
   refuses ("csv", "", S ("1,\"a,2,\n"), "22P04", "unterminated CSV quoted field",
            "COPY t, line 1: \"1,\"a,2,\n\"");
   refuses ("csv", "", S ("1,a,2,\n2,\"b\nb\",3,\n4,c,\"d,\n5,e,6,\n7,"), "22P04",
            "unterminated CSV quoted field", "COPY t, line 4: \"4,c,\"d,\n5,e,6,\n7,\"");
   refuses ("csv", "", S ("1,\"a\nb\",2,\n1,\"a\nb\",zz,\"\n\n\"\n"), "22P02",
            "invalid input syntax for type double precision: \"zz\"",
            "COPY t, line 4, column d: \"zz\"");
   refuses ("csv", "", S ("1,\"a\nb\",2,\n1,\"a\nb\"\n"), "22P04", "missing data for column \"d\"",
            "COPY t, line 3: \"1,\"a\nb\"\"");
   refuses ("csv", "", S ("1,a,2,\n1,a\r,2,\n"), "22P04", "unquoted carriage return found in data",
            NULL);
   refuses ("csv", "", S ("1,a,2,\r\n1,a\n,2,\r\n"), "22P04", "unquoted newline found in data",
            NULL);
   refuses ("csv", "", S ("1,a,2,\nx,a,2,\n"), "22P02",
            "invalid input syntax for type integer: \"x\"", "COPY t, line 2, column i: \"x\"");
   refuses ("csv", "", S ("1,\"a\nb\",2,\n1,\"\",zz,\n"), "22P02",
            "invalid input syntax for type double precision: \"zz\"",
            "COPY t, line 3, column d: \"zz\"");
   refuses ("csv", "", S ("3000000000,a,2,\n"), "22003",
            "value \"3000000000\" is out of range for type integer",
            "COPY t, line 1, column i: \"3000000000\"");
   refuses ("csv", "", S ("1,a,2,2015-02-30\n"), "22008",
            "date/time field value out of range: \"2015-02-30\"", NULL);
   refuses ("csv", "", S ("1,\xC3(,2,\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0xc3 0x28", "COPY t, line 1, column s");
   refuses ("csv", "", S ("1,a\xE2\x82,2,\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0xe2 0x82", "COPY t, line 1, column s");
   refuses ("csv", "header=match", S (""), "22P04",
            "wrong number of fields in header line: got 1, expected 4", "COPY t, line 1: \"\"");
   refuses ("csv", "delimiter", S (""), "42601", "delimiter requires a parameter", NULL);
   refuses ("csv", "null", S (""), "42601", "null requires a parameter", NULL);
   refuses ("csv", "", S ("1,a\0b,2,\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0x00", NULL);
   refuses ("csv", "header=match", S ("i,s,x,ts\n"), "22P04",
            "column name mismatch in header line field 3: got \"x\", expected \"d\"",
            "COPY t, line 1: \"i,s,x,ts\"");
   refuses ("csv", "header=match", S ("i,s\n"), "22P04",
            "wrong number of fields in header line: got 2, expected 4", NULL);
   refuses ("csv", "header=maybe", S (""), "42601", "header requires a Boolean value or \"match\"",
            NULL);
   refuses ("csv", "delimiter=ab", S (""), "0A000",
            "COPY delimiter must be a single one-byte character", NULL);
   refuses ("csv", "delimiter=\"", S (""), "22023", "COPY delimiter and quote must be different",
            NULL);
   refuses ("csv", "null=a,b", S (""), "0A000",
            "COPY delimiter must not appear in the NULL specification", NULL);
   refuses ("csv", "epoch=days", S (""), "22023",
            "invalid value for COPY option \"epoch\": \"days\"", NULL);
   refuses ("csv", "head", S (""), "42601", "option \"head\" not recognized", NULL);
   refuses ("csv", "header header", S (""), "42601", "conflicting or redundant options", NULL);
   refuses ("csw", "", S (""), "22023", "COPY format \"csw\" not recognized", NULL);
   assert_string_equal (err.hint, "Perhaps you meant \"csv\".");
}

/* The day of the row before is known, and is no other's. */
static void csv_dates (void **state)
{
   reads (
      "csv", "",
      "1,a,1,2015-04-11 18:32+00\n2,a,1,2015-04-11 18:33+00\n3,a,1,2015-04-12 18:32+00\n4,a,1,2015-04-11T00:00:01Z\n5,a,1,\n6,a,1,2015-04-11 23:59+00\n",
      "1|a|1|2015-04-11 18:32:00+00\n2|a|1|2015-04-11 18:33:00+00\n3|a|1|2015-04-12 18:32:00+00\n4|a|1|2015-04-11 00:00:01+00\n5|a|1|~\n6|a|1|2015-04-11 23:59:00+00\n");
   refuses ("csv", "", S ("1,a,1,2015-02-28 10:00+00\n2,a,1,2015-02-29 10:00+00\n"), "22008",
            "date/time field value out of range: \"2015-02-29 10:00+00\"", NULL);
   refuses ("csv", "", S ("1,a,1,2015-02-28 10:00+00\n2,a,1,2015-02-28 24:01+00\n"), "22008",
            "date/time field value out of range: \"2015-02-28 24:01+00\"", NULL);
}

static void csv_long_records (void **state)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "1,\"");
   for (int i = 0; i < 700000; i++)
      mt_buf_addc (&b, (char) ('a' + i % 26));
   mt_buf_adds (&b, "\"\"\",2,\n2,x,3,\n");
   for (int ahead = 0; ahead < 2; ahead++) {
      const char *got = read_all (table (), "csv", "", b.p, b.n, 100000, ahead);
      assert_non_null (got);
      assert_int_equal (strlen (got), 700000 + strlen ("1|\"|2|~\n2|x|3|~\n"));
   }
   mt_buf_free (&b);
}

/* No document holds it: an error with its line, in bounded memory. */
static void csv_values_that_no_document_holds (void **state)
{
   MtBuf b = {0};
   mt_buf_adds (&b, "1,a,2,\n2,");
   for (int i = 0; i < (17 << 20); i++)
      mt_buf_addc (&b, 'x');
   mt_buf_adds (&b, ",2,\n");
   assert_null (read_all (table (), "csv", "", b.p, b.n, 1 << 20, true));
   assert_string_equal (err.sqlstate, "54000");
   assert_string_equal (err.message, "a record of 17825792 bytes can't be stored");
   assert_string_equal (said (&err), "A document has at most 16777216. COPY t, line 2");
   mt_buf_clear (&b);
   mt_buf_adds (&b, "1,\"a,2,\n");
   for (int i = 0; i < (5 << 20); i++)
      mt_buf_adds (&b, "2,bbbbbbbbbb,3,\n");
   mt_error_clear (&err);
   assert_null (read_all (table (), "csv", "", b.p, b.n, 1 << 20, true));
   assert_string_equal (err.message, "record is longer than 67108864 bytes");
   assert_non_null (strstr (err.context, "COPY t, line 1"));
   mt_buf_free (&b);
}

static void some_columns (void **state)
{
   static const int columns[] = {2, 0};
   Text in = {"2.5,7\n", 6, 3};
   MtCopyInArgs args = {.table = table (),
                        .columns = columns,
                        .column_count = 2,
                        .style = &style,
                        .read = read_text,
                        .ctx = &in};
   MtCopyIn *c;
   const MtVal *row = NULL;
   assert_true (mt_copy_in_open ("csv", &args, &c, &err));
   assert_true (mt_copy_in_next (c, &row, &err));
   assert_non_null (row);
   assert_true (row[0].i == 7 && row[2].d == 2.5 && row[1].type == MT_MISSING &&
                row[3].type == MT_MISSING);
   assert_int_equal (mt_copy_in_line (c), 1);
   assert_int_equal (mt_copy_in_bytes (c), 6);
   mt_copy_in_close (c);
}

static void jsonl_fields (void **state)
{
   reads ("jsonl", "", "", "");
   reads ("jsonl", "", "\xEF\xBB\xBF{\"i\":1}\n{\"i\":2}\n", "1|-|-|-\n2|-|-|-\n");
   reads ("jsonl", "", "{\"i\": 1, \"s\": \"a\", \"d\": 2.5e1, \"ts\": \"2015-04-11 18:32:00\"}\n",
          "1|a|25|2015-04-11 18:32:00+00\n");
   reads ("jsonl", "",
          "{}\n\n  {\"ts\":null,\"s\":\"q\\\"\\u00e9\\ud83d\\ude00\\n\"} \r\n{\"I\":-3}",
          "-|-|-|-\n-|q\"\xC3\xA9\xF0\x9F\x98\x80\n|-|~\n-3|-|-|-\n");
   reads ("jsonl", "epoch=ms", "{\"ts\":1428777120500,\"d\":\"7\"}\n",
          "-|-|7|2015-04-11 18:32:00.5+00\n");
   reads ("jsonl", "",
          "{\"ts\":{\"$date\":\"2015-04-11T18:32:00Z\"},\"i\":{\"$numberInt\":\"5\"}}\n",
          "5|-|-|2015-04-11 18:32:00+00\n");
}

static void jsonl_errors (void **state)
{
   refuses ("jsonl", "", S ("{\"i\":1}\n{\"x\":1}\n"), "42703",
            "column \"x\" of relation \"t\" does not exist", "COPY t, line 2: \"{\"x\":1}\"");
   refuses ("jsonl", "", S ("{\"i\":1,\"i\":2}\n"), "42701",
            "column \"i\" specified more than once", NULL);
   refuses ("jsonl", "", S ("{\"s\":1}\n"), "42804",
            "column \"s\" is of type text but the field is a number",
            "COPY t, line 1, column s: \"1\"");
   refuses ("jsonl", "", S ("{\"i\":true}\n"), "42804",
            "column \"i\" is of type integer but the field is a boolean", NULL);
   refuses ("jsonl", "", S ("{\"ts\":5}\n"), "42804",
            "column \"ts\" is of type timestamp with time zone but the field is a number", NULL);
   refuses ("jsonl", "", S ("{\"i\":[1]}\n"), "42804",
            "column \"i\" is of type integer but the field is an array", NULL);
   refuses ("jsonl", "", S ("{\"i\":\"x\"}\n"), "22P02",
            "invalid input syntax for type integer: \"x\"", "COPY t, line 1, column i: \"x\"");
   refuses ("jsonl", "", S ("[1]\n"), "22P02", "invalid input syntax for type json",
            "A line must be one object, at byte 1. COPY t, line 1: \"[1]\"");
   refuses ("jsonl", "", S ("{\"i\":1\n"), "22P02", "invalid input syntax for type json", NULL);
   refuses ("jsonl", "", S ("{\"i\":01}\n"), "22P02", "invalid input syntax for type json", NULL);
   refuses ("jsonl", "", S ("{\"s\":\"a\\x\"}\n"), "22P02", "invalid input syntax for type json",
            NULL);
   refuses ("jsonl", "", S ("{\"s\":\"\\ud83d\"}\n"), "22P02", "invalid input syntax for type json",
            NULL);
   refuses ("jsonl", "", S ("{\"s\":\"\\u0000\"}\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0x00", NULL);
   refuses ("jsonl", "", S ("{\"s\":\"\xFF\"}\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0xff", "COPY t, line 1");
   refuses ("jsonl", "", S ("{\"i\":1} x\n"), "22P02", "invalid input syntax for type json", NULL);
   refuses ("jsonl", "header", S (""), "42601", "option \"header\" not recognized", NULL);
}

/* ---- writing ---- */

static bool collect (void *ctx, const char *p, size_t n)
{
   mt_buf_add (ctx, p, n);
   return true;
}

static void writes (const char *format, const char *with, const MtVal *rows, size_t count,
                    const char *expected)
{
   static const char *const names[] = {"i", "a,b", "d", "ts", "b", "j"};
   MtTable *t = table ();
   MtType types[6];
   MtBuf out = {0};
   for (int i = 0; i < 6; i++)
      types[i] = t->columns[i].type;
   MtCopyOutArgs args = {.names = names,
                         .types = types,
                         .column_count = 6,
                         .style = &style,
                         .write = collect,
                         .ctx = &out};
   args.options = options (with, &args.option_count);
   MtCopyOut *c;
   assert_true (mt_copy_out_open (format, &args, &c, &err));
   for (size_t i = 0; i < count; i++)
      assert_true (mt_copy_out_row (c, rows + 6 * i, &err));
   assert_true (mt_copy_out_finish (c, &err));
   mt_copy_out_close (c);
   assert_string_equal (out.p, expected);
   mt_buf_free (&out);
}

static void rows_are_written (void **state)
{
   bson_t j = BSON_INITIALIZER;
   BSON_APPEND_INT32 (&j, "x", 1);
   const MtVal rows[] = {
      mt_v_int32 (-7),     mt_v_str ("a \"q\", b\n", 9),
      mt_v_double (0.1),   mt_v_date (1428777120500),
      mt_v_bool (true),    mt_v_doc (&j),
      mt_v_null (),        mt_v_str ("", 0),
      mt_v_double (1e300), mt_v_null (),
      mt_v_bool (false),   mt_v_null (),
   };
   writes ("csv", "header", rows, 2,
           "i,\"a,b\",d,ts,b,j\n"
           "-7,\"a \"\"q\"\", b\n\",0.1,2015-04-11 18:32:00.5+00,t,\"{\"\"x\"\": 1}\"\n"
           ",\"\",1e+300,,f,\n");
   writes ("csv", "null=~ delimiter=; quote=' escape=\\", rows + 6, 1, "~;;1e+300;~;f;~\n");
   writes (
      "jsonl", "", rows, 2,
      "{\"i\":-7,\"a,b\":\"a \\\"q\\\", b\\n\",\"d\":0.1,\"ts\":\"2015-04-11 18:32:00.5+00\",\"b\":true,\"j\":{\"x\": 1}}\n"
      "{\"i\":null,\"a,b\":\"\",\"d\":1e+300,\"ts\":null,\"b\":false,\"j\":null}\n");
   bson_destroy (&j);
}

/* Whatever is read at a time, bytes of one character too. */
static void encodings_are_converted (void **state)
{
   const MtVal row[] = {mt_v_int32 (1),  mt_v_str ("Gr\u00f6\u00dfe \u20ac", 11),
                        mt_v_double (2), mt_v_null (),
                        mt_v_null (),    mt_v_null ()};
   reads ("csv", "encoding=WIN1252",
          "1,Gr\xF6\xDF"
          "e \x80,2,\n",
          "1|Gr\u00f6\u00dfe \u20ac|2|~\n");
   reads ("text", "encoding=latin9",
          "1\tGr\xF6\xDF"
          "e \xA4\t2\t\\N\n",
          "1|Gr\u00f6\u00dfe \u20ac|2|~\n");
   reads ("jsonl", "encoding=KOI8-R", "{\"s\": \"\xED\xCF\xD3\xCB\xD7\xC1\"}\n",
          "-|\u041c\u043e\u0441\u043a\u0432\u0430|-|-\n");
   reads ("csv", "encoding=SJIS", "1,\x95\x5C,2,\n2,\"\x83\x5C\",,\n",
          "1|\u8868|2|~\n2|\u30bd|~|~\n");
   reads ("csv", "encoding=win1255", "1,\xE5\xC9,,\n", "1|\u05d5\u05b9|~|~\n"); /* not composed */
   refuses (
      "csv", "encoding=WIN1252", S ("1,a,2,\n2,\x81,2,\n"), "22P05",
      "character with byte sequence 0x81 in encoding \"WIN1252\" has no equivalent in encoding \"UTF8\"",
      "COPY t, line 2");
   refuses ("csv", "encoding=EUC_JP", S ("1,\xCB"), "22021",
            "invalid byte sequence for encoding \"EUC_JP\": 0xcb", "COPY t, line 1");
   refuses ("csv", "encoding=", S ("1\n"), "22023",
            "argument to option \"encoding\" must be a valid encoding name", NULL);
   writes ("csv", "encoding=WIN1252", row, 1,
           "1,Gr\xF6\xDF"
           "e \x80,2,,,\n");
}

static void one_column_hides_no_end_marker (void **state)
{
   static const char *const names[] = {"s"};
   MtType type = mt_type (MT_T_TEXT);
   MtBuf out = {0};
   MtCopyOutArgs args = {.names = names,
                         .types = &type,
                         .column_count = 1,
                         .style = &style,
                         .write = collect,
                         .ctx = &out};
   MtCopyOut *c;
   MtVal v = mt_v_str ("\\.", 2);
   assert_true (mt_copy_out_open ("csv", &args, &c, &err) && mt_copy_out_row (c, &v, &err) &&
                mt_copy_out_finish (c, &err));
   mt_copy_out_close (c);
   assert_string_equal (out.p, "\"\\.\"\n");
   mt_buf_free (&out);
}

static void text_fields (void **state)
{
   reads ("text", "", "1\ta\t1.5\t\\N\n2\t\\N\t\\N\t\\N\n", "1|a|1.5|~\n2|~|~|~\n");
   reads ("text", "", "1\t\\x41\\102\\x4a\\q\\\\\t1\t\\N\n", "1|ABJq\\|1|~\n");
   reads ("text", "", "1\ta\\\nb\t1\t\\N\n", "1|a\nb|1|~\n");
   reads ("text", "", "1\ta\t1\t\\N\r\n2\tb\t2\t\\N\r\n", "1|a|1|~\n2|b|2|~\n");
   reads ("text", "", "1\ta\t1\t\\N\r2\tb\t2\t\\N", "1|a|1|~\n2|b|2|~\n");
   reads ("text", "", "1\ta\t1\t\\N\n\\.\nrest", "1|a|1|~\n");
   reads ("text", "",
          "\xEF\xBB\xBF"
          "1\t\t1\t\\N\n",
          "1||1|~\n");
   reads ("text", "delimiter=; null=- header=true", "i;s;d;ts\n1;-;1;-\n", "1|~|1|~\n");
   refuses ("text", "", S ("1\ta\t1\t\\N\n2\tb\rc\t1\t\\N\n"), "22P04",
            "literal carriage return found in data", "COPY t, line 2");
   refuses ("text", "", S ("1\ta\t1\t\\N\r\n2\tb\nc\t1\t\\N\r\n"), "22P04",
            "literal newline found in data", "COPY t, line 2");
   refuses ("text", "", S ("1\ta\n"), "22P04", "missing data for column \"d\"",
            "COPY t, line 1: \"1\ta\"");
   refuses ("text", "", S ("1\ta\t1\t\\N\t\n"), "22P04", "extra data after last expected column",
            NULL);
   refuses ("text", "", S ("1\t\\xff\t1\t\\N\n"), "22021",
            "invalid byte sequence for encoding \"UTF8\": 0xff",
            "COPY t, line 1: \"1\t\\xff\t1\t\\N\"");
   refuses ("text", "quote=x", S (""), "0A000", "COPY quote available only in CSV mode", NULL);
   refuses ("text", "delimiter=n", S (""), "22023", "COPY delimiter cannot be \"n\"", NULL);
}

static void binary_errors (void **state)
{
#define HEAD "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"
   refuses ("binary", "", S (""), "22P04", "COPY file signature not recognized", NULL);
   refuses ("binary", "", S ("PGCOPY\n\377\r\n"), "22P04", "COPY file signature not recognized",
            NULL);
   refuses ("binary", "", S ("PGCOPY\n\377\r\n\0\0\1\0\0\0\0\0\0"), "22P04",
            "unrecognized critical flags in COPY file header", NULL);
   refuses ("binary", "", S (HEAD "\0\3"), "22P04", "row field count is 3, expected 4",
            "COPY t, line 1");
   refuses ("binary", "", S (HEAD "\0\4\0\0\0\4\0\0"), "22P04", "unexpected EOF in COPY data",
            NULL);
   refuses ("binary", "", S (HEAD "\0\4\0\0\0\3abc"), "22P03",
            "incorrect binary data format for type integer",
            "COPY t, line 1, column i: \"(binary)\"");
   refuses ("binary", "header=true", S (""), "42601", "option \"header\" not recognized", NULL);
#undef HEAD
}

static void every_format_has_its_row (void **state)
{
   size_t n = 0;
   for (const MtCopyFormat *f = mt_copy_formats (); f->name; f++, n++) {
      assert_non_null (strstr (f->example, f->name));
      for (const MtCopyOptionRow *o = f->options; o->name; o++)
         assert_true (strlen (o->summary) > 5);
   }
   assert_int_equal (n, 6);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
#define TEST(x) cmocka_unit_test_setup_teardown (x, setup, teardown)
      TEST (csv_fields),
      TEST (csv_dates),
      TEST (csv_nulls),
      TEST (csv_options),
      TEST (csv_line_ends),
      TEST (csv_errors),
      TEST (csv_long_records),
      TEST (csv_values_that_no_document_holds),
      TEST (some_columns),
      TEST (jsonl_fields),
      TEST (jsonl_errors),
      TEST (rows_are_written),
      TEST (encodings_are_converted),
      TEST (one_column_hides_no_end_marker),
      TEST (text_fields),
      TEST (binary_errors),
      TEST (every_format_has_its_row),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
