/* Commands that run the query buffer, read or write files, or call the operating system. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- running the query buffer ---- */

/* The commands that run the query buffer. words: the arguments are stored in MtGo.args. Otherwise
 * the only argument is where the output goes: a file, or a command after '|'. */
static const struct Go {
   const char *name;
   MtGoKind kind;
   bool words, expanded;
} goes[] = {
   {"g", MT_GO_PRINT, false, false},       {"gx", MT_GO_PRINT, false, true},
   {"gset", MT_GO_SET, true, false},       {"gexec", MT_GO_EXEC, true, false},
   {"gdesc", MT_GO_DESCRIBE, true, false}, {"crosstabview", MT_GO_CROSSTAB, true, false},
};

/* Sets the display options in parentheses of \g (format=csv title='a b') for this statement only.
 * As in psql, all options are set before a wrong one makes the command fail. */
static bool take_options (MtCall *c)
{
   bool ok = true;
   for (char **o = c->options; *o; o++) {
      char *value = strchr (*o, '=');
      if (value)
         *value++ = 0;
      if (!c->sh->go.display)
         c->sh->go.display = mt_display_keep (c->sh);
      ok = mt_display_set (c->sh, *o, value, true) && ok;
   }
   if (c->unclosed)
      mt_complain (c->sh, "\\%s: missing right parenthesis", c->name);
   return ok && !c->unclosed;
}

void mt_take_previous (MtCall *c)
{
   const MtBuf *previous = &c->sh->previous;
   if (!c->src->query.n && previous->n)
      mt_buf_add (&c->src->query, previous->p, previous->n);
}

bool mt_cmd_go (MtCall *c)
{
   MtShell *sh = c->sh;
   const struct Go *go = goes;
   while (strcmp (go->name, c->name) != 0)
      go++;
   mt_go_clear (sh);
   if (!take_options (c)) {
      mt_go_clear (sh);
      return false;
   }
   mt_take_previous (c);
   sh->go.kind = go->kind;
   sh->go.expanded = go->expanded;
   if (!go->words && c->argc)
      sh->go.target = mt_heap_strdup (c->argv[0]);
   for (size_t i = 0; go->words && i < c->argc && i < MT_GO_ARGS; i++)
      sh->go.args[i] = mt_heap_strdup (c->argv[i]);
   c->after.send = true;
   return true;
}

static double interval (const char *s, bool *ok)
{
   char *end;
   double v = strtod (strncmp (s, "i=", 2) == 0 ? s + 2 : s, &end);
   *ok = end != s && !*end && v >= 0;
   return v;
}

/* Waits for this time; if a chart is drawn, only until the window's size changes. Returns false if
 * Ctrl-C ended the wait. */
static bool pause_for (const MtShell *sh, double seconds)
{
   struct timespec t = {(time_t) seconds, (long) ((seconds - (double) (time_t) seconds) * 1e9)};
   bool redraws = sh->go.kind == MT_GO_CHART;
   while (!mt_interrupted && nanosleep (&t, &t) != 0 && !(redraws && mt_signals_was_resized ())) {}
   return !mt_interrupted;
}

/* Runs the query again and again, until it fails, Ctrl-C is pressed, or it has run `times` times
 * (negative: no limit). */
static bool run_repeatedly (MtShell *sh, const char *sql, double seconds, long times)
{
   char title[128], when[64];
   bool ok;
   do {
      time_t now = time (NULL);
      struct tm tm;
      strftime (when, sizeof when, "%c", localtime_r (&now, &tm));
      snprintf (title, sizeof title, "%s (every %gs)\n", when, seconds);
      sh->display.o.title = title;
      ok = mt_run_statement (sh, sql, strlen (sql));
   } while (ok && --times != 0 && !sh->reader_gone && pause_for (sh, seconds));
   return ok;
}

/* Empties the query buffer, as \r does. As in psql, \watch does it at its end, also after an
 * error. */
