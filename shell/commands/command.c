/* Backslash commands: reads their arguments, and calls their functions. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 256 };

/* The arrays of commands that extensions have added. No lock is needed, because the shell has one
 * thread. */
static const MtCommand **added;
static size_t added_count, added_cap;

void mt_commands_add (const MtCommand *rows)
{
   for (size_t i = 0; i < added_count; i++)
      if (added[i] == rows)
         return;
   MT_GROW ("commands", added, added_count, added_cap, 4);
   added[added_count++] = rows;
}

const MtCommand *mt_command_at (size_t index)
{
   const MtCommand *c = mt_commands;
   for (size_t list = 0;; c++) {
      while (!c->name) {
         if (list == added_count)
            return NULL;
         c = added[list++];
      }
      if (!index--)
         return c;
   }
}

const MtCommand *mt_command_find (const char *name, size_t n, bool *plus)
{
   const MtCommand *c;
   for (size_t i = 0; (c = mt_command_at (i)); i++) {
      size_t m = strlen (c->name);
      *plus = c->plus && n > m && name[n - 1] == '+';
      /* As in psql, S at the end of a command also lists system objects. S is allowed wherever +
       * is. */
      size_t bare = n;
      while (c->plus && bare > m && (name[bare - 1] == '+' || name[bare - 1] == 'S'))
         bare--;
      if (bare == m && memcmp (c->name, name, m) == 0)
         return c;
   }
   return NULL;
}

/* ---- arguments ---- */

static bool quoted_char (const char **p, char *out)
{
   static const char letters[] = "ntbrf", values[] = "\n\t\b\r\f";
   const char *s = *p, *at;
   if (*s >= '0' && *s <= '7') {
      unsigned v = 0;
      for (int i = 0; i < 3 && *s >= '0' && *s <= '7'; i++)
         v = v * 8 + (unsigned) (*s++ - '0');
      *out = (char) v;
   } else if (*s == 'x' && isxdigit ((unsigned char) s[1])) {
      char *end, hex[3] = {s[1], isxdigit ((unsigned char) s[2]) ? s[2] : 0, 0};
      *out = (char) strtoul (hex, &end, 16);
      s += 1 + (end - hex);
   } else {
      *out = *s && (at = strchr (letters, *s)) ? values[at - letters] : *s;
      s++;
   }
   *p = s;
   return true;
}

/* Reads a word in single quotes, with escapes as in C, and appends it to `out`. Returns false if
 * the closing quote is missing. */
static bool quoted_arg (MtBuf *in, size_t *pos, MtBuf *out)
{
   const char *p = in->p + *pos + 1;
   for (;;) {
      if (!*p)
         return false;
      if (*p == '\'' && p[1] == '\'') {
         mt_buf_addc (out, '\'');
         p += 2;
      } else if (*p == '\'') {
         *pos = (size_t) (p + 1 - in->p);
         return true;
      } else if (*p == '\\' && p[1]) {
         char c;
         p++;
         quoted_char (&p, &c);
         mt_buf_addc (out, c);
      } else {
         mt_buf_addc (out, *p++);
      }
   }
}

static bool double_quoted (MtBuf *in, size_t *pos, MtBuf *out)
{
   const char *p = in->p + *pos, *end = strchr (p + 1, '"');
   if (!end)
      return false;
   mt_buf_add (out, p, (size_t) (end + 1 - p));
   *pos = (size_t) (end + 1 - in->p);
   return true;
}

/* Runs the shell command in backticks, and appends its output without the last newline to `out`.
 * Returns false if the closing backtick is missing. */
static bool backticks (MtShell *sh, MtBuf *in, size_t *pos, MtBuf *out)
{
   const char *p = in->p + *pos + 1, *end = strchr (p, '`');
   if (!end)
      return false;
   char *command = mt_heap_strndup (p, (size_t) (end - p));
   *pos = (size_t) (end + 1 - in->p);
   FILE *f = sh->open.restricted ? NULL : popen (command, "r");
   free (command);
   if (!f) {
      mt_complain (sh, "commands are not allowed in a restricted session");
      return true;
   }
   char part[4096];
   size_t n, start = out->n;
   while ((n = fread (part, 1, sizeof part, f)) > 0)
      mt_buf_add (out, part, n);
   pclose (f);
   if (out->n > start && out->p[out->n - 1] == '\n')
      out->p[--out->n] = 0;
   return true;
}

