/* Private to layouts/pack: chunks of rows, ways, streams, and the interface of the builder.
 *
 * A chunk has the rows in memory, stored column by column: 8 bytes for a fixed-size value, a number
 * in a dictionary for any other value. A way is the path of levels from the root of a store's
 * documents to one leaf. Its sort key consists of the columns and times that these levels bind.
 * When the chunk is full, its rows are sorted for each way, and written to disk as a sorted run. At
 * the end, a stream returns the records of one way in sorted order, from the runs or from memory.
 * The builder reads the streams, and makes documents bottom-up. */
#ifndef MT_PACK_INT_H
#define MT_PACK_INT_H

#include "types/numeric.h"
#include "layouts/pack/writer.h"
#include "layouts/stored.h"

/* ---- the chunk (chunk.c) ---- */

typedef struct MtDictEntry {
   MtVal v;
   uint32_t hash;
} MtDictEntry;

typedef struct MtDict {
   uint32_t *slots; /* hash table of the values' numbers; 0: free slot */
   uint32_t slot_mask;
   MtDictEntry *entries; /* the values, by their number; number 0 is NULL */
   uint32_t count, cap;
   /* For each value number, the value's rank in the sort order, and the reverse; NULL before
    * mt_dict_rank. */
   uint32_t *rank, *by_rank;
   MtArena *bytes;
   size_t used; /* bytes of memory used */
} MtDict;

typedef struct MtColChunk {
   bool used; /* some store that sorts its records stores this column */
   bool dict_kind;
   uint8_t type; /* BSON type of fixed-size values */
   bool any_null;
   size_t room;    /* number of rows that fit in the arrays */
   int64_t *fixed; /* the fixed-size values; doubles are converted to integers that sort equally */
   uint32_t *ids;
   /* for each row: the fixed-size value is NULL; the array is NULL until one is */
   uint8_t *nulls;
   int64_t min, max; /* least and greatest fixed-size value that is not NULL */
   MtDict dict;
} MtColChunk;

/* Converts the bits of a double to an integer that sorts like the double. The function is its own
 * inverse. */
static inline int64_t mt_order_double (int64_t bits) { return bits ^ ((bits >> 63) & INT64_MAX); }

/* Returns the number of a row's value in the dictionary, or the fixed-size value as it is kept. */
static inline int64_t mt_col_raw (const MtColChunk *c, uint32_t row)
{
   return c->dict_kind ? c->ids[row] : c->fixed[row];
}

/* Returns the value of a row. raw: the result of mt_col_raw for this row. */
static inline MtVal mt_col_cooked (const MtColChunk *c, uint32_t row, int64_t raw)
{
   if (c->dict_kind)
      return c->dict.entries[raw].v;
   if (c->nulls && c->nulls[row])
      return mt_v_null ();
   return (MtVal) {.type = c->type, .i = c->type == MT_DOUBLE ? mt_order_double (raw) : raw};
}

static inline MtVal mt_col_get (const MtColChunk *c, uint32_t row)
{
   return mt_col_cooked (c, row, mt_col_raw (c, row));
}

/* Returns whether values of a BSON type have bytes at MtVal.p whose number varies. */
static inline bool mt_has_length (uint8_t type)
{
   return type == MT_STRING || (mt_v_has_bytes (type) && type != MT_OID && type != MT_DECIMAL);
}

bool mt_col_init (MtColChunk *c, const MtColumn *column);
/* Stores v as the value of a column in row number `row` of the chunk. cap: the chunk's greatest
 * number of rows. */
bool mt_col_add (MtColChunk *c, const MtColumn *column, size_t row, size_t cap, MtVal v,
                 MtError *err);
/* Sets error 42804, because v does not have the column's type, and returns false. */
bool mt_writer_mistyped (const MtColumn *c, MtVal v, MtError *err);
void mt_col_reset (MtColChunk *c); /* removes all values, but keeps the memory for the next chunk */
/* Moves the dictionary of column c to *kept, which has no rows, and resets c. */
void mt_col_keep (MtColChunk *c, MtColChunk *kept);
void mt_col_free (MtColChunk *c);
void mt_dict_rank (MtDict *d);

/* ---- ways (way.c) ---- */

typedef struct MtKeyField {
   const MtBinding *bind;
   int column;
} MtKeyField;

/* A run on disk. Its records are sort keys, if all keys fit in them and the dictionaries of their
 * chunk are kept; otherwise, values. */
typedef struct MtSpoolRun {
   int64_t offset, size;
   /* The chunk's columns without their rows; NULL: the records are values. Owned by the writer. */
   const struct MtColChunk *cols;
   struct MtPackedKey *packed; /* how the keys are packed; owned; NULL if `cols` is NULL */
} MtSpoolRun;

