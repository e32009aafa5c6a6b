/* Private to arrow: columns, the rows of Arrow types, and flatbuffers. */
#ifndef MT_ARROW_INT_H
#define MT_ARROW_INT_H

#include "arrow/arrow.h"

/* ---- flatbuffers ---- */

/* A field of a flatbuffers table, by its number in the schema. */
typedef struct MtFlatField {
   uint8_t size;  /* 1, 2, 4 or 8 bytes; 0: the table lacks the field */
   int64_t value; /* of an offset: 0, and mt_flat_link sets it */
   size_t at;     /* set by mt_flat_table: the place of the field */
} MtFlatField;
/* A field that is an offset to another table, a vector or a string. */
#define MT_FLAT_OFFSET ((MtFlatField) {.size = 4})

/* The parts of a flatbuffer are written from front to back. Positions count from the start of
 * `b`. */

/* Writes the offset to the root table. Returns its place, for mt_flat_link. */
size_t mt_flat_root (MtBuf *b);
/* Writes a table. Returns its position. */
size_t mt_flat_table (MtBuf *b, MtFlatField *fields, int count);
size_t mt_flat_string (MtBuf *b, const char *s);
/* Writes the length of a vector. Its items follow; `size` and `align` are those of an item. */
size_t mt_flat_vector (MtBuf *b, size_t count, size_t align);
/* Makes the offset at a place lead to a position after it. */
void mt_flat_link (MtBuf *b, size_t at, size_t position);
void mt_flat_int (MtBuf *b, int64_t value, size_t size);

/* ---- types ---- */

struct MtArrowColumn;
/* Adds a value that is not NULL. */
typedef bool (*MtArrowAdd) (struct MtArrowColumn *c, MtVal v, MtError *err);

typedef enum MtArrowShape {
   MT_ARROW_FIXED, /* data: a value of `width` bytes each */
   MT_ARROW_BITS,  /* data: a bit each */
   MT_ARROW_BYTES, /* offsets into data */
   MT_ARROW_LIST   /* offsets into the column of items */
} MtArrowShape;

/* An Arrow type. */
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

/* Returns the Arrow type of a SQL type that is not an array. */
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

/* A batch in a file. */
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

/* Adds the bit of the next value to a list of bits of the column: `valid` or `data`. */
void mt_arrow_add_bit (MtArrowColumn *c, MtBuf *bits, bool bit);
/* Adds the end of the next value, or of its items, to the column's offsets. */
static inline void mt_arrow_add_end (MtArrowColumn *c)
{
   int32_t end = (int32_t) (c->item ? (size_t) c->item->length : c->data.n);
   mt_buf_put (&c->offsets, &end, sizeof end);
}
/* Adds a value, which may be NULL, to a column. */
bool mt_arrow_column_add (MtArrowColumn *c, MtVal v, MtError *err);
/* Empties the columns for the next batch. Their memory is kept. */
void mt_arrow_begin_batch (MtArrow *t);
/* Returns the buffers of a column in Arrow's order, with their number. A buffer that isn't needed
 * has no bytes. */
int mt_arrow_buffers (MtArrowColumn *c, MtBuf *out[3]);

#endif
