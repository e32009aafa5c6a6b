/* \compare shows what each layout costs for a query. \pipeline shows the pipeline of a query. */
#include "shell/commands/command_int.h"

#include <stdlib.h>
#include <string.h>

static MtStr count (MtArena *a, double n)
{
   return n < 0 ? (MtStr) {0} : mt_str (mt_printf (a, "%.0f", n));
}

static void answers (MtShell *sh, MtArena *a, const MtComparison *k, size_t n)
{
   static const char *const headers[] = {"layout",        "cut", "documents", "bytes stored",
                                         "bytes touched", "ms",  "rows"};
   size_t refused = 0, f = 0;
   for (size_t i = 0; i < n; i++)
      refused += !k[i].answers;
   const char **footers = MT_NEW_N (a, const char *, refused + 2);
   MtListing l = {
      .headers = headers, .columns = 7, .right = {false, false, true, true, true, true, true}};
   l.cells = MT_NEW_N (a, MtStr, 7 * (n + 1));
   for (size_t i = 0; i < n; i++) {
      if (!k[i].answers) {
         footers[f++] = mt_printf (a, "%s: %s", k[i].layout,
                                   k[i].reason ? k[i].reason : "can't answer");
         continue;
      }
      MtStr *row = l.cells + 7 * l.rows++;
      row[0] = mt_str (k[i].layout);
      row[1] = mt_str (k[i].cut ? k[i].cut : "");
      row[2] = count (a, k[i].documents);
      row[3] = count (a, k[i].bytes_stored);
      row[4] = count (a, k[i].bytes_touched);
      row[5] = k[i].milliseconds < 0 ? (MtStr) {0}
                                     : mt_str (mt_printf (a, "%.3f", k[i].milliseconds));
      row[6] = mt_str (mt_printf (a, "%llu", (unsigned long long) k[i].rows));
   }
   l.footers = f ? footers : NULL;
   mt_print_listing (sh, &l);
}

static void pipelines (MtShell *sh, const MtComparison *k, size_t n)
{
   MtOut out;
   if (!mt_out_begin (sh, &out))
      return;
   for (size_t i = 0; i < n; i++) {
      if (k[i].answers && k[i].pipeline)
         mt_out_printf (
            &out, "%s:\n%s%s\n", k[i].layout, k[i].pipeline,
            k[i].pipeline[0] && k[i].pipeline[strlen (k[i].pipeline) - 1] == '\n' ? "" : "\n");
   }
   mt_out_end (&out);
}

bool mt_cmd_compare (MtCall *c)
{
   MtShell *sh = c->sh;
   char *sql = mt_call_query (c);
   if (!sql)
      return false;
   MtArena *a = mt_arena_new ("comparison", NULL);
   MtComparison *k;
   MtError err = {0};
   size_t n;
   mt_progress_begin (sh);
   bool ok = mt_compare (sh->session, a, sql, (long) strlen (sql), &k, &n, &err);
   mt_progress_clear (sh);
   if (ok) {
      answers (sh, a, k, n);
      if (c->plus)
         pipelines (sh, k, n);
   } else {
      mt_report_error (sh, &err, sql, strlen (sql));
   }
   mt_arena_free (a);
   free (sql);
   return ok;
}

/* Prints EXPLAIN's lines from "Pipeline:" on. */
static bool print_pipeline (MtShell *sh, MtResult *r, MtError *err)
{
   static const char mark[] = "Pipeline: ";
   MtOut out;
   bool more, ok = true, begun = false;
   if (!mt_out_begin (sh, &out))
      return mt_error (err, MT_E_IO, "could not open the output");
   while ((ok = mt_result_next (r, &more, err)) && more) {
      const char *line = mt_result_text (r, 0, NULL);
      bool first = line && strncmp (line, mark, sizeof mark - 1) == 0;
      begun |= first;
      if (begun && line)
         mt_out_printf (&out, "%s\n", line + (first ? sizeof mark - 1 : 0));
   }
   mt_out_end (&out);
   return ok;
}

bool mt_cmd_pipeline (MtCall *c)
{
   MtShell *sh = c->sh;
   char *sql = mt_call_query (c);
   if (!sql)
      return false;
   MtBuf text = {0};
   MtError err = {0};
   MtResult *r = NULL;
   mt_buf_printf (&text, "EXPLAIN (COSTS OFF) %s", sql);
   bool ok = mt_query (sh->session, text.p, (long) text.n, &r, &err) &&
             print_pipeline (sh, r, &err);
   if (!ok)
      mt_report_error (sh, &err, text.p, text.n);
   mt_result_free (r);
   mt_buf_free (&text);
   free (sql);
   return ok;
}
