/* The stage $group: its accumulators, the hash table of groups, and temporary files for groups that
 * do not fit into memory. */
#ifndef MT_GROUP_INT_H
#define MT_GROUP_INT_H

#include "engine/local/expr/core.h"

typedef struct MtAcc MtAcc;
typedef struct MtGroupTable MtGroupTable;
typedef struct MtGroupNode MtGroupNode;
typedef struct MtGroupHeap MtGroupHeap;       /* the first groups in some order, see nth.c */
typedef struct MtGroupColumns MtGroupColumns; /* adding rows by columns, see columns.c */

/* The description of an accumulator, such as $sum, with its functions. The state of an accumulator
 * for a group has `size` bytes, which are zero at first. Memory to which a state points is in the
 * table's arena. */
typedef struct MtAccRow {
   const char *name; /* "$sum" */
   uint32_t size;
   /* the result depends on the order of rows, and the row number MtWork.seq is not enough to
    * compute it, so rows must be added in order */
   bool serial;
   /* parses the accumulator's argument; NULL: it is a single expression */
   bool (*parse) (MtCompile *c, MtAcc *a, MtVal spec);
   bool (*add) (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
   bool (*merge) (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
   bool (*result) (const MtAcc *a, const void *state, MtWork *w, MtVal *out);
   /* save appends a state to b for a temporary file, and load reads it back. NULL: the state has no
    * pointers, so its bytes are copied. Both return false if the statement was cancelled. load also
    * returns false, without an error, if the bytes from *p to `end` are not a valid state. */
   bool (*save) (const MtAcc *a, const void *state, MtWork *w, MtBson *b);
   bool (*load) (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                 const uint8_t *end, MtWork *w);
   unsigned form; /* MT_ACC_…: tells apart the rows that share functions */
} MtAccRow;

#define MT_ACC_TOTAL 1u    /* $sum, $count */
#define MT_ACC_SAMPLE 2u   /* $stdDevSamp: of a sample, not of a population */
#define MT_ACC_PAIRS 4u    /* $_mtPairs: of two variables */
#define MT_ACC_SINGLE 8u   /* $top, $bottom: the result is one value, not an array */
#define MT_ACC_LAST 16u    /* $bottom, $bottomN, $lastN, $maxN: takes the last rows */
#define MT_ACC_EXTREME 32u /* $minN, $maxN: the value is the sort key */
#define MT_ACC_AND 64u
#define MT_ACC_OR 128u
#define MT_ACC_XOR 256u

typedef enum { MT_FAST_NO, MT_FAST_COUNT, MT_FAST_SUM_SLOT } MtAccFast;

struct MtAcc {
   const MtAccRow *row;
   MtExecExpr *arg;
   MtExecExpr **keys; /* $top, $bottom, …: the sort keys */
   int8_t *dirs;
   uint32_t key_count;
   int64_t n;    /* the argument n of $firstN, …; 1 for $top and $bottom */
   bool decimal; /* for a $sum of {$toDecimal: arg}, whose result is decimal */
   /* The slot that `arg` reads, if `arg` is a slot or converts a slot's value. If this slot has an
    * integer, it is added without evaluating `arg`. MT_NO_SLOT: there is none. */
   uint32_t int_slot;
   const void *extra; /* further arguments, which row->parse has set */
   /* This call does not need its rows in order, although MtAccRow.serial is set for its
    * accumulator. An example is $_mtSorted if it returns only the first value. */
   bool any_order;
   MtAccFast fast;
   uint32_t offset; /* offset of the state in a group's record (MtRec) */
   MtExecVar *var;
};

__extension__ typedef __int128 MtInt128;
__extension__ typedef unsigned __int128 MtUint128;

/* The state of a sum. It is exact for integers; for doubles, rounding errors are compensated. */
typedef struct MtSum {
   MtInt128 i;
   uint64_t count; /* how many numbers were added */
   bool seen_int64, seen_double, seen_decimal, has_special, has_dec;
   double hi, lo, special;
   uint8_t dec[16];
} MtSum;

/* Adds v to the sum if it is a number. Ignores other values. Always returns true. */
bool mt_sum_add (MtSum *s, MtVal v);
void mt_sum_merge (MtSum *s, const MtSum *from);
/* Returns the sum, with the widest type of the added numbers, or as a decimal if `decimal` is true.
 * Memory is in arena a. */
MtVal mt_sum_value (const MtSum *s, bool decimal, MtArena *a);
/* Returns the mean of the added numbers, or null if there are none. */
MtVal mt_avg_value (const MtSum *s, MtArena *a);

/* The record of a group in memory: the hash and the values of its key, room for the bytes of short
 * key values, and the states of the accumulators. */
typedef struct MtRec {
   uint64_t hash;
   MtVal keys[];
} MtRec;

/* The room in a record for the bytes of each key value. With this size, a record with two key
 * values takes one cache line up to the states. */
#define MT_KEY_ROOM 12u

typedef struct MtBucket {
   /* tag: some bits of the hash; rec: 1 + the record's number, or 0 if the bucket is free */
   uint32_t tag, rec;
} MtBucket;

#define MT_RECS_A_CHUNK 256u
#define MT_SPILL_PARTS 64u

struct MtGroupTable {
   MtArena *arena;
   MtBucket *buckets;
   uint32_t mask;
   uint8_t **chunks;
   uint32_t chunk_cap, count;
   size_t rec_size, chunk_bytes;
   /* the lists of numbers (numbers.c) of a large group may be moved to mapped files, because its
    * state can't be written to disk */
   bool maps;
   uint32_t room_at, room; /* offset and size of the room for the bytes of keys in a record */
};

typedef struct MtGroupNode {
   MtExecNode n;
   MtExecExpr **parts; /* expressions of the key's parts */
   MtExecVar **part_vars;
   uint32_t part_count;
   /* the key is a single value, not a document, so that a missing value becomes null */
   bool null_for_missing;
   MtAcc *accs;
   uint32_t acc_count;
   size_t rec_size;
   bool batched; /* the accumulators need only values, so rows can wait in a batch */
   bool grows;   /* the memory of some accumulator's state grows with the number of rows */
   /* All elements of an array have the same key, and all accumulators are sums. So rows from the
    * same array are added up before their group is searched. */
   bool folds;
} MtGroupNode;

/* The number of rows in a batch. Rows are collected in a batch, so that the memory of their groups
 * can be prefetched. */
#define MT_BATCH 64u
typedef struct MtRowBatch {
   uint32_t n;
   uint64_t hash[MT_BATCH], seq[MT_BATCH];
   bool again[MT_BATCH]; /* the row has the same key as the previous row */
   /* For each row of the batch, how many input rows it stands for. Then its integers are sums,
    * which may exceed the range of int32. */
   uint32_t rows[MT_BATCH];
   uint64_t run;       /* MtWork.run at the last row */
   MtVal *keys, *args; /* for each row, part_count values of the key and acc_count arguments */
} MtRowBatch;

/* The state of a $group in one worker (thread). */
typedef struct MtGroupState {
   MtGroupTable table;
   MtRowBatch batch;
   /* The temporary files. Each worker that wrote groups to disk has one, with MT_SPILL_PARTS
    * streams. */
   MtStreams **files;
   uint32_t file_count; /* number of `files`; 0: no groups were written to disk */
   uint32_t drain_part, drain_at;
   bool draining;
   MtVal *keys;             /* memory for the key of one row */
   MtRec *current;          /* group of the previous row; only while a batch is processed */
   MtGroupHeap *first;      /* NULL: mt_group_nth was not called */
   MtGroupColumns *columns; /* NULL: no block was read by its columns yet; in MtWork.scan */
} MtGroupState;

/* Parses `spec`, the argument of accumulator `op` (such as "$sum"), into *a. */
bool mt_acc_parse (MtCompile *c, MtAcc *a, const char *op, MtVal spec);
/* Returns the description of an accumulator that only $setWindowFields has, or NULL. Its argument
 * is an array of two values. For $integral, MtAcc.extra points to the length of its unit in
 * milliseconds, or is NULL. */
const MtAccRow *mt_acc_window_row (const char *name);
static inline void *mt_state_of (const MtAcc *a, MtRec *r) { return (uint8_t *) r + a->offset; }

void mt_table_init (MtGroupTable *t, const MtGroupNode *g);
/* Removes all groups from the table. */
void mt_table_clear (MtGroupTable *t);
void mt_table_free (MtGroupTable *t);
/* Returns how many bytes of memory the table uses. */
size_t mt_table_bytes (const MtGroupTable *t);
/* Returns the record of group number i. */
MtRec *mt_table_rec (const MtGroupTable *t, uint32_t i);
uint64_t mt_group_hash (const MtVal *keys, uint32_t n);
/* Returns the record of the group with these n key values. If there is none, makes one, and sets
 * *made. */
MtRec *mt_table_find (MtGroupTable *t, const MtVal *keys, uint32_t n, uint64_t hash, bool *made);

/* Writes all groups of the table to the worker's temporary file, and empties the table. */
bool mt_group_spill (const MtGroupNode *g, MtGroupState *st, MtWork *w);
/* Empties the table, and loads the groups in stream number `part` (less than MT_SPILL_PARTS) of all
 * temporary files. */
bool mt_group_load (const MtGroupNode *g, MtGroupState *st, MtWork *w, uint32_t part);
void mt_group_state_free (MtGroupState *st);

bool mt_stage_group (MtCompile *c, MtVal spec);

/* A sort order of groups by some parts of their key, and how many of the first groups are
 * needed. */
typedef struct MtGroupOrder {
   const uint32_t *parts; /* indexes of the key's parts, the first sort key first */
   const int8_t *dirs;    /* 1: ascending, -1: descending */
   uint32_t count;
   uint64_t rows;
} MtGroupOrder;

/* Returns whether the node is a $group. */
bool mt_is_group (const MtExecNode *n);
/* Finds the last needed group in the order o, among the groups of this worker. Stores its o.count
 * sort keys in `keys`, borrowed until the worker's next row. Each call must have the same order.
 * Returns false if there are fewer groups than needed, or if groups were written to disk. */
bool mt_group_nth (const MtExecNode *n, MtWork *w, MtGroupOrder o, MtVal *keys);
void mt_group_heap_free (MtGroupHeap *h);

#endif
