/* Handles the commands and queries in the file of a dashboard. */
#include "shell/dashboard/board.h"
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void mt_board_free (MtBoard *b)
{
   for (size_t i = 0; i < b->count; i++) {
      MtPanel *p = &b->panels[i];
      free (p->title);
      free (p->file);
      free (p->sql);
      mt_chart_options_free (&p->chart);
   }
   for (size_t i = 0; i < b->variable_count; i++)
      free (b->variables[i]);
   free (b->panels);
   free (b->title);
   *b = (MtBoard) {0};
}

bool mt_board_interval (const char *text, double *seconds)
{
   static const struct {
      const char *name;
      double seconds;
   } units[] = {{"", 1}, {"ms", 0.001}, {"s", 1}, {"min", 60}, {"h", 3600}};
   char *end;
   double n = strtod (text, &end);
   if (end == text || !isdigit ((unsigned char) *text))
      return false;
   for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      if (strcmp (units[i].name, end) == 0) {
         *seconds = n * units[i].seconds;
         return *seconds >= 0.1 && *seconds <= 86400;
      }
   }
   return false;
}

static bool fault (MtShell *sh, const char *message)
{
   mt_complain (sh, "error: %s", message);
   return false;
}

/* ---- commands ---- */

bool mt_board_begin (MtShell *sh, const char *title, double refresh_s)
{
   MtBoard *b = sh->board;
   if (b->title)
      return fault (sh, "\\dashboard: a file describes one dashboard");
   b->title = mt_heap_strdup (title);
   b->refresh_s = refresh_s;
   return true;
}

bool mt_board_panel (MtShell *sh, const char *title, bool wide)
{
   MtBoard *b = sh->board;
   const MtInput *src = sh->source;
   if (src->query.n) {
      fault (sh, "\\panel: the query before it has no end");
      fputs ("HINT:  End the query with ; or \\chart.\n", stderr);
      return false;
   }
   if (b->count == MT_BOARD_PANELS)
      return fault (sh, "\\panel: a dashboard has at most 100 panels");
   MT_GROW ("panels", b->panels, b->count, b->cap, 8);
   b->panels[b->count++] = (MtPanel) {.title = mt_heap_strdup (title),
                                      .wide = wide,
                                      .file = mt_heap_strdup (src->name ? src->name : "<stdin>"),
                                      .line = src->line};
   return true;
}

bool mt_board_variable (MtShell *sh, const char *name)
{
   MtBoard *b = sh->board;
   for (size_t i = 0; i < b->variable_count; i++)
      if (strcmp (b->variables[i], name) == 0)
         return true;
   if (b->variable_count == MT_BOARD_VARIABLES)
      return fault (sh, "\\default: a dashboard has at most 32 variables");
   b->variables[b->variable_count++] = mt_heap_strdup (name);
   return true;
}

/* ---- queries ---- */

static bool is_blank (const MtBuf *sql)
{
   for (size_t i = 0; i < sql->n; i++)
      if (sql->p[i] != ';' && !isspace ((unsigned char) sql->p[i]))
         return false;
   return true;
}

static bool lacks_panel (MtShell *sh) { return fault (sh, "the query has no \\panel before it"); }

/* Runs a statement that comes before the panels' queries, such as SET. */
static bool run_first (MtShell *sh, const MtBuf *sql)
{
   MtResult *r = NULL;
   MtError err = {0};
   bool more = true, rows = false;
   mt_progress_begin (sh);
   mt_signals_running (true);
   bool ok = mt_query (sh->session, sql->p, (long) sql->n, &r, &err);
   rows = ok && mt_result_has_rows (r);
   while (ok && more)
      ok = mt_result_next (r, &more, &err);
   mt_result_free (r);
   mt_signals_running (false);
   mt_progress_clear (sh);
   if (!ok)
      mt_report_error (sh, &err, sql->p, sql->n);
   else if (rows)
      lacks_panel (sh);
   return ok && !rows;
}

/* Returns the reason why a panel cannot use its rows as sh->go says; NULL: it can. */
static const char *refusal (const MtShell *sh)
{
   const MtGo *go = &sh->go;
   const MtChartOptions *c = go->chart;
   if (go->kind == MT_GO_CHART && (c->file || c->width || c->height || c->dark))
      return "\\chart: a file, width, height and theme are not for a dashboard";
   if (sh->binds)
      return "\\bind is not for a dashboard";
   bool plain = go->kind == MT_GO_PRINT && !go->target && !go->expanded && !go->display;
   return plain || go->kind == MT_GO_CHART ? NULL : "a panel's query ends with ; or \\chart";
}

static bool keep (MtShell *sh, MtPanel *p, const MtBuf *sql)
{
   const char *why = refusal (sh);
   if (why)
      return fault (sh, why);
   if (p->sql) {
      fault (sh, "the panel has a query already");
      fputs (sh->go.kind == MT_GO_CHART ? "HINT:  \\chart itself ends the query: leave out the ;.\n"
                                        : "HINT:  Add a \\panel before the second query.\n",
             stderr);
      return false;
   }
   p->sql = mt_heap_strndup (sql->p, sql->n);
   p->line = sh->source->line;
   p->charted = sh->go.kind == MT_GO_CHART;
   if (p->charted) {
      p->chart = sh->chart;
      sh->chart = (MtChartOptions) {0};
   }
   return true;
}

bool mt_board_query (MtShell *sh, const MtBuf *sql, bool *runs)
{
   MtBoard *b = sh->board;
   bool sets = sh->go.kind == MT_GO_SET || sh->go.kind == MT_GO_EXEC;
   *runs = is_blank (sql) || (!b->count && sets);
   if (*runs)
      return true;
   bool ok = b->count && keep (sh, &b->panels[b->count - 1], sql);
   if (!b->count)
      ok = sh->go.kind == MT_GO_PRINT ? run_first (sh, sql) : lacks_panel (sh);
   mt_bound_clear (sh);
   return ok || mt_fail (sh);
}

bool mt_board_check (MtShell *sh, const char *name)
{
   MtBoard *b = sh->board;
   MtInput place = {.name = name, .line = 1};
   MtInput *kept = sh->source;
   const char *why = b->count ? NULL : "the dashboard has no \\panel";
   for (size_t i = 0; i < b->count && !why; i++) {
      place.name = b->panels[i].file;
      place.line = b->panels[i].line;
      why = b->panels[i].sql ? NULL : "the panel has no query";
   }
   sh->source = &place;
   if (why)
      fault (sh, why);
   sh->source = kept;
   return !why || mt_fail (sh);
}
