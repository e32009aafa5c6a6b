/* The ends of a layout's levels: records, or sums. They decide which layout can be compared with
 * another, or built from it. */
#ifndef MT_LEAVES_H
#define MT_LEAVES_H

#include "layouts/table.h"

/* A record, or one cell of sums. */
typedef struct MtLeaf {
   /* A value per column; NULL where the leaf has none. Of a cell of sums, measures are sums, and
    * the time is the start of the cell's interval. */
   MtVal *row;
   /* The number of records; 0 if the cell does not count them. */
   int64_t n;
   /* Per column, the number of values in the sum. If the cell does not keep this number, it is the
    * number of records, or 1. NULL: the leaf is a record. */
   const int64_t *nonnull;
} MtLeaf;

/* A leaf node of one of a table's layouts. */
typedef struct MtLeafWay {
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *s;
   const MtNode *leaf;
   bool records; /* else sums */
   bool timed;   /* the time is known to `grain`; exactly if that is MT_UNIT_MS */
   MtUnit grain;
} MtLeafWay;

/* Returns all leaf nodes of a table's layouts, in their order, in arena a. */
MtLeafWay *mt_leaf_ways (MtArena *a, const MtTable *t, size_t *count);
/* Returns whether a leaf has a column's exact value. A summed measure has none. */
bool mt_leaf_binds (const MtLeafWay *w, int column);
/* Returns what the leaf keeps of a measure; NULL if it keeps records, or no sum of the measure. */
const MtMeasureAgg *mt_leaf_sum (const MtLeafWay *w, int column);
/* Returns the leaf that is right if leaves differ: the first leaf of records, else the leaf with
 * the finest time and the most columns. layout < 0 searches all layouts. */
const MtLeafWay *mt_leaf_trusted (const MtTable *t, const MtLeafWay *ways, size_t count,
                                  int layout);
/* Returns whether everything that a layout keeps can be computed from these leaves. If not, *why
 * (in arena a) is the reason. */
bool mt_leaf_gives (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtLayout *to,
                    const char **why);

#endif
