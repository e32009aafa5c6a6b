/* Private to arrow: columns, descriptions of Arrow types, and writing flatbuffers (the format of
 * Arrow's metadata). */
#ifndef MT_ARROW_INT_H
#define MT_ARROW_INT_H

#include "arrow/arrow.h"

/* ---- flatbuffers ---- */

/* A field of a flatbuffers table. Its index in the array is its number in the schema. */
typedef struct MtFlatField {
   uint8_t size;  /* of the value: 1, 2, 4 or 8 bytes; 0: the table omits this field */
   int64_t value; /* the number; 0 for an offset, which mt_flat_link fills in later */
   size_t at;     /* out: mt_flat_table stores the position of the written field here */
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
   MT_ARROW_FIXED, /* data: for each row a value of `width` bytes */
   MT_ARROW_BITS,  /* data: for each row one bit */
   MT_ARROW_BYTES, /* data: all bytes end to end; offsets: where each row's begin */
   MT_ARROW_LIST   /* offsets: where the items of each row begin in the column `item` */
} MtArrowShape;

/* An Arrow type, and how values are converted to it. */
typedef struct MtArrowKind {
   MtArrowShape shape;
   size_t width;          /* only for MT_ARROW_FIXED: the bytes of a value */
   const char *format;    /* the type's format string in the C data interface; NULL: computed */
   uint8_t flat;          /* the type's number in the union Type of Schema.fbs */
   MtFlatField fields[3]; /* the fields of the type's own flatbuffers table */
   const char *zone;      /* a time zone to write as the last of the fields; NULL: none */
   const char *extension; /* the name of an Arrow extension type; NULL: none */
   MtArrowAdd add;
} MtArrowKind;

/* Returns the Arrow type for SQL type t, which must not be an array. */
const MtArrowKind *mt_arrow_kind (MtType t);
extern const MtArrowKind mt_arrow_list;

/* ---- columns ---- */

typedef struct MtArrowColumn {
   const char *name;
   MtType type; /* the SQL type; for a decimal always with precision and scale */
   const MtArrowKind *kind;
   struct MtArrow *table;
   int64_t length, nulls;
   MtBuf valid; /* the validity bitmap, a bit for each row; empty while nulls is 0 */
   MtBuf offsets, data;
   struct MtArrowColumn *item; /* for a list: the column of its items; else NULL */
} MtArrowColumn;

/* The position and the sizes of a batch in a file, for the list at the file's end. */
typedef struct MtArrowBlock {
   int64_t offset, body;
   int32_t head;
} MtArrowBlock;

struct MtArrow {
   MtArena *arena;
   MtArena *values; /* memory of converted values; reset after each batch */
   const MtTextStyle *style;
   MtArrowColumn *columns;
   size_t count;
   int64_t rows;
   size_t bytes; /* the size of the values of the batch so far */
   MtBuf text;   /* memory for a value that is written as text */
   /* IPC */
   MtArrowForm form;
   MtBuf head;      /* the flatbuffer of the message being written */
   int64_t written; /* how many bytes of the file or stream were written */
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
