/* Columns: a block of documents keeps the values of each field one after the other. A query that
 * needs few fields reads the columns instead of the documents.
 *
 * Documents of a block are the rows of level 0. An array of documents is a list: its documents are
 * rows of a further level, those of all documents end to end. Rows of that level may have lists,
 * too.
 *
 * A block may have no columns, or none for some fields. If the documents can be rebuilt from the
 * columns byte for byte, and the columns are smaller, the documents are not stored. rebuild.h then
 * rebuilds them when they are needed. */
#ifndef MT_STORED_COLUMN_H
#define MT_STORED_COLUMN_H

#include "base/bytes.h"
#include "base/value.h"

#include <stdatomic.h>

/* The most words of a column. */
#define MT_COLUMN_WORDS 65535u

/* How a column's values are encoded. Each row has a number, from which its value is computed. */
typedef enum MtColumnForm {
   MT_COLUMN_WHOLE,   /* an integer, a date or a boolean is base + step * number */
   MT_COLUMN_DECIMAL, /* a double is (base + step * number) / divisor */
   MT_COLUMN_BITS,    /* the bits of a double, or of an integer, by its tag */
   MT_COLUMN_WORD,    /* a text is the word with this number */
   MT_COLUMN_NONE,    /* only in the directory: the field has no column */
   /* only for rebuilding documents; queries can't read them */
   MT_COLUMN_ID,     /* ObjectIds that were made one after the other */
   MT_COLUMN_BYTES,  /* values as they are in BSON */
   MT_COLUMN_PLACES, /* where documents begin */
   MT_COLUMN_LIST    /* the length of a list of documents is base + step * number */
} MtColumnForm;

/* Rows that have the same fields. */
typedef struct MtColumnLevel {
   uint8_t number; /* 0: the documents of the block */
   uint32_t rows;
} MtColumnLevel;

/* The values of one field in all rows of a level. Its bytes are borrowed from the block and
 * verified. */
typedef struct MtStoredColumn {
   MtColumnForm form;
   uint8_t type;  /* the BSON type of all values, if there are no tags */
   uint8_t width; /* bytes of each number: 0, 1, 2, 4 or 8 */
   uint32_t rows;
   uint64_t most; /* upper limit of the numbers; UINT64_MAX for MT_COLUMN_BITS */
   int64_t base;
   uint64_t step; /* more than 0 */
   double divisor;
   const uint8_t *numbers; /* one number for each row: rows * width bytes */
   const uint8_t *tags;    /* BSON type of each row's value, or MT_MISSING; NULL: all `type` */
   uint32_t word_count;
   const uint8_t *word_ends; /* 4 bytes for each word: the offset behind it in `words` */
   const uint8_t *words;     /* each ends with a NUL */
   MtColumnLevel below;      /* of the documents of a list */
   bool ascends;             /* the numbers never get less from row to row, and there are no tags */
} MtStoredColumn;

/* Facts about the columns of a block, with a bit for each column. Any thread may add bits. */
typedef struct MtColumnsSeen {
   atomic_uint_least64_t verified; /* a further bit is for the list of columns */
   atomic_uint_least64_t ascending;
} MtColumnsSeen;

/* The columns of a block in their stored format, which column_int.h describes. */
typedef struct MtColumns {
   const uint8_t *p; /* the bytes; borrowed; NULL: the block has no columns */
   uint32_t bytes;
   uint32_t directory; /* size of the list of columns, with which the bytes begin */
   uint64_t hash;
} MtColumns;

/* Gets the column of a field of a level, and verifies its bytes. *ok has what earlier calls found
 * out. *has: there is such a column. Returns false if its bytes are damaged. */
bool mt_columns_find (const MtColumns *c, MtColumnLevel level, MtColumnsSeen *ok, const char *field,
                      MtStoredColumn *out, bool *has);

/* Returns the offset of each document of the block, 4 bytes for each, in ascending order and less
 * than `size`. NULL: the columns don't have all offsets, or are damaged. Borrowed from the block.
 * ok: as for mt_columns_find. */
const uint8_t *mt_columns_offsets (const MtColumns *c, uint32_t rows, uint32_t size,
                                   MtColumnsSeen *ok);

/* The range of a field over the rows of a block, with null and NaN kept apart: `nulls` if there may
 * be null or missing values, `nans` if there may be NaN, and the range of all other values. If
 * there are no others, least and greatest are null, or NaN. */
