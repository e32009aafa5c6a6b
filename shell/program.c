/* Runs the program, from its start to its exit. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "shell/dashboard/board.h"
#include "shell/dashboard/dashboard.h"
#include "shell/program.h"
#include "shell/commands/command.h"
#include "shell/core/password.h"
#include "base/memory.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run_rc (MtShell *sh)
{
   if (sh->open.restricted)
      return;
   const char *rc = getenv ("MTSQLRC"), *home = getenv ("HOME");
   MtBuf path = {0};
   if (rc)
      mt_buf_adds (&path, rc);
   else if (home)
      mt_buf_printf (&path, "%s/.mtsqlrc", home);
   if (path.n && access (path.p, R_OK) == 0)
      mt_run_file (sh, path.p, true);
   mt_buf_free (&path);
}

static void run_actions (MtShell *sh, const MtOptions *o)
{
   bool going = true;
   for (size_t i = 0; i < o->action_count && going; i++)
      going = o->actions[i].file ? mt_run_file (sh, o->actions[i].arg, false)
                                 : mt_run_text (sh, o->actions[i].arg);
}

static bool emit (void *ctx, const char *line, size_t n)
{
   MtShell *sh = ctx;
   FILE *f = mt_output (sh);
   mt_progress_clear (sh);
   if (fwrite (line, 1, n, f) == n && ((n && line[n - 1] == '\n') || fputc ('\n', f) != EOF))
      return true;
   mt_output_failed (sh, f);
   return false;
}

static void run_aggregate (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_aggregate (sh->session, &o->aggregate, emit, sh, &err);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok && !sh->reader_gone) {
      mt_report_error (sh, &err, o->aggregate.text, strlen (o->aggregate.text));
      sh->failed = true;
   }
}

static void run_dump (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   char *database = mt_shell_database (sh->target);
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_dump (sh->session, o->dump_folder, database, o->gzip, &err);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok) {
      mt_report_error (sh, &err, NULL, 0);
      sh->failed = true;
   }
   free (database);
}

static void print_line (void *ctx, const char *text)
{
   mt_progress_clear (ctx);
   fprintf (mt_output (ctx), "%s\n", text);
}

static void run_salvage (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   bool whole = false;
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_salvage (sh->session, o->salvage_folder, o->salvage_to, (MtReport) {print_line, sh},
                         &whole, &err);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok)
      mt_report_error (sh, &err, NULL, 0);
   sh->failed |= !whole;
}

/* Returns the .html file that -o names for a dashboard; NULL: the dashboard is printed as text. */
static const char *page_of (const MtOptions *o)
{
   size_t n = o->dashboard && o->output ? strlen (o->output) : 0;
   return n > 5 && *o->output != '|' && mt_ieq (o->output + n - 5, ".html") ? o->output : NULL;
}

static bool read_board (MtShell *sh, const char *file, MtBoard *out)
{
   sh->board = out;
   mt_run_file (sh, file, false);
   bool ok = !sh->failed && sh->exit_code < 0 && mt_board_check (sh, file);
   sh->board = NULL;
   return ok;
}

static void run_dashboard (MtShell *sh, const MtOptions *o)
{
   MtBoard board = {0};
   const MtBoardFile file = {o->dashboard, read_board};
   if (read_board (sh, o->dashboard, &board))
      mt_dashboard_show (sh, &board, &file, page_of (o));
   mt_board_free (&board);
}

/* Returns whether the options select a single task, such as --dump. Then no start-up file is read
 * and no prompt is shown. */
static bool is_one_task (const MtOptions *o)
{
   return o->aggregate.collection || o->dump_folder || o->salvage_folder || o->check_alerts ||
          o->dashboard || o->maintain || o->listen.address;
}

static void run (MtShell *sh, const MtOptions *o)
{
   if (!o->no_rc && !is_one_task (o))
      run_rc (sh);
   if (sh->stop)
      return;
   if (o->single && !mt_run_single_begin (sh))
      return;
   if (o->aggregate.collection)
      run_aggregate (sh, o);
   else if (o->dump_folder)
      run_dump (sh, o);
   else if (o->salvage_folder)
      run_salvage (sh, o);
   else if (o->check_alerts)
      mt_run_check_alerts (sh, o);
   else if (o->dashboard)
      run_dashboard (sh, o);
   else if (o->maintain)
      mt_run_maintain (sh);
   else if (o->listen.address)
      mt_run_listen (sh, o);
   else if (o->action_count)
      run_actions (sh, o);
   else if (sh->interactive)
      sh->exit_code = mt_repl (sh);
   else
      mt_run_stream (sh, stdin, "<stdin>");
   if (o->single)
      mt_run_single_end (sh);
   if (sh->terminal_err && !mt_var_bool (&sh->vars, "QUIET", false) && mt_shell_lacks_store (sh))
      mt_complain (sh, "warning: there is no store \"%s\"; nothing was written, so none was made",
                   sh->target);
}

