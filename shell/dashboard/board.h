/* The description of a dashboard, read from its file.
 *
 * The file is a script of the shell. While MtShell.board is set, \dashboard, \panel and \default
 * describe the dashboard, and the query of a panel is stored instead of being run. */
#ifndef MT_SHELL_DASHBOARD_BOARD_H
#define MT_SHELL_DASHBOARD_BOARD_H

#include "shell/core/shell.h"

enum { MT_BOARD_PANELS = 100, MT_BOARD_VARIABLES = 32 };

/* One panel. All strings are owned. */
typedef struct MtPanel {
   char *title;
   /* the panel has the full width of the dashboard */
   bool wide;
   /* file and line of \panel, for messages; later the line of the query */
   char *file;
   uint64_t line;
   /* the panel's query; NULL: it was not read yet */
   char *sql;
   /* the rows are drawn as a chart with these options; otherwise as a table or a single number */
   bool charted;
   MtChartOptions chart;
} MtPanel;

typedef struct MtBoard {
   /* NULL: the file has no \dashboard */
   char *title;
   /* seconds between two refreshes; 0: no refresh */
   double refresh_s;
   /* the names of the variables that \default set, in the order of the file */
   char *variables[MT_BOARD_VARIABLES];
   size_t variable_count;
   MtPanel *panels;
   size_t count, cap;
} MtBoard;

void mt_board_free (MtBoard *b); /* frees what *b owns */

/* Parses an interval such as "30", "30s", "500ms", "5min" or "1h" into seconds. Returns false if
 * the text is no interval, or the interval is shorter than 100 ms or longer than a day. */
bool mt_board_interval (const char *text, double *seconds);

/* The following functions return false after an error, which is reported. */

/* Handles \dashboard: sets the dashboard's title and refresh interval. */
bool mt_board_begin (MtShell *sh, const char *title, double refresh_s);
/* Handles \panel: starts a new panel. */
bool mt_board_panel (MtShell *sh, const char *title, bool wide);
/* Handles \default: adds a variable to the dashboard's variables. */
bool mt_board_variable (MtShell *sh, const char *name);
/* Handles a query of the file, whose rows are used as sh->go says. The query of a panel is stored.
 * *runs: the statement does not belong to a panel, so the caller runs it. */
bool mt_board_query (MtShell *sh, const MtBuf *sql, bool *runs);
/* Checks that the dashboard is complete. Call it after the file `name` was read. */
bool mt_board_check (MtShell *sh, const char *name);

#endif
