/* The shell's output formats against psql's own output: tests/shell/cases.txt on every table of
 * tests/shell/tables. MT_SHOW_DIFFERENCE=1 prints what differs in full. */
#include "shell/format/format.h"
#include "shell/format/width.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

#define FOLDER "tests/shell/"

typedef struct Table {
   MtArena *a;
   size_t columns, rows;
   MtFmtColumn *heads;
   MtStr *cells;
} Table;

static char *slurp (MtArena *a, const char *path, size_t *n)
{
   FILE *f = fopen (path, "rb");
   char part[4096];
   MtBuf b = {0};
   if (!f)
      fail_msg ("%s is missing (run from the project's folder)", path);
   while ((*n = fread (part, 1, sizeof part, f)) > 0)
      mt_buf_add (&b, part, *n);
   fclose (f);
   *n = b.n;
   char *text = mt_strndup (a, b.n ? b.p : "", b.n);
   mt_buf_free (&b);
   return text;
}

/* One field of COPY's text format; steps past its tab or line feed. */
static MtStr field (MtArena *a, const char **p, bool *line_ends)
{
   MtBuf b = {0};
   const char *s = *p;
   bool null = s[0] == '\\' && s[1] == 'N';
   for (; *s != '\t' && *s != '\n'; s++) {
      static const char letters[] = "bfnrtv", values[] = "\b\f\n\r\t\v";
      if (*s == '\\') {
         const char *at = strchr (letters, *++s);
         mt_buf_addc (&b, at ? values[at - letters] : *s);
      } else {
         mt_buf_addc (&b, *s);
      }
   }
   *line_ends = *s == '\n';
   *p = s + 1;
   MtStr out = null ? (MtStr) {0} : (MtStr) {mt_strndup (a, b.n ? b.p : "", b.n), b.n};
   mt_buf_free (&b);
   return out;
}

static Table load (const char *name)
{
   Table t = {.a = mt_arena_new ("table", NULL)};
   size_t n;
   const char *text = slurp (t.a, mt_printf (t.a, FOLDER "tables/%s.copy", name), &n), *p = text;
   bool ends = false;
   MtStr heads[16];
   while (!ends)
      heads[t.columns++] = field (t.a, &p, &ends);
   t.heads = MT_NEW_N (t.a, MtFmtColumn, t.columns);
   for (size_t i = 0; i < t.columns; i++) {
      MtTypeId id;
      MtStr type = field (t.a, &p, &ends);
      assert_true (mt_type_by_name (type, &id));
      t.heads[i] = mt_fmt_column (heads[i].p, mt_type (id));
   }
   assert_true (ends);
   t.cells = MT_NEW_N (t.a, MtStr, n);
   while (*p) {
      for (size_t i = 0; i < t.columns; i++)
         t.cells[t.rows * t.columns + i] = field (t.a, &p, &ends);
      assert_true (ends);
      t.rows++;
   }
   return t;
}

static bool collect (void *ctx, const char *p, size_t n)
{
   mt_buf_add (ctx, p, n);
   return true;
}

static void set_option (MtFmtOptions *o, const char *name, const char *value)
{
   static const char *const styles[] = {"ascii", "old-ascii", "unicode"};
   if (strcmp (name, "border") == 0)
      o->border = atoi (value);
   else if (strcmp (name, "columns") == 0)
      o->columns = atoi (value);
   else if (strcmp (name, "fetch") == 0)
      o->chunk_rows = (uint64_t) atoi (value);
   else if (strcmp (name, "format") == 0)
      assert_non_null (o->format = mt_format_find (value, NULL));
   else if (strcmp (name, "linestyle") == 0)
      o->line_style = strcmp (value, styles[1]) == 0   ? MT_LINE_OLD_ASCII
                      : strcmp (value, styles[2]) == 0 ? MT_LINE_UNICODE
                                                       : MT_LINE_ASCII;
   else if (strcmp (name, "expanded") == 0)
      o->expanded = strcmp (value, "auto") == 0 ? MT_EXPANDED_AUTO : MT_EXPANDED_ON;
   else if (strcmp (name, "tuples_only") == 0)
      o->tuples_only = true;
   else if (strcmp (name, "footer") == 0)
      o->footer = false;
   else if (strcmp (name, "null") == 0)
      o->null = mt_str (value);
   else if (strcmp (name, "fieldsep") == 0)
      o->field_sep = mt_str (value);
   else if (strcmp (name, "recordsep") == 0)
      o->record_sep = mt_str (value);
   else if (strcmp (name, "title") == 0)
      o->title = value;
   else if (strcmp (name, "tableattr") == 0)
      o->table_attr = value;
   else if (strncmp (name, "unicode_", 8) == 0)
      *(name[8] == 'b'   ? &o->double_border
        : name[8] == 'c' ? &o->double_column
                         : &o->double_header) = true;
   else
      fail_msg ("cases.txt: unknown option %s", name);
}

