/* Set-returning functions: the function returns an array, and $unwind turns its elements into
 * rows. */
#ifndef MT_UNNEST_H
#define MT_UNNEST_H

#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* Appends the stages that compute set-returning functions and unwind their arrays. places: in,
 * where the input's columns are; out, where the functions' columns are. */
bool mt_unnest_emit (MtArena *a, const MtRel *rel, const MtTextStyle *style, MtPlace *places,
                     MtPipe *pipe, MtError *err);

#endif
