/* The cells of a level in a stored document, one after another. */
#ifndef MT_CELLS_H
#define MT_CELLS_H

#include "layouts/table.h"

typedef struct MtCells {
   const MtNode *n;
   MtArena *a;
   MtDocIter it;
   MtDocIter *arrays;   /* of parallel arrays; else NULL */
   size_t index, count; /* number of the next cell; of parallel arrays, their length */
} MtCells;

/* Returns the value of a level that can have several cells, from its parent's value. MT_MISSING or
 * null if the level is missing. Of parallel arrays it is the value that contains them. */
MtVal mt_level_value (const MtNode *n, MtVal parent);
/* Begins with the cells in a level's value. False, with a reason in arena a, if the level cannot
 * have such a value. */
bool mt_cells_begin (MtArena *a, const MtNode *n, MtVal value, MtCells *out, const char **why);
/* Returns the next cell; false at the end. A cell of a flat level is a document of its values. It
 * is borrowed, or in the arena. */
bool mt_cells_next (MtCells *c, MtStr *key, MtVal *cell);

#endif
