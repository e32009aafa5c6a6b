/* The writer's insides. Private to layouts/writer*.c.
 *
 * Rows are kept in a chunk of columns: 8 bytes for fixed values, a dictionary's number for
 * everything else. Each store has a *way* for each leaf of its tree; a way's order is its bindings
 * from the root down. When the chunk is full, every way sorts a permutation of it and writes a run;
 * at the end a way's records come as a *stream* in its order, from memory when nothing was spilled.
 * The builder pulls the streams and makes documents bottom-up. */
#ifndef MT_WRITER_INT_H
#define MT_WRITER_INT_H

#include "types/numeric.h"
#include "layouts/layout_int.h"
#include "layouts/writer.h"

/* ---- the chunk ---- */

typedef struct MtDict {
   uint32_t *slots; /* hash table of ids; 0: free */
   uint32_t slot_mask;
   struct MtDictEntry *entries; /* by id; 0 is NULL */
   uint32_t count, cap;
   uint32_t *rank; /* by id: its place in the order of the values; NULL until ranked */
   MtArena *bytes;
   size_t used; /* bytes held, for the budget */
} MtDict;

typedef struct MtDictEntry {
   MtVal v;
   uint32_t hash;
} MtDictEntry;

typedef struct MtColChunk {
   bool used; /* some store that sorts keeps it */
   bool dict_kind;
   uint8_t type; /* BSON type of fixed values */
   bool any_null;
   size_t room; /* rows that the arrays have room for: one row of a statement needs no memory of a
                   whole load */
   int64_t *fixed; /* doubles as integers of the same order */
   uint32_t *ids;
   uint8_t *nulls;   /* fixed only; NULL until there is one */
   int64_t min, max; /* fixed only, of values that aren't NULL */
   MtDict dict;
} MtColChunk;

/* A double as an integer of the same order, and back: the function is its own inverse. */
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
bool mt_col_add (MtColChunk *c, const MtColumn *column, size_t row, size_t cap, MtVal v,
                 MtError *err); /* cap: rows at most; row < cap */
/* 42804: a function or a server made a value of another type than the column's; false. */
bool mt_writer_mistyped (const MtColumn *c, MtVal v, MtError *err);
void mt_col_reset (MtColChunk *c); /* forgets the values, keeps the memory */
void mt_col_free (MtColChunk *c);
void mt_dict_rank (MtDict *d);

/* ---- ways and streams ---- */

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
   MtBinding
      *part; /* the partition that a record lies in, which is the first key; NULL: there are none */
   MtKeyField *keys;
   int key_count;
   int *key_end; /* by depth: keys bound down to that level */
   int *pay;     /* columns that a record carries beside its key */
   int pay_count;
   int time_key, time_pay; /* where the exact time is; -1: not there */
   int count_pay;          /* how many records one stands for; -1: it is one */
   int *nonnull_pay; /* by pay: how many values were added up to it; -1: it is one value. NULL where
                        count_pay is -1 */
   int fd;           /* of the runs; -1: none */
   int64_t file_size;
   MtSpoolRun *runs;
   size_t run_count;
} MtWriteWay;

/* A stored leaf, or record, of a document that is merged. */
typedef struct MtExtra {
   MtVal *key, *pay; /* pay: a record's values, or the sums of a leaf that keeps sums */
   int64_t n;        /* records that it stands for */
   int64_t *nonnull; /* by pay; NULL: a record */
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
   const MtExtra *extra;   /* it is this stored one; NULL: a new record */
   int diff; /* its first key field that differs from the record before; key_count: none */
   bool end;
   bool split;          /* the document is full: all cells end here */
   bool steady;         /* strings of a record live as long as the stream */
   size_t string_bytes; /* of the current record's strings */
   bool has_strings;    /* some payload is a string */
   /* where new records come from */
   MtColChunk *cols;
   MtPair *pairs;
   bool borrowed; /* they are another stream's */
   uint32_t count, pos;
   uint8_t field_of_bit[64];
   int word_fields; /* how many key fields the packed word has */
   MtMerge *merge;
   MtVal *own_key, *own_pay;
   bool own_end;
   int own_diff;
   /* stored ones */
   const MtExtra *extras;
   size_t extra_count, extra_pos;
   MtVal *prev_key;
   MtBuf prev_bytes;
} MtStream;

typedef struct MtSpill {
   const MtCancel *cancel;
   size_t memory;
} MtSpill;

