/* Shows a dashboard: again and again on a terminal, once elsewhere, or as a page of HTML. */
#ifndef MT_SHELL_DASHBOARD_DASHBOARD_H
#define MT_SHELL_DASHBOARD_DASHBOARD_H

#include "shell/dashboard/board.h"

/* The file of a dashboard. `read` reads it into the empty *out, and reports errors. */
typedef struct MtBoardFile {
   const char *name;
   bool (*read) (MtShell *sh, const char *name, MtBoard *out);
} MtBoardFile;

/* Shows the dashboard on the output, or writes it to the file `page` (NULL: none). On a terminal the
 * function returns when the user ends the dashboard. Otherwise errors of queries are also reported,
 * and set sh->failed. At a terminal, a new value of a variable reads the file again, into *b. */
void mt_dashboard_show (MtShell *sh, MtBoard *b, const MtBoardFile *file, const char *page);

#endif
