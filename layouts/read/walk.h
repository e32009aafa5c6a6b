/* Walks over a stored document: visits its cells (elements of levels), level by level, down to the
 * leaves, which are records or the finest sums. */
#ifndef MT_WALK_H
#define MT_WALK_H

#include "layouts/table.h"

typedef struct MtWalk MtWalk;

/* Callbacks of a walk for each leaf, which is a record or one of the finest sums. */
typedef struct MtLeafTaker {
   void *ctx;
   /* Called for each record of node n. w->row has the record's value for each column. */
   void (*record) (void *ctx, const MtWalk *w, const MtNode *n);
   /* Called for each cell of sums of node n. count: the stored number of records; -1: there is
    * none. */
   void (*sums) (void *ctx, const MtWalk *w, const MtNode *n, MtVal cell, int64_t count);
} MtLeafTaker;

/* The time of the current cell (array or map element): the interval that the keys of the levels
 * down to it give. */
typedef struct MtWalkTime {
   bool known;
   int64_t start; /* start of the interval */
   MtUnit unit;   /* the interval's length; MT_UNIT_MS: the time is exact */
} MtWalkTime;

/* Counts of what was found, over all documents walked. */
typedef struct MtWalkCounts {
   uint64_t present; /* number of fields named by the layout's descriptor that were present */
   uint64_t leaves;
   double records;
   double spans_ms; /* sum over all documents of the time from the first record to the last */
   /* a preallocated cell was found: one that was created before its first record */
   bool ahead;
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
   /* Set by the caller: visit only this leaf; NULL: all leaves. */
   const MtNode *leaf;
   /* set by the caller: if a level has redundant copies of its data, none may be missing */
   bool whole;
   MtLeafTaker taker;
   MtVal id;   /* the document's _id */
   MtVal *key; /* values of the keys of all levels, from the root down to the current cell */
   int key_count;
   MtVal *row; /* the current record: a value for each column */
   MtWalkTime time;
   /* A level whose current key is a time that does not exist, such as June 31; beyond_why is the
    * message for the error if records are found below it. NULL: none. */
   const MtNode *beyond;
   char beyond_why[96];
   /* the walk is on the first path of levels to records; only there records are counted */
   bool counting;
   MtWalkCounts found;
};

/* Prepares *w for walking over documents of store `of`. Its arrays are in arena a. Walks allocate
 * in w->a, which the caller can replace. */
void mt_walk_init (MtWalk *w, MtArena *a, const MtTableStore *of, MtError *err);
/* Walks over a document, and calls the callbacks for its leaves. XX001 if the document does not
 * have the layout's shape. */
bool mt_walk_document (MtWalk *w, MtVal doc);
/* Sets error XX001 for the current document, and returns false. The position is `path` in the value
 * of node n; n NULL: in the document. */
bool mt_walk_misfit (MtWalk *w, const MtNode *n, const char *path, const char *fmt, ...)
   __attribute__ ((format (printf, 4, 5)));
/* Returns the time of the current record: its own, or the start of the interval that the keys of
 * the nesting levels give. NULL if it is unknown. */
MtVal mt_walk_row_time (const MtWalk *w);

/* Returns a stored count as an integer; 0 if the value is not an integer. */
int64_t mt_stored_count (MtVal v);
/* Returns the number of values in a cell's sum of measure m. If it is not stored, it is assumed to
 * be `count`, the number of records, or 1 if that is unknown (count <= 0). */
int64_t mt_stored_nonnull (const MtMeasureAgg *m, MtVal cell, int64_t count);

#endif