static void drop_query (MtInput *src)
{
   mt_buf_clear (&src->query);
   src->scan = (MtTextScan) {0};
}

bool mt_cmd_watch (MtCall *c)
{
   MtShell *sh = c->sh;
   double seconds = 2;
   long times = -1;
   bool ok = true;
   if (sh->board) {
      mt_complain (sh, "\\watch is not for a dashboard");
      fputs ("HINT:  Use the option refresh of \\dashboard.\n", stderr);
      return false;
   }
   for (size_t i = 0; i < c->argc && ok; i++) {
      if (strncmp (c->argv[i], "c=", 2) == 0)
         times = strtol (c->argv[i] + 2, NULL, 10);
      else
         seconds = interval (c->argv[i], &ok);
      if (!ok)
         mt_complain (sh, "\\watch: incorrect interval value \"%s\"", c->argv[i]);
   }
   MtBuf *q = c->src->query.n ? &c->src->query : &sh->previous;
   if (ok && !q->n)
      mt_complain (sh, "\\watch cannot be used with an empty query");
   if (!ok || !q->n) {
      drop_query (c->src);
      return false;
   }
   char *sql = mt_heap_strndup (q->p, q->n);
   const char *kept = sh->display.o.title;
   if (q == &sh->previous && sh->charted) {
      sh->go = (MtGo) {.kind = MT_GO_CHART, .chart = &sh->chart};
      sh->redrawn_lines = 0;
      mt_signals_take_resize ();
   }
   ok = run_repeatedly (sh, sql, seconds, times);
   mt_go_clear (sh);
   sh->redrawn_lines = -1;
   if (mt_interrupted && sh->interactive)
      putchar ('\n'); /* the terminal has echoed ^C */
   mt_interrupted = 0;
   sh->display.o.title = kept;
   mt_buf_clear (&sh->previous);
   mt_buf_adds (&sh->previous, sql);
   drop_query (c->src);
   free (sql);
   return ok;
}

bool mt_cmd_print (MtCall *c)
{
   const MtBuf *q = c->src->query.n ? &c->src->query : &c->sh->previous;
   if (q->n)
      printf ("%.*s\n", (int) (q->n - (q->p[q->n - 1] == '\n')), q->p);
   else
      puts ("Query buffer is empty.");
   fflush (stdout);
   return true;
}

bool mt_cmd_errverbose (MtCall *c)
{
   mt_report_last_error (c->sh);
   return true;
}

bool mt_cmd_reset (MtCall *c)
{
   drop_query (c->src);
   if (!mt_var_bool (&c->sh->vars, "QUIET", false))
      puts ("Query buffer reset (cleared).");
   return true;
}

bool mt_cmd_write (MtCall *c)
{
   const MtBuf *q = c->src->query.n ? &c->src->query : &c->sh->previous;
   if (!c->argc) {
      mt_complain (c->sh, "\\w: missing required argument");
      return false;
   }
   bool pipe = c->argv[0][0] == '|';
   FILE *f = pipe ? mt_open_pipe (c->argv[0] + 1) : fopen (c->argv[0], "w");
   if (!f) {
      mt_complain (c->sh, "%s: %s", c->argv[0], strerror (errno));
      return false;
   }
   fprintf (f, "%s\n", q->n ? q->p : "");
   bool ok = !ferror (f);
   ok = (pipe ? mt_close_pipe (f) : fclose (f)) == 0 && ok;
   if (!ok)
      mt_complain (c->sh, "%s: could not write", c->argv[0]);
   return ok;
}

/* ---- \e ---- */

static bool run_editor (MtShell *sh, const char *path)
{
   static const char *const names[] = {"MTSQL_EDITOR", "EDITOR", "VISUAL"};
   const char *editor = NULL;
   for (size_t i = 0; i < 3 && !editor; i++)
      editor = getenv (names[i]);
   MtBuf b = {0};
   mt_buf_printf (&b, "%s '%s'", editor ? editor : "vi", path);
   int status = system (b.p);
   mt_buf_free (&b);
   if (status == 0)
      return true;
   mt_complain (sh, "could not start editor \"%s\"", editor ? editor : "vi");
   return false;
}

