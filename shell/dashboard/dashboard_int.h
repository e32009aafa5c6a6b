/* The rows of the panels, and the ways to draw them. */
#ifndef MT_SHELL_DASHBOARD_INT_H
#define MT_SHELL_DASHBOARD_INT_H

#include "shell/dashboard/dashboard.h"

#include <time.h>

/* ---- read.c: the rows of a panel ---- */

/* The rows and bytes of a table, and the bytes of a value, that a panel keeps. */
enum { MT_PANEL_ROWS = 500, MT_PANEL_BYTES = 1 << 20, MT_PANEL_VALUE = 4096 };

typedef enum MtShownKind {
   MT_SHOWN_NOTHING, /* the query has not run */
   MT_SHOWN_ERROR,
   MT_SHOWN_CHART,
   MT_SHOWN_NUMBER, /* one row of one column */
   MT_SHOWN_TABLE
} MtShownKind;

/* What a panel shows. */
typedef struct MtShown {
   MtShownKind kind;
   MtArena *arena;
   MtError err;
   /* also the rows of a chart without data */
   MtChart *chart;
   MtFmtColumn *columns;
   size_t column_count;
   MtStr *cells; /* row after row; p NULL: SQL NULL */
   size_t rows;
   bool more; /* the query has more rows than are kept */
} MtShown;

/* Runs the panel's query, and replaces *s. Ctrl-C cancels the query. */
void mt_shown_read (MtShell *sh, const MtPanel *p, MtShown *s);
void mt_shown_free (MtShown *s); /* frees what *s owns */

/* ---- grid.c: lines of text ---- */

/* What is drawn. */
typedef struct MtBoardView {
   MtShell *sh;
   const MtBoard *board;
   const MtShown *shown; /* of each panel */
   MtChartScreen screen; /* lines 0: as many as the panels need */
   time_t read_at;       /* when the queries ran */
} MtBoardView;

/* Adds the line of title and variables, of the screen's width. */
void mt_board_head (const MtBoardView *v, MtBuf *out);
/* Adds the panels. There can be more lines than the screen has. */
void mt_board_panels (const MtBoardView *v, MtBuf *out);
/* Adds n bytes of a line up to a width. Colours have no width. pad: spaces fill the rest. */
void mt_board_clip (const MtBoardView *v, MtStr line, int width, bool pad, MtBuf *out);

/* ---- live.c: a terminal ---- */

/* Draws the dashboard until the user ends it. Returns false if the terminal can't be used so. */
bool mt_board_live (MtShell *sh, const MtBoard *b, MtShown *shown);

/* ---- page.c ---- */

/* Adds the dashboard as a page of HTML, which has no scripts and loads nothing. */
void mt_board_page (const MtBoardView *v, MtBuf *out);

#endif
