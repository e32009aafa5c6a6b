/* Completes SQL. The parser says which keywords and which kinds of names are allowed at the
 * cursor. */
#include "shell/complete_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- the statement ---- */

bool mt_piece_is (const MtCompletion *k, size_t i, const char *word)
{
   size_t n = strlen (word);
   return i < k->count && k->v[i].end - k->v[i].start == n &&
          strncasecmp (k->sql + k->v[i].start, word, n) == 0;
}

const char *mt_piece_name (const MtCompletion *k, size_t i)
{
   const char *p = k->sql + k->v[i].start;
   size_t n = k->v[i].end - k->v[i].start;
   if (n > 1 && *p == '"')
      return mt_strndup (k->a, p + 1, n - 2);
   char *name = mt_strndup (k->a, p, n);
   for (char *c = name; *c; c++)
      *c = (char) tolower ((unsigned char) *c);
   return name;
}

/* Returns a copy of the text in which variables such as :name and :'name' are overwritten by
 * digits, so that it is SQL of the same length. */
static char *without_variables (MtArena *a, const char *text)
{
   char *copy = mt_strdup (a, text);
   for (char *p = strchr (copy, ':'); p; p = strchr (p, ':')) {
      size_t n = 1;
      bool cast = p[1] == ':' || p[1] == '=' || (p > copy && p[-1] == ':');
      char quote = p[1] == '\'' || p[1] == '"' ? p[1] : 0;
      n += quote != 0;
      while (isalnum ((unsigned char) p[n]) || p[n] == '_')
         n++;
      bool closed = !quote || p[n] == quote;
      n += quote && closed;
      if (!cast && n > 1u + (quote != 0) && closed)
         memset (p, '1', n);
      p += n;
   }
   return copy;
}

/* Returns the offset at which the statement at the cursor begins. */
static size_t statement_start (const char *text, size_t cursor)
{
   size_t start = 0, end;
   MtInputState state;
   while (start < cursor && mt_input_complete (text + start, cursor - start, &end, &state))
      start += end;
   return start;
}

/* Sets k->prefix to the word being typed, and k->before to the number of pieces (tokens) before it.
 * *from: the offset of the word. Returns false within a comment, a number or a quoted name, where
 * nothing is completed. */
static bool find_word (MtCompletion *k, size_t cursor, size_t *from)
{
   *from = cursor;
   k->before = k->count;
   k->prefix = "";
   if (!k->count)
      return true;
   const MtSqlPiece *last = &k->v[k->count - 1];
   k->quoted = last->open && last->kind == MT_SQL_STRING;
   if (last->end < cursor && !last->open)
      return true;
   bool word = last->kind == MT_SQL_NAME || last->kind == MT_SQL_KEYWORD;
   if (last->kind == MT_SQL_COMMENT || last->kind == MT_SQL_NUMBER || (last->open && !k->quoted))
      return false;
   if (word || k->quoted) {
      const char *quote = k->quoted ? strchr (k->sql + last->start, '\'') : NULL;
      k->before--;
      *from = quote ? (size_t) (quote + 1 - k->sql) : last->start;
      k->prefix = mt_strndup (k->a, k->sql + *from, cursor - *from);
   }
   return true;
}

/* ---- keywords, in capitals or not, as the user writes ---- */

static bool wants_lower (const MtShell *sh, const char *prefix)
{
   const char *how = mt_var_get (&sh->vars, "COMP_KEYWORD_CASE");
   how = how ? how : "preserve-upper";
   if (strcmp (how, "lower") == 0 || strcmp (how, "upper") == 0)
      return *how == 'l';
   size_t n = strlen (prefix);
   if (n && isalpha ((unsigned char) prefix[n - 1]))
      return islower ((unsigned char) prefix[n - 1]);
   return strcmp (how, "preserve-lower") == 0;
}

/* Returns whether a keyword should not be offered: an old spelling, a keyword as the value of a
 * setting, or, where a table can be named, a function with its own syntax. */
