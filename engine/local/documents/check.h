/* Checks and reads the elements of BSON documents. */
#ifndef MT_BSON_CHECK_H
#define MT_BSON_CHECK_H

#include "base/bytes.h"
#include "base/value.h"

typedef enum MtBsonState { MT_BSON_OK, MT_BSON_BAD, MT_BSON_DEEP, MT_BSON_NO_UTF8 } MtBsonState;

/* Checks the structure of a BSON document of `len` bytes. If it is damaged, *at is the offset of
 * the error. Does not check that texts are UTF-8. */
MtBsonState mt_bson_check (const uint8_t *doc, size_t len, size_t *at);
/* Checks a BSON document that comes from another program: like mt_bson_check, and also that names
 * and texts are UTF-8. */
MtBsonState mt_bson_check_all (const uint8_t *doc, size_t len, size_t *at);
/* Returns the value of a BSON element, which begins at `p` in a checked document. The value
 * borrows the document's bytes. */
MtVal mt_bson_value (uint8_t type, const uint8_t *p);
/* Returns the size in bytes of a BSON element's value, which begins at `p` in a checked
 * document. */
size_t mt_bson_value_size (uint8_t type, const uint8_t *p);
/* Like mt_bson_value_size, but inline for the most frequent types. */
static inline size_t mt_bson_size (uint8_t type, const uint8_t *p)
{
   switch (type) {
   case MT_DOUBLE:
   case MT_INT64:
   case MT_DATE: return 8;
   case MT_INT32: return 4;
   case MT_STRING: return 4 + (size_t) mt_get32 (p);
   default: return mt_bson_value_size (type, p);
   }
}

/* Returns the top-level field `name` of a checked document, or MT_MISSING. The value borrows the
 * document's bytes. */
MtVal mt_bson_field (const uint8_t *doc, size_t len, const char *name);

#endif
