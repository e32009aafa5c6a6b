/* Shows a dashboard: again and again on a terminal, once elsewhere, or as a page of HTML. */
#ifndef MT_SHELL_DASHBOARD_DASHBOARD_H
#define MT_SHELL_DASHBOARD_DASHBOARD_H

#include "shell/dashboard/board.h"

/* Shows the dashboard on the output, or writes it to the file `page` (NULL: none). On a terminal the
 * function returns when the user ends the dashboard. Otherwise errors of queries are also reported,
 * and set sh->failed. */
void mt_dashboard_show (MtShell *sh, const MtBoard *b, const char *page);

#endif