static bool is_noise (const MtExpected *e, const char *word)
{
   if (e->names & MT_PLACE_SETTING_VALUE)
      return strcmp (word, "default") != 0;
   static const char *const others[] = {"analyse", "isnull", "notnull"};
   static const char *const with_tables[] = {"lateral", "only", "rows", "if", "table"};
   bool noise = false, fits = !(e->names & MT_PLACE_TABLE && e->names & MT_PLACE_FUNCTION);
   for (size_t i = 0; i < sizeof others / sizeof *others; i++)
      noise |= strcmp (others[i], word) == 0;
   for (size_t i = 0; i < sizeof with_tables / sizeof *with_tables; i++)
      fits |= strcmp (with_tables[i], word) == 0;
   return noise || !fits;
}

static void add_keywords (MtCompletion *k, const MtExpected *e)
{
   bool lower = wants_lower (k->sh, k->prefix);
   for (size_t i = 0; i < e->keyword_count; i++) {
      if (is_noise (e, e->keywords[i]))
         continue;
      char *s = mt_strdup (k->a, e->keywords[i]);
      for (char *p = s; *p && !lower; p++)
         *p = (char) toupper ((unsigned char) *p);
      mt_choice_if (k->out, s, k->prefix);
   }
}

/* ---- names ---- */

static bool last_is (const MtCompletion *k, const char *word)
{
   return k->before && mt_piece_is (k, k->before - 1, word);
}

static bool begins_with (const MtCompletion *k, const char *word)
{
   return k->before && mt_piece_is (k, 0, word);
}

/* Returns whether the name at the cursor is the name of a new object, although the grammar also
 * allows a table there. */
static bool is_new (const MtCompletion *k, unsigned places)
{
   return places & MT_PLACE_NEW || (begins_with (k, "create") && last_is (k, "view")) ||
          (begins_with (k, "select") && last_is (k, "into"));
}

static void add_presets (MtCompletion *k)
{
   const MtPresetInfo *presets;
   size_t n;
   mt_presets (k->a, &presets, &n);
   for (size_t i = 0; i < n; i++)
      mt_choice_if (k->out, presets[i].name, k->prefix);
}

/* Queries for the names from the catalog that can follow a word. To add one, add a row. */
static const struct {
   const char *statement, *word; /* the statement's first word, or NULL; the word before the name */
   const char *sql;
} catalog_places[] = {
   {"create", "extension", "SELECT name FROM pg_catalog.pg_available_extensions"},
   {"drop", "extension", MT_QUERY_EXTENSIONS},
   {"alter", "extension", MT_QUERY_EXTENSIONS},
   {"drop", "alert", MT_QUERY_ALERTS},
   {"alter", "alert", MT_QUERY_ALERTS},
   {NULL, "execute", MT_QUERY_PREPARED},
   {"deallocate", "deallocate", MT_QUERY_PREPARED},
   {"deallocate", "prepare", MT_QUERY_PREPARED},
   {"close", "close", MT_QUERY_CURSORS},
   {"fetch", "fetch", MT_QUERY_CURSORS},
   {"fetch", "from", MT_QUERY_CURSORS},
   {"fetch", "in", MT_QUERY_CURSORS},
   {"move", "move", MT_QUERY_CURSORS},
   {"move", "from", MT_QUERY_CURSORS},
   {"move", "in", MT_QUERY_CURSORS},
   {NULL, "tablesample", "VALUES ('bernoulli ('), ('system (')"},
};

static void add_catalog_names (MtCompletion *k)
{
   for (size_t i = 0; i < sizeof catalog_places / sizeof *catalog_places; i++)
      if ((!catalog_places[i].statement || begins_with (k, catalog_places[i].statement)) &&
          last_is (k, catalog_places[i].word))
         mt_choice_query (k->sh, k->out, catalog_places[i].sql, k->prefix);
}

/* Adds names where the grammar only says that a name follows. The word before the cursor decides
 * what kind of name. */
