/* \chart: passes the rows of a result to shell/chart, and prints the finished chart. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "shell/edit/terminal.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The terminal lines that a chart leaves free, for the prompt and for the title of \watch. */
enum { FREE_LINES = 4, MOST_LINES = 32 };

/* ---- the terminal ---- */

static bool is_terminal (const MtShell *sh)
{
   return sh->terminal_out && !sh->out && mt_terminal_moves ();
}

static MtChartScreen screen_of (MtShell *sh)
{
   MtChartScreen s = {.columns = mt_rows_options (sh).columns,
                      .utf8 = mt_speaks_utf8 (),
                      .colors = is_terminal (sh) && mt_terminal_wants_colours ()};
   int columns, lines;
   mt_window_size (&columns, &lines);
   if (sh->terminal_out && !sh->out && lines > 0) {
      s.lines = lines > FREE_LINES + 1 ? lines - FREE_LINES : 1;
      s.lines = s.lines < MOST_LINES ? s.lines : MOST_LINES;
   }
   return s;
}

/* ---- drawing again in place, for \watch ---- */

/* Truncates b after its first `lines` lines. Returns how many lines remain. */
static int cut_lines (MtBuf *b, int lines)
{
   int n = 0;
   for (size_t i = 0; i < b->n; i++) {
      if (b->p[i] == '\n' && ++n == lines) {
         b->n = i + 1;
         b->p[b->n] = 0;
      }
   }
   return n;
}

/* Replaces the chart that is on the screen by the new text. If the window has changed its size,
 * lines of the old chart may have wrapped, so the whole screen is cleared. */
static void place_again (MtShell *sh, MtBuf *picture)
{
   int columns, lines;
   mt_window_size (&columns, &lines);
   int n = cut_lines (picture, lines > 1 ? lines - 1 : 1);
   MtBuf placed = {0};
   if (mt_signals_take_resize ())
      mt_buf_adds (&placed, "\033[H\033[2J");
   else if (sh->redrawn_lines > 0)
      mt_buf_printf (&placed, "\033[%dA\r\033[J", sh->redrawn_lines);
   mt_buf_add (&placed, picture->p, picture->n);
   mt_buf_free (picture);
   *picture = placed;
   sh->redrawn_lines = n;
}

static bool print (MtShell *sh, MtChart *c, MtError *err)
{
   MtChartScreen screen = screen_of (sh);
   MtBuf picture = {0};
   MtOut out;
   const char *title = sh->display.o.title;
   if (title)
      mt_buf_printf (&picture, "%s%s", title, strchr (title, '\n') ? "" : "\n");
   mt_chart_print (c, &screen, &picture);
   if (sh->redrawn_lines >= 0 && is_terminal (sh))
      place_again (sh, &picture);
   bool ok = mt_out_begin (sh, &out) || mt_error (err, MT_E_IO, "could not open the output");
   if (ok) {
      out.may_page = out.may_page && sh->redrawn_lines < 0;
      mt_out_write (&out, picture.p, picture.n);
      mt_out_end (&out);
   }
   mt_buf_free (&picture);
   return ok;
}

/* Writes the chart to its file, and prints notes about values that are not drawn. */
static bool save (MtShell *sh, MtChart *c, MtError *err)
{
   MtBuf notes = {0};
   MtOut out;
   bool ok = mt_chart_save (c, err);
   mt_chart_notes (c, &notes);
   if (ok && notes.n && mt_out_begin (sh, &out)) {
      mt_out_write (&out, notes.p, notes.n);
      mt_out_end (&out);
   }
   mt_buf_free (&notes);
   return ok;
}

/* ---- rows ---- */

static bool each_row (MtResult *r, MtChart *c, size_t n, MtError *err)
{
   MtVal *values = mt_calloc ("values", n, sizeof *values);
   MtStr *texts = mt_calloc ("texts", n, sizeof *texts);
   bool more, ok = true;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0; i < n; i++) {
         values[i] = mt_result_value (r, i);
         if (mt_chart_reads_text (c, i)) {
            texts[i].n = 0;
            texts[i].p = mt_result_text (r, i, &texts[i].n);
         }
      }
      ok = mt_chart_add (c, values, texts, err) && mt_memory_check (err);
   }
   free (values);
   free (texts);
   return ok;
}

MtChart *mt_chart_read (MtShell *sh, MtResult *r, const MtChartOptions *o, MtArena *a, MtError *err)
{
   size_t n = mt_result_columns (r);
   MtChartColumn *columns = mt_alloc_n (a, n + 1, sizeof *columns);
   for (size_t i = 0; i < n; i++)
      columns[i] = (MtChartColumn) {mt_strdup (a, mt_result_name (r, i)), mt_result_type (r, i)};
   MtChart *c = mt_chart_new (o, columns, n, mt_session_zone (sh->session), err);
   if (c && each_row (r, c, n, err)) {
      mt_chart_finish (c);
      return c;
   }
   mt_chart_free (c);
   return NULL;
}

bool mt_chart_rows (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   MtArena *a = mt_arena_new ("chart", NULL);
   MtChart *c = mt_chart_read (sh, r, sh->go.chart, a, err);
   bool ok = c != NULL;
   if (ok) {
      *rows = mt_chart_row_count (c);
      mt_progress_clear (sh);
      ok = sh->go.chart->file && mt_chart_has_data (c) ? save (sh, c, err) : print (sh, c, err);
      ok = ok && mt_memory_check (err);
   }
   mt_chart_free (c);
   mt_arena_free (a);
   return ok;
}
