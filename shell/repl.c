/* The loop at the terminal: reads lines, runs them, and adds statements to the history. */
#include "shell/commands/command.h"
#include "shell/core/input.h"
#include "shell/program.h"
#include "shell/complete.h"
#include "shell/highlight.h"
#include "shell/hint.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void interrupt (MtShell *sh, MtInput *src)
{
   puts ("^C");
   mt_buf_clear (&src->query);
   mt_buf_clear (&sh->shown);
   src->scan = (MtTextScan) {0};
}

/* Handles the words quit, exit and help without a backslash, as psql does. Returns true if the line
 * was handled completely. */
static bool plain_word (MtShell *sh, const MtInput *src, const char *line)
{
   bool leaves = mt_plain_word (line, "quit") || mt_plain_word (line, "exit"),
        helps = mt_plain_word (line, "help"), within = src->query.n || src->scan.quote;
   if (!leaves && !helps)
      return false;
   if (within)
      puts (leaves ? "Use \\q to quit."
                   : "Use \\? for help or press control-C to clear the input buffer.");
   else if (helps)
      puts ("You are using mtsql, SQL for time series in MongoDB.\n"
            "Type:  \\h for help with SQL statements and functions\n"
            "       \\? for help with mtsql commands\n"
            "       \\g or terminate with semicolon to run a query\n"
            "       \\q to quit");
   else
      sh->quit = true;
   return !within;
}

static void take_line (MtShell *sh, MtInput *src, const char *s, size_t n)
{
   char *line = mt_heap_strndup (s, n);
   src->line++;
   if (plain_word (sh, src, line)) {
      mt_history_add (sh, line);
      free (line);
      return;
   }
   if (sh->shown.n)
      mt_buf_addc (&sh->shown, '\n');
   mt_buf_adds (&sh->shown, line);
   mt_run_line (sh, src, line, n);
   if (!src->query.n) {
      mt_history_add (sh, sh->shown.p);
      mt_buf_clear (&sh->shown);
   }
   free (line);
}

static void greet (MtShell *sh)
{
   if (mt_var_bool (&sh->vars, "QUIET", false))
      return;
   printf ("mtsql %s, connected to %s%s\nType \\? for commands, \\h for SQL, \\q to quit.\n\n",
           MTSQL_VERSION, sh->shown_target,
           mt_shell_lacks_store (sh) ? ", which the first write makes" : "");
}

static void run_lines (MtShell *sh, MtInput *src)
{
   while (!sh->stop && !sh->quit) {
      int n = 0;
      bool interrupted;
      const char *prompt = src->query.n || src->scan.quote ? "PROMPT2" : "PROMPT1",
                 *line = mt_editor_line (prompt, &n, &interrupted);
      if (interrupted) {
         interrupt (sh, src);
      } else if (line) {
         take_line (sh, src, line, (size_t) n);
      } else { /* Ctrl-D */
         if (!mt_var_bool (&sh->vars, "QUIET", false))
            puts ("\\q");
         return;
      }
   }
}

int mt_repl (MtShell *sh)
{
   static const MtEditorHelp help = {.complete = mt_complete,
                                     .style = mt_highlight,
                                     .hint = mt_hint,
                                     .edit_elsewhere = mt_edit_elsewhere};
   MtInput src = {.terminal = true};
   sh->source = &src;
   if (!mt_var_get (&sh->vars, "PROMPT3"))
      mt_var_set (&sh->vars, "PROMPT3", ">> ");
   mt_editor_open (sh, &src, &help);
   greet (sh);
   run_lines (sh, &src);
   mt_editor_close ();
   sh->source = NULL;
   mt_input_free (&src);
   return sh->exit_code >= 0 ? sh->exit_code : MT_EXIT_OK;
}
