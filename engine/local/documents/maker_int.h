/* The memory for making columns, shared by column_take.c, column_make.c and column_rest.c. */
#ifndef MT_MAKER_INT_H
#define MT_MAKER_INT_H

#include "base/str.h"
#include "engine/local/documents/check.h"
#include "engine/local/documents/column_int.h"
#include "engine/local/documents/rebuild.h"

#define MT_WORD_SLOTS 131072u
#define MT_TYPE_BIT(type) (UINT32_C (1) << (type))
#define MT_TYPES_NONE (MT_TYPE_BIT (MT_MISSING) | MT_TYPE_BIT (MT_NULL))

/* A field of the documents, and where its values are. */
typedef struct MtMakerField {
   const char *name;   /* borrowed from the documents */
   uint64_t mask, low; /* mask and value of the first 8 bytes of the name with its NUL */
   uint64_t last;      /* its last 8 bytes, if it is longer */
   size_t name_bytes;  /* with the NUL */
   uint32_t types;     /* a bit for each type of its values */
   bool lost;          /* it has values that a column can't hold */
   uint8_t level;
   uint8_t below;      /* the level of the documents of its lists; 0: it has none */
   bool plain;         /* it has arrays of other elements, so it is no list */
   bool listed;        /* it became a column of lists */
   uint32_t room;      /* rows that `at` and `tags` have memory for */
   uint32_t *at;       /* the offset of each row's value in `data` */
   uint8_t *tags;      /* the type of each row's value */
   uint32_t list_room; /* rows that `lengths` has memory for */
   uint32_t *lengths;  /* the length of each row's list; undefined if there is no level below */
} MtMakerField;

/* Rows that have the same fields. */
typedef struct MtMakerLevel {
   uint32_t rows;
   uint32_t room;             /* rows for which each field has memory */
   const MtMakerField *field; /* whose lists the rows are from; NULL: the documents of the block */
} MtMakerLevel;

/* What the directory tells of a column. */
typedef struct MtMadeColumn {
   MtColumnForm form;
   uint8_t type, width, scale, bounds;
   bool tagged;
   int64_t base;
   uint64_t step, most;
   uint32_t words;
} MtMadeColumn;

/* A directory entry that was made: a field with its column. */
typedef struct MtMakerEntry {
   MtMadeColumn made;
   const MtMakerField *field;
   size_t at, bytes; /* position and size of the column in `bodies` */
} MtMakerEntry;

struct MtColumnMaker {
   MtMakerField fields[MT_COLUMNS_MOST];
   uint32_t count;
   MtMakerLevel levels[MT_LEVELS_MOST];
   uint8_t level_count;
   /* the order of the fields in the documents of a level: the number of the next field; that of the
    * first one is at MT_COLUMNS_MOST + level. MT_NO_FIELD: the end */
   uint8_t next[MT_COLUMNS_MOST + MT_LEVELS_MOST];
   bool more;            /* the documents have fields that are not in `fields` */
   bool odd;             /* a document has a field twice, or one that is not in `fields` */
   uint32_t rows;        /* of the level that columns are made of */
   uint32_t number_room; /* of `numbers` */
   uint32_t word_most;   /* the most words of a column */
   const uint8_t *data;  /* the block's documents */
   MtBuf out;            /* the columns */
   MtBuf bodies;
   bool failed; /* there was no memory */
   uint64_t *numbers;
   MtRebuilt *rebuilt; /* NULL: nothing was rebuilt yet; owned */
   /* the hash table of a field's words: number + 1; 0: free. Its first slot_count elements are
    * used */
   uint16_t slots[MT_WORD_SLOTS];
   uint32_t slot_count;
   struct {
      const uint8_t *p;
      uint32_t n;
   } words[MT_COLUMN_WORDS];
   uint32_t word_count;
   MtMakerEntry entries[MT_COLUMNS_MOST];
   uint32_t entry_count;
};

#define MT_NO_FIELD UINT8_MAX

/* Returns whether the field has a value in this row, which is neither missing nor null. */
static inline bool mt_maker_has (const MtMakerField *f, uint32_t row)
{
   return f->tags[row] != MT_MISSING && f->tags[row] != MT_NULL;
}

/* Returns whether the field is a list, and its level is not dropped. */
static inline bool mt_maker_is_list (const MtMakerField *f) { return f->below && !f->plain; }

/* Chooses the level that columns are made of. */
static inline void mt_maker_at (MtColumnMaker *m, uint8_t level)
{
   m->rows = m->levels[level].rows;
}

/* Adds bytes to the bodies. */
static inline void mt_maker_add (MtColumnMaker *m, const void *p, size_t n)
{
   m->failed |= !mt_buf_add (&m->bodies, p, n);
}

/* ---- column_take.c ---- */

/* Adds a document as a row of a level. Its lists become rows of further levels. */
void mt_maker_take (MtColumnMaker *m, uint8_t level, const uint8_t *doc, size_t len);
void mt_maker_free_fields (MtColumnMaker *m);

/* ---- column_make.c ---- */

/* Encodes the integers in m->numbers as (integer - base) / step, as MT_COLUMN_WHOLE describes, and
 * sets base, step, width and most in *out. */
void mt_maker_set_base (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out);
/* Appends m->numbers, and the types of the values if out->tagged, to m->bodies. */
void mt_maker_put_numbers (MtColumnMaker *m, const MtMakerField *f, const MtMadeColumn *c);
/* Appends zeros to m->bodies up to a multiple of 8 bytes. */
void mt_maker_pad (MtColumnMaker *m);

/* ---- column_rest.c: columns that are used only to rebuild documents ---- */

/* The number of bytes in m->bodies, and of directory entries, at some moment. */
typedef struct MtMakerLength {
   size_t bodies;
   uint32_t entries;
} MtMakerLength;
static inline MtMakerLength mt_maker_length (const MtColumnMaker *m)
{
   return (MtMakerLength) {m->bodies.n, m->entry_count};
}
/* Removes the columns and bytes that were added after mt_maker_length returned `to`. */
void mt_maker_cut (MtColumnMaker *m, MtMakerLength to);
/* Adds the columns that are needed to rebuild the documents, which have `bytes` bytes. Returns
 * false if the documents must be stored: they can't be rebuilt, or the columns are not much
 * smaller. Then call mt_maker_cut. */
bool mt_maker_add_rest (MtColumnMaker *m, size_t bytes);
/* Rebuilds the documents from the columns c, and returns whether they are the same `bytes`
 * bytes. */
bool mt_maker_gives_back (MtColumnMaker *m, const MtColumns *c, size_t bytes);

#endif