static bool slurp (MtShell *sh, const char *path, MtBuf *out)
{
   FILE *f = fopen (path, "r");
   char part[4096];
   size_t n;
   if (!f) {
      mt_complain (sh, "%s: %s", path, strerror (errno));
      return false;
   }
   while ((n = fread (part, 1, sizeof part, f)) > 0)
      mt_buf_add (out, part, n);
   fclose (f);
   return true;
}

/* Replaces the query buffer and the rest of the line by the edited text, also in the history.
 * again: the user did not change the text (the previous statement or a file), so it is not run
 * again. */
static void take_text (MtCall *c, MtBuf *text, bool again)
{
   MtShell *sh = c->sh;
   MtInput *src = c->src;
   src->scan = (MtTextScan) {0};
   src->pos = src->input.n;
   mt_buf_clear (&src->query);
   while (text->n && strchr (" \t\r\n", text->p[text->n - 1]))
      text->p[--text->n] = 0;
   if (again || !text->n)
      return;
   mt_buf_clear (&sh->shown);
   mt_buf_add (&sh->shown, text->p, text->n);
   if (src->terminal)
      fprintf (stdout, "%s\n", text->p);
   mt_buf_clear (&sh->edited);
   mt_buf_add (&sh->edited, text->p, text->n);
}