static void add_other_names (MtCompletion *k)
{
   bool alters = begins_with (k, "alter");
   if (last_is (k, "using") && !begins_with (k, "delete"))
      add_presets (k);
   else if (last_is (k, "layout") && !begins_with (k, "create"))
      mt_scope_parts (k, true);
   else if ((last_is (k, "column") || last_is (k, "alter") || last_is (k, "drop") ||
             last_is (k, "rename")) &&
            alters && !(k->before > 1 && mt_piece_is (k, k->before - 2, "add")))
      mt_scope_parts (k, false);
   else if (begins_with (k, "comment") && last_is (k, "column"))
      mt_choice_tables (k->sh, k->out, k->prefix);
   else if (last_is (k, "over"))
      mt_scope_windows (k);
   else
      add_catalog_names (k);
}

static void add_names (MtCompletion *k, unsigned places)
{
   if (places & MT_PLACE_TABLE && !is_new (k, places)) {
      mt_choice_tables (k->sh, k->out, k->prefix);
      mt_scope_ctes (k);
   }
   if (places & MT_PLACE_COLUMN) {
      mt_scope_columns (k, NULL);
      mt_scope_result_names (k);
   }
   if (places & MT_PLACE_COLUMN && places & MT_PLACE_FUNCTION && *k->prefix)
      mt_scope_relations (k);
   if (places & MT_PLACE_FUNCTION && places & MT_PLACE_TABLE && *k->prefix)
      mt_choice_query (k->sh, k->out,
                       "SELECT DISTINCT proname || '(' FROM pg_catalog.pg_proc WHERE proretset",
                       k->prefix);
   else if (places & MT_PLACE_FUNCTION && *k->prefix)
      mt_choice_functions (k->sh, k->out, k->prefix, "(");
   if (places & MT_PLACE_TYPE && *k->prefix)
      mt_choice_query (k->sh, k->out, MT_QUERY_TYPES, k->prefix);
   if (places & MT_PLACE_SETTING)
      mt_choice_query (k->sh, k->out,
                       begins_with (k, "show")
                          ? "SELECT name FROM pg_catalog.pg_settings"
                          : "SELECT name FROM pg_catalog.pg_settings WHERE context = 'user'",
                       k->prefix);
   if (places & MT_PLACE_OPTION || places & MT_PLACE_EXPLAIN_OPTION)
      mt_complete_options (k);
   if (!(places & ~(unsigned) MT_PLACE_STEP))
      add_other_names (k);
}

/* ---- values of settings ---- */

static const char *setting_name (const MtCompletion *k)
{
   for (size_t i = k->before; i > 1; i--)
      if (mt_piece_is (k, i - 1, "to") || mt_piece_is (k, i - 1, "="))
         return mt_piece_name (k, i - 2);
   return "timezone"; /* SET TIME ZONE */
}

/* Adds the values of a setting. Within a string literal each is followed by the closing quote. */
static void add_setting_values (MtCompletion *k)
{
   const char *name = setting_name (k);
   const char *sql = mt_printf (
      k->a,
      "SELECT CASE WHEN %s THEN v || '''' WHEN v LIKE '%% %%' THEN quote_literal (v) ELSE v END "
      "FROM pg_catalog.pg_settings, "
      "unnest (CASE vartype WHEN 'bool' THEN ARRAY['on', 'off'] ELSE enumvals END) v "
      "WHERE lower (name) = '%s'",
      k->quoted ? "true" : "false", name);
   MtTableInfo *t;
   MtError err = {0};
   size_t n;
   if (strcmp (name, "timezone") == 0) {
      mt_choice_query (k->sh, k->out,
                       mt_printf (k->a, "SELECT %s FROM pg_catalog.pg_timezone_names",
                                  k->quoted ? "name || ''''" : "'''' || name || ''''"),
                       k->prefix);
   } else if (strcmp (name, "layout") == 0 || strcmp (name, "search_path") == 0) {
      if (*name == 's')
         mt_choice_query (k->sh, k->out,
                          "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_'",
                          k->prefix);
      else if (mt_tables (k->sh->session, k->a, &t, &n, &err))
         for (size_t i = 0; i < n; i++)
            for (size_t l = 0; l < t[i].layout_count; l++)
               mt_choice_if (k->out,
                             mt_printf (k->a, k->quoted ? "%s'" : "%s", t[i].layouts[l].name),
                             k->prefix);
   } else if (strchr (name, '\'') == NULL) {
      mt_choice_query (k->sh, k->out, sql, k->prefix);
   }
}

