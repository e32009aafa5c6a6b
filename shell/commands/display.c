/* \pset and its short forms. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void own (char **kept, const char *value)
{
   free (*kept);
   *kept = value ? mt_heap_strdup (value) : NULL;
}

static bool on_off (MtShell *sh, const char *name, const char *value, bool *flag)
{
   if (!value) {
      *flag = !*flag;
      return true;
   }
   if (mt_parse_bool (value, flag))
      return true;
   mt_complain (sh, "error: unrecognized value \"%s\" for \"%s\": Boolean expected", value, name);
   return false;
}

static void say_on_off (MtBuf *b, bool on) { mt_buf_adds (b, on ? "on" : "off"); }

static bool set_border (MtShell *sh, const char *value)
{
   int border = value ? atoi (value) : sh->display.o.border;
   if (border > 3)
      border = 3;
   sh->display.o.border = border < 0 ? 0 : border;
   return true;
}
static void show_border (const MtShell *sh, MtBuf *b)
{
   mt_buf_printf (b, "%d", sh->display.o.border);
}

static bool set_columns (MtShell *sh, const char *value)
{
   if (value)
      sh->display.columns = atoi (value) < 0 ? 0 : atoi (value);
   return true;
}
static void show_columns (const MtShell *sh, MtBuf *b)
{
   mt_buf_printf (b, "%d", sh->display.columns);
}

static bool set_csv_fieldsep (MtShell *sh, const char *value)
{
   if (!value)
      return true;
   if (strlen (value) != 1 || strchr ("\"\n\r", *value)) {
      mt_complain (
         sh, strlen (value) != 1
                ? "error: \\pset: csv_fieldsep must be a single one-byte character"
                : "error: \\pset: csv_fieldsep cannot be a double quote, a newline, or a carriage "
                  "return");
      return false;
   }
   sh->display.o.csv_sep = *value;
   return true;
}
static void show_csv_fieldsep (const MtShell *sh, MtBuf *b)
{
   mt_buf_printf (b, "'%c'", sh->display.o.csv_sep);
}

static bool set_expanded (MtShell *sh, const char *value)
{
   bool on = sh->display.o.expanded != MT_EXPANDED_OFF;
   if (value && strcasecmp (value, "auto") == 0) {
      sh->display.o.expanded = MT_EXPANDED_AUTO;
      return true;
   }
   if (!on_off (sh, "expanded", value, &on))
      return false;
   sh->display.o.expanded = on ? MT_EXPANDED_ON : MT_EXPANDED_OFF;
   return true;
}
static void show_expanded (const MtShell *sh, MtBuf *b)
{
   static const char *const names[] = {"off", "on", "auto"};
   mt_buf_adds (b, names[sh->display.o.expanded]);
}

static void use_sep (MtStr *to, char **kept, const char *value)
{
   own (kept, value);
   *to = mt_str (*kept);
}

static bool set_fieldsep (MtShell *sh, const char *value)
{
   if (value)
      use_sep (&sh->display.o.field_sep, &sh->display.field_sep, value);
   return true;
}
static void show_fieldsep (const MtShell *sh, MtBuf *b)
{
   if (sh->display.o.field_sep.n == 1 && !*sh->display.o.field_sep.p)
      mt_buf_adds (b, "zero byte");
   else
      mt_buf_printf (b, "'%s'", sh->display.o.field_sep.p);
}

static bool set_fieldsep_zero (MtShell *sh, const char *value)
{
   sh->display.o.field_sep = (MtStr) {"", 1};
   return true;
}

static bool set_footer (MtShell *sh, const char *value)
{
   return on_off (sh, "footer", value, &sh->display.o.footer);
}
static void show_footer (const MtShell *sh, MtBuf *b) { say_on_off (b, sh->display.o.footer); }

static void near_format (const char *name)
{
   const char *names[64];
   size_t n = 0;
   for (const MtFormat *m; n < sizeof names / sizeof *names && (m = mt_format_at (n)); n++)
      names[n] = m->name;
   const char *near = mt_nearest (name, names, n);
   if (near)
      fprintf (stderr, "HINT:  Perhaps you meant \"%s\".\n", near);
}

static bool set_format (MtShell *sh, const char *value)
{
   bool ambiguous;
   if (!value)
      return true;
   const MtFormat *f = mt_format_find (value, &ambiguous), *m;
   if (!f) {
      MtBuf b = {0};
      for (size_t i = 0; (m = mt_format_at (i)); i++)
         mt_buf_printf (&b, "%s%s", i ? ", " : "", m->name);
      if (ambiguous)
         mt_complain (
            sh, "error: \\pset: ambiguous abbreviation \"%s\" of a format: allowed formats are %s",
            value, b.p);
      else
         mt_complain (sh, "error: \\pset: allowed formats are %s", b.p);
      mt_buf_free (&b);
      if (!ambiguous)
         near_format (value);
      return false;
   }
   sh->display.o.format = f;
   return true;
}
static void show_format (const MtShell *sh, MtBuf *b)
{
   mt_buf_adds (b, sh->display.o.format->name);
}

static const char *const line_styles[] = {"ascii", "old-ascii", "unicode"};

static bool set_linestyle (MtShell *sh, const char *value)
{
   for (size_t i = 0; value && i < 3; i++) {
      if (*value && strncasecmp (value, line_styles[i], strlen (value)) == 0) {
         sh->display.o.line_style = (MtLineStyle) i;
         return true;
      }
   }
   if (value)
      mt_complain (sh, "error: \\pset: allowed line styles are ascii, old-ascii, unicode");
   return !value;
}
static void show_linestyle (const MtShell *sh, MtBuf *b)
{
   mt_buf_adds (b, line_styles[sh->display.o.line_style]);
}

static bool set_null (MtShell *sh, const char *value)
{
   if (value)
      use_sep (&sh->display.o.null, &sh->display.null, value);
   return true;
}
static void show_null (const MtShell *sh, MtBuf *b)
{
   mt_buf_printf (b, "'%s'", sh->display.o.null.p);
}

static bool set_pager (MtShell *sh, const char *value)
{
   bool on = sh->display.pager != 0;
   if (value && strcasecmp (value, "always") == 0) {
      sh->display.pager = 2;
      return true;
   }
   if (!on_off (sh, "pager", value, &on))
      return false;
   sh->display.pager = on;
   return true;
}
static void show_pager (const MtShell *sh, MtBuf *b) { mt_buf_printf (b, "%d", sh->display.pager); }

static bool set_recordsep (MtShell *sh, const char *value)
{
   if (value)
      use_sep (&sh->display.o.record_sep, &sh->display.record_sep, value);
   return true;
}
static void show_recordsep (const MtShell *sh, MtBuf *b)
{
   if (sh->display.o.record_sep.n == 1 && !*sh->display.o.record_sep.p)
      mt_buf_adds (b, "zero byte");
   else
      mt_buf_printf (b, "'%s'",
                     strcmp (sh->display.o.record_sep.p, "\n") == 0 ? "\\n"
                                                                    : sh->display.o.record_sep.p);
}

static bool set_recordsep_zero (MtShell *sh, const char *value)
{
   sh->display.o.record_sep = (MtStr) {"", 1};
   return true;
}

static bool set_tableattr (MtShell *sh, const char *value)
{
   own (&sh->display.table_attr, value);
   sh->display.o.table_attr = sh->display.table_attr;
   return true;
}
static void show_tableattr (const MtShell *sh, MtBuf *b)
{
   mt_buf_adds (b, sh->display.o.table_attr ? sh->display.o.table_attr : "");
}

static bool set_title (MtShell *sh, const char *value)
{
   own (&sh->display.title, value);
   sh->display.o.title = sh->display.title;
   return true;
}
static void show_title (const MtShell *sh, MtBuf *b)
{
   mt_buf_adds (b, sh->display.o.title ? sh->display.o.title : "");
}

static bool set_tuples_only (MtShell *sh, const char *value)
{
   return on_off (sh, "tuples_only", value, &sh->display.o.tuples_only);
}
static void show_tuples_only (const MtShell *sh, MtBuf *b)
{
   say_on_off (b, sh->display.o.tuples_only);
}

static bool set_style (MtShell *sh, const char *name, const char *value, bool *is_double)
{
   size_t n = value ? strlen (value) : 0;
   bool one = n && strncasecmp (value, "single", n) == 0,
        two = n && strncasecmp (value, "double", n) == 0;
   if (value && !one && !two) {
      mt_complain (sh, "error: \\pset: allowed Unicode %s line styles are single, double", name);
      return false;
   }
   if (value)
      *is_double = two;
   return true;
}
static void show_style (MtBuf *b, bool is_double)
{
   mt_buf_adds (b, is_double ? "double" : "single");
}
static bool set_uborder (MtShell *sh, const char *v)
{
   return set_style (sh, "border", v, &sh->display.o.double_border);
}
static void show_uborder (const MtShell *sh, MtBuf *b)
{
   show_style (b, sh->display.o.double_border);
}
static bool set_ucolumn (MtShell *sh, const char *v)
{
   return set_style (sh, "column", v, &sh->display.o.double_column);
}
static void show_ucolumn (const MtShell *sh, MtBuf *b)
{
   show_style (b, sh->display.o.double_column);
}
static bool set_uheader (MtShell *sh, const char *v)
{
   return set_style (sh, "header", v, &sh->display.o.double_header);
}
static void show_uheader (const MtShell *sh, MtBuf *b)
{
   show_style (b, sh->display.o.double_header);
}

/* To add an option, add a row here, in alphabetical order. */
const MtDisplayOption mt_display_options[] = {
   {"border", "0 1 2 3", set_border, show_border, "Border style is %s."},
   {"columns", "", set_columns, show_columns, "Target width is %s."},
   {"csv_fieldsep", "", set_csv_fieldsep, show_csv_fieldsep, "Field separator for CSV is %s."},
   {"expanded", "on off auto", set_expanded, show_expanded, "Expanded display is %s."},
   {"fieldsep", "", set_fieldsep, show_fieldsep, "Field separator is %s."},
   {"fieldsep_zero", "", set_fieldsep_zero, NULL, "Field separator is zero byte."},
   {"footer", "on off", set_footer, show_footer, "Default footer is %s."},
   {"format", NULL, set_format, show_format, "Output format is %s."},
   {"linestyle", "ascii old-ascii unicode", set_linestyle, show_linestyle, "Line style is %s."},
   {"null", "", set_null, show_null, "Null display is %s."},
   {"pager", "on off always", set_pager, show_pager, "Pager usage is %s."},
   {"recordsep", "", set_recordsep, show_recordsep, "Record separator is %s."},
   {"recordsep_zero", "", set_recordsep_zero, NULL, "Record separator is zero byte."},
   {"tableattr", "", set_tableattr, show_tableattr, "Table attributes are \"%s\"."},
   {"title", "", set_title, show_title, "Title is \"%s\"."},
   {"tuples_only", "on off", set_tuples_only, show_tuples_only, "Tuples only is %s."},
   {"unicode_border_linestyle", "single double", set_uborder, show_uborder,
    "Unicode border line style is \"%s\"."},
   {"unicode_column_linestyle", "single double", set_ucolumn, show_ucolumn,
    "Unicode column line style is \"%s\"."},
   {"unicode_header_linestyle", "single double", set_uheader, show_uheader,
    "Unicode header line style is \"%s\"."},
   {0},
};

