/* The options of \chart, with one row of a table for each. */
#include "shell/chart/chart.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 20000, MAX_BINS = 1000 };

const MtChartKindRow mt_chart_kinds[] = {
   {"auto", "chosen from the types: time and number: line; text and number: bar; one number or "
            "time: hist; else scatter"},
   {"line", "a line for each series; a NULL breaks the line"},
   {"bar", "a bar for each row"},
   {"scatter", "a point for each row"},
   {"hist", "how many rows are in each interval of a number or time"},
   {"heat", "shades of a number by two other columns"},
   {0},
};

static bool set_text (char **member, const char *value)
{
   if (!*value)
      return false;
   free (*member);
   *member = mt_heap_strdup (value);
   return true;
}

static bool set_number (int *member, const char *value, int least, int most)
{
   char *end;
   long n = strtol (value, &end, 10);
   *member = (int) n;
   return *value && !*end && n >= least && n <= most;
}

/* Sets *member to the index of `value` in a list of words; fails if it is not there. */
static bool set_word (int *member, const char *value, const char *const *words, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      if (strcmp (words[i], value) == 0) {
         *member = (int) i;
         return true;
      }
   }
   return false;
}

static bool set_x (MtChartOptions *o, const char *v) { return set_text (&o->x, v); }
static bool set_y (MtChartOptions *o, const char *v) { return set_text (&o->y, v); }
static bool set_by (MtChartOptions *o, const char *v) { return set_text (&o->by, v); }
static bool set_value (MtChartOptions *o, const char *v) { return set_text (&o->value, v); }
static bool set_title (MtChartOptions *o, const char *v) { return set_text (&o->title, v); }
static bool set_bins (MtChartOptions *o, const char *v)
{
   return set_number (&o->bins, v, 1, MAX_BINS);
}
static bool set_width (MtChartOptions *o, const char *v)
{
   return set_number (&o->width, v, 10, MAX_SIZE);
}
static bool set_height (MtChartOptions *o, const char *v)
{
   return set_number (&o->height, v, 5, MAX_SIZE);
}

static bool set_scale (MtChartOptions *o, const char *v)
{
   static const char *const words[] = {"linear", "log"};
   int word = 0;
   bool ok = set_word (&word, v, words, 2);
   o->log = word == 1;
   return ok;
}

static bool set_style (MtChartOptions *o, const char *v)
{
   static const char *const words[] = {"auto", "braille", "blocks", "ascii"};
   int word = 0;
   bool ok = set_word (&word, v, words, 4);
   o->style = (MtChartStyle) word;
   return ok;
}

static bool set_theme (MtChartOptions *o, const char *v)
{
   static const char *const words[] = {"light", "dark"};
   int word = 0;
   bool ok = set_word (&word, v, words, 2);
   o->dark = word == 1;
   return ok;
}

const MtChartOption mt_chart_option_rows[] = {
   {"x", "COLUMN", "the horizontal axis, by name or number", set_x},
   {"y", "COLUMN[,COLUMN…]", "the values, a series for each column", set_y},
   {"by", "COLUMN", "a series for each value of the column", set_by},
   {"value", "COLUMN", "the shade of heat", set_value},
   {"title", "TEXT", "the line above the chart", set_title},
   {"scale", "linear|log", "the axis of the values", set_scale},
   {"bins", "NUMBER", "the least number of intervals of hist (default 20)", set_bins},
   {"width", "NUMBER", "columns of the terminal, or pixels of a file", set_width},
   {"height", "NUMBER", "lines of the terminal, or pixels of a file", set_height},
   {"style", "auto|braille|blocks|ascii", "the characters on the terminal", set_style},
   {"theme", "light|dark", "the colours of a file", set_theme},
   {0},
};

static bool set_kind (MtChartOptions *o, const char *word)
{
   for (size_t i = 0; mt_chart_kinds[i].name; i++) {
      if (strcmp (mt_chart_kinds[i].name, word) == 0) {
         o->kind = (MtChartKind) i;
         return true;
      }
   }
   return false;
}

static bool ends_with (const char *word, const char *ending)
{
   size_t n = strlen (word), m = strlen (ending);
   return n > m && mt_ieq (word + n - m, ending);
}

static bool unknown_word (const char *word, MtError *err)
{
   const char *near = mt_nearest_of_rows (word, &mt_chart_kinds->name, sizeof *mt_chart_kinds);
   mt_error (err, MT_E_SYNTAX, "\\chart: unknown kind \"%s\"", word);
   return near ? mt_error_hint (err, "Perhaps you meant %s.", near)
               : mt_error_hint (err, "Kinds are line, bar, scatter, hist and heat. The name of a "
                                     "file ends with .svg or .png.");
}

static bool set_option (MtChartOptions *o, const char *word, const char *equals, MtError *err)
{
   size_t n = (size_t) (equals - word);
   for (const MtChartOption *r = mt_chart_option_rows; r->name; r++) {
      if (strlen (r->name) == n && strncmp (r->name, word, n) == 0) {
         if (r->set (o, equals + 1))
            return true;
         mt_error (err, MT_E_PARAMETER, "\\chart: invalid value for %s: \"%s\"", r->name,
                   equals + 1);
         return mt_error_hint (err, "The value is %s.", r->value);
      }
   }
   char *name = mt_heap_strndup (word, n);
   const char *near = mt_nearest_of_rows (name, &mt_chart_option_rows->name,
                                          sizeof *mt_chart_option_rows);
   mt_error (err, MT_E_SYNTAX, "\\chart: unknown option \"%s\"", name);
   free (name);
   return near ? mt_error_hint (err, "Perhaps you meant %s.", near)
               : mt_error_hint (err, "\\h \\chart lists the options.");
}

bool mt_chart_option (MtChartOptions *o, const char *word, MtError *err)
{
   const char *equals = strchr (word, '=');
   bool is_file = ends_with (word, ".svg") || ends_with (word, ".png");
   bool in_folder = equals && memchr (word, '/', (size_t) (equals - word));
   if (equals && !(is_file && in_folder))
      return set_option (o, word, equals, err);
   if (is_file && o->file)
      return mt_error (err, MT_E_SYNTAX, "\\chart: more than one file: \"%s\"", word);
   if (is_file)
      return set_text (&o->file, word);
   if (o->kind != MT_CHART_AUTO)
      return mt_error (err, MT_E_SYNTAX, "\\chart: more than one kind: \"%s\"", word);
   return set_kind (o, word) || unknown_word (word, err);
}

/* ---- memory ---- */

void mt_chart_options_free (MtChartOptions *o)
{
   char **const texts[] = {&o->x, &o->y, &o->by, &o->value, &o->title, &o->file};
   for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      free (*texts[i]);
      *texts[i] = NULL;
   }
}
