/* \chart: reads its arguments, and runs the query buffer. shell/core/chart.c draws the rows. */
#include "shell/commands/command_int.h"
#include "base/memory.h"

#include <string.h>

bool mt_cmd_chart (MtCall *c)
{
   MtShell *sh = c->sh;
   MtChartOptions o = {0};
   MtError err = {0};
   bool ok = true;
   for (size_t i = 0; i < c->argc && ok; i++)
      ok = mt_chart_option (&o, c->argv[i], &err);
   if (ok && !c->src->query.n && !sh->previous.n)
      ok = mt_error (&err, MT_E_OF_SHELL, "\\chart cannot be used with an empty query");
   if (ok && o.file && sh->open.restricted)
      ok = mt_error (&err, MT_E_OF_SHELL, "\\chart: files are not allowed in a restricted session");
   if (!ok) {
      mt_report_error (sh, &err, NULL, 0);
      mt_chart_options_free (&o);
      return false;
   }
   mt_take_previous (c);
   mt_go_clear (sh);
   mt_chart_options_free (&sh->chart);
   sh->chart = o;
   sh->go.kind = MT_GO_CHART;
   sh->go.chart = &sh->chart;
   c->after.send = true;
   return true;
}
