/* Private to layouts/pack: chunks of rows, ways, streams, and the interface of the builder.
 *
 * A chunk holds rows by column: 8 bytes for a fixed-size value, a number in a dictionary for any
 * other. Each store has a way for each leaf of its tree. The order of a way is its bindings from
 * the root down. When the chunk is full, every way sorts a permutation of the chunk and writes a
 * run. At the end, a stream returns a way's records in order; if there are no runs, it reads them
 * from memory. The builder reads the streams and makes documents bottom-up. */
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
   uint32_t *slots; /* hash table of ids; 0: free */
   uint32_t slot_mask;
   MtDictEntry *entries; /* by id; 0 is NULL */
   uint32_t count, cap;
   uint32_t *rank; /* by id: the value's place in the order of all values; NULL until ranked */
   MtArena *bytes;
   size_t used; /* bytes, for the memory limit */
} MtDict;

typedef struct MtColChunk {
   bool used; /* some store that sorts keeps the column */
   bool dict_kind;
   uint8_t type; /* BSON type of fixed-size values */
   bool any_null;
   size_t room;    /* rows that the arrays have room for; it grows with the rows */
   int64_t *fixed; /* doubles are stored as integers of the same order */
   uint32_t *ids;
   uint8_t *nulls;   /* of fixed-size values; NULL until there is a NULL */
   int64_t min, max; /* of fixed-size values that are not NULL */
   MtDict dict;
} MtColChunk;

/* Converts the bits of a double to an integer of the same order, and back: the function is its own
 * inverse. */
static inline int64_t mt_order_double (int64_t bits) { return bits ^ ((bits >> 63) & INT64_MAX); }

static inline MtVal mt_col_get (const MtColChunk *c, uint32_t row)
{
   if (c->dict_kind)
      return c->dict.entries[c->ids[row]].v;
   if (c->nulls && c->nulls[row])
      return mt_v_null ();
   if (c->type == MT_DOUBLE)
      return (MtVal) {.type = MT_DOUBLE, .i = mt_order_double (c->fixed[row])};
   return (MtVal) {.type = c->type, .i = c->fixed[row]};
}

bool mt_col_init (MtColChunk *c, const MtColumn *column);
/* Stores a value in row `row`, which is below cap, the most rows of the chunk. */
bool mt_col_add (MtColChunk *c, const MtColumn *column, size_t row, size_t cap, MtVal v,
                 MtError *err);
/* 42804 for a value whose type is not the column's; false. */
bool mt_writer_mistyped (const MtColumn *c, MtVal v, MtError *err);
void mt_col_reset (MtColChunk *c); /* removes the values, keeps the memory */
void mt_col_free (MtColChunk *c);
void mt_dict_rank (MtDict *d);

/* ---- ways (way.c) ---- */

typedef struct MtKeyField {
   const MtBinding *bind;
   int column;
} MtKeyField;

typedef struct MtSpoolRun {
   int64_t offset, size;
} MtSpoolRun;

typedef struct MtWriteWay {
   const MtStoreDesc *store;
   const MtNode *leaf;
   MtBinding *part; /* the record's partition, which is the first key; NULL: no partitions */
   MtKeyField *keys;
   int key_count;
   int *key_end; /* by depth: number of keys that are bound down to this level */
   int *pay;     /* the columns that a record has beside its key */
   int pay_count;
   int time_key, time_pay; /* index of the exact time among the keys or in pay; -1: not there */
   int count_pay;          /* index of the number of records in pay; -1: it is one record */
   /* By index in pay: the index of its number of values; -1: it is one value. NULL if count_pay is
    * -1. */
   int *nonnull_pay;
   int fd; /* of the runs; -1: none */
   int64_t file_size;
   MtSpoolRun *runs;
   size_t run_count;
} MtWriteWay;

/* Makes the way to a leaf, in arena a. */
void mt_way_make (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtNode *leaf,
                  MtWriteWay *w);
/* Adds to the pays the numbers that leaves have beside their sums. Of a table with `own` columns,
 * column `own` is the number of records, and column own + 1 + c the number of values in column c.
 */
void mt_way_count_leaves (MtArena *a, MtWriteWay *w, size_t own, int time_column);

/* ---- streams (sort.c, stream.c) ---- */

/* A stored leaf or record of a document that new records are merged with. */
typedef struct MtExtra {
   MtVal *key, *pay; /* pay: a record's values, or a leaf's sums */
   int64_t n;        /* number of records */
   int64_t *nonnull; /* by index in pay: number of values; NULL: a record */
   int64_t time;
} MtExtra;

typedef struct MtPair {
   uint64_t key;
   uint32_t row;
} MtPair;

typedef struct MtMerge MtMerge;

