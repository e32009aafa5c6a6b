#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/service.h"
#include "shell/core/run.h"
#include "shell/core/password.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mt_shell_init (MtShell *sh)
{
   *sh = (MtShell) {.exit_code = -1, .redrawn_lines = -1};
   sh->display.o = mt_fmt_defaults ();
   sh->display.pager = 1;
   sh->terminal_in = isatty (STDIN_FILENO);
   sh->terminal_out = isatty (STDOUT_FILENO);
   sh->terminal_err = isatty (STDERR_FILENO);
   sh->open = (MtOpenOptions) {.read_stdin = mt_copy_read,
                               .write_stdout = mt_copy_write,
                               .progress = mt_progress_report,
                               .notice = mt_report_notice,
                               .ctx = sh};
   mt_var_set (&sh->vars, "VERSION", "mtsql " MTSQL_VERSION);
   mt_var_set (&sh->vars, "VERSION_NAME", MTSQL_VERSION);
   mt_var_set (&sh->vars, "VERBOSITY", "default");
   mt_var_set (&sh->vars, "ECHO", "none");
   mt_var_set (&sh->vars, "COMP_KEYWORD_CASE", "preserve-upper");
   mt_var_set (&sh->vars, "PROMPT1", "%/%R%x> ");
   mt_var_set (&sh->vars, "PROMPT2", "%/%R%x> ");
   mt_var_set (&sh->vars, "FETCH_COUNT", "0");
   mt_var_set (&sh->vars, "AUTOCOMMIT", "on");
   mt_var_set (&sh->vars, "ON_ERROR_ROLLBACK", "off");
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
   mt_password_free (sh->password);
   mt_buf_free (&sh->previous);
   mt_buf_free (&sh->shown);
   mt_buf_free (&sh->edited);
   mt_buf_free (&sh->copy);
   mt_buf_free (&sh->to_run);
   mt_buf_free (&sh->last_failed);
   mt_go_clear (sh);
   mt_bound_clear (sh);
   mt_chart_options_free (&sh->chart);
   MtDisplay *d = &sh->display;
   char *const strings[] = {d->null,       d->field_sep, d->record_sep,   d->title,
                            d->table_attr, sh->target,   sh->shown_target};
   for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
      free (strings[i]);
}

/* Returns the password for a URI that has a user without one; NULL: none is needed or found. If
 * user and servers are those of the current target, its password is used again. Owned by the
 * caller. */
static char *password_for (MtShell *sh, const char *target)
{
   size_t n = strcspn (target, "?"), had = sh->target ? strcspn (sh->target, "?") : 0;
   if (!mt_needs_password (target))
      return NULL;
   if (sh->password && n == had && memcmp (target, sh->target, n) == 0)
      return mt_heap_strdup (sh->password);
   return mt_find_password (target, sh->terminal_in && !sh->no_password);
}

static void replace (char **place, char *value)
{
   free (*place);
   *place = value;
}

static void opening (void *ctx, MtSession *s)
{
   mt_signals_session (s);
   if (((MtShell *) ctx)->interactive) /* otherwise Ctrl-C ends the program */
      mt_signals_running (s != NULL);
}

/* Sets the session's time zone to the environment variable PGTZ, or else TZ, if SQL has such a
 * zone. */
static void take_time_zone (MtShell *sh)
{
   const char *zone = getenv ("PGTZ");
   zone = zone && *zone ? zone : getenv ("TZ");
   if (!zone || !*zone)
      return;
   zone += *zone == ':';
   MtResult *r = NULL;
   MtError err = {0};
   MtBuf sql = {0};
   mt_buf_adds (&sql, "SET timezone = ");
   mt_buf_quoted (&sql, '\'', mt_str (zone));
   if (!mt_query (sh->session, sql.p, (long) sql.n, &r, &err))
      mt_complain (
         sh, "warning: the time zone \"%s\" of the environment is not known; times are in UTC",
         zone);
   mt_result_free (r);
   mt_buf_free (&sql);
}

static bool open_target (MtShell *sh, const char *given, bool read_only)
{
   MtError err = {0};
   MtSession *s;
   MtOpenOptions o = sh->open;
   o.read_only |= read_only;
   char *password = NULL, *target = given ? mt_split_password (given, &password) : NULL;
   if (target && !password)
      password = password_for (sh, target);
   o.target = target;
   o.password = password;
   o.opening = opening;
   mt_progress_begin (sh);
   if (!mt_open (&o, &s, &err)) {
      mt_signals_session (sh->session);
      mt_report_no_connection (sh, &err);
      mt_password_free (password);
      free (target);
      return false;
   }
   mt_signals_session (NULL);
   mt_close (sh->session);
   sh->session = s;
   mt_signals_session (s);
   replace (&sh->shown_target, mt_without_passwords (target ? target : "a temporary store"));
   replace (&sh->target, target);
   mt_password_free (sh->password);
   sh->password = password;
   mt_var_set (&sh->vars, "DBNAME", sh->shown_target);
   take_time_zone (sh);
   return true;
}

bool mt_shell_connect (MtShell *sh, const char *given)
{
   const char *name = mt_service_name (given);
   MtService service;
   char *why;
   if (!name)
      return open_target (sh, given, false);
   if (sh->open.restricted) {
      mt_complain (sh, "error: the service file is not read in a restricted session");
      return false;
   }
   if (!mt_service_find (name, &service, &why)) {
      mt_complain (sh, "error: %s", why);
      free (why);
      return false;
   }
   bool ok = open_target (sh, service.target, service.read_only);
   mt_service_free (&service);
   return ok;
}

bool mt_shell_lacks_store (const MtShell *sh)
{
   return sh->target && !strstr (sh->target, "://") && access (sh->target, F_OK) != 0;
}

char *mt_shell_database (const char *target)
{
   const char *uri = target ? strstr (target, "://") : NULL,
              *path = uri ? strchr (uri + 3, '/') : NULL;
   if (uri)
      return path && strcspn (path + 1, "?") ? mt_heap_strndup (path + 1, strcspn (path + 1, "?"))
                                             : mt_heap_strdup ("test");
   size_t n = target ? strlen (target) : 0;
   while (n && target[n - 1] == '/')
      n--;
   const char *name = n ? memrchr (target, '/', n) : NULL;
   name = name ? name + 1 : target;
   n = n ? (size_t) (target + n - name) : 0;
   size_t stem = n ? strcspn (name, ".") : 0;
   return stem ? mt_heap_strndup (name, stem < n ? stem : n) : mt_heap_strdup ("test");
}
