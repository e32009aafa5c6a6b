/* Completes the arguments of backslash commands. */
#include "shell/commands/command.h"
#include "shell/core/output.h"
#include "shell/complete_int.h"

#include <ctype.h>
#include <string.h>

/* Returns whether the word being typed is the file name after FROM or TO in \copy, which needs no
 * quotes. */
static bool names_file (const char *line)
{
   size_t at = strlen (line);
   while (at && !isspace ((unsigned char) line[at - 1]))
      at--;
   size_t end = at;
   while (end && isspace ((unsigned char) line[end - 1]))
      end--;
   size_t start = end;
   while (start && mt_word_char (line[start - 1]))
      start--;
   MtStr before = {line + start, end - start};
   return line[at] != '\'' &&
          (mt_str_ieq (before, MT_STR ("from")) || mt_str_ieq (before, MT_STR ("to")));
}

/* ---- backslash commands ---- */

static void commands (MtChoices *c, const char *prefix)
{
   const MtCommand *k;
   for (size_t i = 0; (k = mt_command_at (i)); i++) {
      if (strncmp (k->name, prefix, strlen (prefix)) == 0)
         mt_choice (c, mt_printf (c->arena, "\\%s", k->name));
   }
}

static void formats (MtChoices *c, const char *prefix)
{
   const MtFormat *f;
   for (size_t i = 0; (f = mt_format_at (i)); i++)
      mt_choice_if (c, f->name, prefix);
}

static void display_words (MtChoices *c, const char *args, const char *prefix)
{
   size_t n = strcspn (args, " \t");
   for (const MtDisplayOption *o = mt_display_options; o->name; o++) {
      if (!args[n])
         mt_choice_if (c, o->name, prefix);
      else if (strlen (o->name) == n && strncmp (o->name, args, n) == 0 && o->values)
         mt_choice_list (c, o->values, prefix);
      else if (strlen (o->name) == n && strncmp (o->name, args, n) == 0)
         formats (c, prefix);
   }
}

static void help_words (MtShell *sh, MtChoices *c, const char *prefix)
{
   for (const MtSqlHelp *h = mt_sql_help; h->name; h++)
      mt_choice_if (c, h->name, prefix);
   mt_choice_functions (sh, c, *prefix ? prefix : "\1", "");
}

/* ---- \chart ---- */

/* Adds the columns of a query's result: of the query in the line before the command, or else of the
 * previous query. */
static void result_columns (MtShell *sh, MtChoices *c, const char *line, const char *args,
                            const char *prefix)
{
   size_t n = (size_t) (args - line);
   while (n && line[n - 1] != '\\')
      n--;
   const char *query = mt_strndup (c->arena, line, n ? n - 1 : 0);
   if (!query[strspn (query, "; \t\n")])
      query = sh->previous.n ? sh->previous.p : "";
   mt_complete_results (sh, query, prefix, c);
}

/* Adds the values of option o of \chart. line: the text up to the cursor; args: where the arguments
 * begin in it. */
static void chart_values (MtShell *sh, MtChoices *c, const MtChartOption *o, const char *line,
                          const char *args)
{
   const char *prefix = line + c->start;
   if (strncmp (o->value, "COLUMN", 6) == 0)
      result_columns (sh, c, line, args, prefix);
   else if (*o->value >= 'a') /* lower case: a list of words */
      mt_choice_list (c, o->value, prefix);
}

/* Adds the kinds and options of \chart, or, after '=', the values of the option. args: where the
 * arguments begin in `line`. */
static void chart_words (MtShell *sh, MtChoices *c, const char *line, const char *args)
{
   size_t start = strlen (line);
   while (line + start > args && !isspace ((unsigned char) line[start - 1]))
      start--;
   const char *word = line + start, *equals = strchr (word, '='), *comma = strrchr (word, ',');
   c->start = start;
   if (equals)
      c->start = (size_t) ((comma ? comma : equals) + 1 - line);
   for (const MtChartKindRow *k = mt_chart_kinds; !equals && k->name; k++)
      mt_choice_if (c, k->name, word);
   for (const MtChartOption *o = mt_chart_option_rows; o->name; o++) {
      size_t n = strlen (o->name);
      if (!equals)
         mt_choice_if (c, mt_printf (c->arena, "%s=", o->name), word);
      else if ((size_t) (equals - word) == n && strncmp (word, o->name, n) == 0)
         chart_values (sh, c, o, line, args);
   }
   if (!equals && *word && !c->n)
      mt_choice_files (sh, c, line, "");
}

/* ---- \set ---- */

/* Adds the names of variables, or, after a name, the values that the variable can have. */
static void set_words (MtShell *sh, MtChoices *c, const char *args, const char *prefix)
{
   size_t n = strcspn (args, " \t");
   const char *values = args[n] ? mt_variable_values (mt_strndup (c->arena, args, n)) : NULL;
   if (values)
      mt_choice_list (c, values, prefix);
   else if (!args[n])
      mt_choice_variables (sh, c, prefix);
   for (size_t i = 0; !args[n] && mt_variable_at (i); i++)
      mt_choice_if (c, mt_variable_at (i), prefix);
}