typedef struct MtStream {
   MtWriteWay *way;
   const MtVal *key, *pay; /* the current record */
   const MtExtra *extra;   /* the current record is this stored one; NULL: it is a new record */
   int diff; /* first key field that differs from the previous record; key_count: none does */
   bool end;
   bool split;          /* the document is full: all cells end here */
   bool steady;         /* strings of a record live as long as the stream */
   size_t string_bytes; /* of the current record's strings */
   bool has_strings;    /* some pay is a string */
   /* Where new records come from: */
   MtColChunk *cols;
   MtPair *pairs;
   bool borrowed; /* `pairs` belongs to another stream */
   uint32_t count, pos;
   uint8_t field_of_bit[64];
   int word_fields; /* number of key fields in the packed word */
   MtMerge *merge;
   MtVal *own_key, *own_pay;
   bool own_end;
   int own_diff;
   /* Stored records: */
   const MtExtra *extras;
   size_t extra_count, extra_pos;
   MtVal *prev_key;
   MtBuf prev_bytes;
} MtStream;

typedef struct MtSpill {
   const MtCancel *cancel;
   size_t memory;
} MtSpill;

/* Sorts the chunk's rows in the way's order, into s->pairs, which the caller frees. */
bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err);
/* Closes the way's file of runs. */
void mt_way_close (MtWriteWay *w);
/* Writes the chunk as a sorted run. */
bool mt_way_spill (MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                   const MtSpill *sp, MtError *err);
bool mt_stream_open_memory (MtStream *s, MtWriteWay *w, const MtTable *t, MtColChunk *cols,
                            uint32_t count, MtError *err);
/* Returns whether the way's keys are the first keys of a stream from memory, so that the stream's
 * order serves the way without another sort. */
bool mt_way_goes_along (const MtWriteWay *w, const MtStream *finer);
/* Opens a stream in the order of `finer`, which is closed later. */
bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err);
bool mt_stream_open_runs (MtStream *s, MtWriteWay *w, const MtTable *t, const MtSpill *sp,
                          MtError *err);
bool mt_stream_next (MtStream *s, MtError *err);
/* The position of a stream from memory that has no stored records left. */
typedef struct MtStreamMark {
   MtStream at;
   MtVal *key, *pay;
} MtStreamMark;
/* Saves the position. *mark is {0} the first time; its arrays are in arena a. */
void mt_stream_mark (const MtStream *s, MtArena *a, MtStreamMark *mark);
void mt_stream_go_back (MtStream *s, const MtStreamMark *mark);
/* Mixes sorted stored records into the stream, before the current record is used. */
void mt_stream_mix (MtStream *s, const MtExtra *extras, size_t count);
void mt_stream_close (MtStream *s);
/* Compares keys. *diff: the first field that differs; count: none. */
int mt_keys_compare (const MtVal *a, const MtVal *b, int count, int *diff);
MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row);

/* Returns whether the current record belongs to the open cell with that many keys. */
static inline bool mt_in_cell (const MtStream *s, int key_end)
{
   return !s->end && !s->split && s->diff >= key_end;
}

/* ---- runs on disk (run.c) ---- */

typedef struct MtRunOut MtRunOut;
bool mt_run_begin (MtWriteWay *w, MtRunOut **out, MtError *err);
bool mt_run_add (MtRunOut *o, const MtVal *key, const MtVal *pay, MtError *err);
bool mt_run_end (MtRunOut *o, MtError *err);
bool mt_merge_open (MtWriteWay *w, const MtTable *t, const MtSpill *sp, MtMerge **out,
                    MtError *err);
bool mt_merge_next (MtMerge *m, MtVal *key, MtVal *pay, int *diff, bool *end, MtError *err);
void mt_merge_close (MtMerge *m);

/* ---- stored documents (merge.c) ---- */

typedef struct MtMergeFrom {
   const MtTable *t;
   const MtLayout *l;
   MtVal doc;
   MtVal part; /* the key of the document's partition, if there are partitions */
} MtMergeFrom;

/* Reads the leaves of a stored document along one way, sorted, in arena a. XX001 if the document
 * does not have the layout's shape. */
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
/* Writes one document of one record. */
bool mt_builder_row (MtBuilder *b, const MtVal *row, MtError *err);
/* Computes the _id of the row's document; borrowed until the next call. */
bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err);
/* Writes documents that were held back, after the last row. */
bool mt_builder_end_rows (MtBuilder *b, MtError *err);
/* Writes all documents of the store from the streams of its ways, in the order of its leaves. */
bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err);
/* Makes the partition of a time the current one; creates it if it is missing. */
bool mt_builder_visit (MtBuilder *b, int64_t ms, MtError *err);
void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out);
void mt_builder_free (MtBuilder *b);

#endif
