/* Leaves: the lowest levels of a layout's documents, which have records or stored sums. Comparing
 * two layouts, or building one from another, is done by leaves. */
#ifndef MT_LEAVES_H
#define MT_LEAVES_H

#include "layouts/table.h"

/* A leaf's content at one position: a record, or one stored group of sums (a cell). */
typedef struct MtLeaf {
   /* A value for each column; NULL for columns that the leaf does not store. In a group of sums, a
    * measure's value is its sum, and the time is the start of the group's interval. */
   MtVal *row;
   /* The number of records; 0 if the group of sums stores no count. */
   int64_t n;
   /* For each column, the number of values in its sum. If it is not stored, it is assumed to be the
    * number of records, or else 1. NULL: the leaf is a record. */
   const int64_t *nonnull;
   MtVal cell; /* for sums: the stored cell, from which extremes and aggregate states can be read */
} MtLeaf;

/* A leaf node (lowest level) of a table's layout, and what it stores. */
typedef struct MtLeafWay {
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *s;
   const MtNode *leaf;
   bool records; /* true: the leaf keeps records; false: sums */
   bool timed;   /* the time is stored, rounded down to the unit `grain`; MT_UNIT_MS: it is exact */
   MtUnit grain;
} MtLeafWay;

/* Returns all leaf nodes of a table's layouts, in the order of the layouts, in arena a. */
MtLeafWay *mt_leaf_ways (MtArena *a, const MtTable *t, size_t *count);
/* Returns whether a leaf (lowest level) stores a column's value itself, rather than only a sum. */
bool mt_leaf_binds (const MtLeafWay *w, int column);
/* Returns which sums, counts and extremes the leaf keeps of a measure. NULL if the leaf keeps
 * records, or nothing of this measure. */
const MtMeasureAgg *mt_leaf_sum (const MtLeafWay *w, int column);
/* Returns the leaf that is taken as right if leaves contradict each other: the first leaf with
 * records, else the leaf with the finest time and the most columns. Considers only the leaves of
 * layout number `layout`; if it is < 0, those of all layouts. */
const MtLeafWay *mt_leaf_trusted (const MtTable *t, const MtLeafWay *ways, size_t count,
                                  int layout);
/* Returns whether all content of layout `to` can be computed from the leaf (lowest level) `from`.
 * If not, *why is set to the reason, in arena a. */
bool mt_leaf_gives (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtLayout *to,
                    const char **why);

#endif
