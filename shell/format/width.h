/* How wide text is on a terminal, and how a cell becomes display lines: psql's rules.
 *
 * Control bytes are shown as \x1B, other control characters and invisible format characters as
 * \u202E. A carriage return is shown as \r, a tab goes to the next stop of 8, a line feed starts a
 * new line. Widths come from utf8proc; what follows a zero-width joiner adds nothing, so that a
 * joined emoji is as wide as its first part. Bytes that are no UTF-8 are one column each. */
#ifndef MT_SHELL_WIDTH_H
#define MT_SHELL_WIDTH_H

#include "base/str.h"

typedef struct MtLine {
   const char *p; /* escaped text */
   size_t n;
   int width;
} MtLine;

/* The widest line's width, and how many lines there are (at least 1). */
void mt_text_size (MtStr s, int *width, int *lines);

/* The display lines of a cell, in arena a; at least one. */
size_t mt_text_lines (MtArena *a, MtStr s, MtLine **out);

/* Bytes of [p, p+n) that fit in *columns; *columns becomes what they take. At least one character
 * is taken. */
size_t mt_text_fit (const char *p, size_t n, int *columns);

/* Width of one line without control characters. */
int mt_text_width (const char *p, size_t n);

/* Steps over one code point; *width is its display width (-1: a control character), *cp may be
 * NULL. */
size_t mt_text_step (const char *p, size_t n, uint32_t *cp, int *width);

/* Adds one code point to text that isn't a cell (an error, a title): control characters but tabs
 * and line feeds are escaped as in cells. Returns its bytes; *width is what it takes, 1 for a
 * tab. */
size_t mt_text_add_visible (MtBuf *out, const char *p, size_t n, int *width);
int mt_text_add_all_visible (MtBuf *out, const char *p,
                             size_t n); /* all of them; returns their width */

#endif
