/* What becomes of a result's rows. */
#ifndef MT_SHELL_ROWS_H
#define MT_SHELL_ROWS_H

#include "shell/core/shell.h"

/* All rows, as sh->go says, or printed where the result isn't its text's last; *rows: how many. */
bool mt_rows_take (MtShell *sh, MtResult *r, bool last, uint64_t *rows, MtError *err);
/* The display options for this statement: \gx, the window's width, FETCH_COUNT. */
MtFmtOptions mt_rows_options (MtShell *sh);

/* \crosstabview (crosstab.c): a table of the values of one column, at the crossings of those of two
 * others. sh->go.args are psql's colV, colH, colD and sortcolH. MT_E_OF_SHELL for columns that
 * there aren't, two values at one crossing, more than MT_CROSSTAB_BYTES of them or too many
 * columns. */
enum { MT_CROSSTAB_COLUMNS = 1600, MT_CROSSTAB_BYTES = 256 << 20 };
bool mt_crosstab (MtShell *sh, MtResult *r, uint64_t *rows, MtError *err);

#endif
