/* Iterating over the cells (elements) of a level in a stored document. */
#ifndef MT_CELLS_H
#define MT_CELLS_H

#include "layouts/table.h"

typedef struct MtCells {
   const MtNode *n;
   MtArena *a;
   MtDocIter it;
   MtDocIter *arrays;   /* for MT_NODE_ARRAYS: an iterator for each array; else NULL */
   size_t index, count; /* number of the next cell; for MT_NODE_ARRAYS, the arrays' length */
} MtCells;

/* Returns the value (array or map) of a level with several cells, from the value of the level
 * above. MT_MISSING or null if the level is missing. For MT_NODE_ARRAYS, returns the document that
 * contains the arrays. */
MtVal mt_level_value (const MtNode *n, MtVal parent);
/* Begins to iterate over the cells in a level's value. False if the level can't have such a value;
 * then *why has the reason, in arena a. */
bool mt_cells_begin (MtArena *a, const MtNode *n, MtVal value, MtCells *out, const char **why);
/* Sets *key and *cell to the next cell; false at the end. For MT_NODE_PAIRS and MT_NODE_ARRAYS, the
 * cell is a document made of its values. *cell is borrowed from the document, or in the arena. */
bool mt_cells_next (MtCells *c, MtStr *key, MtVal *cell);

#endif
