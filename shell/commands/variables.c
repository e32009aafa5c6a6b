/* \set, \unset, \prompt, \getenv, \setenv, \encoding, and \if. */
#include "shell/commands/command_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool bad_name (MtCall *c, const char *name)
{
   if (mt_var_name_ok (name, strlen (name)))
      return false;
   mt_complain (c->sh, "error: invalid variable name: \"%s\"", name);
   return true;
}

/* The variables that the shell itself reads, with their allowed values. To add one, add a row. */
static const struct {
   const char *name;
   const char *values; /* NULL: any text or number */
   bool flag;          /* the value is on or off; an empty value is "on" */
} variables[] = {
   {"AUTOCOMMIT", "on off", true},
   {"COMP_KEYWORD_CASE", "lower upper preserve-lower preserve-upper", false},
   {"ECHO", "all errors none queries", false},
   {"EDITING", "emacs vi", false},
   {"FETCH_COUNT", NULL, false},
   {"HIGHLIGHT", "on off", true},
   {"HISTCONTROL", "none ignorespace ignoredups ignoreboth", false},
   {"HISTFILE", NULL, false},
   {"HISTSIZE", NULL, false},
   {"ON_ERROR_ROLLBACK", "on off interactive", true},
   {"ON_ERROR_STOP", "on off", true},
   {"PROMPT1", NULL, false},
   {"PROMPT2", NULL, false},
   {"PROMPT3", NULL, false},
   {"QUIET", "on off", true},
   {"VERBOSITY", "default verbose terse sqlstate", false},
};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* Returns the index of a variable in the table. VARIABLES: the shell does not read this
 * variable. */
static size_t find_variable (const char *name)
{
   size_t i = 0;
   while (i < VARIABLES && strcmp (variables[i].name, name) != 0)
      i++;
   return i;
}

const char *mt_variable_at (size_t i) { return i < VARIABLES ? variables[i].name : NULL; }

const char *mt_variable_values (const char *name)
{
   size_t i = find_variable (name);
   return i < VARIABLES ? variables[i].values : NULL;
}

static bool is_flag (const char *name)
{
   size_t i = find_variable (name);
   return i < VARIABLES && variables[i].flag;
}

/* Returns whether `value` is one of the words, which are separated by blanks. */
static bool is_word_of (const char *words, const char *value)
{
   size_t n = strlen (value);
   for (const char *p = words; *p; p += strcspn (p, " "), p += *p == ' ')
      if (strcspn (p, " ") == n && strncmp (p, value, n) == 0)
         return true;
   return false;
}

static void complain_of_value (MtCall *c, const char *name, const char *value, const char *words)
{
   MtBuf list = {0};
   if (strcmp (words, "on off") == 0) {
      mt_complain (c->sh, "error: unrecognized value \"%s\" for \"%s\": Boolean expected", value,
                   name);
      return;
   }
   for (const char *p = words; *p; p++)
      mt_buf_adds (&list, *p == ' ' ? ", " : (char[]) {*p, 0});
   mt_complain (c->sh, "error: unrecognized value \"%s\" for \"%s\"\nAvailable values are: %s.",
                value, name, list.p);
   mt_buf_free (&list);
}

/* Returns whether the value is wrong for a variable that the shell reads. If so, the error is
 * reported. */
static bool bad_value (MtCall *c, const char *name, const char *value)
{
   const char *words = mt_variable_values (name);
   bool b, flag = is_flag (name);
   if (words && !is_word_of (words, value) && !(flag && (!*value || mt_parse_bool (value, &b)))) {
      complain_of_value (c, name, value, words);
      return true;
   }
   char *end;
   bool number = strcmp (name, "FETCH_COUNT") == 0 || strcmp (name, "HISTSIZE") == 0;
   if (number && (strtol (value, &end, 10) < 0 || end == value || *end)) {
      mt_complain (c->sh, "error: invalid value \"%s\" for \"%s\": integer expected", value, name);
      return true;
   }
   return false;
}

bool mt_cmd_set (MtCall *c)
{
   MtVars *v = &c->sh->vars;
   if (!c->argc) {
      for (size_t i = 0; i < v->n; i++)
         printf ("%s = '%s'\n", v->v[i].name, v->v[i].value);
      return true;
   }
   MtBuf value = {0};
   for (size_t i = 1; i < c->argc; i++)
      mt_buf_adds (&value, c->argv[i]);
   const char *text = value.n ? value.p : "";
   bool flag = is_flag (c->argv[0]);
   bool ok = !bad_name (c, c->argv[0]) && !bad_value (c, c->argv[0], text);
   if (ok)
      mt_var_set (v, c->argv[0], flag && !*text ? "on" : text);
   mt_buf_free (&value);
   return ok;
}

/* Prints `prompt`, and reads a line without the line editor: in a script from standard input, else
 * from the terminal, if there is one. Returns false if there was no answer. */
static bool read_answer (MtShell *sh, const char *prompt, MtBuf *line)
{
   bool script = sh->source && sh->source->name;
   FILE *tty = script ? NULL : fopen ("/dev/tty", "r+"), *out = script ? stdout : stderr;
   if (tty)
      out = tty;
   char *p = NULL;
   size_t cap = 0;
   fputs (prompt, out);
   fflush (out);
   mt_interrupted = 0; /* an earlier Ctrl-C cancelled a statement, not this question */
   ssize_t n = getline (&p, &cap, tty ? tty : stdin);
   if (n > 0)
      mt_buf_add (line, p, (size_t) n - (p[n - 1] == '\n'));
   free (p);
   if (tty)
      fclose (tty);
   return n > 0;
}

