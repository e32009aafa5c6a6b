/* Draws the text that is being edited on the terminal. */
#ifndef MT_EDIT_SCREEN_H
#define MT_EDIT_SCREEN_H

#include "shell/edit/edit.h"
#include "shell/edit/text.h"

/* One row of the window. A line wider than the window takes several rows. */
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
   /* the text and styles on the screen. known: they are valid, the cursor is at the end of the
    * text, and there are no lines below it. */
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
/* Draws the text with its prompts, and moves the cursor to its position. */
void mt_screen_draw (MtEditScreen *s, const MtEditText *t);
/* Draws the whole text, and moves the cursor after it. */
void mt_screen_finish (MtEditScreen *s, const MtEditText *t);
/* Makes the next drawing complete, because another program has changed the window or it is empty.
 * clears: clears the window first. */
void mt_screen_anew (MtEditScreen *s, bool clears);
/* Adapts to a new size of the window. Terminals wrap the rows on the screen by themselves. */
void mt_screen_resized (MtEditScreen *s, const MtEditText *t);
/* Returns the offset `by` rows below offset `at` (negative: above), in the column closest to
 * *column; *column < 0 is first set to the column of `at`. Returns `at` if there is no such row. */
size_t mt_screen_vertical (MtEditScreen *s, const MtEditText *t, size_t at, int by, int *column);

#endif
