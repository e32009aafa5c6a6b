/* Private to arrow: columns, descriptions of Arrow types, and writing flatbuffers (the format of
 * Arrow's metadata). */
#ifndef MT_ARROW_INT_H
#define MT_ARROW_INT_H

#include "arrow/arrow.h"

/* ---- flatbuffers ---- */

/* A field of a flatbuffers table. Its index in the array is its number in the schema. */
typedef struct MtFlatField {
   uint8_t size;  /* 1, 2, 4 or 8 bytes; 0: the table lacks the field */
   int64_t value; /* of an offset: 0, and mt_flat_link sets it */
   size_t at;     /* set by mt_flat_table: the place of the field */
} MtFlatField;
/* A field that contains the offset of another table, a vector or a string. */
#define MT_FLAT_OFFSET ((MtFlatField) {.size = 4})

/* These functions append the parts of a flatbuffer to `b`. Positions are offsets from the start of
 * `b`. */

/* Appends room for the offset of the root table. Returns the position of that offset, for
 * mt_flat_link. */
size_t mt_flat_root (MtBuf *b);
/* Appends a table with `count` fields. Returns the position of the table. */
size_t mt_flat_table (MtBuf *b, MtFlatField *fields, int count);
size_t mt_flat_string (MtBuf *b, const char *s);
/* Appends the length of a vector of `count` items. The caller then appends the items. align: the
 * alignment of an item in bytes. Returns the vector's position. */
size_t mt_flat_vector (MtBuf *b, size_t count, size_t align);
/* Writes the offset at position `at`, so that it refers to `position`, which must be greater. */
void mt_flat_link (MtBuf *b, size_t at, size_t position);
void mt_flat_int (MtBuf *b, int64_t value, size_t size);

/* ---- types ---- */

struct MtArrowColumn;
/* Appends the value v, which is not NULL, to a column of this Arrow type. */
typedef bool (*MtArrowAdd) (struct MtArrowColumn *c, MtVal v, MtError *err);

typedef enum MtArrowShape {
   MT_ARROW_FIXED, /* data: a value of `width` bytes each */
   MT_ARROW_BITS,  /* data: a bit each */
   MT_ARROW_BYTES, /* offsets into data */
   MT_ARROW_LIST   /* offsets into the column of items */
} MtArrowShape;

/* An Arrow type, and how values are converted to it. */
typedef struct MtArrowKind {
   MtArrowShape shape;
   size_t width;          /* bytes of a value; only MT_ARROW_FIXED */
   const char *format;    /* of the C data interface; NULL: computed */
   uint8_t flat;          /* the number in the union Type of Schema.fbs */
   MtFlatField fields[3]; /* of this type's table */
   const char *zone;      /* the last field: a time zone; NULL: none */
   const char *extension; /* the name of an extension type; NULL: none */
   MtArrowAdd add;
} MtArrowKind;

/* Returns the Arrow type for SQL type t, which must not be an array. */
const MtArrowKind *mt_arrow_kind (MtType t);
extern const MtArrowKind mt_arrow_list;

/* ---- columns ---- */

typedef struct MtArrowColumn {
   const char *name;
   MtType type; /* the SQL type; the modifiers of numeric are not -1 for a decimal */
   const MtArrowKind *kind;
   struct MtArrow *table;
   int64_t length, nulls;
   MtBuf valid; /* a bit each; empty while nulls is 0 */
   MtBuf offsets, data;
   struct MtArrowColumn *item; /* the items of a list; else NULL */
} MtArrowColumn;

/* The position and the sizes of a batch in a file, for the list at the file's end. */
typedef struct MtArrowBlock {
   int64_t offset, body;
   int32_t head;
} MtArrowBlock;

struct MtArrow {
   MtArena *arena;
   MtArena *values; /* values that were converted; reset with each batch */
   const MtTextStyle *style;
   MtArrowColumn *columns;
   size_t count;
   int64_t rows;
   size_t bytes; /* of the values so far */
   MtBuf text;   /* a value as text */
   /* IPC */
   MtArrowForm form;
   MtBuf head;      /* the message's flatbuffer */
   int64_t written; /* bytes so far */
   MtArrowBlock *blocks;
   size_t block_count, block_cap;
};

/* Appends a bit for the column's next value to `bits`, which is c->valid or c->data. */
void mt_arrow_add_bit (MtArrowColumn *c, MtBuf *bits, bool bit);
/* Appends an offset to c->offsets: where the bytes, or the list items, of the next value end. */
static inline void mt_arrow_add_end (MtArrowColumn *c)
{
   int32_t end = (int32_t) (c->item ? (size_t) c->item->length : c->data.n);
   mt_buf_put (&c->offsets, &end, sizeof end);
}
/* Adds a value, which may be NULL, to a column. */
bool mt_arrow_column_add (MtArrowColumn *c, MtVal v, MtError *err);
/* Removes all rows from the columns after a batch was written or taken. The columns keep their
 * memory. */
void mt_arrow_begin_batch (MtArrow *t);
/* Stores pointers to the buffers of a column in `out`, in the order of the Arrow format. Returns
 * their number. A buffer may be empty if it isn't needed, as the bits of NULL without NULLs. */
int mt_arrow_buffers (MtArrowColumn *c, MtBuf *out[3]);

#endif
