/* mtsql --maintain: prints a line of JSON for each step. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/program.h"
#include "base/value.h"

#include <string.h>

static void put_text (const char *name, const char *text, MtBuf *out)
{
   mt_buf_printf (out, ", \"%s\": ", name);
   mt_json_string (out, text, strlen (text));
}

static void report (void *ctx, const MtMaintainStep *step)
{
   MtShell *sh = ctx;
   MtBuf line = {0};
   FILE *f = mt_output (sh);
   mt_progress_clear (sh);
   mt_buf_printf (&line, "{\"step\": \"%s\"", step->step);
   put_text ("object", step->object, &line);
   mt_buf_printf (&line, ", \"ms\": %.1f", step->ms);
   if (step->detail)
      put_text ("detail", step->detail, &line);
   if (step->error) {
      put_text ("error", step->error->message, &line);
      put_text ("sqlstate", step->error->sqlstate, &line);
   }
   mt_buf_adds (&line, "}\n");
   if (!sh->reader_gone && !sh->disk_full &&
       (fwrite (line.p, 1, line.n, f) != line.n || fflush (f) != 0))
      mt_output_failed (sh, f);
   mt_buf_free (&line);
}

void mt_run_maintain (MtShell *sh)
{
   MtError err = {0};
   MtMaintain how = {.report = report, .ctx = sh};
   size_t failed = 0;
   if (mt_shell_lacks_store (sh)) {
      mt_complain (sh, "error: there is no store \"%s\"", sh->target);
      sh->exit_code = MT_EXIT_CONNECTION;
      return;
   }
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_maintain (sh->session, &how, &failed, &err);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok)
      mt_report_error (sh, &err, NULL, 0);
   sh->failed |= !ok || failed;
   if (!ok && strcmp (err.sqlstate, "55006") == 0)
      sh->exit_code = MT_EXIT_BUSY;
}
