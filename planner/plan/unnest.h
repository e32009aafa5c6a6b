/* Functions that return sets, as stages: the set is an array, and $unwind makes its elements
 * rows. */
#ifndef MT_UNNEST_H
#define MT_UNNEST_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Adds the stages. places: of the input's columns; the places of the other columns are set. */
bool mt_unnest_emit (MtArena *a, const MtRel *rel, const MtTextStyle *style, MtPlace *places,
                     MtPipe *pipe, MtError *err);

#endif
