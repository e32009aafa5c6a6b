/* The format of a block's columns. The number after a name is its size in bytes.
 *
 *    directory   "MTCO" fields:4 rows:4 all:4, an entry for each field, and the fields' names
 *    entry       name:4 at:4 bytes:4 words:4 base:8 step:8 most:8 hash:8 type:1 form:1 width:1
 *                scale:1 tagged:1 level:1 below:1 bounds:1   `name` and `at` are offsets from the
 *                directory's beginning
 *    column      numbers, tags (if tagged), the words' ends (4 bytes each) and the words; each part
 *                begins at a multiple of 8
 *
 * `all` is 1 if each field of the documents has an entry, even a field without a column. Then a
 * field without an entry is missing in all documents. An entry's hash is the XXH3-64 of its column.
 *
 * A column of the form BITS has the least and the greatest double in `base` and `step`, with NaN
 * left out, if `bounds` is not 0. Older programs wrote 0. Integers count as the doubles next to
 * them.
 *
 * Level 0 are the documents. A list has the number of its level in `below`, and how many rows that
 * level has in `words`. Entries have the order of their levels.
 *
 * Some forms only serve to rebuild documents:
 *
 *    ID      ObjectIds: a number is (seconds << 24 | counter - first counter - row). In place of
 *            the words there are 8 bytes: the 5 bytes that all ids share, and the first counter
 *    BYTES   values as in BSON, in place of the words. `most` is the size of each value; if it is
 *            0, there are `words` ends, one for each value
 *    PLACES  the last entry, which is no field: in place of the words' ends, it has the offset of
 *            the first document of every `step` rows
 *
 * If there are places, the documents are not stored. Then the entries of a level have the order of
 * the fields in the documents. Otherwise there are no lists. */
#ifndef MT_COLUMN_INT_H
#define MT_COLUMN_INT_H

#include "engine/local/documents/column.h"

#define MT_COLUMNS_MAGIC "MTCO"
#define MT_COLUMNS_HEAD 16u
#define MT_COLUMN_ENTRY 56u
/* The maximum number of columns of a block, with the one of the form PLACES. In the bits that show
 * which columns are verified, the bit with this number is for the directory, the list of
 * columns. */
#define MT_COLUMNS_MOST 63u
/* The most levels of a block. */
#define MT_LEVELS_MOST 12u
/* A double's largest scale: it has at most this many digits behind the point. */
#define MT_COLUMN_SCALE 4u

static inline size_t mt_column_pad (size_t n) { return (n + 7) & ~(size_t) 7; }

/* Returns the counter of an ObjectId. middle: the ObjectId from its fifth byte on. */
static inline uint32_t mt_id_counter (const uint8_t *middle)
{
   return (uint32_t) middle[5] << 16 | (uint32_t) middle[6] << 8 | middle[7];
}

/* The places of these parts in an entry. */
enum { MT_ENTRY_FORM = 49, MT_ENTRY_LEVEL = 53, MT_ENTRY_BELOW = 54, MT_ENTRY_BOUNDS = 55 };

/* Bits of `bounds`: base and step are bounds; there may be NaN. */
enum { MT_BOUNDS_KNOWN = 1, MT_BOUNDS_NAN = 2 };

/* The key of an element of an array: its number in decimal digits. */
typedef struct MtListKey {
   char text[12];
   uint32_t bytes; /* with the NUL */
} MtListKey;

static inline MtListKey mt_list_key (void) { return (MtListKey) {"0", 2}; }

static inline void mt_list_key_next (MtListKey *k)
{
   uint32_t at = k->bytes - 2;
   while (++k->text[at] > '9') {
      k->text[at] = '0';
      if (at == 0) { /* the digits are all 0 */
         k->text[k->bytes - 1] = '0';
         k->text[k->bytes++] = 0;
         k->text[0] = '1';
         return;
      }
      at--;
   }
}

/* Checks the directory's hash and size, once for each *ok. */
bool mt_columns_directory_ok (const MtColumns *c, uint32_t rows, MtColumnsSeen *ok);
/* Fills *out with the column of directory entry i. Verifies the column's hash, unless *ok shows
 * that this was done before. out->rows must be set. Returns false if the column is damaged, or if
 * the field has no column. */
bool mt_column_open (const MtColumns *c, uint32_t i, MtColumnsSeen *ok, MtStoredColumn *out);

/* Returns the divisor for doubles with `scale` digits after the decimal point: 10 to the power of
 * scale. */
static inline double mt_column_divisor (unsigned scale)
{
   static const double divisors[MT_COLUMN_SCALE + 1] = {1, 10, 100, 1000, 10000};
   return divisors[scale];
}

#endif
