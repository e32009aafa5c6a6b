/* COPY FORMAT arcanum: what is kept of a record, and files that are damaged or mean harm. Each text
 * is read in pieces of several sizes. */
#include "copy/copy.h"
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

/* t (i integer, s text, ts timestamptz) */
static MtTable *table (void)
{
   MtTable *t = MT_NEW (arena, MtTable);
   t->name = "t";
   t->column_count = 3;
   t->time_column = -1;
   t->columns = MT_NEW_N (arena, MtColumn, 3);
   t->columns[0] = (MtColumn) {.name = "i", .type = mt_type (MT_T_INT4), .field = "i"};
   t->columns[1] = (MtColumn) {.name = "s", .type = mt_type (MT_T_TEXT), .field = "s"};
   t->columns[2] = (MtColumn) {.name = "ts", .type = mt_type (MT_T_TIMESTAMPTZ), .field = "ts"};
   return t;
}

/* `before`, then `times` times `piece`, then `after`: long files are never held. */
typedef struct Feed {
   const char *before, *piece, *after;
   size_t times, step, at;
} Feed;

static char byte_at (const Feed *f, size_t at, bool *end)
{
   size_t a = strlen (f->before), b = strlen (f->piece) * f->times, c = strlen (f->after);
   *end = at >= a + b + c;
   return *end         ? 0
          : at < a     ? f->before[at]
          : at < a + b ? f->piece[(at - a) % strlen (f->piece)]
                       : f->after[at - a - b];
}

static long read_feed (void *ctx, char *buf, size_t n)
{
   Feed *f = ctx;
   size_t k = 0;
   bool end = false;
   while (k < n && k < f->step) {
      char c = byte_at (f, f->at, &end);
      if (end)
         break;
      buf[k++] = c;
      f->at++;
   }
   return (long) k;
}

/* Rows as text, or at the first error what was read so far and "!"; with `on`, on behind a bad
 * record. */
static const char *read_feed_rows (Feed f, const char *paths, bool on, size_t *rows)
{
   MtTable *t = table ();
   MtPresetOption o = {"paths", paths, MT_NO_SPAN};
   MtCopyInArgs args = {.table = t,
                        .options = &o,
                        .option_count = paths != NULL,
                        .style = &style,
                        .read = read_feed,
                        .ctx = &f};
   MtCopyIn *c;
   MtBuf out = {0};
   const MtVal *row;
   MtCopyBad bad;
   *rows = 0;
   if (!mt_copy_in_open ("arcanum", &args, &c, &err))
      return NULL;
   for (;; ++*rows) {
      mt_error_clear (&err);
      if (!mt_copy_in_next (c, &row, &err)) {
         bool may = mt_copy_in_bad (c, &bad);
         mt_buf_adds (&out, "!");
         if (may && on)
            continue;
         break;
      }
      if (!row)
         break;
      for (size_t i = 0; i < 3 && f.times < 2; i++) {
         mt_buf_adds (&out, i ? "|" : "");
         if (mt_is_nullish (row[i]))
            mt_buf_adds (&out, row[i].type == MT_NULL ? "~" : "-");
         else
            assert_true (mt_value_print (t->columns[i].type, row[i], &style, &out, &err));
      }
      mt_buf_adds (&out, f.times < 2 ? "\n" : "");
   }
   mt_copy_in_close (c);
   const char *all = mt_strdup (arena, out.p ? out.p : "");
   mt_buf_free (&out);
   return all;
}

static const size_t steps[] = {1, 2, 7, 64, 1 << 20};

static void reads (const char *paths, const char *text, const char *expected)
{
   size_t n;
   for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      const char *got = read_feed_rows ((Feed) {text, "", "", 0, steps[i], 0}, paths, true, &n);
      if (!got)
         fail_msg ("%s: %s", text, err.message);
      assert_string_equal (got, expected);
   }
}

/* The file is at fault: the error is final. */
static void refuses (Feed f, const char *sqlstate, const char *message, const char *detail)
{
   size_t n;
   for (size_t i = f.times > 1 ? 4 : 0; i < sizeof steps / sizeof *steps; i++) {
      f.step = steps[i];
      const char *got = read_feed_rows (f, NULL, true, &n);
      assert_true (!got || got[strlen (got) - 1] == '!');
      assert_string_equal (err.sqlstate, sqlstate);
      if (!strstr (err.message, message) || !strstr (err.context, detail))
         fail_msg ("%s\n%s", err.message, err.context);
   }
}

static void refuses_text (const char *text, const char *message, const char *detail)
{
   refuses ((Feed) {text, "", "", 0, 1, 0}, "22P04", message, detail);
}

