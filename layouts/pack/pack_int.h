/* Private to layouts/pack: chunks of rows, ways, streams, and the interface of the builder.
 *
 * A chunk holds rows by column: 8 bytes for a fixed-size value, a number in a dictionary for any
 * other value. A way is the path from the root of a store's tree to one leaf. A way's sort key is
 * the bindings (columns of the levels) on this path. When the chunk is full, every way sorts the
 * chunk's rows and writes them to disk as a run. At the end, a stream returns the records of a way
 * in order, from the runs or from memory. The builder reads the streams and makes documents
 * bottom-up. */
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
   uint32_t *slots; /* hash table of value numbers; 0: free */
   uint32_t slot_mask;
   MtDictEntry *entries; /* the values, by number; number 0 is NULL */
   uint32_t count, cap;
   /* By value number: the value's place in the order of all values; NULL until mt_dict_rank. */
   uint32_t *rank;
   MtArena *bytes;
   size_t used; /* bytes of memory used */
} MtDict;

typedef struct MtColChunk {
   bool used; /* some store that sorts its records keeps this column */
   bool dict_kind;
   uint8_t type; /* BSON type of fixed-size values */
   bool any_null;
   size_t room;    /* number of rows that the arrays have room for */
   int64_t *fixed; /* fixed-size values; doubles as integers of the same order */
   uint32_t *ids;
   uint8_t *nulls;   /* which fixed-size values are NULL; NULL until one is */
   int64_t min, max; /* least and greatest fixed-size value that is not NULL */
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

/* Returns whether the number of bytes at MtVal.p differs between values of this type. */
static inline bool mt_has_length (uint8_t type)
{
   return type == MT_STRING || (mt_v_has_bytes (type) && type != MT_OID && type != MT_DECIMAL);
}

bool mt_col_init (MtColChunk *c, const MtColumn *column);
/* Stores a column's value for row number `row`. cap: the greatest number of rows of the chunk. */
bool mt_col_add (MtColChunk *c, const MtColumn *column, size_t row, size_t cap, MtVal v,
                 MtError *err);
/* Sets error 42804, because v does not have the column's type, and returns false. */
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
   MtBinding *part; /* the first key: the record's partition; NULL: the store has no partitions */
   MtKeyField *keys;
   int key_count;
   int *key_end; /* for each depth: number of keys that the levels down to this depth bind */
   int *pay;     /* the columns that a record has in addition to its key */
   int pay_count;
   int time_key, time_pay; /* index of the exact time in `keys` or `pay`; -1: not there */
   int count_pay; /* for stored sums: index in `pay` of the number of records; -1: records */
   /* For each entry of `pay` that is a sum: the index in `pay` of its number of values; -1: one
    * value. NULL if count_pay is -1. */
   int *nonnull_pay;
   int fd; /* file of the sorted runs; -1: none */
   int64_t file_size;
   MtSpoolRun *runs;
   size_t run_count;
} MtWriteWay;

/* Fills *w: the way from the root to a leaf of the store's tree. Its arrays are in arena a. */
void mt_way_make (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtNode *leaf,
                  MtWriteWay *w);
/* Adds to w->pay the counts of leaves that are sums. They follow the table's `own` columns: column
 * `own` is the number of records, column own + 1 + c the number of values in column c. */
void mt_way_count_leaves (MtArena *a, MtWriteWay *w, size_t own, int time_column);

/* ---- streams (sort.c, stream.c) ---- */

