/* Prints the rows of a result, or uses them for \gset, \gexec or \gdesc. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next row. Adds the time this took to *fetch_ms; NULL: the time isn't measured. */
static bool next_row (MtResult *r, bool *more, double *fetch_ms, MtError *err)
{
   double start = fetch_ms ? mt_shell_now_ms () : 0;
   bool ok = mt_result_next (r, more, err);
   if (fetch_ms)
      *fetch_ms += mt_shell_now_ms () - start;
   return ok;
}

static bool each_row (MtResult *r, MtFmt *f, size_t n, double *fetch_ms, MtError *err)
{
   MtStr *cells = mt_calloc ("cells", n ? n : 1, sizeof *cells);
   bool more, ok = true, going = true;
   while (going && (ok = next_row (r, &more, fetch_ms, err)) && more) {
      if (n == 0) { /* as in psql, a row without columns prints nothing */
         f->rows++;
         continue;
      }
      for (size_t i = 0; i < n; i++) {
         size_t len = 0;
         const char *s = mt_result_text (r, i, &len);
         cells[i] = (MtStr) {s, s ? len : 0};
      }
      going = mt_fmt_row (f, cells) && mt_memory_check (err);
   }
   ok = mt_memory_check (err) && ok;
   free (cells);
   return ok;
}

/* Writes the rows in Arrow's format: its file format for a file of \g, otherwise its stream
 * format. */
static bool write_arrow (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   MtOut out;
   if (sh->terminal_out && !sh->out && !sh->go.target) {
      mt_error (err, MT_E_OF_SHELL, "the format \"arrow\" is not for a terminal");
      return mt_error_hint (err, "Use \\g FILE, \\o FILE, --output or a pipe.");
   }
   if (!mt_out_begin (sh, &out))
      return mt_error (err, MT_E_IO, "could not open the output");
   MtArrowSink sink = {mt_out_write, &out, sh->go.target && !out.pipe};
   bool ok = mt_result_write_arrow (r, &sink, rows, err);
   out.incomplete = !ok;
   mt_out_end (&out);
   return ok;
}

static bool print_rows (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   MtFmtOptions o = mt_rows_options (sh);
   if (o.format->arrow)
      return write_arrow (sh, r, rows, err);
   size_t n = mt_result_columns (r);
   MtFmtColumn *columns = mt_calloc ("columns", n + 1, sizeof *columns);
   MtFmt f;
   MtOut out;
   double start = mt_shell_now_ms (), pager = sh->pager_ms, fetch = 0;
   for (size_t i = 0; i < n; i++)
      columns[i] = mt_fmt_column (mt_result_name (r, i), mt_result_type (r, i));
   if (!mt_out_begin (sh, &out)) {
      free (columns);
      return mt_error (err, MT_E_IO, "could not open the output");
   }
   mt_fmt_begin (&f, &o, columns, n, mt_out_write, &out);
   bool ok = each_row (r, &f, n, sh->timing ? &fetch : NULL, err);
   *rows = f.rows;
   if (ok)
      mt_fmt_finish (&f, NULL);
   else
      mt_fmt_abort (&f);
   out.incomplete = !ok;
   mt_out_end (&out);
   sh->print_ms += mt_shell_now_ms () - start - fetch - (sh->pager_ms - pager);
   free (columns);
   return ok && mt_memory_check (err);
}

static bool has_column (const MtResult *r, const char *name)
{
   for (size_t i = 0; i < mt_result_columns (r); i++)
      if (strcmp (mt_result_name (r, i), name) == 0)
         return true;
   return false;
}

static void set_one (MtVars *vars, const char *prefix, const char *name, const char *value)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "%s%s", prefix ? prefix : "", name);
   mt_var_set (vars, b.p, value);
   mt_buf_free (&b);
}

/* Sets a variable for the value of column i, and a second one with the column's name in lower case.
 * Column names keep the case of unquoted identifiers, but in psql they are in lower case. */
static void set_column (MtVars *vars, const char *prefix, const MtResult *r, size_t i,
                        const char *value)
{
   const char *name = mt_result_name (r, i);
   char *low = mt_heap_strdup (name);
   for (char *p = low; *p; p++)
      *p = (char) tolower ((unsigned char) *p);
   set_one (vars, prefix, name, value);
   if (!has_column (r, low))
      set_one (vars, prefix, low, value);
   free (low);
}

/* \gset: sets a variable for each column of the only row. */
static bool set_variables (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   size_t n = mt_result_columns (r);
   MtVars found = {0};
   bool more, ok;
   while ((ok = mt_result_next (r, &more, err)) && more) {
      if (++*rows > 1)
         continue;
      for (size_t i = 0; i < n; i++) {
         const char *v = mt_result_text (r, i, NULL);
         set_column (&found, sh->go.args[0], r, i, v ? v : "\1");
      }
   }
   if (ok && *rows != 1)
      ok = mt_error (err, MT_E_OF_SHELL,
                     *rows ? "more than one row returned for \\gset"
                           : "no rows returned for \\gset");
   for (size_t i = 0; ok && i < found.n; i++) {
      if (!mt_var_name_ok (found.v[i].name, strlen (found.v[i].name)))
         mt_complain (sh, "invalid variable name: \"%s\"", found.v[i].name);
      else if (strcmp (found.v[i].value, "\1") == 0)
         mt_var_unset (&sh->vars, found.v[i].name);
      else
         mt_var_set (&sh->vars, found.v[i].name, found.v[i].value);
   }
   mt_vars_free (&found);
   return ok;
}

/* \gexec: appends each value that is not NULL to sh->to_run, as a statement that is run after the
 * current one. */
static bool keep_statements (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   size_t n = mt_result_columns (r), len;
   bool more, ok;
   while ((ok = mt_result_next (r, &more, err)) && more) {
      ++*rows;
      for (size_t i = 0; i < n; i++) {
         const char *sql = mt_result_text (r, i, &len);
         if (sql)
            mt_buf_add (&sh->to_run, sql, len + 1);
      }
   }
   return ok;
}

/* \gdesc: prints the names and types of the columns. */
static bool list_columns (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   static const char *const headers[] = {"Column", "Type"};
   MtArena *a = mt_arena_new ("columns", NULL);
   size_t n = mt_result_columns (r);
   MtStr *cells = MT_NEW_N (a, MtStr, 2 * n + 1);
   for (size_t i = 0; i < n; i++) {
      cells[2 * i] = mt_str (mt_result_name (r, i));
      cells[2 * i + 1] = mt_str (mt_type_display (a, mt_result_type (r, i)));
   }
   mt_print_listing (sh, &(MtListing) {.title = sh->display.o.title,
                                       .headers = headers,
                                       .columns = 2,
                                       .cells = cells,
                                       .rows = n});
   mt_arena_free (a);
   *rows = n;
   return true;
}

bool mt_rows_take (MtShell *sh, MtResult *r, bool last, uint64_t *rows, MtError *err)
{
   static bool (*const ways[]) (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err) = {
      [MT_GO_PRINT] = print_rows,     [MT_GO_SET] = set_variables,
      [MT_GO_EXEC] = keep_statements, [MT_GO_CROSSTAB] = mt_crosstab,
      [MT_GO_CHART] = mt_chart_rows,  [MT_GO_DESCRIBE] = list_columns};
   return ways[last ? sh->go.kind : MT_GO_PRINT](sh, r, rows, err);
}