/* Returns the exit status. If the program that reads standard output has ended, ends this program
 * with SIGPIPE, as other programs do. A full disk is an error. */
static int finish (MtShell *sh, int code)
{
   bool gone = sh->reader_gone && !sh->disk_full, full = sh->disk_full;
   code = full && !code ? MT_EXIT_STATEMENT : code;
   mt_shell_free (sh);
   if (fflush (stdout) != 0 && !gone && !full) {
      gone = errno == EPIPE;
      if (!gone)
         fprintf (stderr, "mtsql: error: could not write to standard output: %s\n",
                  strerror (errno));
      code = code ? code : MT_EXIT_STATEMENT;
   }
   if (gone) {
      signal (SIGPIPE, SIG_DFL);
      raise (SIGPIPE);
   }
   return code;
}

/* Returns a copy of the arguments in one allocation (free), and overwrites the passwords in
 * argv. */
static char **take_arguments (int argc, char **argv)
{
   size_t size = ((size_t) argc + 1) * sizeof (char *);
   for (int i = 0; i < argc; i++)
      size += strlen (argv[i]) + 1;
   char **copy = mt_malloc ("arguments", size), *at = (char *) (copy + argc + 1);
   for (int i = 0; i < argc; i++) {
      copy[i] = at;
      at = stpcpy (at, argv[i]) + 1;
      mt_blank_passwords (argv[i]);
   }
   copy[argc] = NULL;
   return copy;
}

/* Returns the name of a given option that needs a target; NULL: none was given. */
static const char *needs_target (const MtOptions *o)
{
   if (o->maintain)
      return "maintain";
   if (o->listen.address)
      return "listen";
   return o->check_alerts ? "check-alerts" : NULL;
}

static int run_program (int argc, char **argv)
{
   MtShell sh;
   MtOptions o;
   setlocale (LC_ALL, "");
   setlocale (LC_NUMERIC, "C");
   mt_shell_init (&sh);
   sh.open.extension = mt_shell_extension;
   int code = mt_options_parse (&sh, &o, argc, argv);
   if (code || o.done) {
      free (o.actions);
      free (o.names);
      return finish (&sh, code);
   }
   if (o.user_add) {
      code = mt_run_user_add (&sh, &o);
      free (o.actions);
      free (o.names);
      return finish (&sh, code);
   }
   sh.open.read_only |= o.dashboard != NULL;
   sh.interactive = sh.terminal_in && !o.action_count && !is_one_task (&o);
   if (!mt_var_get (&sh.vars, "ON_ERROR_STOP"))
      mt_var_set (&sh.vars, "ON_ERROR_STOP", sh.interactive ? "off" : "on");
   mt_signals_init (&sh);
   const char *uri = getenv ("MTSQL_URI");
   if (!sh.target && uri && *uri && !o.salvage_folder)
      sh.target = mt_heap_strdup (uri);
   const char *needs = needs_target (&o);
   if (!sh.target && needs) {
      fprintf (stderr, "mtsql: error: option --%s needs a target\n", needs);
      free (o.actions);
      free (o.names);
      return finish (&sh, MT_EXIT_USAGE);
   }
   char *target = sh.target;
   sh.target = NULL;
   if (!mt_shell_connect (&sh, target)) {
      code = MT_EXIT_CONNECTION;
   } else if (o.format && !mt_display_set (&sh, "format", o.format, true)) {
      code = MT_EXIT_USAGE;
   } else if (o.output && !page_of (&o) && !mt_out_redirect (&sh, o.output)) {
      code = MT_EXIT_USAGE;
   } else {
      run (&sh, &o);
      code = sh.failed && !sh.interactive ? MT_EXIT_STATEMENT : MT_EXIT_OK;
      if (sh.exit_code >= 0)
         code = sh.exit_code;
   }
   free (target);
   free (o.actions);
   free (o.names);
   return finish (&sh, code);
}

int mt_shell_main (int argc, char **argv)
{
   char **arguments = take_arguments (argc, argv);
   int code = run_program (argc, arguments);
   free (arguments);
   return code;
}