/* Appends the value of the variable at *pos (:name and the like) to `out`. The value is not
 * searched for further variables. Returns false if there is no variable. */
static bool variable_arg (MtShell *sh, MtBuf *in, size_t *pos, MtBuf *out)
{
   size_t n;
   if (!mt_scan_variable (&sh->vars, in, *pos, &n))
      return false;
   mt_buf_add (out, in->p + *pos, n);
   *pos += n;
   return true;
}

/* Reads one argument. Returns NULL if the line has no further argument, or the next character is a
 * backslash. *broken: a quote is not closed. Owned by the caller (free). */
static char *next_arg (MtShell *sh, MtBuf *in, size_t *pos, bool *broken)
{
   MtBuf out = {0};
   bool any = false, closed = true;
   while (*pos < in->n && isspace ((unsigned char) in->p[*pos]))
      ++*pos;
   while (*pos < in->n && closed) {
      char c = in->p[*pos];
      if (isspace ((unsigned char) c) || c == '\\')
         break;
      any = true;
      if (c == '\'')
         closed = quoted_arg (in, pos, &out);
      else if (c == '"')
         closed = double_quoted (in, pos, &out);
      else if (c == '`')
         closed = backticks (sh, in, pos, &out);
      else if (c != ':' || !variable_arg (sh, in, pos, &out))
         mt_buf_addc (&out, in->p[(*pos)++]);
   }
   if (!closed) {
      mt_complain (sh, "error: unterminated quoted string");
      *broken = true;
   }
   if (!any || !closed) {
      mt_buf_free (&out);
      return NULL;
   }
   return out.p ? out.p : mt_heap_strdup ("");
}

static char *rest_of_line (MtInput *src)
{
   const char *p = src->input.p + src->pos, *end = src->input.p + src->input.n;
   while (p < end && isspace ((unsigned char) *p))
      p++;
   while (end > p && isspace ((unsigned char) end[-1]))
      end--;
   src->pos = src->input.n;
   return mt_heap_strndup (p, (size_t) (end - p));
}

/* Returns the next character of the line that is not a blank; 0 at its end. */
static char peek (const MtInput *src)
{
   size_t p = src->pos;
   while (p < src->input.n && isspace ((unsigned char) src->input.p[p]))
      p++;
   return p < src->input.n ? src->input.p[p] : 0;
}

/* Reads the options of \g (border=2 …) into `options`, ended by NULL: the arguments between
 * parentheses. If the line does not go on with '(', there are none. Returns false if the ')' is
 * missing. *broken: a quote is not closed. */
static bool read_options (MtShell *sh, MtInput *src, char **options, bool *broken)
{
   size_t n = 0;
   bool closed = peek (src) != '(';
   if (!closed)
      while (src->input.p[src->pos++] != '(') {}
   while (!closed && n < MAX_ARGS && (options[n] = next_arg (sh, &src->input, &src->pos, broken))) {
      size_t len = strlen (options[n]);
      closed = len && options[n][len - 1] == ')';
      if (closed)
         options[n][--len] = 0;
      if (len)
         n++;
      else
         free (options[n]);
   }
   options[n] = NULL;
   return closed;
}

/* Reads the arguments of a command into argv, as its row of the table says. Returns their
 * number. */
static size_t read_args (MtShell *sh, MtInput *src, const MtCommand *command, char **argv,
                         bool *broken)
{
   size_t n = 0;
   bool whole = command->kind == MT_ARGS_LINE ||
                ((command->kind == MT_ARGS_TARGET || command->kind == MT_ARGS_GO) &&
                 peek (src) == '|');
   if (whole) {
      argv[n] = rest_of_line (src);
      if (*argv[n])
         n++;
      else
         free (argv[n]);
   } else {
      while (n < MAX_ARGS && (argv[n] = next_arg (sh, &src->input, &src->pos, broken)))
         n++;
   }
   argv[n] = NULL;
   if (*broken)
      src->pos = src->input.n;
   /* "\\" separates commands, so it ends the arguments */
   if (src->pos + 1 < src->input.n && memcmp (src->input.p + src->pos, "\\\\", 2) == 0)
      src->pos += 2;
   return n;
}

