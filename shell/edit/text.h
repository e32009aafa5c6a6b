/* The text that is being edited, with its cursor, and the changes that can be undone. */
#ifndef MT_EDIT_TEXT_H
#define MT_EDIT_TEXT_H

#include "base/str.h"

/* One change: at offset `at`, the text `gone` was replaced by `came`. */
typedef struct MtEditChange {
   size_t at;
   MtBuf gone, came;
   size_t cursor;  /* the cursor before the change */
   unsigned group; /* changes of one group are undone together; 0: none */
} MtEditChange;

typedef struct MtEditText {
   MtBuf b; /* UTF-8; lines are separated by '\n' */
   size_t cursor;
   MtEditChange *changes;
   size_t n, cap;
   size_t done;    /* the first `done` changes are in effect; the others were undone */
   bool typing;    /* the next typed character joins the last change */
   unsigned group; /* the group of the next change */
} MtEditText;

void mt_edit_text_free (MtEditText *t);
/* Removes the text and all changes. */
void mt_edit_text_reset (MtEditText *t);
/* Returns the bytes of the text, ended by a NUL. Borrowed until the next change. */
const char *mt_edit_bytes (const MtEditText *t);

/* Returns whether a cut text of n bytes may be inserted `times` times. There is a limit, because
 * cutting the text and inserting it twice, repeated by a few keys, would fill the memory. */
bool mt_edit_may_put (const MtEditText *t, size_t n, int times);
/* Replaces the bytes from..to by n bytes at p, and sets the cursor after them. If memory is
 * exhausted, the text stays unchanged. */
void mt_edit_replace (MtEditText *t, size_t from, size_t to, const char *p, size_t n);
/* Inserts a typed character at the cursor. The characters of one word are undone together. */
void mt_edit_type (MtEditText *t, const char *p, size_t n);
/* Undo the last change or group of changes; or redo the one that was undone last. Return false if
 * there is none. */
bool mt_edit_undo (MtEditText *t);
bool mt_edit_redo (MtEditText *t);

/* Return the offset before or after `at`: by one character as the user sees it (a grapheme
 * cluster), by one word, or at the start or end of its line. */
size_t mt_edit_left (const MtEditText *t, size_t at);
size_t mt_edit_right (const MtEditText *t, size_t at);
size_t mt_edit_word_left (const MtEditText *t, size_t at);
size_t mt_edit_word_right (const MtEditText *t, size_t at);
size_t mt_edit_line_start (const MtEditText *t, size_t at);
size_t mt_edit_line_end (const MtEditText *t, size_t at);

/* Returns how many bytes the grapheme cluster at p has, at least 1. *width: its width in columns;
 * -1: a control character. */
size_t mt_edit_cluster (const char *p, size_t n, int *width);

#endif
