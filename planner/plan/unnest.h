/* Set-returning functions: the function returns an array, and $unwind turns its elements into
 * rows. */
#ifndef MT_UNNEST_H
#define MT_UNNEST_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Appends the stages that call set-returning functions and $unwind their arrays. places: has the
 * places of the input's columns, and gets those of the functions' columns. */
bool mt_unnest_emit (MtArena *a, const MtRel *rel, const MtTextStyle *style, MtPlace *places,
                     MtPipe *pipe, MtError *err);

#endif
