/* Private to shell/dashboard: the rows of the panels, and the ways to draw them. */
#ifndef MT_SHELL_DASHBOARD_INT_H
#define MT_SHELL_DASHBOARD_INT_H

#include "shell/dashboard/dashboard.h"
#include "shell/edit/keys.h"
#include "shell/edit/text.h"

#include <time.h>

/* ---- read.c: reading the rows of a panel ---- */

/* Limits of what a panel keeps: rows of a table, bytes of a table, bytes of a value. */
enum { MT_PANEL_ROWS = 500, MT_PANEL_BYTES = 1 << 20, MT_PANEL_VALUE = 4096 };

typedef enum MtShownKind {
   MT_SHOWN_NOTHING, /* the query has not run */
   MT_SHOWN_ERROR,
   MT_SHOWN_CHART,
   MT_SHOWN_NUMBER, /* one row of one column */
   MT_SHOWN_TABLE
} MtShownKind;

/* The content of a panel: the result of its query. */
typedef struct MtShown {
   MtShownKind kind;
   MtArena *arena;
   MtError err;
   /* the chart; it also exists if it has no data */
   MtChart *chart;
   MtFmtColumn *columns;
   size_t column_count;
   MtStr *cells; /* row after row; p NULL: SQL NULL */
   size_t rows;
   bool more; /* the query has more rows than are kept */
} MtShown;

/* Runs the panel's query, and replaces the content *s by its result. Ctrl-C cancels the query. */
void mt_shown_read (MtShell *sh, const MtPanel *p, MtShown *s);
void mt_shown_free (MtShown *s); /* frees what *s owns */

/* ---- grid.c: lines of text ---- */

/* Everything that is needed to draw a dashboard. */
typedef struct MtBoardView {
   MtShell *sh;
   const MtBoard *board;
   const MtShown *shown; /* array with an element for each panel */
   MtChartScreen screen; /* lines 0: as many as the panels need */
   time_t read_at;       /* the time when the queries were run */
} MtBoardView;

/* Appends the first line, with title and variables, in the width of the screen. */
void mt_board_head (const MtBoardView *v, MtBuf *out);
/* Appends the panels as lines of text. There may be more lines than the screen has. */
void mt_board_panels (const MtBoardView *v, MtBuf *out);
/* Appends the beginning of a line that fits into `width` columns; escape sequences for colours have
 * no width. pad: blanks fill the rest. */
void mt_board_clip (const MtBoardView *v, MtStr line, int width, bool pad, MtBuf *out);

/* ---- live.c: live on a terminal ---- */

/* Shows the dashboard live until the user ends it. A new value of a variable replaces *b and
 * *shown. Returns false if the terminal is not suitable. */
bool mt_board_live (MtShell *sh, MtBoard *b, MtShown **shown, const MtBoardFile *file);
/* Frees the contents of n panels. */
void mt_shown_free_all (MtShown *shown, size_t n);

/* ---- ask.c: the prompt for a variable at a terminal ---- */

typedef struct MtAsk {
   bool open;
   MtEditText text;
   int offered;   /* the variable that Tab offered last; -1: none */
   char *problem; /* an error of the last answer or of rereading the file; NULL: none */
} MtAsk;

/* What a key has done: the prompt goes on, was cancelled, or was answered. */
typedef enum MtAsked { MT_ASK_GOES_ON, MT_ASK_CANCELS, MT_ASK_ANSWERS } MtAsked;

/* Opens the prompt; does nothing if the dashboard has no variables. */
void mt_ask_open (MtAsk *ask, const MtBoardView *v);
/* Closes the prompt, and frees its text. problem: a message to show then; NULL: none. */
void mt_ask_close (MtAsk *ask, const char *problem);
MtAsked mt_ask_key (MtAsk *ask, const MtBoardView *v, const MtKeys *keys, int key);
/* Splits the prompt's text into name and value, which are borrowed. Returns false if it is not
 * name=value of a variable; then the prompt shows a message. */
bool mt_ask_answer (MtAsk *ask, const MtBoardView *v, const char **name, const char **value);
/* Appends the line of the prompt, and the escape sequence that sets the cursor. */
void mt_ask_draw (const MtAsk *ask, const MtBoardView *v, MtBuf *out);

/* ---- again.c: reading the file again ---- */

/* Reads the file again into *out, with a new value of a variable. Returns false after an error:
 * then the variable has its old value again, and *why has the first message, owned by the caller
 * (free). */
bool mt_board_again (MtShell *sh, const MtBoardFile *file, const char *name, const char *value,
                     MtBoard *out, char **why);

/* ---- page.c ---- */

/* Appends the dashboard as an HTML page, which has no scripts and loads nothing. */
void mt_board_page (const MtBoardView *v, MtBuf *out);

#endif
