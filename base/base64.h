/* Bytes as text in base64. */
#ifndef MT_BASE64_H
#define MT_BASE64_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last two digits of base64, and whether "=" fills the text up to four characters. */
typedef enum MtBase64 {
   MT_BASE64,       /* + and /, filled */
   MT_BASE64_URL,   /* - and _, not filled */
   MT_BASE64_EITHER /* reading only: both kinds of digits, and "=" may be missing */
} MtBase64;

/* Appends n bytes as base64 to `out`. */
void mt_base64_put (const uint8_t *p, size_t n, MtBase64 kind, MtBuf *out);
/* Writes the bytes of a text to `to`, which must have room for text.n bytes. Sets *n to their
 * number. Returns false if the text is invalid. */
bool mt_base64_get (MtStr text, MtBase64 kind, uint8_t *to, size_t *n);

#endif
