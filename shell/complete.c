#include "shell/commands/command.h"
#include "shell/core/output.h"
#include "shell/complete.h"
#include "base/memory.h"

#include "parser/parser.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool word_char (char c)
{
   return isalnum ((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

static void add (MtChoices *c, const char *s)
{
   MT_GROW ("completions", c->v, c->n, c->cap, 64);
   c->v[c->n++] = s;
}

static void add_if (MtChoices *c, const char *s, const char *prefix)
{
   if (strncasecmp (s, prefix, strlen (prefix)) == 0)
      add (c, mt_strdup (c->arena, s));
}

static void add_list (MtChoices *c, const char *spaced, const char *prefix)
{
   for (const char *p = spaced; *p;) {
      size_t n = strcspn (p, " ");
      add_if (c, mt_strndup (c->arena, p, n), prefix);
      p += n + strspn (p + n, " ");
   }
}

/* ---- keywords: in the case that the user writes ---- */

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

static void keyword (MtShell *sh, MtChoices *c, const char *word, size_t n, const char *prefix)
{
   bool lower = wants_lower (sh, prefix);
   if (strncasecmp (word, prefix, strlen (prefix)) != 0)
      return;
   char *s = mt_strndup (c->arena, word, n);
   for (char *p = s; *p; p++)
      *p = (char) (lower ? tolower ((unsigned char) *p) : toupper ((unsigned char) *p));
   add (c, s);
}

static void keywords (MtShell *sh, MtChoices *c, const char *prefix)
{
   size_t n;
   const char *const *words = mt_keywords (&n);
   for (size_t i = 0; i < n && *prefix; i++)
      keyword (sh, c, words[i], strlen (words[i]), prefix);
}

/* ---- tables, columns, functions ---- */

static void tables (MtShell *sh, MtChoices *c, const char *prefix)
{
   MtTableInfo *t;
   MtError err = {0};
   size_t n;
   if (!mt_tables (sh->session, c->arena, &t, &n, NULL, NULL, &err))
      return;
   for (size_t i = 0; i < n; i++)
      if (!t[i].hidden)
         add_if (c, t[i].name, prefix);
}

static bool mentions (const char *text, const char *name)
{
   size_t n = strlen (name);
   for (const char *p = text; *p; p++) {
      if ((p == text || !word_char (p[-1])) && strncasecmp (p, name, n) == 0 && !word_char (p[n]))
         return true;
   }
   return false;
}

/* Adds the columns of the tables that the statement names, or of all tables if it names none. */
static void columns (MtShell *sh, MtChoices *c, const char *text, const char *prefix)
{
   MtTableInfo *t;
   MtError err = {0};
   size_t n;
   bool any = false;
   if (!mt_tables (sh->session, c->arena, &t, &n, NULL, NULL, &err))
      return;
   for (size_t i = 0; i < n; i++)
      any |= mentions (text, t[i].name);
   for (size_t i = 0; i < n; i++) {
      for (size_t k = 0; k < t[i].column_count && (!any || mentions (text, t[i].name)); k++)
         add_if (c, t[i].columns[k].name, prefix);
   }
}

static void functions (MtShell *sh, MtChoices *c, const char *prefix, const char *suffix)
{
   MtFunctionInfo *f;
   MtError err = {0};
   size_t n;
   if (!mt_functions (sh->session, c->arena, &f, &n, &err))
      return;
   for (size_t i = 0; i < n; i++) {
      if (word_char (f[i].name[0]) && strncasecmp (f[i].name, prefix, strlen (prefix)) == 0)
         add (c, mt_printf (c->arena, "%s%s", f[i].name, suffix));
   }
}

static void settings (MtShell *sh, MtChoices *c, const char *prefix)
{
   MtResult *r = NULL;
   MtError err = {0};
   bool more = true;
   if (!mt_query (sh->session, "SELECT name FROM pg_catalog.pg_settings", -1, &r, &err))
      return;
   while (mt_result_next (r, &more, &err) && more)
      add_if (c, mt_result_text (r, 0, NULL), prefix);
   mt_result_free (r);
}

/* ---- files ---- */

/* Adds the names of files to the choices. end: the text to add behind a file's name. */
static void files (const MtShell *sh, MtChoices *c, const char *line, const char *end)
{
   if (sh->open.restricted)
      return;
   size_t n = strlen (line), start = n;
   while (start && !isspace ((unsigned char) line[start - 1]) && line[start - 1] != '\'')
      start--;
   c->start = start;
   const char *word = line + start, *slash = strrchr (word, '/');
   char *folder = slash ? mt_strndup (c->arena, word, (size_t) (slash + 1 - word))
                        : mt_strdup (c->arena, "");
   const char *prefix = slash ? slash + 1 : word, *home = getenv ("HOME");
   const char *real = *folder ? folder : ".";
   if (strncmp (folder, "~/", 2) == 0 && home)
      real = mt_printf (c->arena, "%s%s", home, folder + 1);
   DIR *d = opendir (real);
   for (struct dirent *e; d && (e = readdir (d));) {
      if (strncmp (e->d_name, prefix, strlen (prefix)) != 0 ||
          (e->d_name[0] == '.' && *prefix != '.'))
         continue;
      struct stat st;
      bool dir = stat (mt_printf (c->arena, "%s/%s", real, e->d_name), &st) == 0 &&
                 S_ISDIR (st.st_mode);
      add (c, mt_printf (c->arena, "%s%s%s", folder, e->d_name, dir ? "/" : end));
   }
   if (d)
      closedir (d);
}

/* ---- statements ---- */

/* Copies the word before `end` in lower case. */
static void previous_word (const char *text, size_t end, char *out, size_t size)
{
   while (end && (isspace ((unsigned char) text[end - 1])))
      end--;
   size_t start = end;
   while (start && word_char (text[start - 1]))
      start--;
   size_t n = end - start < size - 1 ? end - start : size - 1;
   for (size_t i = 0; i < n; i++)
      out[i] = (char) tolower ((unsigned char) text[start + i]);
   out[n] = 0;
}

static bool in_list (const char *word, const char *list)
{
   char padded[40];
   snprintf (padded, sizeof padded, " %s ", word);
   return *word && strstr (list, padded);
}

/* Returns whether a file name is typed after FROM or TO of \copy, which needs no quotes. */
static bool names_file (const char *line)
{
   char last[32];
   size_t end = strlen (line);
   while (end && !isspace ((unsigned char) line[end - 1]))
      end--;
   previous_word (line, end, last, sizeof last);
   return line[end] != '\'' && in_list (last, " from to ");
}

/* Returns whether names of functions may follow the text. After DEFAULT they always may; some
 * statements have only names and keywords elsewhere. */
static bool takes_expressions (const char *text)
{
   char first[32];
   size_t from = strspn (text, " \t\n"), n = strcspn (text + from, " \t\n");
   previous_word (text, from + n, first, sizeof first);
   return !in_list (first, " alter comment drop check repair vacuum preallocate discard ") ||
          strcasestr (text, " default ");
}

/* Adds the words that may follow the statement so far. Returns false if no words are known, or no
 * word begins with the prefix. */
static bool known_words (MtShell *sh, MtChoices *c, const char *text, const char *prefix)
{
   size_t end = strlen (text);
   const char *words = end && text[end - 1] == '.' ? NULL : mt_words_behind (c->arena, text);
   for (const char *p = words ? words : ""; *p; p += strspn (p, " ")) {
      size_t n = strcspn (p, " ");
      if (strncmp (p, "$columns", n) == 0)
         columns (sh, c, text, prefix);
      else if (strncmp (p, "$settings", n) == 0)
         settings (sh, c, prefix);
      else if (strncmp (p, "$tables", n) == 0)
         tables (sh, c, prefix);
      else
         keyword (sh, c, p, n, prefix);
      p += n;
   }
   return c->n > 0;
}

static bool within_quotes (const char *text)
{
   bool quoted = false;
   for (; *text; text++)
      quoted ^= *text == '\'';
   return quoted;
}

static void sql (MtShell *sh, MtChoices *c, const char *before, const char *line,
                 const char *prefix)
{
   char last[32];
   char *text = mt_printf (c->arena, "%s %.*s", before, (int) c->start, line);
   if (within_quotes (text)) {
      if (mentions (text, "copy"))
         files (sh, c, line, "'");
      return;
   }
   if (known_words (sh, c, text, prefix))
      return;
   previous_word (text, strlen (text), last, sizeof last);
   if (in_list (
          last,
          " from join into table update truncate preallocate view describe analyze copy summarize "
          "vacuum of ")) {
      tables (sh, c, prefix);
      if (!in_list (last, " from join into update "))
         keywords (sh, c, prefix);
      return;
   }
   if (in_list (last, " using ") || in_list (last, " set show ")) {
      keywords (sh, c, prefix);
      return;
   }
   bool started = text[strspn (text, " \t\n(")] != 0;
   if (started) {
      columns (sh, c, text, prefix);
      if (*prefix && takes_expressions (text))
         functions (sh, c, prefix, "(");
      tables (sh, c, *prefix ? prefix : "\1");
   }
   keywords (sh, c, prefix);
}

/* ---- backslash commands ---- */

static void commands (MtChoices *c, const char *prefix)
{
   for (const MtCommand *k = mt_commands; k->name; k++) {
      if (strncmp (k->name, prefix, strlen (prefix)) == 0)
         add (c, mt_printf (c->arena, "\\%s", k->name));
   }
}

static void formats (MtChoices *c, const char *prefix)
{
   for (const MtFormat *f = mt_formats; f->name; f++)
      add_if (c, f->name, prefix);
}

static void display_words (MtChoices *c, const char *args, const char *prefix)
{
   size_t n = strcspn (args, " \t");
   for (const MtDisplayOption *o = mt_display_options; o->name; o++) {
      if (!args[n])
         add_if (c, o->name, prefix);
      else if (strlen (o->name) == n && strncmp (o->name, args, n) == 0 && o->values)
         add_list (c, o->values, prefix);
      else if (strlen (o->name) == n && strncmp (o->name, args, n) == 0)
         formats (c, prefix);
   }
}

static void variables (MtShell *sh, MtChoices *c, const char *prefix)
{
   for (size_t i = 0; i < sh->vars.n; i++)
      add_if (c, sh->vars.v[i].name, prefix);
}

static void help_words (MtShell *sh, MtChoices *c, const char *prefix)
{
   for (const MtSqlHelp *h = mt_sql_help; h->name; h++)
      add_if (c, h->name, prefix);
   functions (sh, c, *prefix ? prefix : "\1", "");
}

static void command_args (MtShell *sh, MtChoices *c, const MtCommand *k, const char *before,
                          const char *line, const char *args)
{
   const char *prefix = line + c->start;
   switch (k->completes) {
   case MT_COMPLETES_NOTHING: return;
   case MT_COMPLETES_TABLES: tables (sh, c, prefix); return;
   case MT_COMPLETES_FUNCTIONS: functions (sh, c, prefix, ""); return;
   case MT_COMPLETES_FILES: files (sh, c, line, ""); return;
   case MT_COMPLETES_SQL:
      if (strcmp (k->name, "copy") == 0 && names_file (line))
         files (sh, c, line, "");
      else
         sql (sh, c, before, line, prefix);
      return;
   case MT_COMPLETES_VARIABLES: variables (sh, c, prefix); return;
   case MT_COMPLETES_DISPLAY: display_words (c, args, prefix); return;
   case MT_COMPLETES_HELP: help_words (sh, c, prefix); return;
   case MT_COMPLETES_COMMANDS: commands (c, prefix); return;
   case MT_COMPLETES_ON_OFF:
      add_list (c, strcmp (k->name, "x") == 0 ? "on off auto" : "on off", prefix);
      return;
   }
}

static int order (const void *a, const void *b)
{
   return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void sort (MtChoices *c)
{
   size_t kept = 0;
   if (c->n)
      qsort (c->v, c->n, sizeof *c->v, order);
   for (size_t i = 0; i < c->n; i++) {
      if (!kept || strcmp (c->v[i], c->v[kept - 1]) != 0)
         c->v[kept++] = c->v[i];
   }
   c->n = kept;
}

/* Returns the last backslash of the line outside quotes; NULL: no such backslash. */
static const char *backslash (const char *line)
{
   const char *found = NULL;
   bool quoted = false;
   for (const char *p = line; *p; p++) {
      quoted ^= *p == '\'';
      if (*p == '\\' && !quoted)
         found = p;
   }
   return found;
}

void mt_complete (MtShell *sh, const char *before, const char *line, MtChoices *out)
{
   *out = (MtChoices) {.arena = mt_arena_new ("completion", NULL)};
   mt_progress_begin (sh);
   size_t n = strlen (line);
   while (n && word_char (line[n - 1]))
      n--;
   out->start = n;
   const char *b = backslash (line), *args;
   bool plus;
   if (b && !(args = strpbrk (b, " \t"))) {
      out->start = (size_t) (b - line);
      commands (out, b + 1);
   } else if (b) {
      const MtCommand *k = mt_command_find (b + 1, (size_t) (args - b - 1), &plus);
      args += strspn (args, " \t");
      if (k)
         command_args (sh, out, k, before, line, args);
   } else if (n && line[n - 1] == ':') {
      variables (sh, out, line + n);
   } else {
      sql (sh, out, before, line, line + n);
   }
   sort (out);
}
