/* Draws the text that is being edited. */
#ifndef MT_EDIT_SCREEN_H
#define MT_EDIT_SCREEN_H

#include "shell/edit/edit.h"
#include "shell/edit/text.h"

/* One row of the window. A line that is wider than the window has several rows. */
typedef struct MtScreenRow {
   size_t start, end; /* its bytes of the text, without the line feed */
   size_t prompt;     /* the offset of the line's prompt in screen.prompts */
   int indent;        /* the width of the prompt; 0 in the further rows of a line */
   bool first;        /* the first row of a line */
} MtScreenRow;

typedef struct MtEditScreen {
   const MtEditHost *host;
   MtBuf prompts;
   uint8_t *styles;
   size_t styles_cap;
   /* the text that the window shows and its styles, if `known`: the cursor is behind the text, and
    * nothing is below */
   MtBuf drawn, drawn_styles;
   bool known;
   MtScreenRow *rows;
   size_t n, cap;
   int columns, lines;
   size_t top;            /* the first row that the window shows */
   size_t cursor_row;     /* the cursor's row among the rows that are drawn */
   MtBuf below;           /* lines shown below the text, each ended by '\n' */
   const char *instead;   /* shown instead of the first line's prompt; NULL: the prompt */
   size_t found, found_n; /* the part of the text that a search found */
   bool leads;            /* the lines of the prompt before its last line are still to be drawn */
} MtEditScreen;

void mt_screen_init (MtEditScreen *s, const MtEditHost *host);
void mt_screen_free (MtEditScreen *s);
/* Draws the text with its prompts, and sets the cursor. */
void mt_screen_draw (MtEditScreen *s, const MtEditText *t);
/* Draws all of the text, and sets the cursor behind it. */
void mt_screen_finish (MtEditScreen *s, const MtEditText *t);
/* Prepares for a window that another program has changed, or that is empty (clears: removes
 * everything in the window first). */
void mt_screen_anew (MtEditScreen *s, bool clears);
/* Prepares for another size of the window. Terminals wrap the rows again by themselves. */
void mt_screen_resized (MtEditScreen *s, const MtEditText *t);
/* Returns the place `by` rows below `at` (or above it, if negative), near *column. *column < 0 is
 * set to the column of `at`. Returns at if there is no such row. */
size_t mt_screen_vertical (MtEditScreen *s, const MtEditText *t, size_t at, int by, int *column);

#endif