static void print (const Table *t, const MtFmtOptions *o, MtBuf *out)
{
   MtFmt f;
   mt_fmt_begin (&f, o, t->heads, t->columns, collect, out);
   for (size_t i = 0; i < t->rows; i++)
      assert_true (mt_fmt_row (&f, t->cells + i * t->columns));
   assert_true (mt_fmt_finish (&f, NULL));
}

static void print_case (const Table *t, const char *options, MtBuf *out)
{
   MtFmtOptions o = mt_fmt_defaults ();
   char *copy = mt_strdup (t->a, options), *save = NULL;
   for (char *w = strtok_r (copy, " ", &save); w; w = strtok_r (NULL, " ", &save)) {
      char *eq = strchr (w, '=');
      assert_non_null (eq);
      *eq = 0;
      set_option (&o, w, eq + 1);
   }
   print (t, &o, out);
}

/* One golden file: its sections name the cases. */
static void check_table (const char *name)
{
   Table t = load (name);
   size_t n, cases = 0, failures = 0;
   const char *golden = slurp (t.a, mt_printf (t.a, FOLDER "golden/%s.out", name), &n), *p = golden;
   while (*p) {
      assert_memory_equal (p, "## ", 3);
      const char *eol = strchr (p, '\n'), *next = strstr (eol, "\n## ");
      char *options = mt_strndup (t.a, p + 3, (size_t) (eol - p - 3));
      const char *end = next ? next + 1 : golden + n;
      MtBuf out = {0};
      print_case (&t, options, &out);
      cases++;
      if (out.n != (size_t) (end - eol - 1) || memcmp (out.p ? out.p : "", eol + 1, out.n) != 0) {
         failures++;
         print_message ("%s: %s\n", name, options);
         if (getenv ("MT_SHOW_DIFFERENCE"))
            print_message ("--- psql:\n%.*s--- here:\n%s", (int) (end - eol - 1), eol + 1,
                           out.p ? out.p : "");
      }
      mt_buf_free (&out);
      p = end;
   }
   assert_true (cases > 40);
   mt_arena_free (t.a);
   assert_int_equal (failures, 0);
}

#define TABLE(name) \
   static void test_##name (void **state) { check_table (#name); }
TABLE (plain)
TABLE (empty)
TABLE (one)
TABLE (nasty)
TABLE (headers)
TABLE (wide)
TABLE (types)
TABLE (many)

static char *printed (const char *table, const char *format, MtArena *a)
{
   Table t = load (table);
   MtBuf out = {0};
   print_case (&t, mt_printf (a, "format=%s", format), &out);
   char *s = mt_strndup (a, out.n ? out.p : "", out.n);
   mt_buf_free (&out);
   mt_arena_free (t.a);
   return s;
}

/* The formats that psql doesn't have, and csv, where NULL and '' differ. */
static void test_own (void **state)
{
   MtArena *a = mt_arena_new ("test", NULL);
   assert_string_equal (printed ("plain", "csv", a),
                        "id,a name,a much longer heading,b\n1,one,1.5,t\n22,,,f\n-333,\"\",NaN,\n");
   assert_string_equal (
      printed ("plain", "tsv", a),
      "id\ta name\ta much longer heading\tb\n1\tone\t1.5\tt\n22\t\\N\t\\N\tf\n-333\t\tNaN\t\\N\n");
   assert_string_equal (
      printed ("plain", "jsonl", a),
      "{\"id\":1,\"a name\":\"one\",\"a much longer heading\":1.5,\"b\":true}\n"
      "{\"id\":22,\"a name\":null,\"a much longer heading\":null,\"b\":false}\n"
      "{\"id\":-333,\"a name\":\"\",\"a much longer heading\":\"NaN\",\"b\":null}\n");
   assert_string_equal (printed ("empty", "json", a), "[]\n");
   assert_string_equal (printed ("one", "json", a), "[{\"answer\":42}]\n");
   assert_string_equal (
      printed ("types", "jsonl", a),
      "{\"i8\":9223372036854775807,\"num\":1.10,\"f8\":1e+300,\"f4\":0.1,\"d\":\"2015-04-01\",\"ts\":\"2015-04-01T12:00:00.5\","
      "\"iv\":\"1 day 02:03:04\",\"j\":{\"a\": [1, null]},\"b\":true}\n");
   assert_string_equal (
      printed ("plain", "markdown", a),
      "| id | a name | a much longer heading | b |\n|---:|---|---:|---|\n| 1 | one | 1.5 | t |\n| 22 |  |  | f |\n| -333 |  | NaN |  |\n");
   assert_string_equal (
      printed ("headers", "csv", a),
      "\"two\nlines\",\"three\nlines\nhere\",東京,plain\n1,a value that is rather long,12345.678,\"x\ny\"\n");
   mt_arena_free (a);
}

