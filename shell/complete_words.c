/* Completes options in parentheses, and their values. */
#include "shell/complete_int.h"

#include <string.h>

#define ON_OFF "on off"

/* The options of statements. `statement` is the first word; `before` is the word before the
 * parenthesis, NULL for any; values NULL: any value. To add an option, add a row. (Options of
 * presets come from the presets.) */
static const struct {
   const char *statement, *before, *option, *values;
} rows[] = {
   {"explain", "explain", "analyze", ON_OFF},
   {"explain", "explain", "verbose", ON_OFF},
   {"explain", "explain", "costs", ON_OFF},
   {"explain", "explain", "timing", ON_OFF},
   {"explain", "explain", "summary", ON_OFF},
   {"explain", "explain", "hypothetical", NULL},
   {"explain", "explain", "format", "text json"},
   {"vacuum", "vacuum", "full", ON_OFF},
   {"vacuum", "vacuum", "verbose", ON_OFF},
   {"vacuum", "vacuum", "analyze", ON_OFF},
   {"analyze", "analyze", "verbose", ON_OFF},
   {"copy", NULL, "format", "text csv jsonl binary arrow arrows arcanum"},
   {"copy", NULL, "header", "on off match"},
   {"copy", NULL, "delimiter", NULL},
   {"copy", NULL, "null", NULL},
   {"copy", NULL, "quote", NULL},
   {"copy", NULL, "escape", NULL},
   {"copy", NULL, "encoding", NULL},
   {"copy", NULL, "epoch", "'s' 'ms' 'us' 'ns'"},
   {"copy", NULL, "datestyle", "'mdy' 'dmy' 'ymd'"},
   {"copy", NULL, "skip", NULL},
   {"copy", NULL, "decimal_separator", "',' '.'"},
   {"copy", NULL, "force_null", NULL},
   {"copy", NULL, "force_not_null", NULL},
   {"copy", NULL, "force_quote", NULL},
   {"copy", NULL, "on_error", "stop ignore"},
   {"copy", NULL, "reject_limit", NULL},
   {"copy", NULL, "log_verbosity", "default verbose"},
   {"copy", NULL, "lookup", NULL},
   {"copy", NULL, "lookup_key", NULL},
   {"copy", NULL, "paths", NULL},
   {"copy", NULL, "record", NULL},
   {"copy", NULL, "namespace", NULL},
   {"create", "with", "expire_after", NULL},
   {"alter", "with", "expire_after", NULL},
   {"alter", "set", "expire_after", NULL},
   {"alter", "reset", "expire_after", NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Returns the index of the innermost parenthesis that is open before the word being typed;
 * k->before: none is open. */
static size_t open_bracket (const MtCompletion *k)
{
   size_t depth = 0;
   for (size_t i = k->before; i-- > 0;) {
      depth += k->v[i].kind == MT_SQL_CLOSE;
      if (k->v[i].kind == MT_SQL_OPEN && depth-- == 0)
         return i;
   }
   return k->before;
}

static bool applies (const MtCompletion *k, size_t row, size_t bracket)
{
   return mt_piece_is (k, 0, rows[row].statement) &&
          (!rows[row].before || (bracket && mt_piece_is (k, bracket - 1, rows[row].before)));
}

/* Calls `each` for each option of the preset that is named before the parenthesis: USING preset
 * WITH (. */
static void each_preset_option (MtCompletion *k, size_t bracket,
                                void (*each) (MtCompletion *k, const MtPresetOptionInfo *o))
{
   const MtPresetInfo *presets;
   size_t n;
   if (bracket < 3 || !mt_piece_is (k, bracket - 3, "using"))
      return;
   mt_presets (k->a, &presets, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t o = 0;
           o < presets[i].option_count && mt_piece_is (k, bracket - 2, presets[i].name); o++)
         each (k, &presets[i].options[o]);
}

static void add_name (MtCompletion *k, const MtPresetOptionInfo *o)
{
   mt_choice_if (k->out, o->name, k->prefix);
}

void mt_complete_options (MtCompletion *k)
{
   size_t bracket = open_bracket (k);
   for (size_t i = 0; i < ROWS; i++)
      if (applies (k, i, bracket))
         mt_choice_if (k->out, rows[i].option, k->prefix);
   each_preset_option (k, bracket, add_name);
}

/* ---- values ---- */

/* Returns the index of the token that is the option's name, before the cursor and perhaps '='. The
 * word being typed is the option's value. */
static size_t option_piece (const MtCompletion *k)
{
   size_t at = k->before - 1;
   return at - (at && mt_piece_is (k, at, "="));
}

/* Adds columns of the table for an option whose value is a list, such as 'ts, house'. */
static void add_columns (MtCompletion *k)
{
   const char *comma = strrchr (k->prefix, ',');
   size_t skip = comma ? (size_t) (comma + 1 - k->prefix) : 0;
   skip += strspn (k->prefix + skip, " ");
   k->prefix += skip;
   k->out->start += skip;
   if (mt_piece_is (k, 0, "create"))
      mt_scope_new_columns (k);
   else
      mt_scope_parts (k, false);
}

/* If the value of preset option o is being typed, adds its possible values. Words are added as
 * string literals; if the user has typed the opening quote, only the closing one is added. */
static void add_value (MtCompletion *k, const MtPresetOptionInfo *o)
{
   if (!mt_piece_is (k, option_piece (k), o->name))
      return;
   if (k->quoted && strcmp (o->type, "columns") == 0)
      add_columns (k);
   else if (!k->quoted && strcmp (o->type, "boolean") == 0)
      mt_choice_list (k->out, "true false", k->prefix);
   else if (strchr (o->type, '|'))
      for (const char *p = o->type; *p; p += strcspn (p, "|"), p += *p == '|')
         mt_choice_if (k->out,
                       mt_printf (k->a, k->quoted ? "%.*s'" : "'%.*s'", (int) strcspn (p, "|"), p),
                       k->prefix);
}

void mt_complete_option_values (MtCompletion *k)
{
   size_t bracket = open_bracket (k), at = option_piece (k);
   for (size_t i = 0; i < ROWS && !k->quoted; i++)
      if (applies (k, i, bracket) && mt_piece_is (k, at, rows[i].option) && rows[i].values)
         mt_choice_list (k->out, rows[i].values, k->prefix);
   each_preset_option (k, bracket, add_value);
}