/* Returns whether the editor left the file unchanged, by psql's criteria: size, inode and time. */
static bool is_as_it_was (const char *path, const struct stat *before)
{
   struct stat now;
   return stat (path, &now) == 0 && now.st_size == before->st_size &&
          now.st_ino == before->st_ino && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
          now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

/* Creates a temporary file with the text. path: a template for mkstemps, which receives the file's
 * name. */
static bool make_file (MtShell *sh, char *path, const char *text)
{
   int fd = mkstemps (path, 4);
   FILE *f = fd < 0 ? NULL : fdopen (fd, "w");
   if (!f) {
      mt_complain (sh, "could not create a temporary file: %s", strerror (errno));
      return false;
   }
   fprintf (f, "%s\n", text);
   fflush (f);
   /* Sets the file's time to the past, so that a quick edit changes it even if times have a
    * resolution of a second. */
   const struct timespec before_now = {.tv_sec = time (NULL) - 2};
   futimens (fd, (struct timespec[2]) {before_now, before_now});
   fclose (f);
   return true;
}

#define NEW_FILE "/tmp/mtsql.edit.XXXXXX.sql"

bool mt_cmd_edit (MtCall *c)
{
   MtShell *sh = c->sh;
   bool typed = !c->argc && c->src->query.n;
   struct stat before = {0};
   char path[] = NEW_FILE;
   const char *name = c->argc ? c->argv[0] : path;
   const MtBuf *q = c->src->query.n ? &c->src->query : &sh->previous;
   if (!c->argc && !make_file (sh, path, q->n ? q->p : ""))
      return false;
   MtBuf text = {0};
   bool there = stat (name, &before) == 0, ok = run_editor (sh, name) && slurp (sh, name, &text);
   if (ok)
      take_text (c, &text, !typed && there && is_as_it_was (name, &before));
   mt_buf_free (&text);
   if (!c->argc)
      unlink (path);
   return ok;
}

bool mt_edit_elsewhere (MtShell *sh, MtBuf *text)
{
   char path[] = NEW_FILE;
   if (sh->open.restricted || !make_file (sh, path, text->n ? text->p : ""))
      return false;
   MtBuf edited = {0};
   bool ok = run_editor (sh, path) && slurp (sh, path, &edited);
   while (edited.n && strchr (" \t\r\n", edited.p[edited.n - 1]))
      edited.p[--edited.n] = 0;
   unlink (path);
   mt_buf_free (ok ? text : &edited);
   if (ok)
      *text = edited;
   return ok;
}

/* ---- files ---- */

bool mt_cmd_include (MtCall *c)
{
   MtShell *sh = c->sh;
   if (!c->argc) {
      mt_complain (sh, "\\%s: missing required argument", c->name);
      return false;
   }
   MtBuf path = {0};
   const char *base = sh->source->name, *slash = base ? strrchr (base, '/') : NULL;
   if (strcmp (c->name, "ir") == 0 && c->argv[0][0] != '/' && slash)
      mt_buf_add (&path, base, (size_t) (slash + 1 - base));
   if (strncmp (c->argv[0], "~/", 2) == 0 && getenv ("HOME"))
      mt_buf_printf (&path, "%s%s", getenv ("HOME"), c->argv[0] + 1);
   else
      mt_buf_adds (&path, c->argv[0]);
   c->after.include = path.p;
   return true;
}

bool mt_cmd_output (MtCall *c) { return mt_out_redirect (c->sh, c->argc ? c->argv[0] : NULL); }

bool mt_cmd_echo (MtCall *c)
{
   FILE *f = c->name[0] == 'w' ? stderr : stdout;
   if (c->name[0] == 'q')
      f = mt_output (c->sh);
   size_t first = c->argc && strcmp (c->argv[0], "-n") == 0;
   for (size_t i = first; i < c->argc; i++)
      fprintf (f, "%s%s", i > first ? " " : "", c->argv[i]);
   if (!first)
      fputc ('\n', f);
   fflush (f);
   return true;
}

/* ---- operating system ---- */

static int exit_code (int status)
{
   if (status == -1)
      return -1;
   return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

bool mt_cmd_shell (MtCall *c)
{
   const char *shell = getenv ("SHELL");
   fflush (NULL);
   shell = shell ? shell : "/bin/sh";
   int status = system (c->argc ? c->argv[0] : shell);
   char text[16];
   snprintf (text, sizeof text, "%d", exit_code (status));
   mt_var_set (&c->sh->vars, "SHELL_EXIT_CODE", text);
   mt_var_set (&c->sh->vars, "SHELL_ERROR", status ? "true" : "false");
   if (status == -1 || (WIFEXITED (status) && WEXITSTATUS (status) == 127)) {
      mt_complain (c->sh, "\\!: failed");
      return false;
   }
   return true;
}

bool mt_cmd_chdir (MtCall *c)
{
   const char *folder = c->argc ? c->argv[0] : getenv ("HOME");
   if (folder && chdir (folder) == 0)
      return true;
   mt_complain (c->sh, "\\cd: could not change directory to \"%s\": %s", folder ? folder : "",
                strerror (errno));
   return false;
}

bool mt_cmd_quit (MtCall *c)
{
   c->sh->quit = true;
   if (c->argc) {
      char *end;
      long code = strtol (c->argv[0], &end, 10);
      if (end == c->argv[0] || *end || code < 0 || code > 255) {
         mt_complain (c->sh, "\\q: invalid exit code \"%s\"", c->argv[0]);
         c->sh->quit = false;
         return false;
      }
      c->sh->exit_code = (int) code;
      c->sh->stop = true;
   }
   mt_buf_clear (&c->src->query);
   return true;
}

bool mt_cmd_history (MtCall *c)
{
   FILE *f = stdout;
   if (c->argc)
      f = fopen (c->argv[0], "w");
   if (!f) {
      mt_complain (c->sh, "%s: %s", c->argv[0], strerror (errno));
      return false;
   }
   bool ok = mt_history_write (f);
   if (!ok)
      mt_complain (c->sh, "there is no history, because the input is not a terminal");
   if (f != stdout)
      fclose (f);
   return ok;
}
