/* The width of text on a terminal, and how a cell is split into lines, by psql's rules.
 *
 * A control byte is displayed as \x1B, another control or invisible character as \u202E, and a
 * carriage return as \r. A tab goes to the next multiple of 8, and a newline starts a new line.
 * Widths come from utf8proc. A character after a zero-width joiner adds no width. A byte that is
 * not valid UTF-8 has a width of one column. */
#ifndef MT_SHELL_WIDTH_H
#define MT_SHELL_WIDTH_H

#include "base/str.h"

typedef struct MtLine {
   const char *p; /* the text of the line, with control characters made visible */
   size_t n;
   int width;
} MtLine;

/* Computes the width of the widest line, and the number of lines (at least 1). */
void mt_text_size (MtStr s, int *width, int *lines);

/* Splits a cell into its lines, *out in arena a. Returns their number, at least 1. */
size_t mt_text_lines (MtArena *a, MtStr s, MtLine **out);

/* Returns how many bytes of the text fit into *columns terminal columns, at least one character.
 * *columns is set to the width of these bytes. */
size_t mt_text_fit (const char *p, size_t n, int *columns);

/* Returns the width of one line without control characters. */
int mt_text_width (const char *p, size_t n);

/* Returns the length of the escape sequence for a colour (ESC [ … m) at p; 0: there is none. */
size_t mt_text_color (const char *p, size_t n);

/* Returns how many bytes the code point at p has. *cp: the code point (cp may be NULL). *width: its
 * width; -1: a control character. */
size_t mt_text_step (const char *p, size_t n, uint32_t *cp, int *width);

/* Appends one code point to `out`; control characters become visible, except tabs and newlines.
 * Returns its number of bytes in p. *width: its width; 1 for a tab. */
size_t mt_text_add_visible (MtBuf *out, const char *p, size_t n, int *width);
/* Appends all code points of [p, p+n) as mt_text_add_visible does. Returns the width of the
 * appended text. */
int mt_text_add_all_visible (MtBuf *out, const char *p, size_t n);

#endif
