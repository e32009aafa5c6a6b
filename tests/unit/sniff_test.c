/* Recognising CSV files: a table of files, each with the options and columns that are found. */
#include "copy/sniff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A file, and what is found: COPY's options, the columns, and the doubtful decisions. */
typedef struct Case {
   const char *name, *text;
   size_t n;
   const char *found;
} Case;

#define TEXT(s) s, sizeof s - 1

static const Case cases[] = {
   /* clang-format off */
   {"comma",
    TEXT ("a,b\n1,x\n2,y\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"semicolon",
    TEXT ("a;b\n1;x\n2;y\n"),
    "FORMAT csv, HEADER, DELIMITER ';': a bigint, b text"},
   {"tab",
    TEXT ("a\tb\n1\tx\n2\ty\n"),
    "FORMAT csv, HEADER, DELIMITER E'\\t': a bigint, b text"},
   {"pipe",
    TEXT ("a|b\n1|x\n2|y\n"),
    "FORMAT csv, HEADER, DELIMITER '|': a bigint, b text"},
   {"space",
    TEXT ("a b\n1 2\n3 4\n"),
    "FORMAT csv, HEADER, DELIMITER ' ': a bigint, b bigint"},
   {"caret",
    TEXT ("a^b\n1^2\n3^4\n"),
    "FORMAT csv, HEADER, DELIMITER '^': a bigint, b bigint"},
   {"colon of a passwd file",
    TEXT ("root:0:/root\nbin:2:/bin\nsys:3:/dev\n"),
    "FORMAT csv, DELIMITER ':': column1 text, column2 bigint, column3 text"},
   {"one column",
    TEXT ("a\n1\n2\n"),
    "FORMAT csv, HEADER: a bigint"},
   {"one column of sentences",
    TEXT ("text\nHello, you\nHow are you, my friend, today\nFine\n"),
    "FORMAT csv, HEADER: text text"},
   {"semicolon beats decimal comma",
    TEXT ("a;b\n1,5;2,5\n3,25;4,0\n"),
    "FORMAT csv, HEADER, DELIMITER ';', DECIMAL_SEPARATOR ',': a double precision, b "
    "double precision"},
   {"comma in times",
    TEXT ("t,v\n2026-01-01 10:00:00,1\n2026-01-01 10:01:00,2\n"),
    "FORMAT csv, HEADER: t timestamp without time zone, v bigint"},
   {"tab beats commas in texts",
    TEXT ("k\ttext\n1\ta, b\n2\tc, d\n"),
    "FORMAT csv, HEADER, DELIMITER E'\\t': k bigint, text text"},
   {"two delimiters, one in the header only",
    TEXT ("a,b|c\n1,2\n3,4\n"),
    "FORMAT csv, HEADER: a bigint, b|c bigint"},
   {"quotes",
    TEXT ("a,b\n1,\"x, y\"\n2,\"z\"\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"doubled quotes",
    TEXT ("a,b\n1,\"say \"\"hi\"\"\"\n2,y\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"backslash escapes",
    TEXT ("a,b\n1,\"say \\\"hi, you\\\"\"\n2,\"y\"\n"),
    "FORMAT csv, HEADER, ESCAPE E'\\\\': a bigint, b text"},
   {"single quotes",
    TEXT ("a,b\n1,'x, y'\n2,'it''s'\n"),
    "FORMAT csv, HEADER, QUOTE '''': a bigint, b text"},
   {"line ends in quotes",
    TEXT ("a,b\n1,\"x\ny\"\n2,\"z\nw\"\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"inches are no quotes",
    TEXT ("id,size\n1,5\"\n2,7\"\n3,9\"\n"),
    "FORMAT csv, HEADER, QUOTE E'\\b': id bigint, size text"},
   {"apostrophes are no quotes",
    TEXT ("id,name\n1,O'Neill\n2,D'Arcy\n"),
    "FORMAT csv, HEADER: id bigint, name text"},
   {"quoted numbers",
    TEXT ("a,b\n\"1\",\"2.5\"\n\"2\",\"3.5\"\n"),
    "FORMAT csv, HEADER: a bigint, b double precision"},
   {"empty quoted numbers",
    TEXT ("a,b\n\"1\",\"\"\n\"2\",\"3\"\n"),
    "FORMAT csv, HEADER, FORCE_NULL (\"b\"): a bigint, b bigint"},
   {"a quote in the name of a column with empty quoted numbers",
    TEXT ("\"a\"\"b\",c\n\"1\",\"2\"\n\"\",\"3\"\n"),
    "FORMAT csv, HEADER, FORCE_NULL (\"a\"\"b\"): a\"b bigint, c bigint"},
   {"crlf",
    TEXT ("a,b\r\n1,x\r\n2,y\r\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"cr",
    TEXT ("a,b\r1,x\r2,y\r"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"no line end at the end",
    TEXT ("a,b\n1,x\n2,y"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"blank lines",
    TEXT ("a,b\n1,x\n\n2,y\n\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"byte order mark",
    TEXT ("\357\273\277a,b\n1,x\n2,y\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"a delimiter ends each record",
    TEXT ("a,b\n1,x,\n2,y,\n"),
    "FORMAT csv, HEADER: a bigint, b text, column3 text"},
   {"preamble",
    TEXT ("# exported by tool 3\n# 2026-01-01\na,b\n1,x\n2,y\n"),
    "FORMAT csv, HEADER, SKIP 2: a bigint, b text"},
   {"title line",
    TEXT ("Energy report\n\nday;kWh\n2026-01-01;5\n2026-01-02;6\n"),
    "FORMAT csv, HEADER, DELIMITER ';', SKIP 2: day date, kWh bigint"},
   {"no header, numbers",
    TEXT ("1,2\n3,4\n5,6\n"),
    "FORMAT csv: column1 bigint, column2 bigint"},
   {"no header, texts",
    TEXT ("x,y\nz,y\nx,z\n"),
    "FORMAT csv: column1 text, column2 text"},
   {"header of texts",
    TEXT ("name,city\nBob,Paris\nEve,Rome\n"),
    "FORMAT csv, HEADER: name text, city text"},
   {"only a header",
    TEXT ("name,city\n"),
    "FORMAT csv, HEADER: name text, city text"},
   {"only numbers",
    TEXT ("1,2\n"),
    "FORMAT csv: column1 bigint, column2 bigint"},
   {"years in the header",
    TEXT ("country,2019,2020\nFR,1,2\nDE,3,4\n"),
    "FORMAT csv: column1 text, column2 bigint, column3 bigint"},
   {"the same names",
    TEXT ("a,a,a_1\n1,2,3\n4,5,6\n"),
    "FORMAT csv, HEADER: a bigint, a_1 bigint, a_1_1 bigint"},
   {"empty names",
    TEXT ("a,,\n1,2,3\n4,5,6\n"),
    "FORMAT csv, HEADER: a bigint, column2 bigint, column3 bigint"},
   {"names with blanks, dots and dollars",
    TEXT (" first name ,a.b,$x\n1,2,3\n4,5,6\n"),
    "FORMAT csv, HEADER: first name bigint, a_b bigint, _x bigint"},
   {"name of a document's identity",
    TEXT ("_id,v\n1,2\n2,3\n"),
    "FORMAT csv, HEADER: _id bigint, v bigint"},
   {"numbers",
    TEXT ("i,f,e\n1,1.5,1e3\n-2,.5,2E-3\n"),
    "FORMAT csv, HEADER: i bigint, f double precision, e double precision"},
   {"bigint and beyond",
    TEXT ("a,b\n9223372036854775807,9223372036854775808\n1,2\n"),
    "FORMAT csv, HEADER: a bigint, b numeric"},
   {"many digits",
    TEXT ("x\n0.12345678901234567890\n1.5\n"),
    "FORMAT csv, HEADER: x numeric"},
   {"leading zeros are texts",
    TEXT ("zip,n\n01234,1\n00567,2\n"),
    "FORMAT csv, HEADER: zip text, n bigint"},
   {"NaN is a number",
    TEXT ("v\n1.5\nNaN\n"),
    "FORMAT csv, HEADER: v double precision"},
   {"booleans",
    TEXT ("b,c\ntrue,t\nfalse,f\n"),
    "FORMAT csv, HEADER: b boolean, c boolean"},
   {"uuid",
    TEXT ("id\n123e4567-e89b-12d3-a456-426614174000\n223e4567-e89b-12d3-a456-426614174000\n"),
    "FORMAT csv, HEADER: id uuid"},
   {"mixed is text",
    TEXT ("v\n1\nx\n2\n"),
    "FORMAT csv, HEADER: v text"},
   {"versions and addresses are texts",
    TEXT ("v,ip\n1.2.3,10.0.0.1\n1.10.0,10.0.0.2\n"),
    "FORMAT csv, HEADER: v text, ip text"},
   {"decimal commas",
    TEXT ("k;v\na;1,5\nb;2\n"),
    "FORMAT csv, HEADER, DELIMITER ';', DECIMAL_SEPARATOR ',': k text, v double "
    "precision"},
   {"decimal commas and points",
    TEXT ("x;y\n1,5;2.5\n2,5;3.5\n"),
    "FORMAT csv, HEADER, DELIMITER ';': x text, y double precision"},
   {"NA",
    TEXT ("v,w\n1,a\nNA,b\n3,c\n"),
    "FORMAT csv, HEADER, NULL ('', 'NA'): v bigint, w text"},
   {"several texts of NULL",
    TEXT ("v,w,x\n1,NULL,-\nN/A,2,3\n,3,4\n"),
    "FORMAT csv, HEADER, NULL ('', 'NULL', 'N/A', '-'): v bigint, w bigint, x bigint"},
   {"Namibia",
    TEXT ("country,v\nNA,1\nDE,NA\n"),
    "FORMAT csv, HEADER, NULL ('', 'NA'), FORCE_NOT_NULL (\"country\"): country "
    "text, v bigint [Column \"country\" has texts such as NA as values: nullstr => "
    "ARRAY['', 'NA'] makes them NULL.]"},
   {"NULL in texts",
    TEXT ("name,v\nNULL,1\nBob,2\n"),
    "FORMAT csv, HEADER: name text, v bigint"},
   {"only NULL",
    TEXT ("a,b\n1,\n2,\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"backslash N",
    TEXT ("a,b\n1,\\N\n\\N,2\n"),
    "FORMAT csv, HEADER, NULL ('', '\\N'): a bigint, b bigint"},
   {"dates",
    TEXT ("d,v\n2026-01-31,1\n2026-02-01,2\n"),
    "FORMAT csv, HEADER: d date, v bigint"},
   {"iso with T and Z",
    TEXT ("t\n2026-01-31T10:00:00Z\n2026-01-31T10:00:00.250Z\n"),
    "FORMAT csv, HEADER: t timestamp with time zone"},
   {"iso with offsets",
    TEXT ("t\n2026-01-31 10:00:00+01:00\n2026-01-31 10:00:00-0530\n"),
    "FORMAT csv, HEADER: t timestamp with time zone"},
   {"some have a zone",
    TEXT ("t\n2026-01-31 10:00:00Z\n2026-01-31 10:00:00\n"),
    "FORMAT csv, HEADER: t text"},
   {"no day 31 in June",
    TEXT ("d\n2026-06-30\n2026-06-31\n"),
    "FORMAT csv, HEADER: d text"},
   {"times of day",
    TEXT ("t,v\n10:00,1\n23:59:59.5,2\n"),
    "FORMAT csv, HEADER: t time without time zone, v bigint"},
   {"German dates",
    TEXT ("d;v\n01.02.2026;1\n02.02.2026 10:30;2\n"),
    "FORMAT csv, HEADER, DELIMITER ';', DATESTYLE 'dmy': d timestamp without time "
    "zone, v bigint"},
   {"British dates",
    TEXT ("d,v\n31/01/2026,1\n01/02/2026,2\n"),
    "FORMAT csv, HEADER, DATESTYLE 'dmy': d date, v bigint"},
   {"American dates",
    TEXT ("d,v\n01/31/2026 11:59 PM,1\n02/01/2026 12:01 AM,2\n"),
    "FORMAT csv, HEADER: d timestamp without time zone, v bigint"},
   {"dates of unclear order",
    TEXT ("d,v\n01/02/2026,1\n03/04/2026,2\n"),
    "FORMAT csv, HEADER: d text, v bigint [Column \"d\" is text, because its dates "
    "can be read in two ways: datestyle => 'dmy' or 'mdy' says which.]"},
   {"another column has the order",
    TEXT ("d,e\n01/02/2026,31/12/2025\n03/04/2026,01/01/2026\n"),
    "FORMAT csv, HEADER, DATESTYLE 'dmy': d date, e date"},
   {"names of months",
    TEXT ("d,v\n31 Jan 2026,1\n1 Feb 2026,2\n"),
    "FORMAT csv, HEADER: d date, v bigint"},
   {"names of months, with a zone",
    TEXT ("d\nJan 31 2026 10:00:00 +0100\nFeb 1 2026 10:00:00 +0100\n"),
    "FORMAT csv, HEADER: d timestamp with time zone"},
   {"slashes and years first",
    TEXT ("d\n2026/01/31\n2026/02/01\n"),
    "FORMAT csv, HEADER: d date"},
   {"epoch in s",
    TEXT ("time,v\n1767225600,1\n1767225660,2\n"),
    "FORMAT csv, HEADER, EPOCH 's': time timestamp with time zone, v bigint"},
   {"epoch in ms",
    TEXT ("ts,v\n1767225600000,1\n1767225660000,2\n"),
    "FORMAT csv, HEADER, EPOCH 'ms': ts timestamp with time zone, v bigint"},
   {"epoch in us",
    TEXT ("created_at,v\n1767225600000000,1\n1767225660000000,2\n"),
    "FORMAT csv, HEADER, EPOCH 'us': created_at timestamp with time zone, v bigint"},
   {"epoch in ns",
    TEXT ("timestamp,v\n1767225600000000000,1\n1767225660000000000,2\n"),
    "FORMAT csv, HEADER, EPOCH 'ns': timestamp timestamp with time zone, v bigint"},
   {"epoch with fractions",
    TEXT ("time,v\n1767225600.25,1\n1767225660.5,2\n"),
    "FORMAT csv, HEADER, EPOCH 's': time timestamp with time zone, v bigint"},
   {"epoch by its growth",
    TEXT ("1767225600,5\n1767225660,6\n1767225720,1\n1767225780,9\n"),
    "FORMAT csv, EPOCH 's': column1 timestamp with time zone, column2 bigint"},
   {"large ids are no times",
    TEXT ("user_id,v\n1767225600,1\n1767225601,2\n1767225602,2\n1767225603,2\n"),
    "FORMAT csv, HEADER: user_id bigint, v bigint"},
   {"two units",
    TEXT ("ts,updated\n1767225600,1767225600000\n1767225660,1767225660000\n"),
    "FORMAT csv, HEADER, EPOCH 's': ts timestamp with time zone, updated bigint "
    "[Column \"updated\" stays a number, because another column has times in another "
    "unit.]"},
   {"utf-8",
    TEXT ("name,v\nM\xC3\xBCller,1\nJos\xC3\xA9,2\n"),
    "FORMAT csv, HEADER: name text, v bigint"},
   {"latin1",
    TEXT ("name,v\nM\xFCller,1\nJos\xE9,2\n"),
    "FORMAT csv, HEADER, ENCODING 'LATIN1': name text, v bigint [The file is not "
    "UTF-8, and LATIN1 is a guess: encoding => '…' says which encoding it is.]"},
   {"windows-1252",
    TEXT ("name,v\n\x80 5,1\nM\xFCller,2\n"),
    "FORMAT csv, HEADER, ENCODING 'WIN1252': name text, v bigint [The file is not "
    "UTF-8, and WIN1252 is a guess: encoding => '…' says which encoding it is.]"},
   {"utf-16 with a mark",
    TEXT ("\377\376a\000,\000b\000\n\0001\000,\000x\000\n\0002\000,\000y\000\n\000"),
    "FORMAT csv, HEADER, ENCODING 'UTF16LE': a bigint, b text"},
   {"utf-16 without a mark",
    TEXT ("a\000,\000b\000\n\0001\000,\000x\000\n\0002\000,\000y\000\n\000"),
    "FORMAT csv, HEADER, ENCODING 'UTF16LE': a bigint, b text"},
   {"two encodings",
    TEXT ("name,v\nM\xC3\xBCller,1\nJos\xC3\xA9,2\nM\xFCller,3\n"),
    "22021 the file mixes UTF-8 with another encoding"},
   {"empty",
    TEXT (""),
    "22P04 the file is empty"},
   {"only line ends",
    TEXT ("\n\n\n"),
    "22P04 no record was found"},
   {"cut off within a record",
    TEXT ("a,b,c\n1,2,3\n4,5,6\n7,"),
    "FORMAT csv, HEADER: a bigint, b bigint, c bigint"},
   {"cut off within quotes",
    TEXT ("a,b\n1,\"x\"\n2,\"y\n3,z\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   {"a record with more fields",
    TEXT ("a,b\n1,2\n3,4,5\n6,7\n8,9\n"),
    "FORMAT csv, HEADER: a bigint, b bigint"},
   {"a record with fewer fields",
    TEXT ("a,b\n1,2\n3\n6,7\n8,9\n"),
    "FORMAT csv, HEADER: a bigint, b bigint"},
   {"NUL bytes",
    TEXT ("a,b\n1,x\000y\n2,z\n"),
    "FORMAT csv, HEADER: a bigint, b text"},
   /* clang-format on */
};

static const char *role_word (const MtSniffColumn *c)
{
   switch (c->role) {
   case MT_COL_TIME: return " TIME";
   case MT_COL_DIMENSION: return " DIMENSION";
   case MT_COL_MEASURE: return c->counter ? " MEASURE COUNTER" : " MEASURE";
   case MT_COL_PLAIN: return "";
   }
   return "";
}

/* Returns the result as text, without the roles that most columns of small files have. */
static const char *found_in (MtArena *a, const MtSniffPiece *pieces, size_t count,
                             const MtSniffGiven *given, bool roles)
{
   MtSniffed s;
   MtError err = {0};
   if (!mt_sniff (a, given, pieces, count, &s, &err))
      return mt_printf (a, "%s %s", err.sqlstate, err.message);
   const char *text = mt_printf (a, "%s:", mt_sniff_options (a, &s));
   for (size_t i = 0; i < s.column_count; i++)
      text = mt_printf (a, "%s%s%s %s%s", text, i ? ", " : " ", s.columns[i].name,
                        mt_type_display (a, s.columns[i].type),
                        roles ? role_word (&s.columns[i]) : "");
   for (size_t i = 0; i < s.doubt_count; i++)
      text = mt_printf (a, "%s [%s]", text, s.doubts[i]);
   return text;
}

static void small_files (void **state)
{
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      const Case *c = &cases[i];
      MtArena *a = mt_arena_new ("test", NULL);
      MtSniffPiece piece = {{c->text, c->n}, 0, true};
      const char *found = found_in (a, &piece, 1, &(MtSniffGiven) {0}, false);
      if (strcmp (found, c->found) != 0)
         print_error ("%s:\n   found  %s\n   wanted %s\n", c->name, found, c->found);
      assert_string_equal (found, c->found);
      mt_arena_free (a);
   }
}

/* ---- options of the caller ---- */

static void given_options (void **state)
{
   static const char *const names[] = {"x", "y"}, *const nulls[] = {"", "NA"};
   static const MtSniffType types[] = {{"Zip", {MT_T_INT8, -1, -1}}, {"v", {MT_T_TEXT, -1, -1}}};
   static const char *const country[] = {"", "NA", "-"};
   const struct {
      const char *text;
      MtSniffGiven given;
      const char *found;
   } rows[] = {
      {"a,b\n1,2\n", {.header = MT_KNOWN_NO}, "FORMAT csv: column1 text, column2 text"},
      {"1,2\n3,4\n", {.header = MT_KNOWN_YES}, "FORMAT csv, HEADER: 1 bigint, 2 bigint"},
      {"1,2\n3,4\n", {.names = names, .name_count = 2}, "FORMAT csv: x bigint, y bigint"},
      {"a;b,c\n1;2,3\n", {.delimiter = ','}, "FORMAT csv, HEADER: a;b text, c bigint"},
      {"a,b\n'1','2'\n", {.no_quote = true}, "FORMAT csv, HEADER, QUOTE E'\\b': a text, b text"},
      {"d\n01/02/2026\n",
       {.has_order = true, .order = MT_ORDER_DMY},
       "FORMAT csv, HEADER, DATESTYLE 'dmy': d date"},
      {"zip,v\n01,1\n02,2\n",
       {.types = types, .type_count = 2},
       "FORMAT csv, HEADER: zip bigint, v text"},
      {"a,t\n1,2026-01-01\n", {.all_text = true}, "FORMAT csv, HEADER: a text, t text"},
      {"country,v\nNA,1\nDE,-\n",
       {.nulls = country, .null_count = 3},
       "FORMAT csv, HEADER, NULL ('', 'NA', '-'): country text, v bigint"},
      {"v\n1\nNULL\n",
       {.nulls = nulls, .null_count = 2},
       "FORMAT csv, HEADER, NULL ('', 'NA'): v text"},
      {"x\ny\na,b\n1,2\n",
       {.has_skip = true, .skip = 3},
       "FORMAT csv, SKIP 3: column1 bigint, "
       "column2 bigint"},
      {"name,v\n\xE9t\xE9,1\n",
       {.encoding = "LATIN2"},
       "FORMAT csv, HEADER, ENCODING 'LATIN2': name text, v bigint"},
      {"k,v\n1,1767225600\n",
       {.epoch = 1,
        .types = &(const MtSniffType) {"v", {MT_T_TIMESTAMPTZ, -1, -1}},
        .type_count = 1},
       "FORMAT csv, HEADER, EPOCH 's': k bigint, v timestamp with time zone"},
   };
   for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      MtArena *a = mt_arena_new ("test", NULL);
      MtSniffPiece piece = {mt_str (rows[i].text), 0, true};
      assert_string_equal (found_in (a, &piece, 1, &rows[i].given, false), rows[i].found);
      mt_arena_free (a);
   }
}

/* ---- pieces ---- */

/* A value in the middle of the file decides the type. A piece that begins within quotes is not
 * believed. */
static void pieces_of_a_file (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSniffPiece pieces[] = {{MT_STR ("a,b\n1,x\n2,y\n3,\"z"), 0, false},
                            {MT_STR ("7,x\n8.5,x\n9,"), 1000, false},
                            {MT_STR ("z\nq,\"\nr,s,t\nu,v\n"), 2000, false},
                            {MT_STR ("0\n11,w\n12,"), 3000, true}};
   assert_string_equal (found_in (a, pieces, 4, &(MtSniffGiven) {0}, false),
                        "FORMAT csv, HEADER: a double precision, b text");
   mt_arena_free (a);
}

/* A piece can begin within a character: of two bytes, or of two units of UTF-16. Invalid bytes
 * after its first line are an error. */
static void pieces_within_characters (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtSniffPiece sjis[] = {{MT_STR ("a,b\n1,\x88\x9F\n2,\x88\x9F\n"), 0, false},
                          {MT_STR ("\x9F,1\n8.5,\x88\x9F\n"), 1000, true}};
   MtSniffPiece utf16[] = {{MT_STR ("a\0,\0b\0\n\0001\0,\0\x3D\xD8\x00\xDE\n\0"), 0, false},
                           {MT_STR ("\x00\xDE\n\0008\0.\0005\0,\0x\0\n\0"), 1000, true}};
   MtSniffGiven given = {.encoding = "SJIS"};
   assert_string_equal (found_in (a, sjis, 2, &given, false),
                        "FORMAT csv, HEADER, ENCODING 'SJIS': a double precision, b text");
   assert_string_equal (found_in (a, utf16, 2, &(MtSniffGiven) {0}, false),
                        "FORMAT csv, HEADER, ENCODING 'UTF16LE': a double precision, b text");
   sjis[1].bytes = MT_STR ("\x9F,1\n8.5,\x9F,\n");
   assert_string_equal (found_in (a, sjis, 2, &given, false),
                        "22021 the file is not encoded in SJIS");
   mt_arena_free (a);
}

/* A delimiter within quotes, in the whole file or beyond the first piece. */
static void long_files (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtBuf b = {0};
   mt_buf_adds (&b, "id,text\n");
   for (int i = 0; i < 30000; i++)
      mt_buf_printf (&b, "%d,\"a;b,c|d\"\n", i);
   MtSniffPiece piece = {{b.p, b.n}, 0, true};
   assert_string_equal (found_in (a, &piece, 1, &(MtSniffGiven) {0}, false),
                        "FORMAT csv, HEADER: id bigint, text text");
   mt_buf_clear (&b);
   for (int i = 0; i < MT_MAX_COLUMNS + 1; i++)
      mt_buf_adds (&b, "1,");
   piece.bytes = (MtStr) {b.p, b.n};
   assert_string_equal (found_in (a, &piece, 1, &(MtSniffGiven) {0}, false),
                        "54011 the file has 1602 columns, and tables can have at most 1600");
   mt_buf_clear (&b);
   for (int i = 0; i < 300000; i++)
      mt_buf_addc (&b, 'x');
   piece = (MtSniffPiece) {{b.p, b.n}, 0, false};
   assert_string_equal (found_in (a, &piece, 1, &(MtSniffGiven) {0}, false),
                        "22P04 the first record is too long");
   mt_buf_free (&b);
   mt_arena_free (a);
}

/* ---- roles ---- */

static void roles (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   MtBuf b = {0};
   mt_buf_adds (&b, "time,room,port,watts,requests_total,note,day\n");
   for (int i = 0; i < 500; i++)
      mt_buf_printf (&b, "2026-01-01 00:%02d:%02d,%s,%d,%d,%d,text %d,2026-01-01\n", i / 60, i % 60,
                     i % 2 ? "kitchen" : "bath", i % 3, i * 7 % 100, 1000 + i, i);
   MtSniffPiece piece = {{b.p, b.n}, 0, true};
   assert_string_equal (
      found_in (a, &piece, 1, &(MtSniffGiven) {0}, true),
      "FORMAT csv, HEADER: time timestamp without time zone TIME, room text DIMENSION, port bigint "
      "DIMENSION, watts bigint MEASURE, requests_total bigint MEASURE COUNTER, note text, day date");
   mt_buf_free (&b);
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (small_files),      cmocka_unit_test (given_options),
      cmocka_unit_test (pieces_of_a_file), cmocka_unit_test (pieces_within_characters),
      cmocka_unit_test (long_files),       cmocka_unit_test (roles),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
