/* Reads and writes numbers and texts of network protocols. Numbers are big-endian; texts end with a
 * NUL. */
#ifndef MT_NETWORK_H
#define MT_NETWORK_H

#include "base/str.h"

#include <endian.h>

/* ---- writing ---- */

static inline void mt_put_be16 (MtBuf *b, uint16_t v)
{
   v = htobe16 (v);
   mt_buf_put (b, &v, sizeof v);
}
static inline void mt_put_be32 (MtBuf *b, uint32_t v)
{
   v = htobe32 (v);
   mt_buf_put (b, &v, sizeof v);
}
static inline void mt_put_be64 (MtBuf *b, uint64_t v)
{
   v = htobe64 (v);
   mt_buf_put (b, &v, sizeof v);
}
/* Appends a text with its NUL. */
static inline void mt_put_text (MtBuf *b, const char *s) { mt_buf_put (b, s, strlen (s) + 1); }

/* Overwrites the four bytes at offset `at` by v, big-endian. */
static inline void mt_set_be32 (MtBuf *b, size_t at, uint32_t v)
{
   v = htobe32 (v);
   if (at + sizeof v <= b->n)
      memcpy (b->p + at, &v, sizeof v);
}

/* ---- reading ---- */

/* Borrowed bytes that are read from the front: n bytes at p, of which `at` were read. A read after
 * the end returns 0 or NULL, and sets `bad`. */
typedef struct MtNetBytes {
   const uint8_t *p;
   size_t n, at;
   bool bad;
} MtNetBytes;

uint16_t mt_take_be16 (MtNetBytes *m);
uint32_t mt_take_be32 (MtNetBytes *m);
uint64_t mt_take_be64 (MtNetBytes *m);
/* Returns a pointer to the next n bytes, and skips them. NULL: there are fewer. */
const uint8_t *mt_take_bytes (MtNetBytes *m, size_t n);
/* Returns the next text, which ends with a NUL, and skips it. NULL: there is no NUL. */
const char *mt_take_text (MtNetBytes *m);
/* Returns whether all bytes were read, and no read went beyond the end. */
bool mt_took_all (const MtNetBytes *m);

#endif
