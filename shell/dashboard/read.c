/* Runs the query of a panel, and stores its rows in limited memory. */
#include "shell/dashboard/dashboard_int.h"
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "base/memory.h"

#include <string.h>

void mt_shown_free (MtShown *s)
{
   mt_chart_free (s->chart);
   mt_arena_free (s->arena);
   *s = (MtShown) {0};
}

/* ---- tables ---- */

/* Copies a value to arena a; a value that is too long is truncated. */
static MtStr copy (MtArena *a, const char *text, size_t n)
{
   size_t most = n;
   if (!text)
      return (MtStr) {0};
   if (n > MT_PANEL_VALUE)
      for (most = MT_PANEL_VALUE; most && ((unsigned char) text[most] & 0xC0) == 0x80;)
         most--;
   const char *p = mt_printf (a, "%.*s%s", (int) most, text, most < n ? "…" : "");
   return (MtStr) {p, strlen (p)};
}

static bool read_table (MtResult *r, MtShown *s, MtError *err)
{
   size_t n = s->column_count, bytes = 0, cap = 0;
   bool more, ok;
   s->kind = MT_SHOWN_TABLE;
   s->columns = mt_alloc_n (s->arena, n + 1, sizeof *s->columns);
   for (size_t i = 0; i < n; i++)
      s->columns[i] = mt_fmt_column (mt_strdup (s->arena, mt_result_name (r, i)),
                                     mt_result_type (r, i));
   while ((ok = mt_result_next (r, &more, err)) && more) {
      s->more = s->rows == MT_PANEL_ROWS || bytes > MT_PANEL_BYTES;
      if (s->more)
         break;
      for (size_t i = 0; i < n; i++) {
         size_t len = 0;
         const char *text = mt_result_text (r, i, &len);
         MT_GROW_IN (s->arena, s->cells, s->rows * n + i, cap, 64);
         s->cells[s->rows * n + i] = copy (s->arena, text, len);
         bytes += s->cells[s->rows * n + i].n + sizeof (MtStr);
      }
      s->rows++;
      ok = mt_memory_check (err);
      if (!ok)
         return false;
   }
   if (ok && !s->more && n == 1 && s->rows == 1)
      s->kind = MT_SHOWN_NUMBER;
   return ok;
}

/* ---- the query ---- */

static bool read_chart (MtShell *sh, const MtPanel *p, MtResult *r, MtShown *s, MtError *err)
{
   s->kind = MT_SHOWN_CHART;
   s->chart = mt_chart_read (sh, r, &p->chart, s->arena, err);
   return s->chart != NULL;
}

static bool read_rows (MtShell *sh, const MtPanel *p, MtShown *s, MtError *err)
{
   MtResult *r = NULL;
   bool ok = mt_query (sh->session, p->sql, -1, &r, err);
   if (ok && !mt_result_has_rows (r)) {
      ok = mt_error (err, MT_E_OF_SHELL, "the panel's statement returns no rows: %s",
                     mt_result_tag (r));
   } else if (ok) {
      s->column_count = mt_result_columns (r);
      ok = p->charted ? read_chart (sh, p, r, s, err) : read_table (r, s, err);
      ok = ok && (s->more || mt_result_verdict (r, err));
   }
   mt_result_free (r);
   return ok;
}

void mt_shown_read (MtShell *sh, const MtPanel *p, MtShown *s)
{
   MtShown next = {.arena = mt_arena_new ("panel", NULL)};
   MtShortage shortage = {0};
   MT_RECORD_SHORTAGE (&shortage);
   mt_progress_begin (sh);
   if (!read_rows (sh, p, &next, &next.err))
      next.kind = MT_SHOWN_ERROR;
   mt_progress_clear (sh);
   mt_shown_free (s);
   *s = next;
}
