/* Chooses how a dashboard is shown (live, once, or as a page), and shows it once. */
#include "shell/dashboard/dashboard_int.h"
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/edit/terminal.h"
#include "base/memory.h"

#include <stdlib.h>

enum { DEFAULT_COLUMNS = 80 };

/* Reports the error of a panel's query, at the panel's line in the file. */
static void report (MtShell *sh, const MtPanel *p, const MtError *err)
{
   MtInput place = {.parent = sh->source, .name = p->file, .line = p->line};
   sh->source = &place;
   mt_report_error (sh, err, p->sql, strlen (p->sql));
   sh->source = place.parent;
   sh->failed = true;
}

/* Runs the queries of all panels once. Returns false after Ctrl-C. */
static bool read_all (MtShell *sh, const MtBoard *b, MtShown *shown)
{
   bool going = true;
   mt_signals_running (true);
   for (size_t i = 0; i < b->count && going; i++) {
      mt_shown_read (sh, &b->panels[i], &shown[i]);
      if (shown[i].kind == MT_SHOWN_ERROR)
         report (sh, &b->panels[i], &shown[i].err);
      going = !mt_interrupted;
   }
   mt_signals_running (false);
   return going;
}

static void print (MtBoardView *v)
{
   MtShell *sh = v->sh;
   MtBuf text = {0};
   MtOut out;
   v->screen = (MtChartScreen) {.columns = mt_rows_options (sh).columns,
                                .utf8 = mt_speaks_utf8 (),
                                .colors = sh->terminal_out && !sh->out && mt_terminal_moves () &&
                                          mt_terminal_wants_colours ()};
   v->screen.columns = v->screen.columns > 0 ? v->screen.columns : DEFAULT_COLUMNS;
   mt_board_head (v, &text);
   mt_buf_addc (&text, '\n');
   mt_board_panels (v, &text);
   if (mt_out_begin (sh, &out)) {
      mt_out_write (&out, text.p, text.n);
      mt_out_end (&out);
   }
   mt_buf_free (&text);
}

static void write_page (const MtBoardView *v, const char *path)
{
   MtBuf page = {0};
   MtError err = {0};
   MtShortage shortage = {0};
   MT_RECORD_SHORTAGE (&shortage);
   mt_board_page (v, &page);
   if (!mt_memory_check (&err) || !mt_draft_write (path, &page, &err)) {
      mt_report_error (v->sh, &err, NULL, 0);
      v->sh->failed = true;
   }
   mt_buf_free (&page);
}

void mt_shown_free_all (MtShown *shown, size_t n)
{
   for (size_t i = 0; i < n; i++)
      mt_shown_free (&shown[i]);
   free (shown);
}

void mt_dashboard_show (MtShell *sh, MtBoard *b, const MtBoardFile *file, const char *page)
{
   MtShown *shown = mt_calloc ("panels", b->count, sizeof *shown);
   bool live = !page && !sh->out && sh->terminal_in && sh->terminal_out && mt_terminal_moves ();
   if (!live || !mt_board_live (sh, b, &shown, file)) {
      MtBoardView v = {.sh = sh, .board = b, .shown = shown};
      bool all = read_all (sh, b, shown);
      v.read_at = time (NULL);
      if (all && page)
         write_page (&v, page);
      else if (all)
         print (&v);
   }
   mt_shown_free_all (shown, b->count);
}
