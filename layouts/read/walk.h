/* The walk over a stored document: cell by cell, down the levels of its store. */
#ifndef MT_WALK_H
#define MT_WALK_H

#include "layouts/table.h"

typedef struct MtWalk MtWalk;

/* Receives the leaves that a walk finds. */
typedef struct MtLeafTaker {
   void *ctx;
   /* A record of node n; w->row has its columns. */
   void (*record) (void *ctx, const MtWalk *w, const MtNode *n);
   /* A cell of sums of node n. count: its number of records; -1: it does not keep one. */
   void (*sums) (void *ctx, const MtWalk *w, const MtNode *n, MtVal cell, int64_t count);
} MtLeafTaker;

/* The time as far as the levels above the current cell give it. */
typedef struct MtWalkTime {
   bool known;
   int64_t start; /* of the interval */
   MtUnit unit;   /* the interval's length; MT_UNIT_MS: the time is exact */
} MtWalkTime;

/* What walks have found in total. */
typedef struct MtWalkCounts {
   uint64_t present; /* fields of the descriptor */
   uint64_t leaves;
   double records;
   bool ahead; /* a cell was found that was created before its records */
   bool any_time;
   int64_t min_time, max_time;
   MtNodeStats *nodes; /* by node; NULL: not counted */
} MtWalkCounts;

struct MtWalk {
   MtArena *a;
   const MtTable *t;
   const MtLayout *l;
   const MtStoreDesc *s;
   MtError *err;
   /* Set by the caller: */
   const MtNode *leaf; /* walks only to this leaf; NULL: to all */
   bool whole;         /* a redundant copy that is missing is an error */
   MtLeafTaker taker;
   /* The position: */
   MtVal id;
   MtVal *key; /* values of the bindings from the root down to the current cell */
   int key_count;
   MtVal *row; /* by column: the values of the current record */
   MtWalkTime time;
   /* The level whose key is a time that does not exist, such as the 31st of June. It is an error if
    * the level has leaves. NULL: none. */
   const MtNode *beyond;
   char beyond_why[96];
   bool counting; /* on the first way: records are counted there */
   MtWalkCounts found;
};

/* Prepares *w; its arrays are in arena a. Later allocations of the walk are in w->a, which the
 * caller can replace. */
void mt_walk_init (MtWalk *w, MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                   MtError *err);
/* Walks over a document. XX001 if it does not have the layout's shape. */
bool mt_walk_document (MtWalk *w, MtVal doc);
/* XX001 for the current document, at a path in node n's value; false. */
bool mt_walk_misfit (MtWalk *w, const MtNode *n, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns the current record's time: its own, or the start of its interval; NULL if unknown. */
MtVal mt_walk_row_time (const MtWalk *w);

/* Returns a stored count; 0 if it is no whole number. */
int64_t mt_stored_count (MtVal v);
/* Returns the number of values in a stored sum of a cell: the stored number, or else the number of
 * records (count), or 1 if the cell does not count them. */
int64_t mt_stored_nonnull (const MtMeasureAgg *m, MtVal cell, int64_t count);

#endif