/* ---- SQL, and names from the catalog ---- */

/* For each command whose argument is SQL, the beginning of the statement that this SQL completes.
 * To add a command, add a row. */
static const struct {
   const char *command;
   const char *head; /* the start of the statement that SQL continues; NULL: SQL is a statement */
   bool file;        /* a file name can be given instead of SQL */
} sql_commands[] = {
   {"copy", "copy ", false},
   {"compare", "declare c cursor for ", false},
   {"pipeline", "declare c cursor for ", false},
   {"advise", "declare c cursor for ", true},
};

/* Completes SQL in the argument of a backslash command. args: where the SQL begins in `line`. */
static void sql_args (MtShell *sh, MtChoices *c, const char *command, const char *line,
                      const char *args)
{
   const char *head = "";
   bool file = false;
   for (size_t i = 0; i < sizeof sql_commands / sizeof *sql_commands; i++)
      if (strcmp (sql_commands[i].command, command) == 0) {
         head = sql_commands[i].head;
         file = sql_commands[i].file && !strpbrk (args, " \t");
      }
   const char *sql = mt_printf (c->arena, "%s%s", head, args);
   mt_complete_sql (sh, sql, strlen (sql), c);
   c->start += (size_t) (args - line) - strlen (head);
   if (file && *args && !c->n)
      mt_choice_files (sh, c, line, "");
}

/* For each command whose argument is a name from the catalog, the query for the names. To add a
 * command, add a row. */
static const struct {
   const char *command, *sql;
} catalog_commands[] = {
   {"bind_named", MT_QUERY_PREPARED},
   {"close_prepared", MT_QUERY_PREPARED},
   {"dalert", MT_QUERY_ALERTS},
   {"dconfig", "SELECT name FROM pg_catalog.pg_settings"},
   {"dx", MT_QUERY_EXTENSIONS},
   {"dT", MT_QUERY_TYPES},
   {"dn", "SELECT nspname FROM pg_catalog.pg_namespace"},
};

static void catalog_names (MtShell *sh, MtChoices *c, const char *command, const char *prefix)
{
   for (size_t i = 0; i < sizeof catalog_commands / sizeof *catalog_commands; i++)
      if (strcmp (catalog_commands[i].command, command) == 0)
         mt_choice_query (sh, c, catalog_commands[i].sql, prefix);
}

/* Completes an argument of command k. line: the text up to the cursor; args: where the arguments
 * begin in it. */
static void command_args (MtShell *sh, MtChoices *c, const MtCommand *k, const char *line,
                          const char *args)
{
   const char *prefix = line + c->start;
   switch (k->completes) {
   case MT_COMPLETES_NOTHING: return;
   case MT_COMPLETES_TABLES: mt_choice_tables (sh, c, prefix); return;
   case MT_COMPLETES_FUNCTIONS: mt_choice_functions (sh, c, prefix, ""); return;
   case MT_COMPLETES_FILES: mt_choice_files (sh, c, line, ""); return;
   case MT_COMPLETES_SQL:
      if (strcmp (k->name, "copy") == 0 && names_file (line))
         mt_choice_files (sh, c, line, "");
      else
         sql_args (sh, c, k->name, line, args);
      return;
   case MT_COMPLETES_VARIABLES: mt_choice_variables (sh, c, prefix); return;
   case MT_COMPLETES_DISPLAY: display_words (c, args, prefix); return;
   case MT_COMPLETES_HELP: help_words (sh, c, prefix); return;
   case MT_COMPLETES_COMMANDS: commands (c, prefix); return;
   case MT_COMPLETES_CHART: chart_words (sh, c, line, args); return;
   case MT_COMPLETES_RESULTS: result_columns (sh, c, line, args, prefix); return;
   case MT_COMPLETES_CATALOG: catalog_names (sh, c, k->name, prefix); return;
   case MT_COMPLETES_SETTINGS: set_words (sh, c, args, prefix); return;
   case MT_COMPLETES_WATCH: mt_choice_list (c, "c= i=", prefix); return;
   case MT_COMPLETES_ON_OFF:
      mt_choice_list (c, strcmp (k->name, "x") == 0 ? "on off auto" : "on off", prefix);
      return;
   }
}

/* Completes a backslash command. b: the command's backslash in `line`, the text up to the
 * cursor. */
void mt_complete_command (MtShell *sh, MtChoices *out, const char *line, const char *b)
{
   const char *args = strpbrk (b, " \t");
   bool plus;
   if (!args) {
      out->start = (size_t) (b - line);
      commands (out, b + 1);
      return;
   }
   const MtCommand *k = mt_command_find (b + 1, (size_t) (args - b - 1), &plus);
   args += strspn (args, " \t");
   if (k)
      command_args (sh, out, k, line, args);
}
