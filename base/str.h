/* Byte strings with a length, and a growing buffer. */
#ifndef MT_STR_H
#define MT_STR_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

/* A string of n bytes at p, borrowed from its owner. A NUL byte need not follow. */
typedef struct MtStr {
   const char *p;
   size_t n;
} MtStr;

#define MT_STR(literal) ((MtStr) {"" literal, sizeof (literal) - 1})

MtStr mt_str (const char *s); /* the slice of a NUL-terminated string; NULL gives {NULL, 0} */
bool mt_str_eq (MtStr a, MtStr b);
bool mt_str_ieq (MtStr a, MtStr b);             /* ignores the case of ASCII letters */
bool mt_str_is (MtStr a, const char *s);        /* s is not NULL */
bool mt_str_is_nocase (MtStr a, const char *s); /* like mt_str_is, but ignores ASCII case */
/* Returns s without leading and trailing characters that are in `blanks`. */
MtStr mt_str_trim (MtStr s, const char *blanks);
bool mt_ieq (const char *a, const char *b);  /* the same for NUL-terminated strings */
bool mt_same (const char *a, const char *b); /* the strings are equal, or both are NULL */

/* A buffer that grows by malloc. Zero-initialise it; release it with mt_buf_free. If memory is
 * exhausted, or the buffer would exceed 1 GB, its contents stay unchanged, the shortage is recorded
 * (base/memory.h), and the statement fails. Call mt_memory_check before you rely on the
 * contents. */
typedef struct MtBuf {
   char *p; /* always NUL-terminated once anything was added; the NUL isn't counted */
   size_t n;
   size_t cap;
} MtBuf;

/* Makes room for `more` bytes and a NUL. Returns false if memory is exhausted. */
bool mt_buf_grow (MtBuf *b, size_t more);
__attribute__ ((warn_unused_result)) static inline bool mt_buf_reserve (MtBuf *b, size_t more)
{
   return more < b->cap - b->n || mt_buf_grow (b, more);
}

bool mt_buf_add (MtBuf *b, const void *p, size_t n); /* appends n bytes; false: no memory */
/* Appends n bytes, like mt_buf_add, but inline: for hot loops, and for sizes that the compiler
 * knows. */
static inline void mt_buf_put (MtBuf *b, const void *p, size_t n)
{
   if (!mt_buf_reserve (b, n))
      return;
   if (n)
      memcpy (b->p + b->n, p, n);
   b->n += n;
   b->p[b->n] = 0;
}
static inline void mt_buf_addc (MtBuf *b, char c)
{
   if (!mt_buf_reserve (b, 1))
      return;
   b->p[b->n++] = c;
   b->p[b->n] = 0;
}

void mt_buf_fill (MtBuf *b, char c, size_t n); /* adds c n times */
void mt_buf_adds (MtBuf *b, const char *s);
/* Appends the text in quotes. Quotes inside it are doubled, as in SQL. */
void mt_buf_quoted (MtBuf *b, char quote, MtStr text);
/* Appends the text, escaped for HTML and SVG, also inside attribute values. Omits control
 * characters other than line feeds and tabs. */
void mt_buf_markup (MtBuf *b, MtStr text);
/* Appends n in decimal, with leading zeros up to `width` digits. About ten times faster than
 * printf. */
void mt_buf_digits (MtBuf *b, uint64_t n, int width);
void mt_buf_printf (MtBuf *b, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
void mt_buf_vprintf (MtBuf *b, const char *fmt, va_list ap);
void mt_buf_clear (MtBuf *b); /* length 0, memory kept */
void mt_buf_free (MtBuf *b);

/* True when [p, p+n) is valid UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool mt_utf8_valid (const char *p, size_t n);
/* Writes a code point up to U+10FFFF in UTF-8 to out. Returns the number of bytes, 1 to 4. */
size_t mt_utf8_put (char *out, uint32_t cp);
/* Returns the value of a hexadecimal digit, 0 to 15; -1 if c is another character. */
int mt_hex_digit (char c);
/* Returns the number of code points in valid UTF-8. */
size_t mt_utf8_length (const char *p, size_t n);

/* State of a search for the name most similar to `name`. ASCII case is ignored. */
typedef struct MtNear {
   const char *name;
   const char *found; /* the nearest name so far; borrowed. NULL: none is near */
   int distance;      /* the distance of `found` */
} MtNear;

/* Compares `other` with the most similar name so far, and stores it in near->found if it is more
 * similar. A name is similar enough if its Damerau-Levenshtein distance is at most 1 + length /
 * 4. */
void mt_near_try (MtNear *near, const char *other);
/* Returns the most similar of `count` names. NULL: no name is similar enough. */
const char *mt_nearest (const char *name, const char *const *names, size_t count);
/* Like mt_nearest, for names that are members of an array of structures. first: the address of the
 * name in the first structure; stride: the size of a structure. The array ends with a NULL name. */
const char *mt_nearest_of_rows (const char *name, const char *const *first, size_t stride);

#endif