static void values (void **state)
{
   reads (NULL, "<f><record i='1' s='a'><ts>2020-01-01T00:00:00Z</ts></record></f>",
          "1|a|2020-01-01 00:00:00+00\n");
   reads (NULL, "<record><i> 1\n</i><s/><x><s>deep</s></x></record>", "1|~|-\n");
   reads (NULL, "<f><record i='1'/><other><record i='2'/></other><x i='3'/></f>", "1|-|-\n2|-|-\n");
   reads (NULL, "<f><record i='1'><record i='2'/></record></f>",
          "1|-|-\n"); /* a record within one is a part of it */
   reads (
      "i = a/b/@c, s = a/b",
      "<record><a><b c='5'> x <!-- no -->y<![CDATA[<&]]><d>z</d>&#x41;&lt; </b></a><b c='6'/></record>",
      "5|x y<&A<|-\n");
   reads ("i=@n,s=a", "<f><record n='1'><a>p</a></record><record n='2'/></f>", "1|p|-\n2|-|-\n");
   reads (NULL,
          "<f xmlns='u' xmlns:v='w'><record i='1'><v:s>no</v:s><s xmlns=''>yes</s></record></f>",
          "1|yes|-\n");
   reads (NULL, "<u:f xmlns:u='u' xmlns:v='w'><u:record u:i='1' v:s='no'/></u:f>", "1|-|-\n");
   reads (
      NULL,
      "<!DOCTYPE f SYSTEM 'f.dtd' [<!ENTITY n 'Net &#169;'><!ELEMENT f ANY>]><f><record s='&n;'/></f>",
      "-|Net \xC2\xA9|-\n");
   reads (NULL, "\xEF\xBB\xBF<?xml version='1.0'?>\n<?pi x?><f/>\n<!-- end -->\n", "");
   reads (NULL, "<?xml version='1.0' encoding='ISO-8859-1'?><record s='\xE9'/>", "-|\xC3\xA9|-\n");
}

static void records_at_fault (void **state)
{
   size_t n;
   reads (NULL, "<f><record i='x'/><record i='1'/></f>", "!1|-|-\n");
   reads (
      NULL,
      "<f><record i='1'><i>1</i></record><record i='2'><s>a</s><s>b</s></record><record i='3'/></f>",
      "!!3|-|-\n");
   reads (NULL, "<f><record ts='2020-13-01'/><record i='99999999999'/></f>", "!!");
   assert_string_equal (
      read_feed_rows ((Feed) {"<f>\n <record>\n  <i>1</i><ts>\nnever</ts></record></f>", "", "", 0,
                              3, 0},
                      NULL, false, &n),
      "!");
   assert_string_equal (err.sqlstate, "22007");
   assert_string_equal (err.context, "COPY t, line 3:11, column ts: \"never\"");
   read_feed_rows ((Feed) {"<f>\n<record i='1' s='1'>\n<s>2</s></record></f>", "", "", 0, 3, 0},
                   NULL, false, &n);
   assert_string_equal (err.message, "more than one value for column \"s\" in a record");
   assert_string_equal (err.context, "COPY t, line 3:1");
}

static void damaged_files (void **state)
{
   refuses_text ("", "the file is empty", "line 1:1");
   refuses_text ("no xml", "invalid XML document: syntax error", "line 1:1");
   refuses_text ("<f><record i='1'/>", "the file ends before its root element does", "line 1:19");
   refuses_text ("<f><record i='1'", "the file ends before its root element does", "line 1:4");
   refuses_text ("<f>\n<record i='1'/>\n</g>", "mismatched tag", "COPY t, line 3:3");
   refuses_text ("<f/><g/>", "junk after document element", "line 1:5");
   refuses_text ("<f a='1' a='2'/>", "duplicate attribute", "line 1:");
   refuses_text ("<p:f/>", "unbound prefix", "line 1:");
   refuses_text ("<f>\xFF</f>", "not well-formed", "line 1:4");
   refuses_text ("<f>\xC3</f>", "not well-formed", "line 1:4");
   refuses_text ("<f>&nope;</f>", "undefined entity", "line 1:4");
   refuses_text ("<?xml version='1.0' encoding='EBCDIC-X'?><f/>", "unknown encoding", "line 1:");
   refuses_text ("<f>a &#0; b</f>", "reference to invalid character number", "line 1:");
   refuses_text ("<f><![CDATA[ never", "the file ends before its root element does", "line 1:");
}

