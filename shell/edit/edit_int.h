/* The state of the line editor, which its files share. */
#ifndef MT_EDIT_EDIT_INT_H
#define MT_EDIT_EDIT_INT_H

#include "shell/edit/keys.h"
#include "shell/edit/screen.h"

/* What a key did, where the next key depends on it. */
typedef enum MtDeed { MT_DID_OTHER, MT_DID_KILL, MT_DID_YANK, MT_DID_VERTICAL } MtDeed;

/* What follows a key. */
typedef enum MtAfterKey { MT_KEY_GO_ON, MT_KEY_ACCEPT, MT_KEY_LEAVE, MT_KEY_BREAK } MtAfterKey;

typedef struct MtEditor {
   const MtEditHost *host;
   const MtHistory *history; /* NULL: none */
   MtEditText t;
   MtEditScreen screen;
   MtKeys keys;
   size_t at;  /* the entry of the history that is edited; history->n: the new text */
   MtBuf own;  /* the new text, while an entry of the history is edited */
   int column; /* the column that Up and Down keep; -1: the cursor's */
   MtDeed last, now;
   size_t yanked; /* where the text that Ctrl-Y inserted begins */
   /* the keys of vi */
   bool command;  /* command mode; else insert mode */
   bool replaces; /* insert mode after R: typed characters replace those at the cursor */
   bool changes;  /* the command changes the text */
   int count;     /* the number before a command; 0: none */
} MtEditor;

/* ---- edit.c: keys and their actions ---- */

/* Waits for the next key. Actions that read more keys call this, so that vi's '.' repeats them. */
int mt_edit_next (MtEditor *e);
/* Does what a key means outside of vi's command mode. */
MtAfterKey mt_edit_key (MtEditor *e, int key);
/* Edits the text with a program of the user. */
MtAfterKey mt_edit_by_program (MtEditor *e);

/* ---- vi.c: the keys of vi ---- */

/* Begins in insert mode. The text that is typed first is a group of changes. */
void mt_vi_begin (MtEditor *e);
/* Waits for the next key, or takes one of the command that '.' repeats. */
int mt_vi_next (MtEditor *e);
/* Does what a key means. */
MtAfterKey mt_vi_key (MtEditor *e, int key);

/* ---- kills.c: the ring of texts that were cut ---- */

/* Cuts the bytes from..to. Cuts that follow one another become one text. backwards: the text is
 * put before the last one. */
void mt_kill (MtEditor *e, size_t from, size_t to, bool backwards);
/* Adds a text to those that were cut, without cutting it. */
void mt_keep_cut (const char *p, size_t n);
/* Returns the text that was cut last. Borrowed until the next cut. */
const MtBuf *mt_last_cut (void);
/* Inserts the text that was cut last. */
void mt_yank (MtEditor *e);
/* Replaces what mt_yank inserted by the text that was cut before it. */
void mt_yank_before (MtEditor *e);

/* ---- recall.c: the history ---- */

/* Edits the entry `by` places later (earlier, if negative). Returns false if there is none. */
bool mt_recall (MtEditor *e, long by);
/* Searches the history while the user types. Returns the key that ended the search, which is still
 * to be obeyed; 0: none. */
int mt_recall_search (MtEditor *e, bool forwards);
/* Repeats the last search, in its direction or the other one. */
void mt_recall_again (MtEditor *e, bool other_way);

/* ---- offer.c: completion ---- */

/* Completes the word before the cursor, or shows the words that are possible. */
void mt_offer (MtEditor *e);

#endif