static const MtDisplayOption *option (const char *name)
{
   static const char *const aliases[][2] = {{"x", "expanded"},
                                            {"vertical", "expanded"},
                                            {"t", "tuples_only"},
                                            {"T", "tableattr"},
                                            {"C", "title"}};
   for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
      if (strcmp (name, aliases[i][0]) == 0)
         name = aliases[i][1];
   }
   for (const MtDisplayOption *o = mt_display_options; o->name; o++) {
      if (strcmp (o->name, name) == 0)
         return o;
   }
   return NULL;
}

static const char *const pager_says[] = {"Pager usage is off.", "Pager is used for long output.",
                                         "Pager is always used."};

static void say (MtShell *sh, const MtDisplayOption *o)
{
   MtBuf b = {0};
   if (o->show)
      o->show (sh, &b);
   const char *at = strstr (o->says, "%s"), *value = b.n ? b.p : "";
   if (b.n > 1 &&
       b.p[0] == '\'') /* as in psql, lists use single quotes, messages use double quotes */
      b.p[0] = b.p[b.n - 1] = '"';
   if (strcmp (o->name, "title") == 0 && !b.n)
      puts ("Title is unset.");
   else if (strcmp (o->name, "tableattr") == 0 && !b.n)
      puts ("Table attributes unset.");
   else if (strcmp (o->name, "recordsep") == 0 && strcmp (value, "\"\\n\"") == 0)
      puts ("Record separator is <newline>.");
   else if (strcmp (o->name, "expanded") == 0 && strcmp (value, "auto") == 0)
      puts ("Expanded display is used automatically.");
   else if (strcmp (o->name, "pager") == 0)
      puts (pager_says[sh->display.pager]);
   else if (strcmp (o->name, "columns") == 0 && *value == '0')
      puts ("Target width is unset.");
   else if (at)
      printf ("%.*s%s%s\n", (int) (at - o->says), o->says, value, at + 2);
   else
      puts (o->says);
   mt_buf_free (&b);
}