static bool unknown (MtShell *sh, const char *name)
{
   const char *names[MAX_ARGS];
   size_t n = 0;
   for (const MtCommand *c; n < MAX_ARGS && (c = mt_command_at (n)); n++)
      names[n] = c->name;
   const char *near = mt_nearest (name, names, n);
   mt_complain (sh, "error: invalid command \\%s", name);
   if (near)
      fprintf (stderr, "HINT:  Perhaps you meant \\%s.\n", near);
   else
      fputs ("Try \\? for help.\n", stderr);
   return false;
}

static bool dispatch (MtShell *sh, MtInput *src, const char *name, MtAfterCommand *after)
{
   char *argv[MAX_ARGS + 1], *options[MAX_ARGS + 1] = {NULL};
   bool plus, broken = false, active = mt_shell_active (sh);
   const MtCommand *command = mt_command_find (name, strlen (name), &plus);
   if (!active && (!command || !command->conditional)) {
      free (rest_of_line (src));
      return true;
   }
   if (!command) {
      free (rest_of_line (src));
      return unknown (sh, name);
   }
   MtCall call = {.name = name,
                  .plus = plus,
                  .argv = argv,
                  .session = sh->session,
                  .tools = &mt_call_tools,
                  .sh = sh,
                  .src = src,
                  .options = options};
   call.unclosed = command->kind == MT_ARGS_GO && !read_options (sh, src, options, &broken) &&
                   !broken;
   call.argc = read_args (sh, src, command, argv, &broken);
   for (size_t i = 0; command->max_args >= 0 && i < call.argc; i++) {
      if (i >= (size_t) command->max_args)
         mt_complain (sh, "warning: \\%s: extra argument \"%s\" ignored", name, argv[i]);
   }
   mt_progress_begin (sh);
   bool out = command->reach == MT_REACHES_OUT ||
              (command->reach == MT_REACHES_OUT_NAMED && call.argc);
   if (!broken && out && sh->open.restricted) {
      mt_complain (sh, "\\%s is not allowed in a restricted session", command->name);
      broken = true;
   }
   bool only_prints = command->reach == MT_REACHES_TARGET || command->reach == MT_REACHES_OUT_NAMED;
   if (!broken && sh->board && only_prints && command->kind != MT_ARGS_GO) {
      mt_complain (sh, "\\%s is not for a dashboard", command->name);
      broken = true;
   }
   bool asks = !broken && command->reach == MT_REACHES_TARGET;
   if (asks)
      mt_signals_running (true);
   bool ok = !broken && command->run (&call);
   if (asks)
      mt_signals_running (false);
   for (size_t i = 0; i < call.argc; i++)
      free (argv[i]);
   for (char **o = options; *o; o++)
      free (*o);
   *after = call.after;
   return ok;
}

MtAfterCommand mt_command_run (MtShell *sh, MtInput *src)
{
   size_t start = src->pos, i = start;
   const char *p = src->input.p;
   MtAfterCommand after = {0};
   if (i < src->input.n && p[i] == ';') { /* "\;" ends a statement, but doesn't run the buffer */
      src->pos++;
      if (mt_shell_active (sh))
         mt_buf_addc (&src->query, ';');
      return after;
   }
   while (i < src->input.n && !isspace ((unsigned char) p[i]) && p[i] != '\\')
      i++;
   if (i == start) { /* "\\" alone */
      src->pos += i < src->input.n && p[i] == '\\';
      return after;
   }
   char *name = mt_heap_strndup (p + start, i - start);
   src->pos = i;
   if (!dispatch (sh, src, name, &after)) {
      mt_var_set (&sh->vars, "ERROR", "true");
      mt_fail (sh);
   }
   free (name);
   return after;
}
