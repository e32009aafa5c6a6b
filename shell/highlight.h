/* Colours of the text that is being typed. */
#ifndef MT_SHELL_HIGHLIGHT_H
#define MT_SHELL_HIGHLIGHT_H

#include "shell/edit/edit.h"

/* Sets the style of each byte: keywords, strings, numbers, comments, backslash commands, unmatched
 * brackets, and the bracket that belongs to the one at the cursor. All are plain before. */
void mt_highlight (const char *text, size_t n, size_t cursor, uint8_t *styles);

#endif
