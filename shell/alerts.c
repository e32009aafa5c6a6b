/* mtsql --check-alerts: prints the notices of alerts as JSON, or runs the command of NOTIFY for
 * each. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/notify.h"
#include "shell/program.h"
#include "base/value.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Appends a time in ISO 8601 format, such as 2024-05-01T12:00:00.000Z. */
static void print_time (int64_t ms, MtBuf *out)
{
   char text[32];
   time_t seconds = (time_t) (ms / 1000);
   struct tm tm;
   strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r (&seconds, &tm));
   mt_buf_printf (out, "%s.%03dZ", text, (int) (ms % 1000));
}

/* ---- JSON ---- */

static void print_text (const char *s, MtBuf *out) { mt_json_string (out, s, strlen (s)); }

static void print_value (const MtAlertCell *c, MtBuf *out)
{
   if (!c->text)
      mt_buf_adds (out, "null");
   else if (c->form == MT_ALERT_BOOL)
      mt_buf_adds (out, *c->text == 't' ? "true" : "false");
   else if (c->form == MT_ALERT_TEXT)
      print_text (c->text, out);
   else
      mt_buf_adds (out, c->text);
}

static void print_row (const MtAlertNotice *n, MtBuf *out)
{
   mt_buf_adds (out, n->missing ? "null" : "{");
   for (size_t i = 0; i < n->count; i++) {
      mt_buf_adds (out, i ? ", " : "");
      print_text (n->cells[i].name, out);
      mt_buf_adds (out, ": ");
      print_value (&n->cells[i], out);
   }
   mt_buf_adds (out, n->missing ? "" : "}");
}

static void print_notice (const MtAlertNotice *n, MtBuf *out)
{
   mt_buf_adds (out, "{\"alert\": ");
   print_text (n->alert, out);
   mt_buf_printf (out, ", \"state\": \"%s\", \"since\": \"", n->state);
   print_time (n->since_ms, out);
   mt_buf_adds (out, "\", \"row\": ");
   print_row (n, out);
   mt_buf_adds (out, "}\n");
}

/* ---- commands ---- */

/* Sets the environment variable MTSQL_NAME, where NAME is `name` in capitals, with _ for all
 * characters that are neither letters nor digits. */
static void add_variable (MtEnvironment *e, const char *name, const char *value)
{
   char *variable = mt_environment_name (name);
   mt_environment_set (e, variable, value);
   free (variable);
}

static bool run_command (const MtAlertNotice *n, MtError *err)
{
   MtEnvironment e;
   MtBuf since = {0};
   mt_environment_begin (&e);
   print_time (n->since_ms, &since);
   add_variable (&e, "alert", n->alert);
   add_variable (&e, "state", n->state);
   add_variable (&e, "since", since.p);
   for (size_t i = 0; i < n->count; i++)
      add_variable (&e, n->cells[i].name, n->cells[i].text);
   bool ok = mt_notify_run (n->command, &e, err);
   mt_environment_end (&e);
   mt_buf_free (&since);
   return ok;
}

/* ---- the check ---- */

typedef struct Printer {
   MtShell *sh;
   bool lost; /* the last error was about the output; mt_output_failed has reported it */
} Printer;

static bool write_line (Printer *p, const MtAlertNotice *n, MtError *err)
{
   MtShell *sh = p->sh;
   FILE *f = mt_output (sh);
   MtBuf line = {0};
   print_notice (n, &line);
   bool gone = sh->reader_gone || sh->disk_full,
        ok = !gone && fwrite (line.p, 1, line.n, f) == line.n && fflush (f) == 0;
   mt_buf_free (&line);
   if (ok)
      return true;
   if (!gone)
      mt_output_failed (sh, f);
   p->lost = true;
   return mt_error (err, MT_E_IO, "could not write the notice");
}

static bool notify (void *ctx, const MtAlertNotice *n, MtError *err)
{
   Printer *p = ctx;
   mt_progress_clear (p->sh);
   p->lost = false;
   if (!n->command)
      return write_line (p, n, err);
   return p->sh->open.restricted
             ? mt_error (err, MT_E_PRIVILEGE, "NOTIFY is not allowed in restricted mode")
             : run_command (n, err);
}

static void failed (void *ctx, const char *alert, const MtError *err)
{
   Printer *p = ctx;
   bool lost = p->lost;
   mt_progress_clear (p->sh);
   p->lost = false;
   if (lost)
      return;
   mt_complain (p->sh, "error: alert \"%s\": %s", alert, err->message);
   if (*err->hint)
      fprintf (stderr, "HINT:  %s\n", err->hint);
}

void mt_run_check_alerts (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   MtAlertOutcome outcome = {0};
   Printer p = {.sh = sh};
   if (mt_shell_lacks_store (sh)) {
      mt_complain (sh, "error: there is no store \"%s\"", sh->target);
      sh->exit_code = MT_EXIT_CONNECTION;
      return;
   }
   MtAlertCheck check = {.names = o->names,
                         .name_count = o->name_count,
                         .notify = notify,
                         .failed = failed,
                         .ctx = &p};
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_check_alerts (sh->session, &check, &outcome, &err);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok)
      mt_report_error (sh, &err, NULL, 0);
   sh->failed |= !ok || outcome.failed;
   if (!sh->failed && outcome.firing)
      sh->exit_code = MT_EXIT_ALERT;
}
