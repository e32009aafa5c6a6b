/* Prints tables that the shell makes itself: for \d, \dt and so on. */
#include "shell/core/output.h"
#include "shell/core/run.h"

void mt_print_listing (MtShell *sh, const MtListing *l)
{
   MtFmtOptions o = mt_rows_options (sh);
   MtFmtColumn columns[16];
   MtFmt f;
   MtOut out;
   o.title = l->title;
   for (size_t i = 0; i < l->columns; i++)
      columns[i] = (MtFmtColumn) {mt_str (l->headers[i]), l->right[i],
                                  l->right[i] ? MT_CELL_NUMBER : MT_CELL_TEXT, false};
   if (!mt_out_begin (sh, &out))
      return;
   mt_fmt_begin (&f, &o, columns, l->columns, mt_out_write, &out);
   for (size_t i = 0; i < l->rows; i++)
      mt_fmt_row (&f, l->cells + i * l->columns);
   mt_fmt_finish (&f, l->footers);
   mt_out_end (&out);
}