/* A record or stored sum of an existing document, which is merged with the new records. */
typedef struct MtExtra {
   MtVal *key, *pay; /* pay: the record's values, or the sums */
   int64_t n;        /* number of records */
   int64_t *nonnull; /* for each sum in `pay`: its number of values; NULL: a record */
   MtVal cell;       /* of sums: the stored cell, which can also have extremes and states */
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
   const MtExtra *extra;   /* the current record, if it is a stored one; NULL: a new record */
   int diff; /* index of the first key that differs from the previous record; key_count: none */
   bool end;
   bool split;          /* the document is full: all cells end here */
   bool steady;         /* strings of a record live as long as the stream */
   size_t string_bytes; /* size of the current record's strings */
   bool has_strings;    /* some column in `pay` is a string */
   /* The members up to own_diff are the source of new records: the chunk in memory, or the merged
    * runs on disk (`merge`). */
   MtColChunk *cols;
   MtPair *pairs;
   bool borrowed; /* `pairs` belongs to another stream */
   uint32_t count, pos;
   uint8_t field_of_bit[64];
   int word_fields; /* number of keys that MtPair.key contains */
   MtMerge *merge;
   MtVal *own_key, *own_pay;
   bool own_end;
   int own_diff;
   /* Stored records to merge, sorted. */
   const MtExtra *extras;
   size_t extra_count, extra_pos;
   MtVal *prev_key;
   MtBuf prev_bytes;
} MtStream;

typedef struct MtSpill {
   const MtCancel *cancel;
   size_t memory;
} MtSpill;

/* Sorts the chunk's rows by the way's keys, into s->pairs, which the caller frees. */
bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err);
/* Closes the way's file of sorted runs. */
void mt_way_close (MtWriteWay *w);
/* Sorts the chunk's rows by the way's keys, and appends them to the way's file as a run. */
bool mt_way_spill (MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                   const MtSpill *sp, MtError *err);
bool mt_stream_open_memory (MtStream *s, MtWriteWay *w, const MtTable *t, MtColChunk *cols,
                            uint32_t count, MtError *err);
/* Returns whether the way needs no sort of its own: its keys are the first keys of the stream
 * `finer` from memory. */
bool mt_way_goes_along (const MtWriteWay *w, const MtStream *finer);
/* Opens a stream that shares the sorted rows of `finer`. `finer` must be closed later. */
bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err);
bool mt_stream_open_runs (MtStream *s, MtWriteWay *w, const MtTable *t, const MtSpill *sp,
                          MtError *err);
bool mt_stream_next (MtStream *s, MtError *err);
/* A saved position of a stream from memory, without stored records to merge. */
typedef struct MtStreamMark {
   MtStream at;
   MtVal *key, *pay;
} MtStreamMark;
/* Saves the stream's position in *mark, for mt_stream_go_back. *mark is {0} the first time; its
 * arrays are in arena a. */
void mt_stream_mark (const MtStream *s, MtArena *a, MtStreamMark *mark);
void mt_stream_go_back (MtStream *s, const MtStreamMark *mark);
/* Mixes sorted stored records into the stream, before the current record is used. */
void mt_stream_mix (MtStream *s, const MtExtra *extras, size_t count);
void mt_stream_close (MtStream *s);
/* Compares two keys of `count` fields. *diff: index of the first field that differs; count:
 * none. */
int mt_keys_compare (const MtVal *a, const MtVal *b, int count, int *diff);
MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row);

/* Returns whether the current record belongs to the same cell as the previous one: their first
 * key_end keys are equal. */
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

/* Reads the records or sums of a stored document that are at the end of one way, sorted, in arena
 * a. XX001 if the document does not have the layout's shape. */
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
/* Writes one record as a document of its own. */
bool mt_builder_row (MtBuilder *b, const MtVal *row, MtError *err);
/* Computes the _id of the document for a row. *id is borrowed until the next call. */
bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err);
/* Writes the documents that the builder still keeps in memory. Call it after the last row. */
bool mt_builder_end_rows (MtBuilder *b, MtError *err);
/* Writes all documents of the store from the streams of its ways, in the order of its leaves. */
bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err);
/* Returns whether documents were left out, because states need the records of their cells again.
 * Then call mt_late_read, and run the builder again, over streams from their beginning. */
bool mt_builder_is_late (const MtBuilder *b);
bool mt_late_read (MtBuilder *b, MtError *err);
/* Makes the partition for the time ms the current target, and creates a missing partition. */
bool mt_builder_visit (MtBuilder *b, int64_t ms, MtError *err);
void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out);
void mt_builder_free (MtBuilder *b);

#endif
