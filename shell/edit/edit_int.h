/* Private to shell/edit: the state of the line editor. */
#ifndef MT_EDIT_EDIT_INT_H
#define MT_EDIT_EDIT_INT_H

#include "shell/edit/keys.h"
#include "shell/edit/screen.h"

/* What the previous key did, as far as it changes the effect of the next one. */
typedef enum MtDeed { MT_DID_OTHER, MT_DID_KILL, MT_DID_YANK, MT_DID_VERTICAL } MtDeed;

/* What happens after a key: editing goes on, or ends in one of three ways. */
typedef enum MtAfterKey { MT_KEY_GO_ON, MT_KEY_ACCEPT, MT_KEY_LEAVE, MT_KEY_BREAK } MtAfterKey;

typedef struct MtEditor {
   const MtEditHost *host;
   const MtHistory *history; /* NULL: none */
   MtEditText t;
   MtEditScreen screen;
   MtKeys keys;
   size_t at;  /* the history entry that is edited; history->n: the new text */
   MtBuf own;  /* keeps the new text while a history entry is edited */
   int column; /* the column to which Up and Down return; -1: the cursor's column */
   MtDeed last, now;
   size_t yanked; /* where the text begins that Ctrl-Y inserted */
   /* the state of vi's keys */
   bool command;  /* command mode; else insert mode */
   bool replaces; /* insert mode after R: typed characters replace those at the cursor */
   bool changes;  /* the command changes the text */
   int count;     /* the number before a command; 0: none */
} MtEditor;

/* ---- edit.c: keys and their actions ---- */

/* Waits for the next key. Actions that read further keys call this function, so that vi's '.' can
 * repeat them. */
int mt_edit_next (MtEditor *e);
/* Performs the action of a key, except in vi's command mode. */
MtAfterKey mt_edit_key (MtEditor *e, int key);
/* Lets the user edit the text with another program. */
MtAfterKey mt_edit_by_program (MtEditor *e);

/* ---- vi.c: the keys of vi ---- */

/* Starts in insert mode. All text that is typed before the first command is undone together. */
void mt_vi_begin (MtEditor *e);
/* Waits for the next key, or returns the next one of the command that '.' repeats. */
int mt_vi_next (MtEditor *e);
/* Performs the action of a key in the current mode of vi. */
MtAfterKey mt_vi_key (MtEditor *e, int key);

/* ---- kills.c: the ring of cut texts ---- */

/* Removes the bytes from..to, and stores them as the last cut text. Consecutive cuts are joined
 * into one; backwards: this text is put before the previous one. */
void mt_kill (MtEditor *e, size_t from, size_t to, bool backwards);
/* Stores a text as the last cut text, without changing the edited text. */
void mt_keep_cut (const char *p, size_t n);
/* Returns the last cut text. Borrowed until the next cut. */
const MtBuf *mt_last_cut (void);
/* Inserts the last cut text at the cursor. */
void mt_yank (MtEditor *e);
/* Replaces the text that mt_yank inserted by the text cut before it. */
void mt_yank_before (MtEditor *e);

/* ---- recall.c: the history ---- */

/* Starts to edit the history entry `by` entries later (negative: earlier) than the current one.
 * Returns false if there is none. */
bool mt_recall (MtEditor *e, long by);
/* Searches the history while the user types the pattern. Returns the key that ended the search,
 * which still has to be handled; 0: none. */
int mt_recall_search (MtEditor *e, bool forwards);
/* Repeats the last search in its direction; other_way: in the opposite one. */
void mt_recall_again (MtEditor *e, bool other_way);

/* ---- offer.c: completion ---- */

/* Completes the word before the cursor, or lists the possible words. */
void mt_offer (MtEditor *e);

#endif