static void entities (void **state)
{
   refuses_text ("<!DOCTYPE f [<!ENTITY a 'ha'>\n<!ENTITY b '&a;&a;'>]><f>&b;</f>",
                 "entity \"b\" is not plain text of at most 256 bytes", "COPY t, line 2:");
   refuses_text ("<!DOCTYPE f [<!ENTITY a '&#60;x/>'>]><f>&a;</f>",
                 "entity \"a\" is not plain text", "line 1:");
   refuses_text ("<!DOCTYPE f [<!ENTITY a SYSTEM '/etc/passwd'>]><f>&a;</f>",
                 "external entity \"a\" is not allowed", "line 1:");
   refuses_text ("<!DOCTYPE f [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><f/>",
                 "parameter entity \"p\" is not allowed", "line 1:");
   refuses_text ("<!DOCTYPE f SYSTEM 'http://127.0.0.1/f.dtd'><f>&a;</f>",
                 "entity \"a\" is not declared in the file itself", "line 1:");
   refuses ((Feed) {"<!DOCTYPE f [<!ENTITY a '", "ha", "'>]><f>&a;</f>", 200, 1, 0}, "22P04",
            "entity \"a\" is not plain text of at most 256 bytes", "line 1:");
}

static void limits (void **state)
{
   size_t n;
   refuses ((Feed) {"", "<a>", "", 1000000, 1, 0}, "54000", "elements are nested deeper than 200",
            "line 1:");
   refuses ((Feed) {"<f a='", "0123456789", "'/>", 200000, 1, 0}, "54000",
            "a tag, comment or declaration is longer than 1048576 bytes", "line 1:");
   refuses ((Feed) {"<f><!--", "0123456789", "--></f>", 200000, 1, 0}, "54000",
            "a tag, comment or declaration is longer than 1048576 bytes", "line 1:");
   /* text that nobody keeps may be of any length; a value may not, and then only its record is at
    * fault */
   read_feed_rows ((Feed) {"<f><x>", "0123456789", "</x><record i='1'/></f>", 200000, 1 << 20, 0},
                   NULL, false, &n);
   assert_int_equal (n, 1);
   assert_string_equal (read_feed_rows ((Feed) {"<f><record><s>", "0123456789",
                                                "</s></record><record i='1'/></f>", 200000, 1 << 20,
                                                0},
                                        NULL, true, &n),
                        "!");
   assert_int_equal (n, 2);
   read_feed_rows ((Feed) {"<f>", "<record i='1'><s>abc</s></record>", "</f>", 300000, 1 << 20, 0},
                   NULL, false, &n);
   assert_int_equal (n, 300000);
}

/* Ever new names are kept by the parser: what it takes is bounded as a whole. */
static long read_names (void *ctx, char *buf, size_t n)
{
   size_t *k = ctx;
   int len = *k ? snprintf (buf, n, "<a%0500zu/>", *k) : snprintf (buf, n, "<f>");
   ++*k;
   return len;
}

static void ever_new_names (void **state)
{
   size_t k = 0;
   MtCopyInArgs args = {.table = table (), .style = &style, .read = read_names, .ctx = &k};
   MtCopyIn *c;
   const MtVal *row;
   assert_true (mt_copy_in_open ("arcanum", &args, &c, &err));
   assert_false (mt_copy_in_next (c, &row, &err));
   assert_string_equal (err.sqlstate, "54000");
   assert_string_equal (err.message, "the XML needs more than 33554432 bytes of memory");
   assert_true (k > 1000 && k < 200000);
   mt_copy_in_close (c);
}

static void bad_paths (void **state)
{
   static const char *const paths[] = {"i",
                                       "i=",
                                       "i=/",
                                       "i=a//b",
                                       "i=@",
                                       "i=@a/b",
                                       "=a",
                                       "nosuch=a",
                                       "i=a,i=b",
                                       "i=a,",
                                       "i=a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"};
   size_t n;
   for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
      mt_error_clear (&err);
      const char *got = read_feed_rows ((Feed) {"<f/>", "", "", 0, 1, 0}, paths[i], false, &n);
      if (strcmp (paths[i], "i=a,") == 0)
         assert_non_null (got); /* as in a list of C's */
      else {
         assert_null (got);
         assert_true (mt_error_is_set (&err));
      }
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {
#define TEST(x) cmocka_unit_test_setup_teardown (x, setup, teardown)
      TEST (values), TEST (records_at_fault), TEST (damaged_files), TEST (entities),
      TEST (limits), TEST (ever_new_names),   TEST (bad_paths),
   };
   return cmocka_run_group_tests (tests, NULL, NULL);
}
