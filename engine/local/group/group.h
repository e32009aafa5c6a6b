/* The stage $group: its accumulators, the table of groups, and temporary files for groups that
 * do not fit in memory. */
#ifndef MT_GROUP_INT_H
#define MT_GROUP_INT_H

#include "engine/local/expr/core.h"

typedef struct MtAcc MtAcc;
typedef struct MtGroupTable MtGroupTable;
typedef struct MtGroupNode MtGroupNode;
typedef struct MtGroupHeap MtGroupHeap;       /* the first groups in some order, see nth.c */
typedef struct MtGroupColumns MtGroupColumns; /* adding rows by columns, see columns.c */

/* The description of an accumulator, such as $sum, with its functions. A state (what the
 * accumulator keeps for one group) has `size` bytes, which are zero at first. Memory behind a
 * state's pointers is in the table's arena. */
typedef struct MtAccRow {
   const char *name; /* "$sum" */
   uint32_t size;
   /* the result depends on the order of rows in a way that MtWork.seq does not express, so rows
    * must come in order */
   bool serial;
   /* parses the accumulator's argument; NULL: the argument is a single expression */
   bool (*parse) (MtCompile *c, MtAcc *a, MtVal spec);
   bool (*add) (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
   bool (*merge) (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
   bool (*result) (const MtAcc *a, const void *state, MtWork *w, MtVal *out);
   /* save writes a state to `b` for a temporary file, and load reads the state back. NULL: the
    * state has no pointers, so its bytes are copied. Both return false if the statement was
    * cancelled. load also returns false, without an error, if the bytes from *p to `end` are not
    * a state. */
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
   /* The slot of `arg`, or of the value that `arg` converts. If the slot has an integer, the
    * integer is added without evaluating `arg`. MT_NO_SLOT: none. */
   uint32_t int_slot;
   const void *extra; /* further arguments, which row->parse has set */
   /* True: this call does not need its rows in order, although MtAccRow.serial says that the
    * accumulator needs them so. For example, $_mtSorted that takes only the first value. */
   bool any_order;
   MtAccFast fast;
   uint32_t offset; /* offset of the state in a group's record (MtRec) */
   MtExecVar *var;
};

__extension__ typedef __int128 MtInt128;
__extension__ typedef unsigned __int128 MtUint128;

/* The state of a sum: exact for integers, with compensation of rounding errors for doubles. */
typedef struct MtSum {
   MtInt128 i;
   uint64_t count; /* how many numbers were added */
   bool seen_int64, seen_double, seen_decimal, has_special, has_dec;
   double hi, lo, special;
   uint8_t dec[16];
} MtSum;

/* Adds the value `v` to the sum if it is a number. Ignores other values. */
bool mt_sum_add (MtSum *s, MtVal v);
void mt_sum_merge (MtSum *s, const MtSum *from);
/* Returns the sum, with the widest type of the added numbers. `decimal`: returns the sum as a
 * decimal. */
MtVal mt_sum_value (const MtSum *s, bool decimal, MtArena *a);
/* Returns the mean of the added numbers, or null if there are none. */
MtVal mt_avg_value (const MtSum *s, MtArena *a);

/* The record of a group in memory: the hash of the key, the values of the key, room for the
 * bytes of short key values, and the states of the accumulators. */
typedef struct MtRec {
   uint64_t hash;
   MtVal keys[];
} MtRec;

/* Bytes of room in a record for each value of the key. With two key values, the part of a record
 * before the states is one cache line. */
#define MT_KEY_ROOM 12u

typedef struct MtBucket {
   /* tag: part of the hash; rec: the record's number + 1, or 0 for a free bucket */
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
   /* numbers of a large group are kept in files, since the groups can't be */
   bool maps;
   uint32_t room_at, room; /* offset and size of the room for the bytes of keys in a record */
};

typedef struct MtGroupNode {
   MtExecNode n;
   MtExecExpr **parts; /* expressions of the key's parts */
   MtExecVar **part_vars;
   uint32_t part_count;
   /* the key is a single value, not a document, so a missing value counts as null */
   bool null_for_missing;
   MtAcc *accs;
   uint32_t acc_count;
   size_t rec_size;
   bool batched; /* the accumulators need only values, so rows can wait in a batch */
   bool grows;   /* the memory of some accumulator's state grows with the number of rows */
   /* The key is the same for all elements of an array, and all accumulators are sums. So rows
    * from one array are added up before their group is searched. */
   bool folds;
} MtGroupNode;

/* The number of rows in a batch. Rows wait in a batch so that the memory of their groups can be
 * prefetched. */
#define MT_BATCH 64u
typedef struct MtRowBatch {
   uint32_t n;
   uint64_t hash[MT_BATCH], seq[MT_BATCH];
   bool again[MT_BATCH]; /* the row has the same key as the row before */
   /* How many rows each row of the batch stands for. The sums of their integers may exceed the
    * range of the integers' type. */
   uint32_t rows[MT_BATCH];
   uint64_t run;       /* MtWork.run at the last row */
   MtVal *keys, *args; /* for each row, part_count values of the key and acc_count arguments */
} MtRowBatch;

/* The state of $group in one worker (a thread that runs the pipeline). */
typedef struct MtGroupState {
   MtGroupTable table;
   MtRowBatch batch;
   /* temporary files, one for each worker that wrote groups to disk, with MT_SPILL_PARTS streams */
   MtStreams **files;
   uint32_t file_count; /* number of `files`; 0: no groups were written to disk */
   uint32_t drain_part, drain_at;
   bool draining;
   MtVal *keys;             /* memory for the key of one row */
   MtRec *current;          /* record of the row before; only while a batch is processed */
   MtGroupHeap *first;      /* NULL: mt_group_nth was not called */
   MtGroupColumns *columns; /* NULL: no block was read by its columns yet; in MtWork.scan */
} MtGroupState;

/* Parses `spec`, the argument of the accumulator named `op`, into *a. */
bool mt_acc_parse (MtCompile *c, MtAcc *a, const char *op, MtVal spec);
/* Returns the description of an accumulator that only $setWindowFields has, or NULL. Its argument
 * is an array of two values. MtAcc.extra of $integral is its unit in milliseconds, or NULL. */
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
/* Finds the record of the group with this key, or creates it and sets *made. */
MtRec *mt_table_find (MtGroupTable *t, const MtVal *keys, uint32_t n, uint64_t hash, bool *made);

/* Writes all groups of the table to the worker's temporary file, and empties the table. */
bool mt_group_spill (const MtGroupNode *g, MtGroupState *st, MtWork *w);
/* Empties the table, and loads the groups of number `part` of MT_SPILL_PARTS from all temporary
 * files into it. */
bool mt_group_load (const MtGroupNode *g, MtGroupState *st, MtWork *w, uint32_t part);
void mt_group_state_free (MtGroupState *st);

bool mt_stage_group (MtCompile *c, MtVal spec);

/* An order of groups by some parts of their key, and how many groups are needed. */
typedef struct MtGroupOrder {
   const uint32_t *parts; /* numbers of the key's parts, the first sort key first */
   const int8_t *dirs;    /* 1: ascending, -1: descending */
   uint32_t count;
   uint64_t rows;
} MtGroupOrder;

/* Returns whether the node is a $group. */
bool mt_is_group (const MtExecNode *n);
/* Gets the sort keys of the last needed group among the groups of this worker, o.count values
 * that are borrowed until the worker's next row. Call it with the same order each time. Returns
 * false if there are too few groups, or if groups were written to disk. */
bool mt_group_nth (const MtExecNode *n, MtWork *w, MtGroupOrder o, MtVal *keys);
void mt_group_heap_free (MtGroupHeap *h);

#endif
