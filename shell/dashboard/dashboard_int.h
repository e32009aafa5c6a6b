/* The rows of the panels, and the ways to draw them. */
#ifndef MT_SHELL_DASHBOARD_INT_H
#define MT_SHELL_DASHBOARD_INT_H

#include "shell/dashboard/dashboard.h"
#include "shell/edit/keys.h"
#include "shell/edit/text.h"

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

/* Draws the dashboard until the user ends it. A new value of a variable replaces *b and *shown.
 * Returns false if the terminal can't be used so. */
bool mt_board_live (MtShell *sh, MtBoard *b, MtShown **shown, const MtBoardFile *file);
/* Frees the rows of n panels. */
void mt_shown_free_all (MtShown *shown, size_t n);

/* ---- ask.c: the prompt for a variable at a terminal ---- */

typedef struct MtAsk {
   bool open;
   MtEditText text;
   int offered;   /* the variable that Tab offered last; -1: none */
   char *problem; /* of the last answer, or of the file that was read again; NULL: none */
} MtAsk;

/* What a key did to the prompt. */
typedef enum MtAsked { MT_ASK_GOES_ON, MT_ASK_CANCELS, MT_ASK_ANSWERS } MtAsked;

/* Opens the prompt, unless the dashboard has no variables. */
void mt_ask_open (MtAsk *ask, const MtBoardView *v);
/* Closes the prompt, and frees its text. problem: what to show afterwards; NULL: nothing. */
void mt_ask_close (MtAsk *ask, const char *problem);
MtAsked mt_ask_key (MtAsk *ask, const MtBoardView *v, const MtKeys *keys, int key);
/* Splits the text in name and value, which are borrowed. False: it is no name=value of a variable.
 * The prompt then says so. */
bool mt_ask_answer (MtAsk *ask, const MtBoardView *v, const char **name, const char **value);
/* Adds the line of the prompt, and sets the cursor. */
void mt_ask_draw (const MtAsk *ask, const MtBoardView *v, MtBuf *out);

/* ---- again.c ---- */

/* Reads the file again with a new value of a variable. Returns false after an error: the variable
 * has its old value, and *why has the first message, which the caller frees. */
bool mt_board_again (MtShell *sh, const MtBoardFile *file, const char *name, const char *value,
                     MtBoard *out, char **why);

/* ---- page.c ---- */

/* Adds the dashboard as a page of HTML, which has no scripts and loads nothing. */
void mt_board_page (const MtBoardView *v, MtBuf *out);

#endif
