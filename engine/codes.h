/* The names of MongoDB's numbers of errors (MtError.code). */
#ifndef MT_CODES_H
#define MT_CODES_H

#include <stddef.h>
#include <stdint.h>

/* Returns MongoDB's codeName of an error's number: "BadValue", or "Location40324" for a number
 * without a name of its own. The text is in `buffer`, or static. */
const char *mt_code_name (int32_t code, char *buffer, size_t size);

#endif
