/* Walking over a stored document: visits its cells (elements of levels), level by level, down to
 * records or sums. */
#ifndef MT_WALK_H
#define MT_WALK_H

#include "layouts/table.h"

typedef struct MtWalk MtWalk;

/* Callbacks for the leaves (records, or finest sums) that a walk finds. */
typedef struct MtLeafTaker {
   void *ctx;
   /* Called for each record of node n; w->row has the record's columns. */
   void (*record) (void *ctx, const MtWalk *w, const MtNode *n);
   /* Called for each cell of sums of node n. count: the stored number of records; -1: none is
    * stored. */
   void (*sums) (void *ctx, const MtWalk *w, const MtNode *n, MtVal cell, int64_t count);
} MtLeafTaker;

/* The time of the current cell, as far as the levels so far give it: an interval. */
typedef struct MtWalkTime {
   bool known;
   int64_t start; /* start of the interval */
   MtUnit unit;   /* the interval's length; MT_UNIT_MS: the time is exact */
} MtWalkTime;

/* Counts of everything that walks have found. */
typedef struct MtWalkCounts {
   uint64_t present; /* number of the descriptor's fields that were found */
   uint64_t leaves;
   double records;
   double spans_ms; /* the time from each document's first record to its last, together */
   bool ahead;      /* a preallocated cell was found: one that was created before its records */
   bool any_time;
   int64_t min_time, max_time;
   MtNodeStats *nodes; /* statistics for each node; NULL: not counted */
} MtWalkCounts;

struct MtWalk {
   MtArena *a;
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *s;
   MtError *err;
   /* Set by the caller: visits only this leaf; NULL: all. */
   const MtNode *leaf;
   bool whole; /* set by the caller: a missing redundant copy of the records is an error */
   MtLeafTaker taker;
   MtVal id;   /* the document's _id */
   MtVal *key; /* values of the bindings of all levels from the root to the current cell */
   int key_count;
   MtVal *row; /* the current record: a value per column */
   MtWalkTime time;
   /* A level whose key is a time that does not exist, such as June 31. Records below it are an
    * error. NULL: none. */
   const MtNode *beyond;
   char beyond_why[96];
   bool counting; /* on the first way to records; only there records are counted */
   MtWalkCounts found;
};

/* Prepares a walk, *w, over documents of a store, with arrays in arena a. The walk allocates in
 * w->a, which the caller can replace. */
void mt_walk_init (MtWalk *w, MtArena *a, const MtTableStore *of, MtError *err);
/* Walks over a document, and calls the callbacks. XX001 if the document does not have the layout's
 * shape. */
bool mt_walk_document (MtWalk *w, MtVal doc);
/* Sets error XX001 for the current document, at a path in node n's value, and returns false. */
bool mt_walk_misfit (MtWalk *w, const MtNode *n, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns the time of the current record: the record's own, or the start of the interval that the
 * levels give. NULL if unknown. */
MtVal mt_walk_row_time (const MtWalk *w);

/* Returns a stored count as an integer; 0 if the value is no whole number. */
int64_t mt_stored_count (MtVal v);
/* Returns the number of values in a cell's sum of measure m. If that number is not stored, it is
 * the number of records `count`, or 1 if count is unknown. */
int64_t mt_stored_nonnull (const MtMeasureAgg *m, MtVal cell, int64_t count);

#endif
