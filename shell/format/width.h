/* The width of text on a terminal, and the lines of a cell, by psql's rules.
 *
 * A control byte is shown as \x1B, another control or invisible character as \u202E, and a
 * carriage return as \r. A tab moves to the next multiple of 8, and a line feed starts a new
 * line. Widths come from utf8proc. A character after a zero-width joiner adds no width. A byte
 * that is not UTF-8 is one column wide. */
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

/* Returns the number of lines of a cell, at least 1. *out: the lines, in arena a. */
size_t mt_text_lines (MtArena *a, MtStr s, MtLine **out);

/* Returns how many bytes of the text fit in *columns terminal columns, at least one character.
 * *columns is set to the width of these bytes. */
size_t mt_text_fit (const char *p, size_t n, int *columns);

/* Returns the width of one line without control characters. */
int mt_text_width (const char *p, size_t n);

/* Returns the length of the colour (ESC [ … m) at p; 0: there is none. */
size_t mt_text_color (const char *p, size_t n);

/* Returns the length of one code point. *width: its width; -1: a control character. cp may be
 * NULL. */
size_t mt_text_step (const char *p, size_t n, uint32_t *cp, int *width);

/* Adds one code point with control characters made visible, except tabs and line feeds. Returns
 * its length. *width: its width; 1 for a tab. */
size_t mt_text_add_visible (MtBuf *out, const char *p, size_t n, int *width);
/* Calls mt_text_add_visible for all code points of [p, p+n). Returns the width of the added
 * text. */
int mt_text_add_all_visible (MtBuf *out, const char *p, size_t n);

#endif
