/* Leaves: the lowest levels of a layout, with records or stored sums. They decide whether a layout
 * can be compared with another layout, or built from it. */
#ifndef MT_LEAVES_H
#define MT_LEAVES_H

#include "layouts/table.h"

/* A record, or one stored group of sums (a cell). */
typedef struct MtLeaf {
   /* A value per column; NULL for columns that the leaf does not have. In a group of sums, measures
    * are sums, and the time is the start of the group's interval. */
   MtVal *row;
   /* The number of records; 0 if the group of sums stores no count. */
   int64_t n;
   /* Per column, the number of values in the sum. If this number is not stored, it is the number of
    * records, or else 1. NULL: the leaf is a record. */
   const int64_t *nonnull;
   MtVal cell; /* of sums: the stored cell, which can also have extremes and states */
} MtLeaf;

/* A leaf node of a table's layout (a lowest level of the tree), with the values that it can
 * give. */
typedef struct MtLeafWay {
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *s;
   const MtNode *leaf;
   bool records; /* true: the leaf keeps records; false: sums */
   bool timed;   /* the leaf has the time, rounded down to the unit `grain`; MT_UNIT_MS: exact */
   MtUnit grain;
} MtLeafWay;

/* Returns all leaf nodes of a table's layouts, in the order of the layouts, in arena a. */
MtLeafWay *mt_leaf_ways (MtArena *a, const MtTable *t, size_t *count);
/* Returns whether a leaf has the exact value of a column, rather than only a sum. */
bool mt_leaf_binds (const MtLeafWay *w, int column);
/* Returns which sums and counts the leaf keeps of a measure. NULL if the leaf keeps records, or
 * nothing of this measure. */
const MtMeasureAgg *mt_leaf_sum (const MtLeafWay *w, int column);
/* Returns the leaf to trust if the contents of leaves differ: the first leaf of records, else the
 * leaf with the finest time and the most columns. layout < 0 searches all layouts. */
const MtLeafWay *mt_leaf_trusted (const MtTable *t, const MtLeafWay *ways, size_t count,
                                  int layout);
/* Returns whether the content of layout `to` can be computed from the leaf `from` (a lowest level,
 * with records or sums). If not, *why, in arena a, is the reason. */
bool mt_leaf_gives (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtLayout *to,
                    const char **why);

#endif
