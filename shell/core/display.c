/* The display options (\pset), and temporary changes of them for one statement. */
#include "shell/core/output.h"
#include "base/memory.h"

#include <stdlib.h>

/* Replaces the string *kept by a copy of itself. If *shown pointed to the old string, it then
 * points to the copy. */
static void copy (char **kept, const char **shown)
{
   char *before = *kept;
   *kept = before ? mt_heap_strdup (before) : NULL;
   if (before && *shown == before)
      *shown = *kept;
}

MtDisplay *mt_display_keep (MtShell *sh)
{
   MtDisplay *d = &sh->display, *kept = mt_calloc ("display", 1, sizeof *kept);
   *kept = *d;
   copy (&d->null, &d->o.null.p);
   copy (&d->field_sep, &d->o.field_sep.p);
   copy (&d->record_sep, &d->o.record_sep.p);
   copy (&d->title, &d->o.title);
   copy (&d->table_attr, &d->o.table_attr);
   return kept;
}

/* Restores the display options from the copy that mt_display_keep made, and frees the copy. NULL:
 * does nothing. */
static void display_back (MtShell *sh, MtDisplay *kept)
{
   if (!kept)
      return;
   char *const copies[] = {sh->display.null, sh->display.field_sep, sh->display.record_sep,
                           sh->display.title, sh->display.table_attr};
   for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
      free (copies[i]);
   sh->display = *kept;
   free (kept);
}

void mt_bound_clear (MtShell *sh)
{
   for (size_t i = 0; i < sh->bound_count; i++)
      free (sh->bound[i]);
   free (sh->bound);
   sh->bound = NULL;
   sh->bound_count = 0;
   sh->binds = false;
}

void mt_go_clear (MtShell *sh)
{
   MtGo *go = &sh->go;
   display_back (sh, go->display);
   free (go->target);
   for (size_t i = 0; i < MT_GO_ARGS; i++)
      free (go->args[i]);
   *go = (MtGo) {0};
}

MtFmtOptions mt_rows_options (MtShell *sh)
{
   MtFmtOptions o = sh->display.o;
   if (sh->go.expanded)
      o.expanded = MT_EXPANDED_ON;
   const char *env = getenv ("COLUMNS");
   int lines;
   o.columns = sh->display.columns;
   bool to_terminal = sh->terminal_out && !sh->out && !sh->go.target;
   if (!o.columns && to_terminal)
      mt_window_size (&o.columns, &lines);
   if (!o.columns && env && to_terminal)
      o.columns = atoi (env);
   long fetch = mt_var_long (&sh->vars, "FETCH_COUNT", 0);
   o.chunk_rows = fetch > 0 ? (uint64_t) fetch : 0;
   return o;
}