typedef struct MtWriteWay {
   const MtStoreDesc *store;
   const MtNode *leaf;
   /* the first key: the partition of the record's time; NULL: the store has no partitions */
   MtBinding *part;
   MtKeyField *keys;
   int key_count;
   /* for each level on the way: the number of keys that this level and those above it bind */
   int *key_end;
   int *pay; /* the columns that a record has besides its key */
   int pay_count;
   int time_key, time_pay; /* index of the exact time in `keys`, or in `pay`; -1: it is not there */
   /* for stored sums: index in `pay` of the number of records; -1: the way has records */
   int count_pay;
   /* For each sum in `pay`: the index in `pay` of its number of values; -1: it is of one value.
    * NULL if count_pay is -1. */
   int *nonnull_pay;
   int fd; /* file of the sorted runs; -1: none */
   int64_t file_size;
   MtSpoolRun *runs;
   size_t run_count;
} MtWriteWay;

/* Sets *w to the way (path) from the root of store s to `leaf`. Its arrays are in arena a. */
void mt_way_make (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtNode *leaf,
                  MtWriteWay *w);
/* Adds columns to w->pay for input rows that are stored sums, which have counts after the table's
 * `own` columns: column number `own` is the number of records, and column own + 1 + c is the number
 * of values in column c. */
void mt_way_count_leaves (MtArena *a, MtWriteWay *w, size_t own, int time_column);

/* ---- streams (sort.c, stream.c) ---- */

/* A record or sum of a stored document, which a stream merges with the new records. */
typedef struct MtExtra {
   MtVal *key, *pay; /* `pay` has the record's values besides its key, or the sums */
   int64_t n;        /* number of records */
   int64_t *nonnull; /* for each sum in `pay`: its number of values; NULL: this is a record */
   MtVal cell;       /* for sums: the stored cell, from which extremes and states can be read */
   int64_t time;
} MtExtra;

typedef struct MtPair {
   uint64_t key;
   uint32_t row;
} MtPair;

/* How one key field is packed into the 64-bit sort key: as (value - lo) / step + null. */
typedef struct MtPackedKey {
   const MtKeyField *k;
   const MtColChunk *c;
   uint64_t lo; /* least value of the column, as a signed integer */
   int64_t step;
   uint64_t null; /* 1 if the column has NULLs, which are packed as 0; else 0 */
   int bits;
   int shift; /* number of the field's lowest bit */
} MtPackedKey;

/* Values that were read from the chunk before their record is the current one. */
typedef struct MtAhead {
   uint32_t from, count; /* the records with these positions */
   int64_t raw[];        /* for each column in `pay`: MT_AHEAD values as mt_col_raw returns them */
} MtAhead;
#define MT_AHEAD 32u

typedef struct MtMerge MtMerge;

typedef struct MtStream {
   MtWriteWay *way;
   const MtVal *key, *pay; /* the current record */
   const MtExtra *extra;   /* the current record if it is from a stored document; NULL: it is new */
   /* index of the first key that differs from the previous record's; key_count: none differs */
   int diff;
   bool end;
   bool split;          /* the document is full: the current record begins a new document */
   bool steady;         /* bytes of strings stay valid as long as the stream */
   size_t string_bytes; /* size of the current record's strings */
   bool has_strings;    /* some column in `pay` is a string */
   /* The members down to own_diff are the source of new records: the chunk in memory, or, if
    * `merge` is set, the merged runs on disk. */
   MtColChunk *cols;
   MtPair *pairs;
   bool borrowed; /* `pairs` and `packed` are owned by another stream */
   uint32_t count, pos;
   uint8_t field_of_bit[64];
   int word_fields; /* number of keys that are packed in MtPair.key */
   MtPackedKey *packed;
   MtAhead *ahead; /* NULL: the records come from runs; owned */
   MtMerge *merge;
   MtVal *own_key, *own_pay;
   bool own_end;
   int own_diff;
   /* Records of the stored document to merge, sorted by key. */
   const MtExtra *extras;
   size_t extra_count, extra_pos;
   MtVal *prev_key;
   MtBuf prev_bytes;
} MtStream;

typedef struct MtSpill {
   const MtCancel *cancel;
   size_t memory;
} MtSpill;

/* Sorts the chunk's rows by the way's keys. The result is s->pairs and s->packed, which the caller
 * frees. */
bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err);
/* Closes the way's file of sorted runs. */
void mt_way_close (MtWriteWay *w);
/* The rows of the chunk in memory. */
typedef struct MtChunkRows {
   MtColChunk *cols;
   uint32_t count;
   /* Gets the columns' dictionaries after all ways have spilled the rows; NULL: they are not
    * kept. */
   MtColChunk *kept;
} MtChunkRows;
/* Sorts the chunk's rows by the way's keys, and appends them to the way's file as a run. */
bool mt_way_spill (MtWriteWay *w, const MtTable *t, const MtChunkRows *rows, const MtSpill *sp,
                   MtError *err);
bool mt_stream_open_memory (MtStream *s, MtWriteWay *w, const MtTable *t, MtColChunk *cols,
                            uint32_t count, MtError *err);
