/* Reads keys from the terminal. */
#ifndef MT_EDIT_KEYS_H
#define MT_EDIT_KEYS_H

#include "shell/edit/edit.h"

/* A key is a code point, a control character, or one of the following. MT_KEY_META is added if Alt
 * was held, or Escape pressed before; MT_KEY_CTRL is added to special keys only. */
enum {
   MT_KEY_UP = 0x200000,
   MT_KEY_DOWN,
   MT_KEY_LEFT,
   MT_KEY_RIGHT,
   MT_KEY_HOME,
   MT_KEY_END,
   MT_KEY_DELETE,
   MT_KEY_PAGE_UP,
   MT_KEY_PAGE_DOWN,
   MT_KEY_NEWLINE, /* Alt-Enter or Shift-Enter: a new line in any case */
   MT_KEY_PASTE,   /* keys.pasted has the text */
   MT_KEY_UNKNOWN, /* a sequence that means nothing here */
   /* events other than keys */
   MT_KEY_INTERRUPT, /* SIGINT came */
   MT_KEY_REDRAW,    /* the window changed its size, or the program continues after a stop */
   MT_KEY_EOF,       /* the terminal has gone */
   MT_KEY_TIMEOUT,   /* no key came within MtKeys.wait_ms */
   MT_KEY_META = 0x400000,
   MT_KEY_CTRL = 0x800000
};
#define MT_CTRL(letter) ((letter) & 0x1F)

typedef struct MtKeys {
   const MtEditHost *host;
   int again;   /* a byte to be read again; -1: none */
   int wait_ms; /* how long to wait for a key; 0: without end */
   MtBuf pasted;
} MtKeys;

/* Waits for the next key or event, and returns it. */
int mt_keys_next (MtKeys *k);
/* Returns whether a key can be read without waiting. */
bool mt_keys_pending (const MtKeys *k);

#endif
