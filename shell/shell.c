#include "shell/shell.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double mt_shell_now_ms (void)
{
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

void mt_shell_init (MtShell *sh)
{
   *sh = (MtShell){.exit_code = -1};
   sh->display.o = mt_fmt_defaults ();
   sh->display.pager = 1;
   sh->terminal_in = isatty (STDIN_FILENO);
   sh->terminal_out = isatty (STDOUT_FILENO);
   sh->terminal_err = isatty (STDERR_FILENO);
   sh->open = (MtOpenOptions){.read_stdin = mt_copy_read,
                              .write_stdout = mt_copy_write,
                              .progress = mt_progress_report,
                              .notice = mt_report_notice,
                              .ctx = sh};
   mt_var_set (&sh->vars, "VERSION", "mtsql " MTSQL_VERSION);
   mt_var_set (&sh->vars, "VERSION_NAME", MTSQL_VERSION);
   mt_var_set (&sh->vars, "VERBOSITY", "default");
   mt_var_set (&sh->vars, "ECHO", "none");
   mt_var_set (&sh->vars, "COMP_KEYWORD_CASE", "preserve-upper");
   mt_var_set (&sh->vars, "PROMPT1", "%/%R> ");
   mt_var_set (&sh->vars, "PROMPT2", "%/%R> ");
   mt_var_set (&sh->vars, "FETCH_COUNT", "0");
   mt_var_set (&sh->vars, "ERROR", "false");
   mt_var_set (&sh->vars, "SQLSTATE", "00000");
   mt_var_set (&sh->vars, "ROW_COUNT", "0");
   mt_var_set (&sh->vars, "LAST_ERROR_MESSAGE", "");
   mt_var_set (&sh->vars, "LAST_ERROR_SQLSTATE", "00000");
}

void mt_shell_free (MtShell *sh)
{
   mt_out_redirect (sh, NULL);
   mt_signals_session (NULL);
   mt_close (sh->session);
   mt_vars_free (&sh->vars);
   mt_buf_free (&sh->previous);
   mt_buf_free (&sh->shown);
   mt_buf_free (&sh->copy);
   MtDisplay *d = &sh->display;
   char *const strings[] = {d->null, d->field_sep, d->record_sep, d->title, d->table_attr, sh->target, sh->shown_target, sh->g_target, sh->g_prefix};
   for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
      free (strings[i]);
}

bool mt_shell_active (const MtShell *sh)
{
   return sh->condition_count == 0 || sh->conditions[sh->condition_count - 1].active;
}

char *mt_target_without_password (const char *target)
{
   const char *scheme = strstr (target, "://");
   const char *host = scheme ? scheme + 3 : NULL, *end = host ? host + strcspn (host, "/?") : NULL;
   const char *at = NULL, *colon = NULL;
   for (const char *p = host; p && p < end; p++)
      at = *p == '@' ? p : at;
   if (at)
      colon = memchr (host, ':', (size_t) (at - host));
   MtBuf b = {0};
   if (colon) {
      mt_buf_add (&b, target, (size_t) (colon - target));
      mt_buf_adds (&b, ":***");
      mt_buf_adds (&b, at);
   } else {
      mt_buf_adds (&b, target);
   }
   return b.p ? b.p : strdup ("");
}

/* The text with a target in it shown without its password; owned by the caller. */
static char *without_target (const char *text, const char *target)
{
   MtBuf b = {0};
   const char *at = target && *target ? strstr (text, target) : NULL;
   char *shown = mt_target_without_password (target ? target : "");
   if (at)
      mt_buf_printf (&b, "%.*s%s%s", (int) (at - text), text, shown, at + strlen (target));
   else
      mt_buf_adds (&b, text);
   free (shown);
   return b.p ? b.p : strdup ("");
}

bool mt_shell_connect (MtShell *sh, const char *target)
{
   MtError err = {0};
   MtSession *s;
   MtOpenOptions o = sh->open;
   o.target = target;
   if (!mt_open (&o, &s, &err)) {
      char *message = without_target (err.message, target), *detail = without_target (err.detail, target);
      mt_complain (sh, "error: %s", message);
      if (*detail)
         fprintf (stderr, "DETAIL:  %s\n", detail);
      free (message);
      free (detail);
      if (err.hint[0])
         fprintf (stderr, "HINT:  %s\n", err.hint);
      return false;
   }
   mt_signals_session (NULL);
   mt_close (sh->session);
   sh->session = s;
   mt_signals_session (s);
   char *copy = target ? strdup (target) : NULL, *shown = mt_target_without_password (target ? target : "a temporary store");
   free (sh->target);
   free (sh->shown_target);
   sh->target = copy;
   sh->shown_target = shown;
   sh->schema_version++;
   mt_var_set (&sh->vars, "DBNAME", shown);
   return true;
}