/* Sorts the chunk's rows into the way's order. Pairs are the caller's: free. */
bool mt_way_sort (const MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                  MtStream *s, MtError *err);
void mt_way_close (MtWriteWay *w); /* its runs */
bool mt_way_spill (MtWriteWay *w, const MtTable *t, MtColChunk *cols, uint32_t count,
                   const MtSpill *sp, MtError *err);
bool mt_stream_open_memory (MtStream *s, MtWriteWay *w, const MtTable *t, MtColChunk *cols,
                            uint32_t count, MtError *err);
/* Whether the order of a stream from memory does for a way whose keys its own begin with, so that
 * nothing needs to be sorted again. */
bool mt_way_goes_along (const MtWriteWay *w, const MtStream *finer);
bool mt_stream_open_along (MtStream *s, MtWriteWay *w, const MtTable *t, const MtStream *finer,
                           MtError *err); /* finer: closed later */
bool mt_stream_open_runs (MtStream *s, MtWriteWay *w, const MtTable *t, const MtSpill *sp,
                          MtError *err);
bool mt_stream_next (MtStream *s, MtError *err);
/* Where a stream from memory stands, which has no stored records left: to go back there. */
typedef struct MtStreamMark {
   MtStream at;
   MtVal *key, *pay;
} MtStreamMark;
void mt_stream_mark (const MtStream *s, MtArena *a,
                     MtStreamMark *mark); /* *mark: {0} the first time; its arrays in arena a */
void mt_stream_go_back (MtStream *s, const MtStreamMark *mark);
/* Mixes stored records (sorted) into the stream before the current record is used. */
void mt_stream_mix (MtStream *s, const MtExtra *extras, size_t count);
void mt_stream_close (MtStream *s);
int mt_keys_compare (const MtVal *a, const MtVal *b, int count, int *diff);
MtVal mt_key_value (const MtKeyField *k, const MtColChunk *cols, uint32_t row);

/* Runs on disk (writer_run.c). */
typedef struct MtRunOut MtRunOut;
bool mt_run_begin (MtWriteWay *w, MtRunOut **out, MtError *err);
bool mt_run_add (MtRunOut *o, const MtVal *key, const MtVal *pay, MtError *err);
bool mt_run_end (MtRunOut *o, MtError *err);
bool mt_merge_open (MtWriteWay *w, const MtTable *t, const MtSpill *sp, MtMerge **out,
                    MtError *err);
bool mt_merge_next (MtMerge *m, MtVal *key, MtVal *pay, int *diff, bool *end, MtError *err);
void mt_merge_close (MtMerge *m);

static inline bool mt_in_cell (const MtStream *s, int key_end)
{
   return !s->end && !s->split && s->diff >= key_end;
}

/* ---- building ---- */

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
/* rows: one document of one record. */
bool mt_builder_row (MtBuilder *b, const MtVal *row, MtError *err);
/* The _id of the row's document; borrowed until the next call. */
bool mt_builder_row_id (MtBuilder *b, const MtVal *row, MtVal *id, MtError *err);
/* After the last row: what was held back is written. */
bool mt_builder_end_rows (MtBuilder *b, MtError *err);
/* All documents of the store from its ways' streams (in the order of its leaves). */
bool mt_builder_run (MtBuilder *b, MtStream *streams, size_t count, MtError *err);
/* Makes the partition of a time, where it is missing, and stays there. */
bool mt_builder_visit (MtBuilder *b, int64_t ms, MtError *err);
void mt_builder_stats (const MtBuilder *b, MtArena *a, MtStoreStats *out);
void mt_builder_free (MtBuilder *b);

/* Whether what is written to the store's documents can be sent as increments (writer_inc.c). */
bool mt_store_increments (const MtTable *t, const MtStoreDesc *s);
/* The same with records that have a place each, which the engine sets where nothing is
 * (MtIncrement.fresh). */
bool mt_store_sets_fresh (const MtTable *t, const MtStoreDesc *s);
/* The same with a place in an array (MtIncrement.slots). */
bool mt_store_fills_slots (const MtTable *t, const MtStoreDesc *s);

/* The leaves of a store's tree in preorder. */
size_t mt_store_leaves (const MtStoreDesc *s, const MtNode **out);

/* ---- stored documents (decode.c) ---- */

/* The leaves of a stored document along one way, as extras in arena a, sorted. part: the key of its
 * partition, where there are any. False with XX001 when it doesn't fit the descriptor. */
bool mt_decode_way (MtArena *a, const MtTable *t, const MtLayout *l, const MtWriteWay *w,
                    MtVal part, MtVal doc, MtExtra **out, size_t *count, MtError *err);

#endif