/* Ends the running file after Ctrl-C was typed instead of an answer, as psql does. */
static void end_file (MtCall *c)
{
   if (c->src->terminal)
      return;
   putchar ('\n'); /* the terminal has echoed ^C */
   c->sh->quit = true;
}

bool mt_cmd_prompt (MtCall *c)
{
   if (!c->argc) {
      mt_complain (c->sh, "\\prompt: missing required argument");
      return false;
   }
   const char *text = c->argc > 1 ? c->argv[0] : "", *name = c->argv[c->argc > 1];
   MtBuf line = {0};
   if (bad_name (c, name))
      return false;
   /* A dashboard at a terminal reads its file again, but its own prompt has already set the
    * variable. */
   if (c->sh->board && c->sh->hides_notices && mt_var_get (&c->sh->vars, name))
      return true;
   bool terminal = c->src->terminal,
        ok = terminal ? mt_editor_ask (text, &line) : read_answer (c->sh, text, &line);
   if (ok && bad_value (c, name, line.n ? line.p : ""))
      ok = false;
   else if (ok)
      mt_var_set (&c->sh->vars, name, line.n ? line.p : "");
   else if (mt_signals_take_interrupt ())
      end_file (c);
   else
      mt_complain (c->sh, "\\prompt: could not read value for variable");
   mt_buf_free (&line);
   return ok;
}

bool mt_cmd_encoding (MtCall *c)
{
   if (!c->argc) {
      puts ("UTF8");
      return true;
   }
   bool known = strcasecmp (c->argv[0], "utf8") == 0 || strcasecmp (c->argv[0], "utf-8") == 0 ||
                strcasecmp (c->argv[0], "unicode") == 0;
   if (!known)
      mt_complain (c->sh, "%s: invalid encoding name or conversion procedure not found",
                   c->argv[0]);
   return known;
}

bool mt_cmd_unset (MtCall *c)
{
   if (!c->argc) {
      mt_complain (c->sh, "\\unset: missing required argument");
      return false;
   }
   if (bad_name (c, c->argv[0]))
      return false;
   mt_var_unset (&c->sh->vars, c->argv[0]);
   return true;
}

bool mt_cmd_getenv (MtCall *c)
{
   if (c->argc < 2) {
      mt_complain (c->sh, "\\getenv: missing required argument");
      return false;
   }
   const char *value = getenv (c->argv[1]);
   if (bad_name (c, c->argv[0]))
      return false;
   if (value)
      mt_var_set (&c->sh->vars, c->argv[0], value);
   return true;
}

/* Sets an environment variable for the programs that the shell starts: the editor, the pager, \!
 * and pipes. */
bool mt_cmd_setenv (MtCall *c)
{
   if (!c->argc || !*c->argv[0]) {
      mt_complain (c->sh, "\\setenv: missing required argument");
      return false;
   }
   if (strchr (c->argv[0], '=')) {
      mt_complain (c->sh, "\\setenv: environment variable name must not contain \"=\"");
      return false;
   }
   return (c->argc > 1 ? setenv (c->argv[0], c->argv[1], 1) : unsetenv (c->argv[0])) == 0;
}

/* ---- \if ---- */

/* Returns the truth of the argument "X" or "not X" of \if. If X is not Boolean, this is reported
 * and the result is false, but the command does not fail, as in psql. */
static bool truth (MtCall *c)
{
   size_t first = c->argc && strcmp (c->argv[0], "not") == 0;
   bool b = false;
   if (c->argc != first + 1 || !mt_parse_bool (c->argv[first], &b)) {
      mt_complain (c->sh,
                   "error: unrecognized value \"%s\" for \"\\%s expression\": Boolean expected",
                   c->argc ? c->argv[first < c->argc ? first : 0] : "", c->name);
      return false;
   }
   return first ? !b : b;
}

static bool open_if (MtCall *c)
{
   MtShell *sh = c->sh;
   bool outer = mt_shell_active (sh);
   if (sh->condition_count == MT_MAX_CONDITIONS) {
      mt_complain (sh, "\\if: more than %d blocks are open", MT_MAX_CONDITIONS);
      return false;
   }
   bool yes = outer && truth (c);
   sh->conditions[sh->condition_count++] = (MtCondition) {
      .taken = yes, .active = yes, .outer = outer};
   return true;
}

bool mt_cmd_if (MtCall *c)
{
   MtShell *sh = c->sh;
   if (strcmp (c->name, "if") == 0)
      return open_if (c);
   if (sh->condition_count <= c->src->conditions) {
      mt_complain (sh, "\\%s: no matching \\if", c->name);
      return false;
   }
   MtCondition *k = &sh->conditions[sh->condition_count - 1];
   if (strcmp (c->name, "endif") == 0) {
      sh->condition_count--;
      return true;
   }
   if (k->in_else) {
      mt_complain (sh, "\\%s: cannot occur after \\else", c->name);
      return false;
   }
   if (strcmp (c->name, "else") == 0) {
      k->active = k->outer && !k->taken;
      k->in_else = k->taken = true;
      return true;
   }
   k->active = k->outer && !k->taken && truth (c);
   k->taken |= k->active;
   return true;
}
