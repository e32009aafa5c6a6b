/* Functions that give sets, as stages: the set is an array, which $unwind takes apart. */
#ifndef MT_UNNEST_H
#define MT_UNNEST_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* places: of the input's columns; those of the others are set. */
bool mt_unnest_emit (MtArena *a, const MtRel *rel, const MtTextStyle *style, MtPlace *places,
                     MtPipe *pipe, MtError *err);

#endif
