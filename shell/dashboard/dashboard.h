/* Shows a dashboard: live on a terminal, elsewhere once, or as an HTML page. */
#ifndef MT_SHELL_DASHBOARD_DASHBOARD_H
#define MT_SHELL_DASHBOARD_DASHBOARD_H

#include "shell/dashboard/board.h"

/* The file of a dashboard. read() reads it into *out, which is empty; errors are reported. */
typedef struct MtBoardFile {
   const char *name;
   bool (*read) (MtShell *sh, const char *name, MtBoard *out);
} MtBoardFile;

/* Shows the dashboard on the output, or writes it to the HTML file `page` (NULL: none). On a
 * terminal the function returns when the user ends the dashboard; a new value of a variable reads
 * the file again into *b. Otherwise, errors of queries are also reported, and set sh->failed. */
void mt_dashboard_show (MtShell *sh, MtBoard *b, const MtBoardFile *file, const char *page);

#endif