/* Returns whether way w can use the sorted rows of the stream `finer` (from memory), because its
 * keys are the first keys of that stream. */
bool mt_way_goes_along (const MtWriteWay *w, const MtStream *finer);
/* Opens a stream over the sorted rows of `finer`, which stays open until this stream is closed. */
bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err);
bool mt_stream_open_runs (MtStream *s, MtWriteWay *w, const MtTable *t, const MtSpill *sp,
                          MtError *err);
bool mt_stream_next (MtStream *s, MtError *err);
/* A saved position of a stream over memory. Records of a stored document must not be mixed in. */
typedef struct MtStreamMark {
   MtStream at;
   MtVal *key, *pay;
} MtStreamMark;
/* Saves the stream's position in *mark, to which mt_stream_go_back returns. Initialize *mark to
 * {0}; its arrays are in arena a. */
void mt_stream_mark (const MtStream *s, MtArena *a, MtStreamMark *mark);
void mt_stream_go_back (MtStream *s, const MtStreamMark *mark);
/* Merges the sorted records of a stored document into the stream. The current record has not been
 * used yet, and may change. */
void mt_stream_mix (MtStream *s, const MtExtra *extras, size_t count);
void mt_stream_close (MtStream *s);
/* Compares two keys of `count` fields; returns < 0, 0 or > 0. *diff is set to the index of the
 * first field that differs; `count` if none differs. */
int mt_keys_compare (const MtVal *a, const MtVal *b, int count, int *diff);
MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row);
/* Returns the value of key field k that p packed into a sort key, as mt_key_value does for the row.
 * Reads no row, so it is faster. */
MtVal mt_key_unpack (const MtPackedKey *p, const MtKeyField *k, uint64_t key);

/* Returns whether the current record belongs to the same cell (array or map element) as the
 * previous one, that is, whether their first key_end keys are equal. */
static inline bool mt_in_cell (const MtStream *s, int key_end)
{
   return !s->end && !s->split && s->diff >= key_end;
}

/* ---- runs on disk (run.c) ---- */

typedef struct MtRunOut MtRunOut;
bool mt_run_begin (MtWriteWay *w, MtRunOut **out, MtError *err);
bool mt_run_add (MtRunOut *o, const MtVal *key, const MtVal *pay, MtError *err);
/* Adds all rows of stream s, as sort keys and numbers of dictionaries. `kept` gets the dictionaries
 * later. The run takes over s->packed. */
bool mt_run_add_packed (MtRunOut *o, MtStream *s, const MtColChunk *kept, const MtSpill *sp,
                        MtError *err);
bool mt_run_end (MtRunOut *o, MtError *err);
bool mt_merge_open (MtWriteWay *w, const MtTable *t, const MtSpill *sp, MtMerge **out,
                    MtError *err);
bool mt_merge_next (MtMerge *m, MtVal *key, MtVal *pay, int *diff, bool *end, MtError *err);
void mt_merge_close (MtMerge *m);

/* ---- reading stored documents (merge.c) ---- */

typedef struct MtMergeFrom {
   const MtTable *t;
   const MtLayout *l;
   MtVal doc;
   MtVal part; /* the partition of the document; unused in stores without partitions */
} MtMergeFrom;

/* Reads the records or sums that a stored document has for one way, sorted, in arena a. XX001 if
 * the document does not have the layout's shape. */
bool mt_decode_way (MtArena *a, const MtMergeFrom *from, const MtWriteWay *way, MtExtra **out,
                    size_t *count, MtError *err);

/* ---- building documents (build.c) ---- */

typedef struct MtBuilder MtBuilder;

typedef struct MtBuildArgs {
   MtEngine *e;
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *store;
   const MtCancel *cancel;
   const MtWriterOptions *o;
   MtArena *a;
} MtBuildArgs;

bool mt_builder_new (const MtBuildArgs *args, MtBuilder **out, MtError *err);
/* For stores with a document for each row: writes a row as a document. */
bool mt_builder_row (MtBuilder *b, const MtVal *row, MtError *err);
/* Computes the _id of the document for a row. *id is borrowed until the next call. */
bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err);
/* Writes the documents that the builder still has in memory, after the last row of
 * mt_builder_row. */
bool mt_builder_end_rows (MtBuilder *b, MtError *err);
/* Reads all streams to their end, and writes all documents of the store. streams[i] is that of the
 * store's leaf number i. */
bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err);
/* Returns whether documents were skipped because of late records (late.c). Then call mt_late_read,
 * reopen the streams, and run the builder again. */
bool mt_builder_is_late (const MtBuilder *b);
bool mt_late_read (MtBuilder *b, MtError *err);
/* Makes the partition of the time ms the target of the next documents, and creates the partition if
 * it is missing. */
bool mt_builder_visit (MtBuilder *b, int64_t ms, MtError *err);
void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out);
void mt_builder_free (MtBuilder *b);

#endif
