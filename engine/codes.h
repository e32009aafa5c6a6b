/* The names of MongoDB's error codes (MtError.code). */
#ifndef MT_CODES_H
#define MT_CODES_H

#include <stddef.h>
#include <stdint.h>

/* Returns MongoDB's codeName of an error code, such as "BadValue", or "Location40324" for a code
 * without a name. The text is static, or in `buffer`, which has `size` bytes. */
const char *mt_code_name (int32_t code, char *buffer, size_t size);

#endif