/* ---- the position of the cursor ---- */

/* Adds the names that can follow "name.": the tables of a schema, or the columns of a table. */
static void add_parts_of_name (MtCompletion *k)
{
   const char *qualifier = k->before > 1 ? mt_piece_name (k, k->before - 2) : "";
   if (!mt_choice_tables_of (k->sh, k->out, qualifier, k->prefix))
      mt_scope_columns (k, qualifier);
}

/* Returns whether the string literal at the cursor is the first argument of read_csv, read_json or
 * read_bson. */
static bool reads_file (const MtCompletion *k)
{
   return last_is (k, "(") && k->before > 1 &&
          strncmp (mt_piece_name (k, k->before - 2), "read_", 5) == 0;
}

static void complete_literal (MtCompletion *k, const MtExpected *e, const char *line)
{
   if (e->literals & (MT_PLACE_FILE | MT_PLACE_TABLE) || begins_with (k, "load") || reads_file (k))
      mt_choice_files (k->sh, k->out, line, "'");
   else if (e->literals & (MT_PLACE_SETTING_VALUE | MT_PLACE_ZONE))
      add_setting_values (k);
   else if (e->literals & MT_PLACE_OPTION_VALUE)
      mt_complete_option_values (k);
   else if (e->literals & MT_PLACE_COLUMN)
      mt_scope_values (k);
}

static void complete_name (MtCompletion *k, const MtExpected *e)
{
   if (last_is (k, ".")) {
      add_parts_of_name (k);
      return;
   }
   if (e->names & (MT_PLACE_SETTING_VALUE | MT_PLACE_ZONE))
      add_setting_values (k);
   else if (e->names & (MT_PLACE_OPTION_VALUE))
      mt_complete_option_values (k);
   else
      add_names (k, e->name ? e->names : 0);
   bool option = e->names & MT_PLACE_OPTION_VALUE && !(e->names & MT_PLACE_SETTING_VALUE),
        only_names = !*k->prefix && k->out->n &&
                     e->names & (MT_PLACE_COLUMN | MT_PLACE_SETTING_VALUE | MT_PLACE_OPTION |
                                 MT_PLACE_EXPLAIN_OPTION);
   if (!only_names && !option && !(e->names & MT_PLACE_OPTION && !*k->prefix))
      add_keywords (k, e);
}

void mt_complete_sql (MtShell *sh, const char *text, size_t cursor, MtChoices *out)
{
   MtCompletion k = {.sh = sh, .a = out->arena, .out = out};
   MtExpected e;
   size_t start = statement_start (text, cursor), from, end;
   MtInputState state;
   const char *rest = text + start;
   k.n = mt_input_complete (rest, strlen (rest), &end, &state) ? end : strlen (rest);
   k.sql = without_variables (k.a, mt_strndup (k.a, rest, k.n));
   cursor -= start;
   mt_parse_pieces (k.a, k.sql, cursor, &k.v, &k.count);
   if (!find_word (&k, cursor, &from))
      return;
   out->start = start + from;
   size_t head = k.before < k.count ? k.v[k.before].start : from;
   if (mt_parse_expect (k.a, k.sql, head, &e)) {
      if (k.quoted)
         complete_literal (&k, &e, mt_strndup (k.a, text, start + cursor));
      else
         complete_name (&k, &e);
   }
}

void mt_complete_results (MtShell *sh, const char *text, const char *prefix, MtChoices *out)
{
   size_t end = strlen (text);
   while (end && strchr ("; \t\n", text[end - 1]))
      end--;
   size_t start = statement_start (text, end);
   MtCompletion k = {.sh = sh, .a = out->arena, .out = out, .prefix = prefix, .n = end - start};
   k.sql = without_variables (k.a, mt_strndup (k.a, text + start, k.n));
   mt_parse_pieces (k.a, k.sql, k.n, &k.v, &k.count);
   k.before = k.count;
   size_t n = out->n;
   mt_scope_results (&k);
   if (out->n == n)
      mt_scope_columns (&k, NULL);
}
