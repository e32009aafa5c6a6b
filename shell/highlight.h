/* Colours the text that is being typed. */
#ifndef MT_SHELL_HIGHLIGHT_H
#define MT_SHELL_HIGHLIGHT_H

#include "shell/edit/edit.h"

/* Sets the style of each byte: of keywords, strings, numbers, comments, backslash commands,
 * unmatched brackets, and the bracket that matches the one at the cursor. All bytes must be plain
 * before. */
void mt_highlight (const char *text, size_t n, size_t cursor, uint8_t *styles);

#endif
