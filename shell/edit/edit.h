/* The line editor: a text of one or more lines is edited at the terminal.
 *
 * The program that uses the editor is its host. The host decides by callbacks whether Enter ends
 * the text, how prompts and colours look, and which words complete the text. */
#ifndef MT_EDIT_EDIT_H
#define MT_EDIT_EDIT_H

#include "shell/edit/history.h"
#include "base/arena.h"

/* How a byte of the text is shown. */
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
   /* the possible words, sorted, without duplicates; each can replace the word being typed */
   const char **v;
   size_t n, cap;
   /* the offset in the text at which the word being typed begins */
   size_t start;
} MtChoices;

typedef struct MtEditHost {
   void *ctx;
   /* The keys are those of vi; else those of Emacs. */
   bool vi;
   /* Returns whether Enter ends the text. *why: NULL, or a literal that is shown below the text. */
   bool (*ready) (void *ctx, const char *text, size_t n, const char **why);
   /* Adds the prompt of each line of the text to `out`, each with a NUL behind it. */
   void (*prompts) (void *ctx, const char *text, size_t n, MtBuf *out);
   /* Sets an MtStyle for each byte of the text; all are MT_STYLE_PLAIN before. NULL: no colours. */
   void (*style) (void *ctx, const char *text, size_t n, size_t cursor, uint8_t *styles);
   /* Finds the words that can stand at the cursor. The editor frees out->v and out->arena. NULL: Tab
    * inserts itself. */
   void (*complete) (void *ctx, const char *text, size_t cursor, MtChoices *out);
   /* Adds the line that helps with the text before the cursor, or nothing. NULL: no such line. */
   void (*hint) (void *ctx, const char *text, size_t n, MtBuf *out);
   /* Edits the text with a program of the user. Returns false if it is unchanged. NULL: not
    * possible. */
   bool (*external) (void *ctx, MtBuf *text);
   /* Return whether SIGINT came, or the window changed its size, since the last call. */
   bool (*take_interrupt) (void);
   bool (*take_resize) (void);
   /* Sets the size of the window; 0: not known. */
   void (*window_size) (int *columns, int *lines);
} MtEditHost;

typedef enum MtEditEnd {
   MT_EDIT_DONE,        /* Enter */
   MT_EDIT_EOF,         /* Ctrl-D in an empty text, or the terminal has gone */
   MT_EDIT_INTERRUPTED, /* Ctrl-C */
} MtEditEnd;

/* Lets the user edit a text, and sets *text to it. `history` NULL: Up and Down reach no history.
 * The cursor is behind the prompt, at the left of the window. At the end the terminal has its
 * former mode; after MT_EDIT_DONE the cursor is on the next line, otherwise behind the text. */
MtEditEnd mt_edit (const MtEditHost *host, const MtHistory *history, MtBuf *text);

#endif