typedef struct MtRangeParts {
   bool nulls, nans;
   MtVal least, greatest;
} MtRangeParts;

/* Gets the range of a field's values from the columns' directory, which is verified before. path:
 * the lists that lead to the field, from the documents on, and the field's name; `depth` names in
 * all. Returns false if the range is unknown, also if the directory is damaged. */
bool mt_columns_range (const MtColumns *c, uint32_t rows, MtColumnsSeen *ok,
                       const char *const *path, uint32_t depth, MtRangeParts *out);

/* Buffers for making columns, which are reused for each block. */
typedef struct MtColumnMaker MtColumnMaker;
/* Makes the columns of checked documents, `n` bytes end to end, behind which 8 more bytes can be
 * read. The columns have no bytes if none are worthwhile: there are few rows in all levels. They
 * are borrowed from *m until the next call. *m NULL: creates the memory. *whole: the documents can
 * be rebuilt from the columns, and need not be stored. */
MtColumns mt_columns_make (MtColumnMaker **m, const uint8_t *data, size_t n, uint32_t rows,
                           bool *whole);
void mt_column_maker_free (MtColumnMaker *m); /* NULL is allowed */

/* Returns the encoded number of row `row`. */
static inline uint64_t mt_stored_number (const MtStoredColumn *c, uint32_t row)
{
   const uint8_t *p = c->numbers + (size_t) row * c->width;
   uint64_t n = 0;
   switch (c->width) {
   case 1: return p[0];
   case 2: return (uint64_t) p[0] | (uint64_t) p[1] << 8;
   case 4: memcpy (&n, p, 4); return le64toh (n);
   case 8: memcpy (&n, p, 8); return le64toh (n);
   default: return 0;
   }
}

/* Returns word `number`, one of the column's distinct texts. Returns MT_MISSING if the number is
 * too large, since the file is damaged. */
static inline MtVal mt_stored_word (const MtStoredColumn *c, uint64_t number)
{
   if (number >= c->word_count)
      return mt_v_missing ();
   uint32_t from = number ? mt_get32 (c->word_ends + 4 * (number - 1)) : 0;
   uint32_t to = mt_get32 (c->word_ends + 4 * number);
   /* The ends are zeros if the file lost these bytes after they were verified (base/mapped.h). */
   return (MtVal) {.type = MT_STRING, .len = to > from ? to - from - 1 : 0, .p = c->words + from};
}

/* Returns the value that a number stands for in a row with this type. A list has its length as
 * `len`, and no bytes. */
static inline MtVal mt_stored_value (const MtStoredColumn *c, uint8_t type, uint64_t number)
{
   MtVal v = {.type = type};
   if (type == MT_NULL || type == MT_MISSING)
      return v;
   switch (c->form) {
   case MT_COLUMN_WHOLE: v.i = (int64_t) ((uint64_t) c->base + c->step * number); break;
   case MT_COLUMN_DECIMAL:
      v.d = (double) (int64_t) ((uint64_t) c->base + c->step * number);
      if (c->divisor != 1) /* dividing takes long */
         v.d /= c->divisor;
      break;
   case MT_COLUMN_BITS: v.i = (int64_t) number; break;
   case MT_COLUMN_WORD: return mt_stored_word (c, number);
   case MT_COLUMN_NONE:
   case MT_COLUMN_ID:
   case MT_COLUMN_BYTES:
   case MT_COLUMN_PLACES: break;
   case MT_COLUMN_LIST: v.len = (uint32_t) ((uint64_t) c->base + c->step * number); break;
   }
   return v;
}

/* Returns how many documents a list has in this row. */
static inline uint32_t mt_stored_length (const MtStoredColumn *c, uint32_t row)
{
   if (c->tags && c->tags[row] != MT_ARRAY)
      return 0;
   return (uint32_t) ((uint64_t) c->base + c->step * mt_stored_number (c, row));
}

/* Returns whether the values that are not null or missing all have the same type. */
bool mt_stored_one_type (const MtStoredColumn *c);

/* Returns the value of row `row`. */
static inline MtVal mt_stored_at (const MtStoredColumn *c, uint32_t row)
{
   return mt_stored_value (c, c->tags ? c->tags[row] : c->type, mt_stored_number (c, row));
}

#endif
