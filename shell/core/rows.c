/* Prints the rows of a result, or uses them for \gset, \gexec or \gdesc. */
#include "shell/core/output.h"
#include "shell/core/report.h"
#include "shell/core/run.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool each_row (MtResult *r, MtFmt *f, size_t n, MtError *err)
{
   MtStr *cells = mt_calloc ("cells", n ? n : 1, sizeof *cells);
   bool more, ok = true, going = true;
   while (going && (ok = mt_result_next (r, &more, err)) && more) {
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

static bool print_rows (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err)
{
   size_t n = mt_result_columns (r);
   MtFmtColumn *columns = mt_calloc ("columns", n + 1, sizeof *columns);
   MtFmtOptions o = mt_rows_options (sh);
   MtFmt f;
   MtOut out;
   for (size_t i = 0; i < n; i++)
      columns[i] = mt_fmt_column (mt_result_name (r, i), mt_result_type (r, i));
   if (!mt_out_begin (sh, &out)) {
      free (columns);
      return mt_error (err, MT_E_IO, "could not open the output");
   }
   mt_fmt_begin (&f, &o, columns, n, mt_out_write, &out);
   bool ok = each_row (r, &f, n, err);
   *rows = f.rows;
   if (ok)
      mt_fmt_finish (&f, NULL);
   else
      mt_fmt_abort (&f);
   mt_out_end (&out);
   free (columns);
   return ok && mt_memory_check (err);
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
         MtBuf name = {0};
         const char *v = mt_result_text (r, i, NULL);
         mt_buf_printf (&name, "%s%s", sh->go.args[0] ? sh->go.args[0] : "", mt_result_name (r, i));
         mt_var_set (&found, name.p, v ? v : "\1");
         mt_buf_free (&name);
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

/* \gexec: keeps each value that isn't NULL as a statement, which runs after the current
 * statement. */
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
   static bool (*const ways[]) (MtShell *sh, MtResult *r, uint64_t *rows,
                                MtError *err) = {[MT_GO_PRINT] = print_rows,
                                                 [MT_GO_SET] = set_variables,
                                                 [MT_GO_EXEC] = keep_statements,
                                                 [MT_GO_CROSSTAB] = mt_crosstab,
                                                 [MT_GO_DESCRIBE] = list_columns};
   return ways[last ? sh->go.kind : MT_GO_PRINT](sh, r, rows, err);
}