static void test_json_doubtful (void **state)
{
   MtFmtColumn columns[] = {{MT_STR ("a"), true, MT_CELL_NUMBER, false},
                            {MT_STR ("a"), false, MT_CELL_TEXT, false}};
   MtStr cells[][2] = {{MT_STR ("007"), MT_STR ("\xFF\"\x01")},
                       {MT_STR ("-0.5e-3"), MT_STR ("\xE6\x9D")},
                       {MT_STR ("1."), MT_STR ("\\")}};
   MtFmtOptions o = mt_fmt_defaults ();
   MtFmt f;
   MtBuf out = {0};
   o.format = mt_format_find ("jsonl", NULL);
   mt_fmt_begin (&f, &o, columns, 2, collect, &out);
   for (size_t i = 0; i < 3; i++)
      mt_fmt_row (&f, cells[i]);
   mt_fmt_finish (&f, NULL);
   assert_string_equal (
      out.p,
      "{\"a\":\"007\",\"a_2\":\"\xEF\xBF\xBD\\\"\\u0001\"}\n{\"a\":-0.5e-3,\"a_2\":\"\xEF\xBF\xBD\xEF\xBF\xBD\"}\n{\"a\":\"1.\",\"a_2\":\"\\\\\"}\n");
   mt_buf_free (&out);
}

/* The two widths in which psql and terminals disagree: here the terminal's is right. */
static void test_width (void **state)
{
   static const struct {
      const char *text;
      int width;
   } cases[] = {{"abc", 3},
                {"東京", 4},
                {"한국", 4},
                {"e\xCC\x81", 1},
                {"👨‍👩‍👧", 2},
                {"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", 2},
                {"नमस्ते", 4},
                {"ไทย", 3},
                {"🇯🇵", 2},
                {"\x1B[0m", 7},
                {"a\tb", 9},
                {"\r", 2},
                {"", 0},
                {"\xFF", 1},
                {"a\u202Eb", 8},
                {"\u2066x\u2069", 13},
                {"\u200B", 6},
                {"\uFEFF", 6},
                {"\U000E0041", 7},
                {"\u2028", 6},
                {"a\u200Cb", 2},
                {"\u00AD", 1}};
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      int width, lines;
      mt_text_size (mt_str (cases[i].text), &width, &lines);
      if (width != cases[i].width)
         fail_msg ("%s: %d columns, not %d", cases[i].text, width, cases[i].width);
      assert_int_equal (lines, 1);
   }
}

static bool gone (void *ctx, const char *p, size_t n)
{
   ++*(int *) ctx;
   return false;
}

/* A reader that has gone is asked once, and ends the rows. */
static void test_reader_gone (void **state)
{
   MtFmtColumn column = {MT_STR ("a"), false, MT_CELL_TEXT, false};
   MtFmtOptions o = mt_fmt_defaults ();
   MtFmt f;
   int asked = 0, rows = 0;
   o.format = mt_format_find ("csv", NULL);
   mt_fmt_begin (&f, &o, &column, 1, gone, &asked);
   while (rows < 1000000 && mt_fmt_row (&f, (MtStr[]) {MT_STR ("some text")}))
      rows++;
   assert_true (rows < 100000);
   assert_false (mt_fmt_finish (&f, NULL));
   assert_int_equal (asked, 1);
}

int main (void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_plain),   cmocka_unit_test (test_empty),
      cmocka_unit_test (test_one),     cmocka_unit_test (test_nasty),
      cmocka_unit_test (test_headers), cmocka_unit_test (test_wide),
      cmocka_unit_test (test_types),   cmocka_unit_test (test_many),
      cmocka_unit_test (test_own),     cmocka_unit_test (test_json_doubtful),
      cmocka_unit_test (test_width),   cmocka_unit_test (test_reader_gone)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
