/* Iterates over the cells of a level in a stored document. A cell is one element of an array, or
 * one value of a map. */
#ifndef MT_CELLS_H
#define MT_CELLS_H

#include "layouts/table.h"

typedef struct MtCells {
   const MtNode *n;
   MtArena *a;
   MtDocIter it;
   MtDocIter *arrays; /* for MT_NODE_ARRAYS: an iterator for each array; else NULL */
   /* index of the next cell; for MT_NODE_ARRAYS, `count` is the arrays' length */
   size_t index, count;
} MtCells;

/* Returns the array or map that has the cells of level n, from `parent`, the value of the level
 * above. MT_MISSING or null if there is none. For MT_NODE_ARRAYS, returns the document that
 * contains the parallel arrays. */
MtVal mt_level_value (const MtNode *n, MtVal parent);
/* Begins an iteration over the cells in `value`, the array or map of level n. If the value has the
 * wrong type, returns false, and sets *why to the reason, in arena a. */
bool mt_cells_begin (MtArena *a, const MtNode *n, MtVal value, MtCells *out, const char **why);
/* Sets *key and *cell to the next cell; false at the end. For MT_NODE_PAIRS (tuples) and
 * MT_NODE_ARRAYS (parallel arrays), the cell is a document of its values. *cell is borrowed from
 * the document, or is in the arena. */
bool mt_cells_next (MtCells *c, MtStr *key, MtVal *cell);

#endif
