/* $group: accumulators, the table of groups, and spilling. */
#ifndef MT_GROUP_INT_H
#define MT_GROUP_INT_H

#include "engine/local/expr/core.h"

typedef struct MtAcc MtAcc;
typedef struct MtGroupTable MtGroupTable;
typedef struct MtGroupNode MtGroupNode;

/* An accumulator: one row and its functions. A state is `size` bytes, zeroed at first. Memory
 * behind its pointers lies in the table's arena. */
typedef struct MtAccRow {
   MtStageRow about;
   uint32_t size;
   bool serial; /* depends on the order of rows in a way that `seq` does not express */
   bool (*parse) (MtCompile *c, MtAcc *a, MtVal spec); /* NULL: it takes one expression */
   bool (*add) (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w);
   bool (*merge) (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w);
   bool (*result) (const MtAcc *a, const void *state, MtWork *w, MtVal *out);
   /* save writes a state to b for a temporary file, and load reads it back. NULL: the state has no
    * pointers and is copied. Both return false if the statement was cancelled. load also returns
    * false, without an error, if the bytes from *p to end are not a state. */
   bool (*save) (const MtAcc *a, const void *state, MtWork *w, MtBw *b);
   bool (*load) (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                 const uint8_t *end, MtWork *w);
} MtAccRow;

typedef enum { MT_FAST_NO, MT_FAST_COUNT, MT_FAST_SUM_SLOT } MtAccFast;

struct MtAcc {
   const MtAccRow *row;
   MtExecExpr *arg;
   MtExecExpr **keys; /* $top…: the sort keys */
   int8_t *dirs;
   uint32_t key_count;
   int64_t n;    /* $firstN…: n; 1 for $top and $bottom */
   bool single;  /* the result is a value, not an array of one */
   bool last;    /* $bottom…, $lastN, $maxN */
   bool decimal; /* $sum of {$toDecimal: arg}: the result is decimal */
   /* The slot of arg, or of the value that arg converts. Integers in it are added directly.
    * MT_NO_SLOT: none. */
   uint32_t int_slot;
   const void *extra; /* further arguments, from the row's parse */
   /* the result does not depend on the order of rows, although the row is serial */
   bool any_order;
   MtAccFast fast;
   uint32_t offset; /* of the state in a group's record */
   MtExecVar *var;
};

__extension__ typedef __int128 MtInt128;
__extension__ typedef unsigned __int128 MtUint128;

/* A sum so far: exact for integers, compensated for doubles. */
typedef struct MtSum {
   MtInt128 i;
   uint64_t count; /* of numbers */
   bool seen_int64, seen_double, seen_decimal, has_special, has_dec;
   double hi, lo, special;
   uint8_t dec[16];
} MtSum;

/* Adds a number. Other values do not count. */
bool mt_sum_add (MtSum *s, MtVal v);
void mt_sum_merge (MtSum *s, const MtSum *from);
/* Returns the sum, of the widest type of its numbers. decimal: as a decimal. */
MtVal mt_sum_value (const MtSum *s, bool decimal, MtArena *a);
/* Returns the mean, or null without numbers. */
MtVal mt_avg_value (const MtSum *s, MtArena *a);

/* A group's record: the hash, the parts of the key, room for the bytes of short parts, the
 * states. */
typedef struct MtRec {
   uint64_t hash;
   MtVal keys[];
} MtRec;

/* Bytes for each part of the key. With two parts the head of a record is one cache line. */
#define MT_KEY_ROOM 12u

typedef struct MtBucket {
   uint32_t tag, rec; /* rec: the record's number + 1; 0: free */
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
   uint32_t room_at, room; /* of the keys' bytes in a record */
};

typedef struct MtGroupNode {
   MtExecNode n;
   MtExecExpr **parts; /* of the key */
   MtExecVar **part_vars;
   uint32_t part_count;
   bool null_for_missing; /* the key is a single value, so missing counts as null */
   MtAcc *accs;
   uint32_t acc_count;
   size_t rec_size;
   bool batched; /* accumulators only take values, so rows may wait in a batch */
   bool grows;   /* some state has memory that grows with the rows */
   /* The key is constant during a run and all accumulators are sums, so rows are added up before
    * they reach their group. */
   bool folds;
} MtGroupNode;

/* Rows wait in a batch, so that the memory of their groups can be prefetched. */
#define MT_BATCH 64u
typedef struct MtRowBatch {
   uint32_t n;
   uint64_t hash[MT_BATCH], seq[MT_BATCH];
   bool again[MT_BATCH]; /* the same key as the row before */
   /* Number of rows that this one stands for. Their integers may exceed the range of their type. */
   uint32_t rows[MT_BATCH];
   uint64_t run;       /* of the last row */
   MtVal *keys, *args; /* part_count keys and acc_count arguments for each row */
} MtRowBatch;

/* The state of one worker. */
typedef struct MtGroupState {
   MtGroupTable table;
   MtRowBatch batch;
   MtStreams **files;   /* one for each worker that spilled, with MT_SPILL_PARTS streams */
   uint32_t file_count; /* 0: nothing spilled */
   uint32_t drain_part, drain_at;
   bool draining;
   MtVal *keys;    /* scratch */
   MtRec *current; /* of the row before, while a batch is processed */
} MtGroupState;

/* Returns an accumulator's row, or NULL. */
const MtAccRow *mt_acc_find (const char *name);
MtAcc *mt_acc_at (const MtGroupNode *g, uint32_t i);
/* Parses the argument of accumulator `op`. */
bool mt_acc_parse (MtCompile *c, MtAcc *a, const char *op, MtVal spec);
static inline void *mt_state_of (const MtAcc *a, MtRec *r) { return (uint8_t *) r + a->offset; }

void mt_table_init (MtGroupTable *t, const MtGroupNode *g);
/* Removes all groups. */
void mt_table_clear (MtGroupTable *t);
void mt_table_free (MtGroupTable *t);
/* Returns the memory that the table takes. */
size_t mt_table_bytes (const MtGroupTable *t);
/* Returns record number i. */
MtRec *mt_table_rec (const MtGroupTable *t, uint32_t i);
uint64_t mt_group_hash (const MtVal *keys, uint32_t n);
/* Finds the record of a key, or makes one (*made). */
MtRec *mt_table_find (MtGroupTable *t, const MtVal *keys, uint32_t n, uint64_t hash, bool *made);

/* Writes all groups to the worker's file, and empties the table. */
bool mt_group_spill (const MtGroupNode *g, MtGroupState *st, MtWork *w);
/* Empties the table, and loads one part of all files into it. */
bool mt_group_load (const MtGroupNode *g, MtGroupState *st, MtWork *w, uint32_t part);
void mt_group_state_free (MtGroupState *st);

bool mt_stage_group (MtCompile *c, MtVal spec);

#endif
