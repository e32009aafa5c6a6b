/* A dashboard as its file describes it.
 *
 * The file is a script of the shell. While MtShell.board is set, \dashboard, \panel and \default
 * describe the dashboard, and the query of a panel is kept instead of being run. */
#ifndef MT_SHELL_DASHBOARD_BOARD_H
#define MT_SHELL_DASHBOARD_BOARD_H

#include "shell/core/shell.h"

enum { MT_BOARD_PANELS = 100, MT_BOARD_VARIABLES = 32 };

/* One panel. All strings are owned. */
typedef struct MtPanel {
   char *title;
   /* the panel is as wide as the dashboard */
   bool wide;
   /* the place of \panel, for messages; the line of the query once there is one */
   char *file;
   uint64_t line;
   /* NULL: the query has not come yet */
   char *sql;
   /* the rows are drawn with the options; else they are a table or a number */
   bool charted;
   MtChartOptions chart;
} MtPanel;

typedef struct MtBoard {
   /* NULL: there is no \dashboard */
   char *title;
   /* the seconds between two refreshes; 0: none */
   double refresh_s;
   /* the names that \default sets, in their order */
   char *variables[MT_BOARD_VARIABLES];
   size_t variable_count;
   MtPanel *panels;
   size_t count, cap;
} MtBoard;

void mt_board_free (MtBoard *b); /* frees what *b owns */

/* Reads an interval such as "30", "30s", "500ms", "5min" or "1h". Returns false if the text is none,
 * or if it is shorter than 100 ms or longer than a day. */
bool mt_board_interval (const char *text, double *seconds);

/* These functions return false after an error, which is reported. */

/* Describes the dashboard: \dashboard. */
bool mt_board_begin (MtShell *sh, const char *title, double refresh_s);
/* Begins a panel: \panel. */
bool mt_board_panel (MtShell *sh, const char *title, bool wide);
/* Notes a variable of \default. */
bool mt_board_variable (MtShell *sh, const char *name);
/* Takes a query of the file, with the use of its rows in sh->go. The query of a panel is kept. Other
 * statements run. *runs: the caller runs the statement. */
bool mt_board_query (MtShell *sh, const MtBuf *sql, bool *runs);
/* Checks the dashboard after the end of the file `name`. */
bool mt_board_check (MtShell *sh, const char *name);

#endif
