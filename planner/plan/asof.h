/* ASOF joins: each row of the left side with the nearest row of the right side. */
#ifndef MT_ASOF_H
#define MT_ASOF_H

#include "query/condition.h"
#include "planner/emit/emit.h"
#include "engine/pipe.h"

/* mt_asof_mark adds the fields by which one side's rows are sorted. mt_asof_pair adds the stages
 * that pair the rows, after the union of both sides. places: of the join's columns. */
bool mt_asof_mark (MtEmit *e, const MtAsof *s, bool right, MtPipe *pipe);
void mt_asof_pair (MtArena *a, const MtAsof *s, const MtRel *rel, const MtPlace *places,
                   MtPipe *pipe);

#endif
