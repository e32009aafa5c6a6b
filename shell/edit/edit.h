/* The line editor: edits a text of one or more lines on the terminal.
 *
 * The program that uses the editor is its host. By callbacks the host decides whether Enter ends
 * the text, provides the prompts and colours, and finds the words that complete the text. */
#ifndef MT_EDIT_EDIT_H
#define MT_EDIT_EDIT_H

#include "shell/edit/history.h"
#include "base/arena.h"

/* How a byte of the text is displayed. */
typedef enum MtStyle {
   MT_STYLE_PLAIN,
   MT_STYLE_KEYWORD,
   MT_STYLE_STRING,
   MT_STYLE_NUMBER,
   MT_STYLE_COMMENT,
   MT_STYLE_COMMAND, /* a backslash command, or a variable */
   MT_STYLE_BAD,     /* an unmatched bracket */
   MT_STYLE_MATCH,   /* the bracket that belongs to the bracket at the cursor */
   MT_STYLE_FOUND,   /* the text found by Ctrl-R */
   MT_STYLE_HINT,    /* the lines below the text */
   MT_STYLES
} MtStyle;

/* The words that can complete the text before the cursor. */
typedef struct MtChoices {
   MtArena *arena;
   /* the words, sorted and without duplicates; each of them can replace the word being typed */
   const char **v;
   size_t n, cap;
   /* the byte offset in the text at which the word being typed begins */
   size_t start;
} MtChoices;

typedef struct MtEditHost {
   void *ctx;
   /* the keys are those of vi, otherwise those of Emacs */
   bool vi;
   /* Returns whether Enter ends the text. *why: a message to show below the text if not (a
    * literal); NULL: none. */
   bool (*ready) (void *ctx, const char *text, size_t n, const char **why);
   /* Appends the prompt for each line of the text to `out`, each followed by NUL. */
   void (*prompts) (void *ctx, const char *text, size_t n, MtBuf *out);
   /* Sets an MtStyle for each byte of the text; before, all are MT_STYLE_PLAIN. NULL: no
    * colours. */
   void (*style) (void *ctx, const char *text, size_t n, size_t cursor, uint8_t *styles);
   /* Finds the words that can stand at the cursor. The editor frees out->v and out->arena. NULL:
    * Tab inserts a tab. */
   void (*complete) (void *ctx, const char *text, size_t cursor, MtChoices *out);
   /* Appends the help line for the text before the cursor, or nothing. NULL: there is never a help
    * line. */
   void (*hint) (void *ctx, const char *text, size_t n, MtBuf *out);
   /* Lets the user edit the text with another program. Returns false if the text is unchanged.
    * NULL: not possible. */
   bool (*external) (void *ctx, MtBuf *text);
   /* Return whether a SIGINT arrived, or the window changed its size, since the last call. */
   bool (*take_interrupt) (void);
   bool (*take_resize) (void);
   /* Sets *columns and *lines to the size of the window; 0: not known. */
   void (*window_size) (int *columns, int *lines);
} MtEditHost;

typedef enum MtEditEnd {
   MT_EDIT_DONE,        /* Enter */
   MT_EDIT_EOF,         /* Ctrl-D in an empty text, or the terminal has gone */
   MT_EDIT_INTERRUPTED, /* Ctrl-C */
} MtEditEnd;

/* Lets the user type a text, and sets *text to it. `history` NULL: there is no history. Call it
 * with the cursor at the left of the window; the editor draws the prompts. At the end the terminal
 * has its former mode; the cursor is on the next line after MT_EDIT_DONE, otherwise after the
 * text. */
MtEditEnd mt_edit (const MtEditHost *host, const MtHistory *history, MtBuf *text);

#endif