bool mt_display_set (MtShell *sh, const char *name, const char *value, bool quiet)
{
   const MtDisplayOption *o = option (name);
   if (!o) {
      const char *near = mt_nearest_of_rows (name, &mt_display_options->name,
                                             sizeof *mt_display_options);
      mt_complain (sh, "error: \\pset: unknown option: %s", name);
      if (near)
         fprintf (stderr, "HINT:  Perhaps you meant \"%s\".\n", near);
      return false;
   }
   if (!o->set (sh, value))
      return false;
   bool told = value && (o->set == set_footer || o->set == set_tuples_only);
   if (!quiet && !told)
      say (sh, o);
   return true;
}

bool mt_cmd_pset (MtCall *c)
{
   MtShell *sh = c->sh;
   if (c->argc)
      return mt_display_set (sh, c->argv[0], c->argc > 1 ? c->argv[1] : NULL,
                             mt_var_bool (&sh->vars, "QUIET", false));
   for (const MtDisplayOption *o = mt_display_options; o->name; o++) {
      MtBuf b = {0};
      if (o->show)
         o->show (sh, &b);
      else
         mt_buf_adds (&b,
                      (o->name[0] == 'f' ? sh->display.o.field_sep : sh->display.o.record_sep).p[0]
                         ? "off"
                         : "on");
      printf ("%-24s %s\n", o->name, b.n ? b.p : "");
      mt_buf_free (&b);
   }
   return true;
}

bool mt_cmd_shortcut (MtCall *c)
{
   static const char *const names[][2] = {
      {"C", "title"}, {"f", "fieldsep"}, {"t", "tuples_only"}, {"x", "expanded"}};
   const char *value = c->argc ? c->argv[0] : NULL, *format = c->sh->display.o.format->name,
              *name = "format";
   if (strcmp (c->name, "a") == 0)
      value = strcmp (format, "aligned") == 0 ? "unaligned" : "aligned";
   else if (strcmp (c->name, "H") == 0)
      value = strcmp (format, "html") == 0 ? "aligned" : "html";
   for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (strcmp (c->name, names[i][0]) == 0)
         name = names[i][1];
   }
   return mt_display_set (c->sh, name, value, mt_var_bool (&c->sh->vars, "QUIET", false));
}

bool mt_cmd_timing (MtCall *c)
{
   if (!on_off (c->sh, "\\timing", c->argc ? c->argv[0] : NULL, &c->sh->timing))
      return false;
   if (!mt_var_bool (&c->sh->vars, "QUIET", false))
      printf ("Timing is %s.\n", c->sh->timing ? "on" : "off");
   return true;
}
