/* The bytes of a block's columns:
 *
 *    directory   "MTCO" fields:4 rows:4 all:4, an entry for each field, and the fields' names
 *    entry       name:4 at:4 bytes:4 words:4 base:8 step:8 most:8 hash:8 type:1 form:1 width:1
 *                scale:1 tagged:1 zero:3     `name` and `at` are offsets from the directory's beginning
 *    column      numbers, tags (if tagged), the words' ends (4 bytes each) and the words; each part
 *                begins at a multiple of 8
 *
 * `all` is 1 if each field of the documents has an entry, also if it has no column. Then a field
 * without an entry is missing in all documents. An entry's hash is the XXH3-64 of its column. */
#ifndef MT_COLUMN_INT_H
#define MT_COLUMN_INT_H

#include "engine/local/documents/column.h"

#define MT_COLUMNS_MAGIC "MTCO"
#define MT_COLUMNS_HEAD 16u
#define MT_COLUMN_ENTRY 56u
/* The most columns of a block. Among the bits of verified parts, the bit with this number is that of
 * the directory. */
#define MT_COLUMNS_MOST 63u
/* A double's largest scale: it has at most this many digits behind the point. */
#define MT_COLUMN_SCALE 4u

static inline size_t mt_column_pad (size_t n) { return (n + 7) & ~(size_t) 7; }

/* Returns the divisor of doubles with this scale. */
static inline double mt_column_divisor (unsigned scale)
{
   static const double divisors[MT_COLUMN_SCALE + 1] = {1, 10, 100, 1000, 10000};
   return divisors[scale];
}

#endif
