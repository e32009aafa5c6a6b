/* ASOF joins, which pair each left row with the right row that is nearest in time. */
#ifndef MT_ASOF_H
#define MT_ASOF_H

#include "query/condition.h"
#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* mt_asof_mark appends a stage that adds sort fields to the rows of one side. mt_asof_pair is
 * called after the union of both sides, and appends the stages that join the rows. places: for each
 * column of the join, its field. */
bool mt_asof_mark (MtEmit *e, const MtAsof *s, bool right, MtPipe *pipe);
void mt_asof_pair (MtArena *a, const MtAsof *s, const MtRel *rel, const MtPlace *places,
                   MtPipe *pipe);

#endif
