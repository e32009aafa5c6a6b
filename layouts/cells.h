/* The cells of a level in a stored document, one after another. */
#ifndef MT_CELLS_H
#define MT_CELLS_H

#include "layouts/table.h"

typedef struct MtCells {
   const MtNode *n;
   MtArena *a;
   MtDocIter it;
   MtDocIter *arrays;   /* of parallel arrays */
   size_t index, count; /* the next cell's; how many parallel arrays have */
} MtCells;

/* The level's value in its parent's value, for a level of several cells; MT_MISSING or null: it has
 * none. Parallel arrays have the value that they lie in, if one of them is there. */
MtVal mt_level_value (const MtNode *n, MtVal parent);
/* Begins with the cells of such a value. False with a reason in arena a: it is none that the
 * level can have. */
bool mt_cells_begin (MtArena *a, const MtNode *n, MtVal value, MtCells *out, const char **why);
/* False: there is none more. A flat level's cell is a document of its values; in the arena, or
 * borrowed. */
bool mt_cells_next (MtCells *c, MtStr *key, MtVal *cell);

#endif
